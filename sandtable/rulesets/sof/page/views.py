"""What players may know (in this game everything), what a position is worth, and how it is drawn."""

from __future__ import annotations

import math
from typing import Any

from sandtable.engine.cards import Fact, counted
from sandtable.engine.ruleset import Display, Score, everything
from sandtable.engine.worth import Term, Worth
from sandtable.field import showing
from sandtable.field.formations import places
from sandtable.field.invariants import astray
from sandtable.field.reckoning import decided
from sandtable.field.rosters import signs
from sandtable.field.showing import Face, open_table
from sandtable.rulesets.sof.core.board import Battle, Board, pitch_of
from sandtable.rulesets.sof.core.names import figure_name, unit_name
from sandtable.rulesets.sof.core.state import SIDES, Figure, State, Unit, all_figures, units_of
from sandtable.rulesets.sof.core.terrain import looks
from sandtable.rulesets.sof.formations import SPOKEN, files_of
from sandtable.rulesets.sof.missions import BY_AN_OBJECTIVE
from sandtable.rulesets.sof.units import stands_in_command
from sandtable.table.hairs import A_HAIR
from sandtable.table.scene import Badge, Scene, Spot


def view(game: Battle, seat: str | None) -> dict[str, Any]:
    """Nothing is hidden in this game: every seat, and every watcher, sees the whole table."""
    setup = game.setup
    return {**open_table(setup.table, setup.terrain, setup.turns), **everything(game, seat)}


def weigh(game: Battle, seat: str) -> dict[str, float]:
    """How well a side stands: its figures, less for those who are wounded or suppressed, and how near to objectives."""
    state = game.state
    over = decided(state.result, seat)
    if over is not None:
        return {"battle": over}
    found = dict.fromkeys(TERMS, 0.0)
    goals = [objective.at for objective in state.objectives.values()]
    for unit in state.units.values():
        sign = 1.0 if unit.side == seat else -1.0
        men = sum((0.4 if figure.disabled else 1.0) + 0.5 * figure.character for figure in unit.teams.values())
        found["figures"] += sign * men * (1.0 - 0.05 * min(unit.suppression, 6))
        spots = [figure.at for figure in unit.teams.values() if figure.at is not None]
        if spots and goals:
            found["near"] -= sign * min(math.dist(spots[0], goal) for goal in goals)
    return found


TERMS = {
    "battle": Term(1.0, "the battle won"),
    "figures": Term(1.0, "more figures left"),
    "near": Term(0.05, "nearer to objectives", passing=True),
}
WORTH = Worth(weigh, TERMS)


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


def badges(unit: Unit, figure: Figure) -> tuple[Badge, ...]:
    return signs(
        (figure.disabled, "W", "wounded", "down"),
        (figure.jammed, "J", "jammed", "earth"),
        (unit.suppression, "S", "suppressed", "down"),
        (unit.hit_the_dirt, "G", "has hit the dirt", "prone"),
        (unit.activated, "✓", "has been activated this turn", "tick"),
    )


def face(unit: Unit, figure: Figure) -> Face:
    look = "gun" if unit.type == "weapon" else "infantry"
    order = SPOKEN[unit.alignment or unit.formation]
    leader = {"officer": "O", "senior-nco": "SN", "nco": "N"}.get(figure.role, "")
    return Face(figure_name(figure), unit_name(unit), look, badges(unit, figure), f"{unit.training}, {order}", leader)


def scene(game: Battle, seat: str | None) -> Scene:
    setup, state = game.setup, game.state
    spots = [Spot(*each.at, BY_AN_OBJECTIVE, each.name or name) for name, each in state.objectives.items()]
    when = state.result.reason if state.result else f"Turn {state.turn} of {setup.turns}, phase {state.number}"
    pieces = showing.pieces(all_figures(state), face)
    return showing.scene(setup, setup.terrain, pieces, spots, [], setup.name, when, looks())


def status(game: Battle, seat: str | None) -> list[Fact]:
    state = game.state
    facts = [counted("Turn", (min(state.turn, state.turns), state.turns), "sof.turn.game-length")]
    if state.phase == "activate":
        facts.append(Fact("Phase", str(state.number), "sof.turn.activation-phases"))
    for name, group in state.battlegroups.items():
        dice = " ".join(map(str, group.dice)) or "none"
        facts.append(Fact(f"Dice of {group.name or name}", dice, "sof.turn.sort-dice"))
    return facts


DISPLAY = Display(status=status)
