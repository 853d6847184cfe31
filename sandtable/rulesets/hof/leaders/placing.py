"""Where a Leader stands: in base contact with a Team, wherever there is room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.field.beside import places_touching
from sandtable.field.deploying import rows_of
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import label, team_list, team_name
from sandtable.rulesets.hof.core.state import State, Team, Unit
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.hairs import CONTACT, SLACK
from sandtable.table.shapes import Place, bodies


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
    ground, others = here.ground, here.all_but([leader])
    free: Mask = placement.room(rows, others, ground.width, ground.depth, SLACK) & here.clear_of_enemies(
        unit.side, rows
    )
    return free & ~ground.terrain.over_any(rows, ground.table.barring(False, False))


def room_beside(
    game: Game[State], unit: Unit, leader: Team, beside: list[Team], last: Step | None = None
) -> list[Step]:
    """Places round the bases of some Teams, behind them first, where a Leader has room; `last` is one more to try."""
    base = leader.kind.base
    found = [*places_touching(base, beside), *([last] if last is not None else [])]
    rows = bodies((base, Place(*step.to, step.facing or 0.0)) for step in found)
    touching = measure.within(measure.nearest(rows, board(game).of(beside)), CONTACT)
    good = may_stand(game, unit, leader, rows) & touching
    return [found[number] for number in np.flatnonzero(good).tolist()]
