"""What pages show of any game: pictures, numbers in words, outcomes, rosters, names, and shelves of files."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from sandtable.engine.cards import Chance, PreviewLine, UnitCard
from sandtable.engine.events import Event, Modifier
from sandtable.engine.ruleset import Result
from sandtable.field import courses, facts, outcomes, showing, sightlines
from sandtable.field.library import Shelf, UnknownName
from sandtable.field.reckoning import decided, held
from sandtable.field.rosters import own_first, signs
from sandtable.field.troops import Point, Table, numbered, other
from sandtable.table.scene import Badge, Spot
from sandtable.table.shapes import Footprint
from sandtable.table.terrain import Feature


class Farm(msgspec.Struct):
    title: str = ""
    table: Table = Table(24.0, 12.0)


class Objective(msgspec.Struct):
    at: Point
    name: str = ""
    holder: str = ""


def test_rings_are_drawn_from_the_middle_and_share_a_line_where_they_coincide() -> None:
    reaches = [("Rifle", 12.0, 16.0), ("Mortar", 16.0, 16.0), ("Rifle", 12.0, 16.0)]
    assert sightlines.rings(reaches, 0.5) == ((12.5, "Rifle 12″"), (16.5, "Rifle long range 16″, Mortar 16″"))


def test_what_stops_a_line_alone_is_told_and_else_all_that_does_so_together() -> None:
    assert sightlines.stopping([4, 7, 4], lambda number: number == 7) == {7}
    assert sightlines.stopping([4, 7, 4], lambda number: False) == {4, 7}
    assert sightlines.stopping([], lambda number: True) == set()


def test_a_picture_has_the_set_up_s_title_and_what_lies_on_the_table() -> None:
    setup = Farm(title="The Farm")
    wood = Feature("wood", "wood", [(4, 0), (6, 0), (6, 4), (4, 4)])
    spots = showing.spots({"well": Objective((3.0, 4.0), holder="red")}, lambda _: 4.0)
    areas = [*showing.smoke([wood]), showing.disc((10.0, 10.0), 2.0, "template", "Barrage")]
    scene = showing.scene(setup, [wood], [], spots, areas, "farm", "Round 1")
    assert (scene.width, scene.depth, scene.title, scene.caption) == (24.0, 12.0, "The Farm", "Round 1")
    assert scene.spots == [Spot(3.0, 4.0, 4.0, "well", "red")]
    cloud, template = scene.areas
    assert (cloud.kind, cloud.points) == ("smoke", [(4, 0), (6, 0), (6, 4), (4, 4)])
    assert (template.kind, template.label) == ("template", "Barrage")
    assert all(math.dist(corner, (10.0, 10.0)) == pytest.approx(2.0) for corner in template.points)
    assert showing.scene(Farm(), [], [], title="farm").title == "farm"
    assert showing.open_table(setup.table, [wood], 6)["terrain"][0]["id"] == "wood"


def test_numbers_of_both_sides_tell_what_is_known() -> None:
    known, bare, hidden, limit = (
        facts.by_side("Points", "a.rule", {"red": count})[0] for count in ((2, 3), (2, None), (None, None), (None, 3))
    )
    assert (known.value, known.count, known.side, known.known) == ("2 of 3", (2, 3), "red", True)
    assert (bare.value, bare.count) == ("2", (2, 2))
    assert (hidden.value, hidden.count, hidden.known) == ("?", None, False)
    assert (limit.value, limit.known) == ("? of 3", False)


class Gun(msgspec.Struct):
    name: str
    range: float | None
    notes: tuple[str, ...] = ()


def test_the_card_of_a_kind_has_a_row_for_each_weapon_and_says_each_note_once() -> None:
    guns = [Gun("Rifle", 16.0), Gun("Mortar", None, ("smoke", "plain"))]
    notes = {"smoke": ("fires smoke", "a.smoke"), "fast": ("Fast", "a.fast")}
    card = facts.profile(
        "Squad",
        "infantry",
        [facts.base(Footprint(1.0, 2.0), "a.base")],
        guns,
        {"Weapon": lambda gun: gun.name, "Range": lambda gun: gun.range},
        lambda gun: gun.notes,
        ["fast", "smoke"],
        notes,
    )
    assert (card.name, card.look, card.columns) == ("Squad", "infantry", ("Weapon", "Range", "Notes"))
    assert card.weapons == (("Rifle", "16", ""), ("Mortar", "–", "fires smoke"))
    assert [(note.name, note.rule) for note in card.notes] == [("Fast", "a.fast"), ("fires smoke", "a.smoke")]
    assert [fact.value for fact in card.facts] == ["1 by 2 inches"]


def test_a_step_is_told_with_its_length_and_how_far_one_may_go() -> None:
    path = [(0.0, 0.0), (3.0, 4.0)]
    assert courses.distance(path, "a.rule").value == "5.0 inches"
    assert courses.reach(path, 5.0, "a.rule").value == "up to 5 inches"
    assert courses.reach(path, 4.5, "a.rule").value == "4.5 inches: too far"
    assert courses.reach(path, 4.0, "a.rule", "farther than a Move").value == "4 inches: farther than a Move"
    assert courses.ground_words("very-difficult") == "Very difficult"


def test_an_outcome_is_what_follows_the_first_attack() -> None:
    told = [Event("lost", "", seat="red"), Event("fire", "", seat="red"), Event("lost", "", seat="blue")]

    def words(since: list[Event]) -> str:
        theirs, own = outcomes.losses(since, "lost", since[0].seat)
        return outcomes.in_words((theirs, "destroyed"), (own, "of your own lost"), otherwise="no hits")

    assert outcomes.outcome(["fire"], words, told) == "1 destroyed"
    assert (
        outcomes.outcome(["fire"], words, [*told, Event("lost", "", seat="red")]) == "1 destroyed, 1 of your own lost"
    )
    assert outcomes.outcome(["fire"], words, told[1:2]) == "no hits"
    assert outcomes.outcome(["strike"], words, told) == outcomes.NO_ATTACK


def test_harm_is_told_in_the_words_of_a_game_and_adds_up() -> None:
    words = outcomes.HarmWords("pin", "pins", "section gone", "sections gone", "all saved")
    one = outcomes.Harm(True, 2, 1)
    assert words.say(one, "no hits") == "2 destroyed, 1 pin"
    assert words.say(outcomes.Harm(), "no hits") == "no hits"
    assert words.say(outcomes.Harm(True), "no hits") == "all saved"
    both = one.with_more(outcomes.Harm(False, 0, 2, 1, 1, "blue"))
    assert both == outcomes.Harm(True, 2, 3, 1, 1, "blue")
    told = "2 destroyed, 3 pins, 1 section gone, 1 of your own lost, and Blue retreats"
    assert words.say(both, "no hits") == told


def test_throws_that_need_the_same_for_the_same_reasons_share_a_line() -> None:
    far = outcomes.reasons([Modifier(1, "a.far", "long range")])
    rows = [PreviewLine("Rifle", 2, 4), PreviewLine("Rifle", 1, 5, far), PreviewLine("Rifle", 3, 4)]
    assert outcomes.grouped(rows) == [PreviewLine("Rifle", 5, 4), PreviewLine("Rifle", 1, 5, far)]


def test_of_two_ways_to_end_the_likelier_is_first_and_what_cannot_happen_is_left_out() -> None:
    assert outcomes.two_ways(0.25, "hit", "miss") == (Chance("miss", 0.75), Chance("hit", 0.25))
    assert outcomes.two_ways(1.0, "hit", "miss") == (Chance("hit", 1.0),)


def test_a_battle_that_is_over_is_won_lost_or_drawn() -> None:
    won = Result("red", "Blue is gone.")
    assert (decided(won, "red"), decided(won, "blue")) == (1000.0, -1000.0)
    assert decided(Result(None, "Nobody is left."), "red") == 0.0
    assert decided(None, "red") is None


def test_objectives_are_counted_by_who_holds_them() -> None:
    objectives = {
        "well": Objective((0, 0), holder="red"),
        "mill": Objective((1, 1)),
        "inn": Objective((2, 2), "", "red"),
    }
    assert held(objectives) == {"red": 2, "blue": 0}
    assert held(objectives, lambda objective: 3) == {"red": 6, "blue": 0}


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
    about: str = "Good."


def test_a_shelf_knows_its_names_and_says_which_is_nearest(tmp_path: Path) -> None:
    for name in ("soup", "roast"):
        (tmp_path / f"{name}.toml").write_text(f'title = "{name.title()}"\n')
    shelf = Shelf(tmp_path, Menu, "menu")
    assert shelf.names() == ["roast", "soup"]
    assert shelf.load("soup").title == "Soup"
    assert shelf.about("soup") == "Good."
    assert shelf.load(tmp_path / "roast.toml").title == "Roast"
    assert shelf.missing("soup") is None
    assert shelf.missing("sup") == "there is no menu 'sup'; did you mean `soup`? known: roast, soup"
    with pytest.raises(UnknownName, match="there is no menu 'sup'; known: roast, soup"):
        shelf.load("sup")
