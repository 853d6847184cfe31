"""Closing fire: what the units that are assaulted, and those near them, fire at the assaulting unit."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.rulesets.sof.core.board import Battle, base_gap, board, within_inches
from sandtable.rulesets.sof.core.state import Unit, units_of
from sandtable.rulesets.sof.shooting.accuracy import thrown
from sandtable.rulesets.sof.shooting.firers import Firer, Mode, firers
from sandtable.rulesets.sof.shooting.volume import Volley

SUPPORT = 6.0
"""sof.close-combat.closing-fire-support"""


def may_be_used(mode: Mode) -> bool:
    """sof.grenades.thrown-no-closing-fire: nothing that is thrown."""
    return not thrown(mode) and not mode.row.has("grenade-bundle")


def closing_volley(game: Battle, target: Unit, defenders: Sequence[Unit]) -> list[Volley]:
    """The volleys of all who fire at a unit that has closed in: from the halt, each with its own weapon."""
    here = board(game)
    theirs = here.rows_of(target)
    found = []
    for unit in units_of(game.state, defenders[0].side):
        near = [
            each
            for each in (firers(game, unit, target, False) if unit.placed else [])
            if unit in defenders or within_inches(base_gap(here.of([each.figure]), theirs), SUPPORT)
        ]
        chosen: list[tuple[Firer, Mode]] = []
        for firer in near:
            modes = [mode for mode in firer.modes if may_be_used(mode)]
            if modes:
                chosen.append((firer, modes[0]))
        if chosen:
            found.append(Volley(unit, chosen, moving=False))
    return found
