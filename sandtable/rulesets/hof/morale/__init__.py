"""Morale: what the loss of Teams means for their Units and, by Break Points, for their force."""
