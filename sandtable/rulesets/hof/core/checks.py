"""Checks: a die that needs 4 or more, and who rolls again."""

from __future__ import annotations

from functools import cache

from sandtable.engine.chance import Chances, at_least, die, sure
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


# Before the die is thrown: what it shows once quality has had its say.


@cache
def quality_die(quality: Quality) -> Chances[tuple[int, bool]]:
    """What a die shows in the end, and whether it has been rolled again: see `reroll_for_quality`."""
    face = ROLLED_AGAIN.get(quality)
    again = die().mapped(lambda value: (value, True))
    return die().then(lambda value: again if value == face else sure((value, False)))


@cache
def success(quality: Quality, needed: int) -> float:
    """How likely a die of some troops is to show a number or more."""
    return quality_die(quality).chance(lambda die: die[0] >= needed)


@cache
def passes(quality: Quality, needed: int = NEEDED, *, second_chance: bool = False, overloaded: bool = False) -> float:
    """How likely a Check is to succeed (`check`).

    `second_chance`: a die that has failed is rolled again; `overloaded`: so is one that has passed.
    """
    if not second_chance and not overloaded:
        return success(quality, needed)
    again = at_least(needed)

    def in_the_end(die: tuple[int, bool]) -> float:
        passed = die[0] >= needed
        return again if not die[1] and (overloaded if passed else second_chance) else float(passed)

    return quality_die(quality).mean(in_the_end)


@cache
def sixes(quality: Quality, dice: int) -> float:
    """How likely it is that at least one of some dice shows a 6."""
    return 1.0 - (1.0 - success(quality, 6)) ** dice
