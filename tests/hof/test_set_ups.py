"""What a set-up may say and what it may not: each fault at its place, and beside it what is just allowed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from sandtable.rulesets.hof import RULESET
from sandtable.rulesets.hof.core.state import Setup

MOMENT: dict[str, Any] = {
    "table": {"width": 48, "depth": 48},
    "phase": "orders",
    "companies": {"red": {"order_points": 3}},
    "terrain": [
        {"id": "wood", "kind": "wood", "points": [[4, 20], [12, 20], [12, 28], [4, 28]]},
        {"id": "house", "kind": "building", "levels": 2, "points": [[30, 20], [36, 20], [36, 26], [30, 26]]},
    ],
    "units": {
        "rifles": {
            "side": "red",
            "teams": {
                "r-pl": {"profile": "leader", "role": "pl", "at": [24, 10]},
                "r-1": {"profile": "us-rifle-mg", "at": [20, 12]},
                "r-2": {"profile": "us-rifle-mg", "at": [22, 12]},
                "r-jeep": {"profile": "us-jeep-mg", "at": [30, 6]},
                "r-truck": {"profile": "us-gmc-2-5-ton-truck", "at": [34, 6]},
            },
        },
        "battery": {
            "side": "red",
            "teams": {
                "b-fo": {"profile": "observer", "role": "fo", "at": [34, 12]},
                "b-1": {"profile": "us-m2a1-105mm-howitzer", "at": [38, 4]},
                "b-2": {"profile": "us-m2a1-105mm-howitzer", "at": [42, 4]},
            },
        },
        "tanks": {"side": "red", "teams": {"t-1": {"profile": "us-m4-sherman", "at": [8, 6]}}},
        "grenadiers": {
            "side": "blue",
            "nation": "german",
            "teams": {
                "g-pl": {"profile": "leader", "role": "pl", "at": [24, 40]},
                "g-1": {"profile": "german-rifle-mg", "at": [20, 38]},
            },
        },
    },
}
"""A sound set-up."""

GUN = "us-m1-57mm-gun"
MORTAR = "us-m1-81mm-mortar"
RIFLE = "us-rifle-mg"
RIDER = {"side": "red", "kind": "riders", "tanks": "tanks"}


def told(changes: dict[str, Any]) -> list[str]:
    """The problems of the sound set-up after changes, given by their places; None takes a thing away."""
    moment = deepcopy(MOMENT)
    for path, value in changes.items():
        *steps, last = path.split(".")
        place = moment
        for step in steps:
            place = place.setdefault(step, {})
        if value is None:
            del place[last]
        else:
            place[last] = value
    return RULESET.problems(msgspec.convert(moment, Setup, strict=False))


def aboard(carrier: str, profile: str = RIFLE, **more: Any) -> dict[str, Any]:
    return {"profile": profile, "where": "aboard", "carrier": carrier, **more}


def load(carrier: str, number: int, profile: str = RIFLE, **more: Any) -> dict[str, Any]:
    """So many Teams aboard a Transport of the rifles."""
    return {f"units.rifles.teams.x-{each}": aboard(carrier, profile, **more) for each in range(number)}


TEAMS = "units.rifles.teams"
BARRAGE = {"side": "red", "unit": "battery", "observer": "b-fo", "guns": ["b-1", "b-2"], "phase": "barrage"}
RANGING = {**BARRAGE, "phase": "ranging"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        # Of a battle of twelve rounds, any; the least is one.
        {"round": 12},
        {"round": 1, "rounds": 1},
        {"edges": {"red": "north", "blue": "south"}},
        # As many at the start as now, or more, or not said.
        {"units.rifles.starting": 2},
        {"units.rifles.starting": 3},
        {"companies.red.units": 3},
        {"companies.red.units": 4},
        {"companies.red.hero_points": 6, "companies.red.hero_spent": 6},
        {"companies.red.fieldworks": {"trench": 0}},
        {f"{TEAMS}.r-1.exposed": True, f"{TEAMS}.r-1.rfps": 1},
        # On the floors that a building has, within its outline and on its corners.
        {f"{TEAMS}.r-1.at": [33, 23], f"{TEAMS}.r-1.level": 1},
        {f"{TEAMS}.r-1.at": [30, 20], f"{TEAMS}.r-1.level": 1},
        {f"{TEAMS}.r-1.at": [36, 26], f"{TEAMS}.r-1.level": 1},
        {f"{TEAMS}.r-1.charge": "house"},
        {f"{TEAMS}.r-1.foxhole": [20, 12]},
        # hof.transports.capacity: one in a jeep, four in a truck, and one Gun towed behind either.
        load("r-jeep", 1),
        load("r-truck", 4),
        load("r-truck", 4) | {f"{TEAMS}.x-gun": aboard("r-truck", GUN)},
        load("r-truck", 4, MORTAR),
        load("r-truck", 1, GUN),
        # Who is in reserve with a Transport does not fill it yet.
        load("r-jeep", 1) | {f"{TEAMS}.x-later": {"profile": RIFLE, "where": "reserve", "carrier": "r-jeep"}},
        {"units.riders": {**RIDER, "teams": {"x-1": {"profile": RIFLE, "role": "rider", "carrier": "t-1"}}}},
        # Guns off the table, and their observer on it.
        {
            "units.battery.off_board": True,
            "units.battery.teams.b-1": {"profile": GUN},
            "units.battery.teams.b-2": {"profile": GUN},
        },
        {"phase": "start"},
        {"missions": [{**BARRAGE, "at": [24, 30]}]},
        {"missions": [{**BARRAGE, "at": [-22, 70]}]},
        {"missions": [{**RANGING, "point": [48, 48]}]},
        {"missions": [{**BARRAGE, "phase": "called"}]},
        # An observer who has fallen since, and a gun that has.
        {"missions": [{**BARRAGE, "at": [24, 30], "observer": "b-gone"}]},
        {"missions": [{**BARRAGE, "at": [24, 30], "guns": ["b-1", "b-lost"]}], "units.battery.starting": 3},
        {"objectives": {"bridge": {"at": [24, 24], "by": "red", "holder": "blue"}}},
        {"objectives": {"bridge": {"at": [24, 24]}}},
        {"smoke": [{"at": [-22, 24], "side": "red"}]},
        {"wrecks": [{"profile": "us-m4-sherman", "at": [24, 24], "facing": 90}]},
        {"cleared": ["wood"], "clearing": {"house": 1}},
        {"moved": {"r-1": {"start": [20, 10], "facing": 0, "inches": 2}}},
    ],
)
def test_a_sound_set_up_has_no_problems(changes: dict[str, Any]) -> None:
    assert told(changes) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"round": 13}, "round: the battle has 12 rounds"),
        ({"round": 0}, "round: 0 is too little: give a number from 1 on"),
        ({"edges": {"red": "north", "blue": "north"}}, "edges: one side has the southern edge"),
        ({"edges": {"red": "north"}}, "edges: one side has the southern edge"),
        ({"laid": [{"id": "x", "kind": "wood", "points": [[1, 1], [5, 1], [5, 5]]}]}, "laid[0].kind"),
        ({"units.rifles.starting": 1}, "units.rifles.starting: it began with no fewer than it has now, 2"),
        ({f"{TEAMS}.x-pl": {"profile": "leader", "role": "pl", "at": [26, 10]}}, "a Unit has one Leader"),
        ({"units.rifles.tanks": "grenadiers"}, "unknown Unit of its side 'grenadiers'"),
        ({"units.rifles.tanks": "rifles"}, "unknown Unit of its side 'rifles'"),
        ({f"{TEAMS}.r-1.exposed": True}, "exposed: only Received Fire Points are exposed"),
        ({f"{TEAMS}.r-pl.role": ""}, "a Team of the profile 'leader' has role = \"pl\""),
        ({f"{TEAMS}.r-1.where": "hidden"}, "where: a Team that is hidden has no place on the table"),
        ({"units.battery.off_board": True}, "units.battery.teams.b-1.at: its Unit fights from off the table"),
        ({f"{TEAMS}.r-1.at": [33, 23], f"{TEAMS}.r-1.level": 2}, "level: there is no building with 3 `levels` here"),
        ({f"{TEAMS}.r-1.at": [29, 23], f"{TEAMS}.r-1.level": 1}, "level: there is no building with 2 `levels` here"),
        ({f"{TEAMS}.r-1.at": [37, 23], f"{TEAMS}.r-1.level": 1}, "level: there is no building with 2 `levels` here"),
        ({f"{TEAMS}.r-1.at": [33, 19], f"{TEAMS}.r-1.level": 1}, "level: there is no building with 2 `levels` here"),
        ({f"{TEAMS}.r-1.at": [33, 27], f"{TEAMS}.r-1.level": 1}, "level: there is no building with 2 `levels` here"),
        ({f"{TEAMS}.r-1.charge": "tower"}, "charge: unknown structure 'tower'"),
        ({f"{TEAMS}.r-1.charge": "g-1"}, "charge: unknown structure 'g-1'"),
        ({f"{TEAMS}.r-1.foxhole": [20, 49]}, "foxhole: 20, 49 is off the table"),
        ({f"{TEAMS}.r-1.profile": "us-rifles"}, "units.rifles.teams.r-1.profile: unknown profile 'us-rifles'"),
        (load("", 1), "x-0.carrier: say aboard which Transport of its Unit it is"),
        (load("b-1", 1), "carrier: unknown Transport in its Unit 'b-1'; known: r-jeep, r-truck"),
        (load("r-1", 1), "carrier: r-1 carries nobody"),
        (load("r-truck", 1, "us-m4-sherman"), "carrier: a Vehicle is not carried (hof.transports.capacity)"),
        ({f"{TEAMS}.r-1.carrier": "r-jeep"}, "r-1.carrier: it stands on the table"),
        (load("r-jeep", 2), "units.rifles.teams.r-jeep: 2 Teams are in it: Jeep carries 1"),
        (load("r-truck", 5), "units.rifles.teams.r-truck: 5 Teams are in it: GMC 2½-ton truck carries 4"),
        (load("r-truck", 5, MORTAR), "units.rifles.teams.r-truck: 5 Teams are in it"),
        (load("r-truck", 2, GUN), "units.rifles.teams.r-truck: it tows one Gun at most"),
        (
            {"units.riders": {**RIDER, "teams": {"x-1": {"profile": RIFLE, "role": "rider", "carrier": "r-jeep"}}}},
            "carrier: unknown tank that carries its Unit 'r-jeep'; known: t-1",
        ),
        ({"phase": "over"}, "phase: a battle that is over cannot be set up"),
        ({"phase": "objectives"}, 'already on the table, but in the phase "objectives" nobody is deployed yet'),
        ({f"{TEAMS}.r-1.at": None}, "units.rifles.teams.r-1.at: this Team is neither on the table nor anywhere else"),
        ({"companies.green": {}}, "companies.green: unknown side 'green'"),
        ({"companies.red.hero_points": 7}, "companies.red.hero_points: a Hero Die gives 6 at most"),
        ({"companies.red.hero_spent": 7}, "companies.red.hero_spent: a Hero Die gives 6 at most"),
        ({"companies.red.fieldworks": {"trench": -1}}, "fieldworks.trench: give a number of sets from 0 on"),
        ({"companies.red.units": 2}, "companies.red.units: it began with no fewer Units than it has now: 3 or more"),
        ({"missions": [{**BARRAGE, "at": [24, 30], "unit": "grenadiers"}]}, "unknown Unit of red 'grenadiers'"),
        ({"missions": [{**BARRAGE, "at": [24, 30], "observer": "g-pl"}]}, "observer: g-pl is an enemy"),
        ({"missions": [{**BARRAGE, "at": [24, 30], "guns": []}]}, "guns: a mission has at least one gun"),
        ({"missions": [{**BARRAGE, "at": [24, 30], "guns": ["b-1", "b-9"]}]}, "guns[1]: unknown gun of battery 'b-9'"),
        (
            {
                "missions": [{**BARRAGE, "at": [24, 30], "guns": ["b-1", "b-8", "b-9"]}],
                "units.battery.starting": 3,
            },
            "guns[1]: unknown gun of battery 'b-8'; did you mean `b-2`? known: b-1, b-2",
        ),
        ({"missions": [BARRAGE]}, 'missions[0].at: a mission in the phase "barrage" has a place'),
        ({"missions": [{**BARRAGE, "at": [24, 71]}]}, "missions[0].at: 24, 71 is off the table"),
        ({"missions": [RANGING]}, 'missions[0].point: a mission in the phase "ranging" has a place'),
        ({"missions": [{**RANGING, "point": [24, 49]}]}, "missions[0].point: 24, 49 is off the table"),
        ({"objectives": {"bridge": {"at": [24, 49]}}}, "objectives.bridge.at: 24, 49 is off the table"),
        ({"objectives": {"bridge": {"at": [24, 24], "by": "green"}}}, "objectives.bridge.by: unknown side 'green'"),
        ({"smoke": [{"at": [-23, 24], "side": "red"}]}, "smoke[0].at: -23, 24 is off the table"),
        ({"wrecks": [{"profile": "us-m4", "at": [24, 24]}]}, "wrecks[0].profile: unknown profile 'us-m4'"),
        ({"cleared": ["hedge"]}, "cleared[0]: unknown piece of terrain 'hedge'"),
        ({"clearing": {"hedge": 1}}, "clearing.hedge: unknown piece of terrain 'hedge'"),
        ({"moved": {"r-9": {"start": [20, 10], "facing": 0, "inches": 2}}}, "moved.r-9: unknown Team 'r-9'"),
    ],
)
def test_one_fault_is_told_at_its_place(changes: dict[str, Any], words: str) -> None:
    faults = told(changes)
    assert any(words in fault for fault in faults), faults


def test_before_the_battle_nobody_stands_and_nobody_need_be_anywhere() -> None:
    changes: dict[str, Any] = {"phase": "objectives"}
    for unit, each in MOMENT["units"].items():
        changes |= {f"units.{unit}.teams.{team}.at": None for team in each["teams"]}
    assert told(changes) == []


def test_the_bunker_of_a_charge_is_a_structure() -> None:
    bunker = {
        "side": "blue",
        "kind": "bunker",
        "teams": {"k-1": {"profile": "bunker-mg", "role": "bunker", "at": [8, 40]}},
    }
    assert told({"units.bunker": bunker, f"{TEAMS}.r-1.charge": "k-1"}) == []


def test_what_is_unknown_is_told_once_and_stops_the_counting() -> None:
    """With a profile that nobody knows, how many Teams there are and what they carry cannot be said."""
    faults = told({f"{TEAMS}.r-1.profile": "us-rifles", "units.rifles.starting": 1, **load("r-jeep", 2)})
    assert len(faults) == 1
    assert faults[0].startswith("units.rifles.teams.r-1.profile: unknown profile 'us-rifles'")
