"""Moves that are proposed: into contact, turned to the enemy, and leaders who stay with their own."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.board import Board
from sandtable.field.move_hints import (
    Charging,
    crowd,
    not_ahead_of,
    shift_to_mates,
    turned_to_enemies,
    ways_away,
    ways_round,
)
from sandtable.field.moving import Law, Moving, Steps
from sandtable.table import distance as measure
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import Floats, X, Y
from tests.field.meadow import Stand, anywhere, board_of

ONE, TWO = Stand("one", (10.0, 10.0)), Stand("two", (14.0, 10.0))
FOE, FAR = Stand("foe", (12.0, 16.0)), Stand("far", (12.0, 34.0))


def charging(here: Board, law: Law = anywhere) -> Charging[Stand]:
    return Charging(here, law, 12.0, lambda stand: stand is TWO, lambda stand, foe: foe is not FAR)


def test_a_piece_goes_straight_into_contact_and_faces_there_if_it_turns() -> None:
    here = board_of(ONE, TWO, FOE, FAR)
    (step,) = charging(here).into(ONE, FOE).values()
    row = here.of([ONE])[0]
    row[X], row[Y] = step.to
    assert measure.distance(row, here.of([FOE])[0]) <= CONTACT
    assert step.facing is None
    turned = charging(here).into(TWO, FOE)["two"].facing
    assert turned is not None
    assert turned == pytest.approx(341.6, abs=2.0)
    assert charging(here).into(ONE, FAR) == {}
    assert charging(here, lambda steps: illegal("toy.no", "no")).into(ONE, FOE) == {}


def test_the_nearest_go_together_and_by_chance_one_goes() -> None:
    here = board_of(ONE, TWO, FOE, FAR)
    seen = np.ones((2, 2), dtype=np.bool_)
    (both,) = charging(here).nearest([ONE, TWO], [FOE, FAR], seen, lambda stand: 8.0, 2)
    assert set(both) == {"one", "two"}
    (alone,) = charging(here).nearest([ONE, TWO], [FOE, FAR], seen, lambda stand: 8.0, 1)
    assert len(alone) == 1
    assert not list(charging(here).nearest([ONE, TWO], [FOE, FAR], ~seen, lambda stand: 8.0, 2))
    rows = np.array([here.index["foe"], here.index["far"]])
    assert set(charging(here).by_chance([ONE, TWO], [FOE, FAR], rows, Random(1))) <= {"one", "two"}
    assert charging(here).by_chance([], [FOE], rows[:1], Random(1)) == {}


def test_pieces_turn_to_whom_they_have_not_in_their_arc() -> None:
    here = board_of(ONE, TWO, FOE)
    away = Stand("one", (10.0, 10.0), 180.0)
    assert turned_to_enemies(here, [ONE], [FOE], 90.0) == {}
    (step,) = turned_to_enemies(here, [away], [FOE], 90.0).values()
    assert step.to == (10.0, 10.0)
    assert step.facing == pytest.approx(18.4)


def test_a_leader_goes_no_farther_than_the_foremost() -> None:
    steps = {"one": Step((10.0, 20.0)), "two": Step((14.0, 14.0))}
    assert not_ahead_of(steps, ONE, [(14.0, 13.0)], anywhere)["one"].to == (10.0, 13.0)
    assert set(not_ahead_of(steps, ONE, [(14.0, 9.0)], anywhere)) == {"two"}

    def crowded(steps: Steps) -> Refusal | None:
        """Only the place two inches before the others is free."""
        free = "one" in steps and steps["one"].to == (10.0, 15.0)
        return None if free else Refusal("illegal", "There is no room.")

    assert not_ahead_of(steps, ONE, [(14.0, 13.0)], crowded) == steps
    assert not_ahead_of(steps, ONE, [(14.0, 13.0)], crowded, 2.0)["one"].to == (10.0, 15.0)


def test_who_is_far_from_his_mates_goes_to_them() -> None:
    here = board_of(ONE, TWO, FAR)
    assert shift_to_mates(here, ONE, [TWO], 6.0, 12.0) is None
    shift = shift_to_mates(here, FAR, [ONE, TWO], 6.0, 5.0)
    assert shift is not None
    assert math.hypot(*shift) == pytest.approx(5.0)
    assert shift[1] < 0
    assert shift_to_mates(here, ONE, [], 6.0, 5.0) is None


def test_a_crowd_spreads_over_its_foes_so_many_on_each() -> None:
    here = board_of(ONE, TWO, FOE, FAR)
    gaps = here.gaps([ONE, TWO], [FOE, FAR])

    def spot(piece: Stand, foe: Stand, mates: list[Stand], taken: list[Floats]) -> Floats | None:
        row: Floats = here.of([foe])[0]
        row[X] += 1.5 * (1 + len(taken))
        return row

    everybody, first = crowd([ONE, TWO], [FOE, FAR], gaps, lambda gap: gap < 12.0, spot, 1)
    assert len(everybody) == len(first) == 1
    everybody, _ = crowd([ONE, TWO], [FOE, FAR], gaps, lambda gap: gap < 12.0, spot, 2)
    assert [step.to for step in everybody.values()] == [(13.5, 16.0), (15.0, 16.0)]


def test_all_go_as_one_or_not_at_all() -> None:
    def not_beyond(steps: dict[str, Step]) -> Refusal | None:
        return illegal("toy.river", "a river") if any(step.to[1] > 13.5 for step in steps.values()) else None

    moving = Moving([ONE, TWO], lambda stand: 6.0, anywhere)
    (steps,) = moving.as_one([(12.0, 30.0)], (1.0,))
    assert {name: step.to for name, step in steps.items()} == {"one": (10.0, 16.0), "two": (14.0, 16.0)}
    held = Moving([ONE, TWO], lambda stand: 6.0, not_beyond)
    (half,) = held.as_one([(12.0, 30.0)], (1.0, 0.5))
    assert half["one"].to == (10.0, 13.0)


def test_ways_away_lead_away_first_and_keep_to_the_law() -> None:
    ways = list(ways_away(ONE, [(10.0, 12.0)], 6.0, anywhere))
    assert ways[0].to == (10.0, 4.0)
    assert len(ways) == 36
    assert not list(ways_away(ONE, [(10.0, 12.0)], 0.0, anywhere))
    west = list(
        ways_away(ONE, [(10.0, 12.0)], 6.0, lambda steps: illegal("toy", "no") if steps["one"].to[0] > 9 else None)
    )
    assert west
    assert all(step.to[0] <= 9 for step in west)


def test_a_bend_is_tried_where_no_straight_way_is_legal() -> None:
    def only_bent(steps: dict[str, Step]) -> Refusal | None:
        return None if steps["one"].via else illegal("toy", "go round")

    places = [Step((10.0, 16.0))]
    assert ways_round(ONE, places, anywhere) == places
    (bent,) = ways_round(ONE, places, only_bent)
    assert bent.via == [(11.5, 13.0)]
    assert ways_round(ONE, places, lambda steps: illegal("toy", "no")) == []
