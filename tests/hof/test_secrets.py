"""Nothing that the rules hide reaches the other seat, or a watcher, by any window."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.seat import Seat
from sandtable.rulesets.hof.core.state import Setup, State, other
from sandtable.testing.worlds import ChangedDice, play_both
from tests.hof.worlds import disguised, hiding

HOF = rulesets.load("hof")
SLOW = settings(max_examples=12, suppress_health_check=list(HealthCheck))


def hero_dice(setup: Setup, seed: int) -> dict[str, int]:
    """At which count each side's first secret die falls."""
    found: dict[str, int] = {}
    game: Game[State] = Game(HOF, setup, SeededDice(seed))
    random = Random(seed)
    while game.ask is not None and len(found) < 2:
        counts = game.dice.count
        game.accept(game.ask.question.sample(random))
        rolled = [event.seat for event in game.events if event.kind == "hero-roll"]
        if rolled and not found:
            assert game.dice.count > counts
            attacker = game.state.attacker
            # The two secret dice fall first of all that this answer sets rolling.
            found = {attacker: counts, other(attacker): counts + 1}
    return found


def thrifty(secretive: str) -> Any:
    """A player at random who never touches the secret: the other side plays freely."""

    def choose(first: Game[State], second: Game[State], random: Random) -> Any:
        assert first.ask is not None
        assert second.ask is not None
        question, seat = first.ask.question, first.ask.seat
        if seat == secretive and question.topic == "react":
            return "pass"
        if seat == secretive and question.topic in ("activate", "pay", "saturate"):
            shared = [each for each in question.answers() or [] if each in (second.ask.question.answers() or [])]
            if question.topic == "activate" and not first.state.companies[secretive].order_points:
                return "end"
            shared = [each for each in shared if each != "hero"]
            return random.choice(shared) if shared else None
        return question.sample(random)

    return choose


@pytest.mark.rule("hof.orders.hero-hidden-total", "hof.orders.hero-start-roll")
@given(seed=st.integers(0, 10_000), shown=st.integers(1, 6), side=st.sampled_from(["red", "blue"]))
@SLOW
def test_nobody_can_tell_how_many_hero_points_the_enemy_has(seed: int, shown: int, side: str) -> None:
    setup = HOF.scenario("patrol")
    at = hero_dice(setup, seed)[side]
    first: Game[State] = Game(HOF, setup, SeededDice(seed))
    second: Game[State] = Game(HOF, setup, ChangedDice(SeededDice(seed), {at: shown}))
    play_both(
        first,
        second,
        (other(side), None),
        thrifty(side),
        seed,
        until=lambda game: any(event.kind == "hero-renewed" and event.seat == side for event in game.events),
    )


@pytest.mark.rule("hof.battle.hidden-no-plot", "hof.battle.reserve-half")
@given(seed=st.integers(0, 10_000))
@SLOW
def test_nobody_can_tell_what_the_hidden_teams_are(seed: int) -> None:
    setup = HOF.scenario("patrol")
    side = other(setup.attacker)
    twin = disguised(setup, side, Random(seed))
    first: Game[State] = Game(HOF, setup, SeededDice(seed))
    second: Game[State] = Game(HOF, twin, SeededDice(seed))
    play_both(first, second, (other(side), None), hiding(side), seed, most=200)


@pytest.mark.rule("hof.battle.break-roll")
@given(seed=st.integers(0, 10_000), more=st.integers(1, 4), side=st.sampled_from(["red", "blue"]))
@SLOW
def test_nobody_can_tell_hidden_break_points(seed: int, more: int, side: str) -> None:
    setup: Setup = HOF.scenario("patrol")
    setup.options = msgspec.structs.replace(setup.options, hidden_break_points=True)
    worlds = []
    for points in (0, more):
        twin: Setup = msgspec.convert(msgspec.to_builtins(setup), Setup)
        twin.companies[side].break_points = points  # type: ignore[index]
        twin.companies[side].break_limit = 99  # type: ignore[index]
        worlds.append(Game(HOF, twin, SeededDice(seed)))
    play_both(
        worlds[0], worlds[1], ("red", "blue", None), lambda a, b, random: a.ask.question.sample(random), seed, 250
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_looks_ahead_while_forces_are_set_down_in_secret(seed: int) -> None:
    """A copy would tell which of the enemy's Units wait where."""
    game: Game[State] = Game(HOF, HOF.scenario("patrol"), SeededDice(seed))
    random = Random(seed)
    looks: dict[str, set[bool]] = {}
    while game.ask is not None and game.state.round < 2:
        looked = Seat(game, game.ask.seat).look(seed) is not None
        looks.setdefault(game.state.phase, set()).add(looked)
        game.accept(game.ask.question.sample(random))
    assert looks["deploy"] == {False}
    assert True in looks["orders"]
