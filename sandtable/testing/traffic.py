"""A server in a process of its own, for tests that kill it, load it, or listen to all that it says."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from sandtable.server.changes import merged

PATIENCE = 60.0
START = 180.0
"""Seconds that a server may take to start: on a busy machine much, and that is not what is measured."""


def free_port() -> int:
    """A port that nobody listens on, below those that connections take.

    Whoever tries to connect to one of those while the server is away may come to talk with himself, and keep it.
    """
    ports = list(range(20_000, 32_000))
    Random(os.getpid() ^ time.monotonic_ns()).shuffle(ports)
    for port in ports:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise RuntimeError("every port is in use")


def started(port: int, database: Path | str, *options: str, log: Path | None = None) -> subprocess.Popen[bytes]:
    """A server that listens already. What it complains of goes to a log, beside a database that is a file."""
    command = [sys.executable, "-m", "sandtable", "serve", "--port", str(port), "--database", str(database), *options]
    with (log or Path(f"{database}.log")).open("ab") as complaints:
        process = subprocess.Popen(command, stderr=complaints)
    if not wait_for(port, process):
        process.kill()
        raise RuntimeError(f"the server did not start on port {port}")
    return process


def wait_for(port: int, process: subprocess.Popen[Any] | None = None) -> bool:
    """Wait until somebody listens on a port; False if that takes too long, or the process has ended."""
    ends = time.monotonic() + START
    while time.monotonic() < ends and (process is None or process.poll() is None):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.02)
    return False


def ended(process: subprocess.Popen[bytes], kill: bool = False) -> None:
    if kill:
        process.kill()
    else:
        process.terminate()
    process.wait(PATIENCE)


def resident(process: int) -> dict[str, float]:
    """What a server and the processes that it started take of memory now, in megabytes."""
    found = {"server": _resident(process)}
    children: list[int] = []
    for thread in Path(f"/proc/{process}/task").iterdir():
        children += [int(child) for child in (thread / "children").read_text().split()]
    return found | {f"process {number}": _resident(child) for number, child in enumerate(sorted(children), 1)}


def _resident(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


BACK = "back"
FARTHEST = 12
"""Answers that a player goes back at most."""


class Lost(Exception):
    """Something that was confirmed is not there any more."""


class Player:
    """A program at a socket that answers what it is asked, and holds the server to what it has confirmed."""

    def __init__(
        self, port: int, game: str, key: str | None, seat: str | None, seed: int = 0, fickle: float = 0.0
    ) -> None:
        self.port, self.game, self.key, self.seat = port, game, key, seat
        self.random = Random(seed)
        self.state: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.pending: tuple[int, Any] | None = None
        self.confirmed: dict[int, Any] = {}
        self.socket: Any = None
        self.received = 0
        self.answered = -1
        self.again = False
        self.fickle = fickle
        """How often it goes back instead of answering: by undo, or by a takeback, to which a bot agrees at once."""
        self.wish: int | None = None
        """The question that it wants to go back to; -1 for an undo."""
        self.promised = self.backs = 0
        self.fresh = True
        self.address: str | None = None
        """Where it comes from, on this machine: each address has its own limits."""

    @property
    def over(self) -> bool:
        return bool(self.state) and self.state["result"] is not None

    async def connect(self) -> None:
        from websockets.asyncio.client import connect

        address = f"ws://127.0.0.1:{self.port}/api/games/{self.game}/live"
        self.socket = await connect(
            address, max_size=None, open_timeout=PATIENCE, local_addr=self.address and (self.address, 0)
        )
        hello = {"t": "hello", "key": self.key, "seat": self.seat, "events": len(self.log)}
        if self.state:
            hello["rewinds"] = self.state["rewinds"]
        await self.send(**hello)
        self.again, self.fresh = self.pending is not None, True

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        self.received += len(text)
        message: dict[str, Any] = json.loads(text)
        if message["t"] == "state":
            self.take(message)
        elif message["t"] == "reply" and self.pending is not None and message["id"] == self.pending[0]:
            self.confirmed[self.pending[0]] = self.pending[1]
            self.pending = None
        elif message["t"] == "reply" and message["id"] == BACK and self.wish is not None:
            self.promised = self.state["rewinds"] + 1
        elif message["t"] == "refused" and message["id"] == BACK:
            self.wish = None
        elif message["t"] == "refused":
            raise Lost(f"{self.game}: {message['refusal']['message']}")
        return message

    def take(self, message: dict[str, Any]) -> None:
        state = merged(self.state, message)
        self._gone_back(message)
        if self.confirmed and state["number"] <= max(self.confirmed):
            raise Lost(f"{self.game}: answer {max(self.confirmed)} was confirmed, and {state['number']} is asked")
        for event in message["events"]:
            if event["n"] != len(self.log):
                raise Lost(f"{self.game}: the log has a gap before {event['n']}")
            self.log.append(event)
        self.state = state

    def _gone_back(self, state: dict[str, Any]) -> None:
        """A game goes back once for each wish, and stays there when that was confirmed."""
        rewinds, known = state["rewinds"], self.state.get("rewinds", state["rewinds"])
        if rewinds < max(known, self.promised):
            raise Lost(f"{self.game}: it had gone back {max(known, self.promised)} times, now {rewinds}")
        if rewinds > known:
            if self.wish is None or rewinds > known + 1:
                raise Lost(f"{self.game}: it went back, and nobody wished so")
            back = self.wish if self.wish >= 0 else state["number"]
            for number in [number for number in self.confirmed if number >= back]:
                del self.confirmed[number]
            self.answered = min(self.answered, back - 1)
            self.wish = None
            self.backs += 1
            del self.log[state.get("from", len(self.log)) :]
        elif "from" in state:
            raise Lost(f"{self.game}: the log was shortened to {state['from']}")
        elif self.fresh:
            # What it wished before the connection broke has not come to pass.
            self.wish = None
        self.fresh = False

    @property
    def question(self) -> dict[str, Any] | None:
        asked = self.state.get("asked")
        return asked if asked is not None and "topic" in asked else None

    async def step(self) -> None:
        """Hear one message, and answer what is asked then; after a new connection, once more what is not confirmed."""
        message = await self.hear()
        if self.pending is not None:
            if self.again and message["t"] == "state":
                self.again = False
                await self._give()
        elif self.wish is None and self.question is not None and self.state["number"] > self.answered:
            if self.confirmed and self.random.random() < self.fickle:
                await self.go_back()
            else:
                await self.answer()

    async def go_back(self) -> None:
        number = self.state["number"]
        if self.random.random() < 0.5:
            self.wish = -1
            await self.send(t="undo", id=BACK)
        else:
            self.wish = self.random.randrange(max(0, number - FARTHEST), number)
            await self.send(t="takeback", id=BACK, to=self.wish)

    async def answer(self) -> None:
        """Answer the question now asked, by chance."""
        question = self.question
        assert question is not None
        self.answered = self.state["number"]
        self.pending = (self.answered, self.random.choice(question["candidates"]))
        await self._give()

    async def _give(self) -> None:
        assert self.pending is not None
        await self.send(t="answer", id=self.pending[0], number=self.pending[0], answer=self.pending[1])
