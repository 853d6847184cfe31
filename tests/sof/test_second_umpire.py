"""The second umpire of Storm of Fire follows situations, hard tables and battles, and objects to none of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.testing.laws import play_random
from sandtable.testing.situations import load
from sandtable.testing.situations.playing import play_variant, variants
from sandtable.testing.umpire import second_umpire
from sandtable.testing.umpire.sof import mission_tables
from sandtable.testing.umpire.sof.tables import choose, table

RULES = rulesets.load("sof")
TABLES = range(8)
MISSIONS = (0, 2, 3, 4, 6)
LONG = int(os.environ.get("SANDTABLE_SOAK_UMPIRE", "5000")) // 10
"""So many hard tables are judged by `make soak`."""

LOOKED_AT = (
    "turns", "beaten zones", "rallies", "Triages", "Tenacity checks", "activation dice", "initiatives", "goes",
    "activations", "actions", "moves", "targets", "statuses", "volleys", "rates of fire", "suppressions",
    "lethality rolls", "wounds laid", "losses", "units hitting the dirt", "battles ended", "tables looked over",
)  # fmt: skip
"""What must not be missing where many games are judged: a quiet umpire must not be a blind one."""

LOOKED_AT_IN_MISSIONS = (
    "rolls for the attacker", "attackers", "edges chosen", "objectives placed", "reserves chosen", "recon totals",
    "units deployed", "units deployed late", "ambushes laid", "ambushes looked at", "units that scouted", "Scout Moves",
    "set-ups completed", "recon points lost", "dice by recon", "dice rolled again by recon", "rolls for reserves",
    "units released", "reserves returned", "units coming on", "units wholly on the table",
)  # fmt: skip
"""What must not be missing where missions are judged from their first question on."""

SITUATIONS = sorted((rulesets.folder("sof") / "situations").rglob("*.toml"))


@pytest.mark.parametrize("path", SITUATIONS, ids=lambda path: "/".join(path.parts[-2:]))
def test_situations(path: Path) -> None:
    situation, text = load(path)
    moments = situation.moments(text, str(path))
    found = []
    for variant, number in variants(situation):
        if situation.must_fail or (variant is not None and variant.must_fail):
            continue
        watch = second_umpire("sof")
        play_variant(situation, variant, number, moments[number + 1], (watch,))
        name = situation.name if variant is None else variant.name
        found += [f"{name}: {objection}" for objection in watch.objections]
    assert not found, "\n".join(found)


def judged(setup: Any, seed: int, counts: Counter[str]) -> list[str]:
    """What the second umpire says against one game; `counts` tells what he looked at."""
    watch = second_umpire("sof")
    play_random(RULES, setup, seed, choose=choose, observers=(watch,))
    counts.update(watch.counts)
    return [f"seed {seed}: {objection}" for objection in watch.objections]


def judge_hard_tables(seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    found = []
    for seed in seeds:
        found += judged(msgspec.convert(table(seed), RULES.setup_type), seed, counts)
    print(f"{len(seeds)} hard tables: {dict(counts)}")
    assert not found, "\n".join(found)
    return counts


def test_battles_on_hard_tables() -> None:
    counts = judge_hard_tables(TABLES)
    assert not [what for what in LOOKED_AT if not counts[what]]


def test_the_hard_tables_are_sound() -> None:
    """What they hold is a set-up of the rules, and the same for the same seed."""
    for seed in range(30):
        assert table(seed) == table(seed)
        assert not list(RULES.problems(msgspec.convert(table(seed), RULES.setup_type)))


def judge_missions(seeds: Sequence[int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    found = []
    for seed in seeds:
        watch = second_umpire("sof")
        setup = msgspec.convert(mission_tables.table(seed), RULES.setup_type)
        play_random(RULES, setup, seed, choose=mission_tables.choose, observers=(watch,))
        counts.update(watch.counts)
        found += [f"seed {seed}: {objection}" for objection in watch.objections]
    print(f"{len(seeds)} missions: {dict(counts)}")
    assert not found, "\n".join(found)
    return counts


def test_missions_from_their_first_question_on() -> None:
    counts = judge_missions(MISSIONS)
    assert not [what for what in LOOKED_AT_IN_MISSIONS if not counts[what]]


def test_the_missions_are_sound() -> None:
    for seed in range(30):
        assert mission_tables.table(seed) == mission_tables.table(seed)
        setup = msgspec.convert(mission_tables.table(seed), RULES.setup_type)
        assert not list(RULES.problems(setup)), seed


def test_a_battle_of_a_scenario() -> None:
    counts: Counter[str] = Counter()
    found = judged(RULES.scenario("encounter"), 1, counts)
    assert not found, "\n".join(found)


@pytest.mark.soak
def test_many_battles_on_hard_tables() -> None:
    judge_hard_tables(range(1000, 1000 + LONG))


@pytest.mark.soak
def test_many_missions() -> None:
    judge_missions(range(1000, 1000 + LONG // 5))


@pytest.mark.soak
@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_battles_of_the_scenarios(scenario: str) -> None:
    counts: Counter[str] = Counter()
    found = [words for seed in range(LONG // 25) for words in judged(RULES.scenario(scenario), seed, counts)]
    print(f"{scenario}: {dict(counts)}")
    assert not found, "\n".join(found)
