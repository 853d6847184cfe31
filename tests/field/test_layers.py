"""Ground in layers: each ground is compiled once, and none is ever changed."""

from __future__ import annotations

import math

from sandtable.field.layers import Layers, base_feature, round_feature, terrain_of
from sandtable.field.troops import Table
from sandtable.table.shapes import Footprint
from sandtable.table.terrain import Feature, Terrain

WOOD = Feature("wood", "wood", [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)])
WALL = Feature("wall", "wall", [(10.0, 0.0), (10.0, 8.0)], closed=False)


class Ground:
    made = 0

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.width, self.depth = terrain.width, terrain.depth
        Ground.made += 1


def smoke(x: float) -> Feature:
    return Feature("smoke", "smoke", [(x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0)])


def names(ground: Ground) -> list[str]:
    return [feature.id for feature in ground.terrain.features]


def test_nothing_on_it_is_the_ground_itself() -> None:
    bare = Ground(Terrain([WOOD, WALL], 48.0, 48.0))
    assert Layers(Ground).over(bare, []) is bare


def test_the_same_layer_is_compiled_once() -> None:
    layers, bare = Layers(Ground), Ground(Terrain([WOOD, WALL], 48.0, 48.0))
    first = layers.over(bare, [smoke(20.0)])
    made = Ground.made
    assert layers.over(bare, [smoke(20.0)]) is first
    assert Ground.made == made
    assert layers.over(bare, [smoke(21.0)]) is not first
    assert names(first) == ["wood", "wall", "smoke"]
    assert names(bare) == ["wood", "wall"]


def test_a_breach_takes_something_away() -> None:
    layers, bare = Layers(Ground), Ground(Terrain([WOOD, WALL], 48.0, 48.0))
    breached = layers.over(bare, [smoke(20.0)], ["wall"])
    assert names(breached) == ["wood", "smoke"]
    assert names(layers.over(bare, [smoke(20.0)])) == ["wood", "wall", "smoke"]


def test_layers_lie_on_layers_and_grounds_are_kept_apart() -> None:
    layers = Layers(Ground)
    one, other = Ground(Terrain([WOOD], 48.0, 48.0)), Ground(Terrain([WALL], 48.0, 48.0))
    assert names(layers.over(layers.over(one, [WALL]), [smoke(20.0)])) == ["wood", "wall", "smoke"]
    assert names(layers.over(other, [smoke(20.0)])) == ["wall", "smoke"]


def test_things_on_the_ground_are_features_of_it() -> None:
    wreck = base_feature("wreck-1", "wreck", Footprint(2.0, 4.0), (10.0, 10.0), 90.0, 1.0)
    assert sorted((round(x, 6), round(y, 6)) for x, y in wreck.points) == [(8, 9), (8, 11), (12, 9), (12, 11)]
    cloud = round_feature("smoke-1", "smoke", (10.0, 10.0), 1.5, 9.0)
    assert len(cloud.points) == 16
    assert all(abs(math.dist(point, (10.0, 10.0)) - 1.5) < 1e-9 for point in cloud.points)


def test_the_terrain_of_a_table_leaves_out_what_is_idle_and_draws_lines_as_lines() -> None:
    hedge = Feature("hedge", "hedge", [(1.0, 1.0), (5.0, 1.0), (5.0, 2.0)])
    terrain = terrain_of([WOOD, hedge], Table(48.0, 48.0), {"wood": "area", "hedge": "line"})
    assert terrain.closed.tolist() == [True, False]
    only = terrain_of([WOOD, hedge], Table(48.0, 48.0), {"wood": "area", "hedge": "line"}, idle=("wood",))
    assert [feature.id for feature in only.features] == ["hedge"]
