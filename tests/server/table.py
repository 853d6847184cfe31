"""A server over real sockets, and people who sit down at it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from sandtable.server.changes import merged
from sandtable.server.hall import Hall
from sandtable.server.limits import Limits
from sandtable.server.serving import Options, configured
from sandtable.server.storage import Storage
from sandtable.server.workers import Workers

PATIENCE = 30.0


class Served:
    """A running server, and how to talk to it."""

    def __init__(self, hall: Hall, port: int, loop: threading.Thread) -> None:
        self.hall = hall
        self.port = port
        self.loop = loop
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)

    def new(self, ruleset: str = "tr14", scenario: str = "patrol", **seats_and_more: Any) -> dict[str, Any]:
        seats = seats_and_more.pop("seats", {"red": "me", "blue": "link"})
        body = {"ruleset": ruleset, "scenario": scenario, "seats": seats, **seats_and_more}
        answer = self.http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def whole(self) -> bool:
        """Do the two threads live that must never end: its event loop's, and that of its writer?"""
        return self.loop.is_alive() and self.hall.storage._writer.is_alive()

    def post(self, path: str, key: str | None = None, **body: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return self.http.post(f"/api/games/{path}", json=body, headers=headers)

    def get(self, path: str, key: str | None = None, **params: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return self.http.get(f"/api/games/{path}", params=params, headers=headers)

    def sit(self, game: str, key: str | None = None, seat: str | None = None, **hello: Any) -> Person:
        return Person(self.port, game, key, seat, **hello)


class Person:
    """Somebody at a socket: keeps the last state, the log, and the replies."""

    def __init__(self, port: int, game: str, key: str | None, seat: str | None, **hello: Any) -> None:
        self.port, self.game, self.key, self.seat = port, game, key, seat
        self.log: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.replies: dict[Any, dict[str, Any]] = {}
        self.asked = 0
        self.raw: list[str] = []
        self.static: dict[str, Any] = {}
        self.socket: ClientConnection
        self.connect(**hello)

    def connect(self, **hello: Any) -> None:
        opened = connect(f"ws://127.0.0.1:{self.port}/api/games/{self.game}/live", max_size=None)
        self.socket = opened.__enter__()
        known = {"events": len(self.log), **({"rewinds": self.state["rewinds"]} if self.state else {})}
        self.send(t="hello", key=self.key, seat=self.seat, **{**known, **hello})
        before = len(self.raw)
        self.until(lambda: len(self.raw) >= before + 2)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, seconds: float = PATIENCE) -> dict[str, Any]:
        text = self.socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["t"] == "static":
            self.static = message
        elif message["t"] == "state":
            self.take(message)
        else:
            self.replies[message["id"]] = message
        return message

    def take(self, message: dict[str, Any]) -> None:
        if "from" in message:
            del self.log[message["from"] :]
        self.log += message["events"]
        assert [event["n"] for event in self.log] == list(range(len(self.log)))
        self.state = merged(self.state, message)

    def until(self, so: Callable[[], bool], seconds: float = PATIENCE) -> None:
        ends = time.monotonic() + seconds
        while not so():
            self.hear(max(0.01, ends - time.monotonic()))

    def do(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        self.asked += 1
        name = self.asked
        self.send(id=name, **request)
        self.until(lambda: name in self.replies)
        return self.replies.pop(name)

    def reach(self, number: int, rewinds: int | None = None) -> None:
        self.until(lambda: self.state["number"] >= number and (rewinds is None or self.state["rewinds"] >= rewinds))

    @property
    def question(self) -> dict[str, Any] | None:
        """The question, if this person is asked."""
        asked = self.state["asked"]
        return asked if asked is not None and "topic" in asked else None

    def answer(self, answer: Any) -> dict[str, Any]:
        reply = self.do(t="answer", number=self.state["number"], answer=answer)
        if reply["t"] == "reply":
            self.reach(reply["number"])
        return reply

    def drop(self) -> None:
        """The connection breaks without a word."""
        self.socket.socket.close()

    def leave(self) -> None:
        self.socket.close()

    def closed_with(self) -> int:
        try:
            while True:
                self.socket.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 0


def chosen(question: dict[str, Any], random: Random) -> Any:
    return random.choice(question["candidates"])


def play(people: list[Person], random: Random, most: int = 10_000) -> int:
    """People answer whatever they are asked, until the game is over or so many answers were given."""
    given = 0
    while given < most:
        furthest = max(person.state["number"] for person in people)
        for person in people:
            person.reach(furthest)
        if people[0].state["result"] is not None:
            break
        asked = next((person for person in people if person.question is not None), None)
        if asked is None:
            people[0].hear()
            continue
        question = asked.question
        assert question is not None
        reply = asked.answer(chosen(question, random))
        assert reply["t"] == "reply", reply
        given += 1
    while True:
        for person in people:
            person.reach(max(each.state["number"] for each in people))
        # What is answered by itself in a while is waited for.
        waiting = next((person for person in people if (person.state["asked"] or {}).get("held")), None)
        if waiting is None:
            return given
        waiting.hear()


@contextmanager
def serving(
    database: Path, limits: Limits | None = None, deadline: float = 10.0, page: Path | None = None
) -> Iterator[Served]:
    """A server in a thread, with processes for bots that start when they are needed."""
    hall = Hall(Storage(str(database)), Workers(1, deadline, eager=False), limits)
    server = uvicorn.Server(configured(Options(port=0), hall, page))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    ends = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < ends
        time.sleep(0.01)
    served = Served(hall, server.servers[0].sockets[0].getsockname()[1], thread)
    try:
        yield served
    finally:
        served.http.close()
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
