"""Starting the server, and ending it in order."""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
import sys
import threading
from pathlib import Path
from types import FrameType

import uvicorn

from sandtable import rulesets
from sandtable.engine.errors import SandtableError
from sandtable.server.app import build
from sandtable.server.hall import Hall
from sandtable.server.limits import Limits
from sandtable.server.page import FOLDER
from sandtable.server.patience import PatientProtocol
from sandtable.server.rehearsal import rehearse
from sandtable.server.storage import Storage
from sandtable.server.workers import Workers, usual_count

LOG = logging.getLogger("sandtable.server")

LONGEST_END = 8.0
"""Seconds in which the server ends once it is told to, whatever is still being drawn or computed."""

LARGEST_FRAME = 1_000_000
"""A larger message is cut off by the socket itself; one above the limit gets a reason."""


def data_folder() -> Path:
    """Where the user's data lie on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "sandtable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "sandtable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sandtable"


def hall(database: str | None, workers: int | None, deadline: float, limits: Limits | None = None) -> Hall:
    storage = Storage(database or str(data_folder() / "games.sqlite"))
    return Hall(storage, Workers(workers or usual_count(), deadline, rulesets.names()), limits)


def configured(host: str, port: int, games: Hall, page: Path | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        build(games, page),
        host=host,
        port=port,
        log_level="warning",
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=3,
        server_header=False,
    )


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


def run(host: str, port: int, database: str | None, workers: int | None, deadline: float) -> None:
    door = bound(host, port)
    games = hall(database, workers, deadline)
    print("Getting ready; the first time this takes a minute or two.", file=sys.stderr, flush=True)
    rehearse()
    print(f"Sandtable plays at http://{host}:{port} — Ctrl-C ends it.", file=sys.stderr, flush=True)
    if not (FOLDER / "index.html").is_file():
        print("The page has not been built: `make web` builds it.", file=sys.stderr, flush=True)
    try:
        Server(configured(host, port, games)).run(sockets=[door])
    finally:
        if games.still_computing():
            # Python would wait for every thread; what they make now, nobody waits for.
            end_at_once()
