"""Closing fire: what the units that are assaulted, and those near them, fire at the assaulting unit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from sandtable.engine.game import Flow
from sandtable.engine.questions import Why, illegal
from sandtable.rulesets.sof.core.arsenal import weapons
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, within_inches
from sandtable.rulesets.sof.core.names import name_of
from sandtable.rulesets.sof.core.state import Figure, Unit, units_of
from sandtable.rulesets.sof.shooting.accuracy import thrown
from sandtable.rulesets.sof.shooting.fire import choose_weapons, why_not_with
from sandtable.rulesets.sof.shooting.firers import DIRECT, Mode, firers, modes_of
from sandtable.rulesets.sof.shooting.volume import Volley

SUPPORT = 6.0
"""sof.close-combat.closing-fire-support"""


def why_not_used(mode: Mode) -> str:
    """The rule by which something is not used in closing fire: nothing that is thrown is."""
    if mode.row.has("grenade-bundle"):
        return "sof.weapon-rules.bundle-limits"
    return "sof.grenades.thrown-no-closing-fire" if thrown(mode) else ""


def may_be_used(mode: Mode) -> bool:
    return not why_not_used(mode)


def near_enough(game: Battle, figure: Figure, target: Unit) -> bool:
    """sof.close-combat.closing-fire-support: whether a figure of another unit than those assaulted may fire."""
    here = board(game)
    return within_inches(base_gap(here.of([figure]), here.rows_of(target)), SUPPORT)


def why_not_closing(game: Battle, unit: Unit, target: Unit, far: Collection[str], figure: str, way: str) -> Why:
    """Why a figure does not fire so at a unit that closes in; `far` are those who are too far away to support."""
    if figure in far:
        rule, legal = "sof.close-combat.closing-fire-support", "6 inches from some model that assaults, at most."
        return illegal(rule, f"{name_of(game.state, figure)} is too far away.", field=figure, legal=legal)
    modes = modes_of(unit.teams[figure]) if figure in unit.teams else ()
    barred = [rule for mode in modes if mode.name == way and (rule := why_not_used(mode))]
    if barred:
        return illegal(barred[0], "Nothing is thrown in closing fire.", field=figure)
    weapon, _, row = way.partition(":")
    if weapon in weapons() and row in set(weapons()[weapon].rows) - set(DIRECT):
        return illegal("sof.close-combat.closing-fire-no-indirect", "Closing fire is direct.", field=figure)
    return why_not_with(game, unit, target, (figure, way), moving=False, sustained=False)


def closing_volley(
    game: Battle, target: Unit, defenders: Sequence[Unit], smoke: bool
) -> Flow[tuple[list[Volley], list[str]]]:
    """The volleys of all who fire at a unit that has closed in, from the halt, and the rules that limit them."""
    found, rules = [], []
    for unit in units_of(game.state, defenders[0].side):
        firing = firers(game, unit, target, False) if unit.placed and not unit.ambush else []
        far = [] if unit in defenders else [each for each in firing if not near_enough(game, each.figure, target)]
        near = [each for each in firing if each not in far]
        rules += ["sof.close-combat.closing-fire-support"] if near and unit not in defenders else []
        rules += [rule for each in near for mode in each.modes if (rule := why_not_used(mode))]
        if unit in defenders and any(set(each.kind.weapon.rows) - set(DIRECT) for each in unit.able):
            rules += ["sof.close-combat.closing-fire-no-indirect"]
        usable = [replace(each, modes=tuple(filter(may_be_used, each.modes))) for each in near]
        usable = [each for each in usable if each.modes]
        if usable:
            too_far = {each.figure.id for each in far}
            why_not = partial(why_not_closing, game, unit, target, too_far)
            chosen = yield from choose_weapons(unit, target, usable, why_not)
            if any(mode.row.has("rifle-grenade") for _, mode in chosen):
                rules.append("sof.grenades.rifle-closing-fire")
            found.append(Volley(unit, chosen, moving=False, smoke=smoke))
    return found, list(dict.fromkeys(rules))
