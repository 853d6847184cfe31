"""Whether a Team gets as far as it is to go, before any die is thrown for the ground on its way."""

from __future__ import annotations

from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.moving.courses import Course, ahead, over_rough_ground, rolled_again, terrain_check


def gets_there(game: Battle, course: Course) -> float | None:
    """How likely a Team is to come to the end of its course: see `courses.cross_ground`.

    None if anything else than rough ground lies on its way.
    """
    hazards = [hazard for _, hazard in ahead(game, course, over_rough_ground(game, course))]
    if any(hazard.meet is not terrain_check for hazard in hazards):
        return None
    failed, passed = rolled_again(course.team)
    one = passes(course.unit.quality, second_chance=bool(failed), second_risk=bool(passed))
    return one ** len(hazards)
