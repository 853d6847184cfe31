"""What the search for a way back knows beforehand: which directions are in vain, which are free, where the edge is."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.rulesets.sof.core.board import Battle, board
from sandtable.rulesets.sof.core.room import BEARINGS
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, Point, Setup, Table, Unit
from sandtable.rulesets.sof.movement.fall_back import Closing, away_first, open_ways, to_edge
from sandtable.rulesets.sof.movement.law import MOST_LONGER, MoveLaw
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import GRID
from sandtable.table.shapes import X, Y, bearing, heading, moved
from sandtable.table.terrain import Feature

MUD = Feature("mud", "mud", [(33.0, 20.0), (36.0, 20.0), (36.0, 30.0), (33.0, 30.0)])
PIT = Feature("pit", "mud", [(10.0, 8.0), (22.0, 8.0), (22.0, 14.0), (10.0, 14.0)])


def battle(foe: Point, friend: Point = (3.0, 3.0), *terrain: Feature) -> tuple[Battle, MoveLaw]:
    """Two men of red in the middle, a rider of blue somewhere, and a friend somewhere else."""
    units = {
        "men": Unit("red", "regular", {f"m{n}": Figure("bolt-action-rifle", at=(24.0 + n, 24.0)) for n in range(2)}),
        "friend": Unit("red", "regular", {"f": Figure("bolt-action-rifle", at=friend)}),
        "foe": Unit("blue", "regular", {"r": Figure("bolt-action-carbine", at=foe, mounted=True)}, type="mounted"),
    }
    groups = {"reds": Battlegroup("red"), "blues": Battlegroup("blue")}
    setup = Setup(Table(48.0, 48.0), units, groups, terrain=list(terrain))
    game: Battle = Game(rulesets.load("sof"), setup, SeededDice(1))
    return game, MoveLaw.of(game, game.state.units["men"], "fall-back", how="form")


@pytest.mark.rule("sof.actions.fall-back-away")
@pytest.mark.parametrize(("friend", "longer"), [((3.0, 3.0), 0.0), ((24.0, 12.0), MOST_LONGER)])
def test_a_direction_is_surely_in_vain_just_where_its_longest_way_leads_no_farther_from_the_enemy(
    friend: Point, longer: float
) -> None:
    random, found = Random(5), set()
    for _ in range(20):
        foe = round(15.0 + 18.0 * random.random(), 2), round(28.0 + 12.0 * random.random(), 2)
        game, law = battle(foe, friend)
        here = board(game)
        rows, theirs = here.rows_of(law.unit), here.rows_of(game.state.units["foe"])
        nearest = int(measure.distances(rows, theirs).argmin())
        closing = Closing.of(law)
        assert closing is not None
        for heads in BEARINGS:
            sin, cos = heading(heads)
            far = law.rate + longer
            after = float(measure.distances(moved(rows, far * sin, far * cos), theirs)[nearest, 0])
            assert closing.surely(heads) == (after < law.gaps["foe"] + GRID - 1e-9)
            found.add(closing.surely(heads))
    assert found == {True, False}


def test_a_direction_is_free_just_where_no_ground_that_slows_lies_in_the_box_about_its_way() -> None:
    game, law = battle((24.0, 40.0), (3.0, 3.0), MUD, PIT)
    rows = board(game).rows_of(law.unit)
    free = open_ways(law, rows)
    boxes = [np.array(feature.points) for feature in (MUD, PIT)]
    for heads in BEARINGS:
        sin, cos = heading(heads)
        spots = np.vstack([rows, moved(rows, law.rate * sin, law.rate * cos)])[:, X : Y + 1]
        low, high = spots.min(axis=0), spots.max(axis=0)
        meets = any((box.max(axis=0) >= low).all() and (box.min(axis=0) <= high).all() for box in boxes)
        assert (heads in free) == (not meets), heads
    assert 0 < len(free) < len(BEARINGS)


def test_those_directions_are_looked_at_first_that_lead_straight_away_from_the_enemy() -> None:
    for foe in ((30.0, 34.0), (16.0, 30.0), (20.0, 12.0), (40.0, 22.0)):
        game, law = battle(foe)
        rows = board(game).rows_of(law.unit)
        found = away_first(game, law.unit, rows)
        away = bearing(*foe, 24.5, 24.0)
        off = [abs((each - away + 180.0) % 360.0 - 180.0) for each in found]
        assert sorted(found) == list(BEARINGS)
        assert all(a <= b + 0.1 for a, b in pairwise(off))


@pytest.mark.rule("sof.morale.tenacity-edge")
def test_the_edge_is_reached_by_the_base_that_comes_to_it_first() -> None:
    game, law = battle((24.0, 40.0))
    rows = board(game).rows_of(law.unit)
    for heads in BEARINGS:
        sin, cos = heading(heads)
        far = to_edge(rows, heads, 48.0, 30.0)
        assert moves.on_table(moved(rows, far * sin, far * cos), 48.0, 30.0).all()
        beyond = far + 0.05
        assert not moves.on_table(moved(rows, beyond * sin, beyond * cos), 48.0, 30.0).all()
