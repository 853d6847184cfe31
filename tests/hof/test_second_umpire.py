"""The second umpire of Hail of Fire follows many games, on hard tables and in the scenarios, and objects to nothing."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from sandtable import rulesets
from sandtable.rulesets.hof.core.state import Setup
from sandtable.testing.laws import play_random
from sandtable.testing.soak import some_switches
from sandtable.testing.umpire import second_umpire
from sandtable.testing.umpire.hof.tables import battle, steered

HOF = rulesets.load("hof")
BLOCK = 60
BLOCKS = 5
LONG = int(os.environ.get("SANDTABLE_SOAK_UMPIRE", "5000"))
"""So many battles on hard tables are judged by `make soak`."""

LOOKED_AT = (
    "turns", "order dice", "activations", "teams brought along", "moves", "ways looked along", "drives", "places",
    "leader moves", "losses", "break rolls", "rounds", "objectives", "checks", "reveals", "arrivals", "loadings",
    "unloadings", "contacts", "minefields", "terrain checks", "reserves checks", "new leaders",
)  # fmt: skip
"""What must not be missing where many games are judged: a quiet umpire must not be a blind one."""


def judged(setup: Setup, seed: int, counts: Counter[str]) -> list[str]:
    """What the second umpire says against one game; `counts` tells what he looked at."""
    watch = second_umpire("hof")
    play_random(HOF, setup, seed, choose=steered(watch), observers=(watch,))
    counts.update(watch.counts)
    return [f"{setup.name or 'hard table'}, seed {seed}: {objection}" for objection in watch.objections]


def judge_hard_tables(seeds: range) -> None:
    counts: Counter[str] = Counter()
    found = [words for seed in seeds for words in judged(battle(seed), seed, counts)]
    print(f"{len(seeds)} battles on hard tables: {dict(counts)}")
    assert not found, "\n".join(found)
    assert not [what for what in LOOKED_AT if not counts[what]]


@pytest.mark.parametrize("block", range(BLOCKS))
def test_battles_on_hard_tables(block: int) -> None:
    judge_hard_tables(range(block * BLOCK, (block + 1) * BLOCK))


@pytest.mark.parametrize("scenario", HOF.scenarios())
def test_battles_of_the_scenarios(scenario: str) -> None:
    """From deployment to the end, with optional rules by chance."""
    assert HOF.switched is not None
    counts: Counter[str] = Counter()
    found = judged(HOF.switched(scenario, some_switches(HOF, 2)), 2, counts)
    print(f"{scenario}: {dict(counts)}")
    assert not found, "\n".join(found)


def test_a_way_is_looked_along_where_it_leads() -> None:
    """In this game a Team passes a gap between houses through which only a place beside its way could be seen."""
    watch = second_umpire("hof")
    play_random(HOF, HOF.scenario("city-block"), 22, observers=(watch,))
    assert not watch.objections
    assert watch.counts["ways looked along"]


@pytest.mark.soak
def test_many_battles_on_hard_tables() -> None:
    judge_hard_tables(range(1000, 1000 + LONG))


@pytest.mark.soak
@pytest.mark.parametrize("scenario", HOF.scenarios())
def test_many_battles_of_the_scenarios(scenario: str) -> None:
    assert HOF.switched is not None
    counts: Counter[str] = Counter()
    found = []
    for seed in range(LONG // 50):
        found += judged(HOF.switched(scenario, some_switches(HOF, seed)), seed, counts)
    print(f"{scenario}: {dict(counts)}")
    assert not found, "\n".join(found)
