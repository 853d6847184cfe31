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
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import Objection, second_umpire
from sandtable.testing.umpire.sof.tables import choose, table

Plant = Callable[[pytest.MonkeyPatch], None]
RULES = rulesets.load("sof")


def objections(seed: int) -> list[Objection]:
    """What the second umpire says against a battle on a hard table, up to where it breaks down if it does."""
    watch = second_umpire("sof")
    setup = msgspec.convert(table(seed), RULES.setup_type)
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
}
SEEDS = tuple(range(24, 90))
"""Where the known seeds show a fault no more, because the rules draw other dice by now, it is sought among these."""


@pytest.mark.parametrize("name", FAULTS)
def test_the_umpire_sees_a_planted_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, rule, seeds = FAULTS[name]
    plant(monkeypatch)
    assert any(objection.rule == rule for seed in (*seeds, *SEEDS) for objection in objections(seed))
