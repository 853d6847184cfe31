"""Several servers, one database of PostgreSQL: which of them live, and on which of them each game does.

Every server says again and again that it lives, by the clock of the database. A game belongs to the server whose id
stands in its row; only from one who is dead, or has given it up, may another take it. The id is also the fence:
whatever a server writes, it writes under the id by which it took the game, and one that has been silent for too long
comes back under a new id. So it cannot matter how late it wakes up: nothing that it still holds of a game can be
written. So it is safe, too, to strike a server from the list before its time, when nobody listens at its address.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
import socket
import threading
import time
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from sandtable.engine.errors import SandtableError
from sandtable.server.storage import GAMES, SERVERS, Storage, StorageError

LOG = logging.getLogger("sandtable.server")

BEAT = 0.5
"""Seconds between two signs of life."""

SUSPECT = 1.5
"""Seconds without one after which the others try whether anybody listens where a server is reached."""

TRIED = 0.5
"""Seconds that they wait for a connection. Only one that is refused says that nobody listens."""

SILENT = 5.0
"""Seconds without a sign of life after which a server takes its games for lost."""

DEAD = 6.0
"""Seconds after which the others do. More than `SILENT`: it stops before they begin."""

FORGOTTEN = 600.0
"""Seconds after which nobody needs to know of a dead server any more."""

CONNECTION = {
    "connect_timeout": 2,
    "options": "-c statement_timeout=2000 -c synchronous_commit=off",
    "tcp_user_timeout": 2000,
}
"""A sign of life that does not get through is given up and tried anew. It does not wait for the disk: when the disk
stands still all servers would take one another for dead, and a sign that is lost with the database is given again."""

PORTS = {"http": 80, "https": 443}

NOW = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float)
LIVES = SERVERS.c.beat > NOW - DEAD
SILENT_NOW = SERVERS.c.beat < NOW - SUSPECT
LIVING = sa.select(SERVERS.c.id, SERVERS.c.address, SERVERS.c.word, SILENT_NOW.label("silent")).where(LIVES)
FREE = GAMES.c.owner.not_in(sa.select(SERVERS.c.id).where(LIVES))
"""Games of nobody, or of a dead server."""


class Neighbour(msgspec.Struct, frozen=True):
    """A server that lives: where the others reach it, and the word by which it knows them."""

    id: str
    address: str
    word: str


class Elsewhere(SandtableError):
    """A game that lives on another server; on none for the moment, if it is not known on which."""

    def __init__(self, server: Neighbour | None = None) -> None:
        super().__init__("the game lives on another server")
        self.server = server


class Neighbours:
    """This server among those that share its database."""

    def __init__(self, storage: Storage, address: str) -> None:
        self.storage = storage
        self.address = address
        self.word = secrets.token_hex(32)
        self.engine = sa.create_engine(
            storage.engine.url, pool_size=1, isolation_level="AUTOCOMMIT", connect_args=CONNECTION
        )
        self.id = ""
        self.last = self.listed = 0.0
        self.living: dict[str, Neighbour] = {}
        self.suspects: list[Neighbour] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._live, name="neighbours", daemon=True)

    # Living.

    def join(self) -> None:
        """From now on the others know of this server."""
        self.replace_the_last_one()
        self.beat()
        self.thread.start()

    def replace_the_last_one(self) -> None:
        """One that was reached here before must be dead: on this machine it is, for the port is ours now."""
        ends = time.monotonic() + DEAD + BEAT
        here = SERVERS.c.address == self.address
        while True:
            with self.engine.connect() as connection:
                connection.execute(SERVERS.delete().where(here & ((SERVERS.c.host == socket.gethostname()) | ~LIVES)))
                other = connection.execute(sa.select(SERVERS.c.host).where(here)).scalar()
            if other is None:
                return
            if time.monotonic() > ends:
                raise StorageError(
                    f"the server on {other} is reached at {self.address}, too; "
                    "say --inside, where the other servers reach this one"
                )
            time.sleep(BEAT)

    def _live(self) -> None:
        while not self.over.wait(BEAT):
            try:
                self.beat()
                self.strike()
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("the database does not hear that this server lives: %s", str(error).split("\n")[0])

    def beat(self) -> None:
        """Say that this server lives, under a new id if others may have thought otherwise; see who else does."""
        began = time.monotonic()
        me = self.id if began - self.last < SILENT else ""
        # Each statement for itself, and as few as can be: on a busy machine every one of them may be late.
        with self.engine.connect() as connection:
            known = connection.execute(SERVERS.update().where((SERVERS.c.id == me) & LIVES).values(beat=NOW)).rowcount
            if not known:
                if self.id:
                    LOG.warning("this server was not heard of for too long; it takes up its games anew")
                    connection.execute(SERVERS.delete().where(SERVERS.c.id == self.id))
                me = secrets.token_hex(8)
                new = {"id": me, "address": self.address, "host": socket.gethostname(), "word": self.word}
                connection.execute(SERVERS.insert().values(**new, beat=NOW))
                connection.execute(SERVERS.delete().where(SERVERS.c.beat < NOW - FORGOTTEN))
            rows = connection.execute(LIVING).all()
        self.living = {row.id: Neighbour(row.id, row.address, row.word) for row in rows}
        self.suspects = [self.living[row.id] for row in rows if row.silent and row.id != me]
        self.listed = began
        # In this order: whoever sees the new time sees the new id.
        self.id = me
        self.last = began

    def strike(self) -> None:
        """Who was silent when last looked for, and refuses connections, has died: his time need not run out first.

        One that lives all the same, and was only slow, comes back under a new id with its next sign of life.
        """
        for suspect in self.suspects:
            if not refuses(suspect.address):
                continue
            with self.engine.connect() as connection:
                still = (SERVERS.c.id == suspect.id) & SILENT_NOW
                struck = connection.execute(SERVERS.delete().where(still)).rowcount
            if struck:
                LOG.warning("the server at %s has died; its games are taken over", suspect.address)
                self.living = {name: each for name, each in self.living.items() if name != suspect.id}
        self.suspects = []

    def held(self) -> bool:
        """Whether nobody can have taken a game of ours."""
        return time.monotonic() - self.last < SILENT

    def died(self, server: Neighbour, since: float) -> bool:
        """Whether a server that lived at a time was not among the living when they were last looked for."""
        return self.listed > since and server.id not in self.living

    def others(self) -> list[str]:
        return [name for name in self.living if name != self.id]

    def knows(self, word: str) -> bool:
        """Whether somebody has read in the database by which word this server knows the others."""
        return hmac.compare_digest(word.encode(), self.word.encode())

    def leave(self) -> None:
        """Give all games up, in order."""
        self.over.set()
        self.thread.join()
        with contextlib.suppress(sa.exc.SQLAlchemyError), self.engine.connect() as connection:
            connection.execute(GAMES.update().where(GAMES.c.owner == self.id).values(owner=""))
            connection.execute(SERVERS.delete().where(SERVERS.c.id == self.id))
        self.engine.dispose()

    # Games.

    def claim(self, game: str, me: str) -> None:
        """Take a game for the id of this server, or have it already; if another has it, that is raised."""
        wanted = GAMES.c.id == game
        owner = sa.select(GAMES.c.owner, SERVERS.c.id, SERVERS.c.address, SERVERS.c.word).where(wanted)
        owner = owner.select_from(GAMES.outerjoin(SERVERS, (GAMES.c.owner == SERVERS.c.id) & LIVES))
        with self.storage.engine.begin() as connection:
            row = connection.execute(owner).first()
            if row is None or row.owner == me:
                return
            if row.id is not None:
                raise Elsewhere(Neighbour(row.id, row.address, row.word))
            free = sa.select(GAMES.c.id).where(wanted & FREE).with_for_update(skip_locked=True)
            if connection.execute(free).first() is None:
                # Somebody was quicker; or the dead one stands still in the midst of writing, which soon ends.
                raise Elsewhere
            connection.execute(GAMES.update().where(wanted).values(owner=me))

    def orphans(self) -> list[tuple[str, bytes]]:
        """Every game under way that lives on no server, and who sits there."""
        wanted = sa.select(GAMES.c.id, GAMES.c.seats).where((GAMES.c.state == "running") & FREE)
        with self.storage.engine.connect() as connection:
            return [(row.id, row.seats) for row in connection.execute(wanted.order_by(GAMES.c.updated))]


def refuses(address: str) -> bool:
    """Whether a machine says that nobody listens at an address. That it says nothing is no sign of death."""
    url = urlsplit(address)
    try:
        socket.create_connection((url.hostname or "", url.port or PORTS[url.scheme]), TRIED).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
