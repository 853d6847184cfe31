"""Where the game itself looks for a place: beside a base, round an enemy, out of contact, beside a Transport.

Whether anybody is asked at all depends on what it finds, so it must look on every side, and at the very limit.
"""

from __future__ import annotations

from math import atan2, degrees, dist, hypot
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.field.beside import OFFSETS, Together
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.assaults import assaults
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.state import Setup, State
from sandtable.rulesets.hof.leaders import replacement as leaders
from sandtable.rulesets.hof.national import national
from sandtable.rulesets.hof.transports import setting_down, transports
from sandtable.table import distance as measure
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import Place, bodies

HOF = rulesets.load("hof")
FAR_AWAY = {"side": "blue", "teams": {"e-1": {"profile": "rifle", "at": [60, 44]}}}


def moment(teams: dict[str, Any], **more: Any) -> Game[State]:
    """A red Unit on an open table, and an enemy far away."""
    units = {"ours": {"side": "red", "teams": teams}, "theirs": FAR_AWAY} | more
    setup = {"table": {"width": 72, "depth": 48}, "phase": "orders", "active": "red", "units": units}
    return Game(HOF, msgspec.convert(setup, Setup, strict=False), ScriptedDice([]))


def bearing(x: float, y: float) -> float:
    return degrees(atan2(x, y)) % 360


@pytest.mark.parametrize("facing", [0, 90, 30, 215])
def test_a_leader_finds_room_on_every_side_of_a_base_behind_it_first(facing: float) -> None:
    # A gun's base is deeper than wide, or wider than deep: no side is like the other.
    game = moment(
        {
            "pl": {"profile": "leader", "role": "pl", "at": [2, 2]},
            "gun": {"profile": "us-m1-57mm-gun", "at": [30, 20], "facing": facing, "base": [2.0, 3.0]},
        }
    )
    unit = game.state.units["ours"]
    steps = leaders.room_beside(game, unit, unit.teams["pl"], [unit.teams["gun"]])
    assert len(steps) == len(OFFSETS) * 4
    base = unit.teams["pl"].kind.base
    rows = bodies([(base, Place(*step.to, step.facing or 0.0)) for step in steps])
    gaps = measure.nearest(rows, board(game).of([unit.teams["gun"]]))
    assert gaps.max() <= CONTACT
    assert {step.facing for step in steps} == {facing}
    turned = [(bearing(step.to[0] - 30, step.to[1] - 20) - facing) % 360 for step in steps[:4]]
    assert turned == pytest.approx([180, 90, 270, 0], abs=0.5)
    away = [dist(step.to, (30, 20)) for step in steps[:4]]
    half = base.width / 2
    assert away == pytest.approx([1.5 + half, 1 + half, 1 + half, 1.5 + half], abs=0.01)
    # The offsets shift him along a side, to the right and to the left alike.
    assert steps[4].to != steps[8].to
    middle = [(a + b) / 2 for a, b in zip(steps[4].to, steps[8].to, strict=True)]
    assert middle == pytest.approx(steps[0].to, abs=0.01)


@pytest.mark.parametrize(("at", "away"), [((30, 15), 180), ((35, 20), 90), ((26, 24), 315)])
def test_the_first_way_out_of_contact_leads_straight_away_from_the_enemy(at: tuple[float, float], away: float) -> None:
    enemy = {"side": "blue", "teams": {"e-1": {"profile": "rifle", "at": [30, 20], "base": [0.5, 0.5]}}}
    near = (30 + (at[0] - 30) / hypot(at[0] - 30, at[1] - 20), 20 + (at[1] - 20) / hypot(at[0] - 30, at[1] - 20))
    game = moment({"r-1": {"profile": "rifle", "at": [round(near[0], 2), round(near[1], 2)]}}, theirs=enemy)
    unit = game.state.units["ours"]
    team = unit.teams["r-1"]
    ways = list(assaults.ways_out(game, unit, team))
    assert team.at is not None
    first, second, third = ((way.to[0] - team.at[0], way.to[1] - team.at[1]) for way in ways[:3])
    assert hypot(*first) == pytest.approx(12, abs=0.02)
    assert bearing(*first) == pytest.approx(away, abs=0.5)
    turned = [(bearing(*each) - away) % 360 for each in (second, third)]
    assert turned == pytest.approx([30, 330], abs=0.5)


