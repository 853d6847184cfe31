"""Situations: a moment of a game, the answers and dice that follow, and what must then be true. See docs/situations.md.

A situation is how rules are tested, how bugs are reported, and how a player asks "what if". One file may hold several
variants of a moment, and may say that it must fail, which proves that the checker can.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from sandtable import rulesets
from sandtable.engine import data
from sandtable.engine.dice import OutOfDice, ScriptedDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Event, seen_by
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.toml_lines import write_path

FORMAT = "sandtable.situation"
TOLERANCE = 0.011
"""Numbers agree when they differ by no more than the rounding of positions."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The question now asked: of whom, about what, and which choices it offers or lacks."""

    seat: str = ""
    topic: str = ""
    options: list[str] | None = None
    offers: list[str] = []
    lacks: list[str] = []
    rule: str = ""
    nothing: bool = False


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of this step must be refused, for this reason."""

    rule: str = ""
    kind: str = ""
    field: str = ""
    says: str = ""


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of this step, by whatever of it matters."""

    kind: str
    rules: list[str] = []
    lacks: list[str] = []
    says: str = ""
    seat: str = ""
    data: dict[str, Any] = {}
    dice: list[list[int]] | None = None
    modifiers: list[tuple[int, str]] | None = None
    seen_by: str = ""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true after a step."""

    state: dict[str, Any] = {}
    absent: list[str] = []
    asked: Asked | None = None
    refused: Refused | None = None
    events: list[Happened] = []
    no_events: list[Happened] = []
    views: dict[str, dict[str, Any]] = {}
    over: dict[str, Any] | None = None


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer, the dice that it sets rolling, and what must follow."""

    answer: Any = None
    seat: str = ""
    topic: str = ""
    dice: list[int] = []
    undo: bool = False
    redo: bool = False
    expect: Expect | None = None


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same moment with something changed, and what follows then."""

    name: str
    rules: list[str] = []
    set: dict[str, Any] = {}
    remove: list[str] = []
    answers: dict[str, Any] = {}
    dice: list[int] = []
    expect: Expect | None = None
    step: list[Step] = []
    must_fail: bool = False
    fails_with: str = ""


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file."""

    format: Literal["sandtable.situation"]
    name: str
    ruleset: str
    setup: dict[str, Any]
    rules: list[str] = []
    about: str = ""
    answers: dict[str, Any] = {}
    dice: list[int] = []
    expect: Expect | None = None
    step: list[Step] = []
    variant: list[Variant] = []
    must_fail: bool = False
    fails_with: str = ""

    def mistakes(self) -> Iterator[tuple[str, str]]:
        if self.ruleset not in rulesets.names():
            yield "ruleset", f"there is no ruleset {self.ruleset!r}; known: {', '.join(rulesets.names())}"
            return
        rules = rulesets.load(self.ruleset)
        try:
            setup = msgspec.convert(self.setup, rules.setup_type)
        except msgspec.ValidationError as error:
            fault = data.fault_of(error, self.setup, rules.setup_type)
            yield write_path(("setup", *fault.steps)), fault.problem
            return
        for problem in rules.problems(setup):
            where, _, text = problem.partition(": ")
            yield f"setup.{where}", text
        if not self.step and not self.variant and self.expect is None:
            yield "name", "a situation needs steps, variants or something to expect"


class Outcome(msgspec.Struct, frozen=True):
    """How one variant of a file went."""

    file: str
    name: str
    ok: bool
    problem: str | None = None


