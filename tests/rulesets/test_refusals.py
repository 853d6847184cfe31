"""Thousands of wrong answers at thousands of moments: each is refused with a reason and changes nothing."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable import rulesets
from sandtable.engine.game import Game
from sandtable.engine.ledger import Ledger
from sandtable.engine.questions import MovePieces, Refusal
from sandtable.testing import play_random

BATTLES = [(name, scenario) for name in rulesets.names() for scenario in rulesets.load(name).scenarios()]
WANTED = 2000
"""Wrong answers refused in each scenario."""

EXAMPLES = 300
IN_EACH = 9

MOST_OF_A_TOPIC = 6

FORMS = {
    "hof": {"choose", "assign", "move"},
    "tr14": {"choose", "assign", "move"},
    "sof": {"choose", "choose-some", "move"},
}
"""The forms of question that every battle of a game asks."""

Position = tuple[Game[Any], Any]
"""A moment of a battle, and a legal answer there."""


@cache
def known_rules(ruleset: str) -> Any:
    return Ledger.load(ruleset).rules


@cache
def positions(ruleset: str, scenario: str) -> list[Position]:
    """Moments from two random battles: some of every topic that was asked."""
    rules = rulesets.load(ruleset)
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

        play_random(rules, rules.scenario(scenario), seed, watch=keep)
    return found


def ids(game: Game[Any]) -> list[str]:
    """The name of everything on the table, one's own and the enemy's."""
    units = game.state.units
    return [*units, *(team for unit in units.values() for team in unit.teams), *game.state.objectives]


ODD: list[Any] = [
    *(float("nan"), float("inf"), float("-inf"), 1e308, -1e9, 10**30, 10**400, 9999.999, -0.01),
    *(None, True, "12", [], {}, [[]], "x" * 1_000_000),
]
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def number(random: Random) -> Any:
    return random.choice(ODD) if random.random() < 0.2 else random.uniform(-100.0, 200.0)


def wrong_choice(random: Random, game: Game[Any], legal: str) -> Any:
    actions = [
        "assault",
        "barrage",
        "dig-in",
        "overwatch",
        "hold",
        "run",
        "fire",
        "pass",
        "reveal",
        "end",
        "hero",
        "move-2",
    ]
    return random.choice([*ids(game), *actions, legal.upper(), [legal], {legal: legal}, legal + " "])


def wrong_list(random: Random, game: Game[Any], legal: list[Any]) -> Any:
    others = random.choices([*ids(game), *ODD], k=random.randrange(4))
    return random.choice([others, legal + legal, [[each] for each in legal], legal + others])


def wrong_orders(random: Random, game: Game[Any], legal: dict[str, Any]) -> Any:
    """Another target, somebody else's Team, an unknown one."""
    changed = dict(legal)
    for _ in range(random.randint(1, 3)):
        who = random.choice([*legal, *legal, *ids(game)])
        changed[who] = random.choice(ids(game) if random.random() < 0.8 else ODD)
    return changed


def wrong_place(random: Random, game: Game[Any], x: float, y: float) -> Any:
    """Too far, off the table, onto or through somebody, or not a place at all."""
    teams = [team.at for unit in game.state.units.values() for team in unit.teams.values() if team.at]
    on = random.choice(teams) if teams else (x, y)
    return random.choice(
        [
            [*on],
            [2 * on[0] - x, 2 * on[1] - y],
            [x + random.uniform(-30, 30), y],
            [x, y + random.uniform(-30, 30)],
            [number(random), number(random)],
            [number(random) for _ in range(random.randrange(5))],
            random.choice(ODD),
        ]
    )


def wrong_moves(random: Random, game: Game[Any], legal: dict[str, Any]) -> Any:
    start = legal or {random.choice(ids(game)): {"to": [10.0, 10.0]}}
    name = random.choice(list(start))
    step = dict(start[name])
    if random.random() < 0.8:
        step["to"] = wrong_place(random, game, *step["to"])
    if random.random() < 0.4:
        corners = [[number(random), number(random)] for _ in range(random.randrange(20))]
        step[random.choice(["facing", "turret", "via", "speed"])] = random.choice([number(random), corners])
    other = name if random.random() < 0.8 else random.choice([*ids(game), "", "nobody"])
    left = {key: each for key, each in start.items() if key != name and random.random() < 0.9}
    return {**left, other: step}


