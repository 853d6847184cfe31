"""What a page says of a game, as data: its signs, notes, optional rules, habits, and words for what a state keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sandtable.engine import data
from sandtable.engine.cards import Fact
from sandtable.engine.events import several
from sandtable.engine.formats import formats_of
from sandtable.engine.ruleset import Habit, Switch
from sandtable.engine.toml_lines import Steps
from sandtable.field.set_ups import Faults
from sandtable.table.scene import Badge

K = TypeVar("K")


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign on a piece or a card: its short word, what it says, and what the legend says of it.

    `of` is the field of a team, or with `unit` of a unit, that it shows; without one the ruleset says when it holds.
    `counted`: its words say how many.
    """

    icon: str
    words: str
    title: str
    about: str = ""
    rule: str = ""
    of: str = ""
    unit: bool = False
    counted: bool = False


class PageWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """The file of a ruleset's words for a page.

    `notes` are what keywords and traits say on a card, and their rules. `ground` are facts about kinds of terrain: a
    name, more words, and the rule. `names` are words for values that the state keeps, by what they are values of, and
    `said` are such with a rule each: what may be chosen, or what keeps somebody from something.
    `assumes` is what odds take for granted where somebody must still choose, by the topic of his question.
    """

    format: str
    signs: dict[str, Sign] = {}
    notes: dict[str, tuple[str, str]] = {}
    ground: dict[str, tuple[str, str, str]] = {}
    names: dict[str, dict[str, str]] = {}
    said: dict[str, dict[str, tuple[str, str]]] = {}
    assumes: dict[str, str] = {}
    switches: tuple[Switch, ...] = ()
    habits: tuple[Habit, ...] = ()

    @classmethod
    def beside(cls, module: str) -> PageWords:
        """The words of a game, which lie beside its other data; `module` is a file of its page."""
        return data.read(Path(module).parents[1] / "data" / "page.toml", cls)

    def mistakes(self) -> Faults:
        yield from twice(("switches",), [each.id for each in self.switches])
        yield from twice(("habits",), [each.id for each in self.habits])

    @cached_property
    def legend(self) -> dict[str, Fact]:
        """What each sign stands for."""
        return {name: Fact(sign.title, sign.about, sign.rule) for name, sign in self.signs.items()}

    def badge(self, name: str, words: str = "") -> Badge:
        """A sign by its name, with its own words or others."""
        sign = self.signs[name]
        return Badge(sign.icon, words or sign.words, sign=name)

    def badges(self, piece: Any, *, unit: bool = False) -> tuple[Badge, ...]:
        """The signs of whatever holds of a team or, if `unit`, of a unit."""
        found = []
        for name, sign in self.signs.items():
            if sign.of and sign.unit == unit and (value := getattr(piece, sign.of)):
                count = int(value) if isinstance(value, int) else 1
                found.append(Badge(sign.icon, several(count, sign.words) if sign.counted else sign.words, count, name))
        return tuple(found)

    def assumed(self, topics: Collection[str]) -> tuple[str, ...]:
        """What is taken for granted of some topics."""
        return tuple(words for topic, words in self.assumes.items() if topic in topics)

    def terrain(
        self, kinds: Mapping[str, K], applying: Callable[[str, K], Iterable[str]]
    ) -> dict[str, tuple[Fact, ...]]:
        """What each kind of ground does: the facts that apply to it, in this order."""
        return {name: tuple(Fact(*self.ground[each]) for each in applying(name, kind)) for name, kind in kinds.items()}

    def shown(self, kinds: Mapping[str, K], applying: Callable[[str, K], Iterable[str]]) -> dict[str, Any]:
        """What a display tells by these words: of each kind of ground, and of each sign."""
        return {"terrain": partial(self.terrain, kinds, applying), "legend": self.legend}

    def of_ruleset(self, *files: type[Any]) -> dict[str, Any]:
        """What a ruleset tells by these words: its optional rules, its habits, and what its `files` are read into.

        This file of words is one of them.
        """
        formats = {self.format: PageWords, **formats_of(*files)}
        return {"switches": self.switches, "habits": self.habits, "formats": formats}


def twice(steps: Steps, ids: list[str]) -> Faults:
    for number, name in enumerate(ids):
        if name in ids[:number]:
            yield (*steps, number, "id"), f"{name!r} is used twice: give each its own id"
