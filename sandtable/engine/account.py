"""The account of a battle that is over: what decided it, how it went, who killed whom, and how the dice fell.

It is made by playing the record once more and reading events' fields, never their texts. What a ruleset adds is its
`Story`: which figures of its status line tell a battle, which events are losses, and whom to blame for them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import erf, sqrt
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import rebuild
from sandtable.engine.dice import Dice
from sandtable.engine.events import Event
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.rebuild import Start
from sandtable.engine.ruleset import Result
from sandtable.engine.story import Blow, Rolled, Story
from sandtable.engine.tokens import plain

MOST_SWINGS = 6
"""Moments that are told."""

LEAST_SWING = 0.02
"""What of all that changed hands in a battle a moment must have changed to be told."""

BAND = 1.96
"""Standard deviations to either side that hold 95 of 100 battles."""

MOST_TOLD = 3
"""Sentences of the log that tell a moment."""


# What is told.


class Mark(msgspec.Struct, frozen=True):
    """A value of a curve: after so many answers, in which turn."""

    number: int
    turn: int
    value: int


class Curve(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure of one side over the battle; `limit` is what it is counted against, 0 for nothing."""

    name: str
    side: str
    marks: tuple[Mark, ...]
    limit: int = 0


class Fallen(msgspec.Struct, frozen=True):
    """So many pieces of a side were lost in a turn."""

    turn: int
    side: str
    count: int


class Swing(msgspec.Struct, frozen=True):
    """A moment that changed much: where it begins and ends in answers, whom it favoured, how much, and what happened.

    `share` is its part of all that changed hands in the battle.
    """

    start: int
    end: int
    turn: int
    side: str
    share: float
    told: tuple[str, ...]


class Kill(msgspec.Struct, frozen=True, omit_defaults=True):
    """So many of a kind that fell to another kind, by name; an empty `by` is nobody in particular."""

    side: str
    what: str
    by: str
    weapon: str
    count: int


class Luck(msgspec.Struct, frozen=True):
    """A side's dice that needed a number: how many showed it, how many were to be expected, and the usual band.

    `better` is the part of all battles with these throws that would have had fewer.
    """

    side: str
    dice: int
    good: int
    expected: float
    low: float
    high: float
    better: float
    words: str


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle that is over, as it is told afterwards."""

    winner: str | None
    sentence: str
    rule: str
    turns: int
    answers: int
    curves: tuple[Curve, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    swings: tuple[Swing, ...] = ()
    kills: tuple[Kill, ...] = ()
    luck: tuple[Luck, ...] = ()


class Stage(NamedTuple):
    """The battle at one of its large questions."""

    number: int
    turn: int
    events: int
    worth: dict[str, float]
    """By its terms. One that cannot be told at a question, say who holds what while sides deploy, stays as it was."""

    def gained(self, before: Stage) -> float:
        """What has changed for the first seat since then; a term that was not told before has not changed."""
        return sum(part - before.worth[name] for name, part in self.worth.items() if name in before.worth)


class Accountant(Observer):
    """Looks on while a battle is played once more, and writes down how it stands at each large question."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.curves: dict[tuple[str, str], list[Mark]] = {}
        self.limits: dict[tuple[str, str], int] = {}

    def answered(self, game: Game[Any], entry: Entry) -> None:
        # While observers hear of an answer the question still stands, and all is as it was when it was asked.
        if game.ask is not None and game.ask.checkpoint:
            self.write(game, len(game.record) - 1)

    def write(self, game: Game[Any], number: int) -> None:
        rules = game.rules
        turn = rules.turn(game.state)
        worth = self.stages[-1].worth if self.stages else {}
        if game.result is None:
            worth = {**worth, **rules.worth.lasting(game, rules.seats[0])}
        self.stages.append(Stage(number, turn, len(game.events), worth))
        for seat in rules.seats:
            for fact in rules.display.status(game, seat):
                if fact.side == seat and fact.count is not None and fact.name in rules.display.story.figures:
                    key = (fact.name, seat)
                    marks = self.curves.setdefault(key, [])
                    if not marks or marks[-1].value != fact.count[0] or game.over:
                        marks.append(Mark(number, turn, fact.count[0]))
                    self.limits[key] = fact.count[1]


