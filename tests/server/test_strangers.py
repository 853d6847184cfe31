"""What strangers send: too much, too odd, too deep. It is refused with a reason, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server import catalogue, patience
from sandtable.server.chores import Chores
from sandtable.server.fair import TooBusy, Turns
from sandtable.server.limits import Limits
from sandtable.server.pictures import Pictures
from tests.server import loops
from tests.server.table import Served, serving

DEEP = "[" * 100_000 + "]" * 100_000


def a_save(change: Callable[[dict[str, Any]], None]) -> bytes:
    """A game that has just begun, with something changed in its set-up."""
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    header, setup = (json.loads(line) for line in list(record.lines(game))[:2])
    header["version"] = 1
    change(setup["setup"])
    return f"{json.dumps(header)}\n{json.dumps(setup)}\n".encode()


def squares(count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"f{n}", "kind": "wood", "points": [[n % 40, 1], [n % 40 + 0.5, 1], [n % 40, 1.5]]} for n in range(count)
    ]


def circle(points: int) -> list[dict[str, Any]]:
    return [{"id": "f", "kind": "wood", "points": [[10 + n / points, 5 + (n % 2) / 10] for n in range(points)]}]


TOO_MUCH: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "round": (lambda setup: setup.update(round=2**63), ""),
    "rounds": (lambda setup: setup.update(rounds=10**12), ""),
    "features": (lambda setup: setup.update(terrain=squares(501)), "there may be 500"),
    "points": (lambda setup: setup.update(terrain=circle(201)), "it may have 200"),
    "ground": (
        lambda setup: setup.update(
            terrain=[
                {"id": f"w{n}", "kind": "wood", "points": [[0, 0], [40, 0], [40, 40], [0, 40]]} for n in range(100)
            ]
        ),
        "times the table",
    ),
    "table": (lambda setup: setup["table"].update(width=10_000), "it may measure 240 inches"),
    "units": (
        lambda setup: setup["units"].update({f"u{n}": next(iter(setup["units"].values())) for n in range(70)}),
        "",
    ),
    "text": (lambda setup: setup.update(title="x" * 501), "it may have 500"),
    "nul": (lambda setup: setup.update(title="Pat\0rol"), "cannot be printed"),
    "number": (lambda setup: setup["terrain"][0].update(height=1e300), ""),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_battle_that_is_too_large_is_refused_with_how_large_it_may_be(served: Served, what: str) -> None:
    change, says = TOO_MUCH[what]
    answer = served.http.post("/api/games/import", content=a_save(change))
    assert answer.status_code == 400, answer.text
    assert says in answer.json()["error"]["message"]
    # The writer has outlived it.
    assert served.new()["id"]


def test_the_largest_battle_that_may_be_is_taken(served: Served) -> None:
    answer = served.http.post("/api/games/import", content=a_save(lambda setup: setup.update(terrain=squares(500))))
    assert answer.status_code == 201, answer.text
    picture = served.get(f"{answer.json()['id']}/picture.svg")
    assert picture.status_code == 200
    assert len(picture.content) < 3_000_000


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/" + "x" * 5000,
        "/api/games/%00",
        "/api/games/a%00b/beats",
        "/api/games/%F0%9F%92%A3",
        "/api/rules/%00",
        "/api/rules?find=%00",
        "/api/rulesets/%00/scenarios/%00/picture.svg",
        "/api/rulesets/hof/scenarios/random:999999999999/picture.svg",
        "/api/games/x/moments/99999999999999999999",
        "/%00",
        "/" + "y" * 5000,
        "/" + "y" * 300 + "/" + "z" * 300,
        "/../../etc/passwd",
    ],
)
def test_odd_addresses(served: Served, path: str) -> None:
    assert served.http.get(path).status_code in (200, 400, 404, 414)


@pytest.mark.parametrize("path", ["", "/import", "/{id}/answers", "/{id}/join", "/{id}/standing", "/{id}/takeback"])
@pytest.mark.parametrize("body", [DEEP, '{"a":' * 50_000, '"\\u0000"', "\0", "[" * 9, '{"seat": "\\ud800"}', "1e999"])
def test_odd_bodies(served: Served, path: str, body: str) -> None:
    made = served.new()
    headers = {"Authorization": f"Bearer {made['keys']['red']}", "Content-Type": "application/json"}
    address = "/api/games" + path.replace("{id}", made["id"])
    assert served.http.post(address, content=body.encode(), headers=headers).status_code in (400, 413)


@pytest.mark.parametrize("body", [b'{"se\xff\xfeat": "red"}', b'{"seat": "\xed\xa0\x80"}', b"\xff"])
def test_a_body_that_is_no_text_is_refused(served: Served, body: bytes) -> None:
    made = served.new()
    headers = {"Authorization": f"Bearer {made['keys']['red']}", "Content-Type": "application/json"}
    for path in ("", f"/{made['id']}/undo", f"/{made['id']}/answers"):
        answer = served.http.post(f"/api/games{path}", content=body, headers=headers)
        assert answer.status_code == 400, answer.text


def test_an_answer_as_deep_as_can_be_is_refused(served: Served) -> None:
    made = served.new()
    body = f'{{"seat": "red", "number": 0, "answer": {DEEP}}}'
    headers = {"Authorization": f"Bearer {made['keys']['red']}", "Content-Type": "application/json"}
    answer = served.http.post(f"/api/games/{made['id']}/answers", content=body.encode(), headers=headers)
    assert answer.status_code in (400, 409)


def test_a_thumbnail_is_small_and_a_picture_is_drawn_once(served: Served) -> None:
    made = served.new("hof", "hedgerow-village")
    before = len(served.hall.pictures.kept)
    large = [served.get(f"{made['id']}/picture.svg") for _ in range(5)]
    small = [served.get(f"{made['id']}/picture.svg", size="small") for _ in range(5)]
    assert len({answer.text for answer in large}) == len({answer.text for answer in small}) == 1
    assert len(served.hall.pictures.kept) == before + 2
    assert len(small[0].content) < 12_000 < len(large[0].content)
    assert served.get(f"{made['id']}/picture.svg", size="huge").status_code == 400


def test_a_picture_that_is_drawn_twice_at_the_same_time_is_kept_once() -> None:
    table = catalogue.bare_table("tr14", "patrol")

    async def run() -> None:
        chores = Chores(eager=False)
        pictures = Pictures(chores)
        drawn = await asyncio.gather(*(pictures.of(table, address, "large") for address in ("ann", "bob", "cat")))
        assert len(set(drawn)) == 1
        assert pictures.size == len(drawn[0])
        chores.stop()

    loops.run(run())


def test_the_picture_of_a_game_that_is_not_open_does_not_open_it(served: Served) -> None:
    made = served.new("hof", "patrol")
    opened = [served.get(f"{made['id']}/picture.svg", size=size).text for size in ("large", "small")]
    served.hall.rooms.pop(made["id"])
    assert [served.get(f"{made['id']}/picture.svg", size=size).text for size in ("large", "small")] == opened
    assert made["id"] not in served.hall.rooms
    assert served.get("nowhere/picture.svg").status_code == 404


def test_addresses_take_turns() -> None:
    order: list[str] = []

    async def one(turns: Turns, address: str) -> None:
        async with turns.of(address):
            await asyncio.sleep(0)
            order.append(address)

    async def run() -> None:
        turns = Turns(1, most_waiting=5)
        await turns.take("busy")
        waiting = [asyncio.create_task(one(turns, address)) for address in ("busy",) * 5 + ("ann", "bob", "ann")]
        await asyncio.sleep(0)
        assert turns.waiting == 8
        with pytest.raises(TooBusy):
            await turns.take("busy")
        gone = asyncio.create_task(one(turns, "gone"))
        await asyncio.sleep(0)
        gone.cancel()
        turns.give_back()
        await asyncio.gather(*waiting, gone, return_exceptions=True)
        assert (turns.waiting, turns.free) == (0, 1)

    loops.run(run())
    assert order == ["busy", "ann", "bob", "busy", "ann", "busy", "busy", "busy"]


def test_one_address_has_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(sockets=3)) as served:
        made = served.new()
        people = [served.sit(made["id"]) for _ in range(3)]
        with connect(f"ws://127.0.0.1:{served.port}/api/games/{made['id']}/live") as fourth:
            with pytest.raises(ConnectionClosed):
                fourth.recv(timeout=10)
            assert fourth.close_code == 4429
        people[0].leave()
        served.sit(made["id"]).leave()
        for person in people[1:]:
            person.leave()
        # Who speaks too often over many sockets is cut off as well.
    with serving(tmp_path / "games.sqlite", Limits(all_messages=(1.0, 5.0))) as served:
        chatty = [served.sit(made["id"]) for _ in range(3)]
        for person in chatty:
            person.send(t="look", id=1, piece="x")
        assert chatty[-1].closed_with() == 4429


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST /api/games HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"])
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(
    served: Served, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as half:
        half.sendall(sent)
        while half.recv(1000):
            pass
    assert served.http.get("/api/rulesets").status_code == 200
