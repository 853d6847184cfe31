"""Coming on at an edge: side by side at it, and far from the enemy if so asked."""

from __future__ import annotations

from sandtable.field.entering import Entering
from sandtable.table.shapes import X, Y
from tests.field.meadow import Meadow, Stand, board_of

COMING = [Stand("one"), Stand("two")]
FOE = Stand("foe", (10.0, 6.0))


def entering(apart: float = 8.0, edge: str = "south") -> Entering[Stand]:
    side = "south" if edge == "south" else "north"
    return Entering(board_of(FOE), Meadow(), side, apart, [FOE], str.upper, "toy.enter")


def test_pieces_stand_side_by_side_at_their_edge() -> None:
    south = entering().line(COMING, 0.0)
    assert south[:, Y].tolist() == [0.5, 0.5]
    assert south[:, X].sum() == 0.0
    assert south[1, X] - south[0, X] == 1.3
    assert entering(edge="north").line(COMING, 180.0)[:, Y].tolist() == [35.5, 35.5]


def test_who_is_off_the_edge_or_near_an_enemy_is_refused() -> None:
    line = entering().line(COMING, 0.0)
    line[:, X] += 30.0
    assert entering().refuse(COMING, line) is None
    line[1, Y] = 2.0
    refused = entering().refuse(COMING, line)
    assert refused is not None
    assert (refused.field, refused.message) == ("two", "TWO must come on at your edge.")
    near = entering().line(COMING, 0.0)
    near[:, X] += 12.0
    refused = entering().refuse(COMING, near)
    assert refused is not None
    assert "within 8 inches of an enemy" in refused.message
    assert entering(apart=0.0).refuse(COMING, near) is None


def test_the_edge_and_what_is_barred_are_drawn() -> None:
    assert [area.kind for area in entering().areas("1 Platoon", "red")] == ["edge", "barred"]
    assert [area.kind for area in entering(apart=0.0).areas("1 Platoon", "red")] == ["edge"]
