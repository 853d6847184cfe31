"""What Received Fire Points will do to a Team when it is next made to act, before any die is thrown."""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.engine.chance import Chances, die, sure
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.checks import ROLLED_AGAIN
from sandtable.rulesets.hof.core.nearby import in_hard_cover
from sandtable.rulesets.hof.core.state import Quality, Team, Unit
from sandtable.rulesets.hof.rfp_rally.rfp import (
    FATES,
    READY,
    STAND_FIRM,
    SUPPRESSED,
    Fate,
    deadly,
    mends,
    reading,
    row_for,
    worst_for,
)


def fates(game: Battle, unit: Unit, team: Team, number: int, *, hard: bool) -> Chances[Fate]:
    """What a Team is after so many RFPs: see `rfp.resolve`. `hard`: it is in Hard Cover."""
    row, _ = row_for(unit, team, hard)
    quality: Quality = "average" if team.kind.vehicle else unit.quality
    firm = any(each.may(game, unit, team, hard) for each in STAND_FIRM)
    most, down = worst_for(team), team.suppressed

    def fate(worst: int) -> Fate:
        found = FATES[min(worst, most)]
        return "suppressed" if down and found == "ready" else found

    return worst_of(number, row, quality, mends(team, hard), firm).mapped(fate)


def when_made_to_act(game: Battle, unit: Unit, team: Team, more: int, *, exposed: bool = True) -> Chances[Fate]:
    """What becomes of a Team that receives more RFPs and is then made to act, in the cover that it has now.

    `exposed`: some of them do not come across the obstacle that it shelters behind.
    """
    then = msgspec.structs.replace(team, rfps=team.rfps + more, exposed=team.exposed or (exposed and more > 0))
    if not then.rfps:
        return sure("suppressed" if team.suppressed else "ready")
    return fates(game, unit, then, then.rfps, hard=in_hard_cover(game, then))


@cache
def worst_of(number: int, row: bool, quality: Quality, mended: bool, firm: bool) -> Chances[int]:
    """The worst of so many dice, taken one after the other, with all that is rolled again.

    `mended`: the first die that kills is rolled again; `firm`: a single Suppressed die is, if none kills.
    """
    # The worst so far, how many are Suppressed (two stand for more), whether the last of these was rolled again, and
    # whether a die that kills may still be mended.
    dice = sure((READY, 0, False, mended))
    for _ in range(number):
        dice = dice.then(lambda so_far: one_more(so_far, row, quality))

    def settled(end: tuple[int, int, bool, bool]) -> Chances[int]:
        worst, suppressed, rolled_again, _ = end
        if firm and worst == SUPPRESSED and suppressed == 1 and not rolled_again:
            return die().mapped(lambda value: reading(value, row, stubborn=True))
        return sure(worst)

    return dice.then(settled)


def one_more(so_far: tuple[int, int, bool, bool], row: bool, quality: Quality) -> Chances[tuple[int, int, bool, bool]]:
    """One more die, with what is rolled again at once."""
    worst, suppressed, rolled_again, mending = so_far

    def shown(value: int) -> Chances[tuple[int, bool, bool]]:
        if mending and deadly(value, row):
            return die().mapped(lambda again: (reading(again, row), True, False))
        if value == ROLLED_AGAIN.get(quality):
            return die().mapped(lambda again: (reading(again, row, elite=quality == "elite"), True, mending))
        return sure((reading(value, row), False, mending))

    def added(result: tuple[int, bool, bool]) -> tuple[int, int, bool, bool]:
        says, again, left = result
        if says != SUPPRESSED:
            return max(worst, says), suppressed, rolled_again, left
        return max(worst, says), min(2, suppressed + 1), again, left

    return die().then(shown).mapped(added)
