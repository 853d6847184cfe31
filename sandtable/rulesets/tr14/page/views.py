"""What players may know (in this game everything), what a position is worth, and how it is drawn."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from sandtable.engine.game import Game
from sandtable.engine.ruleset import Guard, Result
from sandtable.field.invariants import bases_astray, board_astray, names_astray
from sandtable.field.rosters import signs
from sandtable.rulesets.tr14.battle import score
from sandtable.rulesets.tr14.core.arsenal import Profile
from sandtable.rulesets.tr14.core.board import Board, smoke_feature
from sandtable.rulesets.tr14.core.names import label, team_name, unit_name
from sandtable.rulesets.tr14.core.state import SIDES, Setup, State, Team, Unit, all_teams, platoons, units_of
from sandtable.rulesets.tr14.firing import HALF_CIRCLE
from sandtable.table.scene import Area, Badge, Piece, Scene, Spot
from sandtable.table.shapes import Place

TEAM_WORTH = {"infantry": 1.0, "gun": 1.5, "tank": 2.5}


def view(game: Game[State], seat: str | None) -> dict[str, Any]:
    """Nothing is hidden in this game: every seat, and every watcher, sees the whole table."""
    setup: Setup = game.setup
    return {
        "width": setup.table.width,
        "depth": setup.table.depth,
        "terrain": msgspec.to_builtins(setup.terrain),
        "rounds": setup.rounds,
        **msgspec.to_builtins(game.state),
    }


def imagine(game: Game[State], seat: str) -> State | None:
    """With nothing hidden, the state a player imagines is the true one: the last checkpoint's."""
    return None


def result(state: State) -> Result | None:
    return state.result


def turn(state: State) -> int:
    return state.round


def worth(state: State, seat: str) -> float:
    """How well a side stands: its Teams, less for suppressed ones, objectives held and near, the battle won or lost."""
    if state.result is not None:
        winner = state.result.winner
        return 0.0 if winner is None else 1000.0 if winner == seat else -1000.0
    value = 0.0
    for unit, team in all_teams(state):
        sign = 1.0 if unit.side == seat else -1.0
        value += sign * team_worth(team)
        if team.at is not None:
            near = min((math.dist(team.at, objective.at) for objective in state.objectives.values()), default=0.0)
            value -= sign * 0.02 * min(near, 40.0)
        if team.dug_in:
            value += sign * 0.1
        if unit.overwatch and unit.side == seat:
            value += 0.05
    points = score(state)
    for side in SIDES:
        value += (1.0 if side == seat else -1.0) * 4.0 * points[side]
    return value


def team_worth(team: Team) -> float:
    return TEAM_WORTH[team.kind.type] * (1.0 - 0.3 * min(team.markers, 2)) + (0.5 if team.role else 0.0)


def summary(state: State) -> dict[str, Any]:
    points = score(state)
    return {
        side: {
            "units": len(platoons(state, side)),
            "teams": sum(len(unit.teams) for unit in units_of(state, side)),
            "objectives": points[side],
        }
        for side in SIDES
    }


def guards(game: Game[State], seat: str) -> list[Guard]:
    """What a player should hear of before the battle begins."""
    state = game.state
    found = []
    if state.phase == "deploy":
        for unit in units_of(state, seat):
            if any(team.at is None for team in unit.teams.values()):
                found.append(Guard(seat, f"{label(unit)} is not deployed yet.", "tr14.battle.deployment", stops=True))
    for unit in platoons(state, seat):
        if unit.leader is None:
            found.append(Guard(seat, f"{label(unit)} has no Platoon Leader.", "tr14.leaders.leaderless"))
    if not any(unit.apart == "cc" for unit in units_of(state, seat)):
        found.append(Guard(seat, "There is no Company Commander.", "tr14.leaders.company-no-cc"))
    return found


def invariants(game: Game[State]) -> list[str]:
    """What must hold in every state; each entry of the answer is a law broken."""
    state = game.state
    ground = game.prepared
    fresh = Board(ground, state)
    broken = [*board_astray(game.scratch, fresh), *names_astray(state.units)]
    if state.phase != "over":
        # A battle that ends in the midst of a move leaves Teams on their way, where they may pass through friends.
        broken += bases_astray(fresh, ground)
    for _, team in all_teams(state):
        if not 0 <= team.markers <= 2:
            broken.append(f"{team.id} has {team.markers} markers")
        if team.role == "fo" and team.markers:
            broken.append(f"{team.id} is a suppressed observer")
    return broken


def badges(unit: Unit, team: Team) -> tuple[Badge, ...]:
    return (
        *team_badges(team),
        *signs(
            (unit.overwatch, "O", "on Overwatch"),
            (unit.to_ground, "G", "gone to ground"),
            (unit.ran, "R", "running"),
            (unit.activated, "✓", "has activated this round"),
        ),
    )


def team_badges(team: Team) -> tuple[Badge, ...]:
    """The signs of the Team alone: those of its Unit stand on the Unit's card."""
    return signs((team.markers, "S", "suppressed"), (team.dug_in, "D", "dug in"))


def look(kind: Profile) -> str:
    """How a kind of Team is drawn."""
    return "vehicle" if kind.soft_skinned else kind.type


def scene(game: Game[State], seat: str | None) -> Scene:
    setup: Setup = game.setup
    state = game.state
    pieces = []
    for unit, team in all_teams(state):
        if team.at is None:
            continue
        states = [badge.words for badge in badges(unit, team)]
        title = f"{team_name(team)}, {unit_name(unit)} ({unit.training})" + (f": {', '.join(states)}" if states else "")
        arc = HALF_CIRCLE if team.kind.type == "gun" and not team.kind.moves_as_infantry else None
        pieces.append(
            Piece(
                team.id,
                team.kind.base,
                Place(*team.at, team.facing, 0, team.turret),
                unit.side,
                look(team.kind),
                unit_name(unit),
                leader=team.role.upper(),
                badges=badges(unit, team),
                title=title,
                arc=arc,
                unit=unit.id,
            )
        )
    spots = [
        Spot(*objective.at, objective.radius, objective.name or name, objective.holder)
        for name, objective in state.objectives.items()
    ]
    areas = [Area(list(smoke_feature(each).points), "smoke", "Smoke") for each in state.smoke]
    caption = state.result.reason if state.result else f"Round {state.round} of {setup.rounds}"
    return Scene(
        setup.table.width,
        setup.table.depth,
        setup.terrain,
        pieces,
        spots,
        areas,
        title=setup.title or setup.name,
        caption=caption,
    )
