"""Falling back: the whole distance where there is room for it, nearer to nobody, and out of contact."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from sandtable.engine.questions import Refusal, Step
from sandtable.field.board import Board
from sandtable.field.retreating import Retreat, spot_apart
from sandtable.table.shapes import Floats
from tests.field.meadow import Meadow, Stand, anywhere, board_of

NOBODY: Floats = np.empty((0, 8))
ONE, FOE = Stand("one", (20.0, 20.0)), Stand("foe", (20.0, 22.0))


def retreat(here: Board, inches: int = 4, piece: Stand = ONE) -> Retreat[Stand]:
    enemies = here.of([FOE])
    return Retreat(
        here, Meadow(), [piece], [FOE], enemies, lambda _: NOBODY, inches, anywhere, str.upper, "toy.fall-back"
    )


def says(away: Retreat[Stand], to: tuple[float, float]) -> str:
    refused = away.refuse({"one": Step(to)})
    return refused.message if isinstance(refused, Refusal) else ""


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ((20.0, 16.0), ""),
        ((16.0, 20.0), ""),
        ((20.0, 18.0), "ONE would go only 2.0 inches."),
        ((20.0, 20.0), "ONE would stay."),
        ((21.2, 23.8), "ONE would come nearer to FOE."),
    ],
)
def test_who_falls_back_goes_all_the_way_and_nearer_to_nobody(to: tuple[float, float], words: str) -> None:
    assert says(retreat(board_of(ONE, FOE)), to) == words


def test_who_has_no_room_may_stay() -> None:
    corner = Stand("one", (0.5, 0.5))
    foes = [Stand("east", (3.0, 0.5)), Stand("north", (0.5, 3.0)), Stand("beyond", (4.5, 4.5))]
    here = board_of(corner, *foes)
    away = Retreat(here, Meadow(), [corner], foes, here.of(foes), lambda _: NOBODY, 4, anywhere, str, "toy.fall-back")
    assert next(away.ways_out(corner, away.others(corner, {})), None) is None
    assert away.refuse({}) is None
    assert away.flee() == {}


def test_proposals_and_chance_are_legal_and_lead_away() -> None:
    away = retreat(board_of(ONE, FOE))
    first = next(away.ways())
    assert math.dist(first["one"].to, (20.0, 16.0)) < 0.02
    for steps in (*away.ways(), *(away.by_chance(Random(seed)) for seed in range(8))):
        assert away.refuse(steps) is None


def test_what_else_is_shunned_bars_a_way() -> None:
    here = board_of(ONE, FOE, Stand("other", (20.0, 14.0)))
    away = retreat(here)
    away.shunned = lambda _: here.of([Stand("other")])
    assert all(spot[1] >= 19.9 for spot in away.ways_out(ONE, away.others(ONE, {})))


def test_a_piece_in_contact_steps_back_the_way_it_came() -> None:
    here = board_of(Stand("one", (20.0, 21.0)), FOE)
    path = [(20.0, 15.0), (20.0, 21.0)]
    spot = spot_apart(here, Meadow(), Stand("one", (20.0, 21.0)), path, 6.0, [FOE], here.of([FOE]), 2.0)
    assert spot is not None
    assert spot[0] == 20.0
    assert spot[1] == pytest.approx(19.0, abs=0.06)
