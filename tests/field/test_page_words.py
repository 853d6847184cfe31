"""The words of a page as data: signs that follow from fields, and facts about ground."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
from sandtable.engine.cards import Fact
from sandtable.field.page_words import PageWords
from sandtable.table.scene import Badge

TEXT = """\
format = "sandtable.toy.page"

[signs.down]
icon = "S"
words = "pinned"
title = "Pinned"
about = "once for each marker"
of = "markers"

[signs.shots]
icon = "F"
words = "shot"
title = "Shots"
of = "shots"
counted = true

[signs.lost]
icon = "L"
words = "without a leader"
title = "Leaderless"

[signs.eye]
icon = "O"
words = "on watch"
title = "On watch"
of = "watching"
unit = true

[ground]
wet = ["Wet", "feet get wet", "toy.water"]
deep = ["Deep", "", "toy.depth"]

[assumes]
dry = "Nobody gets wet."
late = "Nobody is late."

[[habits]]
id = "yes"
words = "Always yes."
topic = "ask"

[[switches]]
id = "rain"
title = "Rain"
about = "It rains."
"""


class Piece(msgspec.Struct):
    markers: int = 0
    shots: int = 0


class Unit(msgspec.Struct):
    watching: bool = False


PAGE = data.parse(TEXT, PageWords, "page.toml")


def test_signs_follow_from_the_fields_of_a_piece() -> None:
    assert PAGE.badges(Piece()) == ()
    assert PAGE.badges(Piece(markers=2)) == (Badge("S", "pinned", 2, "down"),)
    assert PAGE.badges(Piece(1, 3)) == (Badge("S", "pinned", 1, "down"), Badge("F", "3 shots", 3, "shots"))
    assert PAGE.badges(Unit(watching=True), unit=True) == (Badge("O", "on watch", 1, "eye"),)


def test_a_sign_may_be_shown_by_its_name_with_other_words() -> None:
    assert PAGE.badge("lost") == Badge("L", "without a leader", sign="lost")
    assert PAGE.badge("lost", "astray").words == "astray"
    assert PAGE.legend["down"] == Fact("Pinned", "once for each marker")


def test_each_kind_of_ground_has_the_facts_that_apply_to_it() -> None:
    found = PAGE.terrain({"pond": 2, "puddle": 1}, lambda _, depth: ["wet", "deep"][:depth])
    assert found["puddle"] == (Fact("Wet", "feet get wet", "toy.water"),)
    assert [fact.name for fact in found["pond"]] == ["Wet", "Deep"]
    shown = PAGE.shown({"pond": 2}, lambda _, depth: ["wet", "deep"][:depth])
    assert shown["terrain"]() == {"pond": found["pond"]}
    assert shown["legend"] is PAGE.legend


def test_a_ruleset_tells_its_habits_and_switches_and_its_files_by_them() -> None:
    class Card(msgspec.Struct):
        format: Literal["sandtable.toy.card"]

    told = PAGE.of_ruleset(Card)
    assert told["formats"] == {PAGE.format: PageWords, "sandtable.toy.card": Card}
    assert ([each.id for each in told["switches"]], [each.id for each in told["habits"]]) == (["rain"], ["yes"])


def test_they_lie_beside_the_other_data_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "page.toml").write_text(TEXT)
    assert PageWords.beside(str(tmp_path / "page" / "views.py")) == PAGE


def test_what_is_assumed_is_told_as_far_as_it_comes_up() -> None:
    assert PAGE.assumed(["late", "never"]) == ("Nobody is late.",)
    assert PAGE.assumed({"late", "dry"}) == ("Nobody gets wet.", "Nobody is late.")


def test_what_is_chosen_by_its_id_has_an_id_of_its_own() -> None:
    again = TEXT + '\n[[habits]]\nid = "yes"\nwords = "Yes."\ntopic = "other"\n'
    (found,) = data.problems_in(again, PageWords, "page.toml")
    assert "'yes' is used twice" in found.problem
    assert PAGE.habits[0].answer is None


def test_what_is_said_of_something_comes_with_its_rule() -> None:
    words = data.parse(TEXT + '\n[said.actions]\nrun = ["Run", "toy.moving.run"]\n', PageWords, "page.toml")
    assert words.said == {"actions": {"run": ("Run", "toy.moving.run")}}
    assert PAGE.said == {}
