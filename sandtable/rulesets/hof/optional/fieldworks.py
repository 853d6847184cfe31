"""Trenches and obstacles are laid at set-up: set by set, each length where its owner likes on his half of the table."""

from __future__ import annotations

from random import Random

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.zones import facing_from, half_of
from sandtable.rulesets.hof.core.board import board, some
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.state import (
    FIELDWORKS,
    LENGTH,
    Fieldwork,
    Point,
    Side,
    State,
    other,
)
from sandtable.table import distance as measure
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Footprint, Place, bodies, corners, heading, snap
from sandtable.table.terrain import Feature

BASE = Footprint(*LENGTH)
NAMES = {"trench": "trench", "at-obstacle": "anti-tank obstacle", "minefield": "minefield", "wire": "wire"}
AHEAD = {"trench": 3.0, "at-obstacle": 8.0, "minefield": 8.0, "wire": 6.0}
"""How far before an objective such a length is proposed."""

TURNS = (0.0, 45.0, 90.0, 135.0)
TRIES = 8


def lay(game: Game[State]) -> Flow[None]:
    """hof.optional.trench-set, hof.optional.obstacle-set: set by set, the Defender's first, open to all."""
    state = game.state
    for side in (other(state.attacker), state.attacker):
        company = state.companies[side]
        for kind, sets in list(company.fieldworks.items()):
            if getattr(game.setup.options, FIELDWORKS[kind].switch):
                for left in range(sets, 0, -1):
                    yield from lay_set(game, side, kind)
                    company.fieldworks = {**company.fieldworks, kind: left - 1}


def lay_set(game: Game[State], side: Side, kind: Fieldwork) -> Flow[None]:
    """One set: whatever of it is not placed stays at home."""
    rule = FIELDWORKS[kind].rule
    names = free_names(game, side, kind)
    facing = facing_from(game.state.edges, side)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        return refuse(game, side, kind, steps)

    def proposals(most: int) -> list[Answer]:
        found = [
            answer
            for at in proposed_points(game, side, kind)
            if (answer := proposed_line(game, side, names, at, facing))
        ]
        return [*found[: max(0, most - 1)], {}] if found else [{}]

    def chance(random: Random) -> Answer:
        return chance_line(game, side, names, facing, random)

    def pieces() -> list[Piece]:
        return [
            Piece(name, f"{NAMES[kind].capitalize()} {n}", None, facing, base=LENGTH, ground=kind)
            for n, name in enumerate(names, 1)
        ]

    words = f"Where do you lay {several(len(names), 'length')} of {NAMES[kind]}, on your half of the table?"
    question = MovePieces(
        "lay", words, names, pieces, legal, proposals, chance=chance, rules=(rule,), facts={"kind": kind}, step="deploy"
    )
    answer = yield Ask(side, question, checkpoint=True)
    laid = [feature_of(name, kind, step, facing) for name, step in plain_to_steps(answer).items()]
    game.state.laid = [*game.state.laid, *laid]
    # The ground is another now: the board is made anew.
    game.scratch = None
    text = f"{side} lays {several(len(laid), 'length')} of {NAMES[kind]}."
    pieces_laid = {feature.id: [list(point) for point in feature.points] for feature in laid}
    game.tell("laid", text, rule, seat=side, fieldwork=kind, pieces=pieces_laid)


def free_names(game: Game[State], side: Side, kind: Fieldwork) -> list[str]:
    """Names for the lengths of a set that nothing on the table has yet."""
    taken = {feature.id for feature in (*game.setup.terrain, *game.state.laid)}
    found: list[str] = []
    number = 0
    while len(found) < FIELDWORKS[kind].lengths:
        number += 1
        if (name := f"{side}-{kind}-{number}") not in taken:
            found.append(name)
    return found


def rows_of(steps: dict[str, Step], facing: float) -> Rows:
    return bodies((BASE, Place(*step.to, facing if step.facing is None else step.facing)) for step in steps.values())


def feature_of(name: str, kind: Fieldwork, step: Step, facing: float) -> Feature:
    outline = corners(rows_of({name: step}, facing)[0]).round(2).tolist()
    return Feature(name, kind, [(x, y) for x, y in outline])


