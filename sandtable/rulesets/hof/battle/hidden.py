"""Hidden Teams: not plotted, revealed when their owner likes, where the enemy could not have seen them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from sandtable.engine.events import Event
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Answer,
    MovePieces,
    Piece,
    Refusal,
    Step,
    illegal,
    plain_to_steps,
)
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.battle import recon, zones
from sandtable.rulesets.hof.core import room
from sandtable.rulesets.hof.core.board import board, set_down
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import spoken_list, team_label, team_name, unit_name
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit
from sandtable.table.terrain import Terrain

TRIES = 6


def waiting(game: Game[State], side: str) -> list[Member]:
    return board(game).force(game.state, side).hidden


def may_reveal(game: Game[State], side: str) -> bool:
    """Whether a side has Hidden Teams, and has not just thought better of revealing any."""
    return side not in game.state.balked and bool(waiting(game, side))


def reveal(game: Game[State], side: str) -> Flow[None]:
    """Set down any Hidden Teams (hof.battle.hidden-piecemeal); nobody, if the player thinks better of it."""
    members = waiting(game, side)
    facing = room.facing_of(game.state, side)
    watch = zones.Watch(game, side)

    def pieces() -> list[Piece]:
        return [
            Piece(team.id, f"{team_name(team)}, {unit_name(unit)}", None, facing, base=team.kind.base.size)
            for unit, team in members
        ]

    question = MovePieces(
        "reveal",
        "Which hidden Teams appear, and where?",
        [team.id for _, team in members],
        pieces,
        lambda steps: refuse_reveal(game, watch, members, steps),
        lambda most: propose(game, watch, most),
        chance=lambda random: by_chance(game, watch, random),
        rules=("hof.battle.hidden-no-plot", "hof.battle.hidden-where", "hof.battle.hidden-piecemeal"),
    )
    answer = yield Ask(side, question)
    steps = plain_to_steps(answer)
    shown = [member for member in members if member[1].id in steps]
    if not shown:
        game.state.balked = [*game.state.balked, side]  # type: ignore[list-item]
        return
    rules = why_open(game, watch, shown, steps)
    for _, team in shown:
        step = steps[team.id]
        set_down(game, team, *step.to, facing if step.facing is None else step.facing)
        if team.dug_in:
            team.foxhole = team.at
    game.state.balked = []
    names = spoken_list(shown)
    event = Event("revealed", f"{side} reveals {names}.", rules, side, data={"teams": [team.id for _, team in shown]})
    event.reveals = True
    game.tell_event(event)
    for rule in zones.SET_DOWN:
        rule(game, shown)
    yield from recon.after_reveal(game, side, shown)


def why_open(game: Game[State], watch: zones.Watch, shown: list[Member], steps: dict[str, Step]) -> list[str]:
    """The rules by which these Teams may appear where they do."""
    found = ["hof.battle.hidden-no-plot", "hof.battle.hidden-piecemeal"]
    facing = room.facing_of(game.state, watch.side)
    teams = [team for _, team in shown]
    rows = room.rows_of(teams, steps, facing)
    for (unit, _), spot, row in zip(shown, watch.spots_of(teams, steps, facing), rows, strict=True):
        if unit.kind == "sniper":
            found.append("hof.optional.sniper-deploy")
            continue
        found += watch.why_open(spot, row)
        if not zones.usual_zone(game, watch.side).within(row.reshape(1, 8))[0, 0]:
            found.append("hof.optional.recon-forward-deployment")
    return list(dict.fromkeys(found))


def refuse_reveal(
    game: Game[State], watch: zones.Watch, members: list[Member], steps: dict[str, Step]
) -> Refusal | None:
    side = watch.side
    shown = [(unit, team) for unit, team in members if team.id in steps]
    if not shown:
        return None
    teams = [team for _, team in shown]
    for unit, team in shown:
        if steps[team.id].via:
            return illegal(
                "hof.battle.hidden-no-plot", f"{team_label(unit, team)} appears; it takes no way there.", field=team.id
            )
    facing = room.facing_of(game.state, side)
    rows = room.rows_of(teams, steps, facing)
    refused = room.refuse_room(board(game), side, teams, rows, "hof.battle.hidden-where")
    if refused is not None:
        return refused
    found = watch.spots_of(teams, steps, facing)
    for number, (unit, team) in enumerate(shown):
        row = rows[number : number + 1]
        if unit.kind == "sniper":
            if not zones.sniper_spots(game, side, row)[0]:
                message = f"{team_label(unit, team)} would appear too near, or in the enemy's zone."
                return illegal(
                    "hof.optional.sniper-deploy",
                    message,
                    field=team.id,
                    legal=f"More than {zones.SNIPER_APART:g} inches away.",
                )
            continue
        area = zones.zone(game, side, recon=unit.recon)
        if not area.within(row)[0, 0]:
            message = f"{team_label(unit, team)} would appear outside its deployment zone."
            rule = "hof.optional.recon-forward-deployment" if game.setup.options.recon else "hof.battle.hidden-where"
            return illegal(rule, message, field=team.id)
        if found[number] not in zones.OPEN:
            message = f"{team_label(unit, team)} would appear in sight of the enemy."
            near, far = f"{zones.VEHICLE_APART:g} from Vehicles", f"{zones.FOOT_APART:g} inches from foot"
            legal = f"Choose a spot out of sight, or concealing terrain {far} and {near}."
            return illegal(watch.why_barred(row), message, field=team.id, legal=legal)
    return None


def propose_at(
    watch: zones.Watch, unit: Unit, teams: list[Team], area: Terrain, ranks: Rows, x: float, y: float
) -> dict[str, Any]:
    """Those of a Unit's Teams, in ranks about a point, that may appear where they would stand: snipers anywhere."""
    game = watch.game
    facing = room.facing_of(game.state, watch.side)
    sniper = unit.kind == "sniper"
    rows, good = room.ranks_at(watch.board, ranks, x, y, None if sniper else area)
    if True not in good.tolist():
        return {}
    if sniper:
        good[good] = zones.sniper_spots(game, watch.side, rows[good])
        return room.answer_of(teams, rows, good.tolist(), facing)
    return watch.propose_some(teams, rows, good, facing)


