"""What a set-up may hold: each fault is named with its place, and what a battle can come to is let through."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.rulesets.tr14 import RULESET
from sandtable.rulesets.tr14.core.state import Setup

Change = tuple[str, Any]


def moment(*changes: Change) -> dict[str, Any]:
    """A battery with its observer, and a tank, in a round; with some places changed or, by None, taken out."""
    setup: dict[str, Any] = {
        "table": {"width": 48, "depth": 48},
        "phase": "activate",
        "units": {
            "mortars": {
                "side": "red",
                "training": "veteran",
                "teams": {
                    "m-pl": {"profile": "rifle", "role": "pl", "at": [10, 4]},
                    "m-1": {"profile": "mortar-81mm", "at": [14, 4]},
                },
            },
            "observer": {
                "side": "red",
                "training": "veteran",
                "apart": "fo",
                "battery": "mortars",
                "teams": {"fo": {"profile": "rifle", "role": "fo", "at": [20, 4]}},
            },
            "tanks": {
                "side": "blue",
                "training": "veteran",
                "teams": {"t-pl": {"profile": "m4-sherman", "role": "pl", "at": [20, 40]}},
            },
        },
    }
    for place, value in changes:
        *way, last = place.split(".")
        part = setup
        for step in way:
            part = part.setdefault(step, {})
        if value is None:
            del part[last]
        else:
            part[last] = value
    return setup


def told(*changes: Change) -> list[str]:
    return RULESET.problems(msgspec.convert(moment(*changes), Setup))


RIFLE = {"profile": "rifle", "at": [30, 20]}
PLATOON = {"side": "red", "training": "green", "teams": {"r-1": RIFLE}}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([], id="as it is"),
        pytest.param([("units.mortars.starting", 2)], id="as many Teams as at the start"),
        pytest.param([("companies.red.starting", 1)], id="as many Units as at the start"),
        pytest.param([("companies.blue.starting", 3)], id="Units lost"),
        pytest.param([("units.mortars", None), ("companies.red.starting", 1)], id="the battery lost"),
        pytest.param(
            [("units.mortars.teams.m-1", None), ("units.mortars.starting", 2)], id="the last gun of a battery lost"
        ),
        pytest.param([("units.tanks.teams.t-pl.turret", 90.0)], id="a turret turned"),
        pytest.param([("units.tanks.teams.t-pl.markers", 2)], id="suppressed twice"),
        pytest.param([("round", 8), ("rounds", 8)], id="the last round"),
        pytest.param([("smoke", [{"id": "a", "at": [4, 4]}, {"id": "b", "at": [8, 8]}])], id="two clouds"),
        pytest.param([("objectives.hill", {"at": [4, 4], "holder": "blue"})], id="an objective that is held"),
    ],
)
def test_a_moment_that_a_battle_can_come_to(changes: list[Change]) -> None:
    assert told(*changes) == []


@pytest.mark.parametrize(
    ("changes", "where", "words"),
    [
        ([("units.mortars.teams.m-1.role", "pl")], "mortars", "one Platoon Leader"),
        ([("units.observer.teams.second", RIFLE)], "observer", "is one Team"),
        ([("units.mortars.starting", 1)], "mortars.starting", "2 or more"),
        ([("units.tanks.battery", "mortars")], "tanks.battery", "only a Forward Observer"),
        ([("units.observer.battery", "nobody")], "observer.battery", "one of mortars"),
        ([("units.observer.battery", "tanks")], "observer.battery", "one of mortars"),
        ([("units.observer.battery", "observer")], "observer.battery", "one of mortars"),
        ([("units.observer.battery", "nobody"), ("companies.red.starting", 1)], "observer.battery", "one of mortars"),
        ([("units.observer.battery", ""), ("companies.red.starting", 2)], "observer.battery", "one of mortars"),
        ([("units.mortars", None)], "observer.battery", "names the Unit that he observes for"),
        ([("units.mortars.teams.m-1", None)], "observer.battery", "no gun that fires a barrage"),
        ([("units.mortars.teams.m-1", None), ("units.mortars.starting", 1)], "observer.battery", "no gun"),
        ([("companies.red.starting", 1), ("units.more", PLATOON)], "companies.red.starting", "2 or more"),
        ([("units.observer.teams.fo.markers", 1)], "fo.markers", "never suppressed"),
        ([("units.tanks.teams.t-pl.markers", 3)], "t-pl.markers", "0 to 2"),
        ([("units.mortars.teams.m-pl.turret", 0.0)], "m-pl.turret", "has no turret"),
        ([("units.tanks.teams.t-pl.at", None)], "t-pl.at", "has no place"),
        ([("round", 9)], "round", "the battle has 8 rounds"),
        ([("smoke", [{"id": "a", "at": [4, 4]}, {"id": "a", "at": [8, 8]}])], "smoke[1].id", "its own name"),
        ([("objectives.hill", {"at": [4, 4], "holder": "green"})], "objectives.hill.holder", "green"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place(changes: list[Change], where: str, words: str) -> None:
    (problem,) = told(*changes)
    assert where in problem.partition(": ")[0]
    assert words in problem


def test_a_profile_that_is_not_there_is_the_only_fault_of_its_turret() -> None:
    (problem,) = told(("units.tanks.teams.t-pl", {"profile": "tigger", "role": "pl", "at": [20, 40], "turret": 0.0}))
    assert "tigger" in problem


def test_an_unknown_gun_in_a_battery_is_told() -> None:
    found = told(("units.mortars.teams.m-1.profile", "motar"))
    assert any("motar" in problem for problem in found)


def test_before_the_battle_somebody_has_still_to_deploy() -> None:
    (problem,) = told(("phase", "deploy"))
    assert problem.startswith("phase: every Team has its place already")
    assert told(("phase", "deploy"), ("units.tanks.teams.t-pl.at", None)) == []
