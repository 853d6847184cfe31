"""What lies on disk: one transaction for many answers, nothing confirmed before it, and newer tables refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from sandtable.engine.game import Entry
from sandtable.server.backup import back_up, restore
from sandtable.server.storage import GAMES, META, ONE_SERVER, Change, Storage, StorageError, StoredEntry, address


def game_values() -> dict[str, object]:
    values: dict[str, object] = {}
    for column in GAMES.columns:
        if column.name not in ("id", "created", "updated"):
            kind = column.type
            values[column.name] = (
                b"null" if isinstance(kind, sa.LargeBinary) else 0 if isinstance(kind, sa.Integer) else ""
            )
    return values


def entries(*answers: str) -> list[StoredEntry]:
    return [StoredEntry(Entry("red", answer, "topic"), "x") for answer in answers]


def test_changes_are_kept_and_shortened(database: str) -> None:
    storage = Storage(database)
    storage.write(Change("g", game_values(), create=True)).result(5)
    storage.write(Change("g", {}, 0, entries=entries("a", "b", "c"))).result(5)
    storage.write(Change("g", {"turn": 4}, 1, True, entries("d"))).result(5)
    assert [stored.entry.answer for stored in storage.entries("g")] == ["a", "d"]
    row = storage.game("g")
    assert row is not None
    assert row["turn"] == 4
    storage.close()
    again = Storage(database)
    assert [stored.entry.answer for stored in again.entries("g")] == ["a", "d"]
    again.write(Change("g", {}, delete=True)).result(5)
    assert again.game("g") is None
    assert again.entries("g") == []
    again.close()


def test_a_change_that_cannot_be_written_harms_no_other(database: str) -> None:
    storage = Storage(database)
    storage.write(Change("g", game_values(), create=True)).result(5)
    # Many at once, one of them twice the same number.
    futures = [storage.write(Change("g", {}, n, entries=entries(str(n)))) for n in (0, 1, 1, 2, 3)]
    failed = [future for future in futures if future.exception(5) is not None]
    assert len(failed) == 1
    assert [stored.entry.answer for stored in storage.entries("g")] == ["0", "1", "2", "3"]
    storage.close()


def test_whatever_a_change_raises_fails_that_change_alone(database: str) -> None:
    storage = Storage(database)
    storage.write(Change("g", game_values(), create=True)).result(5)
    # A number that no column takes, and something that is no number at all.
    for turn in (2**63, 2**70, object()):
        with pytest.raises(Exception):  # noqa: B017, PT011  each database has its own word for it
            storage.write(Change("g", {"turn": turn})).result(5)
        storage.write(Change("g", {"turn": 7})).result(5)
    assert storage.writing
    storage.close()


def test_somebody_who_does_not_wait_any_more_stops_nobody(database: str) -> None:
    storage = Storage(database)
    storage.write(Change("g", game_values(), create=True)).result(5)
    for number in range(50):
        storage.write(Change("g", {}, number, entries=entries(str(number)))).cancel()
    storage.write(Change("g", {"turn": 3})).result(5)
    assert len(storage.entries("g")) == 50
    storage.close()


def test_a_newer_database_is_refused_in_a_sentence(database: str) -> None:
    storage = Storage(database)
    with storage.engine.begin() as connection:
        connection.execute(META.update().values(value="99"))
    storage.close()
    with pytest.raises(StorageError, match="newer Sandtable"):
        Storage(database)


def as_it_was_before(storage: Storage) -> None:
    """Make the tables those of schema 1."""
    with storage.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE games DROP COLUMN owner"))
        connection.execute(sa.text("DROP TABLE servers"))
        connection.execute(META.update().values(value="1"))


def test_an_older_database_is_brought_up_to_date(database: str) -> None:
    storage = Storage(database)
    storage.write(Change("g", game_values(), entries=entries("a"), create=True)).result(5)
    as_it_was_before(storage)
    storage.close()
    for _ in range(2):
        storage = Storage(database)
        row = storage.game("g")
        assert row is not None
        assert row["owner"] == ""
        assert [stored.entry.answer for stored in storage.entries("g")] == ["a"]
        with storage.engine.connect() as connection:
            assert connection.execute(sa.select(META.c.value)).scalar_one() == "2"
        storage.close()


def test_an_older_server_is_stopped_before_its_database_is_changed(shared: str) -> None:
    storage = Storage(shared)
    as_it_was_before(storage)
    with storage.engine.connect() as running:
        running.execute(sa.select(sa.func.pg_advisory_lock(ONE_SERVER)))
        with pytest.raises(StorageError, match="older Sandtable"):
            Storage(shared)
    storage.close()
    Storage(shared).close()


def test_an_older_backup_is_restored(tmp_path: Path) -> None:
    old = Storage(str(tmp_path / "old.sqlite"))
    old.write(Change("g", game_values(), entries=entries("a"), create=True)).result(5)
    as_it_was_before(old)
    old.close()
    storage = Storage(str(tmp_path / "games.sqlite"))
    assert restore(tmp_path / "old.sqlite", storage) == (1, 0)
    assert [stored.entry.answer for stored in storage.entries("g")] == ["a"]
    storage.close()


def test_addresses(tmp_path: Path) -> None:
    assert address("postgres://ann@host/games").drivername == "postgresql+psycopg"
    assert address("postgresql://ann@host/games").drivername == "postgresql+psycopg"
    with pytest.raises(StorageError, match="mysql"):
        address("mysql://host/games")
    with pytest.raises(StorageError, match="cannot be opened"):
        Storage(str(tmp_path))


def test_a_backup_is_of_one_moment(database: str, tmp_path: Path) -> None:
    storage = Storage(database)
    for name in ("a", "b"):
        storage.write(Change(name, game_values(), create=True)).result(5)
        storage.write(Change(name, {"turn": 1}, 0, entries=entries("first"))).result(5)

    def played_meanwhile(done: int, of: int) -> None:
        if done < of:
            storage.write(Change("b", {"turn": 2}, 1, entries=entries("second"))).result(5)

    back_up(storage, tmp_path / "backup.sqlite", played_meanwhile)
    assert len(storage.entries("b")) == 2
    storage.close()
    kept = Storage(str(tmp_path / "backup.sqlite"))
    row = kept.game("b")
    assert row is not None
    assert (row["turn"], len(kept.entries("b"))) == (1, 1)
    kept.close()