class Failed(Exception):
    """Something that a situation says is not so."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(problem)
        self.where = where
        self.problem = problem


def load(path: Path) -> tuple[Situation, str]:
    text = data.read_text(path)
    return data.parse(text, Situation, str(path)), text


def merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A set-up with some of it changed: tables are merged, everything else replaced."""
    result = copy.deepcopy(base)
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def without(base: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    result = copy.deepcopy(base)
    for path in paths:
        *inner, last = path.split(".")
        place: Any = result
        for key in inner:
            place = place.get(key, {}) if isinstance(place, dict) else {}
        if not isinstance(place, dict) or last not in place:
            raise Failed("remove", f"{path} is not in the set-up")
        del place[last]
    return result


class Run:
    """One variant being played."""

    def __init__(self, situation: Situation, variant: Variant | None) -> None:
        self.rules: Ruleset = rulesets.load(situation.ruleset)
        changed = situation.setup
        if variant is not None:
            changed = merged(without(situation.setup, variant.remove), variant.set)
        try:
            setup = msgspec.convert(changed, self.rules.setup_type)
        except msgspec.ValidationError as error:
            raise Failed("set", f"the set-up cannot be read: {error}") from None
        wrong = self.rules.problems(setup)
        if wrong:
            raise Failed("set", wrong[0])
        self.answers = {**situation.answers, **(variant.answers if variant else {})}
        self.cited: set[str] = set()
        self.dice = ScriptedDice(variant.dice if variant is not None and variant.dice else situation.dice)
        self.told = 0
        try:
            self.game: Game[Any] = Game(self.rules, setup, self.dice)
        except OutOfDice as error:
            raise Failed("dice", str(error)) from None

    def begin(self, expect: Expect | None, steps: list[Step], where: str) -> None:
        self.answer_by_default(steps[0] if steps else None, where)
        self.use_up(where)
        if expect is not None:
            self.check(expect, None, where)
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
            try:
                refused = game.answer(step.answer)
            except OutOfDice as error:
                raise Failed(f"{where}.dice", str(error)) from None
            if refused is not None and game.hash() != before:
                raise Failed(where, "the refused answer changed the state")
        wanted = step.expect.refused if step.expect is not None else None
        if refused is not None and wanted is None:
            raise Failed(f"{where}.answer", f"refused: {refused}")
        if refused is None:
            self.answer_by_default(following, where)
        self.use_up(f"{where}.dice")
        self.check(step.expect or Expect(), refused, where)
        self.told = len(game.events)

    def answer_by_default(self, following: Step | None, where: str) -> None:
        """Answer what the file answers by topic, unless the next step is about that very topic."""
        while (ask := self.game.ask) is not None and ask.question.topic in self.answers:
            if following is not None and following.topic == ask.question.topic:
                return
            try:
                refused = self.game.answer(self.answers[ask.question.topic])
            except OutOfDice as error:
                raise Failed(f"{where}.dice", str(error)) from None
            if refused is not None:
                raise Failed("answers", f"the standing answer to {ask.question.topic!r} is refused: {refused}")

    def use_up(self, where: str) -> None:
        if self.dice.left:
            raise Failed(where, f"dice left over that nothing called for: {self.dice.left}")

    def check(self, expect: Expect, refused: Refusal | None, where: str) -> None:
        where = f"{where}.expect" if where else "expect"
        happened = self.game.events[self.told :]
        for event in happened:
            self.cited.update(event.rules, (modifier.rule for modifier in event.modifiers))
        if expect.refused is not None:
            check_refusal(expect.refused, refused, f"{where}.refused")
            if refused is not None and refused.rule:
                self.cited.add(refused.rule)
        state = msgspec.to_builtins(self.game.state)
        compare(expect.state, full(self.game.state, state), f"{where}.state")
        for path in expect.absent:
            if lookup(state, path) is not None:
                raise Failed(f"{where}.absent", f"{path} is still there")
        if expect.asked is not None:
            check_asked(expect.asked, self.game, f"{where}.asked")
        check_events(expect, happened, where)
        for seat, wanted in expect.views.items():
            compare(wanted, self.game.view(seat), f"{where}.views.{seat}")
        if expect.over is not None:
            result = self.game.result
            if result is None:
                raise Failed(f"{where}.over", "the game goes on")
            compare(expect.over, msgspec.to_builtins(result), f"{where}.over")


def full(value: Any, plain: Any) -> Any:
    """The state as plain data with its defaults written out, so that `overwatch = false` can be expected."""
    if isinstance(value, msgspec.Struct):
        return {name: full(getattr(value, name), None) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: full(each, None) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [full(each, None) for each in value]
    return value


def lookup(place: Any, path: str) -> Any:
    for key in path.split("."):
        place = place.get(key) if isinstance(place, dict) else None
    return place


def same(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= TOLERANCE
    if isinstance(wanted, list) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(same(a, b) for a, b in zip(wanted, found, strict=True))
    return bool(wanted == found)


def compare(wanted: Any, found: Any, where: str) -> None:
    """Everything that is wanted must be found; what is not mentioned may be anything."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if key not in found:
                raise Failed(f"{where}.{key}", "there is no such thing")
            compare(value, found[key], f"{where}.{key}")
    elif not same(wanted, found):
        raise Failed(where, f"expected {wanted!r}, found {found!r}")


def check_refusal(wanted: Refused, refused: Refusal | None, where: str) -> None:
    if refused is None:
        raise Failed(where, "the answer was accepted")
    for name, value, found in (
        ("rule", wanted.rule, refused.rule),
        ("kind", wanted.kind, refused.kind),
        ("field", wanted.field, refused.field),
    ):
        if value and value != found:
            raise Failed(f"{where}.{name}", f"expected {value!r}, refused with {found!r}: {refused}")
    if wanted.says and wanted.says not in str(refused):
        raise Failed(f"{where}.says", f"the refusal reads: {refused}")


def check_asked(wanted: Asked, game: Game[Any], where: str) -> None:
    ask = game.ask
    if ask is None or wanted.nothing:
        if wanted.nothing != (ask is None):
            raise Failed(where, "nothing is asked" if ask is None else f"{ask.question.topic!r} is asked of {ask.seat}")
        return
    found = f"{ask.question.topic!r} is asked of {ask.seat}"
    if wanted.seat and wanted.seat != ask.seat:
        raise Failed(f"{where}.seat", found)
    if wanted.topic and wanted.topic != ask.question.topic:
        raise Failed(f"{where}.topic", found)
    if wanted.rule and wanted.rule not in ask.question.rules:
        raise Failed(f"{where}.rule", f"the question names {', '.join(ask.question.rules) or 'no rule'}")
    described = ask.question.describe()
    choices = [option["id"] for option in described.get("options", [])]
    for item, options in described.get("items", {}).items():
        choices += [f"{item}: {option['id']}" for option in options]
    choices += [piece["id"] for piece in described.get("pieces", [])]
    if wanted.options is not None and sorted(wanted.options) != sorted(choices):
        raise Failed(f"{where}.options", f"the choices are {choices}")
    for choice in wanted.offers:
        if choice not in choices:
            raise Failed(f"{where}.offers", f"{choice!r} is not among {choices}")
    for choice in wanted.lacks:
        if choice in choices:
            raise Failed(f"{where}.lacks", f"{choice!r} is among {choices}")


def check_events(expect: Expect, happened: list[Event], where: str) -> None:
    at = 0
    for number, wanted in enumerate(expect.events):
        problems = []
        for position in range(at, len(happened)):
            problem = differs(wanted, happened[position])
            if problem is None:
                at = position + 1
                break
            if happened[position].kind == wanted.kind:
                problems.append(problem)
        else:
            told = ", ".join(event.kind for event in happened[at:]) or "nothing"
            why = problems[0] if problems else f"there followed: {told}"
            raise Failed(f"{where}.events[{number}]", f"no such {wanted.kind!r} event: {why}")
    for number, unwanted in enumerate(expect.no_events):
        for event in happened:
            if differs(unwanted, event) is None:
                raise Failed(f"{where}.no_events[{number}]", f"it happened: {event.text}")


def differs(wanted: Happened, event: Event) -> str | None:
    """What an event lacks of what is wanted, or None."""
    if wanted.seen_by:
        seen = seen_by(event, wanted.seen_by)
        if seen is None:
            return f"{wanted.seen_by} does not see it"
        event = seen
    if event.kind != wanted.kind:
        return f"it is {event.kind!r}"
    if wanted.seat and event.seat != wanted.seat:
        return f"it is {event.seat}'s"
    cited = [*event.rules, *(modifier.rule for modifier in event.modifiers)]
    for rule in wanted.rules:
        if rule not in cited:
            return f"it does not cite {rule} but {', '.join(cited)}"
    for rule in wanted.lacks:
        if rule in cited:
            return f"it cites {rule}"
    if wanted.says and wanted.says not in event.text:
        return f"it reads: {event.text}"
    if wanted.dice is not None and wanted.dice != [throw.values for throw in event.dice]:
        return f"its dice show {[throw.values for throw in event.dice]}"
    if wanted.modifiers is not None:
        found = sorted((modifier.amount, modifier.rule) for modifier in event.modifiers)
        if sorted(wanted.modifiers) != found:
            return f"its modifiers are {found}"
    try:
        compare(wanted.data, msgspec.to_builtins(event.data), "data")
    except Failed as failed:
        return f"{failed.where}: {failed.problem}"
    return None


def play_variant(situation: Situation, variant: Variant | None, number: int) -> set[str]:
    """Play one variant to its end; what it got wrong is raised. Returns the rules that were cited."""
    run = Run(situation, variant)
    where = f"variant[{number}]." if variant is not None else ""
    expect = variant.expect if variant is not None else situation.expect
    steps = variant.step if variant is not None and variant.step else situation.step
    at = where if variant is not None and variant.step else ""
    run.begin(expect, steps, where.rstrip("."))
    run.play(steps, at)
    named = variant.rules if variant is not None else [] if situation.variant else situation.rules
    for rule in named:
        if rule not in run.cited:
            raise Failed(f"{where}rules", f"{rule} is named, but nothing that happened cites it")
    return run.cited


def try_file(path: Path) -> list[Outcome]:
    """Run every variant of a file. A file that cannot be read is one failed outcome."""
    name = str(path)
    try:
        situation, text = load(path)
    except SandtableError as error:
        return [Outcome(name, path.stem, False, str(error))]
    runs: list[tuple[Variant | None, int]] = [(variant, number) for number, variant in enumerate(situation.variant)]
    if situation.step or not runs:
        runs.insert(0, (None, -1))
    outcomes = []
    cited: set[str] = set()
    for variant, number in runs:
        title = situation.name if variant is None else f"{situation.name}: {variant.name}"
        must_fail = situation.must_fail or (variant is not None and variant.must_fail)
        fails_with = (variant.fails_with if variant is not None else "") or situation.fails_with
        problem = None
        try:
            cited |= play_variant(situation, variant, number)
        except Failed as failed:
            problem = str(data.mistake(text, name, locatable(failed.where, number), failed.problem))
        if must_fail:
            if problem is None:
                problem = "it was to fail, but everything in it held"
            elif fails_with in problem:
                problem = None
            else:
                problem = f"it was to fail with {fails_with!r}, but: {problem}"
        outcomes.append(Outcome(name, title, problem is None, problem))
    missing = [rule for rule in situation.rules if situation.variant and rule not in cited]
    if missing and not situation.must_fail and all(outcome.ok for outcome in outcomes):
        problem = str(data.mistake(text, name, "rules", f"{missing[0]} is named, but nothing that happened cites it"))
        outcomes.append(Outcome(name, situation.name, False, problem))
    return outcomes


def locatable(where: str, number: int) -> str:
    """A place in the file: what a variant's run says of `set` or `answers` stands in that variant."""
    if number >= 0 and where in ("set", "remove", "dice", "answers"):
        return f"variant[{number}].{where}"
    return where or "name"


def find_files(paths: list[Path]) -> list[Path]:
    """Situation files among files and folders."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found
