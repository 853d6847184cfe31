"""Compiled forms of what this game asks again and again, each beside the function that says what it computes.

levels    who sees whom, by the level of height each stands on
placing   where a whole unit could be set down
firing    how far from a target the figures of a unit are
regrouping  where each model of a unit stands that mounts or dismounts
passage   whether a whole unit comes well to where it goes, and how far it must fall back to be clear of friends
"""
