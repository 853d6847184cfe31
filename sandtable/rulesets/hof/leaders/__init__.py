"""Platoon Leaders: what they do for a Team, what their loss means, and who takes their place."""
