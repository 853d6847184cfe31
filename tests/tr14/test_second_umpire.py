"""The second umpire of the test rules follows many games, on hard tables and in the scenarios, and objects to none."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import second_umpire
from sandtable.testing.umpire.tr14.tables import choose, table

TR14 = rulesets.load("tr14")
BLOCK = 75
BLOCKS = 4
LONG = int(os.environ.get("SANDTABLE_SOAK_UMPIRE", "5000"))
"""So many moments on hard tables are judged by `make soak`."""

LOOKED_AT = (
    "activations", "actions", "allocations", "armor saves", "assaults", "attacks on commanders and observers",
    "barrages", "battles ended", "break-offs", "charges", "charges halted", "charges into contact",
    "charges that fall short", "charges without contact", "Checks vouched for", "company checks", "counter-attacks",
    "counter-moves", "damage rolls", "ends of ways", "extra charges", "fire directed", "follow-ups", "hits allocated",
    "hull or turret", "Initiatives", "leaderless moves", "leaders appointed", "leaders placed", "markers lost",
    "markers placed", "modifiers: concealed", "modifiers: firer-moved", "modifiers: gone-to-ground",
    "modifiers: long-range", "modifiers: moving-in-open", "modifiers: reaction", "morale checks", "moves",
    "objectives judged", "rolls for ground", "rounds", "saves", "saves from shells", "shots", "sixes", "smoke fired",
    "strikes", "suppression shifted", "tanks assaulted", "Teams breaking off", "Teams caught", "Teams destroyed",
    "Teams moved up", "Teams suppressed twice", "Teams that fire", "Teams under shells", "Units going to ground",
    "Units in cohesion", "Units lost", "Units up again", "volleys at movers", "ways of heavy guns",
    "ways over rough ground",
)  # fmt: skip
"""What must not be missing where many games are judged: a quiet umpire must not be a blind one."""


def judged(setup: Any, seed: int, counts: Counter[str], **play: Any) -> list[str]:
    """What the second umpire says against one game; `counts` tells what he looked at."""
    watch = second_umpire("tr14")
    play_random(TR14, setup, seed, observers=(watch,), **play)
    counts.update(watch.counts)
    return [f"seed {seed}: {objection}" for objection in watch.objections]


def judge_hard_tables(seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    found = []
    for seed in seeds:
        found += judged(msgspec.convert(table(seed), TR14.setup_type), seed, counts, choose=choose)
    print(f"{len(seeds)} moments on hard tables: {dict(counts)}")
    assert not found, "\n".join(found)
    return counts


@pytest.mark.parametrize("block", range(BLOCKS))
def test_battles_on_hard_tables(block: int) -> None:
    judge_hard_tables(range(block * BLOCK, (block + 1) * BLOCK))


@pytest.mark.parametrize("scenario", TR14.scenarios())
def test_battles_of_the_scenarios(scenario: str) -> None:
    counts: Counter[str] = Counter()
    found = [words for seed in (1, 2) for words in judged(TR14.scenario(scenario), seed, counts)]
    assert not found, "\n".join(found)
    assert counts["Units deployed"]


def test_the_hard_tables_are_sound() -> None:
    """What they hold is a set-up of the rules, and the same for the same seed."""
    for seed in range(50):
        assert table(seed) == table(seed)
        assert not TR14.problems(msgspec.convert(table(seed), TR14.setup_type))


@pytest.mark.soak
def test_many_battles_on_hard_tables() -> None:
    counts = judge_hard_tables(range(1000, 1000 + LONG))
    assert not [what for what in LOOKED_AT if not counts[what]]
