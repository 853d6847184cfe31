"""How soon a player sees his table. Part of `make soak`: a busy machine would make it lie."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.conftest import address, arrive, browser
from tests.page.player import Player

__all__ = ["address", "arrive", "browser"]

FIRST_VIEW = (
    """() => document.querySelector('[data-state=asked]') && document.querySelector('main svg') && performance.now()"""
)


@pytest.mark.soak
def test_the_table_is_there_at_once(arrive: Callable[..., Player]) -> None:
    host = arrive()
    host.begin(red="me", blue="bot:random")
    host.play(10)
    host.next()
    keys = host.page.evaluate("localStorage.getItem('sandtable.keys')")
    times: list[float] = []
    for _ in range(5):
        guest = arrive()
        guest.page.add_init_script(f"localStorage.setItem('sandtable.keys', {keys!r})")
        guest.page.goto(host.page.url)
        times.append(guest.page.wait_for_function(FIRST_VIEW, polling="raf").json_value())
        # One after the other: each player has a machine of his own.
        guest.page.close()
    print(f"first view after {sorted(round(each) for each in times)} ms")
    assert sorted(times)[len(times) // 2] < 1500.0
