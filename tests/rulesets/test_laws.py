"""The laws of the house, and what must hold in every battle, on each scenario of every ruleset."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sandtable import bots, rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal
from sandtable.engine.seat import drive
from sandtable.rulesets.hof.activation import participants
from sandtable.rulesets.hof.artillery import batteries
from sandtable.rulesets.tr14 import playing
from sandtable.rulesets.tr14.firing import orders
from sandtable.testing import LawBroken, check_bars, check_laws, play_random
from sandtable.testing.laws import check_saved
from sandtable.testing.soak import some_switches

BATTLES = [(name, scenario) for name in rulesets.names() for scenario in rulesets.load(name).scenarios()]
SWITCHED = [name for name in rulesets.names() if rulesets.load(name).switches]


@cache
def prepared(ruleset: str, scenario: str) -> Any:
    rules = rulesets.load(ruleset)
    return rules.prepare(rules.scenario(scenario))


def holds(game: Game[Any]) -> None:
    """At a checkpoint nothing overlaps, nothing stands off the table, and nobody has too many markers."""
    assert game.ask is not None
    if game.ask.checkpoint:
        assert game.rules.invariants(game) == [], f"after {len(game.record)} answers"


@pytest.mark.parametrize(("ruleset", "scenario", "seed"), [(*pair, 101 + n) for n, pair in enumerate(BATTLES)])
def test_every_law_holds(ruleset: str, scenario: str, seed: int) -> None:
    rules = rulesets.load(ruleset)
    check_laws(rules, rules.scenario(scenario), seed)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_law_holds_with_other_dice(ruleset: str) -> None:
    rules = rulesets.load(ruleset)
    check_laws(rules, rules.scenario("patrol"), 202)


# Faults that are planted in what is said of what may be chosen.


def nobody_reaches(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(orders, "within", lambda gap, reach: False)


def everybody_is_ready(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(playing, "ready_units", lambda state, side: [u.id for u in state.units.values() if u.side == side])


def no_guns_without_a_rule(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(batteries, "why_no_call", lambda game, unit: Refusal("illegal", "no guns.", field=f"call:{unit.id}"))


def a_rule_that_is_not_there(patch: pytest.MonkeyPatch) -> None:
    for where in participants.ABSENT:
        patch.setitem(participants.ABSENT, where, ("is gone fishing", "hof.battle.gone-fishing"))


@pytest.mark.parametrize(
    ("ruleset", "plant", "says"),
    [
        ("tr14", nobody_reaches, "fire: offers .* and bars it: .* inches from"),
        ("tr14", everybody_is_ready, "activate: offers .* and bars it: .* has already activated"),
        ("hof", no_guns_without_a_rule, "activate: bars without a rule"),
        ("hof", a_rule_that_is_not_there, "bars .* by a rule that no ledger knows: hof.battle.gone-fishing"),
    ],
)
def test_what_is_offered_and_barred_is_noticed(
    ruleset: str, plant: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    rules = rulesets.load(ruleset)
    with pytest.raises(LawBroken, match=says):
        check_bars(rules, rules.scenario("patrol"), 1, gap=1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("ruleset", "scenario"), BATTLES)
def test_a_random_battle_holds_together_and_replays_from_every_keyframe(ruleset: str, scenario: str, seed: int) -> None:
    rules = rulesets.load(ruleset)
    game = play_random(rules, rules.scenario(scenario), seed, watch=holds, prepared=prepared(ruleset, scenario))
    assert len(game.keyframes) >= 1
    check_saved(rules, record.dumps(game), game.hash())


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("ruleset", SWITCHED)
def test_a_battle_with_any_optional_rules_holds_together(ruleset: str, seed: int) -> None:
    rules = rulesets.load(ruleset)
    assert rules.switched is not None
    names = rules.scenarios()
    setup = rules.switched(names[seed % len(names)], some_switches(rules, seed))
    game = play_random(rules, setup, seed, watch=holds)
    check_saved(rules, record.dumps(game), game.hash(), only=seed)


@pytest.mark.parametrize(("ruleset", "scenario"), BATTLES)
def test_greedy_and_random_play_without_a_fault(ruleset: str, scenario: str) -> None:
    """The shortest battle to its end, the others for a while: looking ahead is slow."""
    rules = rulesets.load(ruleset)
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(1), prepared=prepared(ruleset, scenario))
    players = {"red": bots.make("greedy", 1), "blue": bots.make("random", 2)}
    whole = scenario == "patrol"
    count = drive(game, players, most=5000 if whole else 60)
    assert game.over or count == 60
    assert (game.result is not None) == game.over
    assert game.over or not whole
    again = record.replay(record.loads(record.dumps(game)), rulesets.load)
    assert again.differs == []
    assert again.game.hash() == game.hash()
