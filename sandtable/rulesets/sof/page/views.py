"""What players may know (in this game everything), and how it is drawn."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from sandtable.engine.ruleset import Score, everything
from sandtable.field import showing
from sandtable.field.formations import places
from sandtable.field.invariants import astray
from sandtable.field.showing import Face, open_table
from sandtable.rulesets.sof.core.board import Battle, Board, pitch_of
from sandtable.rulesets.sof.core.names import ROLES, figure_name, unit_name
from sandtable.rulesets.sof.core.state import SIDES, Figure, State, Unit, all_figures, units_of
from sandtable.rulesets.sof.core.terrain import looks
from sandtable.rulesets.sof.formations import SPOKEN, files_of
from sandtable.rulesets.sof.leadership import influence_distance, leaders_in
from sandtable.rulesets.sof.missions import BY_AN_OBJECTIVE, controls
from sandtable.rulesets.sof.page.words import PAGE
from sandtable.rulesets.sof.shooting import FIXED_ARC, silenced
from sandtable.rulesets.sof.units import stands_in_command
from sandtable.table.hairs import A_HAIR
from sandtable.table.scene import Badge, Ring, Scene, Spot


def view(game: Battle, seat: str | None) -> dict[str, Any]:
    """Nothing is hidden in this game: every seat, and every watcher, sees the whole table."""
    setup = game.setup
    return {**open_table(setup.table, setup.terrain, setup.turns), **everything(game, seat)}


def score(state: State) -> Score:
    figures: dict[str, float] = {side: sum(len(unit.teams) for unit in units_of(state, side)) for side in SIDES}
    return Score(figures, "figures left")


def summary(state: State) -> dict[str, Any]:
    return {
        side: {
            "units": len(units_of(state, side)),
            "figures": sum(len(unit.teams) for unit in units_of(state, side)),
            "suppression": sum(unit.suppression for unit in units_of(state, side)),
        }
        for side in SIDES
    }


def invariants(game: Battle) -> list[str]:
    """What must hold in every state; each entry of the answer is a law broken."""
    state, ground = game.state, game.prepared
    broken = astray(game.scratch, Board(ground, state), ground, state.units, state.phase == "over")
    for unit in state.units.values():
        if unit.suppression < 0:
            broken.append(f"{unit.id} has {unit.suppression} suppression markers")
        if any(figure.worth < 1 for figure in unit.teams.values()):
            broken.append(f"{unit.id} has a figure that is out of action")
        broken += ranks_astray(game, unit)
    return broken


def ranks_astray(game: Battle, unit: Unit) -> list[str]:
    """A unit in linear order stands where its pose says, in ranks that its alignment allows, and is in command."""
    if unit.formation != "linear":
        return [f"{unit.id} has a pose in {unit.formation} order"] if unit.pose is not None else []
    if unit.pose is None:
        return [f"{unit.id} has no pose"] if unit.placed else []
    if unit.pose.files not in files_of(unit, unit.alignment, len(unit.teams)):
        return [f"{unit.id} stands {unit.pose.files} abreast in {unit.alignment}"]
    spots = places(unit.pose, len(unit.teams), pitch_of(unit))
    figures = zip(unit.teams.values(), spots, strict=True)
    if any(math.dist(figure.at or (0.0, 0.0), spot) > A_HAIR for figure, spot in figures):
        return [f"{unit.id} does not stand in its ranks"]
    rows = Board(game.prepared, game.state).rows_of(unit)
    return [] if stands_in_command(unit, rows) else [f"{unit.id} is in ranks and not in command"]


# The picture.

LOOKS = {"officer": "officer", "senior-nco": "nco", "nco": "nco"}


def look(figure: Figure) -> str:
    """How a figure is drawn: whoever is down as such, a crewed weapon, a rider, a leader, or a man."""
    if figure.disabled:
        return "casualty"
    if figure.kind.weapon.crew:
        return "gun"
    return "rider" if figure.mounted and not figure.character else LOOKS.get(figure.role, "figure")


def face(unit: Unit, figure: Figure) -> Face:
    # Whoever is down is drawn so, and wears no sign for it.
    signs = tuple(badge for badge in PAGE.badges(figure) if badge.sign != "down")
    note = PAGE.signs["down"].words if figure.disabled else ""
    return Face(figure_name(figure), unit_name(unit), look(figure), signs, note)


def unit_signs(unit: Unit) -> tuple[Badge, ...]:
    """The signs of a unit, each once."""
    return (*PAGE.badges(unit, unit=True), *(() if unit.in_command else (PAGE.badge("astray"),)))


def order_of(unit: Unit) -> str:
    """How a unit stands, in a word."""
    return SPOKEN[unit.alignment or unit.formation].removesuffix(" order")


def stands(state: State, name: str) -> tuple[str, tuple[Badge, ...]]:
    unit = state.units[name]
    return f"{order_of(unit)}, {len(unit.able)}", unit_signs(unit)


def rings(state: State) -> list[Ring]:
    """How far the influence of each leader reaches who has any beyond his own unit; and the beaten zones."""
    found = []
    for unit in state.units.values():
        found += beaten(unit)
        for leader in leaders_in(unit):
            inches, _ = influence_distance(unit, leader)
            if inches and leader.at is not None:
                found.append(
                    Ring(leader.id, inches + leader.kind.base.width / 2, f"{ROLES[leader.role]}'s voice, {inches:g}″")
                )
    return found


def beaten(unit: Unit) -> list[Ring]:
    """The beaten zone of each weapon of a unit that projects one."""
    found = []
    for gun in unit.able if not silenced(unit) else []:
        row = gun.kind.weapon.main
        if row.has("beaten-zone") and gun.at is not None and not gun.jammed and row.range is not None:
            arc = FIXED_ARC if row.has("fixed") else None
            half = gun.kind.base.width / 2
            found.append(Ring(gun.id, row.range + half, f"Beaten zone, {row.range:g}″", arc, threat=True))
    return found


def scene(game: Battle, seat: str | None) -> Scene:
    setup, state = game.setup, game.state
    spots = [
        Spot(*each.at, BY_AN_OBJECTIVE, each.name or name, controls(game, each) or "")
        for name, each in state.objectives.items()
    ]
    when = state.result.reason if state.result else f"Turn {state.turn} of {setup.turns}, phase {state.number}"
    pieces = showing.pieces(all_figures(state), face)
    bodies = showing.bodies(pieces, partial(stands, state))
    return showing.scene(setup, setup.terrain, pieces, spots, [], setup.name, when, looks(), bodies, rings(state))