def test_an_assault_looks_all_round_an_enemy_for_the_nearest_place_in_contact() -> None:
    enemy = {"side": "blue", "teams": {"e-1": {"profile": "rifle", "at": [30, 20], "facing": 20}}}
    game = moment({"r-1": {"profile": "rifle", "at": [24, 17]}}, theirs=enemy)
    team, foe = game.state.units["ours"].teams["r-1"], game.state.units["theirs"].teams["e-1"]
    points = national.contact_points(board(game), team, foe)
    assert len(points) == 24
    far = [dist(point, (24, 17)) for point in points]
    assert far == sorted(far)
    assert far[0] < far[-1] - 2
    rows = bodies([(team.kind.base, Place(*point, team.facing)) for point in points])
    gaps = measure.nearest(rows, board(game).of([foe]))
    assert gaps.max() <= CONTACT
    assert not measure.overlaps(rows, board(game).of([foe])).any()
    bearings = sorted(bearing(x - 30, y - 20) for x, y in points)
    steps = [b - a for a, b in zip(bearings, [*bearings[1:], bearings[0] + 360], strict=True)]
    assert max(steps) < 60


def test_teams_are_set_down_apart_and_each_way_begins_elsewhere() -> None:
    teams: dict[str, Any] = {f"r-{n}": {"profile": "rifle", "where": "aboard", "carrier": "t"} for n in range(4)}
    game = moment({**teams, "t": {"profile": "us-gmc-2-5-ton-truck", "at": [30, 20]}})
    unit = game.state.units["ours"]
    aboard = [unit.teams[name] for name in teams]
    spots_of_each = setting_down.spots_beside(board(game), unit.teams["t"], aboard, lambda rows: rows[:, 1] < 1000)
    ways = Together(aboard, list(spots_of_each), setting_down.TRIES)
    firsts = set()
    for number in range(setting_down.TRIES):
        way = ways.way(number)
        assert way is not None
        assert set(way) == set(teams)
        spots = {name: tuple(step["to"]) for name, step in way.items()}
        rows = bodies([(team.kind.base, Place(spots[team.id][0], spots[team.id][1], team.facing)) for team in aboard])
        overlap = measure.overlaps(rows, rows)
        assert overlap.sum() == len(teams), "each lies on itself alone"
        firsts.add(tuple(way["r-0"]["to"]))
    assert len(firsts) == setting_down.TRIES


def test_a_transport_comes_back_within_four_inches_of_its_teams() -> None:
    game = moment(
        {
            "r-1": {"profile": "rifle", "at": [30, 20]},
            "t": {"profile": "us-gmc-2-5-ton-truck", "where": "rear"},
            "u": {"profile": "us-gmc-2-5-ton-truck", "at": [60, 4]},
        }
    )
    unit = game.state.units["ours"]
    steps = transports.find_return_spots(game, unit, unit.teams["t"], 1000)
    rows = bodies([(unit.teams["t"].kind.base, Place(*step.to, step.facing or 0.0)) for step in steps])
    gaps = measure.nearest(rows, board(game).of([unit.teams["r-1"]]))
    assert len(steps) >= setting_down.TRIES
    assert gaps.max() == pytest.approx(4.0)


def test_without_an_enemy_in_view_a_barrage_is_ranged_in_on_the_ground() -> None:
    house = {"id": "house", "kind": "building", "points": [[50, 36], [70, 36], [70, 40], [50, 40]]}
    units = {
        "ours": {
            "side": "red",
            "teams": {
                "fo": {"profile": "observer", "role": "fo", "at": [36, 10]},
                "g-1": {"profile": "us-m2a1-105mm-howitzer", "at": [34, 4]},
                "g-2": {"profile": "us-m2a1-105mm-howitzer", "at": [38, 4]},
            },
        },
        "theirs": FAR_AWAY,
    }
    setup = {"table": {"width": 72, "depth": 48}, "phase": "orders", "units": units, "terrain": [house]}
    game: Game[State] = Game(HOF, msgspec.convert(setup, Setup, strict=False), ScriptedDice([]))
    teams = game.state.units["ours"].teams
    points = barrages.range_points(game, "red", [teams["g-1"], teams["g-2"]], [teams["fo"]])
    assert points
    assert {x for x, _ in points} <= {3 + 6 * n for n in range(12)}
    assert {y for _, y in points} <= {2 + 4 * n for n in range(12)}
