"""The second umpire of Hail of Fire follows many duels, with all arms and much fire, and objects to nothing."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from sandtable import rulesets
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import second_umpire
from sandtable.testing.umpire.hof.duels import duel, warlike

HOF = rulesets.load("hof")
BLOCK = 15
BLOCKS = 4
LONG = int(os.environ.get("SANDTABLE_SOAK_UMPIRE", "5000")) // 4
"""So many duels are judged by `make soak`."""

LOOKED_AT = (
    "Fire orders", "firing Teams", "silent Teams", "shots", "rates of fire", "hits", "hits on Small Teams", "received",
    "demands", "Penetration Rolls", "lost", "wrecks", "RFP rolls", "acting Teams", "rallies", "who might fall back",
    "calls", "missions", "missions under way", "Range Ins", "deviations", "fires for effect", "Teams under shells",
    "smoke laid",
)  # fmt: skip
SELDOM = (
    "fall backs", "abilities", "assaults", "assaulting Teams", "responses", "Assault Checks", "consolidations",
    "leaving Teams", "not Ready", "sustained barrages", "who ends inside a barrage", "smoke rounds", "aircraft",
    "air attacks", "anti-aircraft fire", "sniper fire", "sniped", "hits on ridden tanks", "empty flame-throwers",
    "snipers found", "Engineers at work",
)  # fmt: skip
"""What must not be missing where many duels are judged: a quiet umpire must not be a blind one."""


def judge(seeds: range) -> Counter[str]:
    """Play duels, and fail if the second umpire says anything against one of them."""
    counts: Counter[str] = Counter()
    found = []
    for seed in seeds:
        watch = second_umpire("hof")
        play_random(HOF, duel(seed), seed, choose=warlike(watch), observers=(watch,))
        counts.update(watch.counts)
        found += [f"duel {seed}: {objection}" for objection in watch.objections]
    print(f"{len(seeds)} duels: {dict(counts)}")
    assert not found, "\n".join(found)
    return counts


@pytest.mark.parametrize("block", range(BLOCKS))
def test_duels(block: int) -> None:
    counts = judge(range(block * BLOCK, (block + 1) * BLOCK))
    assert not [what for what in LOOKED_AT if not counts[what]]


@pytest.mark.soak
def test_many_duels() -> None:
    counts = judge(range(1000, 1000 + LONG))
    assert not [what for what in (*LOOKED_AT, *SELDOM) if not counts[what]]
