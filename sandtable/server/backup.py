"""All games of a server in one file, taken while it runs, and brought back.

A backup is a database of SQLite with the same tables, whatever the server itself uses: it holds what had been confirmed
when it was begun, and nothing half written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from sandtable.server.storage import ENTRIES, GAMES, METADATA, Storage, StorageError, connect

AT_ONCE = 200
"""Rows that are copied at a time."""

Told = Callable[[int, int], None]
"""How far it is: so many games of so many."""


def back_up(storage: Storage, path: Path, told: Told = lambda done, of: None) -> int:
    """Copy every game into a new file. Returns how many there are."""
    if path.exists():
        raise StorageError(f"{path} is there already; a backup goes into a new file")
    beside = path.with_name(f"{path.name}.part")
    beside.unlink(missing_ok=True)
    target = connect(str(beside))
    try:
        with target.begin() as new:
            METADATA.create_all(new)
            with reading(storage) as old:
                count = copy_games(old, new, names(old), told)
        target.dispose()
        for ending in ("-wal", "-shm"):
            beside.with_name(beside.name + ending).unlink(missing_ok=True)
        beside.replace(path)
    except BaseException:
        target.dispose()
        beside.unlink(missing_ok=True)
        raise
    return count


def reading(storage: Storage) -> sa.Connection:
    """A connection that sees the database as it is at one moment, however long it reads."""
    connection = storage.engine.connect()
    if storage.engine.dialect.name == "postgresql":
        return connection.execution_options(isolation_level="REPEATABLE READ")
    # Python's SQLite begins a transaction only before it writes: without this each look would see a later moment.
    connection.exec_driver_sql("BEGIN")
    return connection


def names(connection: sa.Connection) -> list[str]:
    return [row.id for row in connection.execute(sa.select(GAMES.c.id).order_by(GAMES.c.created))]


COPIED = [column for column in GAMES.columns if column is not GAMES.c.owner]
"""A copy lives on no server yet; and an older backup does not know of any."""


def copy_games(old: sa.Connection, new: sa.Connection, wanted: list[str], told: Told) -> int:
    for number, name in enumerate(wanted):
        row = old.execute(sa.select(*COPIED).where(GAMES.c.id == name)).mappings().one()
        new.execute(GAMES.insert().values(**row))
        entries = sa.select(ENTRIES).where(ENTRIES.c.game == name).order_by(ENTRIES.c.number)
        for rows in old.execute(entries).mappings().partitions(AT_ONCE):
            new.execute(ENTRIES.insert(), [dict(each) for each in rows])
        told(number + 1, len(wanted))
    return len(wanted)


def restore(path: Path, storage: Storage, told: Told = lambda done, of: None) -> tuple[int, int]:
    """Bring back every game of a backup that is not there. Returns how many came, and how many were there already."""
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file")
    source = connect(str(path))
    try:
        with source.connect() as old, storage.engine.begin() as new:
            tables = set(sa.inspect(old).get_table_names())
            if not {GAMES.name, ENTRIES.name} <= tables:
                raise StorageError(f"{path} is no backup of games")
            there = set(names(new))
            kept = names(old)
            missing = [name for name in kept if name not in there]
            copy_games(old, new, missing, told)
    except sa.exc.DatabaseError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise StorageError(f"{path} cannot be read as a backup: {reason}") from None
    finally:
        source.dispose()
    return len(missing), len(kept) - len(missing)
