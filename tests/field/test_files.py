"""Scenarios, forces and kinds of terrain as files: what any game may be wrong in, and what a new file holds."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from sandtable.engine import data
from sandtable.engine.toml_lines import problem_at
from sandtable.field import forces, scenarios
from sandtable.field.library import Shelf, UnknownName
from sandtable.field.scenarios import ScenarioFile
from sandtable.field.terrain_kinds import Drawn, TerrainKinds
from sandtable.field.troops import Point, Table
from sandtable.table.terrain import Feature

SHAPES = {"wood": "area", "wall": "line"}
SQUARE = [(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)]


class Force(msgspec.Struct, forbid_unknown_fields=True):
    title: str


class Objective(msgspec.Struct):
    at: Point
    holder: str = ""


class Scenario(ScenarioFile, forbid_unknown_fields=True, kw_only=True):
    zones: dict[str, list[Point]] = msgspec.field(default_factory=dict)
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)


class Kind(Drawn, frozen=True, forbid_unknown_fields=True):
    shape: Literal["area", "line"]


class Kinds(msgspec.Struct):
    kinds: dict[str, Kind]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf[Force]:
    for name in ("fox", "hen"):
        (tmp_path / f"{name}.toml").write_text(f'title = "The {name}"\n', encoding="utf-8")
    return Shelf(tmp_path, Force, "force")


def battle(**more: object) -> Scenario:
    said = {"title": "", "about": "", "authored": "", "rounds": 6, "forces": {"red": "fox", "blue": "hen"}}
    return Scenario(**{"table": Table(24, 24), **said, **more})  # type: ignore[arg-type]


def test_a_sound_scenario_is_sound(shelf: Shelf[Force]) -> None:
    fine = battle(terrain=[Feature("w", "wood", SQUARE)], zones={"red": SQUARE}, objectives={"hill": Objective((3, 3))})
    assert list(scenarios.scenario_amiss(fine, SHAPES, shelf)) == []


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"rounds": 0}, "rounds: a battle has at least one round"),
        ({"forces": {"red": "fox"}}, "forces: blue has no force"),
        ({"forces": {"red": "fox", "blue": "hens"}}, "forces.blue: there is no force 'hens'; did you mean `hen`?"),
        ({"table": Table(0, 24)}, "table.width: 0 is no size"),
        ({"terrain": [Feature("w", "woods", SQUARE)]}, "terrain[0].kind: unknown terrain 'woods'"),
        ({"zones": {"green": SQUARE}}, "zones.green: unknown side 'green'"),
        ({"objectives": {"hill": Objective((30, 3))}}, "objectives.hill.at: 30, 3 is off the table"),
        ({"objectives": {"hill": Objective((3, 3), "me")}}, "objectives.hill.holder: unknown side 'me'"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_told_by_its_place(
    shelf: Shelf[Force], more: dict[str, object], problem: str
) -> None:
    first = next(scenarios.scenario_amiss(battle(**more), SHAPES, shelf))
    assert problem_at(*first).startswith(problem)


def test_a_player_may_bring_a_force_of_his_own(shelf: Shelf[Force]) -> None:
    chosen = scenarios.forces_of(battle(), shelf, {"red": "hen", "blue": None})
    assert [force.title for force in chosen.values()] == ["The hen", "The hen"]
    assert [army.title for army in scenarios.armies(shelf)] == ["The fox", "The hen"]


def test_a_set_up_with_a_fault_is_not_played() -> None:
    assert scenarios.checked("hill", 7, iter(())) == 7
    with pytest.raises(UnknownName, match="hill: units: nobody is there"):
        scenarios.checked("hill", 7, iter([(("units",), "nobody is there"), (("units",), "nothing is there")]))


def test_the_text_of_a_first_force_can_be_read_between_its_comments(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    kept = 'nation = "NATION"\n\n[units.rifles]\nteams = { NATION-rifle-mg = 6 }\n'
    (tmp_path / "data" / "first-force.txt").write_text(kept)
    text = forces.first_of(tmp_path, "us")
    whole = forces.annotated("# Keys.\n", text, {"": {"rifle-mg": "Rifle/MG"}, "guns": {"mortar": "60mm mortar"}})
    assert tomllib.loads(whole) == {"nation": "us", "units": {"rifles": {"teams": {"us-rifle-mg": 6}}}}
    assert whole.startswith("# Keys.\n")
    assert whole.endswith("# Profiles:\n#   rifle-mg: Rifle/MG\n# guns\n#   mortar: 60mm mortar\n")


def test_teams_are_counted_and_numbered_from_one() -> None:
    teams = {"rifle": 2, "mortar": 0}
    assert forces.counted(teams, str.upper, {"rifle": "fast"}) == ["2 × RIFLE (fast)", "0 × MORTAR"]
    assert list(forces.team_ids("red-a", "rifle", 2)) == ["red-a-rifle-1", "red-a-rifle-2"]
    found = forces.none_amiss(("teams",), teams, "Teams", {"mortar": "toy.mortars"})
    assert list(found) == [(("teams", "mortar"), "give a number of Teams from 1 on (toy.mortars)")]


def test_a_kind_of_terrain_is_one_entry_with_its_look(tmp_path: Path) -> None:
    file = tmp_path / "terrain.toml"
    vines, ditch = '[kinds.vines]\nshape = "area"\nlook = "orchard"\n', '[kinds.ditch]\nshape = "line"\n'
    file.write_text(vines + ditch, encoding="utf-8")
    terrain: TerrainKinds[Kind] = TerrainKinds(file, Kinds)
    assert terrain.shapes() == {"vines": "area", "ditch": "line"}
    assert terrain.looks() == {"vines": "orchard", "ditch": "other"}
    file.write_text(vines.replace("orchard", "vines"), encoding="utf-8")
    with pytest.raises(data.DataError, match=r"terrain\.toml:3: kinds\.vines\.look"):
        TerrainKinds[Kind](file, Kinds).kinds()
