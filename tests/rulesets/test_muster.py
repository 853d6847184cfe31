"""Forces of one's own choice: every army can take the field, for either side, and the battle goes on."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game

LISTED = {("sof", "clash"), ("sof", "encounter")}
"""Battles whose files list who fights in them, man by man, instead of naming forces."""

LIMITED = {("sof", "patrol-encounter")}
"""Battles for small forces alone, by their rules."""


@pytest.mark.parametrize("name", rulesets.names())
def test_every_army_takes_the_field_for_either_side(name: str) -> None:
    rules = rulesets.load(name)
    assert rules.muster is not None
    armies = [army.name for army in rules.muster.armies()]
    scenarios = [scenario for scenario in rules.scenarios() if (name, scenario) not in LISTED | LIMITED]
    for number, red in enumerate(armies):
        blue = armies[-1 - number]
        setup = rules.muster.set_up(scenarios[number % len(scenarios)], {"red": red, "blue": blue}, None)
        assert rules.problems(setup) == []
        game: Game[Any] = Game(rules, setup, SeededDice(number))
        random = Random(number)
        while game.ask is not None and len(game.record) < 30:
            game.accept(game.ask.question.sample(random))
        assert rules.invariants(game) == []


@pytest.mark.parametrize("name", rulesets.names())
def test_a_scenario_keeps_its_own_forces_unless_others_are_named(name: str) -> None:
    rules = rulesets.load(name)
    assert rules.muster is not None
    for scenario in rules.scenarios():
        usual = rules.muster.usual(scenario)
        assert set(usual) == (set() if (name, scenario) in LISTED else set(rules.seats))
        wanted = msgspec.to_builtins(rules.scenario(scenario))
        for named in ({}, usual):
            assert msgspec.to_builtins(rules.muster.set_up(scenario, named, None)) == wanted


@pytest.mark.parametrize("name", rulesets.names())
def test_an_army_that_is_not_there_is_named(name: str) -> None:
    rules = rulesets.load(name)
    assert rules.muster is not None
    with pytest.raises(SandtableError, match="nobody"):
        rules.muster.set_up(rules.scenarios()[0], {"red": "nobody"}, None)


@pytest.mark.parametrize("name", rulesets.names())
def test_a_scenario_is_fought_with_just_the_optional_rules_that_are_named(name: str) -> None:
    rules = rulesets.load(name)
    assert (rules.switched is not None) == bool(rules.switches)
    for switch in rules.switches if rules.switched is not None else ():
        options = rules.switched(rules.scenarios()[0], frozenset([switch.id])).options
        assert [each.id for each in rules.switches if getattr(options, each.id)] == [switch.id]


@pytest.mark.parametrize(("name", "scenario"), sorted(LISTED))
def test_who_is_listed_is_not_silently_kept_where_a_force_is_chosen(name: str, scenario: str) -> None:
    rules = rulesets.load(name)
    assert rules.muster is not None
    with pytest.raises(SandtableError, match="lists who fights there"):
        rules.muster.set_up(scenario, {"red": rules.muster.armies()[0].name}, None)
