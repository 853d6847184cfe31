"""Checks: d6 against a number, difficult rolls, and the small dice (basics)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choices, Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Side, Training

SKILL: dict[Training, int] = {"inexperienced": 5, "regular": 4, "veteran": 3}
"""sof.units.skill-check"""

DIE = 6
FURTHER = {7: 5, 8: 6}
"""sof.basics.difficult-seven, sof.basics.difficult-eight: what the die after a six must show."""

EASY_RULES = ("sof.basics.d6",)
DIFFICULT_RULES = {
    7: ("sof.basics.d6", "sof.basics.difficult-when", "sof.basics.difficult-seven"),
    8: ("sof.basics.d6", "sof.basics.difficult-when", "sof.basics.difficult-eight"),
}
HOPELESS_RULES = ("sof.basics.d6", "sof.basics.difficult-nine")


def d2(die: int) -> int:
    """sof.basics.d2"""
    return (die + 2) // 3


def d3(die: int) -> int:
    """sof.basics.d3"""
    return (die + 1) // 2


def small(die: int, sides: int) -> int:
    """A d6 read as a die of fewer sides."""
    return {2: d2, 3: d3}.get(sides, int)(die)


SMALL_RULES = {2: "sof.basics.d2", 3: "sof.basics.d3"}


def small_dice(sides: int, number: int) -> list[str]:
    """The rules by which some dice are read, if they are not single d6."""
    if sides in SMALL_RULES:
        return [SMALL_RULES[sides]]
    return ["sof.basics.2d6"] if number > 1 else []


@dataclass(slots=True)
class Check:
    """Some dice against one number: what each needed, what fell, and which passed."""

    needed: int
    modifiers: list[Modifier]
    throw: Throw
    passed: list[bool]
    more: list[Throw] = field(default_factory=list)
    """What fell after the sixes of a difficult roll, each throw for the sixes of the one before."""

    @property
    def passes(self) -> int:
        return sum(self.passed)

    @property
    def ok(self) -> bool:
        return all(self.passed)

    @property
    def missed(self) -> list[int]:
        """The dice that failed and have not been rolled again: sof.basics.reroll-never-twice."""
        return [index for index, passed in enumerate(self.passed) if not passed and self.throw.may_reroll(index)]

    @property
    def throws(self) -> list[Throw]:
        return [self.throw, *self.more]

    @property
    def rules(self) -> tuple[str, ...]:
        how = EASY_RULES if self.needed <= DIE else DIFFICULT_RULES.get(self.needed, HOPELESS_RULES)
        return (*how, *[modifier.rule for modifier in self.modifiers])


def check(
    game: Battle,
    seat: Side,
    number: int,
    rating: int,
    why: str,
    modifiers: Sequence[Modifier] = (),
    *,
    stands: bool = False,
) -> Flow[Check]:
    """Roll some checks of one kind: each passes on the number or more, after modifiers.

    `stands`: by its rule no die of it is ever rolled again.
    """
    needed = rating - sum(modifier.amount for modifier in modifiers)
    throw = yield from game.throw(seat, number, why)
    found = Check(needed, list(modifiers), throw, [])
    found.passed = yield from judged(game, found, list(range(number)), why)
    if seat in game.state.rerolls and not stands:
        yield from by_recon(game, seat, found, why)
    return found


KEEP = "keep"


def by_recon(game: Battle, seat: Side, found: Check, why: str) -> Flow[None]:
    """sof.recon.reroll: once in a mission a side that has bought it may roll one failed die of its own again."""
    failed = {f"die-{index + 1}": index for index in found.missed}
    if not failed:
        return
    rule = "sof.recon.reroll"

    def option(name: str) -> Option:
        return Option(
            name, f"Roll the {found.throw.values[failed[name]]} again" if name in failed else "Keep them", (rule,)
        )

    choices = Choices({name: name for name in (KEEP, *failed)}, option)
    words = f"{why[0].upper()}{why[1:]}: is one die rolled again? Once in a battle."
    values = list(found.throw.values)
    facts = {"needed": found.needed, "dice": values, "alone": len(values) == 1}
    question = Choose("recon-reroll", words, choices, rules=(rule,), facts=facts, step="reply", commits=True)
    name = yield Ask(seat, question)
    if name == KEEP:
        return
    game.state.rerolls = [side for side in game.state.rerolls if side != seat]
    yield from reroll(game, found, [failed[name]], why)
    text = f"{seat.capitalize()} rolls a die again: {found.throw.values[failed[name]]}."
    game.tell("recon-reroll", text, rule, *REROLL_RULES, seat=seat, dice=[found.throw], die=failed[name])


def judged(game: Battle, found: Check, which: list[int], why: str) -> Flow[list[bool]]:
    """Which of the dice of a check pass; where more than a six is needed, each six is rolled on."""
    values = found.throw.values
    if found.needed <= DIE:
        return [values[index] >= found.needed for index in which]
    sixes = [index for index in which if values[index] == DIE]
    if found.needed not in FURTHER or not sixes:
        return [False for _ in which]
    further = yield from game.throw(found.throw.seat, len(sixes), f"{why}, after a six")
    found.more.append(further)
    good = {index for index, value in zip(sixes, further.values, strict=True) if value >= FURTHER[found.needed]}
    return [index in good for index in which]


def reroll(game: Battle, found: Check, which: Sequence[int], why: str) -> Flow[None]:
    """Roll some failed checks again, from their first die; the new result stands (sof.basics.reroll-stands)."""
    again = list(which)
    yield from game.reroll(found.throw, again)
    results = yield from judged(game, found, again, why)
    for index, passed in zip(again, results, strict=True):
        found.passed[index] = passed


REROLL_RULES = ("sof.basics.reroll-stands", "sof.basics.reroll-never-twice")
