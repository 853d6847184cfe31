"""Tables of scenarios and random battles: as fair, open and rich as the rules and players ask."""

from __future__ import annotations

import pytest
import shapely

from sandtable.engine import data
from sandtable.field import random_tables
from sandtable.field.library import UnknownName
from sandtable.rulesets import folder
from sandtable.rulesets.hof import RULESET
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.ground import prepare
from sandtable.rulesets.hof.core.state import Options, Setup, Table, other
from sandtable.rulesets.hof.forces import random_battle, scenarios
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table.terrain import Feature

SEEDS = range(12)


# Scenarios.


@pytest.mark.rule("hof.battle.objective-defender", "hof.battle.objectives-attacker")
@pytest.mark.parametrize("name", scenarios.SCENARIOS.names())
def test_fixed_objectives_lie_where_players_might_have_put_them(name: str) -> None:
    setup = scenarios.set_up(name)
    assert objectives_amiss(setup) == []


def objectives_amiss(setup: Setup) -> list[str]:
    width, depth = setup.table.width, setup.table.depth
    south = 0.0 if setup.edges[other(setup.attacker)] == "south" else depth / 2
    return [
        key
        for key, each in setup.objectives.items()
        if not (6 < each.at[0] < width - 6 and south + 6 < each.at[1] < south + depth / 2 - 6)
    ]


@pytest.mark.parametrize("name", scenarios.SCENARIOS.names())
def test_wheels_get_from_both_edges_to_every_objective(name: str) -> None:
    assert random_battle.unreached(scenarios.set_up(name)) == []


@pytest.mark.rule("hof.moving.halftrack-wheeled-terrain")
@pytest.mark.parametrize(
    ("x", "open_"), [(36.0, True), (15.0, True), (57.0, True), (25.0, False), (46.0, False), (33.0, False)]
)
def test_the_river_is_crossed_at_the_bridge_and_the_fords_alone(x: float, open_: bool) -> None:
    setup = scenarios.set_up("river-crossing")
    ground = prepare(setup)
    truck = profile("british-gmp-bedford-morris-truck")
    met = terrain_crossing.crossings(ground, [(x, 16.0), (x, 25.0)], "rough")
    assert all(terrain_crossing.may_cross(truck, ground.table.kinds[span.feature]) for span in met) == open_


@pytest.mark.parametrize("name", ["open-steppe", "woods-road"])
def test_tables_without_fixed_edges_are_as_rich_in_both_halves(name: str) -> None:
    setup = scenarios.set_up(name)
    south, north = cover(setup)
    assert south == pytest.approx(north, rel=0.1)


def cover(setup: Setup) -> tuple[float, float]:
    """The area of terrain in the southern and in the northern half, lines as strips of an inch."""
    width, depth = setup.table.width, setup.table.depth
    shapes = [random_tables.shape_of(each) for each in setup.terrain if each.kind != "road"]
    areas = [shape if shape.area else shape.buffer(0.5) for shape in shapes]
    halves = shapely.box(0, 0, width, depth / 2), shapely.box(0, depth / 2, width, depth)
    south, north = (sum(area.intersection(half).area for area in areas) for half in halves)
    return south, north


# Random battles.


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_table_is_the_same_from_both_sides(seed: int) -> None:
    setup = random_battle.make(seed)
    south, north = cover(setup)
    assert south == pytest.approx(north, rel=1e-3)
    assert south > 60
    there = {(each.kind, outline(each.points)) for each in setup.terrain}
    turned = {(each.kind, outline(random_tables.turned(each.points, setup.table))) for each in setup.terrain}
    assert there == turned


