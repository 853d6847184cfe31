"""Duels: two bots play a battle many times, each side as often as the other, and their results are counted.

A player is named as `greedy`, `random`, `reference` (the greedy bot as it first was), or as a bot with other weights
than the ruleset's own: `greedy:near=0,danger=1.5`. Every seed is played twice, with the sides swapped.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sandtable import bots, rulesets
from sandtable.bots.greedy_bot import GreedyBot
from sandtable.engine.dice import SERIES, SeededDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Event
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.seat import Player, Seat
from sandtable.lab.reference import ReferenceBot
from sandtable.table.compiled import switch

REFERENCE = "reference"
SURE = 1.96
"""Standard errors to either side of what was found: 95 of 100 such intervals hold the truth."""

PROCESSES = 2
SHORT = 1.0
"""A move by less than this, in inches, hardly ever buys anything."""

KINDS = {
    "assaults": ("assault",),
    "barrages": ("range-in",),
    "smoke": ("smoke", "fire-smoke"),
}
"""What is counted, by the kinds of events that tell of it."""

SPENDING, PAYING = "activate", "pay"
"""The topics at which points are left unspent, or one kind of point is paid rather than another."""


class UnknownPlayer(SandtableError):
    """A name that nobody in a duel has."""


class UnreadableGames(SandtableError):
    """A file that does not hold the games of a duel."""


def player(name: str, seed: int) -> Player:
    """Whoever is meant by the name of a player."""
    if name == REFERENCE:
        return ReferenceBot(seed)
    bot, _, words = name.partition(":")
    if not words:
        return bots.make(bot, seed)
    if bot != "greedy":
        raise UnknownPlayer(f"{bot!r} has no weights; only greedy has")
    return GreedyBot(seed, read_weights(words))


def read_weights(words: str) -> dict[str, float]:
    found = {}
    for word in words.split(","):
        name, _, value = word.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise UnknownPlayer(f"{word!r} is no weight; write NAME=NUMBER") from None
    return found


class Tally(msgspec.Struct):
    """What one player did in some games."""

    counts: dict[str, int] = {}
    seconds: list[float] = []
    """How long he thought in each turn."""

    def add(self, name: str, number: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + number

    def merge(self, other: Tally) -> None:
        for name, number in other.counts.items():
            self.add(name, number)
        self.seconds = [*self.seconds, *other.seconds]


class Watch(Observer):
    """Counts what each side does."""

    def __init__(self, sides: Iterable[str]) -> None:
        self.tallies = {side: Tally({}, []) for side in sides}

    def happened(self, game: Game[Any], event: Event) -> None:
        tally = self.tallies.get(event.seat)
        if tally is None:
            return
        for name, kinds in KINDS.items():
            if event.kind in kinds:
                tally.add(name)
        if event.kind == "move":
            tally.add("moves")
            if longest(event.data["ways"].values()) < SHORT:
                tally.add("short moves")
        if event.kind == "order-dice":
            tally.add("points", event.data["points"])

    def answered(self, game: Game[Any], entry: Entry) -> None:
        self.tallies[entry.seat].add("answers")


def longest(ways: Iterable[list[list[float]]]) -> float:
    return max((sum(map(math.dist, way, way[1:])) for way in ways), default=0.0)


class Played(msgspec.Struct):
    """One game: who won, by the number of the player (None: nobody), and what each player did."""

    winner: int | None
    turns: int
    reason: str
    tallies: tuple[Tally, Tally]


class Match(NamedTuple):
    """One game to be played."""

    ruleset: str
    scenario: str
    names: tuple[str, str]
    seed: int
    swapped: bool


def play(task: Match) -> Played:
    """One game from beginning to end."""
    rules = rulesets.load(task.ruleset)
    sides = rules.seats[::-1] if task.swapped else rules.seats
    watch = Watch(rules.seats)
    game: Game[Any] = Game(rules, rules.scenario(task.scenario), SeededDice(task.seed), observers=(watch,))
    players = {side: player(task.names[number], 2 * task.seed + number) for number, side in enumerate(sides)}
    seats = {side: Seat(game, side) for side in sides}
    spent: dict[tuple[str, int], float] = {}
    while game.ask is not None:
        side, ask = game.ask.seat, game.ask
        turn = (side, rules.turn(game.state))
        start = time.process_time()
        answer = players[side].choose(seats[side])
        spent[turn] = spent.get(turn, 0.0) + time.process_time() - start
        tally, facts = watch.tallies[side], ask.question.facts
        if ask.question.topic == PAYING and facts.get("payable"):
            tally.add("payments")
            tally.add("hero before order", answer == "hero")
        if ask.question.topic == SPENDING and answer == "end" and facts.get("order_points"):
            tally.add("unspent", facts["order_points"])
            if useful_order(seats[side]):
                tally.add("useful unspent", facts["order_points"])
        game.accept(answer)
    for (side, _), seconds in spent.items():
        watch.tallies[side].seconds.append(seconds)
    result = game.result
    assert result is not None
    winner = None if result.winner is None else sides.index(result.winner)
    tallies = watch.tallies[sides[0]], watch.tallies[sides[1]]
    return Played(winner, rules.turn(game.state), result.reason, tallies)


USEFUL = 0.5
"""So much better off an order must leave a seat to be useful."""


def useful_order(seat: Seat) -> bool:
    """Whether an order that an Order Point pays for leaves the seat better off than none, on average of all faces.

    A whole series of even dice: with a part of one, a face that ruins an order would be left out.
    """
    judge = GreedyBot(0)
    options = [option for option in seat.question.options if not option.warning]  # type: ignore[attr-defined]
    seeds = range(SERIES)
    none = sum(judge.value(seat, ["end"], seed) for seed in seeds)
    for option in options:
        if option.id in ("end", "reveal"):
            continue
        if sum(judge.value(seat, [option.id], seed) for seed in seeds) > none + SERIES * USEFUL:
            return True
    return False


# Results.


def wilson(won: float, games: int) -> tuple[float, float]:
    """The interval in which the share of games won lies, by Wilson's score."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = SURE / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


