"""Two worlds over a server: whatever a route or a message tells of a game must read the same in both.

Every route and message that carries anything of a game has a probe here. `uncovered` names those that have none, so
that one added later cannot be forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from sandtable.server.changes import merged
from sandtable.testing.laws import LawBroken
from sandtable.testing.worlds import difference

PATIENCE = 60.0

NOTHING_OF_A_GAME = {
    ("get", "/api/rulesets"),
    ("get", "/api/rulesets/{name}/scenarios/{scenario}/picture.svg"),
    ("get", "/api/rulesets/{name}/lessons/{lesson}/picture.svg"),
    ("post", "/api/rulesets/{name}/lessons/{lesson}"),
    ("get", "/api/rules"),
    ("get", "/api/rules/{rule_id}"),
    ("post", "/api/games"),
    ("post", "/api/games/import"),
}
"""Routes that are the same whatever games are played."""

MESSAGES = ("check", "reach", "plan", "gauge", "look", "line", "preview", "reasons")
"""What may be asked for over a socket without changing the game; `answer` and the like are given in both worlds."""

OF_ONE_WORLD = re.compile(r'"updated":[0-9.]+')
"""When something was written differs from run to run."""


class World:
    """One of the two games, as one seat (or a watcher) gets to know it."""

    def __init__(self, http: httpx.Client, port: int, game: str, keys: dict[str, str]) -> None:
        self.http, self.port, self.game, self.keys = http, port, game, keys
        self.sockets: dict[str | None, ClientConnection] = {}
        self.asked = 0

    def key(self, seat: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[seat]}"} if seat is not None else {}

    def request(self, method: str, path: str, seat: str | None, **more: Any) -> tuple[int, str]:
        """What comes back, without what names this world alone."""
        address = path.replace("{game_id}", self.game)
        answer = self.http.request(method, address, headers=self.key(seat), timeout=PATIENCE, **more)
        return answer.status_code, OF_ONE_WORLD.sub('"updated":0', answer.text.replace(self.game, "GAME"))

    def socket(self, seat: str | None) -> ClientConnection:
        if seat not in self.sockets:
            opened = connect(f"ws://127.0.0.1:{self.port}/api/games/{self.game}/live", max_size=None)
            self.sockets[seat] = opened.__enter__()
            hello = {"t": "hello", "key": self.keys[seat] if seat else None, "seat": seat, "events": 0}
            self.sockets[seat].send(json.dumps(hello))
        return self.sockets[seat]

    def message(self, seat: str | None, **request: Any) -> dict[str, Any]:
        """Send a request over the seat's socket and wait for its reply."""
        self.asked += 1
        socket = self.socket(seat)
        socket.send(json.dumps({"id": self.asked, **request}))
        while True:
            heard: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
            if heard.get("id") == self.asked:
                del heard["id"]
                return heard

    def state(self, seat: str | None) -> dict[str, Any]:
        """The state as it is sent to whoever comes anew."""
        with connect(f"ws://127.0.0.1:{self.port}/api/games/{self.game}/live", max_size=None) as fresh:
            fresh.send(json.dumps({"t": "hello", "key": self.keys[seat] if seat else None, "seat": seat, "events": 0}))
            found: dict[str, Any] = {}
            while found.get("t") != "state":
                found = json.loads(fresh.recv(timeout=PATIENCE))
            # Who is here changes from one state to the next.
            return {name: value for name, value in merged({}, found).items() if name != "present"}

    def close(self) -> None:
        for socket in self.sockets.values():
            # States that nobody read wait there: a polite end would wait for them.
            socket.socket.close()


Reply = tuple[int, str]
Probe = Callable[[World, str | None, Random, int], list[Reply]]


def fetches(path: str, seated: bool = False, moments: bool = False) -> Probe:
    """A probe that gets a route; `seated`: it takes the seat that asks, `moments`: some moment of the past as well."""

    def probe(world: World, seat: str | None, random: Random, number: int) -> list[Reply]:
        params = {"seat": seat} if seated and seat is not None else {}
        numbers = sorted({number, random.randint(0, number)}) if moments else [number]
        return [world.request("get", path.replace("{number}", str(each)), seat, params=params) for each in numbers]

    return probe


def posts(path: str, *bodies: Callable[[str, int], dict[str, Any]]) -> Probe:
    """A probe that posts what must be refused, or changes nothing: what is said of it must tell nothing either."""

    def probe(world: World, seat: str | None, _: Random, number: int) -> list[Reply]:
        whose = seat or "red"
        return [world.request("post", path, seat, json=body(whose, number)) for body in bodies]

    return probe


GAME = "/api/games/{game_id}"

