"""The Force Parity Procedure as a conversation: what nobody has said beforehand is asked, each thing once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from sandtable.engine.errors import SandtableError
from sandtable.engine.ruleset import Comparison, ParityWishes, Talk
from sandtable.field import forces
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import SIDES, Side
from sandtable.rulesets.hof.forces.forces import Force, ForceUnit, Roster, raise_force, usual_attacker
from sandtable.rulesets.hof.forces.parity import (
    Judge,
    Parity,
    ParityError,
    Trim,
    Verdict,
    by_rank,
    compare,
    refuse_trims,
    roster,
)

T = TypeVar("T")


def compare_aloud(red: Force, blue: Force, wishes: ParityWishes, talk: Talk) -> Comparison:
    """Compare two forces by the procedure, asking for what was not said beforehand."""
    attacker = attacking(wishes.attacker, (red, blue))
    trims = [read_trim(each) for each in wishes.trims]
    ranks: list[Sequence[int] | None] = []
    for side, given, force in zip(SIDES, (wishes.rank_red, wishes.rank_blue), (red, blue), strict=True):
        if given is not None:
            ranks.append(numbers(given))
            by_rank(roster(force), numbers(given))
        else:
            ranks.append(None if wishes.auto else ask_ranks(talk, side, roster(force)))
    judge = judge_from(wishes, talk)

    def compared(left_at_home: Sequence[Trim]) -> Parity:
        return compare(red, blue, attacker, rank_red=ranks[0], rank_blue=ranks[1], judge=judge(), trims=left_at_home)

    if wishes.verdicts is None and trims:
        refuse_trims(compared([]), trims)
    result = compared(trims)
    if wishes.verdicts is not None and len(result.pairings) != len(words_of(wishes.verdicts)):
        count = len(words_of(wishes.verdicts))
        raise ParityError(f"there are {len(result.pairings)} pairings and {count} verdicts")
    if not wishes.auto and wishes.verdicts is None:
        result = ask_trims(talk, result, trims, compared)
    steps = tuple((step.words, step.rule) for step in result.steps)
    return Comparison(steps, {**msgspec.to_builtins(result), "stronger": result.stronger})


# What was said.


def attacking(given: str | None, forces: tuple[Force, Force]) -> Side:
    if given is None:
        return usual_attacker(raise_force("red", forces[0]) | raise_force("blue", forces[1]))
    return side_of(given)


def side_of(word: str) -> Side:
    if word == "red":
        return "red"
    if word == "blue":
        return "blue"
    raise ParityError(f"{word!r} is no side; say red or blue")


def words_of(text: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", text.strip()) if word]


def numbers(text: str) -> list[int]:
    words = words_of(text)
    if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        raise ParityError(f"{text!r}: give a rank for each Unit, as in 3,1,2")
    return [int(word) for word in words]


def read_trim(text: str) -> Trim:
    side, _, rest = text.partition(":")
    unit, _, teams = rest.partition(":")
    profile, _, number = teams.partition("=")
    if not unit or (teams and not (number.isascii() and number.isdecimal() and len(number) < 4)):
        raise ParityError(f"{text!r}: write SIDE:UNIT, or SIDE:UNIT:PROFILE=NUMBER")
    return Trim(side_of(side), unit, profile, int(number or 0))


def judge_from(wishes: ParityWishes, talk: Talk) -> Callable[[], Judge | None]:
    """What makes a judge for each comparison: from the verdicts given, by estimate, or by asking, each pair once."""
    known: dict[str, Verdict] = {}

    def asked(red: ForceUnit, blue: ForceUnit) -> Verdict:
        pair = f"{red} {blue}"
        if pair not in known:
            words = f"{red.name} (red) or {blue.name} (blue): which is the more threatening? red, blue or doubt"
            known[pair] = ask_until(talk, words, verdict_of)
        return known[pair]

    def listed() -> Judge:
        left = iter([verdict_of(word) for word in words_of(wishes.verdicts or "")])
        return lambda red, blue: next(left, "doubt")

    if wishes.verdicts is not None:
        return listed
    return (lambda: None) if wishes.auto else (lambda: asked)


def verdict_of(word: str) -> Verdict:
    return "doubt" if word in ("doubt", "?") else side_of(word)


def ask_until(talk: Talk, words: str, read: Callable[[str], T]) -> T:
    while True:
        text = talk.ask(words)
        try:
            return read(text)
        except SandtableError as wrong:
            talk.say(f"  Not so: {wrong}")


def ask_ranks(talk: Talk, name: str, roster: Roster) -> list[int]:
    def read(text: str) -> list[int]:
        ranks = numbers(text)
        by_rank(roster, ranks)
        return ranks

    talk.say(f"{name}'s Units:")
    for number, unit in enumerate(roster.values(), 1):
        talk.say(f"  {number:2}  {unit.name}: {', '.join(team_lines(unit))}")
    return ask_until(talk, "The rank of each in this order, 1 for the strongest", read)


def ask_trims(talk: Talk, result: Parity, trims: list[Trim], compared: Callable[[Sequence[Trim]], Parity]) -> Parity:
    """The stronger side may leave something at home and have the scores worked out again, as often as it likes."""
    stronger = result.stronger
    chosen = list(trims)
    while result.stronger is not None and result.stronger == stronger:
        talk.say(result.steps[-1].words)
        words = f"What does {stronger} leave at home instead? UNIT, UNIT:PROFILE=NUMBER, or nothing"
        text = talk.ask(words)
        if not text:
            break
        try:
            result = compared([*chosen, read_trim(f"{stronger}:{text}")])
        except SandtableError as wrong:
            talk.say(f"  Not so: {wrong}")
        else:
            chosen = list(result.trims)
    return result


# Units in words.


def team_lines(unit: ForceUnit) -> list[str]:
    own = {"cc": ["Company Commander"], "sniper": ["Sniper"]}.get(unit.kind, [])
    own += ["Platoon Leader"] * unit.leader + ["Forward Observer"] * unit.observer
    return [*own, *counted(unit.teams, {name: ", ".join(traits) for name, traits in unit.traits.items()})]


def counted(teams: dict[str, int], more: dict[str, str] | None = None) -> list[str]:
    return forces.counted(teams, lambda key: profile(key).name, more)
