"""Reading data files: what is right becomes a structure, what is wrong is named by file and line."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from sandtable.engine import data
from sandtable.engine.data import DataError
from sandtable.engine.errors import SandtableError
from sandtable.engine.formats import formats_of


class Arm(Enum):
    INFANTRY = "infantry"
    TANK = "tank"


class Gun(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="gun"):
    range: int


class Shield(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="shield"):
    save: int


class Team(msgspec.Struct, forbid_unknown_fields=True):
    at: tuple[float, float]
    arm: Arm = Arm.INFANTRY
    gear: list[Gun | Shield] = []


class Force(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    side: Literal["", "red", "blue"] = "red"
    points: Annotated[int, msgspec.Meta(ge=1)] = 1
    team: dict[str, Team] = {}
    unit: list[Team] = []

    def mistakes(self) -> Iterator[tuple[str, str]]:
        for number, unit in enumerate(self.unit):
            if unit.at[0] < 0:
                yield f"unit[{number}].at", "this is off the table"


def problem(text: str) -> str:
    with pytest.raises(DataError) as caught:
        data.parse(text, Force, "force.toml")
    assert [str(caught.value)] == [str(one) for one in data.problems_in(text, Force, "force.toml")]
    return str(caught.value)


def test_a_good_file_becomes_a_structure(tmp_path: Path) -> None:
    path = tmp_path / "force.toml"
    path.write_text('name = "Kompanie"\n[team.r1]\nat = [1, 2.5]\narm = "tank"\n', encoding="utf-8")
    assert data.read(path, Force) == Force("Kompanie", team={"r1": Team((1.0, 2.5), Arm.TANK)})
    assert data.problems(path, Force) == []


def test_an_unknown_key_names_the_known_ones() -> None:
    assert problem('name = "x"\npoint = 3\n') == (
        "force.toml:2: point: unknown key `point`; did you mean `points`? known keys: name, points, side, team, unit"
    )


def test_a_missing_key_is_looked_for_where_its_table_begins() -> None:
    text = 'name = "x"\n\n[[unit]]\nat = [1, 2]\n\n[[unit]]\narm = "tank"\n'
    assert problem(text) == "force.toml:6: unit[1]: the key `at` is missing"


def test_a_wrong_kind_of_value_is_told_in_plain_words() -> None:
    assert problem("name = 3\n") == "force.toml:1: name: expected text, got a whole number (3)"
    assert problem('name = "x"\npoints = 0\n').endswith("points: expected a whole number >= 1, got 0")


def test_a_wrong_element_of_a_long_list_has_its_own_line() -> None:
    text = 'name = "x"\n[[unit]]\nat = [\n  1,\n  "two",\n]\n'
    assert problem(text) == 'force.toml:5: unit[0].at[1]: expected a number, got text ("two")'


def test_a_wrong_entry_of_a_table_is_named_although_its_key_is_free() -> None:
    text = 'name = "x"\n[team.r1]\nat = [1, 2]\n[team."r 2"]\nat = [1, 2]\narm = "horse"\n'
    expected = 'team."r 2".arm: "horse" is not known here; known values: infantry, tank'
    assert problem(text) == f"force.toml:6: {expected}"


def test_choices_and_tags_list_what_is_known() -> None:
    assert problem('name = "x"\nside = "green"\n').endswith('"green" is not known here; known values: blue, red')
    text = 'name = "x"\n[[unit]]\nat = [1, 2]\ngear = [\n  { type = "gum", range = 1 },\n]\n'
    assert problem(text) == (
        'force.toml:5: unit[0].gear[0].type: "gum" is not known here; did you mean `gun`? known values: gun, shield'
    )


def test_what_types_cannot_say_has_a_line_too() -> None:
    assert problem('name = "x"\n[[unit]]\nat = [-1, 2]\n') == "force.toml:3: unit[0].at: this is off the table"


def test_broken_toml_has_its_line() -> None:
    assert problem('name = "x"\npoints = = 3\n').startswith("force.toml:2: not valid TOML: ")
    assert problem('name = "x"\n[[unit]]\nat = [1,').startswith("force.toml:3: not valid TOML: ")


def test_every_problem_is_found_not_only_the_first() -> None:
    text = """\
nam = "x"
side = "green"
[team.a]
at = [1, "x"]
[team.b]
at = [1, 2]
spede = 3
[[unit]]
at = [1, 2, 3]
[[unit]]
at = [1, 2]
[[unit]]
arm = 7
[[unit]]
gear = [{ type = "gun", rage = 1 }]
"""
    found = [(one.line, one.where) for one in data.problems_in(text, Force, "f")]
    assert found == [
        (1, "nam"),
        (1, ""),  # the name is missing
        (2, "side"),
        (4, "team.a.at[1]"),
        (7, "team.b.spede"),
        (9, "unit[0].at"),
        (12, "unit[2]"),  # no place
        (13, "unit[2].arm"),
        (14, "unit[3]"),  # no place
        (15, "unit[3].gear[0].rage"),
        (15, "unit[3].gear[0]"),  # no range
    ]


def test_a_file_that_cannot_be_read_says_so_without_a_line(tmp_path: Path) -> None:
    with pytest.raises(SandtableError, match=r"nothing\.toml: there is no such file"):
        data.read(tmp_path / "nothing.toml", Force)
    (tmp_path / "picture.toml").write_bytes(b"\xff\xfe\x00")
    assert [one.line for one in data.problems(tmp_path / "picture.toml", Force)] == [0]
    assert "is a folder" in str(data.problems(tmp_path, Force)[0])


def test_a_format_is_found_in_the_structure_that_reads_it() -> None:
    class Card(msgspec.Struct):
        format: Literal["sandtable.toy.card"]

    assert formats_of(Card) == {"sandtable.toy.card": Card}