def propose(game: Game[State], watch: zones.Watch, most: int) -> list[Answer]:
    """Each Unit near an objective, then in cover; or nobody."""
    side = watch.side
    here = board(game)
    ground = here.ground
    area = zones.zone(game, side)
    goals = [objective.at for objective in game.state.objectives.values()]
    covers = [f for f, kind in zip(ground.terrain.features, ground.table.kinds, strict=True) if kind.conceals]
    goals += [tuple(np.mean(np.array(feature.points), axis=0).tolist()) for feature in covers]
    west, south, east, north = area.bounds[0].tolist()
    goals = [(x, y) for x, y in goals if west <= x <= east and south <= y <= north]
    found: list[Answer] = []
    for unit, teams in here.force(game.state, side).groups:
        ranks = room.proposed_ranks(teams, room.facing_of(game.state, side))
        for x, y in goals[:8]:
            if len(found) >= max(1, most - 1):
                break
            answer = propose_at(watch, unit, teams, zones.zone(game, side, recon=unit.recon), ranks, x, y)
            if answer:
                found.append(answer)
                break
    return [*found, {}][: max(1, most)]


def by_chance(game: Game[State], watch: zones.Watch, random: Random) -> Answer:
    groups = watch.board.force(game.state, watch.side).groups
    unit, teams = groups[int(random.random() * len(groups))]
    if random.random() < 0.3:
        teams = teams[: 1 + int(random.random() * len(teams))]
    area = zones.zone(game, watch.side, recon=unit.recon)
    box = area.bounds[0].tolist()
    ranks = room.proposed_ranks(teams, room.facing_of(game.state, watch.side))
    for _ in range(TRIES):
        answer = propose_at(watch, unit, teams, area, ranks, *room.chance_point(random, *box))
        if answer:
            return answer
    return {}
