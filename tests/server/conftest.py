from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.server.limits import Limits
from tests.server.table import Served, serving

GENEROUS = Limits(requests=(5000.0, 5000.0), new_games=(5000.0, 5000.0), messages=(5000.0, 5000.0))
"""Tests ask faster than people; the limits have tests of their own."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("games") / "games.sqlite", GENEROUS) as server:
        yield server
