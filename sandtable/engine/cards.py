"""What a ruleset tells a page beside the picture: who is on the table, how things stand, what would be seen from where.

All of it is plain data in the game's own words, made for one seat: nothing here tells what that seat may not know.
A page draws these cards without knowing which game they belong to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.table.scene import Badge, Point


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing worth showing: "Order Points", "2 of 3", and the rule behind it.

    `side` is whose it is, where each side has its own. `known` is False for a value that the seat may not know.
    `count` is the value as a number, and of how many.
    """

    name: str
    value: str
    rule: str = ""
    side: str = ""
    known: bool = True
    count: tuple[int, int] | None = None


def counted(name: str, count: tuple[int, int], rule: str = "", side: str = "") -> Fact:
    """So many of so many: "2 of 3"."""
    return Fact(name, f"{count[0]} of {count[1]}", rule, side, count=count)


class RailDie(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die that lies on the rail: what it shows, whose it is, whether it is spent, and what more is to be said."""

    value: int
    side: str
    spent: bool = False
    title: str = ""


class RailStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a turn on the rail, with the dice that can be spent in it; `now` is the one that is played."""

    name: str
    dice: tuple[RailDie, ...] = ()
    now: bool = False
    past: bool = False


class Rail(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice at the table's edge that each side spends in the steps of a turn, and in which order these come.

    A die of the step that is played is spent by choosing whom it serves. `note` says what holds now.
    """

    title: str
    steps: tuple[RailStep, ...]
    note: str = ""


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a kind of Team can do: its numbers, its weapons as a small table, its special rules.

    `look` is the `kind` of a piece of a scene: how such a Team is drawn, also before it stands on the table.
    """

    name: str
    facts: tuple[Fact, ...] = ()
    columns: tuple[str, ...] = ()
    weapons: tuple[tuple[str, ...], ...] = ()
    notes: tuple[Fact, ...] = ()
    look: str = ""


class TeamCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One Team of the roster: `where` says in a word where it is when it is not on the table."""

    id: str
    name: str
    profile: str
    badges: tuple[Badge, ...] = ()
    where: str = ""
    lost: bool = False


class UnitCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Unit as a player may know it, and its Teams.

    `strength` is how many of them count now and at the start; the second is 0 when it is not known.
    """

    id: str
    side: str
    name: str
    note: str
    strength: tuple[int, int]
    badges: tuple[Badge, ...] = ()
    teams: tuple[TeamCard, ...] = ()


class Briefing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat is told before its first question, beside the title of the battle and what that says of itself.

    `task` is its own, in a sentence. `lines` say who attacks, how it is won and lost and what ends it, each with its
    rule. `force` is what it leads, with the strength at the start. A watcher has no task and leads nothing.
    """

    task: str = ""
    lines: tuple[Fact, ...] = ()
    force: tuple[Fact, ...] = ()


class Outlook(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a piece sees, or would see from a place where it does not stand yet.

    `cell` and `rows`: a grid over the table from its near left corner; each row is a string with "1" for a cell that
    is seen and "0" for one that is not. `seen`: the pieces in sight. `rings`: ranges worth drawing, with their words.
    `arc`: the width of what it may fire at, in degrees about its facing, if that is not all round.
    """

    at: Point
    facing: float
    cell: float
    rows: tuple[str, ...]
    seen: tuple[str, ...] = ()
    rings: tuple[tuple[float, str], ...] = ()
    arc: float | None = None
    notes: tuple[Fact, ...] = ()


class Slice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a line crosses: from and to so many inches along it, from `floor` up to `top`."""

    start: float
    end: float
    floor: float
    top: float
    kind: str
    name: str
    stops: bool = False


class SideView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of sight from the side: its length, the ground under it, what stands on it, and whether it is clear."""

    length: float
    eye: float
    target: float
    clear: bool
    ground: tuple[Point, ...] = ()
    slices: tuple[Slice, ...] = ()
    notes: tuple[Fact, ...] = ()


class Chance(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way in which an attack may end, and how often."""

    words: str
    share: float


class Spread(msgspec.Struct, frozen=True):
    """A number that depends on dice, such as hits: each value that it may have with its chance, and the mean."""

    name: str
    mean: float
    chances: tuple[tuple[int, float], ...]


class Odds(msgspec.Struct, frozen=True, omit_defaults=True):
    """The exact odds of an attack, before the dice: computed, not tried. Without chances, there is no attack.

    `lines` are its throws with their reasons, `chances` all the ways in which it may end, the likeliest first, and
    `spreads` numbers that come out of it. `assumes` says in sentences what is taken for granted where something is
    still open. `taken` are the topics of the questions that may come up within the attack: each is taken to be answered
    as it proposes, or as `given` has it. Whatever else is asked comes after it. `notes` say what else follows from it,
    later.
    """

    lines: tuple[PreviewLine, ...] = ()
    chances: tuple[Chance, ...] = ()
    spreads: tuple[Spread, ...] = ()
    assumes: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    notes: tuple[Fact, ...] = ()
    given: dict[str, Any] = {}


class Preview(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer would lead to: each number with its reasons, and the chances of how it ends.

    `trials` is how many times it was tried out; 0 if the chances are exact. `spreads` and `assumes` are those of
    exact odds. `follows` are the odds of attacks that could follow a planned move, from where it ends.
    """

    lines: tuple[PreviewLine, ...] = ()
    chances: tuple[Chance, ...] = ()
    trials: int = 0
    notes: tuple[Fact, ...] = ()
    spreads: tuple[Spread, ...] = ()
    assumes: tuple[str, ...] = ()
    follows: tuple[Preview, ...] = ()


class PreviewLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One throw of dice that the answer would cause: who, how many dice, what each needs, and why."""

    words: str
    dice: int = 0
    needs: int = 0
    reasons: tuple[Reason, ...] = ()
    rule: str = ""


class Reason(msgspec.Struct, frozen=True):
    """A modifier before the dice fall."""

    amount: int
    rule: str
    words: str
