"""Platoon Leaders: their `abilities`, their `replacement`, and where they stand (`placing`)."""

from sandtable.rulesets.hof.leaders.placing import ask_place
