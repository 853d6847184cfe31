"""Trenches and obstacles are laid at set-up: set by set, each length where its owner likes on his half of the table."""

from __future__ import annotations

from functools import partial
from itertools import islice

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.fieldworks import Laying, free_names
from sandtable.field.zones import facing_from, half_of
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.state import FIELDWORKS, LENGTH, Fieldwork, Point, Side, other
from sandtable.table import distance as measure
from sandtable.table.hairs import SLACK

NAMES = {"trench": "trench", "at-obstacle": "anti-tank obstacle", "minefield": "minefield", "wire": "wire"}
AHEAD = {"trench": 3.0, "at-obstacle": 8.0, "minefield": 8.0, "wire": 6.0}
"""How far before an objective such a length is proposed."""

APART = "Not on one another, on a building, on a Team or on ground that nobody can enter."


def lay(game: Battle) -> Flow[None]:
    """hof.optional.trench-set, hof.optional.obstacle-set: set by set, the Defender's first, open to all."""
    state = game.state
    for side in (other(state.attacker), state.attacker):
        company = state.companies[side]
        for kind, sets in list(company.fieldworks.items()):
            if getattr(game.setup.options, FIELDWORKS[kind].switch):
                for left in range(sets, 0, -1):
                    yield from lay_set(game, side, kind)
                    company.fieldworks = {**company.fieldworks, kind: left - 1}


def lay_set(game: Battle, side: Side, kind: Fieldwork) -> Flow[None]:
    """One set: whatever of it is not placed stays at home."""
    rule, noun, table = FIELDWORKS[kind].rule, NAMES[kind], game.setup.table
    taken = {feature.id for feature in (*game.setup.terrain, *game.state.laid)}
    names = list(islice(free_names(f"{side}-{kind}", taken), FIELDWORKS[kind].lengths))
    south, north = half_of(game.state.edges, table.depth, side)
    facing, half = facing_from(game.state.edges, side), (0.0, south, table.width, north)
    laying = Laying(kind, noun, names, LENGTH, half, facing, rule, partial(on_others, game), APART)
    words = f"Where do you lay {several(len(names), 'length')} of {noun}, on your half of the table?"
    question = laying.question("lay", words, lambda: proposed_points(game, side, kind), kind=kind)
    laid = laying.features(plain_to_steps((yield Ask(side, question, checkpoint=True))))
    game.state.laid = [*game.state.laid, *laid]
    # The ground is another now: the board is made anew.
    game.scratch = None
    text = f"{side} lays {several(len(laid), 'length')} of {noun}."
    pieces = {feature.id: [list(point) for point in feature.points] for feature in laid}
    game.tell("laid", text, rule, seat=side, fieldwork=kind, pieces=pieces)


def on_others(game: Battle, rows: Rows) -> Mask:
    """Which lengths would lie on other fieldworks, on a building, on ground that nobody can enter or on a Team."""
    here = board(game)
    table = here.ground.table
    taken = table.trench | table.obstacle | table.building | table.impassable
    found: Mask = np.any(here.ground.terrain.overlapping(rows) & taken, axis=1)
    if here.index:
        standing = here.rows.take(sorted(here.index.values()), axis=0)
        found |= measure.overlaps(rows, standing, SLACK).any(axis=1)
    return found


def proposed_points(game: Battle, side: Side, kind: Fieldwork) -> list[Point]:
    """Before each objective on that half, and along its middle."""
    south, north = half_of(game.state.edges, game.setup.table.depth, side)
    width = game.setup.table.width
    ahead = AHEAD[kind] if game.state.edges[side] == "south" else -AHEAD[kind]
    goals = [objective.at for objective in game.state.objectives.values() if south <= objective.at[1] <= north]
    found = [(x, y + ahead) for x, y in goals]
    return [*found, *((width * share, (south + north) / 2) for share in (0.5, 0.25, 0.75))]
