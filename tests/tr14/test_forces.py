"""Force files: what a company must have, and how a file without it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.engine import data
from sandtable.rulesets.tr14.forces import armies as forces

COMPANY = """\
format = "sandtable.tr14.force"
title = "A Small Company"
nation = "us"

[units.cc]
name = "Company Commander"
training = "veteran"
leader = "smg"
apart = "cc"

[units.first]
name = "1st Platoon"
training = "green"
leader = "rifle"
teams = { rifle = 2 }
"""


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


def refusal(folder: Path, text: str) -> data.DataError:
    path = folder / "company.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(data.DataError) as caught:
        data.read(path, forces.Force)
    assert caught.value.file == str(path)
    assert str(caught.value).startswith(f"{path}:{caught.value.line}: ")
    return caught.value


@pytest.mark.rule("tr14.leaders.who")
def test_a_company_with_its_leaders_is_read(tmp_path: Path) -> None:
    path = tmp_path / "company.toml"
    path.write_text(COMPANY, encoding="utf-8")
    force = data.read(path, forces.Force)
    platoon = forces.raise_unit("red", "first", force.units["first"])
    commander = forces.raise_unit("red", "cc", force.units["cc"])
    assert [team.role for team in platoon.teams.values()] == ["pl", "", ""]
    assert [team.role for team in commander.teams.values()] == ["cc"]


@pytest.mark.rule("tr14.leaders.who")
@pytest.mark.parametrize("name", forces.FORCES.names())
def test_every_shipped_company_has_its_leaders(name: str) -> None:
    force = forces.FORCES.load(name)
    units = [forces.raise_unit("red", key, unit) for key, unit in force.units.items()]
    assert sum(unit.apart == "cc" for unit in units) == 1
    assert all(unit.leader is not None for unit in units if not unit.apart)


@pytest.mark.rule("tr14.leaders.who")
def test_a_company_without_a_commander_is_refused_by_file_and_line(tmp_path: Path) -> None:
    text = COMPANY.replace('apart = "cc"\n', "")
    error = refusal(tmp_path, text)
    assert "Company Commander" in error.problem
    assert "tr14.leaders.who" in error.problem
    assert error.where == "units"
    assert error.line == line_of(text, "[units.cc]")


@pytest.mark.rule("tr14.leaders.who")
def test_a_company_with_two_commanders_is_refused(tmp_path: Path) -> None:
    commander = COMPANY[COMPANY.index("[units.cc]") : COMPANY.index("[units.first]")]
    error = refusal(tmp_path, COMPANY + "\n" + commander.replace("units.cc", "units.deputy"))
    assert "exactly one Company Commander" in error.problem


@pytest.mark.rule("tr14.leaders.who")
@pytest.mark.parametrize("unit", ["cc", "first"])
def test_a_unit_without_a_leader_is_refused_by_file_and_line(tmp_path: Path, unit: str) -> None:
    leader = {"cc": 'leader = "smg"\n', "first": 'leader = "rifle"\n'}[unit]
    text = COMPANY.replace(leader, "")
    error = refusal(tmp_path, text)
    assert "leader" in error.problem
    assert "tr14.leaders.who" in error.problem
    assert error.where == f"units.{unit}"
    assert error.line == line_of(text, f"[units.{unit}]")


@pytest.mark.rule("tr14.leaders.who")
def test_every_mistake_of_a_company_is_listed(tmp_path: Path) -> None:
    text = COMPANY.replace('apart = "cc"\n', "").replace('leader = "rifle"\n', "")
    found = data.problems_in(text, forces.Force, "company.toml")
    assert [error.where for error in found] == ["units", "units.first"]