def wrong_answer(random: Random, game: Game[Any], legal: Any) -> Any:
    """A legal answer with something amiss, or no answer at all."""
    if random.random() < 0.1:
        return random.choice(ODD)
    if isinstance(legal, str):
        return wrong_choice(random, game, legal)
    if isinstance(legal, list):
        if legal and isinstance(legal[0], float):
            return wrong_place(random, game, *legal)
        return wrong_list(random, game, legal)
    if isinstance(legal, dict):
        assert game.ask is not None
        moves = isinstance(game.ask.question, MovePieces)
        return wrong_moves(random, game, legal) if moves else wrong_orders(random, game, legal)
    return number(random)


def refuse(game: Game[Any], wrong: Any) -> bool:
    """Give an answer; True if it was refused, and then as it should be. What is legal after all is not given."""
    assert game.ask is not None
    before, asked, told = game.hash(), game.ask, len(game.events)
    checked = asked.question.check(wrong)
    if isinstance(checked, Refusal):
        refused = game.answer(wrong)
        assert refused is not None
        assert refused.rule or refused.field, f"{asked.question.topic}: {refused}"
        assert refused.rule is None or refused.rule in known_rules(game.rules.name)
        assert 0 < len(refused.message) <= 500
        assert len(str(refused)) <= 2000
        msgspec.json.encode(refused)
    else:
        assert asked.question.check(checked) == checked, f"{asked.question.topic} takes {wrong!r} in two forms"
    assert game.ask is asked
    assert (game.hash(), len(game.events)) == (before, told)
    return isinstance(checked, Refusal)


@pytest.mark.parametrize(("ruleset", "scenario"), BATTLES)
def test_wrong_answers_are_refused_with_a_reason_and_change_nothing(ruleset: str, scenario: str) -> None:
    pool = positions(ruleset, scenario)
    refused = 0

    @settings(max_examples=EXAMPLES)
    @given(st.integers(0, len(pool) - 1), st.integers(0, 2**32), junk)
    def try_some(which: int, seed: int, something: Any) -> None:
        nonlocal refused
        game, legal = pool[which]
        random = Random(seed)
        refused += refuse(game, something)
        refused += sum(refuse(game, wrong_answer(random, game, legal)) for _ in range(IN_EACH))

    try_some()
    assert refused >= WANTED


@pytest.mark.parametrize(("ruleset", "scenario"), BATTLES)
def test_the_moments_that_are_tried_are_of_every_kind(ruleset: str, scenario: str) -> None:
    forms = set()
    for game, legal in positions(ruleset, scenario):
        assert game.ask is not None
        assert game.ask.question.check(legal) == legal
        forms.add(game.ask.question.describe()["form"])
    assert FORMS[ruleset] <= forms


def parts(question: Any, wrong: Any) -> set[str]:
    """What a refusal may point at: the whole answer, whatever is named in it, and whatever was asked about."""
    asked = question.describe()
    named = [each["id"] for each in (*asked.get("options", ()), *asked.get("pieces", ()))]
    given = [wrong] if isinstance(wrong, str) else wrong if isinstance(wrong, list | dict) else []
    return {question.topic, *named, *asked.get("items", ()), *(each for each in given if isinstance(each, str))}


@pytest.mark.parametrize("scenario", [scenario for ruleset, scenario in BATTLES if ruleset == "hof"])
def test_a_refusal_points_at_a_part_of_the_answer(scenario: str) -> None:
    random = Random(5)
    for game, legal in positions("hof", scenario):
        assert game.ask is not None
        question = game.ask.question
        for _ in range(20):
            wrong = wrong_answer(random, game, legal)
            if question.topic == "orders":
                wrong = {**legal, random.choice([*legal, *ids(game)]): random.choice(["fire", "fire-2", "move-2"])}
            refused = question.check(wrong)
            if isinstance(refused, Refusal) and refused.field is not None and len(refused.field) < 60:
                assert refused.field in parts(question, wrong), f"{question.topic}: {refused}"
