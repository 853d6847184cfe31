"""Turns: whose move it is, and what a player may choose (`turns`)."""
