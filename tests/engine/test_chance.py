"""Exact chances: what dice may show, added up and led on, against every way in which they can fall."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sandtable.engine.chance import Chances, added, at_least, die, either, mixed, successes, sure, throw, together


def by_hand(dice: int, needed: int) -> dict[int, float]:
    """Every fall of some dice, counted one by one."""
    falls = Counter(sum(value >= needed for value in fall) for fall in product(range(1, 7), repeat=dice))
    return {good: float(Fraction(number, 6**dice)) for good, number in falls.items()}


@pytest.mark.parametrize("needed", range(9))
@pytest.mark.parametrize("dice", range(5))
def test_a_throw_is_what_every_fall_of_its_dice_makes_it(dice: int, needed: int) -> None:
    assert throw(dice, needed).of == pytest.approx(by_hand(dice, needed))


@pytest.mark.parametrize(("needed", "chance"), [(-1, 1), (1, 1), (2, 5 / 6), (6, 1 / 6), (7, 0), (9, 0)])
def test_a_die_shows_a_number_or_more(needed: int, chance: float) -> None:
    assert at_least(needed) == chance


def test_outcomes_that_become_the_same_are_one() -> None:
    assert die().mapped(lambda value: value % 2 == 0).of == pytest.approx({True: 1 / 2, False: 1 / 2})


def test_one_thing_leads_to_another() -> None:
    # A die says how many dice are thrown; those that show a six count.
    sixes = die().then(lambda number: throw(number, 6))
    assert sum(chance for _, chance in sixes) == pytest.approx(1)
    assert sixes[0] == pytest.approx(sum((5 / 6) ** number for number in range(1, 7)) / 6)
    assert sixes.mean(float) == pytest.approx(3.5 / 6)


def test_two_that_know_nothing_of_one_another() -> None:
    assert together(die(), die(), max)[6] == pytest.approx(11 / 36)
    assert added([die(), die()]).of == pytest.approx({total: (6 - abs(7 - total)) / 36 for total in range(2, 13)})
    assert added([]).of == {0: 1.0}


def test_one_or_the_other() -> None:
    assert either(0.25, sure("a"), sure("b")).of == {"a": 0.25, "b": 0.75}
    assert either(0.0, sure("a"), sure("b")).of == {"b": 1.0}
    assert mixed([(sure(1), 0.5), (die(), 0.5)])[1] == pytest.approx(0.5 + 1 / 12)


def test_how_likely_and_how_much_on_average() -> None:
    hits = successes(4, 0.5)
    assert hits.chance(lambda number: number >= 3) == pytest.approx(5 / 16)
    assert hits.mean(float) == pytest.approx(2)
    assert Chances({"a": 0.5, "b": 0.5})["c"] == 0.0


def test_many_dice_still_add_up() -> None:
    assert sum(chance for _, chance in added([throw(40, 3), throw(40, 5)])) == pytest.approx(1, abs=1e-12)
