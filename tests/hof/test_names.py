"""How Teams are called, and how in the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.tokens import Token, parts, plain
from sandtable.rulesets.hof.core.labels import full_label, full_name, label, spoken_list, team_label, team_name
from sandtable.rulesets.hof.core.state import Team, Unit


@pytest.mark.parametrize(
    ("profile", "name", "called"),
    [
        ("rifle", "r-1", "Rifle 1"),
        ("rifle", "scouts", "Rifle"),
        ("rifle", "r-12", "Rifle 12"),
        # A number behind a number would be read as one.
        ("soviet-isu-152", "s-2", "ISU-152 no. 2"),
        ("soviet-kv-1s", "s-2", "KV-1s 2"),
    ],
)
def test_a_team_is_called_by_what_it_is_and_its_number(profile: str, name: str, called: str) -> None:
    assert team_name(Team(profile, id=name)) == called


def test_a_name_in_a_text_says_whose_it_is_and_leads_to_its_piece() -> None:
    team = Team("rifle", id="r-1")
    red, blue = (Unit(side, {team.id: team}, id="p", name="1st Platoon") for side in ("red", "blue"))
    assert parts(team_label(red, team)) == [Token("team", "r-1", "Red Rifle 1")]
    assert plain(team_label(blue, team)) == "Blue Rifle 1"
    assert parts(label(red)) == [Token("unit", "p", "Red 1st Platoon")]
    assert [part.id for part in parts(full_label(red, team)) if isinstance(part, Token)] == ["r-1", "p"]


def test_a_unit_of_one_is_named_once_and_others_with_their_unit() -> None:
    sniper = Team("sniper", id="s-1", role="sniper")
    alone = Unit("red", {"s-1": sniper}, id="sniper", name=team_name(sniper))
    rifles = [Team("rifle", id=f"r-{number}") for number in (1, 2)]
    platoon = Unit("red", {team.id: team for team in rifles}, id="p", name="1st Platoon")
    assert full_name(alone, sniper) == "Sniper"
    assert plain(full_label(alone, sniper)) == "Red Sniper"
    assert full_name(platoon, rifles[0]) == "Rifle 1, 1st Platoon"
    assert plain(full_label(platoon, rifles[0])) == "Red Rifle 1 of 1st Platoon"
    members = [(platoon, rifles[0]), (alone, sniper), (platoon, rifles[1])]
    assert plain(spoken_list(members)) == "Red Rifle 1, Rifle 2 of 1st Platoon; Red Sniper"


@pytest.mark.parametrize(
    ("battle", "number", "words"),
    [("hof-city-block-14", 280, "Which Unit of Blue arrives?"), ("hof-city-block-16", 345, "Which Unit arrives?")],
)
def test_who_chooses_among_the_reserves_of_the_enemy_is_told_whose_they_are(
    battle: str, number: int, words: str
) -> None:
    kept = record.read(Path(__file__).parents[1] / "corpus" / f"{battle}.game")
    ask = record.replay(kept, rulesets.load, to=number).game.ask
    assert ask is not None
    assert ask.question.topic == "reserve-unit"
    assert ask.question.words == words