# Where they may lie.


def on_half(game: Game[State], side: Side, rows: Rows) -> Mask:
    """Which lengths lie wholly on their owner's half of the table."""
    south, north = half_of(game.state.edges, game.setup.table.depth, side)
    low, high = np.array((0.0, south)) - SLACK, np.array((game.setup.table.width, north)) + SLACK
    inside = [bool(((outline >= low) & (outline <= high)).all()) for outline in map(corners, rows)]
    return np.array(inside, dtype=np.bool_)


def on_others(game: Game[State], rows: Rows) -> Mask:
    """Which lengths would lie on other fieldworks, on a building, on ground that nobody can enter or on a Team."""
    here = board(game)
    table = here.ground.table
    taken = table.trench | table.obstacle | table.building | table.impassable
    found = some(here.ground.terrain.overlapping(rows) & taken, 1)
    if here.index:
        standing = here.rows.take(sorted(here.index.values()), axis=0)
        found |= some(measure.overlaps(rows, standing, SLACK), 1)
    return found


def refuse(game: Game[State], side: Side, kind: Fieldwork, steps: dict[str, Step]) -> Refusal | None:
    """Why a set may not be laid like this."""
    if not steps:
        return None
    rule, what = FIELDWORKS[kind].rule, NAMES[kind]
    rows = rows_of(steps, facing_from(game.state.edges, side))
    wrong = measure.overlaps(rows, rows, SLACK)
    np.fill_diagonal(wrong, False)
    judged = zip(
        steps.items(),
        on_half(game, side, rows).tolist(),
        on_others(game, rows).tolist(),
        some(wrong, 1).tolist(),
        strict=True,
    )
    for (name, step), mine, taken, clash in judged:
        if step.via:
            return illegal(rule, f"a length of {what} is laid; it takes no way there.", field=name)
        if not mine:
            words = "Lay it on your half of the table."
            return illegal(rule, f"a length of {what} would not lie on your half.", field=name, legal=words)
        if taken or clash:
            words = "Not on one another, on a building, on a Team or on ground that nobody can enter."
            return illegal(rule, f"a length of {what} cannot lie there.", field=name, legal=words)
    return None


# Where bots lay them.


def proposed_points(game: Game[State], side: Side, kind: Fieldwork) -> list[Point]:
    """Before each objective on that half, and along its middle."""
    south, north = half_of(game.state.edges, game.setup.table.depth, side)
    width = game.setup.table.width
    ahead = AHEAD[kind] if game.state.edges[side] == "south" else -AHEAD[kind]
    goals = [objective.at for objective in game.state.objectives.values() if south <= objective.at[1] <= north]
    found = [(x, y + ahead) for x, y in goals]
    return [*found, *((width * share, (south + north) / 2) for share in (0.5, 0.25, 0.75))]


def proposed_line(game: Game[State], side: Side, names: list[str], at: Point, facing: float) -> Answer:
    """The lengths of a set end to end about a point, those of them that may lie there."""
    sin, cos = heading(facing)
    steps: dict[str, Step] = {}
    for number, name in enumerate(names):
        along = (number - (len(names) - 1) / 2) * (BASE.width + SLACK)
        steps[name] = Step((snap(at[0] + along * cos), snap(at[1] - along * sin)), facing % 360.0)
    rows = rows_of(steps, facing)
    good = on_half(game, side, rows) & ~on_others(game, rows)
    return {
        name: {"to": [*step.to], "facing": step.facing}
        for (name, step), fine in zip(steps.items(), good.tolist(), strict=True)
        if fine
    }


def chance_line(game: Game[State], side: Side, names: list[str], facing: float, random: Random) -> Answer:
    """The lengths of a set somewhere on that half, this way or that; none if there is no room in a few tries."""
    south, north = half_of(game.state.edges, game.setup.table.depth, side)
    for _ in range(TRIES):
        at = random.random() * game.setup.table.width, south + random.random() * (north - south)
        turned = facing + TURNS[int(random.random() * len(TURNS))]
        if answer := proposed_line(game, side, names, at, turned):
            return answer
    return {}
