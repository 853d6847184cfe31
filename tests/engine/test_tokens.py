"""Names within a text."""

from __future__ import annotations

from sandtable.engine.questions import illegal
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
