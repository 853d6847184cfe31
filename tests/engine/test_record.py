"""Saved games: what goes in comes out, every mistake is named by its line, and a game outlives its rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import ForkedDice, ScriptedDice, SealedDice, SeededDice
from sandtable.engine.game import KEYFRAME_EVERY, SNAPSHOT_EVERY, Flow, Game
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.standing import Condition, Standing
from sandtable.rulesets.tr14.core.state import Team
from sandtable.testing import play_random

from . import toy
from .toy import TOY, Setup, State, find, new_game, play

MOVES = (4, 7, "guess", 3, "dodge", "pass", "guess", 7, "stand")


def text_of(game: Game[Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.dumps(game).splitlines()]


def rewritten(game: Game[Any], kind: str, number: int, **change: Any) -> str:
    """The file of a game with something changed in the line of that kind and number."""
    lines = text_of(game)
    of_kind = [line for line in lines if kind in line]
    of_kind[number][kind].update(change)
    return "\n".join(json.dumps(line) for line in lines)


# Save and load.


def test_a_game_is_saved_in_lines_and_replays() -> None:
    game = play(new_game(), *MOVES)
    saved = record.loads(record.dumps(game))
    assert saved.header == record.Header("sandtable.game", 2, "toy", "1", record.DiceLine("seeded", seed=1))
    assert [entry.answer for entry in saved.entries] == list(MOVES)
    assert saved.events == game.events
    assert saved.end is None
    replayed = record.replay(saved, find)
    assert replayed.differs == []
    assert replayed.game.hash() == game.hash()
    assert replayed.game.events == game.events


def test_lines_come_in_the_order_in_which_things_happened() -> None:
    kinds = [next(iter(line)) for line in text_of(play(new_game(rounds=1), 4, 7, "pass", "pass"))]
    expected = ["format", "setup", "keyframe", "answer", "event", "answer", "event", "answer", "event", "answer"]
    assert kinds == [*expected, "event", "end", "last"]


def test_a_game_under_way_goes_on_where_it_stopped() -> None:
    game = play(new_game(), *MOVES)
    again = record.resume(record.loads(record.dumps(game)), find)
    assert again.differs == []
    rest = ["guess", 5, "dodge", "pass", "pass"]
    assert play(again.game, *rest).hash() == play(game, *rest).hash()


def test_a_finished_game_ends_with_its_hash_and_result() -> None:
    game = play_random(TOY, Setup(), 3)
    saved = record.loads(record.dumps(game))
    assert saved.end == record.End(game.hash(), len(game.record), game.result)


def test_a_replay_may_stop_anywhere() -> None:
    saved = record.loads(record.dumps(play(new_game(), *MOVES)))
    for to in range(len(MOVES) + 1):
        assert record.replay(saved, find, to=to).game.hash() == play(new_game(), *MOVES[:to]).hash()
    assert len(record.replay(saved, find, to=1000).game.record) == len(MOVES)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    game = play(new_game(), *MOVES)
    path = tmp_path / "battle.game"
    path.write_text("an older game", encoding="utf-8")
    record.save(game, path)
    assert path.read_text(encoding="utf-8") == record.dumps(game)
    assert [found.name for found in tmp_path.iterdir()] == ["battle.game"]
    assert record.read(path).entries == game.record


def test_notes_and_standing_answers_are_saved() -> None:
    game = play(new_game(), 4, 7)
    standing = Standing("ann", "act", "pass", only=[Condition("round", "in", [1, 3])], last_turn=9)
    game.leave(standing)
    game.note("Signs that end a line elsewhere: \u2028 \x85 \x0c, and an umlaut: ü.")
    again = record.resume(record.loads(record.dumps(game)), find)
    assert again.differs == []
    assert again.game.notes == game.notes
    assert again.game.standing == [standing]
    assert again.game.record == game.record
    assert play(again.game, "pass").record[-1].by == ""
    play(again.game, "pass", "pass")
    assert again.game.record[-1].by == "standing"


def test_who_gave_an_answer_is_saved() -> None:
    game = play(new_game(), 4)
    game.answer(7, by="deadline")
    assert record.loads(record.dumps(game)).entries[1].by == "deadline"
    assert record.replay(record.loads(record.dumps(game)), find).game.record[1].by == "deadline"


def test_a_short_file_leaves_out_what_a_replay_has_anyway() -> None:
    game = play_random(TOY, Setup(rounds=2 * KEYFRAME_EVERY), 3)
    assert len(game.keyframes) > 1
    full, short = record.dumps(game), record.dumps(game, events=False)
    assert len(short) < len(full) / 2
    saved = record.loads(short)
    assert saved.events == []
    assert [frame.entries for frame in saved.keyframes] == [game.checkpoint.entries if game.checkpoint else None]
    assert saved.end == record.loads(full).end
    replayed = record.replay(saved, find)
    assert replayed.differs == []
    assert replayed.game.events == game.events


# Dice.


def test_the_secret_of_sealed_dice_stays_out_of_the_file_until_it_is_told() -> None:
    game = play(new_game(SealedDice(b"castle")), *MOVES)
    secret = b"castle".hex()
    closed, opened = record.dumps(game, reveal=False), record.dumps(game)
    assert secret not in closed
    assert secret in opened
    assert record.replay(record.loads(opened), find).game.hash() == game.hash()
    assert record.replay(record.loads(closed), find, secret=secret).game.hash() == game.hash()
    with pytest.raises(record.SaveError, match="still sealed"):
        record.replay(record.loads(closed), find)
    with pytest.raises(record.SaveError, match="does not match the commitment"):
        record.replay(record.loads(closed), find, secret=b"castlf".hex())


@pytest.mark.parametrize("dice", [ScriptedDice([6] * 20), ForkedDice([], 1)])
def test_dice_that_cannot_be_had_again_are_not_saved(dice: Any) -> None:
    with pytest.raises(record.SaveError, match="only games with seeded, typed-in or sealed dice are saved"):
        record.dumps(new_game(dice))


# Mistakes.

HEADER = (
    '{"format":"sandtable.game","version":1,"ruleset":"toy","rules_version":"1","dice":{"source":"seeded","seed":1}}'
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "x.game: the file is empty"),
        ("\n\n", "x.game: the file is empty"),
        ("hello", "x.game:1: not the header of a saved game"),
        ("[" * 100_000, "x.game:1: not the header of a saved game"),
        ('{"format":"sandtable.game"}', "x.game:1: not the header of a saved game.*missing required field"),
        (HEADER.replace("sandtable.game", "chess.game"), "x.game:1: format 'chess.game' version 1 is not one"),
        (HEADER.replace('"version":1', '"version":3'), "x.game:1: format 'sandtable.game' version 3 is not one"),
        (HEADER.replace("seeded", "loaded"), "x.game:1: not the header.*'loaded'.*dice.source"),
        (HEADER.replace('"seed"', '"sead"'), "x.game:1: not the header.*sead"),
        (HEADER, "x.game: there is no set-up line"),
        (f'{HEADER}\n{{"answer":{{"seat":"ann","answer":1,"topic":"hide"}}}}', "x.game: there is no set-up line"),
        (f'{HEADER}\n{{"setup":{{}}}}\n\n{{"answer":', "x.game:4: "),
        (f'{HEADER}\n{{"setup":{{}}}}\n{{"banana":1}}', "x.game:3: .*banana"),
        (f'{HEADER}\n{{"setup":{{}}}}\n{{"answer":{{"seat":"ann"}}}}', "x.game:3: .*missing.*answer"),
        (f'{HEADER}\n{{"setup":{{}}}}\n{{"setup":{"[" * 100_000}', "x.game:3: "),
    ],
)
def test_a_mistake_is_named_by_its_line(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(record.SaveError, match=f"^{says}"):
        record.loads(text, "x.game")
    path = tmp_path / "y.game"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(record.SaveError, match=r"y\.game"):
        record.read(path)


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(record.SaveError, match=r"none\.game: cannot be read: No such file"):
        record.read(tmp_path / "none.game")
    with pytest.raises(record.SaveError, match="cannot be read: Is a directory"):
        record.read(tmp_path)
    (tmp_path / "latin.game").write_bytes(b"\xff\xfe")
    with pytest.raises(record.SaveError, match=r"latin\.game: cannot be read: .*utf-8"):
        record.read(tmp_path / "latin.game")


def test_a_game_of_unknown_rules_is_not_replayed() -> None:
    saved = record.loads(HEADER.replace('"toy"', '"chess"') + '\n{"setup":{}}')
    with pytest.raises(rulesets.UnknownRuleset, match=r"there is no ruleset 'chess'; known: .*tr14"):
        record.replay(saved, rulesets.load)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ('{"rounds":"many"}', r"cannot be read: Expected `int`, got `str` - at `\$.rounds`"),
        ('{"banana":1}', "cannot be read: .*banana"),
        ('{"highest":0}', "cannot be played: highest: a number must be left to hide"),
    ],
)
def test_a_set_up_that_cannot_be_played_is_a_sentence(setup: str, says: str) -> None:
    saved = record.loads(f'{HEADER}\n{{"setup":{setup}}}')
    for act in (record.replay, record.resume):
        with pytest.raises(record.SaveError, match=f"the set-up of this game {says}"):
            act(saved, find)


# What was changed in a file shows.


@pytest.mark.parametrize(
    ("kind", "number", "change", "says"),
    [
        ("answer", 2, {"answer": "resign"}, r"answer 3: it is refused now: act: Nobody resigns here. \(toy.resign\)"),
        ("answer", 2, {"seat": "bob"}, "answer 3: ann is asked for 'act', the file answers 'act' for bob"),
        ("answer", 2, {"topic": "guess"}, "answer 3: ann is asked for 'act', the file answers 'guess' for ann"),
        ("answer", 0, {"answer": 5}, "after [0-9]+ answers the state is not the one recorded"),
        ("keyframe", -1, {"hash": "0" * 32}, "after [0-9]+ answers the state is not the one recorded"),
        ("end", 0, {"hash": "0" * 32}, "the final state is not the one recorded"),
        ("end", 0, {"entries": 3}, "the final state is not the one recorded"),
        ("end", 0, {"result": {"winner": "bob", "reason": "bribes"}}, "the result is not the one recorded"),
    ],
)
def test_a_tampered_file_says_where_it_differs(kind: str, number: int, change: dict[str, Any], says: str) -> None:
    game = play(new_game(rounds=SNAPSHOT_EVERY), 4, 7, *["pass"] * (2 * SNAPSHOT_EVERY))
    assert game.over
    replayed = record.replay(record.loads(rewritten(game, kind, number, **change)), find)
    assert len(replayed.differs) >= 1
    assert re.search(says, replayed.differs[0])


def test_answers_after_the_end_show() -> None:
    game = play(new_game(rounds=1), 4, 7, "pass", "pass")
    text = record.dumps(game) + '{"answer":{"seat":"ann","answer":"pass","topic":"act"}}\n'
    assert record.replay(record.loads(text), find).differs == ["answer 5: the game is already over here"]


def test_a_file_cut_short_is_a_game_under_way() -> None:
    lines = record.dumps(play_random(TOY, Setup(), 3)).splitlines()
    before_the_end = len(lines) - 2
    for length in range(2, before_the_end + 1):
        saved = record.loads("\n".join(lines[:length]))
        assert saved.damage == "saved game: the file is cut off: its last line is missing"
        replayed = record.replay(saved, find)
        assert replayed.differs == []
        assert not replayed.game.over or length >= before_the_end - 1


# Games outlive their rules.


def kinder(name: str) -> Ruleset:
    """The rules of a later version: whoever passes gets a point for it."""

    def flow(game: Game[State]) -> Flow[None]:
        inner = toy.flow(game)
        ask = next(inner)
        while True:
            answer = yield ask
            if answer == "pass":
                game.state.points[ask.seat] += 1
            try:
                ask = inner.send(answer)
            except StopIteration:
                return

    return replace(TOY, version="2", flow=flow)


def test_after_a_change_of_rules_a_game_goes_on_from_its_last_keyframe_and_says_so() -> None:
    # Given a game with a keyframe, some answers behind it, a note and a standing answer,
    game = play(new_game(rounds=200), 4, 7, *["pass"] * (KEYFRAME_EVERY + 10), "guess", 2)
    game.note("Tea.")
    game.standing.append(Standing("bob", "interrupt", "stand"))
    saved = record.loads(record.dumps(game))
    frame = max(saved.keyframes, key=lambda each: each.entries)
    assert 0 < frame.entries < len(game.record)
    # when the rules change so that it would have gone otherwise,
    resumed = record.resume(saved, kinder)
    # then it says so, stands where it stood, and goes on by the new rules.
    assert resumed.differs[0].startswith("after ")
    again = resumed.game
    words = f"The rules have changed since this game began: it goes on from answer {frame.entries}."
    assert [each for _, each in again.notes] == ["Tea.", words]
    assert again.standing == game.standing
    assert again.state.hidden == game.state.hidden
    assert again.dice.count == game.dice.count
    assert (again.ask.seat, again.ask.question.topic) == ("bob", "interrupt")
    passes = [entry.answer for entry in game.record[frame.entries :]].count("pass")
    assert sum(again.state.points.values()) == passes
    play(again, "stand", "pass")
    assert sum(again.state.points.values()) == passes + 1


def test_a_game_that_was_resumed_can_be_saved_and_resumed_again() -> None:
    game = play(new_game(rounds=200), 4, 7, *["pass"] * (KEYFRAME_EVERY + 10))
    resumed = record.resume(record.loads(record.dumps(game)), kinder).game
    play(resumed, "pass", "guess")
    again = record.resume(record.loads(record.dumps(resumed)), kinder)
    assert again.game.hash() == resumed.hash()
    assert again.game.ask.question.topic == "guess"


def test_a_change_that_does_not_touch_the_game_goes_unnoticed() -> None:
    game = play(new_game(), 4, 7, "guess", 3, "dodge")
    resumed = record.resume(record.loads(record.dumps(game)), kinder)
    assert resumed.differs == []
    assert resumed.game.notes == []


def test_a_keyframe_that_cannot_be_read_is_a_sentence() -> None:
    game = play(new_game(rounds=12), 4, 7, *["pass"] * 20)
    text = rewritten(game, "keyframe", -1, hash="0" * 32, state={"round": "first"})
    with pytest.raises(record.SaveError, match=r"the keyframe after [0-9]+ answers cannot be read: Expected `int`"):
        record.resume(record.loads(text), find)


# Real battles.


@cache
def battle(scenario: str) -> Game[Any]:
    rules = rulesets.load("tr14")
    return play_random(rules, rules.scenario(scenario), 11)


SCENARIOS = rulesets.load("tr14").scenarios()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_battle_is_saved_in_less_than_a_megabyte(scenario: str) -> None:
    assert len(record.dumps(battle(scenario)).encode()) < 1_000_000


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_line_of_a_battle_fits_the_published_schema(scenario: str) -> None:
    schema = record.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    game = battle(scenario)
    game.note("A note.")
    game.standing.append(Standing("red", "react", "pass", until=[Condition("range", "<=", 16)]))
    lines = text_of(game)
    game.standing.clear()
    assert {next(iter(line)) for line in lines} >= {
        "format",
        "setup",
        "answer",
        "event",
        "keyframe",
        "note",
        "standing",
        "end",
    }
    for line in lines:
        validator.validate(line)


def test_the_schema_refuses_what_is_no_line() -> None:
    validator = jsonschema.Draft202012Validator(record.schema())
    wrongs: list[Any] = [{"banana": 1}, {"answer": {"seat": "red"}}, {"format": "sandtable.game"}, [], "end"]
    for wrong in wrongs:
        assert not validator.is_valid(wrong)


def test_a_battle_keeps_its_dice_and_rules_in_its_events() -> None:
    events = record.loads(record.dumps(battle("crossroads"))).events
    assert events == battle("crossroads").events
    # That a commander's Unit is gone follows from the loss of his Team, which names its rules.
    assert [event.kind for event in events if not event.rules] == []
    assert sum(len(throw.values) for event in events for throw in event.dice) > 100


def test_a_number_of_an_answer_is_never_a_default_itself() -> None:
    """What is a field's default by identity is left out of an encoded state: a replay would encode another one."""
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("crossroads"), SeededDice(7))
    default = next(field.default for field in msgspec.structs.fields(Team) if field.name == "facing")
    assert default == 0.0
    assert game.ask is not None
    answer = game.ask.question.candidates(1)[0]
    for step in answer.values():
        step["facing"] = default
    game.accept(answer)
    again = record.replay(record.loads(record.dumps(game)), lambda _: rules).game
    assert again.hash() == game.hash()
