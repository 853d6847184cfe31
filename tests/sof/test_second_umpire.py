"""The second umpire of Storm of Fire follows situations, hard tables and battles, and objects to none of them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.testing.laws import play_random
from sandtable.testing.situations import load
from sandtable.testing.situations.playing import play_variant, variants
from sandtable.testing.umpire import second_umpire
from sandtable.testing.umpire.sof import book, duels, mission_tables
from sandtable.testing.umpire.sof.tables import choose, table

RULES = rulesets.load("sof")
TABLES = range(8)
MISSIONS = (0, 2, 3, 4, 6, 9, 16)
DUELS = range(8)
LONG = int(os.environ.get("SANDTABLE_SOAK_UMPIRE", "5000")) // 10
"""So many hard tables are judged by `make soak`."""

LOOKED_AT = (
    "turns", "beaten zones", "rallies", "Triages", "Tenacity checks", "activation dice", "initiatives", "goes",
    "activations", "actions", "moves", "targets", "statuses", "volleys", "rates of fire", "suppressions",
    "lethality rolls", "wounds laid", "losses", "units hitting the dirt", "battles ended", "tables looked over",
    "bodies looked over", "weapons fired by a figure", "throws of which an officer may roll again", "alignments lost",
    "ways back looked for", "edges behind those who break off", "Triages by a medic or a farrier", "assaults", "blows",
    "closing fires", "figures that might join in closing fire", "Aggression checks", "break-offs", "consolidations",
)  # fmt: skip
"""What must not be missing where many games are judged: a quiet umpire must not be a blind one."""

LOOKED_AT_IN_MISSIONS = (
    "rolls for the attacker", "attackers", "edges chosen", "objectives placed", "reserves chosen", "recon totals",
    "units deployed", "units deployed late", "ambushes laid", "ambushes looked at", "units that scouted", "Scout Moves",
    "set-ups completed", "recon points lost", "dice by recon", "dice rolled again by recon", "rolls for reserves",
    "units released", "reserves returned", "units coming on", "units wholly on the table", "marches along a road",
    "units that mount", "units that dismount", "overrides kept", "overrides used", "orders to bodies in ranks",
    "Agility checks", "crossings of tall obstacles", "crossings of low obstacles",
    "men who step aside to mount or dismount",
)  # fmt: skip
"""What must not be missing where missions are judged from their first question on."""

LOOKED_AT_IN_SITUATIONS = (
    "advantages: additional-ambush", "advantages: delay-reserves", "advantages: redeploy-objective",
    "advantages: trigger-ambush", "ambushes sprung", "ambushes triggered", "assault modifiers: close-combat-obstacle",
    "assault modifiers: mod-higher-ground", "assault modifiers: mod-protection", "assault modifiers: mod-sabre",
    "assault modifiers: mod-tight-quarters", "battlegroups lost", "battlegroups without a leader", "blasts",
    "breakthroughs", "charges", "encouragement under the colours", "fuel", "grenades shot down", "hits avoided",
    "inspired advances", "jams", "jams cleared", "men picked off", "modifiers: mod-night", "modifiers: smoke-grenades",
    "moves halted", "moves into an ambush", "objectives moved", "officers at risk", "permanent wounds",
    "places looked for", "premature explosions", "promotions", "rallies with a chaplain", "rolls for the initiative",
    "salvoes at those near by", "second checks of snipers", "smoke grenades", "swords raised", "units blown",
    "units coming on in phase 0", "units coming out of ambush", "units spared by senior NCOs",
    "units too slow to come on", "ways just at the limit from an enemy", "ways out looked for",
)  # fmt: skip
"""What games by chance seldom come to: the situations must."""

SITUATIONS = sorted((rulesets.folder("sof") / "situations").rglob("*.toml"))


@cache
def followed(path: Path) -> tuple[list[str], Counter[str]]:
    """What he says against the situations of a file, and what he looked at."""
    situation, text = load(path)
    moments = situation.moments(text, str(path))
    found, counts = [], Counter[str]()
    for variant, number in variants(situation):
        if situation.must_fail or (variant is not None and variant.must_fail):
            continue
        watch = second_umpire("sof")
        play_variant(situation, variant, number, moments[number + 1], (watch,))
        name = situation.name if variant is None else variant.name
        found += [f"{name}: {objection}" for objection in watch.objections]
        counts.update(watch.counts)
    return found, counts


@pytest.mark.parametrize("path", SITUATIONS, ids=lambda path: "/".join(path.parts[-2:]))
def test_situations(path: Path) -> None:
    found, _ = followed(path)
    assert not found, "\n".join(found)


def test_the_situations_come_to_what_is_rare() -> None:
    counts = sum((followed(path)[1] for path in SITUATIONS), Counter[str]())
    assert not [what for what in LOOKED_AT_IN_SITUATIONS if not counts[what]]
    assert not [what for what in counts if what.startswith("not judged")]


def test_whatever_the_rules_tell_some_check_looks_at() -> None:
    """He says that nothing is left out: so there is a check for every kind of event that the rules name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in rulesets.folder("sof").rglob("*.py"))
    told = set(re.findall(r"game\.tell\(\s*\"([a-z-]+)\"", text))
    assert len(told) > 60
    assert not told - set(book.by_kind)


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
    assert not [what for what in counts if what.startswith("not judged")]


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
    assert not [what for what in counts if what.startswith("not judged")]


def test_the_missions_are_sound() -> None:
    for seed in range(30):
        assert mission_tables.table(seed) == mission_tables.table(seed)
        setup = msgspec.convert(mission_tables.table(seed), RULES.setup_type)
        assert not list(RULES.problems(setup)), seed


def judge_duels(subject: str, seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    found = []
    for seed in seeds:
        setup = msgspec.convert(duels.duel(subject, seed), RULES.setup_type)
        watch = second_umpire("sof")
        play_random(RULES, setup, seed, choose=duels.choose(subject), observers=(watch,))
        counts.update(watch.counts)
        found += [f"seed {seed}: {objection}" for objection in watch.objections]
    print(f"{len(seeds)} duels about {subject}: {dict(counts)}")
    assert not found, "\n".join(found)
    return counts


@pytest.mark.parametrize("subject", duels.FORCES)
def test_duels_come_to_their_subject(subject: str) -> None:
    counts = judge_duels(subject, DUELS)
    assert not [what for what in duels.LOOKED_AT[subject] if not counts[what]]
    assert not [what for what in counts if what.startswith("not judged")]


@pytest.mark.parametrize("subject", duels.FORCES)
def test_the_duels_are_sound(subject: str) -> None:
    """What they hold is a set-up of the rules, and the same for the same seed."""
    for seed in range(20):
        assert duels.duel(subject, seed) == duels.duel(subject, seed)
        setup = msgspec.convert(duels.duel(subject, seed), RULES.setup_type)
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
@pytest.mark.parametrize("subject", duels.FORCES)
def test_many_duels(subject: str) -> None:
    judge_duels(subject, range(1000, 1000 + LONG // 10))


@pytest.mark.soak
@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_battles_of_the_scenarios(scenario: str) -> None:
    counts: Counter[str] = Counter()
    found = [words for seed in range(LONG // 25) for words in judged(RULES.scenario(scenario), seed, counts)]
    print(f"{scenario}: {dict(counts)}")
    assert not found, "\n".join(found)
