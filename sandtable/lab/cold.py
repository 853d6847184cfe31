"""The first start on a new machine, measured in fresh processes with an empty cache."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from sandtable.engine.errors import SandtableError

PATIENCE = 120.0
BATTLE = {"ruleset": "hof", "scenario": "patrol", "seats": {"red": "me", "blue": "bot:greedy"}}


class NoServer(SandtableError):
    """The server did not start, or did not answer."""


def compiling() -> float:
    """Seconds of processor time in which all kernels of all games are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "sandtable.table.compiled"]
        subprocess.run(command, env=os.environ | {"SANDTABLE_CACHE": folder}, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def serving() -> tuple[float, float]:
    """Seconds from the command to the page, and from a click there to the first question of a battle."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        with server(Path(folder)) as address:
            while not answered(address):
                if time.monotonic() - began > PATIENCE:
                    raise NoServer("the server did not start")
                time.sleep(0.02)
            page = time.monotonic() - began
            return page, first_question(address)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "sandtable", "serve", "--port", str(port), "--database", str(folder / "games")]
    process = subprocess.Popen(command, env=os.environ | {"SANDTABLE_CACHE": str(folder)}, stderr=subprocess.DEVNULL)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def answered(address: str) -> bool:
    try:
        with urlopen(f"http://{address}/", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError):
        return False


def first_question(address: str) -> float:
    from websockets.sync.client import connect

    began = time.monotonic()
    wanted = Request(f"http://{address}/api/games", json.dumps(BATTLE).encode(), {"Content-Type": "application/json"})
    with urlopen(wanted, timeout=PATIENCE) as answer:
        made = json.load(answer)
    with connect(f"ws://{address}/api/games/{made['id']}/live", max_size=None) as live:
        live.send(json.dumps({"t": "hello", "key": made["keys"]["red"], "seat": "red", "events": 0}))
        while time.monotonic() - began < PATIENCE:
            message = json.loads(live.recv(timeout=PATIENCE))
            if message["t"] == "state" and "topic" in (message.get("asked") or {}):
                return time.monotonic() - began
    raise NoServer("the first question did not come")
