"""Activation: a Team, or a leader and his Unit, in four steps."""
