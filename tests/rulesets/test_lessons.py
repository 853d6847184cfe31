"""The first battles of every game: played as they are told, and otherwise; and what their files may have wrong."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from sandtable import bots, rulesets
from sandtable.engine.lessons import Lesson
from sandtable.engine.questions import Refusal
from sandtable.testing.formats import check
from sandtable.testing.lessons import begun, play

LESSONS = [(name, lesson) for name in rulesets.names() for lesson in rulesets.load(name).lessons()]

TEN_MINUTES = (18, 30)
"""Questions that a person answers in about ten minutes."""

LONGEST_SENTENCE = 20
"""Words."""


def taught(ruleset: str, lesson: str) -> Lesson:
    return rulesets.load(ruleset).lessons()[lesson]


def test_every_game_has_a_first_battle() -> None:
    assert [(name, "first-battle") for name in rulesets.names()] == LESSONS


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
def test_whoever_does_as_he_is_told_meets_every_step_and_acts_last(ruleset: str, name: str) -> None:
    lesson = taught(ruleset, name)
    rules = rulesets.load(ruleset)
    played = play(rules, lesson)
    steps = [step for step in lesson.steps if not step.aside]
    assert played.met == list(range(1, len(steps) + 1))
    assert TEN_MINUTES[0] <= len(played.shown) <= TEN_MINUTES[1]
    # He has the last turn, to himself: the last step says so and tells nothing more.
    assert not steps[-1].tries
    last = next(each for each in reversed(played.shown) if each.card and each.card.steps[-1].number)
    assert last.turn == rules.turn(played.game.state) == lesson.setup.rounds
    assert played.last == lesson.seat
    assert played.game.result is not None


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
@pytest.mark.parametrize("seed", range(6))
def test_whoever_does_anything_else_is_neither_held_up_nor_lied_to(ruleset: str, name: str, seed: int) -> None:
    lesson = taught(ruleset, name)
    played = play(rulesets.load(ruleset), lesson, seed, Random(seed))
    assert played.game.over
    met = played.met
    assert len(met) == len(set(met))


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
def test_every_answer_to_try_is_legal_with_other_dice_too(ruleset: str, name: str) -> None:
    lesson = taught(ruleset, name)
    for seed in range(3):
        game, guide = begun(rulesets.load(ruleset), lesson, seed)
        chance = Random(seed)
        while game.ask is not None:
            question = game.ask.question
            card = guide.card(game)
            for step in card.steps if card else []:
                assert step.answer is None or not isinstance(question.check(step.answer), Refusal)
            assert game.answer(question.sample(chance)) is None


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
def test_what_is_said_is_short(ruleset: str, name: str) -> None:
    for step in taught(ruleset, name).steps:
        sentences = [each for each in step.says.replace(":", ".").replace("?", ".").split(".") if each.strip()]
        assert len(sentences) <= 6, step.title
        for sentence in sentences:
            assert len(sentence.split()) <= LONGEST_SENTENCE, sentence
        assert step.rules, f"{step.title}: no rule says why"


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
def test_its_bot_is_known(ruleset: str, name: str) -> None:
    assert taught(ruleset, name).bot in bots.BOTS


@pytest.mark.parametrize(("ruleset", "name"), LESSONS)
def test_its_file_is_without_mistakes(ruleset: str, name: str) -> None:
    assert check(str(file_of(ruleset, name))) == []


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('seat = "red"', 'seat = "green"', "there is no seat 'green'"),
        ('points = ["weapons"]', 'points = ["wepons"]', "the set-up has no Unit or Team 'wepons'"),
        ('answer = "fire"', 'answer = "fire"\nproposed = true', "give one of `answer`, `near` and `proposed`"),
        ('rules = ["hof.orders.turn-passes"]', 'rules = ["hof.orders.x"]', "there is no rule 'hof.orders.x'"),
        ("width = 36.0", "width = 0.0", "0 is no size"),
        ('topic = "activate"', 'topik = "activate"', "unknown key"),
    ],
)
def test_each_mistake_is_named_by_its_line(tmp_path: Path, right: str, wrong: str, says: str) -> None:
    text = file_of("hof", "first-battle").read_text()
    before = text[: text.index(right)]
    if "\n" in wrong:
        # A step with two answers is named as a whole.
        before = before[: before.rindex("[[steps]]")]
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(right, wrong, 1))
    found = check(str(path))[0]
    assert says in found.problem
    assert found.line == before.count("\n") + 1


def file_of(ruleset: str, name: str) -> Path:
    return rulesets.folder(ruleset) / "lessons" / f"{name}.toml"
