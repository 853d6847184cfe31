"""Where a Leader stands: in base contact with a Team, wherever there is room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.field.deploying import rows_of
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import label, team_list, team_name
from sandtable.rulesets.hof.core.state import State, Team, Unit, other
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, SLACK
from sandtable.table.shapes import Place, bodies, heading, snap

OFFSETS = (0.0, 0.5, -0.5, 0.95, -0.95)
"""Where along a side of a base another one may stand, from its middle to its corners."""


def ask_place(
    game: Game[State],
    unit: Unit,
    leader: Team,
    beside: list[Team],
    topic: str,
    rule: str,
    last: Step | None = None,
    barred: Callable[[Step], Refusal | None] | None = None,
) -> Flow[Step | None]:
    """Where in base contact with one of some Teams a Leader stands. None if there is no room at all.

    `last` is one more place to be proposed; `barred` says why he may not go to a place where there is room.
    """
    found = room_beside(game, unit, leader, beside, last)
    if barred is not None:
        found = [step for step in found if barred(step) is None]
    if not found:
        return None

    def legal(steps: dict[str, Step]) -> Refusal | None:
        refusal = refuse_place(game, unit, leader, beside, steps, rule)
        return refusal or (barred(steps[leader.id]) if barred is not None else None)

    proposals = [steps_to_plain({leader.id: step}) for step in found]
    names = team_list([(unit, team) for team in beside])
    question = MovePieces(
        topic,
        f"Where does the Leader of {label(unit)} stand? In base contact with {names}.",
        [leader.id],
        lambda: [Piece(leader.id, team_name(leader), leader.at, leader.facing, base=leader.kind.base.size)],
        legal,
        lambda most: list(proposals[:most]),
        rules=(rule,),
    )
    answer = yield Ask(unit.side, question)
    return plain_to_steps(answer)[leader.id]


def refuse_place(
    game: Game[State], unit: Unit, leader: Team, beside: list[Team], steps: dict[str, Step], rule: str
) -> Refusal | None:
    if leader.id not in steps:
        return illegal(rule, "the Leader is not placed.", field=leader.id)
    rows = rows_of([leader], steps, leader.facing)
    here = board(game)
    if measure.beyond(measure.distances(rows, here.of(beside)).min(), CONTACT):
        names = team_list([(unit, team) for team in beside])
        return illegal(rule, "he would touch none of them.", field=leader.id, legal=f"Place him touching {names}.")
    if not may_stand(game, unit, leader, rows)[0]:
        legal = "On the table, on no other base, and touching no enemy."
        return illegal("hof.orders.base-sizes", "there is no room for his base.", field=leader.id, legal=legal)
    return None


def may_stand(game: Game[State], unit: Unit, leader: Team, rows: Rows) -> Mask:
    """Which of some places have room for a Leader and touch no enemy."""
    here = board(game)
    free: Mask = moves.on_table(rows, here.ground.width, here.ground.depth) & ~here.ground.terrain.over_any(
        rows, here.ground.table.barring(False, False)
    )
    others = here.all_but([leader] if leader.id in here.index else [])
    if len(others):
        free &= ~measure.overlaps(rows, others, SLACK).any(axis=1)
    enemies = here.side(other(unit.side)).teams
    if enemies:
        free &= measure.beyond(measure.nearest(rows, here.of(enemies)), CONTACT)
    return free


def room_beside(
    game: Game[State], unit: Unit, leader: Team, beside: list[Team], last: Step | None = None
) -> list[Step]:
    """Places round the bases of some Teams, behind them first, where a Leader has room; `last` is one more to try."""
    base = leader.kind.base
    half = base.width / 2
    found: list[Step] = []
    for team in beside:
        assert team.at is not None
        wide, deep = team.kind.base.width / 2, team.kind.base.depth / 2
        sin, cos = heading(team.facing)
        for offset in OFFSETS:
            for right, ahead in (
                (offset * wide, -deep - half),
                (wide + half, offset * deep),
                (-wide - half, offset * deep),
                (offset * wide, deep + half),
            ):
                x, y = team.at[0] + right * cos + ahead * sin, team.at[1] - right * sin + ahead * cos
                found.append(Step((snap(x), snap(y)), team.facing))
    if last is not None:
        found.append(last)
    rows = bodies((base, Place(*step.to, step.facing or 0.0)) for step in found)
    touching = measure.within(measure.nearest(rows, board(game).of(beside)), CONTACT)
    good = may_stand(game, unit, leader, rows) & touching
    return [found[number] for number in np.flatnonzero(good).tolist()]
