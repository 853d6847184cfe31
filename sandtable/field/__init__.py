"""Troops on a table: what every miniatures game does and no rulebook decides.

A ruleset calls these pieces; none of them calls a ruleset, and none knows which game it serves.
"""
