"""One database, one server: whoever comes second is told who has it, and stops.

A file of SQLite is leased by a lock on a file beside it, PostgreSQL by one of its advisory locks. Both end with the
process that holds them, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path
from typing import IO

import msgspec
import sqlalchemy as sa

from sandtable.server.storage import Storage, StorageError

LOCK_NUMBER = 0x5A4D7AB1
"""Our advisory lock in PostgreSQL; any number would do."""

PATIENCE = 10.0
"""Seconds that the end of a server that was just killed is waited for."""

META_NAME = "server"


class Tenant(msgspec.Struct, frozen=True):
    """Who serves the games of a database."""

    address: str
    process: int
    host: str
    since: str

    def words(self) -> str:
        return f"the server at {self.address} (process {self.process} on {self.host}, since {self.since})"


def tenant(address: str) -> Tenant:
    return Tenant(address, os.getpid(), socket.gethostname(), time.strftime("%Y-%m-%d %H:%M:%S"))


class FileLease:
    """A lock on a file beside the database."""

    def __init__(self, database: Path, me: Tenant) -> None:
        self.path = database.with_name(f"{database.name}.lease")
        self.file: IO[bytes] | None = None
        self.me = me

    def take(self) -> Tenant | None:
        """Take it; or who has it."""
        import fcntl

        file = self.path.open("a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            found = read(file.read())
            file.close()
            return found
        file.truncate(0)
        file.write(msgspec.json.encode(self.me))
        file.flush()
        self.file = file
        return None

    def held(self) -> bool:
        return self.file is not None

    def release(self) -> None:
        if self.file is not None:
            self.file.truncate(0)
            self.file.close()
            self.file = None


class DatabaseLease:
    """An advisory lock, held by a connection of its own."""

    def __init__(self, storage: Storage, me: Tenant) -> None:
        self.storage = storage
        self.me = me
        self.connection: sa.Connection | None = None

    def take(self) -> Tenant | None:
        connection = self.storage.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if connection.execute(sa.select(sa.func.pg_try_advisory_lock(LOCK_NUMBER))).scalar_one():
            self.storage.set_meta(META_NAME, msgspec.json.encode(self.me).decode())
            self.connection = connection
            return None
        connection.close()
        return read((self.storage.meta(META_NAME) or "").encode())

    def held(self) -> bool:
        """Asked anew each time: the lock is gone when its connection is."""
        if self.connection is None:
            return False
        try:
            self.connection.execute(sa.text("select 1"))
        except sa.exc.SQLAlchemyError:
            with contextlib.suppress(Exception):
                self.connection.invalidate()
            self.connection = None
        return self.connection is not None or self.take() is None

    def release(self) -> None:
        if self.connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                self.connection.execute(sa.select(sa.func.pg_advisory_unlock(LOCK_NUMBER)))
                self.connection.close()
            self.connection = None


Lease = FileLease | DatabaseLease


def read(data: bytes) -> Tenant:
    try:
        return msgspec.json.decode(data, type=Tenant)
    except msgspec.DecodeError:
        return Tenant("an unknown address", 0, "an unknown host", "an unknown time")


def lease_of(storage: Storage, me: Tenant) -> Lease | None:
    """The lease of a database; a database in memory needs none."""
    url = storage.engine.url
    if url.get_backend_name() != "sqlite":
        return DatabaseLease(storage, me)
    if os.name != "posix" or url.database in (None, "", ":memory:"):
        return None
    return FileLease(Path(str(url.database)).expanduser(), me)


def taken(storage: Storage, me: Tenant, patience: float = PATIENCE) -> Lease | None:
    """The lease, taken; if another server has it, an error that says which."""
    lease = lease_of(storage, me)
    ends = time.monotonic() + patience
    while lease is not None and (other := lease.take()) is not None:
        if time.monotonic() > ends or alive(other):
            raise StorageError(f"these games are served by {other.words()}; stop it, or name another --database")
        time.sleep(0.2)
    return lease


def alive(other: Tenant) -> bool:
    """Whether the one who has it is a process of this machine that is still there."""
    if other.host != socket.gethostname() or not other.process:
        return False
    try:
        os.kill(other.process, 0)
    except OSError:
        return False
    return True
