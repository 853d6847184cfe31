"""Checks: a die that needs 4 or more, and who rolls again."""

from __future__ import annotations

from sandtable.engine.dice import Throw
from sandtable.engine.game import Flow
from sandtable.field.checks import Check
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.state import Quality, Unit

NEEDED = 4
"""hof.orders.check"""

ROLLED_AGAIN: dict[Quality, int] = {"elite": 1, "poor": 6}
"""The face that troops who are not average roll again."""

RULES = {"elite": "hof.orders.elite-rerolls", "poor": "hof.orders.poor-rerolls"}


def check(
    game: Battle, unit: Unit, why: str, *, needed: int = NEEDED, again_if_failed: str = "", again_if_passed: str = ""
) -> Flow[Check]:
    """One Check of a Unit or of a Team of it.

    `again_if_failed` and `again_if_passed` are the rules that let, or make, the die be rolled again; a die that
    quality has had rolled again stays as it is (hof.orders.reroll-once).
    """
    throw = yield from game.throw(unit.side, 1, why)
    found = Check(throw, needed, rules=["hof.orders.check"])
    found.rules += yield from reroll_for_quality(game, unit.quality, throw)
    again = again_if_passed if found.passed else again_if_failed
    if again and throw.may_reroll(0):
        yield from game.reroll(throw, [0])
        found.rules += [again, "hof.orders.reroll-once"]
    return found


def reroll_for_quality(game: Battle, quality: Quality, throw: Throw) -> Flow[list[str]]:
    """Elite troops roll each 1 again, Poor ones each 6, on Checks and when firing at Vehicles. The rules that spoke."""
    if quality == "average":
        return []
    face = ROLLED_AGAIN[quality]
    again = [index for index, value in enumerate(throw.values) if value == face and throw.may_reroll(index)]
    if not again:
        return []
    yield from game.reroll(throw, again)
    return [RULES[quality], "hof.orders.reroll-once"]
