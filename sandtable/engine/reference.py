"""What a ruleset calls things, for whoever writes a situation: topics, events, profiles, terrain, words of a set-up.

`sandtable.testing.reference` makes it from the data and from games; it is kept as a file, so that a look costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.ledger import rules_folder
from sandtable.engine.places import folder
from sandtable.engine.toml_text import toml_value

LONGEST = 160
"""An example longer than this is cut short."""


class TopicNote(msgspec.Struct, omit_defaults=True):
    """A question: its form, its words once, answers that were given to it, and the choices that are always the same.

    `dice` is what an answer to it set rolling, and `then` the questions that followed, the most frequent first.
    `switches` are the optional rules without which it was never asked, `choice_switches` those of a choice.
    """

    form: str
    asks: str
    rules: list[str] = []
    choices: dict[str, str] = {}
    answers: list[Any] = []
    dice: list[str] = []
    then: list[str] = []
    switches: list[str] = []
    choice_switches: dict[str, list[str]] = {}


class EventNote(msgspec.Struct, omit_defaults=True):
    """A kind of event: how one read, and what its `data` may hold, each with a value that was met."""

    says: str
    data: dict[str, Any] = {}


class ProfileNote(msgspec.Struct, omit_defaults=True):
    name: str
    kind: str
    nation: str = ""
    base: str = ""
    about: str = ""
    """What its chart says of it."""


class SetupNote(msgspec.Struct, omit_defaults=True):
    """A set-up that a situation may begin with: what it is, and all that it writes."""

    name: str
    holds: list[str] = []


class Reference(msgspec.Struct):
    """All names of a ruleset.

    `setup` says what may stand at each place of a set-up, `setups` are the set-ups that a situation may begin with.
    """

    topics: dict[str, TopicNote] = {}
    events: dict[str, EventNote] = {}
    profiles: dict[str, ProfileNote] = {}
    terrain: dict[str, str] = {}
    setup: dict[str, str] = {}
    setups: dict[str, SetupNote] = {}

    @property
    def empty(self) -> bool:
        return not any(getattr(self, part) for part in self.__struct_fields__)

    def text(self) -> str:
        """For a person, in the form in which a situation writes it."""
        parts = (
            ("QUESTIONS: the topic, its form, and what was answered once", list(self._topics())),
            ("EVENTS: the kind, how one read, and what its data may hold", list(self._events())),
            ("PROFILES of Teams", list(self._profiles())),
            ("KINDS OF TERRAIN, and the shape of each", [f"  {key}  {shape}" for key, shape in self.terrain.items()]),
            ("SET-UP: each place, and what may stand there", [f"  {key}  {w}" for key, w in self.setup.items()]),
            ("SET-UPS to begin with, and what each holds", list(self._setups())),
        )
        return "\n\n".join("\n".join([heading, *lines]) for heading, lines in parts if lines)

    def _topics(self) -> Iterator[str]:
        for topic, note in self.topics.items():
            yield f"  {topic}  ({note.form})  {note.asks}"
            if note.switches:
                yield f"      only with {switched_on(note.switches)}"
            yield from (f"      answer = {shortened(answer)}" for answer in note.answers)
            for choice, label in note.choices.items():
                switches = note.choice_switches.get(choice, [])
                only = f"; only with {switched_on(switches)}" if switches else ""
                yield f"      a choice: {toml_value(choice)}  {label}{only}"
            if note.dice:
                yield f"      dice may fall for: {listed(note.dice)}"
            if note.then:
                yield f"      then may come: {listed(note.then)}"
            if note.rules:
                yield f"      rules: {listed(note.rules)}"

    def _events(self) -> Iterator[str]:
        for kind, event in self.events.items():
            yield f"  {kind}  {event.says}"
            yield from (f"      data.{key} = {shortened(value)}" for key, value in event.data.items())

    def _profiles(self) -> Iterator[str]:
        for key, profile in self.profiles.items():
            nation = f", {profile.nation}" if profile.nation else ""
            about = f": {profile.about}" if profile.about else ""
            yield f"  {key}  {profile.name} ({profile.kind}{nation}; base {profile.base}){about}"

    def _setups(self) -> Iterator[str]:
        for key, note in self.setups.items():
            yield f"  {key}: {note.name}"
            yield from (f"      {line}" for line in note.holds)


def switched_on(switches: list[str]) -> str:
    return f"options = {toml_value(dict.fromkeys(switches, True))}"


def listed(words: list[str]) -> str:
    return ", ".join(words)


def shortened(value: Any) -> str:
    text = toml_value(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def narrowed(reference: Reference, word: str) -> Reference:
    """Only what has a word in its name."""
    parts = {part: getattr(reference, part) for part in reference.__struct_fields__}
    return Reference(
        **{part: {key: note for key, note in notes.items() if word in key} for part, notes in parts.items()}
    )


def file(ruleset: str) -> Path:
    return folder(ruleset) / "reference.json"


@cache
def load(ruleset: str) -> Reference:
    """The reference of a ruleset; an unknown ruleset is an error for the person who named it."""
    rules_folder(ruleset)
    path = file(ruleset)
    return msgspec.json.decode(path.read_bytes(), type=Reference) if path.is_file() else Reference()
