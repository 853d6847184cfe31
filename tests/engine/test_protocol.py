"""Seats held by programs: real processes that answer, are slow, talk nonsense, or die."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable import bots, rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.protocol import ProgramError, ProgramSeat
from sandtable.engine.seat import Seat, drive

from .toy import new_game, play

START = """\
import json, sys, time
def lines():
    for line in sys.stdin:
        yield json.loads(line)
def say(message):
    print(json.dumps(message), flush=True)
"""

Start = Callable[..., ProgramSeat]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a program from the rest of its text; whatever was started is ended."""
    seats: list[ProgramSeat] = []

    def begin(body: str, deadline: float = 20.0, *words: str) -> ProgramSeat:
        script = tmp_path / f"program-{len(seats)}.py"
        script.write_text(START + body, encoding="utf-8")
        seats.append(ProgramSeat(" ".join([sys.executable, str(script), *words]), deadline))
        return seats[-1]

    yield begin
    for seat in seats:
        seat.process.kill()
        seat.process.wait()


ANSWERS = """
for message in lines():
    if "candidates" in message:
        say({"answer": message["candidates"][-1]})
"""


def choose(game: Game[Any], program: ProgramSeat) -> Any:
    assert game.ask is not None
    return program.choose(Seat(game, game.ask.seat))


def test_a_program_plays_a_whole_battle(start: Start) -> None:
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("ridge"), SeededDice(2))
    program = start(ANSWERS)
    drive(game, {"red": program, "blue": bots.make("random", 2)})
    assert game.result is not None
    assert not program.late
    assert sum(entry.seat == "red" for entry in game.record) == program.asked
    program.close(game)
    assert program.process.returncode == 0


def test_a_program_is_told_what_its_seat_may_know_and_no_more(start: Start, tmp_path: Path) -> None:
    diary = tmp_path / "diary.jsonl"
    body = """
diary = open(sys.argv[1], "w")
for message in lines():
    print(json.dumps(message), file=diary, flush=True)
    if "candidates" in message:
        say({"number": message["number"], "answer": message["candidates"][0]})
"""
    program = start(body, 20.0, str(diary))
    game = play(new_game(rounds=2), 4, 7)
    drive(game, {"ann": program, "bob": bots.make("random", 3)})
    program.close(game)
    assert game.result is not None
    told = [json.loads(line) for line in diary.read_text(encoding="utf-8").splitlines()]
    assert told[0] == {"hello": 1, "seat": "ann", "ruleset": "toy"}
    assert told[-1] == {"over": {"winner": game.result.winner, "reason": game.result.reason, "rule": "toy.end"}}
    questions = told[1:-1]
    assert [message["number"] for message in questions] == [1, 2, 3, 4]
    first = questions[0]
    assert first["view"]["table"]["mine"] == 4
    assert first["question"]["topic"] == "act"
    assert first["candidates"] == ["guess", "pass"]
    assert first["deadline"] == 20.0
    assert [event["text"] for event in first["events"]] == ["ann hides 4.", "bob hides a number."]
    # Each event is told once, in ann's form of it.
    everything = [event["text"] for message in questions for event in message["events"]]
    assert everything == [event.text for event in game.seen("ann")][: len(everything)]
    assert "bob hides 7." not in diary.read_text(encoding="utf-8")


def test_past_the_deadline_the_first_candidate_is_taken(start: Start) -> None:
    program = start("time.sleep(60)", 0.2)
    game = play(new_game(), 4, 7)
    began = time.monotonic()
    assert choose(game, program) == "guess"
    assert program.late
    assert 0.15 < time.monotonic() - began < 5


def test_a_program_that_reads_nothing_does_not_hold_up_the_game(start: Start) -> None:
    """More is written to it than a pipe holds."""
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("crossroads"), SeededDice(2))
    program = start("time.sleep(60)", 0.02)
    count = drive(game, {"red": program, "blue": program}, most=12)
    assert count == 12
    began = time.monotonic()
    program.close(game)
    assert time.monotonic() - began < 5
    assert program.process.returncode != 0


def test_a_late_answer_is_not_taken_for_one_to_the_next_question(start: Start) -> None:
    body = """
for message in lines():
    if "candidates" in message:
        time.sleep(0.6 if message["number"] == 1 else 0)
        say({"number": message["number"], "answer": message["candidates"][-1 if message["number"] == 1 else 0]})
"""
    program = start(body, 0.3)
    game = play(new_game(), 4, 7)
    assert choose(game, program) == "guess"
    assert program.late
    # The program's "pass" comes now, to a question that has been answered for it.
    program.deadline = 20.0
    assert choose(game, program) == "guess"
    assert not program.late


def test_a_refused_answer_may_be_mended(start: Start, tmp_path: Path) -> None:
    diary = tmp_path / "diary.jsonl"
    body = """
diary = open(sys.argv[1], "w")
wrong = ["this is not JSON", json.dumps([1, 2]), json.dumps({"reply": "pass"}), "[" * 50000, "\\\\ud800",
         json.dumps({"answer": "resign"}), json.dumps({"answer": {"x": "y"}})]
for message in lines():
    if "refused" in message:
        print(json.dumps(message["refused"]), file=diary, flush=True)
    if "refused" in message or "candidates" in message:
        print(wrong.pop(0) if wrong else json.dumps({"answer": "pass"}), flush=True)
"""
    program = start(body, 20.0, str(diary))
    game = play(new_game(), 4, 7)
    assert choose(game, program) == "pass"
    assert not program.late
    refused = [json.loads(line) for line in diary.read_text(encoding="utf-8").splitlines()]
    shape = {"kind": "malformed", "message": 'expected {"answer": …} on one line'}
    assert refused[:5] == [shape] * 5
    resign = {"kind": "illegal", "message": "Nobody resigns here.", "rule": "toy.resign", "field": "act"}
    assert refused[5] == resign
    assert refused[6]["kind"] == "malformed"


def test_a_program_that_only_talks_nonsense_runs_out_of_time(start: Start) -> None:
    body = """
while True:
    print("x" * 100, flush=True)
    time.sleep(0.01)
"""
    program = start(body, 0.4)
    assert choose(play(new_game(), 4, 7), program) == "guess"
    assert program.late


def test_for_a_program_that_has_died_nobody_waits(start: Start) -> None:
    program = start("sys.exit(3)", 30.0)
    game = play(new_game(), 4, 7)
    began = time.monotonic()
    count = drive(game, {"ann": program, "bob": program})
    assert game.over
    assert program.late
    assert count == len(game.record) - 2
    program.close(game)
    assert program.process.returncode == 3
    assert time.monotonic() - began < 15


def test_a_program_that_dies_in_the_midst_has_its_answers_kept(start: Start) -> None:
    body = """
for message in lines():
    if "candidates" in message:
        say({"answer": "pass"})
        sys.exit(0)
"""
    program = start(body)
    game = play(new_game(rounds=2), 4, 7)
    drive(game, {"ann": program, "bob": bots.make("random", 1)})
    mine = [entry.answer for entry in game.record if entry.seat == "ann" and entry.topic == "act"]
    assert mine == ["pass", "guess"]


@pytest.mark.parametrize("command", ["/no/such/program", "", "'unclosed", "/"])
def test_a_program_that_cannot_be_started_is_a_sentence(command: str) -> None:
    with pytest.raises(ProgramError, match="cannot be started"):
        ProgramSeat(command)
