"""Benchmarks. Each figure is measured in this run, on one core, and where it has a reference so is the reference."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from sandtable import bots, rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import ENCODER, Game
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat, drive
from sandtable.table.compiled import switch

TEAMS = 80


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    value: float
    unit: str
    reference: str | None = None
    reference_value: float | None = None
    ratio: float | None = None


class NoReference(SandtableError):
    """The other program is not installed."""


Measure = Callable[[float], dict[str, Figure]]


def measure_all(seconds: float, progress: Callable[[str], None], warm: bool = False) -> dict[str, Figure]:
    """All figures; without those of a first start if the machine is `warm`."""
    figures: dict[str, Figure] = {}
    switch.finish()
    measures: list[tuple[str, Measure]] = [
        ("decisions", decisions),
        ("a greedy turn", greedy_turn),
        ("sight lines", sight_lines),
        ("copies", copies),
        ("games", games),
    ]
    if not warm:
        measures.append(("the first start, about a minute", first_start))
    for name, measure in measures:
        progress(name)
        figures |= measure(seconds)
    return figures


def compared(value: float, unit: str, reference: str, reference_value: float) -> Figure:
    return Figure(value, unit, reference, reference_value, value / reference_value)


def timed(act: Callable[[int], int], seconds: float) -> float:
    """How many of something per second: `act` is called with 0, 1, 2, … and says how many it did."""
    act(0)
    done, number, start = 0, 1, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += act(number)
        number += 1
    return done / (time.perf_counter() - start)


MEASURED_IN = {"sof": ("hasty-assault",)}
"""By which battles a game is measured whose scenarios differ much in size: those with ten to twelve units a side."""


def decisions(seconds: float) -> dict[str, Figure]:
    """Decisions of two random players by each ruleset, finished or not, beside two random players of Catan."""
    figures: dict[str, Figure] = {}
    for name in rulesets.known():
        figures[f"decisions_{name}"] = decisions_of(rulesets.load(name), seconds)
    return figures


def decisions_of(rules: Ruleset, seconds: float) -> Figure:
    """Its battles in turn, ours and theirs in short slices, so that what else the machine does slows both alike."""
    setups = [rules.scenario(name) for name in MEASURED_IN.get(rules.name) or rules.scenarios()]
    prepared = [rules.prepare(setup) for setup in setups]

    def ours(seed: int) -> int:
        at = seed % len(setups)
        game: Game[Any] = Game(rules, setups[at], SeededDice(seed), prepared=prepared[at])
        return drive(game, {"red": bots.make("random", seed), "blue": bots.make("random", seed + 1)})

    theirs = catan_game()
    for seed in range(len(setups)):
        ours(seed)
    theirs(0)
    # What both have imported is no garbage: without this each would pay for searching the other's modules.
    gc.collect()
    gc.freeze()
    done = [0, 0]
    spent = [0.0, 0.0]
    number = 1
    while min(spent) < seconds:
        for which, act in enumerate((ours, theirs)):
            start = time.perf_counter()
            done[which] += act(number)
            spent[which] += time.perf_counter() - start
        number += 1
    rates = [count / took for count, took in zip(done, spent, strict=True)]
    return compared(rates[0], "1/s", "catanatron", rates[1])


LARGE_BATTLE = ("hof", "ridge")
"""At least eight Units a side."""

GREEDY_TURNS = 5


def greedy_turn(seconds: float) -> dict[str, Figure]:
    """How long the greedy bot thinks over one turn of its own in a large battle, on average after the first."""
    rules = rulesets.load(LARGE_BATTLE[0])
    game: Game[Any] = Game(rules, rules.scenario(LARGE_BATTLE[1]), SeededDice(1))
    players = {"red": bots.make("greedy", 1), "blue": bots.make("random", 2)}
    seats = {name: Seat(game, name) for name in players}
    thought, turns, wanted = 0.0, 0, GREEDY_TURNS if seconds >= 1 else 2
    while game.ask is not None and turns < wanted:
        name, mine = game.ask.seat, game.state.active == "red" and game.state.phase in ("orders", "gap")
        start = time.perf_counter()
        answer = players[name].choose(seats[name])
        if name == "red" and mine:
            # The first turn pays for what is loaded on the way.
            thought += time.perf_counter() - start if turns else 0.0
            turns += answer == "end"
        game.accept(answer)
    return {"greedy_turn_hof": Figure(thought / max(turns - 1, 1), "s")}


def first_start(_: float) -> dict[str, Figure]:
    """On a new machine: how soon the page is there, then the first question, and what all compiling costs."""
    from sandtable.lab import cold

    page, question = cold.serving()
    return {
        "cold_page": Figure(page, "s"),
        "cold_question": Figure(question, "s"),
        "cold_compiling": Figure(cold.compiling(), "s"),
    }


def catan_game() -> Callable[[int], int]:
    try:
        from catanatron import Color, RandomPlayer
        from catanatron import Game as Catan
    except ImportError:
        raise NoReference("the benchmark needs catanatron beside it: pip install 'sandtable[bench]'") from None

    def play(seed: int) -> int:
        game = Catan([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=seed)
        count = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            count += 1
        return count

    return play


def sight_lines(seconds: float) -> dict[str, Figure]:
    """Lines of sight over a table of 40 features, in batches, beside Shapely's STRtree on the same table and lines."""
    import numpy as np
    import shapely

    from sandtable.table.sight import Opacity, clear_lines
    from sandtable.table.terrain import Terrain

    features = forty_features()
    terrain = Terrain(features, 72.0, 48.0)
    opacity = Opacity([1] * len(features))
    random = np.random.default_rng(1)
    lines = random.uniform((0, 0, 0, 0), (72, 48, 72, 48), (20_000, 4))

    def ours(_: int) -> int:
        return len(clear_lines(terrain, opacity, lines))

    shapes = [
        shapely.Polygon(feature.points) if feature.closed else shapely.LineString(feature.points)
        for feature in features
    ]
    tree = shapely.STRtree(shapes)
    few = lines[:5_000]

    def theirs(_: int) -> int:
        segments = shapely.linestrings(few.reshape(-1, 2, 2))
        blocked = np.zeros(len(few), dtype=bool)
        blocked[np.unique(tree.query(segments, predicate="intersects")[0])] = True
        return len(blocked)

    value, reference = timed(ours, seconds), timed(theirs, seconds)
    return {"sight_lines": compared(value, "1/s", "shapely STRtree", reference)}


