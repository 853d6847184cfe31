from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from sandtable.server.limits import Limits
from sandtable.server.storage import address
from tests.server.postgres import postgres, programs
from tests.server.table import Served, serving

OFTEN = (5000.0, 5000.0)
GENEROUS = Limits(requests=OFTEN, new_games=OFTEN, messages=OFTEN, all_messages=OFTEN, held=(0.0, 0.05))
"""Tests ask faster than people; the limits have tests of their own."""


@pytest.fixture(autouse=True)
def same_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's games fall out alike in every run: luck decides none of them."""
    chance = Random(request.node.name)
    monkeypatch.setattr("sandtable.server.routes.new_secret", lambda: chance.randbytes(32).hex())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("games") / "games.sqlite", GENEROUS) as server:
        yield server


@pytest.fixture(scope="session")
def another_server() -> Iterator[str]:
    """The address of a PostgreSQL."""
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not on this machine")
    with postgres(where) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "deep" / "games.sqlite")
    return empty(request.getfixturevalue("another_server"), tmp_path)


@pytest.fixture
def shared(another_server: str, tmp_path: Path) -> str:
    """An empty database of PostgreSQL."""
    return empty(another_server, tmp_path)


def empty(first: str, tmp_path: Path) -> str:
    name = f"games_{tmp_path.name}"[:60].lower()
    engine = sa.create_engine(address(first), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f'create database "{name}"'))
    engine.dispose()
    return first.removesuffix("postgres") + name
