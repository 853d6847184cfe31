"""Room for bases: where Teams are set down, and why they cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.rulesets.hof.core.board import Board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import team_on
from sandtable.rulesets.hof.core.state import Point, State, Team
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Place, X, Y, bodies
from sandtable.table.terrain import Terrain


def facing_of(state: State, side: str) -> float:
    return 0.0 if state.edges.get(side, "south") == "south" else 180.0


def rows_of(teams: Sequence[Team], steps: dict[str, Step], facing: float) -> Rows:
    pairs = []
    for team in teams:
        step = steps[team.id]
        pairs.append((team.kind.base, Place(*step.to, facing if step.facing is None else step.facing)))
    return bodies(pairs)


def refuse_room(here: Board, side: str, teams: Sequence[Team], rows: Rows, rule: str) -> Refusal | None:
    """Every base on the table, none on another, none on ground that nobody can stand on."""
    width, depth = here.ground.width, here.ground.depth
    if not placement.room(rows, here.rows, width, depth, SLACK, together=True).all():
        on = moves.on_table(rows, width, depth)
        if not on.all():
            out = teams[int(np.flatnonzero(~on)[0])]
            return illegal(rule, f"{team_on(side, out)} would not be on the table.", field=out.id)
        clash = measure.overlaps(rows, rows, SLACK)
        np.fill_diagonal(clash, False)
        hit = clash.any(axis=1)
        if not hit.any():
            hit = measure.overlaps(rows, here.rows, SLACK).any(axis=1)
        on_it = teams[int(np.flatnonzero(hit)[0])]
        message = f"{team_on(side, on_it)} would stand on another Team."
        return illegal(rule, message, field=on_it.id, legal="Leave room for its base.")
    barred = impassable(here, rows) if here.ground.table.any_impassable else None
    if barred is not None and barred.any():
        there = teams[int(np.flatnonzero(barred)[0])]
        message = f"nobody can stand where {team_on(side, there)} would."
        return illegal("hof.moving.infantry-terrain", message, field=there.id)
    return None


def impassable(here: Board, rows: Rows) -> Mask:
    table = here.ground.table
    return here.ground.terrain.over_any(rows, table.numbers(table.impassable))


def proposed_ranks(teams: Sequence[Team], facing: float, spacing: float = 0.6) -> Rows:
    """The rows of Teams in ranks about (0, 0); nobody changes them."""
    files = max(2, round(len(teams) ** 0.5 + 1))
    return placement.ranked(tuple([team.kind.base for team in teams]), facing, files, spacing)


def ranks_at(here: Board, about: Rows, x: float, y: float, area: Terrain | None) -> tuple[Rows, Mask]:
    """The rows of `proposed_ranks` about a point, and who of them has room there within an area.

    Ranks leave room between their bases.
    """
    ground = here.ground
    return placement.stand(
        ground.terrain, ground.table.barring(False, False), area, about, x, y, here.rows,
        width=ground.width, depth=ground.depth, slack=SLACK,
    )  # fmt: skip


def answer_of(teams: Sequence[Team], rows: Rows, wanted: Sequence[bool], facing: float) -> dict[str, Any]:
    """The answer that sets those Teams down that are wanted, where these rows are."""
    places = zip(teams, rows[:, X : Y + 1].tolist(), wanted, strict=True)
    return {team.id: {"to": point, "facing": facing} for team, point, fine in places if fine}


def chance_point(random: Random, west: float, south: float, east: float, north: float) -> Point:
    return west + random.random() * (east - west), south + random.random() * (north - south)
