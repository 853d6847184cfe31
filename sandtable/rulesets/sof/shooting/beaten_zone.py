"""Beaten zones: what machine guns cover is suppressed at the start of each turn, without a roll."""

from __future__ import annotations

from sandtable.engine.events import several
from sandtable.rulesets.sof.core.arsenal import specials_of
from sandtable.rulesets.sof.core.board import Battle, board, enemies_of, gap, known_blind
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Figure, Unit, sides_in_order, units_of
from sandtable.rulesets.sof.morale import EXCESS
from sandtable.rulesets.sof.shooting.firers import Sights, far_reach, firing_of, modes_of, shooters
from sandtable.table.hairs import EXACT

RULES = ("sof.turn.start-beaten-zone", "sof.weapon-rules.beaten-zone-projection")


LOST = "sof.weapon-rules.beaten-zone-lost"


def silenced(unit: Unit) -> str:
    """sof.weapon-rules.beaten-zone-lost: why a unit that has such a weapon projects no zone; nothing if it does."""
    if unit.suppression >= EXCESS:
        return f"with {several(unit.suppression, 'suppression marker')}"
    guns = guns_of(unit)
    return "with its weapon jammed" if guns and all(each.jammed for each in guns) else ""


def guns_of(unit: Unit) -> list[Figure]:
    """Who serves a weapon with a beaten zone."""
    figures = unit.teams.values()
    guns = [each for each in figures if "beaten-zone" in specials_of(each.profile, each.traits, ())]
    return [each for each in guns if not each.disabled]


def covered(game: Battle, unit: Unit) -> list[Unit]:
    """The enemy units in the beaten zone of a weapon unit: in its arc, seen, in its line of fire and direct range."""
    most = far_reach(unit) + EXACT
    guns = [each for each in shooters(game, unit) if any(mode.row.has("beaten-zone") for mode in modes_of(each))]
    return [
        enemy
        for enemy in enemies_of(game.state, unit)
        if gap(game, unit, enemy) <= most
        and not known_blind(game, unit, enemy)
        and any(
            mode.row.has("beaten-zone")
            for each in firing_of(Sights(game, unit, enemy, guns), moving=False, sustained=False)
            for mode in each.modes
        )
    ]


def beaten_zones(game: Battle) -> None:
    """All zones of both sides at once: none silences another. A unit in several takes a marker from each.

    sof.weapon-rules.beaten-zone-projection: who lies in ambush projects none.
    """
    state = game.state
    found: dict[str, list[str]] = {}
    for side in sides_in_order(state):
        for unit in units_of(state, side):
            if not unit.placed or unit.ambush or not guns_of(unit):
                continue
            why = silenced(unit)
            if why:
                text = f"{label(unit)} projects no beaten zone, {why}."
                game.tell("zone-silenced", text, LOST, seat=unit.side, unit=unit.id)
            for enemy in covered(game, unit) if not why else []:
                found.setdefault(enemy.id, []).append(unit.id)
    for name, weapons in found.items():
        unit = state.units[name]
        unit.suppression += len(weapons)
        rules = [*RULES, *(["sof.turn.start-beaten-zone-stacks"] if len(weapons) > 1 else [])]
        rules += in_terrain(game, unit)
        text = f"{label(unit)} lies in {several(len(weapons), 'beaten zone')}."
        now = unit.suppression
        game.tell("beaten-zone", text, *rules, seat=unit.side, unit=name, weapons=weapons, suppression=now)


def in_terrain(game: Battle, unit: Unit) -> list[str]:
    """The rules by which what a unit is in does not save it from a beaten zone."""
    ground = game.prepared
    if not ground.kinds:
        return []
    inside = ground.terrain.inside(board(game).rows_of(unit))
    found = [ground.rule(number, "beaten-zone") for number in range(len(ground.kinds)) if inside[:, number].any()]
    return [rule for rule in dict.fromkeys(found) if rule]
