"""Nothing that the rules hide reaches the other seat, or a watcher, by any window."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable import rulesets
from sandtable.bots.greedy_bot import GreedyBot
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Ruleset, nothing_hidden
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


def alike(seat: str, otherwise: Any, seed: int) -> Any:
    """A greedy bot for one seat, which must choose the same in both worlds and give the same reason for it."""

    def choose(first: Game[State], second: Game[State], random: Random) -> Any:
        assert first.ask is not None
        if first.ask.seat != seat:
            return otherwise(first, second, random)
        number = len(first.record)
        bots = GreedyBot(seed + number), GreedyBot(seed + number)
        answers = [bot.choose(Seat(game, seat)) for bot, game in zip(bots, (first, second), strict=True)]
        assert answers[0] == answers[1], f"after {number} answers"
        assert bots[0].why == bots[1].why
        return answers[0]

    return choose


@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_bot_cannot_tell_how_many_hero_points_the_enemy_has(side: str) -> None:
    setup = HOF.scenario("patrol")
    looked = 0
    for seed in range(3, 6):
        at = hero_dice(setup, seed)[side]
        shown = SeededDice(seed).draw(at + 1, 6)[at] % 6 + 1
        looked += play_both(
            Game(HOF, setup, SeededDice(seed)),
            Game(HOF, setup, ChangedDice(SeededDice(seed), {at: shown})),
            (other(side), None),
            alike(other(side), thrifty(side), seed),
            seed,
            most=40,
            until=lambda game: any(event.kind == "hero-renewed" and event.seat == side for event in game.events),
        )
    assert looked > 30


def elsewhere(state: State, side: str) -> State:
    """The same battle with the unseen Units of a side waiting in another place, and more Hero Points in its hand."""
    twin: State = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    for unit in twin.units.values():
        for team in unit.teams.values():
            if unit.side == side and team.where in ("hidden", "reserve") and not team.kind.vehicle:
                team.where = "reserve" if team.where == "hidden" else "hidden"
    twin.companies[side].hero_points = 6 - twin.companies[side].hero_points
    twin.companies[side].hero_spent = 0
    return twin


def weighed(seat: Seat, seed: int) -> list[Any]:
    """What a bot makes of each answer that it thinks of, what it chooses, and why."""
    bot = GreedyBot(seed)
    ideas = seat.question.ideas(6)
    return [*(bot.value(seat, [idea.answer], seed) for idea in ideas), bot.choose(seat), bot.why]


def told_apart(rules: Ruleset, seed: int) -> list[bool]:
    """Whether a bot weighs or chooses otherwise in states that look alike to it; one for each pair compared."""
    setup = rules.scenario("patrol")
    game: Game[State] = Game(rules, setup, SeededDice(seed))
    seat, random, found = setup.attacker, Random(seed), []
    while game.ask is not None and len(found) < 3:
        if game.ask.seat == seat and game.ask.checkpoint and game.state.phase == "orders":
            game.state.companies[other(seat)].hero_spent = 0
            states = game.state, elsewhere(game.state, other(seat))
            copies = [msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State) for state in states]
            worlds = [Game(rules, setup, SeededDice(1), state=state) for state in copies]
            if worlds[0].view(seat) == worlds[1].view(seat) and worlds[0].hash() != worlds[1].hash():
                first, second = (weighed(Seat(world, seat), seed) for world in worlds)
                found.append(first != second)
        game.accept(game.ask.question.sample(random))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_bot_cannot_tell_where_unseen_enemies_wait(seed: int) -> None:
    """It looks far ahead, but in what it imagines: two states that look alike to it, it plays alike."""
    found = told_apart(HOF, seed)
    assert found, "nothing was hidden in this battle"
    assert not any(found)


def test_a_bot_that_looked_at_the_truth_would_be_found_out() -> None:
    cheating = dataclasses.replace(HOF, imagine=nothing_hidden)
    assert any(any(told_apart(cheating, seed)) for seed in range(4))
