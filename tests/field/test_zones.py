"""Zones: strips along an edge, halves of the table, and cells of it that are wanted."""

from __future__ import annotations

import numpy as np

from sandtable.field.troops import Table
from sandtable.field.zones import Cells, box, edges_amiss, facing_from, half_of, home_edges, strip

TABLE = Table(6.0, 4.0)


def test_a_strip_lies_along_its_edge() -> None:
    assert strip(TABLE, "south", 1.0) == box(0.0, 0.0, 6.0, 1.0)
    assert strip(TABLE, "north", 1.0) == box(0.0, 3.0, 6.0, 4.0)


def test_a_side_looks_across_the_table_from_its_half() -> None:
    edges = home_edges()
    assert half_of(edges, 4.0, "red") == (0.0, 2.0)
    assert half_of(edges, 4.0, "blue") == (2.0, 4.0)
    assert (facing_from(edges, "red"), facing_from(edges, "blue"), facing_from({}, "blue")) == (0.0, 180.0, 0.0)


def test_two_sides_have_two_edges() -> None:
    assert not list(edges_amiss(home_edges()))
    assert list(edges_amiss({"red": "south", "blue": "south"}))
    assert list(edges_amiss({"red": "south"}))


def test_wanted_cells_side_by_side_make_one_strip() -> None:
    cells = Cells(TABLE, 2.0)
    assert cells.middles() == [(1.0, 1.0), (3.0, 1.0), (5.0, 1.0), (1.0, 3.0), (3.0, 3.0), (5.0, 3.0)]
    wanted = np.array([True, True, False, False, False, True])
    assert list(cells.strips(wanted)) == [box(0.0, 0.0, 4.0, 2.0), box(4.0, 2.0, 6.0, 4.0)]
