"""Morale: what the loss of Teams means for their Units (`morale`) and, by `break_points`, for their force."""
