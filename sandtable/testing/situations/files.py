"""What stands in a situation file: the moment, the steps, and what must be true. See docs/situations.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from sandtable import rulesets
from sandtable.engine import data
from sandtable.engine.data import DataError
from sandtable.testing.situations.moments import Layer, Moment, layers_of, unknown_ruleset
from sandtable.testing.situations.names import unknown_names


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
    not_cited: list[str] = []
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
    not_cited: list[str] = []
    set: dict[str, Any] = {}
    remove: tuple[str, ...] = ()
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
    begins: str = ""
    remove: tuple[str, ...] = ()
    setup: dict[str, Any] = {}
    rules: list[str] = []
    not_cited: list[str] = []
    about: str = ""
    answers: dict[str, Any] = {}
    dice: list[int] = []
    expect: Expect | None = None
    step: list[Step] = []
    variant: list[Variant] = []
    must_fail: bool = False
    fails_with: str = ""

    def mistakes_beside(self, text: str, name: str) -> Iterator[DataError]:
        unknown = unknown_ruleset(self.ruleset)
        if unknown:
            yield data.mistake(text, name, "ruleset", unknown)
            return
        if not self.step and not self.variant and self.expect is None:
            problem = "a situation needs steps, variants or something to expect; `expect = {}` is enough for a look"
            yield data.mistake(text, name, "name", problem)
        for steps, problem in unknown_names(self):
            yield data.mistake(text, name, steps, problem)
        try:
            moments = self.moments(text, name)
        except DataError as error:
            yield error
            return
        rules = rulesets.load(self.ruleset)
        wrong = {str(error): error for error in moments[0].read(rules)[1]}
        yield from wrong.values()
        for variant, moment in zip(self.variant, moments[1:], strict=True):
            # What is wrong without any variant, too, is told once; what must fail may fail by its set-up.
            if not (wrong or variant.must_fail or self.must_fail):
                yield from moment.read(rules)[1]

    def moments(self, text: str, name: str) -> list[Moment]:
        """The set-up as it is, and as each variant changes it."""
        layers = layers_of(self.ruleset, self.begins, Layer(name, text, ("setup",), self.setup, self.remove))
        found = [Moment(layers)]
        for number, variant in enumerate(self.variant):
            change = Layer(name, text, ("variant", number, "set"), variant.set, variant.remove)
            found.append(Moment([*layers, change]))
        return found


def load(path: Path) -> tuple[Situation, str]:
    text = data.read_text(path)
    return data.parse(text, Situation, str(path)), text


def find_files(paths: list[Path]) -> list[Path]:
    """Situation files among files and folders; a set-up that lies beside them is no situation."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += [each for each in sorted(path.rglob("*.toml")) if not is_setup_file(each)]
        else:
            found.append(path)
    return found


def is_setup_file(path: Path) -> bool:
    try:
        return data.parse_toml(data.read_text(path), str(path)).get("format") == "sandtable.setup"
    except DataError:
        return False
