"""Ten thousand hostile bodies over every route and message. Part of `make soak`.

SANDTABLE_SOAK_BODIES says how many.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.server.hostile import Hostile
from tests.server.table import serving
from tests.soak.common import UNLIMITED

BODIES = int(os.environ.get("SANDTABLE_SOAK_BODIES", "10000"))


@pytest.mark.soak
def test_ten_thousand_hostile_bodies(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", UNLIMITED) as served:
        hostile = Hostile(served, 2)
        hostile.by_schema(BODIES * 2 // 5)
        print(f"from the schema: {hostile.count}", flush=True)
        hostile.by_chance(BODIES * 2 // 5)
        hostile.by_messages(max(0, BODIES - hostile.count))
        print(hostile.done())
        assert hostile.count >= BODIES
