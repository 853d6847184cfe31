"""Platoon Leaders: their `abilities`, where they stand, and their `replacement`."""

from sandtable.rulesets.hof.leaders.replacement import ask_place
