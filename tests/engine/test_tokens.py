"""Names within a text."""

from __future__ import annotations

from sandtable.engine.questions import Assign, Choose, ChooseNumber, ChooseSome, Option, illegal
from sandtable.engine.standing import Condition, Standing, answer_words
from sandtable.engine.tokens import Token, parts, place, plain, token

FIRES = f"{token('team', 'red-1-rifle-2', 'Red Rifle 2')} fires at {token('unit', 'blue-1', 'Blue Platoon')}."


def test_a_terminal_prints_names() -> None:
    assert plain(FIRES) == "Red Rifle 2 fires at Blue Platoon."
    assert plain("No token, but [brackets] and [[two of them]].") == "No token, but [brackets] and [[two of them]]."


def test_whoever_wants_to_know_finds_what_is_meant() -> None:
    assert parts(FIRES) == [
        Token("team", "red-1-rifle-2", "Red Rifle 2"),
        " fires at ",
        Token("unit", "blue-1", "Blue Platoon"),
        ".",
    ]
    assert parts(place(12.5, 30.0)) == [Token("place", "12.5,30", "12.5, 30")]
    assert parts("") == []


def test_what_players_write_is_no_token_and_breaks_none() -> None:
    named = token("unit", "red-1", "The [[rule:x|Bold]] ones")
    assert parts(named) == [Token("unit", "red-1", "The ((rule:x|Bold)) ones")]
    assert token("unit", "a|b", "Odd ]] id") == "Odd )) id"
    assert token("unit", "", "Nobody") == "Nobody"


def test_a_refusal_is_told_in_plain_words() -> None:
    assert str(illegal("a.b.c", f"{token('unit', 'red-1', 'Red Platoon')} may not.")) == "Red Platoon may not. (a.b.c)"


def test_conditions_and_answers_that_stand_are_said_in_words() -> None:
    options = [Option("pass", "Hold fire"), Option("red-1", "Rifle Platoon", pieces=("red-1",))]
    question = Choose("react", "Who fires?", options)
    said = answer_words(question, "pass")
    limits = [Condition("fired_on", "==", False), Condition("fired_on:red-1", "!=", False)]
    near = Condition("near", "<=", 16)
    standing = Standing("red", "react", "pass", limits, [near], 3, said)
    assert plain(standing.words()) == (
        "react: Hold fire (only if fired on is not so, only if fired on of red-1 is so, until near is at most 16, "
        "through turn 3)"
    )
    assert Token("unit", "red-1", "red-1") in parts(standing.words())
    assert Standing("red", "react", "pass").words() == "react: pass"
    assert answer_words(ChooseSome("some", "Which?", options, 0, 2), ["pass", "red-1"]) == "Hold fire, Rifle Platoon"
    assert answer_words(Assign("fire", "At what?", {"a": options}), {"a": "red-1"}) == "Rifle Platoon"
    assert answer_words(ChooseNumber("how-many", "How many?", 1, 3), 2) == ""
