"""Games on disk: SQLite by default, PostgreSQL by its address.

All writing goes through one thread. What has gathered while it was busy goes into its next transaction, so that
many answers cost one sync of the disk; each waits for that transaction before anybody hears of it. Whatever a change
raises fails that change alone: the thread outlives it.
"""

from __future__ import annotations

import hashlib
import logging
import queue
import threading
import time
from collections.abc import Collection
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Entry
from sandtable.engine.questions import Answer

LOG = logging.getLogger("sandtable.server")

SCHEMA = 2
"""The version of the tables below. Since 2 a game names the server on which it lives."""

ONE_SERVER = 0x5A4D7AB1
"""The advisory lock that a server of schema 1 holds in PostgreSQL for as long as it runs."""

SETTING_UP = 0x5A4D7AB2
"""Our advisory lock while the tables are made: servers may start at the same time."""

MOST_AT_ONCE = 256
"""Changes that one transaction carries at most."""

UNBLOCKING = {"options": "-c idle_in_transaction_session_timeout=4000"}
"""For PostgreSQL: who stands still in the midst of a transaction for so many milliseconds holds nobody up any more."""

METADATA = sa.MetaData()

META = sa.Table(
    "meta",
    METADATA,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)

GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("updated", sa.Float, nullable=False),
    sa.Column("ruleset", sa.String(40), nullable=False),
    sa.Column("rules_version", sa.String(40), nullable=False),
    sa.Column("scenario", sa.String(80), nullable=False),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("asked", sa.String(40), nullable=False),
    sa.Column("rewinds", sa.Integer, nullable=False),
    sa.Column("setup", sa.LargeBinary, nullable=False),
    sa.Column("dice", sa.LargeBinary, nullable=False),
    sa.Column("seats", sa.LargeBinary, nullable=False),
    sa.Column("standing", sa.LargeBinary, nullable=False),
    sa.Column("notes", sa.LargeBinary, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),
    sa.Column("base", sa.LargeBinary, nullable=False),
    sa.Column("keyframe", sa.LargeBinary, nullable=False),
    sa.Column("owner", sa.String(40), nullable=False, server_default=""),
    sa.Index("games_by_state", "state", "updated"),
)

ENTRIES = sa.Table(
    "entries",
    METADATA,
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
    sa.Column("sent", sa.String(32), nullable=False),
)

SERVERS = sa.Table(
    "servers",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("address", sa.String(200), nullable=False),
    sa.Column("host", sa.String(200), nullable=False),
    sa.Column("word", sa.String(64), nullable=False),
    sa.Column("beat", sa.Float, nullable=False),
)


class StorageError(SandtableError):
    """A database that cannot be used."""


class Removed(SandtableError):
    """A game that the operator has removed meanwhile."""


class Taken(SandtableError):
    """A game that another server has taken over meanwhile."""


class StoredEntry(msgspec.Struct, frozen=True):
    """An answer, and the fingerprint of the form in which it was sent: the same one sent again is recognised."""

    entry: Entry
    sent: str = ""


class Change(msgspec.Struct):
    """What one step of a game changes on disk: all of it, or nothing.

    Of the answers stored so far `keep` stay; `entries` follow them. `create` says that the game is new, `untouched`
    that nobody played: when it was last played stays as it is. `owner` is the server that writes; if the game is not
    its own any more, nothing is written. Where one server has the whole database, and for the operator, there is none.
    """

    game: str
    values: dict[str, Any]
    keep: int = 0
    drops: bool = False
    entries: list[StoredEntry] = []
    create: bool = False
    delete: bool = False
    untouched: bool = False
    owner: str | None = None