def account(game: Game[Any], dice: Dice, *, result: Result | None = None, start: Start | None = None) -> Account | None:
    """The account of a game; None as long as it goes on.

    Its record is played again with the same `dice`, from its beginning or from the state that it begins with. `result`
    is how it ended if not by the rules: somebody has given it up.
    """
    result = result or game.result
    if result is None:
        return None
    observer = Accountant()
    again = rebuild.begin(game.rules, game.setup, dice, start, (observer,))
    rebuild.follow(again, game.record)
    observer.write(again, len(again.record))
    return told(again, observer, result)


def told(game: Game[Any], seen: Accountant, result: Result) -> Account:
    curves = tuple(
        Curve(name, side, tuple(marks), seen.limits[name, side]) for (name, side), marks in seen.curves.items()
    )
    return Account(
        result.winner,
        sentence(game, result, curves),
        result.rule,
        game.rules.turn(game.state),
        len(game.record),
        curves,
        tuple(fallen(game, seen.stages)),
        tuple(swings(game, seen.stages)),
        tuple(kills(game)),
        tuple(luck(game)),
    )


def sentence(game: Game[Any], result: Result, curves: tuple[Curve, ...]) -> str:
    """Why it ended, and how both sides stood by the first of the figures."""
    reason = plain(result.reason)
    for seat in game.rules.seats:
        reason = re.sub(rf"\b{re.escape(seat)}\b", seat.capitalize(), reason)
    said = reason[:1].upper() + reason[1:].rstrip(".") + "."
    figures = game.rules.display.story.figures
    standing = [
        f"{curve.side.capitalize()} {curve.marks[-1].value}" + (f" of {curve.limit}" if curve.limit else "")
        for curve in curves
        if figures and curve.name == figures[0]
    ]
    return f"{said} {figures[0]} at the end: {', '.join(standing)}." if standing else said


def fallen(game: Game[Any], stages: list[Stage]) -> list[Fallen]:
    """The losses of each turn and side."""
    count: Counter[tuple[int, str]] = Counter()
    for before, after in pairwise(stages):
        for event in game.events[before.events : after.events]:
            if event.kind in game.rules.display.story.losses:
                count[after.turn, event.seat] += max(1, len(lost_in(event)))
    return [Fallen(turn, side, number) for (turn, side), number in sorted(count.items())]


# The moments that swung it.


def swings(game: Game[Any], stages: list[Stage]) -> list[Swing]:
    """Where most changed hands between two large questions, in the order of the battle."""
    first, second = game.rules.seats[0], game.rules.seats[-1]
    steps = [(after.gained(before), before, after) for before, after in pairwise(stages)]
    # Setting up is no fighting: it counts from the first dice.
    thrown = next((number for number, event in enumerate(game.events) if event.dice), 0)
    steps = [step for step in steps if step[1].events >= thrown]
    whole = sum(abs(change) for change, _, _ in steps)
    if not whole:
        return []
    found: list[Swing] = []
    for change, before, after in sorted(steps, key=lambda step: -abs(step[0])):
        share = abs(change) / whole
        if share < LEAST_SWING or len(found) == MOST_SWINGS:
            break
        side = first if change > 0 else second
        texts = telling(game, game.events[before.events : after.events], side)
        # A move that looks well or badly is no turn of the battle yet.
        if texts:
            found.append(Swing(before.number, after.number, after.turn, side, round(share, 3), texts))
    return sorted(found, key=lambda swing: swing.start)


def telling(game: Game[Any], events: list[Event], side: str) -> tuple[str, ...]:
    """The sentences that tell a moment that favoured a side: what the other lost in it, and what else was good for it.

    What went against that side in it tells nothing of why the moment favoured it.
    """
    story = game.rules.display.story
    good = [event for event in events if not went_against(event, side, story)]
    losses = [event.text for event in good if event.kind in story.losses]
    return tuple([*losses, *(event.text for event in good if event.kind in story.turns)][:MOST_TOLD])


