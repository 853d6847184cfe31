"""Thousands of wrong answers at thousands of moments: each is refused with a reason and changes nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable import rulesets
from sandtable.engine.game import Game
from sandtable.engine.ledger import Ledger
from sandtable.engine.questions import Refusal
from sandtable.testing import play_random

RULES = rulesets.load("tr14")
SCENARIOS = RULES.scenarios()
KNOWN_RULES = Ledger.load("tr14").rules
WANTED = 1700
"""Wrong answers for each scenario: more than 5,000 in all."""

MOST_OF_A_TOPIC = 6

Position = tuple[Game[Any], Any]
"""A moment of a battle, and a legal answer there."""


@cache
def positions(scenario: str) -> list[Position]:
    """Moments from two random battles: some of every topic that was asked."""
    found: list[Position] = []
    for seed in (31, 32):
        topics: dict[str, int] = {}

        def keep(game: Game[Any], topics: dict[str, int] = topics, seed: int = seed) -> None:
            assert game.ask is not None
            topic = game.ask.question.topic
            late_enough = len(game.record) > 20 * topics.get(topic, 0)
            if late_enough and topics.get(topic, 0) < MOST_OF_A_TOPIC:
                topics[topic] = topics.get(topic, 0) + 1
                twin = game.fork(seed)
                assert twin.ask is not None
                found.append((twin, twin.ask.question.candidates(1)[0]))

        play_random(RULES, RULES.scenario(scenario), seed, watch=keep)
    return found


def ids(game: Game[Any]) -> list[str]:
    """The name of everything on the table, one's own and the enemy's."""
    units = game.state.units
    return [*units, *(team for unit in units.values() for team in unit.teams), *game.state.objectives]


odd = st.sampled_from(
    [float("nan"), float("inf"), float("-inf"), 1e308, -1e9, 10**30, 9999.999, -0.01, None, True, "12", [], {}]
)
far = st.floats(-100, 200, allow_nan=False) | odd
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("x" * 1_000_000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def wrong_choice(draw: st.DrawFn, game: Game[Any], legal: str) -> Any:
    names = st.sampled_from([*ids(game), "assault", "barrage", "dig-in", "overwatch", "hold", "run", "fire", "pass"])
    return draw(names | st.just(legal.upper()) | st.just([legal]) | st.just({legal: legal}) | junk)


@st.composite
def wrong_list(draw: st.DrawFn, game: Game[Any], legal: list[Any]) -> Any:
    named = st.lists(st.sampled_from(ids(game)) | junk, max_size=4)
    return draw(named | st.just(legal + legal) | st.just([[each] for each in legal]) | named.map(lambda x: legal + x))


@st.composite
def wrong_orders(draw: st.DrawFn, game: Game[Any], legal: dict[str, Any]) -> Any:
    """Another target, somebody else's Team, an unknown one."""
    names = st.sampled_from(ids(game))
    change = draw(st.dictionaries(names | st.sampled_from(list(legal) or ["x"]), names | junk, min_size=1, max_size=3))
    return {**legal, **change}


@st.composite
def wrong_step(draw: st.DrawFn, game: Game[Any], step: dict[str, Any]) -> Any:
    """Too far, off the table, onto or through somebody, not a place at all."""
    x, y = step["to"]
    enemies = [team.at for unit in game.state.units.values() for team in unit.teams.values() if team.at]
    on = draw(st.sampled_from(enemies)) if enemies else (x, y)
    through = [2 * on[0] - x, 2 * on[1] - y]
    place = draw(
        st.tuples(far, far).map(list)
        | st.just([*on])
        | st.just(through)
        | st.floats(-30, 30).map(lambda d: [x + d, y])
        | st.lists(far, max_size=4)
        | junk
    )
    changed = {**step, "to": place}
    extra = draw(st.sampled_from(["", "", "facing", "turret", "via", "speed"]))
    if extra:
        changed[extra] = draw(far | st.lists(st.lists(far, min_size=2, max_size=2), max_size=20) | junk)
    return changed


@st.composite
def wrong_moves(draw: st.DrawFn, game: Game[Any], legal: dict[str, Any]) -> Any:
    start = legal or {draw(st.sampled_from(ids(game))): {"to": [10.0, 10.0]}}
    name = draw(st.sampled_from(list(start)))
    other = draw(st.just(name) | st.sampled_from(ids(game)) | st.text(max_size=5))
    changed = {key: step for key, step in start.items() if key != name or draw(st.booleans())}
    return {**changed, other: draw(wrong_step(game, start[name]))}


@st.composite
def wrong_answers(draw: st.DrawFn, game: Game[Any], legal: Any) -> Any:
    """A legal answer with something amiss, or no answer at all."""
    assert game.ask is not None
    form = game.ask.question.describe()["form"]
    makers: dict[str, st.SearchStrategy[Any]] = {
        "choose": wrong_choice(game, legal) if isinstance(legal, str) else junk,
        "choose-some": wrong_list(game, legal) if isinstance(legal, list) else junk,
        "assign": wrong_orders(game, legal) if isinstance(legal, dict) else junk,
        "move": wrong_moves(game, legal) if isinstance(legal, dict) else junk,
        "point": st.tuples(far, far).map(list) | st.lists(far, max_size=4),
        "number": st.integers() | odd,
    }
    return draw(makers[form] if draw(st.integers(0, 9)) else junk)


def refuse(game: Game[Any], wrong: Any) -> bool:
    """Give an answer; True if it was refused, and then as it should be. What is legal after all is not given."""
    assert game.ask is not None
    before, asked, told = game.hash(), game.ask, len(game.events)
    checked = asked.question.check(wrong)
    if isinstance(checked, Refusal):
        refused = game.answer(wrong)
        assert refused is not None
        assert refused.rule or refused.field, f"{asked.question.topic}: {refused}"
        assert refused.rule is None or refused.rule in KNOWN_RULES
        assert 0 < len(refused.message) <= 500
        assert len(str(refused)) <= 2000
        msgspec.json.encode(refused)
    else:
        assert asked.question.check(checked) == checked, f"{asked.question.topic} takes {wrong!r} in two forms"
    assert game.ask is asked
    assert (game.hash(), len(game.events)) == (before, told)
    return isinstance(checked, Refusal)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_wrong_answers_are_refused_with_a_reason_and_change_nothing(scenario: str) -> None:
    pool = positions(scenario)
    refused = 0

    @settings(
        max_examples=WANTED, deadline=None, database=None, suppress_health_check=[*HealthCheck], derandomize=True
    )
    @given(st.data())
    def try_some(data: st.DataObject) -> None:
        nonlocal refused
        number = data.draw(st.integers(0, len(pool) - 1))
        for _ in range(2):
            refused += refuse(pool[number][0], data.draw(wrong_answers(*pool[number])))

    try_some()
    assert refused >= WANTED


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_moments_that_are_tried_are_of_every_kind(scenario: str) -> None:
    forms = set()
    for game, legal in positions(scenario):
        assert game.ask is not None
        assert game.ask.question.check(legal) == legal
        forms.add(game.ask.question.describe()["form"])
    assert {"choose", "assign", "move"} <= forms
