"""Closing fire: what the units that are assaulted, and those near them, fire at the assaulting unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, within_inches
from sandtable.rulesets.sof.core.state import Unit, units_of
from sandtable.rulesets.sof.shooting.accuracy import thrown
from sandtable.rulesets.sof.shooting.fire import choose_weapons
from sandtable.rulesets.sof.shooting.firers import DIRECT, Mode, firers
from sandtable.rulesets.sof.shooting.volume import Volley

SUPPORT = 6.0
"""sof.close-combat.closing-fire-support"""


def may_be_used(mode: Mode) -> bool:
    """sof.grenades.thrown-no-closing-fire: nothing that is thrown."""
    return not thrown(mode) and not mode.row.has("grenade-bundle")


def closing_volley(
    game: Battle, target: Unit, defenders: Sequence[Unit], smoke: bool
) -> Flow[tuple[list[Volley], list[str]]]:
    """The volleys of all who fire at a unit that has closed in, from the halt, and the rules that limit them."""
    here = board(game)
    theirs = here.rows_of(target)
    found, rules = [], []
    for unit in units_of(game.state, defenders[0].side):
        near = [
            each
            for each in (firers(game, unit, target, False) if unit.placed and not unit.ambush else [])
            if unit in defenders or within_inches(base_gap(here.of([each.figure]), theirs), SUPPORT)
        ]
        rules += ["sof.close-combat.closing-fire-support"] if near and unit not in defenders else []
        if not all(may_be_used(mode) for each in near for mode in each.modes):
            rules += ["sof.grenades.thrown-no-closing-fire"]
        if unit in defenders and any(set(each.kind.weapon.rows) - set(DIRECT) for each in unit.able):
            rules += ["sof.close-combat.closing-fire-no-indirect"]
        usable = [replace(each, modes=tuple(filter(may_be_used, each.modes))) for each in near]
        usable = [each for each in usable if each.modes]
        if usable:
            chosen = yield from choose_weapons(unit, target, usable)
            if any(mode.row.has("rifle-grenade") for _, mode in chosen):
                rules.append("sof.grenades.rifle-closing-fire")
            found.append(Volley(unit, chosen, moving=False, smoke=smoke))
    return found, list(dict.fromkeys(rules))