PROBES: dict[tuple[str, str], Probe] = {
    ("get", "/api/games"): lambda world, seat, *_: [listed(world, seat)],
    ("get", GAME): fetches(GAME),
    ("get", f"{GAME}/picture.svg"): fetches(f"{GAME}/picture.svg"),
    ("get", f"{GAME}/game"): fetches(f"{GAME}/game"),
    ("get", f"{GAME}/beats"): fetches(f"{GAME}/beats", seated=True),
    ("get", f"{GAME}/moments/{{number}}"): fetches(f"{GAME}/moments/{{number}}", seated=True, moments=True),
    ("get", f"{GAME}/moments/{{number}}/situation.toml"): fetches(
        f"{GAME}/moments/{{number}}/situation.toml", seated=True, moments=True
    ),
    ("get", f"{GAME}/account"): fetches(f"{GAME}/account"),
    ("post", f"{GAME}/join"): posts(f"{GAME}/join", lambda seat, number: {"name": "Ann"}),
    ("post", f"{GAME}/answers"): posts(
        f"{GAME}/answers", lambda seat, number: {"seat": seat, "number": number, "answer": "no such answer"}
    ),
    ("post", f"{GAME}/undo"): posts(f"{GAME}/undo", lambda seat, number: {"seat": "nobody"}),
    ("post", f"{GAME}/redo"): posts(f"{GAME}/redo", lambda seat, number: {"seat": seat}),
    ("post", f"{GAME}/takeback"): posts(f"{GAME}/takeback", lambda seat, number: {"seat": seat, "to": number + 5}),
    ("post", f"{GAME}/standing"): posts(
        f"{GAME}/standing",
        lambda seat, number: {"seat": seat, "habit": "no such habit"},
        lambda seat, number: {"seat": seat, "drop": 99},
    ),
    ("post", f"{GAME}/resign"): posts(f"{GAME}/resign", lambda seat, number: {"seat": "nobody"}),
    ("post", f"{GAME}/keys"): posts(f"{GAME}/keys", lambda seat, number: {"seat": "nobody"}),
    ("post", f"{GAME}/seats"): posts(f"{GAME}/seats", lambda seat, number: {"seat": seat, "holder": "me"}),
}
"""What each route tells, by method and path."""


def listed(world: World, seat: str | None) -> Reply:
    """The card of this game in the list of all games."""
    status, text = world.request("get", "/api/games", seat)
    return status, json.dumps([card for card in json.loads(text) if card["id"] == "GAME"])


def uncovered(openapi: dict[str, Any], messages: set[str]) -> list[str]:
    """Routes and messages that have no probe."""
    routes = {(method, path) for path, methods in openapi["paths"].items() for method in methods}
    missing = [f"{method} {path}" for method, path in sorted(routes - NOTHING_OF_A_GAME - PROBES.keys())]
    return missing + sorted(messages - set(MESSAGES))


def requests_for(world: World, seat: str | None, random: Random) -> Iterator[dict[str, Any]]:
    """Messages that ask about the game in all ways, made from what this seat sees."""
    state = world.state(seat)
    number, asked = state["number"], state["asked"] or {}
    yield {"t": "reasons"}
    answers = asked.get("candidates", [])[:2]
    for answer in answers:
        yield {"t": "check", "number": number, "answer": answer}
    if answers:
        yield {"t": "preview", "number": number, "answer": answers[0]}
    pieces = [piece["id"] for piece in state["scene"]["pieces"]]
    movable = [piece["id"] for piece in asked.get("pieces", [])]
    place = [round(random.uniform(2, 40), 2), round(random.uniform(2, 40), 2)]
    for piece in random.sample(pieces, min(3, len(pieces))):
        yield {"t": "look", "piece": piece}
        yield {"t": "look", "piece": piece, "at": place, "facing": 90}
        yield {"t": "line", "piece": piece, "to": place}
        yield {"t": "gauge", "piece": piece, "step": {"to": place}}
    for piece in movable[:2]:
        yield {"t": "reach", "number": number, "piece": piece}
    if movable:
        yield {"t": "plan", "number": number, "pieces": movable, "to": place}


def compare(first: World, second: World, seats: tuple[str | None, ...], number: int, seed: int) -> int:
    """Probe both worlds in every way; raises if a reply tells them apart. Returns how many were compared."""
    compared = 0
    for seat in seats:
        who = seat or "a watcher"
        for (method, path), probe in PROBES.items():
            here, there = (probe(world, seat, Random(seed), number) for world in (first, second))
            compared += len(here)
            for a, b in zip(here, there, strict=True):
                if a != b:
                    raise LawBroken(f"after {number} answers {method} {path} tells {who}: {told_apart(a, b)}")
        a_state, b_state = first.state(seat), second.state(seat)
        if a_state != b_state:
            raise LawBroken(f"after {number} answers {who} is told by a state: {difference(a_state, b_state, 'state')}")
        for request in requests_for(first, seat, Random(seed)):
            a_reply, b_reply = first.message(seat, **request), second.message(seat, **request)
            compared += 1
            if a_reply != b_reply:
                where = difference(a_reply, b_reply, "reply")
                raise LawBroken(f"after {number} answers {who} is told by {request['t']}: {where}")
    return compared


def told_apart(a: Reply, b: Reply) -> str:
    """Where two answers differ first."""
    if a[0] != b[0]:
        return f"status {a[0]} here, {b[0]} there: {a[1][:200]} / {b[1][:200]}"
    at = next((n for n, (x, y) in enumerate(zip(a[1], b[1], strict=False)) if x != y), min(len(a[1]), len(b[1])))
    return f"…{a[1][max(0, at - 80) : at + 80]}… here, …{b[1][max(0, at - 80) : at + 80]}… there"
