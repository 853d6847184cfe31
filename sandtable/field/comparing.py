"""Two forces compared in a conversation: ranks, verdicts, what is left at home; what is not said beforehand is asked.

How forces are scored is a rule of a game, which hands it in; here is what people say and are asked, each thing once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from sandtable.engine.errors import SandtableError
from sandtable.engine.ruleset import Comparison, ParityWishes, Talk
from sandtable.field.troops import SIDES, Side

T = TypeVar("T")


class Unit(Protocol):
    @property
    def name(self) -> str: ...


U = TypeVar("U", bound=Unit)
Verdict = Literal["red", "blue", "doubt"]
Judge = Callable[[U, U], Verdict]
"""Given red's unit and blue's: which is the more threatening."""


class ParityError(SandtableError):
    """Rankings, verdicts or removals that do not fit the forces."""


class Trim(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the stronger side leaves at home: a unit, or a number of its teams of one profile."""

    side: Side
    unit: str
    profile: str = ""
    number: int = 0


class Step(msgspec.Struct, frozen=True):
    """A step of the procedure in words, with its rule."""

    rule: str
    words: str


class Compared(Protocol):
    """How two forces compare: the pairings, what is left at home, the procedure step by step, and who is stronger."""

    @property
    def pairings(self) -> Sequence[Any]: ...
    @property
    def trims(self) -> Sequence[Trim]: ...
    @property
    def steps(self) -> Sequence[Step]: ...
    @property
    def stronger(self) -> Side | None: ...


@dataclass(frozen=True, slots=True)
class Comparing(Generic[U]):
    """What a game knows of two forces: their units by name, what each is made of in words, and how they are compared.

    `compare` takes ranks and a judge, where they are given, and what is left at home; `refuse_trims` says, by raising
    an error, that something may not be left at home after a first comparison.
    """

    rosters: Mapping[Side, Mapping[str, U]]
    lines: Callable[[U], list[str]]
    compare: Callable[[Mapping[Side, Sequence[int] | None], Judge[U] | None, Sequence[Trim]], Compared]
    refuse_trims: Callable[[Compared, Sequence[Trim]], None]


def compare_aloud(forces: Comparing[U], wishes: ParityWishes, talk: Talk) -> Comparison:
    """Compare two forces, asking for what was not said beforehand."""
    trims = [read_trim(each) for each in wishes.trims]
    given = {"red": wishes.rank_red, "blue": wishes.rank_blue}
    ranks = {side: ranks_of(talk, forces, side, given[side], wishes.auto) for side in SIDES}
    judge = judge_from(wishes, talk)

    def compared(left_at_home: Sequence[Trim]) -> Compared:
        return forces.compare(ranks, judge(), left_at_home)

    if wishes.verdicts is None and trims:
        forces.refuse_trims(compared([]), trims)
    result = compared(trims)
    if wishes.verdicts is not None and len(result.pairings) != len(words_of(wishes.verdicts)):
        count = len(words_of(wishes.verdicts))
        raise ParityError(f"there are {len(result.pairings)} pairings and {count} verdicts")
    if not wishes.auto and wishes.verdicts is None:
        result = ask_trims(talk, result, trims, compared)
    steps = tuple((step.words, step.rule) for step in result.steps)
    return Comparison(steps, {**msgspec.to_builtins(result), "stronger": result.stronger})


# What was said.


def side_of(word: str) -> Side:
    for side in SIDES:
        if word == side:
            return side
    raise ParityError(f"{word!r} is no side; say red or blue")


def words_of(text: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", text.strip()) if word]


def is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 4


def numbers(text: str) -> list[int]:
    words = words_of(text)
    if not all(map(is_count, words)):
        raise ParityError(f"{text!r}: give a rank for each Unit, as in 3,1,2")
    return [int(word) for word in words]


def read_trim(text: str) -> Trim:
    side, _, rest = text.partition(":")
    unit, _, teams = rest.partition(":")
    profile, _, number = teams.partition("=")
    if not unit or (teams and not is_count(number)):
        raise ParityError(f"{text!r}: write SIDE:UNIT, or SIDE:UNIT:PROFILE=NUMBER")
    return Trim(side_of(side), unit, profile, int(number or 0))


def verdict_of(word: str) -> Verdict:
    return "doubt" if word in ("doubt", "?") else side_of(word)


def by_rank(units: Mapping[str, Any], ranks: Sequence[int]) -> list[str]:
    """The keys of units from the strongest on; `ranks` holds the rank of each, in the order of the force."""
    if sorted(ranks) != list(range(1, len(units) + 1)):
        given = ", ".join(map(str, ranks)) or "nothing"
        raise ParityError(f"rank {len(units)} Units with each number from 1 to {len(units)} once, not {given}")
    return [name for _, name in sorted(zip(ranks, units, strict=True))]


def judge_from(wishes: ParityWishes, talk: Talk) -> Callable[[], Judge[Any] | None]:
    """What makes a judge for each comparison: from the verdicts given, by estimate, or by asking, each pair once."""
    known: dict[str, Verdict] = {}

    def asked(red: Unit, blue: Unit) -> Verdict:
        pair = f"{red} {blue}"
        if pair not in known:
            words = f"{red.name} (red) or {blue.name} (blue): which is the more threatening? red, blue or doubt"
            known[pair] = ask_until(talk, words, verdict_of)
        return known[pair]

    def listed() -> Judge[Any]:
        left = iter([verdict_of(word) for word in words_of(wishes.verdicts or "")])
        return lambda red, blue: next(left, "doubt")

    if wishes.verdicts is not None:
        return listed
    return (lambda: None) if wishes.auto else (lambda: asked)


# What is asked.


def ask_until(talk: Talk, words: str, read: Callable[[str], T]) -> T:
    """Ask until what is typed can be read."""
    while True:
        text = talk.ask(words)
        try:
            return read(text)
        except SandtableError as wrong:
            talk.say(f"  Not so: {wrong}")


def ranks_of(talk: Talk, forces: Comparing[U], side: Side, given: str | None, auto: bool) -> Sequence[int] | None:
    """A side's ranks as given or, if nobody gives them and they are not to be estimated, as asked."""
    roster = forces.rosters[side]

    def read(text: str) -> list[int]:
        ranks = numbers(text)
        by_rank(roster, ranks)
        return ranks

    if given is not None:
        return read(given)
    if auto:
        return None
    talk.say(f"{side}'s Units:")
    for number, unit in enumerate(roster.values(), 1):
        talk.say(f"  {number:2}  {unit.name}: {', '.join(forces.lines(unit))}")
    return ask_until(talk, "The rank of each in this order, 1 for the strongest", read)


def ask_trims(
    talk: Talk, result: Compared, trims: list[Trim], compared: Callable[[Sequence[Trim]], Compared]
) -> Compared:
    """The stronger side may leave something at home and have the scores worked out again, as often as it likes."""
    stronger = result.stronger
    chosen = list(trims)
    while result.stronger is not None and result.stronger == stronger:
        talk.say(result.steps[-1].words)
        text = talk.ask(f"What does {stronger} leave at home instead? UNIT, UNIT:PROFILE=NUMBER, or nothing")
        if not text:
            break
        try:
            result = compared([*chosen, read_trim(f"{stronger}:{text}")])
        except SandtableError as wrong:
            talk.say(f"  Not so: {wrong}")
        else:
            chosen = list(result.trims)
    return result