class Row(msgspec.Struct):
    """How a duel stands in one scenario, as the first player sees it; a draw is half a game won."""

    ruleset: str
    scenario: str
    games: int = 0
    won: int = 0
    drawn: int = 0
    turns: int = 0
    tallies: tuple[Tally, Tally] = msgspec.field(default_factory=lambda: (Tally({}, []), Tally({}, [])))

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    def add(self, played: Played) -> None:
        self.games += 1
        self.won += played.winner == 0
        self.drawn += played.winner is None
        self.turns += played.turns
        for mine, more in zip(self.tallies, played.tallies, strict=True):
            mine.merge(more)


def tasks(ruleset: str, scenarios: list[str], names: tuple[str, str], games: int, first: int) -> Iterator[Match]:
    """All games, the battles in turn: whoever stops early has as many of each."""
    for number in range(games):
        for scenario in scenarios:
            yield Match(ruleset, scenario, names, first + number // 2, bool(number % 2))


class Kept(msgspec.Struct):
    """A line of a file in which games are kept as they end."""

    match: Match
    played: Played


def read_kept(path: Path | None) -> dict[Match, Played]:
    """The games of a file; a last line that was not written to its end is cut off."""
    found: dict[Match, Played] = {}
    if path is None or not path.exists():
        return found
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        path.write_bytes(whole)
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            kept = msgspec.json.decode(line, type=Kept)
        except msgspec.MsgspecError as error:
            raise UnreadableGames(f"line {number} of {path} is no game of a duel: {error}") from None
        found[kept.match] = kept.played
    return found


def keep(path: Path | None, match: Match, played: Played) -> None:
    if path is not None:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(Kept(match, played)) + b"\n")


def duel(
    ruleset: str,
    scenarios: list[str],
    names: tuple[str, str],
    games: int,
    first: int = 1,
    processes: int = PROCESSES,
    seconds: float = math.inf,
    progress: Callable[[Match, Played], None] = lambda *_: None,
    kept_in: Path | None = None,
) -> list[Row]:
    """Play so many games in each scenario, for so many seconds at most, and count.

    With a file each game is kept there as it ends, and those that are in it already are not played again.
    """
    for name in names:
        weights = getattr(player(name, 1), "weights", None) or {}
        terms = rulesets.load(ruleset).worth.terms
        for word in weights:
            if word not in terms:
                raise UnknownPlayer(f"{ruleset} weighs no {word!r}; it weighs {', '.join(terms)}")
    switch.finish()
    end = time.monotonic() + seconds
    known = read_kept(kept_in)
    rows: dict[str, Row] = {}
    todo = []
    for task in tasks(ruleset, scenarios, names, games, first):
        if task in known:
            rows.setdefault(task.scenario, Row(ruleset, task.scenario)).add(known[task])
        else:
            todo.append(task)
    with multiprocessing.get_context("spawn").Pool(processes, initializer=switch.finish) as pool:
        for task, played in zip(todo, pool.imap(play, todo), strict=False):
            keep(kept_in, task, played)
            rows.setdefault(task.scenario, Row(ruleset, task.scenario)).add(played)
            progress(task, played)
            if time.monotonic() > end:
                break
    return list(rows.values())


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def table(rows: list[Row]) -> list[str]:
    """The results as a table for a page."""
    lines = ["| battle | games | won | drawn | share, 95% interval |", "|---|---|---|---|---|"]
    for row in rows:
        low, high = wilson(row.points, row.games)
        share = f"{row.points / row.games:.0%} ({low:.0%} to {high:.0%})"
        lines.append(f"| {row.ruleset} {row.scenario} | {row.games} | {row.won} | {row.drawn} | {share} |")
    return lines


def part(count: Counter[str], some: str, whole: str) -> str:
    return f"{count[some]} of {count[whole]} ({count[some] / count[whole]:.1%})" if count[whole] else "none"


def habits(rows: list[Row], number: int) -> list[str]:
    """What one of the two players did, a line each."""
    count: Counter[str] = Counter()
    seconds: list[float] = []
    for row in rows:
        count.update(row.tallies[number].counts)
        seconds += row.tallies[number].seconds
    lines = [
        "| what | how often |",
        "|---|---|",
        *(f"| {name} | {count[name]} |" for name in KINDS),
        f'| moves under {SHORT:g}" | {part(count, "short moves", "moves")} |',
    ]
    if count["points"]:
        lines += [
            f"| Order Points unspent | {part(count, 'unspent', 'points')} |",
            f"| unspent while a useful order exists | {part(count, 'useful unspent', 'points')} |",
            f"| a Hero Point where an Order Point would do | {part(count, 'hero before order', 'payments')} |",
        ]
    lines.append(f"| thought in a turn, 95th percentile | {percentile(seconds, 0.95):.2f} s of {len(seconds)} turns |")
    return lines