class Job:
    """A change on its way to the disk. Who waits for it may have gone; it is written all the same."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self.done: Future[None] = Future()

    def begin(self) -> None:
        """From now on nobody can call it off."""
        self.waited_for = self.done.set_running_or_notify_cancel()

    def end(self, error: BaseException | None = None) -> None:
        if not self.waited_for or self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


def address(database: str) -> sa.URL:
    """The address of a database; a plain path is a file of SQLite."""
    if "://" not in database:
        return sa.URL.create("sqlite", database=database)
    try:
        url = sa.make_url(database)
    except (sa.exc.ArgumentError, ValueError):
        raise StorageError("the address of the database cannot be read; write postgresql://user@host/name") from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StorageError(f"{url.get_backend_name()} is not a database that is known here; use SQLite or PostgreSQL")
    return url


def connect(database: str) -> sa.Engine:
    url = address(database)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite and url.database not in (None, "", ":memory:"):
        Path(str(url.database)).expanduser().parent.mkdir(parents=True, exist_ok=True)
    try:
        engine = sa.create_engine(url, **({} if sqlite else {"pool_pre_ping": True, "connect_args": UNBLOCKING}))
    except ImportError:
        raise StorageError("for PostgreSQL install the extra: pip install 'sandtable[postgres]'") from None
    if sqlite:
        sa.event.listen(engine, "connect", _careful)
    return engine


def _careful(connection: Any, _: Any) -> None:
    """Readers beside the writer, and a commit that returns only when the disk has it."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Storage:
    """The database: reads at once in the caller's thread, writes in a thread of its own."""

    def __init__(self, database: str) -> None:
        self.engine = connect(database)
        try:
            self._set_up()
        except sa.exc.SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
            raise StorageError(f"the database cannot be opened: {reason}") from None
        self._jobs: queue.Queue[Job | None] = queue.Queue()
        self._writer = threading.Thread(target=self._write, name="storage", daemon=True)
        self._writer.start()

    def _set_up(self) -> None:
        with self.engine.begin() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(SETTING_UP)))
            METADATA.create_all(connection)
            row = connection.execute(sa.select(META.c.value).where(META.c.name == "schema")).first()
            if row is not None and int(row.value) > SCHEMA:
                raise StorageError(
                    f"the database was written by a newer Sandtable (schema {row.value}, this one knows {SCHEMA})"
                )
            upgrade(connection)
            if row is None:
                connection.execute(META.insert().values(name="schema", value=str(SCHEMA)))
            elif int(row.value) < SCHEMA:
                connection.execute(META.update().where(META.c.name == "schema").values(value=str(SCHEMA)))

    @property
    def shared(self) -> bool:
        """Whether several servers may use this database at the same time."""
        return self.engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Write what is waiting, then let go."""
        self._jobs.put(None)
        self._writer.join()
        self.engine.dispose()

    # Writing.

    def write(self, change: Change) -> Future[None]:
        """The future is done when the change lies on disk."""
        job = Job(change)
        self._jobs.put(job)
        return job.done

    @property
    def writing(self) -> bool:
        """Whether changes still come to the disk."""
        return self._writer.is_alive()

    @property
    def waiting(self) -> int:
        """How many changes wait for the disk."""
        return self._jobs.qsize()

    def _write(self) -> None:
        going_on = True
        while going_on:
            jobs: list[Job] = []
            going_on = self._gather(jobs)
            try:
                if jobs and not self._together(jobs):
                    # One of them is at fault, or the database was away for a moment: each for itself.
                    for job in jobs:
                        self._alone(job)
            except BaseException as error:
                LOG.exception("the storage thread failed; it goes on with the next change")
                for job in jobs:
                    job.end(error)

    def _gather(self, jobs: list[Job]) -> bool:
        """Wait for one change and take whatever else waits; False if there will be no more."""
        job = self._jobs.get()
        while job is not None:
            job.begin()
            jobs.append(job)
            if len(jobs) >= MOST_AT_ONCE:
                return True
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return True
        return False

    def _together(self, jobs: list[Job]) -> bool:
        try:
            with self.engine.begin() as connection:
                for job in jobs:
                    apply(connection, job.change)
        except Exception:
            return False
        for job in jobs:
            job.end()
        return True

    def _alone(self, job: Job) -> None:
        try:
            with self.engine.begin() as connection:
                apply(connection, job.change)
        except Exception as error:
            job.end(error)
        else:
            job.end()

    # Reading.

    def game(self, game_id: str) -> dict[str, Any] | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(GAMES).where(GAMES.c.id == game_id)).mappings().first()
            return dict(row) if row is not None else None

    def entries(self, game_id: str) -> list[StoredEntry]:
        wanted = sa.select(ENTRIES.c.entry, ENTRIES.c.sent).where(ENTRIES.c.game == game_id).order_by(ENTRIES.c.number)
        decoder = msgspec.json.Decoder(Entry)
        with self.engine.connect() as connection:
            return [StoredEntry(decoder.decode(row.entry), row.sent) for row in connection.execute(wanted)]

    def whole(self, game_id: str) -> tuple[dict[str, Any], list[StoredEntry]] | None:
        """A game with its answers."""
        row = self.game(game_id)
        return None if row is None else (row, self.entries(game_id))

    def games(self, state: str | None = None, limit: int = 200, archived: bool = False) -> list[dict[str, Any]]:
        """The games last played, newest first: what a list shows of them. Those that are put away are asked for."""
        names = (
            "id",
            "title",
            "ruleset",
            "scenario",
            "seats",
            "turn",
            "asked",
            "result",
            "updated",
            "state",
            "created",
        )
        wanted = sa.select(*(GAMES.c[name] for name in names)).order_by(GAMES.c.updated.desc()).limit(limit)
        if state is not None:
            wanted = wanted.where(GAMES.c.state == state)
        elif not archived:
            wanted = wanted.where(GAMES.c.state != "archived")
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(wanted).mappings()]

    def find(self, wanted: str) -> list[str]:
        """The ids that begin with some letters."""
        like = sa.select(GAMES.c.id).where(GAMES.c.id.startswith(wanted, autoescape=True)).limit(20)
        with self.engine.connect() as connection:
            return [row.id for row in connection.execute(like)]

    def idle(self, before: float, most: int, others: Collection[str] = ()) -> list[str]:
        """Games under way that nobody has touched since a time, the longest first; not those of other servers."""
        wanted = sa.select(GAMES.c.id).where(GAMES.c.state == "running").where(GAMES.c.updated < before)
        wanted = wanted.where(GAMES.c.owner.not_in(others))
        with self.engine.connect() as connection:
            return [row.id for row in connection.execute(wanted.order_by(GAMES.c.updated).limit(most))]

    def running(self) -> list[tuple[str, bytes]]:
        """Every game under way and who sits there."""
        wanted = sa.select(GAMES.c.id, GAMES.c.seats).where(GAMES.c.state == "running").order_by(GAMES.c.updated)
        with self.engine.connect() as connection:
            return [(row.id, row.seats) for row in connection.execute(wanted)]

    def count(self) -> int:
        return sum(self.count_by_state().values())

    def count_by_state(self) -> dict[str, int]:
        """How many games are running, finished or archived."""
        wanted = sa.select(GAMES.c.state, sa.func.count()).group_by(GAMES.c.state)
        with self.engine.connect() as connection:
            return {row[0]: int(row[1]) for row in connection.execute(wanted)}

    def answers(self) -> bool:
        """Whether the database answers at all."""
        try:
            with self.engine.connect() as connection:
                connection.execute(sa.text("select 1"))
        except sa.exc.SQLAlchemyError:
            return False
        return True

    def oldest_finished(self, most: int) -> list[str]:
        wanted = sa.select(GAMES.c.id).where(GAMES.c.state == "finished").order_by(GAMES.c.updated).limit(most)
        with self.engine.connect() as connection:
            return [row.id for row in connection.execute(wanted)]


def upgrade(connection: sa.Connection) -> None:
    """Bring the tables of an older Sandtable to this schema. A backup has no version: its columns tell."""
    if GAMES.c.owner.name in {column["name"] for column in sa.inspect(connection).get_columns(GAMES.name)}:
        return
    if (
        connection.dialect.name == "postgresql"
        and not connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(ONE_SERVER))).scalar_one()
    ):
        raise StorageError("these games are served by an older Sandtable, which shares them with nobody; stop it first")
    connection.execute(sa.text("ALTER TABLE games ADD COLUMN owner VARCHAR(40) DEFAULT '' NOT NULL"))


def apply(connection: sa.Connection, change: Change) -> None:
    if change.delete:
        connection.execute(ENTRIES.delete().where(ENTRIES.c.game == change.game))
        connection.execute(GAMES.delete().where(GAMES.c.id == change.game))
        return
    now = time.time()
    if change.create:
        values = {"id": change.game, "created": now, "updated": now, "owner": change.owner or "", **change.values}
        connection.execute(GAMES.insert().values(**values))
    else:
        values = change.values if change.untouched else {"updated": now, **change.values}
        wanted = GAMES.c.id == change.game
        ours = wanted if change.owner is None else wanted & (GAMES.c.owner == change.owner)
        if connection.execute(GAMES.update().where(ours).values(**values)).rowcount == 0:
            if connection.execute(sa.select(GAMES.c.id).where(wanted)).first() is not None:
                raise Taken(f"game {change.game} lives on another server by now")
            raise Removed(f"game {change.game} has been removed")
    if change.drops:
        connection.execute(ENTRIES.delete().where(ENTRIES.c.game == change.game).where(ENTRIES.c.number >= change.keep))
    if change.entries:
        rows = [
            {"game": change.game, "number": number, "entry": msgspec.json.encode(stored.entry), "sent": stored.sent}
            for number, stored in enumerate(change.entries, change.keep)
        ]
        connection.execute(ENTRIES.insert(), rows)


def fingerprint_of(answer: Answer) -> str:
    """What is kept of the form in which an answer was sent."""
    return hashlib.blake2b(msgspec.json.encode(answer, order="deterministic"), digest_size=16).hexdigest()
