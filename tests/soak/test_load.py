"""A hundred games at a human pace, and strangers who want much. Part of `make soak`.

SANDTABLE_SOAK_SECONDS says how long. A busy machine makes it lie: its load is printed with the result.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.server.evening import evening

SECONDS = float(os.environ.get("SANDTABLE_SOAK_SECONDS", "120"))
LIVE_GAMES, STRANGERS = 100, 6
P99 = 0.150
"""Seconds within which both seats see an answer, but for one in a hundred."""


@pytest.mark.soak
def test_a_hundred_games_at_a_human_pace_while_strangers_want_much(tmp_path: Path) -> None:
    found = evening(tmp_path, LIVE_GAMES, STRANGERS, SECONDS)
    print(f"{LIVE_GAMES} games, {found.words()}")
    assert found.strangers["import 201"] > 0
    assert found.strangers["picture 200"] > 0
    assert found.p99 < P99
