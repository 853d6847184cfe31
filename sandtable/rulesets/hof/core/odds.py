"""What a die shows once quality has had its say, and how likely a Check is to succeed, before any is thrown."""

from __future__ import annotations

from functools import cache

from sandtable.engine.chance import Chances, at_least, die, sure
from sandtable.rulesets.hof.core.checks import NEEDED, ROLLED_AGAIN
from sandtable.rulesets.hof.core.state import Quality


@cache
def quality_die(quality: Quality) -> Chances[tuple[int, bool]]:
    """What a die shows in the end, and whether it has been rolled again: see `checks.reroll_for_quality`."""
    face = ROLLED_AGAIN.get(quality)
    again = die().mapped(lambda value: (value, True))
    return die().then(lambda value: again if value == face else sure((value, False)))


@cache
def success(quality: Quality, needed: int) -> float:
    """How likely a die of some troops is to show a number or more."""
    return quality_die(quality).chance(lambda die: die[0] >= needed)


@cache
def passes(quality: Quality, needed: int = NEEDED, *, second_chance: bool = False, overloaded: bool = False) -> float:
    """How likely a Check is to succeed (`checks.check`).

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
