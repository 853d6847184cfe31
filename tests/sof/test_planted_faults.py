"""Faults planted in the rules of Storm of Fire: the second umpire must see each of them.

The kinds of faults were chosen before anybody had looked whether a check would see them. The seeds are those of hard
tables on which the fault comes to light.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.game import Flow
from sandtable.rulesets.sof.actions import mounting
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.missions.placing import Placing
from sandtable.rulesets.sof.shooting.firers import paired
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import Objection, second_umpire
from sandtable.testing.umpire.sof import duels, mission_tables, tables

Plant = Callable[[pytest.MonkeyPatch], None]
RULES = rulesets.load("sof")


def objections(seed: int, where: Any = tables) -> list[Objection]:
    """What the second umpire says against a battle on a hard table, or from the first question of a mission on."""
    return said_against(where.table(seed), seed, where.choose)


def duel_objections(subject: str, seed: int) -> list[Objection]:
    return said_against(duels.duel(subject, seed), seed, duels.choose(subject))


def said_against(plain: dict[str, Any], seed: int, choose: Callable[..., Any]) -> list[Objection]:
    """What the second umpire says against a battle, up to where it breaks down if it does."""
    watch = second_umpire("sof")
    setup = msgspec.convert(plain, RULES.setup_type)
    try:
        play_random(RULES, setup, seed, choose=choose, observers=(watch,))
    except Exception:
        # Rules that are wrong may well lead a game astray; what the umpire said until then counts.
        if not watch.objections:
            raise
    return watch.objections


def put(patch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    """Put something else in the place of a name of the rules, wherever a module of theirs has it."""
    found = [
        module
        for key, module in list(sys.modules.items())
        if key.startswith("sandtable.rulesets.sof.") and name in vars(module)
    ]
    assert found, name
    for module in found:
        patch.setattr(module, name, value)


def constant(name: str, value: Any) -> Plant:
    return lambda patch: put(patch, name, value)


def answers(name: str, value: Any) -> Plant:
    """A function of the rules that always says the same."""
    return lambda patch: put(patch, name, lambda *args, **named: value)


def terrain_does_not_slow(patch: pytest.MonkeyPatch) -> None:
    put(patch, "slowed", lambda total, *others: total)


def no_dice_again(game: Battle, battlegroup: str, values: list[int]) -> Flow[list[int]]:
    yield from ()
    return []


def never_asked(game: Battle, side: Any) -> Flow[None]:
    game.state.opening.remove(side)
    yield from ()


def puts(name: str, value: Any) -> Plant:
    return lambda patch: put(patch, name, value)


def never_in_place(patch: pytest.MonkeyPatch) -> None:
    regroup = mounting.regroup

    def aside(game: Battle, unit: Unit, mounts: bool) -> Any:
        found = regroup(game, unit, mounts)
        return {name: (x + 0.25, y) for name, (x, y) in found.items()} if isinstance(found, dict) else found

    patch.setattr(mounting, "regroup", aside)


def no_room_anywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Placing, "has_room", lambda placing: False)


FAULTS: dict[str, tuple[Plant, str, tuple[int, ...]]] = {
    "units stand with four markers": (constant("EXCESS", 6), "sof.turn.start-order", (8, 10)),
    "a marker for two hits": (constant("HITS_A_MARKER", 2), "sof.shooting.suppression-per-three", (0, 5)),
    "nobody is forced to ground": (constant("FORCED_TO_GROUND", 60), "sof.shooting.forced-to-ground", (2, 8)),
    "fives are patched up": (constant("PATCHED_UP", 5), "sof.triage.check", (0, 1)),
    "a voice that carries 4 inches": (constant("VOICE", 4.0), "sof.leadership.extra-die", (0, 1)),
    "all activation dice are threes": (answers("adjusted", 3), "sof.leadership.dice-competent", (7, 16)),
    "NCOs encourage with two dice": (
        constant("NCO_DICE", {"senior-nco": 3, "nco": 2}),
        "sof.leadership.encourage-dice",
        (0, 2),
    ),
    "grenades hit on 4+": (constant("THROWN_HIT_ON", 4), "sof.shooting.hit-on", (16, 19)),
    "one fires between friends": (constant("CLEAR_OF_FRIENDS", 0.1), "sof.shooting.lof-direct", (0, 1)),
    "four ranks fire": (constant("FIRING_RANKS", 4), "sof.shooting.lof-direct", (3, 4)),
    "a fire fight at 12 inches": (constant("CLOSE", 12.0), "sof.shooting.volume", (1, 4)),
    "every rifle has a die": (constant("SHARED_BY", {"RF": 1, "SS": 1}), "sof.shooting.volume", (0, 1)),
    "six men are the minimum": (constant("MINIMUM", 6), "sof.turn.start-tenacity", (0, 1)),
    "consolidation of 8 inches": (constant("CONSOLIDATION", 8.0), "sof.close-combat.consolidation", (1, 4)),
    "nobody is turned back": (constant("TURNED_BACK", 30), "sof.close-combat.turned-back", (0, 1)),
    "close order does not help to rally": (answers("rally_modifiers", []), "sof.morale.rally", (0, 1)),
    "weapons never jam": (answers("jams", False), "sof.weapon-rules.jams", (0, 8)),
    "no beaten zones": (answers("beaten_zones", None), "sof.turn.start-beaten-zone", (1, 2)),
    "whoever was activated reacts as well": (answers("may_react", True), "sof.shooting.react", (0, 1)),
    "nothing changes lethality": (answers("lethality_modifiers", []), "sof.shooting.lethality-protection", (0, 1)),
    "terrain does not slow": (terrain_does_not_slow, "sof.terrain.movement-reduction-procedure", (0, 1)),
    "Double Time beside the enemy": (constant("NEAR_ENEMY", 0.5), "sof.actions.double-time-near-enemy", (90, 128)),
    "suppressed units go forward": (constant("STOPPED", 30), "sof.movement.suppressed-no-closer", (3, 8)),
    "leaders strike like everybody": (answers("dice_of", 1), "sof.close-combat.dice-one", (4, 6)),
    "everybody strikes like a veteran": (
        constant("ASSAULT", {"inexperienced": 4, "regular": 4, "veteran": 4}),
        "sof.close-combat.check",
        (4, 6),
    ),
    "the own edge is 8 inches deep": (constant("OWN_EDGE", 8.0), "sof.shooting.concealment-intervening", (0, 16)),
    "ranks stay as they are after losses": (answers("close_up", None), "sof.formations.linear-ranks", (5, 10)),
    "there is never a way back": (puts("ways_back", lambda *args: iter(())), "sof.morale.tenacity-removed", (2, 10)),
    "nobody has a loader": (answers("loaders_of", {}), "sof.shooting.volume", (5, 6)),
    "medics help across the table": (constant("CARE", 40.0), "sof.specialists.medic", (1,)),
    "officers roll no dice again": (
        puts("rerolled_dice", no_dice_again),
        "sof.leadership.dice-energetic",
        (1, 3),
    ),
}
MISSION_FAULTS: dict[str, tuple[Plant, str, tuple[int, ...]]] = {
    "one scouts within 6 inches": (constant("SCOUTS_APART", 6.0), "sof.movement.proximity", (1, 2)),
    "reserves come on a 4": (constant("RELEASES", 4), "sof.reserves.tactical-roll", (0, 1)),
    "reserves are rolled for in turn 1": (constant("FIRST_TURN", 1), "sof.reserves.tactical-roll", (0, 1)),
    "to deploy late costs 1": (constant("LATE", 1), "sof.recon.scout-enemy-position", (0, 1)),
    "a point more is three times as many": (constant("TIMES", 1), "sof.recon.bonus-higher", (0, 1)),
    "all is planned for four turns": (constant("PLANNED_TURNS", 4), "sof.leadership.extra-die", (0, 1)),
    "there is no room to deploy": (no_room_anywhere, "sof.mission-core.deploy-in-command", (0, 1)),
    "nobody mounts where he stands": (never_in_place, "sof.actions.mount", (0, 8)),
    "no Command Override is ever used": (puts("use_override", never_asked), "sof.turn.override-use", (3, 5)),
}
"""Those that come to light before the first turn, with reserves, or in the long turns of a mission."""


def last_loader_first(patch: pytest.MonkeyPatch) -> None:
    put(patch, "paired", lambda near: paired(dict(reversed(near.items()))))


DUEL_FAULTS: dict[str, tuple[Plant, str, str]] = {
    "the own edge is a twentieth of an inch deeper": (
        constant("OWN_EDGE", 2.05),
        "sof.shooting.concealment-intervening",
        "edges",
    ),
    "the last loaders of the roster come first": (last_loader_first, "sof.shooting.volume", "loaders"),
    "a second assault tires nobody": (constant("BROKEN_THROUGH", 0), "sof.basics.markers", "horse"),
    "a salvo reaches 9 inches": (constant("SALVO", 9.0), "sof.weapon-rules.salvo", "salvoes"),
}
"""Those that come to light in duels about their subject."""
SEEDS = tuple(range(24, 90))
"""Where the known seeds show a fault no more, because the rules draw other dice by now, it is sought among these."""


@pytest.mark.parametrize("name", FAULTS)
def test_the_umpire_sees_a_planted_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, rule, seeds = FAULTS[name]
    plant(monkeypatch)
    assert any(objection.rule == rule for seed in (*seeds, *SEEDS) for objection in objections(seed))


@pytest.mark.parametrize("name", MISSION_FAULTS)
def test_the_umpire_sees_a_fault_planted_in_missions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, rule, seeds = MISSION_FAULTS[name]
    plant(monkeypatch)
    found = (objections(seed, mission_tables) for seed in (*seeds, *SEEDS[:12]))
    assert any(objection.rule == rule for some in found for objection in some)


@pytest.mark.parametrize("name", DUEL_FAULTS)
def test_the_umpire_sees_a_fault_planted_in_duels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, rule, subject = DUEL_FAULTS[name]
    plant(monkeypatch)
    found = (duel_objections(subject, seed) for seed in range(12))
    assert any(objection.rule == rule for some in found for objection in some)
