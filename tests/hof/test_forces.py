"""Forces and scenarios: the example forces against the ledger, and what a file may get wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sandtable.engine import data
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ledger import Ledger
from sandtable.field.library import UnknownName
from sandtable.rulesets import load
from sandtable.rulesets.hof import RULESET
from sandtable.rulesets.hof.core.arsenal import profiles
from sandtable.rulesets.hof.core.state import SIDES, Options, Table, begin, strength
from sandtable.rulesets.hof.forces import force_tools, forces, scenarios
from sandtable.rulesets.hof.forces.forces import EXAMPLES, Force, ForceUnit
from sandtable.rulesets.hof.forces.scenarios import Scenario
from sandtable.table.terrain import Feature

COMPANY = """\
format = "sandtable.hof.force"
title = "A Small Company"
nation = "us"

[units.rifles]
name = "Rifle Platoon"
count = 2
leader = true
teams = { us-rifle-mg = 6, us-bazooka = 1 }

[units.scouts]
name = "Scouts"
recon = true
leader = true
teams = { us-rifle-mg = 4 }
transports = { us-jeep-mg = 2 }

[units.guns]
name = "Howitzers"
observer = true
off_board = true
teams = { us-m2a1-105mm-howitzer = 3 }

[units.tanks]
name = "Tanks"
teams = { us-m4-sherman = 3 }
"""

# What the source lists, entry by entry: how many Units, what they are made of.
PL, FO = "leader", "observer"
LISTED: dict[str, list[tuple[int, dict[str, int]]]] = {
    "us-rifle-company": [
        (3, {PL: 1, "us-bazooka": 1, "us-rifle-mg": 6}),
        (1, {PL: 1, "us-m1-57mm-gun": 3}),
        (1, {"us-m4-sherman": 3}),
        (1, {PL: 1, FO: 1, "us-m1-81mm-mortar": 3}),
        (1, {PL: 1, FO: 1, "us-m2a1-105mm-howitzer": 3}),
    ],
    "us-tank-company": [
        (2, {"us-m4-sherman": 3}),
        (1, {PL: 1, "us-bazooka": 2, "us-m2-60mm-mortar": 1, "us-mg": 6, "us-m2-m3-half-track": 4}),
        (1, {"us-m5-stuart": 3}),
        (1, {FO: 1, "us-m7-priest-hmc": 3, "us-m2-m3-half-track": 1}),
    ],
    "german-grenadier-company": [
        (3, {PL: 1, "german-rifle-mg": 6}),
        (1, {PL: 1, "german-7-5cm-pak40-gun": 3}),
        (1, {"german-stug-g-or-iv": 3}),
        (1, {PL: 1, FO: 1, "german-8cm-gw34-mortar": 3}),
        (1, {PL: 1, "german-8-8cm-flak36-gun": 1}),
    ],
    "german-panzer-company": [
        (2, {"german-panzer-iv-h": 3}),
        (1, {PL: 1, "german-panzerschreck": 1, "german-mg": 6, "german-sd-kfz-251": 4}),
        (1, {"german-sd-kfz-234-2-puma": 2}),
        (1, {FO: 1, "german-wespe": 3, "german-sd-kfz-251": 1}),
    ],
    "soviet-strelkovy-company": [
        (3, {PL: 1, "soviet-maksim-hmg": 1, "soviet-ptrd-anti-tank-rifle": 1, "rifle": 6}),
        (1, {PL: 1, FO: 1, "soviet-82-bm-41-mortar": 4}),
        (1, {PL: 1, "soviet-45mm-obr-1942-gun": 3}),
        (1, {"soviet-t-34-obr-1941-42": 3}),
        (1, {PL: 1, FO: 1, "soviet-152mm-obr-1943-howitzer": 3}),
    ],
    "soviet-tankovy-company": [
        (2, {"soviet-t-34-obr-1941-42": 3}),
        (
            1,
            {
                PL: 1,
                "soviet-maksim-hmg": 1,
                "soviet-ptrd-anti-tank-rifle": 1,
                "soviet-rifle-mg": 6,
                "soviet-zis-5-6-dodge-truck": 4,
            },
        ),
        (1, {"soviet-su-85": 3}),
        (1, {"soviet-ba-64": 2}),
        (1, {FO: 1, "soviet-bm-13-katyusha": 3, "soviet-zis-5-6-dodge-truck": 1}),
    ],
    "british-rifle-company": [
        (3, {PL: 1, "british-piat": 1, "british-ml-2-inch-mortar": 1, "british-rifle-mg": 6}),
        (1, {PL: 1, "british-oqf-6-pdr-gun": 3}),
        (1, {"british-churchill-vi": 3}),
        (1, {PL: 1, FO: 1, "british-ml-3-inch-mk-ii-mortar": 3}),
        (1, {PL: 1, FO: 1, "british-bl-5-5-inch-gun": 3}),
    ],
    "british-tank-company": [
        (2, {"british-cromwell-iv": 2, "british-sherman-vc-firefly": 1}),
        (
            1,
            {
                PL: 1,
                "british-piat": 1,
                "british-ml-2-inch-mortar": 1,
                "british-mg": 6,
                "british-m5-half-track": 4,
            },
        ),
        (1, {"british-stuart-v-or-vi": 3}),
        (1, {FO: 1, "british-sexton": 3, "british-universal-carrier-fo": 1}),
    ],
}
LEDGER = Ledger.load("hof")


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


def mistakes(text: str) -> list[data.DataError]:
    return data.problems_in(text, Force, "company.toml")


def only_mistake(text: str) -> data.DataError:
    (found,) = mistakes(text)
    return found


def force_of(text: str) -> Force:
    return data.parse(text, Force, "company.toml")


def unit(**fields: Any) -> ForceUnit:
    return ForceUnit("A Platoon", **fields)


# The example forces.


@pytest.mark.rule(
    "hof.forces-parity.us-rifle-company",
    "hof.forces-parity.us-tank-company",
    "hof.forces-parity.german-grenadier-company",
    "hof.forces-parity.german-panzer-company",
    "hof.forces-parity.soviet-strelkovy-company",
    "hof.forces-parity.soviet-tankovy-company",
    "hof.forces-parity.british-rifle-company",
    "hof.forces-parity.british-tank-company",
)
@pytest.mark.parametrize(("name", "rule"), EXAMPLES.items())
def test_an_example_force_is_what_the_rules_list(name: str, rule: str) -> None:
    assert rule == f"hof.forces-parity.{name}"
    force = forces.FORCES.load(name)
    assert len(force.units) == LEDGER[rule].rows == len(LISTED[name])
    for entry, (count, wanted) in zip(force.units.values(), sorted(LISTED[name], key=order_in(force)), strict=True):
        raised = forces.raise_unit("red", "unit", entry, force.nation)
        assert len(raised) == count
        for each in raised.values():
            teams = [team.profile for team in each.teams.values()]
            assert {profile: teams.count(profile) for profile in teams} == wanted
    said = re.search(r"(\d+) Units, Break Limit (\d+)", LEDGER[rule].text)
    assert said is not None
    assert (force.unit_count, force.break_limit) == (int(said[1]), int(said[2]))


def order_in(force: Force) -> Any:
    """The entries of a list in the order of the file."""
    firsts = [{*each.teams} for each in force.units.values()]
    return lambda row: next(number for number, teams in enumerate(firsts) if teams <= {*row[1]})


@pytest.mark.rule("hof.forces-parity.german-grenadier-company", "hof.forces-parity.german-panzer-company")
def test_german_squads_carry_panzerfausts_and_nobody_else_does() -> None:
    for name in ("german-grenadier-company", "german-panzer-company"):
        for key, each in forces.FORCES.load(name).units.items():
            for raised in forces.raise_unit("blue", key, each, "german").values():
                for team in raised.teams.values():
                    line = team.profile in ("german-rifle-mg", "german-mg")
                    assert ("panzerfaust" in team.traits) == line


@pytest.mark.rule("hof.battle.break-limit", "hof.optional.sniper-unit", "hof.optional.riders-mounted")
@pytest.mark.parametrize("name", forces.FORCES.names())
def test_the_break_limit_of_a_force_is_that_of_its_battle(name: str) -> None:
    every_rule = Options(commander=True, snipers=True, fortifications=True, riders=True)
    force = forces.FORCES.load(name)
    state = begin(forces.muster(Table(72, 48), force, force, every_rule))
    assert [state.companies[side].break_limit for side in SIDES] == [force.break_limit] * 2


# From a file to Units.


@pytest.mark.rule("hof.forces-parity.platoon-size", "hof.forces-parity.infantry-platoon")
def test_units_are_raised_with_their_leaders_and_numbers() -> None:
    raised = forces.raise_force("blue", force_of(COMPANY))
    assert list(raised) == ["blue-rifles-1", "blue-rifles-2", "blue-scouts", "blue-guns", "blue-tanks"]
    first = raised["blue-rifles-1"]
    assert (first.name, first.nation, first.side) == ("Rifle Platoon 1", "us", "blue")
    assert [team.role for team in first.teams.values()] == ["pl"] + [""] * 7
    assert list(first.teams)[:3] == ["blue-rifles-1-pl", "blue-rifles-1-rifle-mg-1", "blue-rifles-1-rifle-mg-2"]
    assert strength(first) == 6


@pytest.mark.rule("hof.orders.quality-default")
def test_units_are_average_unless_the_file_says_otherwise() -> None:
    text = COMPANY.replace('name = "Scouts"', 'name = "Scouts"\nquality = "elite"')
    raised = forces.raise_force("red", force_of(text))
    assert raised["red-tanks"].quality == "average"
    assert raised["red-scouts"].quality == "elite"
    assert "hof.orders.quality-default" in force_of(text).rules()
    assert "did you mean `elite`" in only_mistake(text.replace('"elite"', '"elit"')).problem


def test_an_observer_takes_the_field_while_his_guns_stay_far_behind() -> None:
    state = begin(forces.muster(Table(72, 48), force_of(COMPANY), force_of(COMPANY), Options()))
    guns = state.units["red-guns"]
    assert guns.off_board
    assert {team.role: team.where for team in guns.teams.values()} == {"fo": "", "": "off-board"}


@pytest.mark.rule("hof.optional.cc-unit")
def test_a_company_commander_is_a_unit_or_leads_one() -> None:
    alone = forces.raise_unit("red", "cc", unit(kind="cc"), "us")["red-cc"]
    assert [(team.profile, team.role) for team in alone.teams.values()] == [("commander", "cc")]
    assert alone.leader is not None
    staff = forces.raise_unit("red", "hq", unit(kind="cc", teams={"us-m1917-m1919-hmg": 2}), "us")["red-hq"]
    assert [team.role for team in staff.teams.values()] == ["cc", "", ""]


@pytest.mark.rule("hof.optional.sniper-unit", "hof.optional.bunker-unit")
def test_snipers_and_bunkers_are_units_of_one_team() -> None:
    sniper = forces.raise_unit("red", "sniper", unit(kind="sniper"), "german")["red-sniper"]
    assert [(team.role, team.kind.small) for team in sniper.teams.values()] == [("sniper", True)]
    bunkers = forces.raise_unit("red", "bunker", unit(kind="bunker", count=3, teams={"bunker-mg": 1}), "german")
    assert [len(each.teams) for each in bunkers.values()] == [1, 1, 1]
    assert {team.role for each in bunkers.values() for team in each.teams.values()} == {"bunker"}


@pytest.mark.rule("hof.optional.riders-mounted")
def test_riders_are_a_unit_of_their_own_one_for_each_tank() -> None:
    tanks = unit(teams={"soviet-t-34-85-obr-1943": 3}, riders="soviet-smg")
    raised = forces.raise_unit("red", "tanks", tanks, "soviet")
    assert list(raised) == ["red-tanks", "red-tanks-riders"]
    riders = raised["red-tanks-riders"]
    assert (riders.kind, riders.tanks) == ("riders", "red-tanks")
    assert {name: team.role for name, team in riders.teams.items()} == {
        f"red-tanks-rider-{number}": "rider" for number in (1, 2, 3)
    }


def test_units_of_optional_rules_stay_at_home_without_them() -> None:
    force = forces.FORCES.load("soviet-assault-group")

    def kinds(options: Options) -> set[str]:
        return {each.kind for each in forces.raise_force("red", forces.fielded(force, options)).values()}

    assert kinds(Options()) == {""}
    assert kinds(Options(commander=True, snipers=True, riders=True)) == {"", "cc", "sniper", "riders"}


# What a file may get wrong.


@pytest.mark.parametrize(
    ("old", "new", "where", "words"),
    [
        ("us-bazooka = 1", "us-bazoka = 1", "units.rifles.teams.us-bazoka", "unknown profile 'us-bazoka'"),
        ("us-bazooka = 1", "us-bazooka = 0", "units.rifles.teams.us-bazooka", "from 1 on"),
        ("count = 2", "count = 0", "units.rifles.count", "from 1 on"),
        ("us-bazooka = 1", "german-mg = 1", "units.rifles.teams.german-mg", "of the nation 'german'"),
        ("us-jeep-mg = 2", "us-m4-sherman = 2", "units.scouts.transports.us-m4-sherman", "carries nobody"),
        ("us-m4-sherman = 3", "us-jeep-mg = 3", "units.tanks.teams.us-jeep-mg", "list it under `transports`"),
        ("us-jeep-mg = 2", "us-jeep-mg = 6", "units.scouts.transports", "nobody to carry"),
        ('name = "Tanks"', 'name = "Tanks"\nobserver = true', "units.tanks.observer", "Artillery Unit"),
        ('name = "Tanks"', 'name = "Tanks"\noff_board = true', "units.tanks.off_board", "Artillery Unit"),
        ("teams = { us-m4-sherman = 3 }", "leader = true", "units.tanks", "at least one Team"),
        ("units.tanks", "units.rifles-2", "units.rifles-2", "two Units would be called 'rifles-2'"),
    ],
)
def test_a_mistake_is_named_by_its_place(old: str, new: str, where: str, words: str) -> None:
    text = COMPANY.replace(old, new)
    error = only_mistake(text)
    assert error.where == where
    assert words in error.problem
    assert error.line >= line_of(text, f"[units.{where.split('.')[1]}]")


def test_an_unknown_trait_is_named_with_those_that_exist() -> None:
    text = COMPANY + 'traits = { us-m4-sherman = ["amphibius"] }\n'
    assert "known values: engineer, jeep-50cal, panzerfaust, recon" in only_mistake(text).problem
    nobody = COMPANY + 'traits = { us-mg = ["engineer"] }\n'
    assert "no Team of the profile 'us-mg'" in only_mistake(nobody).problem
    assert (
        mistakes(COMPANY.replace("us-jeep-mg = 2 }", 'us-jeep-mg = 2 }\ntraits = { us-jeep-mg = ["jeep-50cal"] }'))
        == []
    )


def test_an_unknown_profile_is_named_with_those_that_its_nation_may_use() -> None:
    known = only_mistake(COMPANY.replace("us-bazooka = 1", "us-bazoka = 1")).problem.partition("known: ")[2].split(", ")
    assert known[0] == "us-rifle-mg"
    assert known == [key for key, kind in profiles().items() if kind.nation in ("us", "any")]


@pytest.mark.rule("hof.forces-parity.support-weapons")
def test_support_weapons_come_from_ones_own_nation() -> None:
    piat = only_mistake(COMPANY.replace("us-bazooka", "british-piat"))
    assert "hof.forces-parity.support-weapons" in piat.problem
    fausts = only_mistake(COMPANY + 'traits = { us-m4-sherman = ["panzerfaust"] }\n')
    assert "only German Infantry" in fausts.problem


@pytest.mark.rule("hof.battle.recon-infantry-limits")
def test_infantry_scouts_ride_but_have_no_support_weapons() -> None:
    assert mistakes(COMPANY) == []
    error = only_mistake(COMPANY.replace("us-rifle-mg = 4 }", "us-rifle-mg = 4, us-bazooka = 1 }"))
    assert error.where == "units.scouts.teams.us-bazooka"
    assert "hof.battle.recon-infantry-limits" in error.problem
    some = COMPANY.replace("us-bazooka = 1 }", 'us-bazooka = 1 }\ntraits = { us-rifle-mg = ["recon"] }')
    assert "hof.battle.recon-infantry-limits" in only_mistake(some).problem


@pytest.mark.rule("hof.battle.recon-vehicle-limits")
@pytest.mark.parametrize(
    ("vehicle", "allowed"), [("us-m5-stuart", True), ("us-m36-90mm-gmc", True), ("us-m4-sherman", False)]
)
def test_scouting_vehicles_have_armor_of_two_in_all(vehicle: str, allowed: bool) -> None:
    # Front and flank: the Stuart has 1 and 0, the M36 has 2 and 0, the Sherman 2 and 1.
    text = COMPANY.replace(
        'name = "Tanks"\nteams = { us-m4-sherman', f'name = "Tanks"\nrecon = true\nteams = {{ {vehicle}'
    )
    found = mistakes(text)
    assert (not found) == allowed
    assert all("hof.battle.recon-vehicle-limits" in error.problem for error in found)


@pytest.mark.rule("hof.optional.cc-unit", "hof.optional.sniper-unit", "hof.optional.bunker-unit")
@pytest.mark.parametrize(
    ("kind", "more", "rule"),
    [
        ("cc", "leader = true", "hof.optional.cc-unit"),
        ("cc", "count = 2", "hof.optional.cc-unit"),
        ("sniper", "teams = { us-mg = 1 }", "hof.optional.sniper-unit"),
        ("bunker", "teams = { bunker-mg = 2 }", "hof.optional.bunker-unit"),
    ],
)
def test_a_unit_of_one_team_stays_one(kind: str, more: str, rule: str) -> None:
    text = f'{COMPANY}\n[units.odd]\nname = "Odd"\nkind = "{kind}"\n{more}\n'
    assert rule in only_mistake(text).problem


@pytest.mark.rule("hof.optional.riders-mounted")
@pytest.mark.parametrize(("key", "riders"), [("rifles", "us-mg"), ("tanks", "us-bazooka"), ("tanks", "us-m5-stuart")])
def test_riders_are_infantry_on_tanks(key: str, riders: str) -> None:
    text = COMPANY.replace(f"[units.{key}]", f'[units.{key}]\nriders = "{riders}"')
    assert "hof.optional.riders-mounted" in only_mistake(text).problem


@pytest.mark.rule(
    "hof.forces-parity.infantry-platoon",
    "hof.forces-parity.gun-platoon",
    "hof.forces-parity.vehicle-platoon",
    "hof.forces-parity.squad-types",
    "hof.forces-parity.platoon-size",
)
@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"leader": True, "teams": {"us-rifle-mg": 6, "us-bazooka": 3}}, None),
        ({"teams": {"us-rifle-mg": 6}}, "hof.forces-parity.infantry-platoon"),
        ({"leader": True, "teams": {"us-rifle-mg": 4}}, "hof.forces-parity.infantry-platoon"),
        ({"leader": True, "teams": {"us-rifle-mg": 6, "us-bazooka": 4}}, "hof.forces-parity.infantry-platoon"),
        ({"leader": True, "teams": {"us-rifle-mg": 4, "us-mg": 2}}, "hof.forces-parity.squad-types"),
        ({"leader": True, "teams": {"us-m1-57mm-gun": 3}}, None),
        ({"leader": True, "teams": {"us-m1-57mm-gun": 2, "us-m5-3in-gun": 1}}, "hof.forces-parity.gun-platoon"),
        ({"teams": {"us-m1-57mm-gun": 3}}, "hof.forces-parity.gun-platoon"),
        ({"teams": {"us-m4-sherman": 3}}, None),
        ({"teams": {"us-m4-sherman": 4}}, "hof.forces-parity.vehicle-platoon"),
        ({"leader": True, "teams": {"us-m4-sherman": 3}}, "hof.forces-parity.vehicle-platoon"),
        (
            {"leader": True, "teams": {"us-rifle-mg": 6}, "transports": {"us-jeep-mg": 2}},
            "hof.transports.capacity",
        ),
    ],
)
def test_an_unusual_platoon_is_noted_and_allowed(fields: dict[str, Any], rule: str | None) -> None:
    platoon = unit(**fields)
    assert list(platoon.mistakes("us")) == []
    notes = [words for _, words in platoon.warnings()]
    assert len(notes) == (rule is not None)
    assert all(rule is not None and rule in words for words in notes)


@pytest.mark.rule("hof.forces-parity.reveal")
def test_a_force_has_four_to_ten_units() -> None:
    notes = [
        words for where, words in force_of(COMPANY.replace("count = 2", "count = 9")).warnings() if where == "units"
    ]
    assert ["12 (hof.forces-parity.reveal)" in words for words in notes] == [True]
    assert not [where for where, _ in force_of(COMPANY).warnings() if where == "units"]


def test_a_force_to_be_edited_lists_the_profiles_that_its_nation_may_use() -> None:
    text = force_tools.annotated(COMPANY, "us")
    assert COMPANY.rstrip() in text
    lines = text[text.index("# Profiles:") :].splitlines()
    listed = [line.removeprefix("#   ").partition(":")[0] for line in lines if line.startswith("#   ")]
    own = [key for key, kind in profiles().items() if kind.nation == "us"]
    assert listed == [*own, "rifle", "flame-team", "bunker-mg", "bunker-gun"]
    headings = [line for line in lines[1:] if not line.startswith("#   ")]
    assert headings[:2] == ["# infantry", "# guns"]
    assert headings[-1] == "# every nation"


# Scenarios.


def test_an_area_with_an_open_outline_is_a_mistake_that_is_named() -> None:
    setup = scenarios.set_up("patrol")
    setup.terrain = [Feature("copse", "wood", [(10, 10), (20, 10)], closed=False)]
    (problem,) = RULESET.problems(setup)
    assert problem == "terrain[0].closed: wood is an area and has a closed outline: leave `closed` out"


@pytest.mark.parametrize("name", scenarios.SCENARIOS.names())
def test_a_scenario_can_be_played(name: str) -> None:
    setup = scenarios.set_up(name)
    assert RULESET.problems(setup) == []
    game: Game[Any] = Game(load("hof"), setup, SeededDice(3))
    while game.state.phase in ("objectives", "reserves", "bombard", "deploy"):
        assert game.ask is not None
        question = game.ask.question
        game.accept((question.answers() or question.candidates(4))[0])
    assert len(game.state.objectives) >= 2


def test_the_scenarios_use_all_nations_and_both_ways_to_objectives() -> None:
    every = [scenarios.SCENARIOS.load(name) for name in scenarios.SCENARIOS.names()]
    nations = {forces.FORCES.load(force).nation for each in every for force in each.forces.values()}
    assert nations == {"us", "german", "british", "soviet"}
    assert sum(not each.objectives for each in every) == 2
    assert len({each.options for each in every}) == len(every)


def test_a_scenario_is_played_with_other_forces_and_other_optional_rules() -> None:
    setup = scenarios.set_up("ridge", {"blue": "soviet-strelkovy-company"}, Options(air=True))
    assert setup.companies["blue"].nation == "soviet"
    assert setup.options == Options(air=True)
    assert not any(unit.kind for unit in setup.units.values())


@pytest.mark.rule("hof.forces-parity.handicap")
def test_the_handicap_of_a_scenario_holds_for_its_own_forces(tmp_path: Path) -> None:
    path = tmp_path / "field.toml"
    path.write_text(SCENARIO + "handicap = { blue = 4 }\n", encoding="utf-8")
    assert begin(scenarios.set_up(str(path))).companies["blue"].break_limit == 5 + 2 * 3 - 4
    assert begin(scenarios.set_up(str(path), {"red": "us-tank-company"})).companies["blue"].break_limit == 5 + 2 * 3


def test_a_force_is_read_from_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "company.toml"
    path.write_text(COMPANY, encoding="utf-8")
    assert scenarios.set_up("patrol", {"red": path}).companies["red"].name == "A Small Company"
    with pytest.raises(data.DataError, match="there is no such file"):
        forces.FORCES.load(tmp_path / "compani.toml")
    for call in (forces.FORCES.load, scenarios.SCENARIOS.load, scenarios.set_up):
        with pytest.raises(UnknownName, match="there is no"):
            call("nowhere")


@pytest.mark.rule("hof.battle.roles")
def test_the_side_with_more_vehicles_attacks_unless_a_scenario_says_otherwise() -> None:
    tanks, rifles = forces.FORCES.load("us-tank-company"), forces.FORCES.load("german-grenadier-company")
    assert forces.muster(Table(72, 48), tanks, rifles, Options()).attacker == "red"
    assert forces.muster(Table(72, 48), rifles, tanks, Options()).attacker == "blue"
    assert forces.muster(Table(72, 48), rifles, rifles, Options()).attacker == "red"


SCENARIO = """\
format = "sandtable.hof.scenario"
title = "A Field"
about = "A field."
authored = "Authored for Sandtable."
rounds = 8
table = { width = 72, depth = 48 }
forces = { red = "us-patrol", blue = "german-patrol" }
options = { fortifications = true, obstacles = true }
"""


def piece(number: int, kind: str, length: float = 8.0) -> str:
    box = [[2.0, number * 3.0], [2.0 + length, number * 3.0], [2.0 + length, number * 3 + 2.0], [2.0, number * 3 + 2.0]]
    return f'[[terrain]]\nid = "{kind}-{number}"\nkind = "{kind}"\npoints = {box}\n'


def scenario_mistakes(text: str) -> list[data.DataError]:
    return data.problems_in(text, Scenario, "field.toml")


@pytest.mark.rule("hof.optional.trench-set", "hof.optional.obstacle-set")
@pytest.mark.parametrize(
    ("kind", "of", "rule"),
    [
        ("trench", 4, "hof.optional.trench-set"),
        ("wire", 3, "hof.optional.obstacle-set"),
        ("minefield", 3, "hof.optional.obstacle-set"),
        ("at-obstacle", 3, "hof.optional.obstacle-set"),
    ],
)
def test_trenches_and_obstacles_come_in_whole_sets(kind: str, of: int, rule: str) -> None:
    whole = SCENARIO + "".join(piece(number, kind) for number in range(of))
    assert scenario_mistakes(whole) == []
    (one_more,) = scenario_mistakes(whole + piece(of, kind))
    assert rule in one_more.problem
    short = SCENARIO + piece(0, kind, 6.0) + "".join(piece(number, kind) for number in range(1, of))
    (too_short,) = scenario_mistakes(short)
    assert rule in too_short.problem
    assert too_short.line == line_of(short, "points")
    (without,) = scenario_mistakes(whole.replace("fortifications = true, obstacles = true", "air = true"))
    assert "needs the optional rule" in without.problem


@pytest.mark.rule("hof.optional.trench-set", "hof.optional.obstacle-set")
def test_a_side_lays_the_sets_of_its_force_and_those_of_the_scenario(tmp_path: Path) -> None:
    own, field = tmp_path / "company.toml", tmp_path / "field.toml"
    own.write_text(COMPANY.replace("[units", "fieldworks = { wire = 1, trench = 1 }\n[units", 1), encoding="utf-8")
    field.write_text(SCENARIO + "fieldworks = { red = { wire = 2, minefield = 1 } }\n", encoding="utf-8")
    companies = scenarios.set_up(str(field), {"red": own}).companies
    assert companies["red"].fieldworks == {"wire": 3, "trench": 1, "minefield": 1}
    assert companies["blue"].fieldworks == {}


@pytest.mark.rule("hof.optional.trench-set", "hof.optional.obstacle-set")
def test_mistakes_in_what_is_to_be_laid_are_named() -> None:
    assert "from 1 on" in only_mistake(COMPANY.replace("[units", "fieldworks = { wire = 0 }\n[units", 1)).problem
    sets = "fieldworks = { blue = { trench = 1 } }\n"
    assert scenario_mistakes(SCENARIO + sets) == []
    (without,) = scenario_mistakes((SCENARIO + sets).replace("fortifications = true, ", ""))
    assert "trench needs the optional rule `fortifications`" in without.problem
    (none,) = scenario_mistakes(SCENARIO + sets.replace("1", "0"))
    assert "from 1 on" in none.problem


def terrain(kind: str, points: str) -> str:
    return f'[[terrain]]\nid = "a"\nkind = "{kind}"\npoints = {points}\n'


WOOD = terrain("wood", "[[0, 0], [9, 0], [9, 9]]")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SCENARIO.replace("us-patrol", "us-patrole"), "there is no force 'us-patrole'"),
        (SCENARIO.replace('red = "us-patrol", ', ""), "red has no force"),
        (SCENARIO.replace("rounds = 8", "rounds = 0"), "at least one round"),
        (SCENARIO.replace("depth = 48", "depth = 0"), "a width and a depth"),
        (SCENARIO + 'edges = { red = "south", blue = "south" }\n', "one side has the southern edge"),
        (SCENARIO + "objectives = { a = { at = [80, 3] } }\n", "off the table"),
        (SCENARIO + terrain("lava", "[[0, 0], [9, 0], [9, 9]]"), "unknown terrain 'lava'"),
        (SCENARIO + terrain("wood", "[[0, 0], [9, 0]]"), "three points"),
        (SCENARIO + terrain("wood", "[[0, 0], [90, 0], [9, 9]]"), "90, 0 is off the table"),
        (SCENARIO + WOOD + WOOD, "another piece of terrain is called 'a'"),
    ],
)
def test_a_mistake_in_a_scenario_is_named(text: str, words: str) -> None:
    (error,) = scenario_mistakes(text)
    assert words in error.problem
