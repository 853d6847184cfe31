"""What is kept beside a board: by its owner alone, and no longer than it holds."""

from __future__ import annotations

import numpy as np

from sandtable.field.board import Board
from sandtable.field.kept import Kept, KeptOne, KeptUntilChange


def a_board() -> Board:
    return Board(np.zeros((0, 8)), {})


def test_each_owner_has_his_own() -> None:
    names, sizes = Kept[str, str](), Kept[str, int]()
    here = a_board()
    names.of(here)["a"] = "Able"
    sizes.of(here)["a"] = 3
    assert names.of(here) == {"a": "Able"}
    assert sizes.of(here) == {"a": 3}


def test_what_is_kept_goes_with_its_board() -> None:
    names, leader = Kept[str, str](), KeptOne[str]()
    here = a_board()
    names.of(here)["a"] = "Able"
    assert leader.of(here) is None
    assert leader.keep(here, "Able") == "Able"
    assert leader.of(here) == "Able"
    assert names.of(a_board()) == {}
    assert leader.of(a_board()) is None


def test_a_change_ends_what_holds_until_then() -> None:
    near, names = KeptUntilChange[str, float](), Kept[str, str]()
    here = a_board()
    near.of(here)["a"] = 4.0
    names.of(here)["a"] = "Able"
    before = here.version
    here.change()
    assert near.of(here) == {}
    assert names.of(here) == {"a": "Able"}
    assert here.version != before


def test_what_would_be_too_much_is_forgotten() -> None:
    lengths = Kept[str, int](most=2)
    here = a_board()
    for name in ("one", "three", "one", "eleven"):
        lengths.once(here, name, lambda: len(name))  # noqa: B023
    assert lengths.of(here) == {"eleven": 6}


def test_what_is_kept_is_found_out_once() -> None:
    here = a_board()
    found: list[int] = []

    def find() -> int:
        found.append(1)
        return len(found)

    lasting, passing = Kept[str, int](), KeptUntilChange[str, int]()
    assert [lasting.once(here, "a", find), lasting.once(here, "a", find), lasting.once(here, "b", find)] == [1, 1, 2]
    assert [passing.once(here, "a", find), passing.once(here, "a", find)] == [3, 3]
    here.change()
    assert lasting.once(here, "a", find) == 1
    assert passing.once(here, "a", find) == 4
