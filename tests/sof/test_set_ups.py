"""What no battle comes to is refused in a set-up, by its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.field.formations import Pose, places
from sandtable.rulesets.sof.core.state import Setup
from sandtable.table.shapes import snap

RULES = rulesets.load("sof")


def changed(path: str, value: Any) -> Setup:
    plain = msgspec.to_builtins(RULES.scenario("clash"))
    *inner, last = path.split(".")
    place = plain
    for key in inner:
        place = place[key]
    place[last] = value
    return msgspec.convert(plain, Setup)


def test_our_battles_are_sound() -> None:
    for name in RULES.scenarios():
        assert RULES.problems(RULES.scenario(name)) == []


@pytest.mark.rule("sof.units.models-in-units", "sof.units.five-types", "sof.units.ratings")
@pytest.mark.rule("sof.units.type-infantry", "sof.units.type-mounted", "sof.units.type-weapon")
@pytest.mark.parametrize(
    ("path", "right", "wrong", "words"),
    [
        ("units.red-2.teams.rb-1.profile", "lewis-gun", "germany.mg08-mg", "sof.units.type-infantry"),
        ("units.red-gun.teams.rmg-1.profile", "pistol", "germany.mg08-mg", "here are 2 (sof.units.type-weapon"),
        ("units.red-gun.teams.rmg.profile", "germany.mg08-mg", "pistol", "here are 0 (sof.units.type-weapon"),
        ("units.red-2.aggression", 6, 7, "a rating is a number from 2 to 6 (sof.units.ratings"),
        ("units.red-2.tenacity", 2, 1, "a rating is a number from 2 to 6 (sof.units.ratings"),
        ("units.red-2.rally", 6, 7, "a rating is a number from 2 to 6"),
        ("units.red-2.rally", 2, 1, "a rating is a number from 2 to 6"),
        ("number", 6, 7, "an activation phase is 6 to 0"),
        ("battlegroups.red-platoon.dice", [0, 6], [7], "7 is on no die"),
        ("force_dice", {"red": {"dice": [6]}}, {"red": {"dice": [7]}}, "a die shows 0 to 6"),
        ("turn", 6, 7, "the battle ends in the Start Phase of turn 6"),
        ("units.red-2.formation", "loose", "extended", "it may adopt loose"),
        ("units.red-3.pose.files", 3, 4, "needs 3 abreast"),
        ("units.red-3.pose.at", [30, 10], [30, 1], "units.red-3.pose.at: "),
        ("units.red-gun.battlegroup", "", "red-platoon", "a support unit belongs to no battlegroup"),
        ("units.red-2.battlegroup", "red-platoon", "blue-platoon", "blue-platoon is blue's"),
        ("units.red-2.teams.rb-1.profile", "pistol", "germany.7-7cm-l27-nahkampf", "cannot be used yet: added-crew"),
        ("units.red-2.teams.rb-1.men", 1, 2, "leaders, riders and men in ranks have bases of their own"),
        ("units.red-2.teams.rb-1.mounted", False, True, "the figures of a mounted unit are mounted"),
        ("units.red-2.teams.rb-2.at", [18.4, 10], [17.5, 10], "stands on the base of rb-1"),
        ("units.horse-1.dismounted", False, True, "riders on foot are infantry"),
        ("units.red-2.ambush", "", "no-wood", "unknown terrain piece 'no-wood'"),
    ],
)
def test_a_fault_is_told_by_its_place(path: str, right: Any, wrong: Any, words: str) -> None:
    assert RULES.problems(changed(path, right)) == []
    found = RULES.problems(changed(path, wrong))
    assert any(words in problem for problem in found), found


def test_men_in_ranks_may_be_written_where_their_pose_has_them() -> None:
    plain = msgspec.to_builtins(RULES.scenario("clash"))
    unit = plain["units"]["red-3"]
    pose = Pose(tuple(unit["pose"]["at"]), unit["pose"]["facing"], unit["pose"]["files"])
    spots = places(pose, len(unit["teams"]), 1.0)
    for figure, (x, y) in zip(unit["teams"].values(), spots, strict=True):
        figure["at"] = [snap(x), snap(y)]
    assert RULES.problems(msgspec.convert(plain, Setup)) == []
    figure["at"] = [snap(x), snap(y) + 0.5]
    assert any("leave `at` out" in fault for fault in RULES.problems(msgspec.convert(plain, Setup)))
