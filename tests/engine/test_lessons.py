"""The guide of a lesson: which step he shows at which question, and what passes it."""

from __future__ import annotations

from typing import Any

from sandtable.engine.lessons import Guide, Happened, Lesson, LessonStep, lesson_amiss
from sandtable.engine.standing import Condition, Standing
from tests.engine.toy import new_game, play


def lesson(*steps: LessonStep, ends: str = "") -> Lesson:
    return Lesson(
        title="Guessing", about="", minutes=1, seat="ann", bot="random", seed=1, setup=None, steps=[*steps], ends=ends
    )


def step(title: str, **more: Any) -> LessonStep:
    return LessonStep(title=title, says="…", **more)


def titles(guide: Guide, game: Any) -> list[str]:
    card = guide.card(game)
    return [] if card is None else [each.title for each in card.steps]


HIDE = step("hide", topic="hide", answer=7)
ACT = step("act", topic="act", answer="guess")
LOOK = step("look", topic="act")
GUESS = step("number", topic="guess")


def test_a_step_belongs_to_its_topic_and_is_over_with_the_answer_whatever_that_is() -> None:
    guide = Guide(lesson(HIDE, ACT, GUESS))
    game = new_game(None, guide)
    card = guide.card(game)
    assert card is not None
    assert (card.of, card.steps[0].number, card.steps[0].answer) == (3, 1, 7)
    play(game, 2)
    assert titles(guide, game) == []  # It is bob who hides now.
    play(game, 3)
    assert titles(guide, game) == ["act"]
    play(game, "pass", "pass")
    assert titles(guide, game) == []


def test_looks_come_before_the_one_answer_to_try() -> None:
    guide = Guide(lesson(LOOK, ACT, step("too late", topic="act")))
    game = play(new_game(None, guide), 2, 3)
    assert titles(guide, game) == ["look", "act"]
    play(game, "pass", "pass")
    assert titles(guide, game) == ["too late"]


def test_an_answer_that_would_not_be_taken_is_not_shown() -> None:
    guide = Guide(lesson(step("resign", topic="act", answer="resign"), step("guess", topic="act", answer="guess")))
    game = play(new_game(None, guide), 2, 3)
    assert titles(guide, game) == ["guess"]


def test_facts_turns_and_what_has_happened_decide() -> None:
    second = step("second", topic="act", turns=(2, 3))
    pointless = step("no points", topic="act", only=[Condition("points", ">=", 1)])
    missed = step("missed", topic="act", after=Happened("miss", [Condition("seat", "==", "bob")]))
    guide = Guide(lesson(second, pointless, missed))
    game = play(new_game(None, guide), 2, 3)
    assert titles(guide, game) == []
    play(game, "guess", 9, "stand", "pass")  # The miss is ann's own.
    assert titles(guide, game) == ["second"]
    play(game, "pass", "guess", 9, "stand")
    assert titles(guide, game) == ["missed"]


def test_an_aside_is_not_counted() -> None:
    guide = Guide(lesson(step("by the way", topic="act", aside=True), HIDE, ACT))
    game = new_game(None, guide)
    assert [each.number for each in guide.card(game).steps] == [1]  # type: ignore[union-attr]
    play(game, 2, 3)
    card = guide.card(game)
    assert card is not None
    assert (card.of, [each.number for each in card.steps]) == (2, [0, 2])


def test_what_is_taken_back_is_shown_again() -> None:
    guide = Guide(lesson(ACT, GUESS))
    game = play(new_game(None, guide), 2, 3)
    assert titles(guide, game) == ["act"]
    play(game, "guess")
    assert titles(guide, game) == ["number"]
    assert game.undo("ann") is None
    assert titles(guide, game) == ["act"]
    assert game.redo("ann") is None
    assert titles(guide, game) == ["number"]
    assert game.undo("ann") is None
    play(game, "pass", "pass")
    assert titles(guide, game) == []


def test_a_look_ahead_in_between_repeats_nothing() -> None:
    guide = Guide(lesson(ACT, GUESS))
    game = play(new_game(None, guide), 2, 3)
    assert titles(guide, game) == ["act"]
    game.fork(1)
    play(game, "pass", "pass")
    assert titles(guide, game) == []


def test_what_a_habit_answers_passes_nothing() -> None:
    guide = Guide(lesson(ACT))
    game = new_game(None, guide)
    game.leave(Standing("ann", "act", "pass", only=[Condition("round", "==", 1)]))
    play(game, 2, 3, "pass")
    assert titles(guide, game) == ["act"]


def test_at_the_end_the_guide_takes_his_leave() -> None:
    guide = Guide(lesson(ACT, ends="That is all."))
    game = play(new_game(None, guide, rounds=1), 2, 3, "pass", "pass")
    assert game.over
    card = guide.card(game)
    assert card is not None
    assert (card.steps, card.ends) == ([], "That is all.")


def test_mistakes_name_their_place() -> None:
    wrong = lesson(step(" "), step("x", answer=1, proposed=True), step("x", turns=(2, 1)), step("x", rules=["tr14.no"]))
    wrong.seat, wrong.minutes = "carl", 0
    found = {where for where, _ in lesson_amiss(wrong, ("ann", "bob"), "tr14")}
    assert found == {
        ("seat",),
        ("minutes",),
        ("steps", 0, "title"),
        ("steps", 1),
        ("steps", 2, "turns"),
        ("steps", 3, "rules", 0),
    }
    assert list(lesson_amiss(lesson(), ("ann", "bob"), "tr14")) == [(("steps",), "a lesson has at least one step")]
