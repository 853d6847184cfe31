"""One file of SQLite, one server: whoever comes second is told who has it, and stops.

The lease is a lock on a file beside it, which ends with the process that holds it, however it ends. Several servers
share a database of PostgreSQL: see `neighbours`.
"""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import IO

import msgspec

from sandtable.server.storage import Storage, StorageError

PATIENCE = 10.0
"""Seconds that the end of a server that was just killed is waited for."""


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


def read(data: bytes) -> Tenant:
    try:
        return msgspec.json.decode(data, type=Tenant)
    except msgspec.DecodeError:
        return Tenant("an unknown address", 0, "an unknown host", "an unknown time")


def lease_of(storage: Storage, me: Tenant) -> FileLease | None:
    """The lease of a file; a database in memory needs none."""
    url = storage.engine.url
    if os.name != "posix" or url.database in (None, "", ":memory:"):
        return None
    return FileLease(Path(str(url.database)).expanduser(), me)


def taken(storage: Storage, me: Tenant, patience: float = PATIENCE) -> FileLease | None:
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