def forty_features() -> list[Any]:
    """A crowded table: woods of twelve corners, houses and hedges, in rows."""
    import math

    from sandtable.table.terrain import Feature

    features = []
    random = Random(40)
    for number in range(40):
        x, y = 5.0 + (number % 8) * 8.8, 5.0 + (number // 8) * 9.2
        size = 1.5 + 2.0 * random.random()
        if number % 3 == 0:
            corners = [(math.sin(k * math.pi / 6), math.cos(k * math.pi / 6)) for k in range(12)]
            points = [(x + size * sx * (0.7 + 0.3 * random.random()), y + size * sy) for sx, sy in corners]
            features.append(Feature(f"wood-{number}", "wood", points, height=3.0))
        elif number % 3 == 1:
            box = [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]
            features.append(Feature(f"house-{number}", "building", box, height=3.0))
        else:
            ends = [(x - size, y), (x + size, y + size)]
            features.append(Feature(f"hedge-{number}", "hedge", ends, closed=False, height=1.5))
    return features


def crowded_game(rules: Ruleset) -> Game[Any]:
    """A game with at least eighty Teams on the table, some way into its first rounds."""
    setup = rules.scenario("crossroads")
    game: Game[Any] = Game(rules, setup, SeededDice(3))
    random = Random(3)
    while game.ask is not None and len(game.record) < 200:
        game.accept(game.ask.question.sample(random))
    state = game.state
    donor = max(state.units.values(), key=lambda unit: len(unit.teams))
    number = 0
    while sum(len(unit.teams) for unit in state.units.values()) < TEAMS:
        team = msgspec.structs.replace(next(iter(donor.teams.values())), id=f"extra-{number}", role="")
        donor.teams[team.id] = team
        number += 1
    return game


def copies(seconds: float) -> dict[str, Figure]:
    """A copy of a mid-game state of eighty Teams: encode and decode, as snapshots and look-aheads do it."""
    rules = rulesets.load("tr14")
    state = crowded_game(rules).state
    decoder = msgspec.msgpack.Decoder(rules.state_type)

    def copy(_: int) -> int:
        for _ in range(100):
            decoder.decode(ENCODER.encode(state))
        return 100

    return {"copy_state_80": Figure(1e6 / timed(copy, seconds), "µs")}


def games(seconds: float) -> dict[str, Figure]:
    """Whole games per second, and how large a finished game is in a file and in memory."""
    import tracemalloc

    rules = rulesets.load("tr14")
    setup = rules.scenario("crossroads")
    prepared = rules.prepare(setup)

    def play(seed: int) -> int:
        game: Game[Any] = Game(rules, setup, SeededDice(seed), prepared=prepared)
        drive(game, {"red": bots.make("random", seed), "blue": bots.make("random", seed + 1)})
        return 1

    rate = timed(play, seconds)
    sizes, kept = [], []
    for seed in range(5):
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        game: Game[Any] = Game(rules, setup, SeededDice(seed), prepared=prepared)
        drive(game, {"red": bots.make("random", seed), "blue": bots.make("random", seed + 1)})
        kept.append(tracemalloc.get_traced_memory()[0] - before)
        tracemalloc.stop()
        sizes.append(len(record.dumps(game).encode()))
    return {
        "games_tr14": Figure(rate, "1/s"),
        "game_file_kb": Figure(max(sizes) / 1000, "kB"),
        "game_memory_kb": Figure(max(kept) / 1000, "kB"),
    }
