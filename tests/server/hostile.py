"""Hostile requests and messages over every route: each has an answer, soon, and the server stays whole."""

from __future__ import annotations

import json
import time
from collections import Counter
from math import ceil
from random import Random
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from sandtable import rulesets
from sandtable.testing import hostile
from tests.server.table import Served

HANG = 2.0
"""Seconds after which an answer counts as one that does not come."""

FRESH = 100
"""Requests to one game, before another takes its place: some of them end it."""

ODD_WORDS = ("%00", "..%2f..%2fetc", "%F0%9F%92%A3", "x" * 300, "-1", "99999999999999999999", "NaN", "*", "%ED%A0%80")


class Hostile:
    """Somebody who sends all that, and what he was told."""

    def __init__(self, served: Served, chance: int) -> None:
        self.served = served
        self.random = Random(chance)
        self.told: Counter[str] = Counter()
        self.problems: list[str] = []
        self.slowest = 0.0
        self.count = 0
        made = served.new("tr14", "patrol", seats={"red": "bot:random", "blue": "bot:random"})
        ends = time.monotonic() + 60
        while (record := served.get(f"{made['id']}/game")).status_code != 200:
            assert time.monotonic() < ends
            time.sleep(0.2)
        self.save = record.content
        self.game, self.key = "", ""
        self.another()
        served.get(f"{self.game}/picture.svg")

    def another(self) -> None:
        made = self.served.new(self.random.choice(rulesets.names()), "patrol", seats={"red": "me", "blue": "me"})
        self.game, self.key = made["id"], made["keys"]["red"]

    def note(self, what: str, status: int, began: float, sent: object) -> None:
        took = time.monotonic() - began
        self.slowest = max(self.slowest, took)
        self.told[str(status)] += 1
        self.count += 1
        if status >= 500 or took > HANG:
            self.problems.append(f"{what}: {status} after {took:.1f} s: {str(sent)[:300]}")

    # Schemathesis.

    def by_schema(self, examples: int) -> None:
        """Requests made from the OpenAPI document, right and wrong ones."""
        api: Any = schemathesis.openapi.from_url(f"http://127.0.0.1:{self.served.port}/api/openapi.json")
        operations = [result.ok() for result in api.get_all_operations()]
        each = ceil(examples / (2 * len(operations)))
        for operation in operations:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                self.operation(operation, mode, each)

    def operation(self, operation: Any, mode: GenerationMode, examples: int) -> None:
        if mode is GenerationMode.NEGATIVE and not operation.body:
            # Of an address little can be wrong; odd ones are made by chance below.
            mode = GenerationMode.POSITIVE

        @seed(self.random.getrandbits(32))
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=examples,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
            database=None,
            derandomize=False,
        )
        def ask(case: Any) -> None:
            if self.count % FRESH == 0:
                self.another()
            if "game_id" in case.path_parameters:
                case.path_parameters["game_id"] = self.game
            began = time.monotonic()
            answer = case.call(headers={"Authorization": f"Bearer {self.key}"})
            self.note(f"{operation.method} {operation.path}", answer.status_code, began, case.body)

        ask()

    # Our own.

    def right(self) -> dict[str, Any]:
        """Of every route that takes a body, one that is right."""
        number = self.random.choice((0, 0, 0, 1, 5))
        return {
            "/api/games": {
                "ruleset": "hof",
                "scenario": "patrol",
                "seats": {"red": "me", "blue": "bot:random"},
                "options": ["hidden-deployment"],
                "title": "A battle",
            },
            "/join": {"name": "Ann"},
            "/answers": {"seat": "red", "number": number, "answer": {"red-cc-cc": {"to": [36, 6], "facing": 90}}},
            "/undo": {"seat": "red"},
            "/redo": {"seat": "blue"},
            "/takeback": {"seat": "red", "to": 0},
            "/standing": {"seat": "red", "topic": "react", "answer": "pass", "until": [["overwatch", "==", True]]},
            "/resign": {"seat": "red"},
            "/seats": {"seat": "blue", "holder": "bot:random"},
            "/keys": {"seat": "red"},
        }

    def by_chance(self, requests: int) -> None:
        """Nearly right bodies, files and addresses."""
        with httpx.Client(base_url=f"http://127.0.0.1:{self.served.port}", timeout=60) as http:
            for _ in range(requests):
                if self.count % FRESH == 0:
                    self.another()
                self.request(http)

    def request(self, http: httpx.Client) -> None:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        method, content, how = "POST", b"", self.random.random()
        if how < 0.15:
            path, content = "/api/games/import", hostile.save(self.save, self.random)
        elif how < 0.3:
            method, path = "GET", self.address()
        else:
            path, right = self.random.choice(list(self.right().items()))
            path = path if path.startswith("/api") else f"/api/games/{self.game}{path}"
            content = hostile.body(right, self.random)
        began = time.monotonic()
        answer = http.request(method, path, content=content, headers=headers)
        self.note(f"{method} {path}", answer.status_code, began, content[:300])

    def address(self) -> str:
        word, other = self.random.choice(ODD_WORDS), self.random.choice(ODD_WORDS)
        return self.random.choice(
            (
                f"/api/games/{word}",
                f"/api/games/{self.game}/moments/{word}?seat={other}",
                f"/api/games/{self.game}/moments/0/situation.toml?seat={word}",
                f"/api/games/{self.game}/beats?seat={word}",
                f"/api/games/{self.game}/picture.svg?size={word}",
                f"/api/games?state={word}",
                f"/api/rules?ruleset={word}&find={other}&limit={word}",
                f"/api/rules/{word}",
                f"/api/rulesets/{word}/scenarios/{other}/picture.svg",
                f"/{word}/{other}",
            )
        )

    # Over sockets.

    def by_messages(self, messages: int) -> None:
        """Nearly right messages. Each is answered, or the socket is closed with a reason."""
        socket: ClientConnection | None = None
        for number in range(messages):
            if socket is None or number % FRESH == 0:
                socket = self.connected()
            message = hostile.body(self.random.choice(self.messages()) | {"id": number}, self.random)
            began, status = time.monotonic(), 200
            try:
                socket.send(message.decode("utf-8", "replace"))
                # Whatever became of that, the next question is answered.
                socket.send(json.dumps({"t": "check", "id": "well?", "number": 0, "answer": None}))
                while json.loads(socket.recv(timeout=60)).get("id") != "well?":
                    pass
            except ConnectionClosed:
                status = 500 if socket.close_code in (1006, 1011) else 400
                self.told[f"closed with {socket.close_code}"] += 1
                socket = None
            self.note("a message", status, began, message)

    def connected(self) -> ClientConnection:
        self.another()
        opened = connect(f"ws://127.0.0.1:{self.served.port}/api/games/{self.game}/live", max_size=None)
        socket = opened.__enter__()
        socket.send(json.dumps({"t": "hello", "key": self.key, "seat": "red", "events": 0}))
        return socket

    def messages(self) -> list[dict[str, Any]]:
        place = {"to": [20.0, 6.0], "at": [20.0, 6.0], "facing": 90}
        return [
            {"t": "answer", "number": 0, "answer": {"red-cc-cc": {"to": [36, 6]}}},
            {"t": "check", "number": 0, "answer": {"red-cc-cc": {"to": [36, 6]}}},
            {"t": "preview", "number": 0, "answer": {"red-cc-cc": {"to": [36, 6]}}},
            {"t": "reach", "number": 0, "piece": "red-cc-cc"},
            {"t": "plan", "number": 0, "pieces": ["red-cc-cc"], **place},
            {"t": "gauge", "piece": "red-cc-cc", "step": {"to": [20, 6]}},
            {"t": "look", "piece": "red-cc-cc", **place},
            {"t": "line", "piece": "red-cc-cc", **place},
            {"t": "reasons", "number": 3},
            {"t": "sit", "seat": "blue"},
            {"t": "undo"},
            {"t": "takeback", "to": 0},
            {"t": "standing", "habit": "pass", "topic": "react", "answer": "pass"},
            {"t": "hello", "key": self.key, "seat": "red", "events": -5, "rewinds": 99},
        ]

    # At the end.

    def done(self) -> str:
        """The server is whole; in a sentence how it went."""
        assert not self.problems, "\n".join(self.problems[:20])
        assert self.served.http.get("/ready").status_code == 200
        assert self.served.whole()
        assert self.served.new()["id"]
        return f"{self.count} hostile bodies, the slowest took {self.slowest:.2f} s; answers: {dict(self.told)}"
