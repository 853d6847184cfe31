"""Deployment. These rules are ours; the source has none."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.battle.proposals import Spots
from sandtable.rulesets.tr14.core.arsenal import COHESION
from sandtable.rulesets.tr14.core.board import arrived, board
from sandtable.rulesets.tr14.core.names import label, team_label, team_name
from sandtable.rulesets.tr14.core.state import SIDES, Setup, Side, State, Unit, other, units_of
from sandtable.rulesets.tr14.moving import in_cohesion
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Place, bodies
from sandtable.table.terrain import Feature, Terrain

ACROSS: dict[Side, float] = {"red": 0.0, "blue": 180.0}
"""How each side faces when it takes the field: red looks north, blue south."""


def deployment(game: Game[State]) -> Flow[None]:
    """tr14.battle.deployment: the sides set up in turn, one Unit at a time, each in its own zone."""
    state = game.state
    while True:
        waiting = {side: [u for u in units_of(state, side) if undeployed(u)] for side in SIDES}
        if not any(waiting.values()):
            break
        side = state.initiative if waiting[state.initiative] else next(s for s in SIDES if waiting[s])
        unit = waiting[side][0]
        yield from deploy_unit(game, unit)
        state.initiative = other(side)
    state.phase = "round"


def undeployed(unit: Unit) -> bool:
    return any(team.at is None for team in unit.teams.values())


def deploy_unit(game: Game[State], unit: Unit) -> Flow[None]:
    teams = list(unit.teams.values())
    facing = ACROSS[unit.side]
    zone = zone_of(game, unit.side)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        return refuse_deployment(game, unit, zone, steps)

    def pieces() -> list[Piece]:
        return [Piece(team.id, team_name(team), None, facing, base=team.kind.base.size) for team in teams]

    words = f"Deploy {label(unit)} in your zone."
    facts: dict[str, Any] = {"unit": unit.id}
    rules = ("tr14.battle.deployment",)
    spots = Spots(game, unit, zone, facing, legal)
    question = MovePieces(
        "deploy", words, list(unit.teams), pieces, legal, spots.proposals, chance=spots.chance, rules=rules, facts=facts
    )
    answer = yield Ask(unit.side, question, checkpoint=True)
    for team_id, step in plain_to_steps(answer).items():
        team = unit.teams[team_id]
        team.at = step.to
        team.facing = facing if step.facing is None else step.facing
        if team.turret is not None:
            team.turret = team.facing if step.turret is None else step.turret
    arrived(game)
    game.tell("deployed", f"{label(unit)} deploys.", *rules, seat=unit.side, unit=unit.id)


def zone_of(game: Game[State], side: str) -> Terrain:
    """A side's zone to deploy in; the whole table, where the scenario names none."""
    known: dict[str, Terrain] = game.prepared.zones
    if side not in known:
        known[side] = make_zone(game.setup, side)
    return known[side]


def make_zone(setup: Setup, side: str) -> Terrain:
    table = setup.table
    points = setup.zones.get(side) or [
        (0.0, 0.0),
        (table.width, 0.0),
        (table.width, table.depth),
        (0.0, table.depth),
    ]
    return Terrain([Feature("zone", "zone", points)], table.width, table.depth)


def refuse_deployment(game: Game[State], unit: Unit, zone: Terrain, steps: dict[str, Step]) -> Refusal | None:
    rule = "tr14.battle.deployment"
    teams = list(unit.teams.values())
    for team_id, step in steps.items():
        if step.via:
            return illegal(
                rule,
                f"{team_label(unit.teams[team_id], unit.side)} is set down, and takes no way there.",
                field=team_id,
            )
    missing = [team.id for team in teams if team.id not in steps]
    if missing:
        return illegal(
            rule,
            f"{team_label(unit.teams[missing[0]], unit.side)} is not deployed.",
            field=missing[0],
            legal="Place every Team of the Unit.",
        )
    places = [Place(*steps[team.id].to, steps[team.id].facing or 0.0) for team in teams]
    rows = bodies(zip((team.kind.base for team in teams), places, strict=True))
    here = board(game)
    if not moves.on_table(rows, here.ground.width, here.ground.depth).all():
        return illegal(rule, "a Team would not be on the table.", field="deploy")
    inside = zone.inside(rows)[:, 0]
    if not inside.all():
        out = teams[int(np.flatnonzero(~inside)[0])]
        return illegal(rule, f"{team_label(out, unit.side)} would stand outside your zone.", field=out.id)
    standing = here.rows[list(here.index.values())]
    clash = measure.overlaps(rows, rows, SLACK)
    np.fill_diagonal(clash, False)
    if clash.any() or (len(standing) and measure.overlaps(rows, standing, SLACK).any()):
        return illegal(rule, "two Teams would stand on each other.", field="deploy")
    kept = in_cohesion(teams, rows)
    if not all(kept):
        out = teams[kept.index(False)]
        limit = COHESION[out.kind.type]
        message = f"{team_label(out, unit.side)} would stand out of cohesion."
        return illegal("tr14.moving.cohesion", message, field=out.id, legal=f"Stay within {limit:g} inches of the PL.")
    return None
