"""How much a person is asked: the first turn of a battle of each game, with the usual habits."""

from __future__ import annotations

import pytest

from sandtable.testing.as_a_person import Tally, main, play_turn

MOST_ANSWERS = 30
MOST_OF_AN_ORDER = 3
MOST_ON_AVERAGE = 2.5


def own(tally: Tally) -> int:
    """The answers that a person gave about his own orders."""
    return sum(tally.answers(order) for order in tally.orders)


@pytest.mark.parametrize("seed", [8, 17])
def test_a_turn_of_eleven_orders_in_the_city_block(seed: int) -> None:
    tally = play_turn("hof", "city-block", seed)
    assert tally.activations == 11
    assert own(tally) <= MOST_ANSWERS
    assert not any(asked.one_answer for asked in tally.asked)
    assert max(tally.answers(order) for order in tally.orders) <= MOST_OF_AN_ORDER


def test_a_round_at_the_crossroads() -> None:
    tallies = [play_turn("tr14", "crossroads", seed) for seed in (1, 2, 3, 4)]
    orders = sum(tally.activations for tally in tallies)
    assert sum(own(tally) for tally in tallies) <= MOST_ON_AVERAGE * orders
    asked = [each for tally in tallies for each in tally.asked]
    assert not any(each.one_answer for each in asked)
    assert not {"allocate", "allocate-at", "suppress", "shed"} & {each.topic for each in asked}


def test_without_habits_everything_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    bare, usual = (play_turn("tr14", "patrol", 2, bare=bare) for bare in (True, False))
    assert not bare.given
    assert len(bare.asked) / bare.activations > len(usual.asked) / usual.activations
    assert main(["tr14", "patrol", "2", "--every"]) == 0
    assert "activations" in capsys.readouterr().out
    assert main(["tr14"]) == 2


def test_a_turn_of_a_clash_of_platoons() -> None:
    tallies = [play_turn("sof", "clash", seed) for seed in (1, 4)]
    assert max(tally.answers(order) for tally in tallies for order in tally.orders) <= MOST_OF_AN_ORDER
    asked = [each for tally in tallies for each in tally.asked]
    assert not any(each.one_answer for each in asked)
    assert not {"formation", "order", "weapons", "wounded", "reroll-dice"} & {each.topic for each in asked}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_turn_of_a_hasty_assault_of_companies(seed: int) -> None:
    tally = play_turn("sof", "hasty-assault", seed)
    asked = tally.asked
    assert not any(each.one_answer for each in asked)
    assert not {"formation", "order", "weapons", "wounded", "reroll-dice", "whose-die"} & {each.topic for each in asked}
    # An officer who encourages besides is a choice more; all else is said in three.
    cheered = [any("encourages" in each.said for each in order) for order in tally.orders]
    assert all(
        tally.answers(order) <= MOST_OF_AN_ORDER + more for order, more in zip(tally.orders, cheered, strict=True)
    )
    assert own(tally) <= MOST_OF_AN_ORDER * tally.activations
