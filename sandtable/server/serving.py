"""Starting the server, and ending it in order."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import msgspec
import uvicorn

from sandtable import rulesets
from sandtable.engine.errors import SandtableError
from sandtable.server import heap
from sandtable.server.app import build
from sandtable.server.hall import Hall
from sandtable.server.lease import taken, tenant
from sandtable.server.limits import Limits
from sandtable.server.neighbours import Neighbours
from sandtable.server.page import FOLDER
from sandtable.server.patience import PatientProtocol
from sandtable.server.storage import Storage, StorageError
from sandtable.server.workers import Workers, usual_count
from sandtable.table.compiled import switch

LOG = logging.getLogger("sandtable.server")

LONGEST_END = 8.0
"""Seconds in which the server ends once it is told to, whatever is still being drawn or computed."""

EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that mean every address of this machine, and are none to be reached at."""

SWITCH = 0.001
"""Seconds for which a thread that computes keeps the others waiting, a fifth of Python's own: those that talk to people
and to the database have little to do, but often."""

LARGEST_FRAME = 1_000_000
"""A larger message is cut off by the socket itself; one above the limit gets a reason."""


def data_folder() -> Path:
    """Where the user's data lie on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "sandtable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "sandtable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sandtable"


class Options(msgspec.Struct, frozen=True):
    """How the server is run.

    `proxies` are the addresses whose word is taken for where a request comes from; nobody's, if none are named.
    `inside` is where other servers that share the database reach this one.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    workers: int | None = None
    deadline: float = 10.0
    proxies: tuple[str, ...] = ()
    log_requests: bool = False
    limits: Limits = Limits()
    inside: str | None = None


def inside_of(options: Options) -> str:
    """Where the other servers reach this one: as it was told, or where it listens."""
    if options.inside is None:
        host = socket.gethostname() if options.host in EVERYWHERE else options.host
        return f"http://[{host}]:{options.port}" if ":" in host else f"http://{host}:{options.port}"
    told = urlsplit(options.inside)
    if told.scheme not in ("http", "https") or not told.hostname or told.path.strip("/") or told.query:
        raise StorageError(f"{options.inside} is no address of a server; write it as --inside http://10.0.0.5:8000")
    return options.inside.rstrip("/")


def database_of(named: str | None) -> str:
    """The database that was named, or the one in the user's data folder."""
    return named or str(data_folder() / "games.sqlite")


def hall(options: Options) -> Hall:
    inside = inside_of(options)
    storage = Storage(database_of(options.database))
    lease = neighbours = None
    try:
        if storage.shared:
            neighbours = Neighbours(storage, inside)
            neighbours.replace_the_last_one()
        else:
            lease = taken(storage, tenant(f"http://{options.host}:{options.port}"))
    except StorageError:
        storage.close()
        raise
    workers = Workers(options.workers or usual_count(), options.deadline, rulesets.names())
    return Hall(storage, workers, options.limits, lease, neighbours)


def configured(options: Options, games: Hall, page: Path | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        build(games, page, print_line if options.log_requests else None),
        host=options.host,
        port=options.port,
        log_level="warning",
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies),
    )


def print_line(line: str) -> None:
    print(line, flush=True)


class Server(uvicorn.Server):
    """Ends in order when it is told to, and ends all the same if something does not come to its end."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            patience = threading.Timer(LONGEST_END, end_at_once)
            patience.daemon = True
            patience.start()
        super().handle_exit(sig, frame)


def end_at_once() -> None:
    """As if the power failed: every confirmed answer is on disk, and nothing else was promised."""
    LOG.warning("something that was being computed is broken off")
    for child in multiprocessing.active_children():
        child.kill()
    sys.stderr.flush()
    os._exit(0)


class AddressTaken(SandtableError):
    """Nobody can listen where he was told to."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that holds the address; nobody can connect to it yet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise AddressTaken(f"{host}:{port} cannot be listened on ({error.strerror}); try another --port") from None
    return found


def run(options: Options) -> None:
    door = bound(options.host, options.port)
    heap.give_back()
    # The first process of a container ends on a signal only if it says so.
    before = signal.signal(signal.SIGTERM, lambda number, frame: end_at_once())
    switch.begin()
    games = hall(options)
    signal.signal(signal.SIGTERM, before)
    if games.neighbours is not None:
        # Not before it can be reached: one that is silent and refuses connections is taken for dead.
        games.neighbours.join()
    sys.setswitchinterval(SWITCH)
    print(f"Sandtable plays at http://{options.host}:{options.port} — Ctrl-C ends it.", file=sys.stderr, flush=True)
    if not (FOLDER / "index.html").is_file():
        print("The page has not been built: `make web` builds it.", file=sys.stderr, flush=True)
    server = Server(configured(options, games))
    try:
        server.run(sockets=[door])
    finally:
        if games.still_computing():
            # Python would wait for every thread; what they make now, nobody waits for.
            end_at_once()
