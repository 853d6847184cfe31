"""What pages show of any game: rings, stopped lines, rosters, names, and shelves of files."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable.engine.cards import UnitCard
from sandtable.field import sightlines
from sandtable.field.library import Shelf, UnknownName
from sandtable.field.rosters import own_first, signs
from sandtable.field.troops import numbered, other
from sandtable.table.scene import Badge
from sandtable.table.shapes import point_body
from sandtable.table.terrain import Feature, Terrain


def test_rings_are_drawn_from_the_middle_and_share_a_line_where_they_coincide() -> None:
    reaches = [("Rifle", 12.0, 16.0), ("Mortar", 16.0, 16.0), ("Rifle", 12.0, 16.0)]
    assert sightlines.rings(reaches, 0.5) == ((12.5, "Rifle 12″"), (16.5, "Rifle long range 16″, Mortar 16″"))


def test_what_stops_a_line_alone_is_told_and_else_all_that_does_so_together() -> None:
    assert sightlines.stopping([4, 7, 4], lambda number: number == 7) == {7}
    assert sightlines.stopping([4, 7, 4], lambda number: False) == {4, 7}
    assert sightlines.stopping([], lambda number: True) == set()


def test_a_line_from_the_side_names_what_it_crosses_and_what_stops_it() -> None:
    wood = Feature("wood", "wood", [(4, 0), (6, 0), (6, 4), (4, 4)], height=3.0)
    terrain = Terrain([wood], 20.0, 20.0)
    eye, target = point_body(1, 2, 0.0), point_body(9, 2, 1.0)
    view = sightlines.side_view(terrain, eye, target, set, lambda x, y: 1.0 if x > 8 else 0.0, "a.rule")
    assert (view.length, view.eye, view.target, view.clear) == (8.0, 0.0, 1.0, False)
    assert [(each.start, each.end, each.top, each.stops) for each in view.slices] == [(3.0, 5.0, 3.0, True)]
    assert view.ground[0] == (0.0, 0.0)
    assert view.ground[-1] == (8.0, 1.0)
    assert [(note.value, note.rule) for note in view.notes] == [("blocked", "a.rule")]
    clear = sightlines.side_view(terrain, eye, target, None, lambda *_: 0.0, "a.rule")
    assert clear.clear
    assert not clear.slices[0].stops
    assert clear.notes[0].value == "clear"


def test_own_units_come_first_and_a_watcher_sees_the_order_of_the_set_up() -> None:
    cards = [UnitCard(name, side, name, "", (1, 1)) for name, side in (("a", "red"), ("b", "blue"), ("c", "blue"))]
    assert [card.id for card in own_first(cards, "blue")] == ["b", "c", "a"]
    assert [card.id for card in own_first(cards, None)] == ["a", "b", "c"]


def test_signs_are_of_what_holds_and_numbers_say_how_often() -> None:
    assert signs((2, "S", "suppressed"), (False, "D", "dug in"), (True, "O", "on watch")) == (
        Badge("S", "suppressed", 2),
        Badge("O", "on watch", 1),
    )


def test_a_piece_is_called_by_its_kind_and_its_own_number() -> None:
    assert numbered("Rifle", "red-1-rifle-3") == "Rifle 3"
    assert numbered("ISU-152", "red-1-isu-1") == "ISU-152 no. 1"
    assert numbered("Leader", "red-1-pl") == "Leader"
    assert (other("red"), other("blue")) == ("blue", "red")


class Menu(msgspec.Struct):
    title: str


def test_a_shelf_knows_its_names_and_says_which_is_nearest(tmp_path: Path) -> None:
    for name in ("soup", "roast"):
        (tmp_path / f"{name}.toml").write_text(f'title = "{name.title()}"\n')
    shelf = Shelf(tmp_path, Menu, "menu")
    assert shelf.names() == ["roast", "soup"]
    assert shelf.load("soup").title == "Soup"
    assert shelf.load(tmp_path / "roast.toml").title == "Roast"
    assert shelf.missing("soup") is None
    assert shelf.missing("sup") == "there is no menu 'sup'; did you mean `soup`? known: roast, soup"
    with pytest.raises(UnknownName, match="there is no menu 'sup'; known: roast, soup"):
        shelf.load("sup")
