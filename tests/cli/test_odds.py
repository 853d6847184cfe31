"""`sandtable odds`: the exact chances of an attack, of a situation, a saved game or a battle begun here."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game

from .conftest import Command

SHOT = Path(__file__).parents[2] / "docs" / "examples" / "shot.toml"


def test_each_attack_of_a_situation(command: Command) -> None:
    done = command("odds", SHOT, "--json")
    attacks = json.loads(done.out)["attacks"]
    assert len(attacks) >= 2
    first = attacks[0]
    assert first["topic"] == "fire"
    assert first["answer"] == {"r-1": "grenadiers"}
    # Three dice that need a 4, and whoever misses is directed to roll again: three quarters hit.
    hits = dict(first["odds"]["spreads"][0]["chances"])
    assert hits[3] == pytest.approx(0.75**3)
    assert first["odds"]["spreads"][0]["mean"] == pytest.approx(2.25)
    shares = [chance["share"] for chance in first["odds"]["chances"]]
    assert sum(shares) == pytest.approx(1.0)
    assert shares == sorted(shares, reverse=True)
    assert any("to ground" in each for each in first["odds"]["assumes"])


def test_odds_are_told_in_lines(command: Command) -> None:
    told = command("odds", SHOT).out
    assert "3 dice, 4+, +1 target concealed" in told
    assert "Hits, 2.25 on average" in told
    assert "Assumed: Blue grenadiers does not go to ground." in told
    assert "[[" not in told


def to_fire(game: Game[Any], action: str) -> None:
    """Play on as proposed until somebody who may is told to fire, or to move and fire."""
    topics = ("move", "fire") if action == "move-and-fire" else ("fire",)
    while game.ask is not None:
        question = game.ask.question
        if question.topic == "action" and game.answer(action) is None:
            if game.ask is not None and game.ask.question.topic in topics:
                return
            continue
        game.accept(game.ask.question.candidates(1)[0])
    raise AssertionError("nobody fires")


def battle(action: str) -> Game[Any]:
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(3))
    to_fire(game, action)
    return game


def test_the_question_at_a_moment_of_a_saved_game(command: Command, tmp_path: Path) -> None:
    game = battle("fire-and-move")
    assert game.ask is not None
    file = tmp_path / "battle.game"
    record.save(game, file)
    proposed = json.loads(command("odds", file, "--json").out)["attacks"]
    assert [each["answer"] for each in proposed] == game.ask.question.candidates(12)
    one = command("odds", file, "--to", str(len(game.record)), "--attack", json.dumps(proposed[0]["answer"]), "--json")
    assert json.loads(one.out)["attacks"] == proposed[:1]
    refused = command("odds", file, "--attack", '{"nobody": "nothing"}')
    assert refused.status == 2
    assert "refused" in refused.err
    early = command("odds", file, "--to", "1")
    assert early.status == 2
    assert "those with odds are: fire" in early.err


def test_fire_from_a_planned_place(command: Command, tmp_path: Path) -> None:
    game = battle("move-and-fire")
    assert game.ask is not None
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([entry.answer for entry in game.record]))
    options = ("--ruleset", "tr14", "--scenario", "patrol", "--seed", "3", "--answers", answers)
    for step in game.ask.question.candidates(12):
        moved = command("odds", *options, "--before", json.dumps(step), "--json")
        if moved.status == 0:
            found = json.loads(moved.out)["attacks"][0]
            assert found["topic"] == "fire"
            assert "dice show their best" in found["odds"]["assumes"][0]
            return
    raise AssertionError("no move ends where anybody can fire")


def test_fire_from_where_a_unit_would_stand(command: Command, tmp_path: Path) -> None:
    """In hof who moves does not fire: the odds are those of the next order."""
    rules = rulesets.load("hof")
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    random = Random(1)
    while game.ask is None or game.ask.question.topic != "target":
        assert game.ask is not None
        game.accept(game.ask.question.sample(random))
    file = tmp_path / "battle.game"
    record.save(game, file)
    _, order = game.ask.question.about
    target = game.ask.question.candidates(1)[0]
    here = json.dumps({team.id: [*team.at, team.facing] for _, team in order.members})
    from_here = json.loads(command("odds", file, "--from", here, "--attack", target, "--json").out)["attacks"][0]
    assert "Everybody else stays where he is" in from_here["odds"]["assumes"][0]
    assert "If " in command("odds", file, "--from", here, "--attack", target).out
    ordered = json.loads(command("odds", file, "--attack", target, "--json").out)["attacks"][0]
    assert from_here["odds"]["chances"] == ordered["odds"]["chances"]
    for wrong in ('{"nobody": [1, 2]}', '{"nobody": [1]}', "[]"):
        refused = command("odds", file, "--from", wrong, "--attack", target)
        assert refused.status == 2
        assert len(refused.err.strip().splitlines()) == 1
    assert command("odds", file, "--from", here).status == 2


def test_every_attack_that_was_made(command: Command, tmp_path: Path) -> None:
    game = battle("fire-and-move")
    assert game.ask is not None
    answer = game.ask.question.candidates(1)[0]
    topic, before = game.ask.question.topic, len(game.record)
    game.accept(answer)
    file = tmp_path / "battle.game"
    record.save(game, file)
    made = json.loads(command("odds", file, "--made", "--json").out)["attacks"]
    assert [each["topic"] for each in made][-1:] == [topic]
    assert made[-1]["answer"] == answer
    asked = json.loads(command("odds", file, "--to", before, "--attack", json.dumps(answer), "--json").out)
    assert asked["attacks"] == made[-1:]
    none = command("odds", file, "--to", "1", "--made")
    assert none.status == 2
    assert "no attack" in none.err


def test_wrong_use_is_one_sentence(command: Command, tmp_path: Path) -> None:
    assert "name a situation" in command("odds").err
    listed = tmp_path / "answers.json"
    listed.write_text("{")
    options = ("--scenario", "patrol", "--answers", listed)
    assert str(listed) in command("odds", *options).err
    listed.write_text('["nonsense"]')
    assert "answer 1 is refused" in command("odds", *options).err
