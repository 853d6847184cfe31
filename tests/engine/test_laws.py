"""The laws of the house on the toy game, and toy games that break one law each: the checker must say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.engine import record
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Answer,
    Assign,
    Choices,
    Choose,
    ChooseNumber,
    ChooseSome,
    MovePieces,
    Option,
    Refusal,
    Why,
    illegal,
)
from sandtable.engine.ruleset import Ask, Result, Ruleset
from sandtable.table.scene import Piece, Scene
from sandtable.table.shapes import Footprint, Place
from sandtable.testing import (
    LawBroken,
    check_answers,
    check_bars,
    check_checkpoints,
    check_copies,
    check_laws,
    check_record,
    check_refusals,
    check_same_game,
    check_undo,
    check_views,
    first_difference,
    laws,
    play_random,
)

from . import toy
from .toy import TOY, Setup, State

LONG = Setup(rounds=20)


@pytest.mark.parametrize("seed", range(8))
def test_the_toy_game_keeps_every_law(seed: int) -> None:
    game = check_laws(TOY, LONG, seed)
    assert game.over


def breaks(law: Callable[[Ruleset, Any, int], object], rules: Ruleset, says: str, seed: int = 3) -> None:
    law(TOY, LONG, seed)
    with pytest.raises(LawBroken, match=says):
        law(rules, LONG, seed)


def asking(question: Callable[[Game[State]], Choose | ChooseNumber]) -> Ruleset:
    """The toy game with another question put first, whose answer has no effect."""

    def flow(game: Game[State]) -> Flow[None]:
        if not game.state.hidden:
            yield Ask("ann", question(game), checkpoint=True)
        yield from toy.flow(game)

    return replace(TOY, flow=flow)


# Same set-up, seed and answers: same game.


def test_a_flow_with_chance_of_its_own_is_caught() -> None:
    ticks = count()

    def flow(game: Game[State]) -> Flow[None]:
        game.state.misses += next(ticks)
        yield from toy.flow(game)

    breaks(check_same_game, replace(TOY, flow=flow), "two plays differ: state.misses is 11 here and 12 there")


# Some answer always exists and is legal.


class Boaster(ChooseNumber):
    """Proposes what it does not take."""

    def candidates(self, most: int = 24) -> list[Answer]:
        return [99]


class Fudger(ChooseNumber):
    """Takes what it proposes for something else."""

    def check(self, raw: object) -> Answer | Refusal:
        return 2 if raw == 1 else ChooseNumber.check(self, raw)


class Gambler(ChooseNumber):
    """Picks by chance what it does not take."""

    def sample(self, random: Random) -> Answer:
        return 99


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (Boaster("x", "?", 1, 3), "x: proposes 99 and refuses it"),
        (Gambler("x", "?", 1, 3), "x: proposes 99 and refuses it"),
        (Fudger("x", "?", 1, 3), "x: proposes 1 but keeps it as 2"),
        (Choose("x", "?", []), "x: there is no answer"),
        (ChooseNumber("x", "?", 3, 2), "x: there is no answer"),
    ],
)
def test_a_question_that_proposes_nothing_good_is_caught(question: Any, says: str) -> None:
    breaks(check_answers, asking(lambda game: question), says)


def test_a_state_that_cannot_be_is_caught() -> None:
    def invariants(game: Game[State]) -> list[str]:
        return ["too many misses"] if game.state.misses > 2 else []

    breaks(check_answers, replace(TOY, invariants=invariants), "seed 3, answer [0-9]+: too many misses")


# A copy never touches its origin.


def test_a_copy_that_touches_its_origin_is_caught() -> None:
    games: list[Game[State]] = []

    def flow(game: Game[State]) -> Flow[None]:
        games.append(game)
        inner = toy.flow(game)
        ask = next(inner)
        while True:
            answer = yield ask
            if game is not games[0] and answer == "pass":
                games[0].state.misses += 1
            ask = inner.send(answer)

    breaks(check_copies, replace(TOY, flow=flow), "a copy touched its origin: state.misses is 0 here and [1-9]")


def test_a_copy_that_differs_is_caught() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        inner = toy.flow(game)
        ask = next(inner)
        for number in count():
            try:
                ask = inner.send((yield ask))
            except StopIteration:
                return
            # What a copy made now would not know.
            if not ask.checkpoint:
                game.state.misses += number

    breaks(lambda r, s, n: check_copies(r, s, n, gap=1), replace(TOY, flow=flow), "a copy differs from its origin")


# A checkpoint restarts.


def test_a_checkpoint_that_hides_something_in_the_flow_is_caught() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        """Whose turn it is stands in a variable of the flow, not in the state."""
        for seat in ("ann", "bob"):
            if seat not in game.state.hidden:
                yield from toy.hide(game, seat)
        while game.state.round <= game.setup.rounds:
            for seat in ("ann", "bob"):
                yield from toy.turn(game, seat)
            game.state.round += 1
        game.state.result = Result(None, "enough")

    breaks(check_checkpoints, replace(TOY, flow=flow), "a game begun at this checkpoint asks something else")


def test_a_checkpoint_that_does_something_on_beginning_is_caught() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        game.tell("hello", "Here we go again.")
        yield from toy.flow(game)

    breaks(check_checkpoints, replace(TOY, flow=flow), "beginning at this checkpoint changes the game")


# Undo.


def test_an_answer_that_cannot_be_given_again_is_caught() -> None:
    ticks = count()

    def flow(game: Game[State]) -> Flow[None]:
        inner = toy.flow(game)
        ask = next(inner)
        while True:
            answer = yield ask
            game.state.misses += next(ticks)
            try:
                ask = inner.send(answer)
            except StopIteration:
                return

    breaks(check_undo, replace(TOY, flow=flow), "redo did not bring the game back|undo did not restore the game")


@pytest.mark.parametrize(
    ("may_undo", "says"),
    [
        (lambda game, seat: None, "undo reached across a die or a secret|took back another's answer"),
        (lambda game, seat: Refusal("illegal", "Never."), "undo is refused: Never."),
    ],
)
def test_an_engine_that_undoes_too_much_or_too_little_is_caught(
    may_undo: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_undo(TOY, LONG, 3)
    monkeypatch.setattr(Game, "may_undo", may_undo)
    with pytest.raises(LawBroken, match=says):
        check_undo(TOY, LONG, 3)


# A refusal has a reason and changes nothing.


class Curt(ChooseNumber):
    """Refuses without a word."""

    def check(self, raw: object) -> Answer | Refusal:
        checked = ChooseNumber.check(self, raw)
        return Refusal("illegal", "", field="x") if isinstance(checked, Refusal) else checked


class Vague(ChooseNumber):
    """Refuses without a rule or a field."""

    def check(self, raw: object) -> Answer | Refusal:
        checked = ChooseNumber.check(self, raw)
        return Refusal("illegal", "No.") if isinstance(checked, Refusal) else checked


class Parrot(ChooseNumber):
    """Repeats what a stranger wrote, however long."""

    def check(self, raw: object) -> Answer | Refusal:
        checked = ChooseNumber.check(self, raw)
        return Refusal("malformed", f"not {raw}", field="x") if isinstance(checked, Refusal) else checked


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (Curt("x", "?", 1, 3), "is refused without a good reason"),
        (Vague("x", "?", 1, 3), "a refusal names neither rule nor field: No."),
        (Parrot("x", "?", 1, 3), "is refused without a good reason"),
    ],
)
def test_a_poor_refusal_is_caught(question: Any, says: str) -> None:
    breaks(check_refusals, asking(lambda game: question), says)


def test_a_refusal_that_changes_the_game_is_caught() -> None:
    def question(game: Game[State]) -> Choose:
        def count(choice: Option) -> Refusal | None:
            game.state.misses += choice.id == "no such thing"
            return None if choice.id == "a" else illegal("toy.no", "no.")

        return Choose("x", "?", choices(count, "a", "no such thing"))

    breaks(check_refusals, asking(question), "x: a refused answer changed the game")


def test_a_question_that_raises_is_not_hidden_by_the_checker() -> None:
    def fall_over(choice: Option) -> Refusal | None:
        raise KeyError(choice.id)

    with pytest.raises(KeyError):
        check_refusals(asking(lambda game: Choose("x", "?", choices(fall_over, "a"))), LONG, 3)


# What is barred is not offered, and names its rule.


def choices(why_not: Callable[[Option], Why], *names: str, quick: list[str] | None = None) -> Choices[Option]:
    things = {name: Option(name, name) for name in names}
    return Choices(things, lambda each: each, why_not, quick=None if quick is None else lambda: quick)


def with_pawn(question: Callable[[], Any]) -> Ruleset:
    """The toy game with a piece on its table, and another question first."""

    def scene(game: Game[State], seat: str | None) -> Scene:
        return Scene(1.0, 1.0, pieces=[Piece("pawn", Footprint(1.0, 1.0), Place(0.5, 0.5))])

    return replace(asking(lambda game: question()), scene=scene)


def not_the_pawn(rule: str | None) -> Callable[[Option], Refusal | None]:
    return lambda each: Refusal("illegal", "not now.", rule) if each.id == "pawn" else None


def test_what_is_barred_by_a_rule_keeps_the_law() -> None:
    check_bars(with_pawn(lambda: Choose("x", "?", choices(not_the_pawn("toy.moving.bog"), "a", "pawn"))), LONG, 3)


def test_what_is_forbidden_without_a_rule_is_caught() -> None:
    rules = with_pawn(lambda: Choose("x", "?", choices(not_the_pawn(None), "a", "pawn")))
    breaks(check_bars, rules, "x: bars without a rule: not now.")


def test_a_rule_that_no_ledger_knows_is_caught() -> None:
    rules = with_pawn(lambda: Choose("x", "?", choices(not_the_pawn("hof.no.such-rule"), "a", "pawn")))
    breaks(check_bars, replace(rules, name="hof"), "x: bars pawn by a rule that no ledger knows: hof.no.such-rule")


@pytest.mark.parametrize("form", [Choose, lambda topic, words, found: ChooseSome(topic, words, found, 1, 1)])
def test_what_is_offered_and_barred_is_caught(form: Callable[[str, str, Any], Any]) -> None:
    found = lambda: form("x", "?", choices(not_the_pawn("toy.bog"), "a", "pawn", quick=["a", "pawn"]))  # noqa: E731
    breaks(check_bars, with_pawn(found), "x: offers pawn and bars it: not now. .toy.bog.")


def test_what_looks_choosable_and_is_neither_offered_nor_barred_is_caught() -> None:
    rules = with_pawn(lambda: Choose("x", "?", choices(not_the_pawn("toy.bog"), "a", "b", quick=["a"])))
    breaks(check_bars, rules, "x: neither offers b nor bars it")


def test_what_is_assigned_and_barred_is_caught() -> None:
    def blind(item: str, choice: str) -> Refusal | None:
        return illegal("toy.blind", f"{item} cannot see {choice}.") if choice == "tank" else None

    items = {"gun": [Option("truck", "Truck"), Option("tank", "Tank")]}
    rules = with_pawn(lambda: Assign("x", "?", items, why_not=blind))
    breaks(check_bars, rules, "x: offers tank to gun and bars it: gun cannot see tank. .toy.blind.")


def test_what_may_be_moved_and_is_barred_is_caught() -> None:
    def question() -> MovePieces:
        bar = lambda name: illegal("toy.bog", f"{name} is stuck.")  # noqa: E731
        stay = lambda most: [{}]  # noqa: E731
        return MovePieces("x", "?", ["pawn"], list, lambda steps: None, stay, barred=bar)

    breaks(check_bars, with_pawn(question), "x: offers pawn and bars it: pawn is stuck. .toy.bog.")


# Views hide.


def test_a_view_that_tells_the_others_secret_is_caught() -> None:
    def view(game: Game[State], seat: str | None) -> dict[str, Any]:
        return {**toy.view(game, seat), "all": dict(game.state.hidden)}

    law = lambda rules, setup, seed: check_views(rules, setup, seed, gap=1)  # noqa: E731
    breaks(law, replace(TOY, view=view), "bob's view tells worlds apart that it must not")


def test_a_view_that_tells_of_the_secret_only_in_part_is_caught() -> None:
    def view(game: Game[State], seat: str | None) -> dict[str, Any]:
        return {**toy.view(game, seat), "even": sum(game.state.hidden.values()) % 2}

    law = lambda rules, setup, seed: check_views(rules, setup, seed, gap=1)  # noqa: E731
    breaks(law, replace(TOY, view=view), "view tells worlds apart")


# A game ends, with a result, and its record replays.


def test_a_game_without_end_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "MOST_ANSWERS", 500)

    def flow(game: Game[State]) -> Flow[None]:
        while True:
            yield Ask("ann", ChooseNumber("x", "?", 1, 3), checkpoint=True)

    with pytest.raises(LawBroken, match="seed 3: the game does not end"):
        check_same_game(replace(TOY, flow=flow), LONG, 3)


def test_a_game_over_without_a_result_is_caught() -> None:
    with pytest.raises(LawBroken, match="the game is over without a result"):
        check_same_game(replace(TOY, result=lambda state: None), LONG, 3)


def test_a_record_that_replays_otherwise_is_caught() -> None:
    ticks = count()

    def begin(setup: Setup) -> State:
        state = toy.begin(setup)
        state.misses = next(ticks)
        return state

    breaks(check_record, replace(TOY, begin=begin), "a saved game replays differently")


def test_a_crash_is_saved_as_a_game_up_to_the_answer_that_caused_it(tmp_path: Path) -> None:
    def flow(game: Game[State]) -> Flow[None]:
        inner = toy.flow(game)
        ask = next(inner)
        while True:
            answer = yield ask
            if game.state.misses == 2 and answer == "guess":
                raise ZeroDivisionError
            ask = inner.send(answer)

    rules = replace(TOY, flow=flow)
    with pytest.raises(ZeroDivisionError):
        play_random(rules, LONG, 3, crashes=tmp_path / "crashes")
    saved = record.read(tmp_path / "crashes" / "toy-3.game")
    assert saved.end is None
    assert saved.entries[-1].answer == "guess"
    with pytest.raises(ZeroDivisionError):
        record.replay(saved, lambda name: rules)
    mended = record.replay(saved, lambda name: TOY)
    assert mended.differs == []
    assert len(mended.game.record) == len(saved.entries)


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (State(), State(), None),
        (State(), State(misses=1), "state.misses is 0 here and 1 there"),
        (State(points={"a": 1}), State(points={"a": 2}), "state.points.a is 1 here and 2 there"),
        (State(points={"a": 1}), State(points={}), "state.points has ['a'] here and [] there"),
        ([1, [2, 3]], [1, [2, 4]], "state[1][1] is 3 here and 4 there"),
        ([1], [1, 2], "state is [1] here and [1, 2] there"),
    ],
)
def test_a_difference_is_named_by_its_place(a: Any, b: Any, says: str | None) -> None:
    assert first_difference(a, b) == says