def outline(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple(sorted((round(x, 1), round(y, 1)) for x, y in points))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_battle_has_ways_and_objectives_as_the_rules_ask(seed: int) -> None:
    setup = random_battle.make(seed)
    assert random_battle.unreached(setup) == []
    assert objectives_amiss(setup) == []
    assert len(setup.objectives) == 3
    assert {company.nation for company in setup.companies.values()} >= {"german"}
    assert len({company.nation for company in setup.companies.values()}) == 2
    assert RULESET.problems(setup) == []


def test_a_random_battle_is_its_seed() -> None:
    first, again, another = (scenarios.set_up(f"random:{seed}") for seed in (7, 7, 8))
    assert first.name == "random:7"
    assert first.terrain == again.terrain
    assert list(first.units) == list(again.units)
    assert first.terrain != another.terrain


def test_a_random_battle_takes_forces_options_and_a_table() -> None:
    setup = scenarios.set_up("random:7", {"red": "british-tank-company"}, Options(smoke=True))
    assert setup.companies["red"].name == "British Tank Company"
    assert setup.options == Options(smoke=True)
    small = random_battle.make(7, table=Table(48, 36))
    assert all(0 <= x <= 48 and 0 <= y <= 36 for each in small.terrain for x, y in each.points)
    assert {side: max(y for _, y in zone) - min(y for _, y in zone) for side, zone in small.zones.items()} == {
        small.attacker: 7.0,
        other(small.attacker): 18.0,
    }
    assert random_battle.make(7).zones == {}


@pytest.mark.parametrize("name", ["random:", "random:x", "random:-1", "random:1.5", "random:٣", "random:" + "9" * 40])
def test_a_random_battle_is_named_by_a_number(name: str) -> None:
    with pytest.raises(UnknownName, match="whole number"):
        scenarios.set_up(name)


@pytest.mark.parametrize("table", [Table(35.9, 32), Table(36, 31.9)], ids=["narrow", "shallow"])
def test_a_table_too_small_for_a_random_battle_is_refused(table: Table) -> None:
    with pytest.raises(UnknownName, match="36 by 32 inches"):
        random_battle.make(1, table=table)


def test_the_smallest_table_of_a_random_battle_has_room_for_it() -> None:
    setup = random_battle.make(1, table=Table(36, 32))
    assert RULESET.problems(setup) == []
    assert random_battle.unreached(setup) == []


def test_a_number_names_the_same_random_battle_for_ever() -> None:
    # Players tell one another the number alone.
    setup = scenarios.set_up("random:11")
    assert (setup.title, setup.attacker, setup.rounds) == ("Forest 11", "red", 12)
    assert {side: company.name for side, company in setup.companies.items()} == {
        "red": "Soviet Tankovy Company",
        "blue": "German Panzer Company",
    }
    assert {name: objective.at for name, objective in setup.objectives.items()} == {
        "objective-1": (17.81, 36.49),
        "objective-2": (44.16, 30.56),
        "objective-3": (59.31, 38.7),
    }
    assert {each.id: each.points[:2] for each in setup.terrain if each.kind == "road"} == {
        "road-1": [(14.4, 0.0), (14.4, 12.0)],
        "road-2": [(0.0, 15.36), (18.0, 17.09)],
    }
    assert {each.id: each.points[0] for each in setup.terrain if each.id.endswith("-south")} == {
        "wood-1-south": (7.14, 10.09),
        "wood-2-south": (53.86, 18.77),
        "rough-3-south": (7.93, 22.11),
        "wood-4-south": (47.88, 10.2),
        "building-5-south": (63.3, 13.4),
        "hill-6-south": (20.65, 11.02),
        "wood-7-south": (64.97, 10.36),
        "wood-9-south": (30.37, 11.23),
        "hill-10-south": (45.1, 22.8),
        "building-12-south": (41.71, 6.61),
        "rough-13-south": (68.16, 23.19),
    }


@pytest.mark.parametrize("edge", ["south", "north"])
def test_on_an_empty_table_wheels_reach_every_square_inch(edge: str) -> None:
    reached = {(x, y) for x, y in random_battle.wheels_from([], Table(4, 3), edge).tolist()}
    assert reached == {(x + 0.5, y + 0.5) for x in range(4) for y in range(3)}


def test_walls_keep_wheels_out_and_roads_let_them_in() -> None:
    # Given a ring of wall about the middle, when a road leads through it, then wheels come in and not before.
    ring = Feature("wall", "wall", [(30, 18), (42, 18), (42, 30), (30, 30), (30, 18)], closed=False)
    road = Feature("road", "road", [(36, 0), (36, 24)], closed=False)
    middle = [36.5, 24.5]
    assert middle not in random_battle.wheels_from([ring], Table(72, 48), "south").tolist()
    assert middle in random_battle.wheels_from([ring, road], Table(72, 48), "south").tolist()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "marsh"', 'kind = "river"', "nobody can cross"),
        ('kind = "marsh"', 'kind = "lava"', "unknown terrain 'lava'"),
        ('kind = "marsh"', 'shape = "road", kind = "road"', "through the middle"),
        ("roll = [6], kind", "roll = [9], kind", "the faces 1 to 8"),
    ],
)
def test_a_chart_for_random_tables_is_checked(old: str, new: str, words: str) -> None:
    path = folder("hof") / "data" / "random-table.toml"
    text = path.read_text(encoding="utf-8").replace(old, new)
    (error,) = data.problems_in(text, random_battle.Charts, "chart.toml")
    assert words in error.problem
