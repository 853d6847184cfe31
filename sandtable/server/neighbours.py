"""Several servers, one database of PostgreSQL: which of them live, and on which of them each game does.

Every server says again and again that it lives, by the clock of the database. A game belongs to the server whose id
stands in its row; only from one who is dead, or has given it up, may another take it. The id is also the fence:
whatever a server writes, it writes under the id by which it took the game, and one that has been silent for too long
comes back under a new id. So it cannot matter how late it wakes up: nothing that it still holds of a game can be
written.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
import socket
import threading
import time

import msgspec
import sqlalchemy as sa

from sandtable.engine.errors import SandtableError
from sandtable.server.storage import GAMES, SERVERS, Storage, StorageError

LOG = logging.getLogger("sandtable.server")

BEAT = 1.0
"""Seconds between two signs of life."""

SILENT = 5.0
"""Seconds without a sign of life after which a server takes its games for lost."""

DEAD = 6.0
"""Seconds after which the others do. More than `SILENT`: it stops before they begin."""

FORGOTTEN = 600.0
"""Seconds after which nobody needs to know of a dead server any more."""

CONNECTION = {"connect_timeout": 3, "options": "-c statement_timeout=3000", "tcp_user_timeout": 3000}
"""A sign of life that does not get through is given up and tried anew."""

NOW = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float)
LIVES = SERVERS.c.beat > NOW - DEAD
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
        self.engine = sa.create_engine(storage.engine.url, pool_size=1, pool_pre_ping=True, connect_args=CONNECTION)
        self.id = ""
        self.last = self.looked = 0.0
        self.living: dict[str, Neighbour] = {}
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._live, name="neighbours", daemon=True)

    # Living.

    def join(self) -> None:
        """From now on the others know of this server."""
        self._replace_the_last_one()
        self.beat()
        self.thread.start()

    def _replace_the_last_one(self) -> None:
        """One that was reached here before must be dead: on this machine it is, for the port is ours now."""
        ends = time.monotonic() + DEAD + BEAT
        here = SERVERS.c.address == self.address
        while True:
            with self.engine.begin() as connection:
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
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("the database does not hear that this server lives: %s", str(error).split("\n")[0])

    def beat(self) -> None:
        """Say that this server lives, under a new id if others may have thought otherwise; see who else does."""
        began = time.monotonic()
        me = self.id if began - self.last < SILENT else ""
        with self.engine.begin() as connection:
            known = connection.execute(SERVERS.update().where((SERVERS.c.id == me) & LIVES).values(beat=NOW)).rowcount
            if not known:
                if self.id:
                    LOG.warning("this server was not heard of for too long; it takes up its games anew")
                    connection.execute(SERVERS.delete().where(SERVERS.c.id == self.id))
                me = secrets.token_hex(8)
                new = {"id": me, "address": self.address, "host": socket.gethostname(), "word": self.word}
                connection.execute(SERVERS.insert().values(**new, beat=NOW))
                connection.execute(SERVERS.delete().where(SERVERS.c.beat < NOW - FORGOTTEN))
            rows = connection.execute(sa.select(SERVERS.c.id, SERVERS.c.address, SERVERS.c.word).where(LIVES)).all()
        self.living = {row.id: Neighbour(row.id, row.address, row.word) for row in rows}
        self.looked = began
        # In this order: whoever sees the new time sees the new id.
        self.id = me
        self.last = began

    def held(self) -> bool:
        """Whether nobody can have taken a game of ours."""
        return time.monotonic() - self.last < SILENT

    def died(self, server: Neighbour, since: float) -> bool:
        """Whether a server that lived at a time was not among the living when they were last looked for."""
        return self.looked > since and server.id not in self.living

    def others(self) -> list[str]:
        return [name for name in self.living if name != self.id]

    def knows(self, word: str) -> bool:
        """Whether somebody has read in the database by which word this server knows the others."""
        return hmac.compare_digest(word.encode(), self.word.encode())

    def leave(self) -> None:
        """Give all games up, in order."""
        self.over.set()
        self.thread.join()
        with contextlib.suppress(sa.exc.SQLAlchemyError), self.engine.begin() as connection:
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
            if not connection.execute(GAMES.update().where(wanted & FREE).values(owner=me)).rowcount:
                # Somebody was quicker.
                raise Elsewhere

    def orphans(self) -> list[tuple[str, bytes]]:
        """Every game under way that lives on no server, and who sits there."""
        wanted = sa.select(GAMES.c.id, GAMES.c.seats).where((GAMES.c.state == "running") & FREE)
        with self.storage.engine.connect() as connection:
            return [(row.id, row.seats) for row in connection.execute(wanted.order_by(GAMES.c.updated))]
