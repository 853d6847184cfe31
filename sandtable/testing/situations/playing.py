"""Situations played: each variant a game with scripted dice, step by step, and what became of it."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine import data
from sandtable.engine.data import DataError
from sandtable.engine.dice import OutOfDice, ScriptedDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game, Observer
from sandtable.engine.questions import Choose, Refusal, names
from sandtable.testing.laws import Watch
from sandtable.testing.situations.checking import (
    Failed,
    check_asked,
    check_events,
    check_refusal,
    choices_of,
    compare,
    full,
    lookup,
)
from sandtable.testing.situations.files import Expect, Situation, Step, Variant, load
from sandtable.testing.situations.moments import Moment
from sandtable.testing.situations.tracing import MOST_CHOICES, Trace

MOST_STANDING = 500
"""Standing answers given one after another. More go in a circle."""

DRAW = "draw"
"""What is written for the winner when nobody has won: a file cannot say "none"."""

PACKAGE = Path(rulesets.__file__).parent.parent


class Outcome(msgspec.Struct, frozen=True):
    """How one variant of a file went, and what happened in it if that was to be traced."""

    file: str
    name: str
    ok: bool
    problem: str | None = None
    trace: list[str] = []


class Crash(Failed):
    """The game itself went wrong."""

    def __init__(self, where: str, error: Exception) -> None:
        super().__init__(where, crash_words(error))


class WantingDice(Failed):
    """The file does not give the dice that the rules call for."""


def crash_words(error: Exception) -> str:
    """What was raised, and where in our own code."""
    ours = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    place = f" at {Path(ours[-1].filename).relative_to(PACKAGE.parent)}:{ours[-1].lineno}" if ours else ""
    return f"the game crashed: {type(error).__name__}: {str(error)[:200]}{place}"


class Run:
    """One variant being played."""

    def __init__(
        self,
        situation: Situation,
        variant: Variant | None,
        moment: Moment,
        observers: tuple[Observer, ...],
        watch: Watch | None,
    ) -> None:
        self.watch = watch
        self.rules = rulesets.load(situation.ruleset)
        self.trace = next((each for each in observers if isinstance(each, Trace)), None)
        self.answers = {**situation.answers, **(variant.answers if variant else {})}
        self.cited: set[str] = set()
        self.here: set[str] = set()
        """What was cited in the present step."""
        self.dice = ScriptedDice(variant.dice if variant is not None and variant.dice else situation.dice)
        self.told = 0
        setup, wrong = moment.read(self.rules)
        for error in wrong:
            raise error
        try:
            self.game: Game[Any] = Game(self.rules, setup, self.dice, observers=observers)
        except OutOfDice as error:
            raise WantingDice("dice", str(error)) from None
        except Exception as error:
            raise Crash("setup", error) from error
        self.past = [msgspec.to_builtins(self.game.state)] * 2
        """The first state, and that before the present step: what is absent now must have been in one of them."""

    def begin(self, expect: Expect | None, steps: list[Step], where: str) -> None:
        self.answer_by_default(steps[0] if steps else None, where)
        self.use_up(where)
        self.check(expect or Expect(), None, where)
        self.told = len(self.game.events)

    def play(self, steps: list[Step], where: str) -> None:
        for number, step in enumerate(steps):
            here = f"{where}step[{number}]"
            following = steps[number + 1] if number + 1 < len(steps) else None
            self.take(step, following, here)

    def take(self, step: Step, following: Step | None, where: str) -> None:
        game = self.game
        ask = game.ask
        if step.undo or step.redo:
            refused = game.undo(step.seat) if step.undo else game.redo(step.seat)
            self.told = min(self.told, len(game.events))
        else:
            if ask is None:
                raise Failed(where, "the game is over: nothing is asked any more")
            if step.seat and step.seat != ask.seat:
                raise Failed(f"{where}.seat", f"{ask.seat} is asked now ({ask.question.topic})")
            if step.topic and step.topic != ask.question.topic:
                raise Failed(f"{where}.topic", f"the question now is {ask.question.topic!r}, of {ask.seat}")
            self.dice.values += step.dice
            before = game.hash()
            refused = self.answer(step.answer, where, f"{where}: ")
            if refused is not None and game.hash() != before:
                raise Failed(where, "the refused answer changed the state")
        wanted = step.expect.refused if step.expect is not None else None
        if refused is not None and wanted is None:
            raise Failed(f"{where}.answer", f"refused: {refused}{self.offered(refused)}")
        if refused is None:
            self.answer_by_default(following, where)
        self.use_up(f"{where}.dice")
        self.check(step.expect or Expect(), refused, where)
        self.told = len(game.events)

    def answer(self, answer: Any, where: str, told: str) -> Refusal | None:
        ask = self.game.ask
        assert ask is not None
        if self.trace is not None:
            self.trace.answering(ask, answer, told)
        if self.watch is not None:
            self.watch(self.game)
        before = full(self.game.state) if self.trace is not None else None
        try:
            refused = self.game.answer(answer)
        except OutOfDice as error:
            raise WantingDice(f"{where}.dice", str(error)) from None
        except Exception as error:
            raise Crash(where, error) from error
        if self.trace is not None:
            if refused is not None:
                self.trace.refused(refused)
            self.trace.changed(before, full(self.game.state))
        return refused

    def answer_by_default(self, following: Step | None, where: str) -> None:
        """Answer what the file answers by topic, unless the next step is about that very topic."""
        for _ in range(MOST_STANDING):
            ask = self.game.ask
            if ask is None or ask.question.topic not in self.answers:
                return
            topic = ask.question.topic
            if following is not None and following.topic == topic:
                return
            refused = self.answer(self.answers[topic], where, "by `answers`: ")
            if refused is not None:
                raise Failed("answers", f"the standing answer to {topic!r} is refused: {refused}")
        raise Failed("answers", f"{MOST_STANDING} standing answers were given one after another, the last to {topic!r}")

    def tell_waiting(self) -> None:
        """The last lines of a trace: the question that waits for an answer."""
        if self.trace is not None and self.game.ask is not None:
            self.trace.waiting(self.game.ask)

    def offered(self, refused: Refusal) -> str:
        """What might have been chosen instead, unless the refusal says so itself."""
        ask = self.game.ask
        if refused.legal or ask is None or not isinstance(ask.question, Choose):
            return ""
        return f" The choices are: {names(choices_of(ask.question), MOST_CHOICES)}."

    def use_up(self, where: str) -> None:
        if self.dice.left:
            ask = self.game.ask
            now = f"; the question now is {ask.question.topic!r}, of {ask.seat}" if ask is not None else ""
            raise Failed(where, f"dice left over that nothing called for: {self.dice.left}{now}")

    def check(self, expect: Expect, refused: Refusal | None, where: str) -> None:
        where = f"{where}.expect" if where else "expect"
        happened = self.game.events[self.told :]
        self.here = {rule for event in happened for rule in event.rules}
        self.here |= {modifier.rule for event in happened for modifier in event.modifiers}
        if expect.refused is not None:
            check_refusal(expect.refused, refused, f"{where}.refused")
            if refused is not None and refused.rule:
                self.here.add(refused.rule)
        self.cited |= self.here
        not_cited(expect.not_cited, self.here, f"{where}.not_cited")
        state = msgspec.to_builtins(self.game.state)
        whole = full(self.game.state)
        compare(expect.state, whole, f"{where}.state")
        for number, path in enumerate(expect.absent):
            if lookup(state, path) is not None:
                raise Failed(f"{where}.absent[{number}]", f"{path} is still there")
            around = path.rpartition(".")[0]
            known = not path.startswith("units.") and (not around or lookup(whole, around) is not None)
            if not known and all(lookup(past, path) is None for past in self.past):
                raise Failed(f"{where}.absent[{number}]", f"{path} was never there")
        self.past[1] = state
        if expect.asked is not None:
            check_asked(expect.asked, self.game, f"{where}.asked")
        check_events(expect, happened, where)
        for seat, wanted in expect.views.items():
            compare(wanted, self.game.view(seat), f"{where}.views.{seat}")
        if expect.over is not None:
            result = self.game.result
            if result is None:
                raise Failed(f"{where}.over", "the game goes on")
            found = msgspec.to_builtins(result)
            if expect.over.get("winner") == DRAW and result.winner is None:
                found["winner"] = DRAW
            compare(expect.over, found, f"{where}.over")


def not_cited(rules: list[str], cited: set[str], where: str) -> None:
    for number, rule in enumerate(rules):
        if rule in cited:
            raise Failed(f"{where}[{number}]", f"{rule} is cited by something that happened")


def variants(situation: Situation) -> list[tuple[Variant | None, int]]:
    """What is played of a file: itself (as number -1) if it has steps of its own or no variants, and each variant."""
    found: list[tuple[Variant | None, int]] = [(variant, number) for number, variant in enumerate(situation.variant)]
    return found if found and not situation.step else [(None, -1), *found]


def play_variant(
    situation: Situation,
    variant: Variant | None,
    number: int,
    moment: Moment,
    observers: tuple[Observer, ...] = (),
    watch: Watch | None = None,
) -> set[str]:
    """Play one variant to its end; what it got wrong is raised. Returns the rules that were cited.

    `watch` looks at the game before each answer.
    """
    run = Run(situation, variant, moment, observers, watch)
    where = f"variant[{number}]." if variant is not None else ""
    expect = variant.expect if variant is not None else situation.expect
    steps = variant.step if variant is not None and variant.step else situation.step
    at = where if variant is not None and variant.step else ""
    run.begin(expect, steps, where.rstrip("."))
    try:
        run.play(steps, at)
    except WantingDice:
        raise
    except Failed:
        run.tell_waiting()
        raise
    run.tell_waiting()
    named = variant.rules if variant is not None else [] if situation.variant else situation.rules
    for rule in named:
        if rule not in run.cited:
            raise Failed(f"{where}rules", f"{rule} is named, but nothing that happened cites it")
    not_cited(situation.not_cited, run.cited, "not_cited")
    if variant is not None:
        not_cited(variant.not_cited, run.cited, f"{where}not_cited")
    return run.cited


def try_file(path: Path, *, observers: tuple[Observer, ...] = (), trace: bool = False) -> list[Outcome]:
    """Run every variant of a file. A file that cannot be read is one failed outcome."""
    name = str(path)
    try:
        situation, text = load(path)
        moments = situation.moments(text, name)
    except SandtableError as error:
        return [Outcome(name, path.stem, False, str(error))]
    outcomes = []
    cited: set[str] = set()
    for variant, number in variants(situation):
        title = situation.name if variant is None else f"{situation.name}: {variant.name}"
        must_fail = situation.must_fail or (variant is not None and variant.must_fail)
        fails_with = (variant.fails_with if variant is not None else "") or situation.fails_with
        problem, crashed = None, False
        tracing = Trace() if trace else None
        everybody = observers if tracing is None else (*observers, tracing)
        try:
            cited |= play_variant(situation, variant, number, moments[number + 1], everybody)
        except Failed as failed:
            problem = str(data.mistake(text, name, locatable(failed.where, number), failed.problem))
            crashed = isinstance(failed, Crash)
        except DataError as error:
            problem = str(error)
        except Exception as error:
            # A question that cannot say what it offers, or a state that cannot be looked at.
            problem, crashed = str(data.mistake(text, name, locatable("", number), crash_words(error))), True
        if must_fail and not crashed:
            if problem is None:
                problem = "it was to fail, but everything in it held"
            elif fails_with in problem:
                problem = None
            else:
                problem = f"it was to fail with {fails_with!r}, but: {problem}"
        outcomes.append(Outcome(name, title, problem is None, problem, tracing.lines if tracing else []))
    missing = [rule for rule in situation.rules if situation.variant and rule not in cited]
    if missing and not situation.must_fail and all(outcome.ok for outcome in outcomes):
        problem = str(data.mistake(text, name, "rules", f"{missing[0]} is named, but nothing that happened cites it"))
        outcomes.append(Outcome(name, situation.name, False, problem))
    return outcomes


def played_out(path: Path) -> Iterator[tuple[str, Game[Any]]]:
    """Each variant of a file that is not to fail, by name, and its game when all of its answers are given."""
    situation, text = load(path)
    moments = situation.moments(text, str(path))
    for variant, number in variants(situation):
        if situation.must_fail or (variant is not None and variant.must_fail):
            continue
        last = Last()
        try:
            play_variant(situation, variant, number, moments[number + 1], (last,))
        except Failed as failed:
            raise data.mistake(text, str(path), locatable(failed.where, number), failed.problem) from None
        if last.game is not None:
            yield situation.name if variant is None else f"{situation.name}: {variant.name}", last.game


class Last(Observer):
    """Keeps the game that it watches."""

    game: Game[Any] | None = None

    def before(self, game: Game[Any]) -> None:
        self.game = game


def locatable(where: str, number: int) -> str:
    """A place in the file: what a variant's run says of `set` or `answers` stands in that variant."""
    if number >= 0 and where in ("dice", "answers"):
        return f"variant[{number}].{where}"
    return where or "name"
