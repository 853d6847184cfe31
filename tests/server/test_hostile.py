"""Hostile bodies over every route, a few of them in every run; `make soak` sends ten thousand."""

from __future__ import annotations

from tests.server.hostile import Hostile
from tests.server.table import Served


def test_whatever_is_sent_is_answered_soon(served: Served) -> None:
    hostile = Hostile(served, 1)
    hostile.by_schema(88)
    hostile.by_chance(200)
    hostile.by_messages(100)
    assert hostile.count > 350
    print(hostile.done())
