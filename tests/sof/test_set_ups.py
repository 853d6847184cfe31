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


def changed(path: str, value: Any, *more: tuple[str, Any]) -> Setup:
    plain = msgspec.to_builtins(RULES.scenario("clash"))
    for where, new in ((path, value), *more):
        *inner, last = where.split(".")
        place = plain
        for key in inner:
            place = place[int(key) if isinstance(place, list) else key]
        place[last] = new
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
        ("units.red-2.ambush", "copse", "no-wood", "unknown terrain piece 'no-wood'"),
        ("terrain.0.height", 1, 1.2, "1.2 is no height: 0.5, 1, 2, 3, or leave it out"),
        ("objectives.lane.at", [21, 18], [43, 18], "objectives.lane.at: "),
        ("force_dice", {"red": {"dice": [0]}}, {"red": {"spent": [7]}}, "force_dice.red: a die shows 0 to 6"),
        ("units.red-1.formation", "extended", "close", "it may adopt loose, extended"),
        ("units.red-2.pose", None, {"at": [10, 10], "facing": 0, "files": 4}, "only a unit in linear order has a pose"),
        ("units.red-2.alignment", "", "line", "only a unit in linear order has a pose and an alignment"),
        ("units.red-3.alignment", "column", "", "a unit in linear order has one: line, column or march-column"),
        ("units.red-3.pose.facing", 359, -500, "units.red-3.pose.facing: "),
        ("units.red-2.battlegroup", "red-platoon", "third", "unknown battlegroup 'third'"),
        ("units.red-2.teams.rb-1.facing", 359, -500, "units.red-2.teams.rb-1.facing: "),
        ("units.red-2.teams.rb-1.arms", ["grenade"], ["granade"], "unknown weapon 'granade'"),
        ("units.red-2.teams.rb-1.profile", "lewis-gun", "lewisgun", "unknown profile 'lewisgun'"),
        ("units.red-hq.teams.red-lt.permanent", 1, 2, "so many permanent wounds put it out of action"),
        ("units.red-hq.teams.red-lt.men", 1, 2, "leaders, riders and men in ranks have bases of their own"),
        ("units.red-3.teams.rc-1.men", 1, 2, "leaders, riders and men in ranks have bases of their own"),
        ("units.horse-1.teams.h1-2.men", 1, 2, "leaders, riders and men in ranks have bases of their own"),
        ("units.horse-1.teams.h1-2.mounted", True, False, "the figures of a mounted unit are mounted"),
        ("units.red-2.teams.rb-1.role", "", "officer", "it has one officer who commands it, not several"),
        ("battlegroups.blue-horse.core", False, True, "blue has several core battlegroups"),
        ("baselines", {"red": "north", "blue": "south"}, {"red": "north", "blue": "north"}, "the same baseline"),
        ("overrides", {"red": "force"}, {"red": "blue-platoon"}, "'blue-platoon' is no battlegroup of red"),
        ("overrides", {"red": "red-platoon"}, {"red": "third"}, "'third' is no battlegroup of red"),
        ("opening", [], ["red"], "red has set no Command Override aside"),
        ("phase", "start", "deploy", "deploy is a step of a mission: name one"),
        ("phase", "start", "activate", "in the activation phases a side has the initiative"),
        ("units.red-2.reserve", "", "tactical", "its unit is in reserve, off the table: leave its place out"),
        ("units.red-3.reserve", "", "tactical", "its unit is in reserve, off the table: leave its place out"),
        ("units.red-1.teams.ra-1.at", [6, 6], None, "this figure has no place: give `at`"),
        ("units.red-2.formations", ["loose"], ["extended"], "every unit may be in loose order"),
        ("units.red-2.motorcycles", False, True, "only a mounted unit rides"),
        ("units.red-2.teams.rb-1.role", "", "medic", "specialists are in a battlegroup's HQ unit"),
        ("units.red-2.teams.rb-1.role", "", "handler", "HQ unit (sof.specialists.handler"),
        ("units.red-hq.teams.red-medic.profile", "unarmed", "pistol", 'a medic carries no weapon: write "unarmed"'),
        ("units.red-hq.teams.red-medic.arms", [], ["sword"], 'a medic carries no weapon: write "unarmed"'),
        ("units.red-hq.teams.red-medic.role", "chaplain", "aide", "each staff officer has an aide with him"),
        ("units.red-hq.teams.red-sgt.role", "nco", "communication-1", "an HQ has one communication specialist"),
        ("units.red-2.teams.rb-1.unhorsed", False, True, "only a rider on foot can have lost his horse"),
    ],
)
def test_a_fault_is_told_by_its_place(path: str, right: Any, wrong: Any, words: str) -> None:
    assert RULES.problems(changed(path, right)) == []
    found = RULES.problems(changed(path, wrong))
    assert any(words in problem for problem in found), found


def test_only_so_much_of_a_turn_as_a_battle_has() -> None:
    assert RULES.problems(changed("turn", 6, ("turns", 5))) == []
    assert RULES.problems(changed("turns", 0)) != []


def test_a_unit_in_ranks_has_a_pose_on_the_table_and_may_do_without_off_it() -> None:
    without = ("units.red-3.pose", None)
    found = RULES.problems(changed(*without))
    assert any("units.red-3.pose: a unit in linear order has one: { at" in fault for fault in found)
    waits = ("units.red-3.reserve", "tactical")
    assert RULES.problems(changed(*without, waits)) == []


def test_a_weapon_unit_is_in_loose_order() -> None:
    found = RULES.problems(changed("units.red-gun.formation", "extended", ("units.red-gun.formations", ["extended"])))
    assert any("a weapon unit is always in loose order" in fault for fault in found)


def test_a_heavy_weapon_among_riders_is_a_unit_of_its_own() -> None:
    found = RULES.problems(changed("units.horse-1.teams.h1-2.profile", "germany.mg08-mg"))
    assert any("of type weapon (sof.units.type-mounted" in fault for fault in found)


def test_no_battlegroup_has_the_name_of_the_dice_of_a_whole_force() -> None:
    found = RULES.problems(changed("battlegroups.force", {"side": "red"}))
    assert any("'force' are the dice of a force as a whole" in fault for fault in found)


def test_riders_on_foot_keep_their_machines_and_may_lose_their_horses() -> None:
    on_foot = ("units.red-2.dismounted", True)
    assert RULES.problems(changed("units.red-2.motorcycles", True, on_foot)) == []
    assert RULES.problems(changed("units.red-2.teams.rb-1.unhorsed", True, on_foot)) == []


def test_each_side_has_a_battlegroup() -> None:
    plain = msgspec.to_builtins(RULES.scenario("clash"))
    plain["battlegroups"] = {name: group for name, group in plain["battlegroups"].items() if group["side"] == "red"}
    found = RULES.problems(msgspec.convert(plain, Setup))
    assert any("blue has no battlegroup: give it one" in fault for fault in found)
    assert not any("red has no battlegroup" in fault for fault in found)


def test_a_mission_has_its_turns_and_what_decides_it() -> None:
    setup = RULES.scenario("patrol")
    assert RULES.problems(setup) == []
    for change, words in (
        ({"turns": 5}, "Patrol has 6 whole turns"),
        ({"counts": "quarters"}, "decided by objectives"),
    ):
        found = RULES.problems(msgspec.structs.replace(setup, **change))
        assert any(words in fault for fault in found), found


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
