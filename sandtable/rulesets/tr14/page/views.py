"""What players may know (in this game everything), and how it is drawn."""

from __future__ import annotations

from typing import Any

from sandtable.engine.ruleset import Guard, Score, everything
from sandtable.field import showing
from sandtable.field.invariants import astray
from sandtable.field.reckoning import not_deployed
from sandtable.field.showing import Face, open_table
from sandtable.rulesets.tr14.battle import points_held
from sandtable.rulesets.tr14.core.arsenal import Profile
from sandtable.rulesets.tr14.core.board import Battle, Board, smoke_feature
from sandtable.rulesets.tr14.core.names import PAGE, label, team_name, unit_name
from sandtable.rulesets.tr14.core.state import MOST_MARKERS, SIDES, State, Team, Unit, all_teams, platoons, units_of
from sandtable.rulesets.tr14.core.terrain import looks
from sandtable.rulesets.tr14.firing import HALF_CIRCLE
from sandtable.table.scene import Scene


def view(game: Battle, seat: str | None) -> dict[str, Any]:
    """Nothing is hidden in this game: every seat, and every watcher, sees the whole table."""
    setup = game.setup
    return {**open_table(setup.table, setup.terrain, setup.rounds), **everything(game, seat)}


def score(state: State) -> Score:
    """tr14.battle.end"""
    return Score({**points_held(state)}, "objectives held")


def summary(state: State) -> dict[str, Any]:
    points = points_held(state)
    return {
        side: {
            "units": len(platoons(state, side)),
            "teams": sum(len(unit.teams) for unit in units_of(state, side)),
            "objectives": points[side],
        }
        for side in SIDES
    }


def guards(game: Battle, seat: str) -> list[Guard]:
    """What a player should hear of before the battle begins."""
    state = game.state
    own = units_of(state, seat)
    found = []
    if state.phase == "deploy":
        found += not_deployed(seat, own, lambda team: team.at is None, label, "tr14.battle.deployment", stops=True)
    for unit in platoons(state, seat):
        if unit.leader is None:
            found.append(Guard(seat, f"{label(unit)} has no Platoon Leader.", "tr14.leaders.leaderless"))
    if not any(unit.apart == "cc" for unit in own):
        found.append(Guard(seat, "There is no Company Commander.", "tr14.leaders.company-no-cc"))
    return found


def invariants(game: Battle) -> list[str]:
    """What must hold in every state; each entry of the answer is a law broken."""
    state, ground = game.state, game.prepared
    broken = astray(game.scratch, Board(ground, state), ground, state.units, state.phase == "over")
    for _, team in all_teams(state):
        if not 0 <= team.markers <= MOST_MARKERS:
            broken.append(f"{team.id} has {team.markers} markers")
        if team.role == "fo" and team.markers:
            broken.append(f"{team.id} is a suppressed observer")
    return broken


def look(kind: Profile) -> str:
    """How a kind of Team is drawn."""
    return "vehicle" if kind.soft_skinned else kind.type


def face(unit: Unit, team: Team) -> Face:
    kind = team.kind
    return Face(
        team_name(team),
        unit_name(unit),
        look(kind),
        (*PAGE.badges(team), *PAGE.badges(unit, unit=True)),
        note=unit.training,
        leader=team.role.upper(),
        arc=HALF_CIRCLE if kind.type == "gun" and not kind.moves_as_infantry else None,
        turret=team.turret,
    )


def scene(game: Battle, seat: str | None) -> Scene:
    setup = game.setup
    state = game.state
    return showing.scene(
        setup,
        setup.terrain,
        showing.pieces(all_teams(state), face),
        showing.spots(state.objectives, lambda objective: objective.radius),
        showing.smoke(map(smoke_feature, state.smoke)),
        setup.name,
        state.result.reason if state.result else f"Round {state.round} of {setup.rounds}",
        looks(),
    )