def went_against(event: Event, side: str, story: Story) -> bool:
    """Whether a side lost or suffered something, or the other won what both fight for."""
    gain = event.data.get("gain")
    if gain is not None and gain["what"] in story.prizes:
        return bool(gain["side"] != side)
    return event.seat == side


# What killed what.


def kills(game: Game[Any]) -> list[Kill]:
    """The pieces that were lost, by kind, and the kind of whoever hurt each of them last; the most first."""
    story, names = game.rules.display.story, kinds_of(game)
    last: dict[str, Blow] = {}
    count: Counter[tuple[str, str, str, str]] = Counter()
    for event in game.events:
        for blow in story.blows(event):
            # Whose hits they were may not matter: then it is the volley at the unit under fire, also for its guests.
            known = blow.by or blow.weapon
            last[blow.victim] = blow if known else last.get(str(event.data.get("unit", "")), blow)
        for team in lost_in(event) if event.kind in story.losses else ():
            unknown = Blow("", "", team)
            blow = last.get(team, unknown)
            if not blow.by and not blow.weapon:
                # Hits on a unit may be anybody's: then it is the volley that did it.
                blow = last.get(str(event.data.get("unit", "")), unknown)
            count[event.seat, names.get(team, team), names.get(blow.by, ""), blow.weapon] += 1
    return [Kill(*key, number) for key, number in count.most_common()]


def lost_in(event: Event) -> list[str]:
    """The pieces that an event says are lost: one, or several at once."""
    team = event.data.get("team")
    return [team] if isinstance(team, str) else [each for each in event.data.get("teams", ()) if isinstance(each, str)]


def kinds_of(game: Game[Any]) -> dict[str, str]:
    """What each piece of the battle is, and what each unit is called, by id: all stand on the roster of their side.

    A piece is called by its kind or, where that says little, by its unit.
    """
    display = game.rules.display
    profiles = display.profiles(game)
    cards = [card for seat in game.rules.seats for card in display.roster(game, seat) if card.side == seat]
    names = {card.id: card.name for card in cards}
    for card in cards:
        for team in card.teams:
            kind = profiles[team.profile].name if team.profile in profiles else team.name
            names[team.id] = card.name if display.story.by_unit else kind
    return names


# Luck.


def luck(game: Game[Any]) -> list[Luck]:
    """Each side's dice against what was to be expected of them."""
    found = []
    rolls = [each for event in game.events for each in game.rules.display.story.rolls(event)]
    for seat in game.rules.seats:
        mine = [each for each in rolls if each.seat == seat and each.dice]
        chances = [(each.dice, chance(each)) for each in mine]
        expected = sum(dice * part for dice, part in chances)
        spread = sqrt(sum(dice * part * (1.0 - part) for dice, part in chances))
        dice, good = sum(each.dice for each in mine), sum(each.good for each in mine)
        if not dice:
            continue
        better = 0.5 * (1.0 + erf((good - expected) / (spread * sqrt(2.0)))) if spread else 0.5
        low, high = max(0.0, expected - BAND * spread), min(float(dice), expected + BAND * spread)
        rounded = (round(expected, 1), round(low, 1), round(high, 1), round(better, 3))
        found.append(Luck(seat, dice, good, *rounded, words=in_words(better)))
    return found


def chance(each: Rolled) -> float:
    """How likely one die is to show what is needed."""
    return min(each.sides, max(0, each.sides + 1 - each.needed)) / each.sides


def in_words(better: float) -> str:
    if better > 0.975:
        return "Far better than usual: in 95 of 100 battles the dice fall worse."
    if better > 0.84:
        return "Good dice, but nothing out of the usual."
    if better < 0.025:
        return "Far worse than usual: in 95 of 100 battles the dice fall better."
    if better < 0.16:
        return "Poor dice, but nothing out of the usual."
    return "About what the dice owe everybody."
