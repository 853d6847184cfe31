"""Fair tables laid at random: alike from both sides, and crossed as whoever crosses them can."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.field.library import UnknownName
from sandtable.field.random_tables import (
    CountryChart,
    chart_amiss,
    fair_table,
    reached_from,
    rolls_of,
    seed_of,
    side_by_side,
    turned,
)
from sandtable.field.random_terrain import ChartRow
from sandtable.field.troops import Table
from sandtable.table.terrain import Feature

TABLE = Table(72.0, 48.0)
CHART = CountryChart(
    die=6,
    pieces=(8, 12),
    rows=[ChartRow([1, 2, 3], "wood", (4, 8)), ChartRow([4, 5], "hill", (6, 9))],
    title="Heath",
    roads=2,
)


@pytest.mark.parametrize("seed", range(5))
def test_a_fair_table_is_the_same_turned_about_its_middle(seed: int) -> None:
    table = fair_table(CHART, TABLE, rolls_of(seed), road_half=1.0)
    here = {(each.kind, frozenset(each.points)) for each in table}
    there = {(each.kind, frozenset(turned(each.points, TABLE))) for each in table}
    assert here == there
    assert [each.kind for each in table[:2]] == ["road", "road"]


def test_only_what_may_lie_under_roads_does() -> None:
    strict = [fair_table(CHART, TABLE, rolls_of(seed), 1.0) for seed in range(8)]
    loose = [fair_table(CHART, TABLE, rolls_of(seed), 1.0, under_roads=("hill",)) for seed in range(8)]
    assert sum(map(len, loose)) > sum(map(len, strict))


def test_points_side_by_side_lie_each_in_its_part_of_a_box() -> None:
    points = list(side_by_side(3, 6.0, 10.0, 60.0, 5.0, rolls_of(3)))
    assert [int((x - 6.0) // 20.0) for x, _ in points] == [0, 1, 2]
    assert all(10.0 <= y <= 15.0 for _, y in points)


def test_a_barred_ring_is_entered_by_a_way_alone() -> None:
    outside, inner = [(20, 10), (50, 10), (50, 40), (20, 40)], [(21, 11), (21, 39), (49, 39), (49, 11)]
    ring = Feature("ring", "lake", [*outside, (20, 11), *inner, (20, 11)])
    road = Feature("road", "road", [(35, 0), (35, 25)], closed=False)
    inside = [35.5, 25.5]
    without = reached_from("south", [ring], TABLE, ["road"], ["lake"], 0.6, 1.0).tolist()
    along = reached_from("south", [ring, road], TABLE, ["road"], ["lake"], 0.6, 1.0).tolist()
    assert inside not in without
    assert inside in along
    assert [0.5, 0.5] in without


def test_a_random_battle_is_named_by_a_whole_number() -> None:
    assert seed_of("random:17", "random:") == 17
    with pytest.raises(UnknownName, match="whole number"):
        seed_of("random:x", "random:")


def test_a_chart_has_known_ground_that_somebody_can_cross() -> None:
    wrong = [ChartRow([1], "swamp", (1, 2)), ChartRow([2], "lake", (1, 2)), ChartRow([9], "wood", (1, 2), "road")]
    chart = msgspec.structs.replace(CHART, rows=wrong)
    found = {steps[-2:]: words for steps, words in chart_amiss(("charts", "heath"), chart, ["wood", "lake"], ["lake"])}
    assert set(found) == {(0, "kind"), (1, "kind"), (2, "shape"), (2, "roll")}
    assert "unknown terrain 'swamp'" in found[0, "kind"]
