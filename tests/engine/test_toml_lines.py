"""Where things stand in a TOML text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.toml_lines import locate, parse_path, write_path

TEXT = """\
# A comment with = and [brackets]
name = "a # in a text"
size . width = 72
"two words".depth = 48
dice = [1, 2,
    3,  # a ] in a comment
    [4,
     5]]
base = { shape = "round", sizes = [
    1.0, 2.0] }
story = \"\"\"
[not.a.table]
name = 1
\"\"\"
[table.hill]
height = 1
[[unit]]
name = 'first'
[[unit.team]]
at = [1, 2]
[[unit.team]]
at = [3, 4]
[unit.team.gun]
range = 16
[[unit]]
name = "second"
[[unit.team]]
at = [
    5,
    6,
]
[unit.marks."r.1"]
hits = 2
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("name", 2),
        ("size.width", 3),
        ('"two words".depth', 4),
        ("dice", 5),
        ("dice[1]", 5),
        ("dice[2]", 6),
        ("dice[3]", 7),
        ("dice[3][1]", 8),
        ("base.shape", 9),
        ("base.sizes[1]", 10),
        ("table.hill", 15),
        ("table.hill.height", 16),
        ("unit[0]", 17),
        ("unit[0].team[1].at", 22),
        ("unit[0].team[1].gun.range", 24),
        ("unit[1]", 25),
        ("$.unit[1].team[0].at[1]", 30),
        ('$.unit[1].marks."r.1".hits', 33),
    ],
)
def test_every_value_has_its_line(path: str, line: int) -> None:
    assert locate(TEXT, path) == line


def test_what_is_not_there_has_the_line_of_what_is_around_it() -> None:
    assert locate(TEXT, "unit[0].team[1].speed") == 21
    assert locate(TEXT, "$.table[...].height") == 15
    assert locate(TEXT, "nowhere") == 1


def test_a_table_opened_after_its_inner_table_has_its_own_line() -> None:
    assert locate("[a.b]\nx = 1\n[a]\ny = 2\n", "a") == 3


@given(st.lists(st.text(min_size=1) | st.integers(0, 99)))
def test_a_written_path_reads_back(steps: list[str | int]) -> None:
    assert parse_path(write_path(steps)) == tuple(steps)


@given(st.text(alphabet="ab=.,[]{}\"'#\n 1"))
def test_the_scan_ends_whatever_the_text(text: str) -> None:
    assert locate(text, "a.b[1]") >= 1
