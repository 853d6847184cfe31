"""Several servers share a database: each game lives on one of them, and outlives it."""

from __future__ import annotations

import contextlib
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from sandtable.server.handing import HANDED, believing
from sandtable.server.neighbours import DEAD, SILENT, SUSPECT, Elsewhere, Neighbours, refuses
from sandtable.server.serving import Options, inside_of
from sandtable.server.storage import GAMES, SERVERS, Change, Storage, StorageError, Taken, fingerprint_of
from sandtable.testing.traffic import ended, free_port, started
from tests.server import loops
from tests.server.table import Person, chosen, play
from tests.server.test_storage import entries, game_values

TAKEN_OVER = 10.0
"""Seconds within which a game goes on after its server has died."""

BODY = {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}}
BOTS = {**BODY, "seats": {"red": "bot:random", "blue": "bot:random"}}


class Server:
    """One of several, in a process of its own."""

    def __init__(self, database: str, folder: Path) -> None:
        self.port = free_port()
        self.process = started(self.port, database, "--workers", "1", log=folder / f"{self.port}.log")
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    def new(self, body: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = self.http.post("/api/games", json=body).raise_for_status().json()
        return made

    def handed_on(self) -> int:
        lines = self.http.get("/metrics").text.splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("sandtable_handed_on_total ")))


@pytest.fixture
def pair(shared: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two servers with one database."""
    Storage(shared).close()
    with ThreadPoolExecutor(2) as both:
        one, two = both.map(lambda _: Server(shared, tmp_path), range(2))
    try:
        yield one, two
    finally:
        for server in (one, two):
            server.process.send_signal(signal.SIGCONT)
            ended(server.process, kill=True)
            server.http.close()


def owners(database: str) -> dict[str, tuple[str, str]]:
    """Of every game its state and the address of its server."""
    storage = Storage(database)
    wanted = sa.select(GAMES.c.id, GAMES.c.state, SERVERS.c.address)
    wanted = wanted.select_from(GAMES.outerjoin(SERVERS, GAMES.c.owner == SERVERS.c.id))
    with storage.engine.connect() as connection:
        found = {row.id: (row.state, row.address or "") for row in connection.execute(wanted)}
    storage.close()
    return found


def sent(database: str, game: str) -> list[str]:
    storage = Storage(database)
    found = [stored.sent for stored in storage.entries(game)]
    storage.close()
    return found


def seated(server: Server, made: dict[str, Any], seat: str) -> Person:
    return Person(server.port, made["id"], made["keys"][seat], seat)


def test_a_game_is_played_through_either_server(pair: tuple[Server, Server], shared: str) -> None:
    one, two = pair
    made = one.new(BODY)
    game, key = made["id"], made["keys"]["red"]
    assert owners(shared)[game] == ("running", f"http://127.0.0.1:{one.port}")
    # Over sockets: each at another server, and both see every answer.
    people = [seated(one, made, "red"), seated(two, made, "blue")]
    play(people, Random(3), 20)
    assert people[0].state["number"] == people[1].state["number"] >= 20
    assert all(people[1].state["present"].values())
    # Over HTTP: whatever one says, the other says.
    headers = {"Authorization": f"Bearer {key}"}
    for path in ("beats?seat=red", "moments/5?seat=red", "moments/5/situation.toml", "picture.svg", "beats?seat=green"):
        told = [server.http.get(f"/api/games/{game}/{path}", headers=headers) for server in pair]
        assert told[0].status_code == told[1].status_code
        assert told[0].content == told[1].content
        assert told[0].headers["content-type"] == told[1].headers["content-type"]
        assert told[1].headers.get_list("x-frame-options") == ["DENY"]
    before = two.handed_on()
    asked = next(person for person in people if person.question is not None)
    assert asked.question is not None
    body = {"seat": asked.seat, "number": asked.state["number"], "answer": chosen(asked.question, Random(1))}
    path, headers = f"/api/games/{game}/answers", {"Authorization": f"Bearer {asked.key}"}
    done = two.http.post(path, json=body, headers=headers)
    assert done.status_code == 200
    for person in people:
        person.reach(done.json()["number"])
    # A refusal comes back as it was said, on both ways.
    assert two.http.post(path, json=body | {"number": 9999}, headers=headers).status_code == 409
    assert two.http.post(path, json=body, headers={"Authorization": "Bearer no"}).status_code == 403
    assert two.handed_on() == before + 3
    assert two.http.get("/api/games/nowhere/beats").status_code == 404
    with pytest.raises(ConnectionClosed) as closed:
        Person(two.port, game, "no", "red")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
    # One that ends in order gives its games up; whoever was there comes back to the other one at once.
    one.process.send_signal(signal.SIGTERM)
    assert one.process.wait(15) in (0, -signal.SIGTERM)
    assert owners(shared)[game] == ("running", "")
    began, people[0].port = time.monotonic(), two.port
    for person in people:
        person.connect()
    assert time.monotonic() - began < DEAD
    play(people, Random(4), 5)
    assert owners(shared)[game] == ("running", f"http://127.0.0.1:{two.port}")


def test_another_server_takes_the_games_of_a_dead_one_over(pair: tuple[Server, Server], shared: str) -> None:
    one, two = pair
    made = one.new(BODY)
    people = [seated(server, made, seat) for server, seat in ((one, "red"), (two, "blue"))]
    play(people, Random(5), 25)
    confirmed, logs = people[0].state["number"], [list(person.log) for person in people]
    bots = [one.new(BOTS)["id"] for _ in range(6)]
    one.process.kill()
    one.process.wait()
    began, people[0].port = time.monotonic(), two.port
    assert people[1].closed_with() == 1012
    for person, log in zip(people, logs, strict=True):
        person.connect()
        assert person.state["number"] == confirmed
        assert person.log == log
        assert "from" not in person.state
    play(people, Random(6), 1)
    # Its machine says that nobody is there: nobody waits until its time has run out.
    assert time.monotonic() - began < DEAD
    # Games of bots alone go on, too, though nobody asks for them.
    here = f"http://127.0.0.1:{two.port}"
    while any(found not in (("running", here), ("finished", here)) for found in left(shared, bots, one)):
        assert time.monotonic() - began < TAKEN_OVER
        time.sleep(0.2)
    ends = time.monotonic() + 60
    while any(owners(shared)[game][0] != "finished" for game in bots):
        assert time.monotonic() < ends
        time.sleep(0.5)
    play(people, Random(7), 5)


def left(database: str, games: list[str], dead: Server) -> list[tuple[str, str]]:
    """Those that were not over before their server died."""
    # It may be struck from the list already: then its finished games lie nowhere.
    gone = [("finished", address) for address in (f"http://127.0.0.1:{dead.port}", "")]
    found = owners(database)
    return [found[game] for game in games if found[game] not in gone]


def test_a_server_that_wakes_up_late_writes_nothing(pair: tuple[Server, Server], shared: str) -> None:
    one, two = pair
    made = one.new(BODY)
    people = [seated(one, made, seat) for seat in ("red", "blue")]
    play(people, Random(8), 10)
    one.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    # Somebody answers a server that does not hear him; it will, when it wakes up.
    late = next(person for person in people if person.question is not None)
    assert late.question is not None
    number, given = late.state["number"], late.question["candidates"]
    late.send(t="answer", id="late", number=number, answer=given[0])
    others = [seated(two, made, seat) for seat in ("red", "blue")]
    assert time.monotonic() - began < TAKEN_OVER
    assert others[0].state["number"] == number
    quick = next(person for person in others if person.question is not None)
    assert quick.answer(given[-1])["t"] == "reply"
    play(others, Random(9), 9)
    time.sleep(max(0.0, began + TAKEN_OVER - time.monotonic()))
    one.process.send_signal(signal.SIGCONT)
    # It was never confirmed, and the page is told to come back.
    assert late.closed_with() == 1012
    play(others, Random(10), 10)
    assert sent(shared, made["id"])[number] == fingerprint_of(given[-1])
    assert len(sent(shared, made["id"])) == others[0].state["number"]
    # Then it is a server like any other.
    late.connect()
    assert late.state["number"] == others[0].state["number"]
    play([late, next(other for other in others if other.seat != late.seat)], Random(11), 5)


# The lease itself, without a server around it.


@pytest.fixture
def storage(shared: str) -> Iterator[Storage]:
    found = Storage(shared)
    found.write(Change("g", game_values(), create=True)).result(5)
    yield found
    found.close()


def neighbour(storage: Storage, address: str) -> Neighbours:
    """One whose signs of life are given by hand."""
    found = Neighbours(storage, address)
    found.beat()
    return found


def silence(storage: Storage, server: Neighbours, seconds: float) -> None:
    """Let so much time pass since a server was last heard of, by the clock of the database."""
    with storage.engine.begin() as connection:
        past = SERVERS.update().where(SERVERS.c.id == server.id).values(beat=SERVERS.c.beat - seconds)
        connection.execute(past)


def test_only_from_the_dead_is_a_game_taken(storage: Storage) -> None:
    one, two = neighbour(storage, "http://one:1"), neighbour(storage, "http://two:2")
    one.claim("g", one.id)
    one.claim("g", one.id)
    silence(storage, one, DEAD - 1.0)
    with pytest.raises(Elsewhere) as elsewhere:
        two.claim("g", two.id)
    assert elsewhere.value.server is not None
    assert elsewhere.value.server.address == "http://one:1"
    assert two.orphans() == []
    silence(storage, one, 1.0)
    with storage.engine.begin() as connection:
        connection.execute(GAMES.update().values(state="running"))
    assert [name for name, _ in two.orphans()] == ["g"]
    two.claim("g", two.id)
    # The fence: whoever had it writes nothing more, not even if the database hears of him again.
    change = Change("g", {"turn": 7}, entries=entries("a"), owner=one.id)
    with pytest.raises(Taken):
        storage.write(change).result(5)
    before = one.id
    one.beat()
    assert one.id != before
    with pytest.raises(Taken):
        storage.write(change).result(5)
    assert storage.entries("g") == []
    change.owner = two.id
    storage.write(change).result(5)
    assert len(storage.entries("g")) == 1
    for server in (one, two):
        server.engine.dispose()


def test_a_silent_server_that_refuses_connections_is_not_waited_for(storage: Storage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        there = f"http://127.0.0.1:{door.getsockname()[1]}"
        one, two = neighbour(storage, there), neighbour(storage, "http://two:2")
        one.claim("g", one.id)
        # As long as somebody listens there it may only be slow,
        silence(storage, one, SUSPECT)
        assert not refuses(there)
        two.beat()
        assert [suspect.id for suspect in two.suspects] == [one.id]
        two.strike()
        with pytest.raises(Elsewhere):
            two.claim("g", two.id)
    # and as long as it is heard of it lives, wherever it listens.
    assert refuses(there)
    two.beat()
    one.beat()
    two.strike()
    with pytest.raises(Elsewhere):
        two.claim("g", two.id)
    silence(storage, one, SUSPECT)
    two.beat()
    assert one.id in two.living
    two.strike()
    assert one.id not in two.living
    two.claim("g", two.id)
    # If it lived after all, it is another one from now on.
    before = one.id
    one.beat()
    assert one.id != before
    with pytest.raises(Elsewhere):
        one.claim("g", one.id)
    for server in (one, two):
        server.engine.dispose()


def test_one_that_stands_still_while_it_writes_holds_nobody_up(storage: Storage) -> None:
    one, two = neighbour(storage, "http://one:1"), neighbour(storage, "http://two:2")
    one.claim("g", one.id)
    silence(storage, one, DEAD)
    before = storage.game("g")
    with storage.engine.connect() as stopped:
        stopped.execute(GAMES.update().where(GAMES.c.owner == one.id).values(turn=7))
        began = time.monotonic()
        while storage.game("g") == before:
            # Whoever wants it is not held up meanwhile.
            with contextlib.suppress(Elsewhere):
                two.claim("g", two.id)
            assert time.monotonic() - began < DEAD
            time.sleep(0.1)
        with pytest.raises(sa.exc.DBAPIError):
            stopped.commit()
    row = storage.game("g")
    assert row is not None
    assert (row["owner"], row["turn"]) == (two.id, 0)
    for server in (one, two):
        server.engine.dispose()


def test_a_server_that_has_just_come_is_not_taken_for_dead(storage: Storage) -> None:
    one = neighbour(storage, "http://one:1")
    looked = time.monotonic()
    two = neighbour(storage, "http://two:2")
    newcomer = two.living[two.id]
    assert not one.died(newcomer, looked)
    one.beat()
    assert not one.died(newcomer, looked)
    silence(storage, two, DEAD)
    one.beat()
    assert one.died(newcomer, looked)
    for server in (one, two):
        server.engine.dispose()


def test_one_that_could_not_be_heard_comes_back_under_another_name(storage: Storage) -> None:
    one = neighbour(storage, "http://one:1")
    before = one.id
    one.beat()
    assert (one.id, one.held()) == (before, True)
    one.last -= SILENT
    assert not one.held()
    one.beat()
    assert one.held()
    assert one.id != before
    assert list(one.living) == [one.id]
    one.engine.dispose()


def test_the_next_server_at_an_address_replaces_the_last(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    one = neighbour(storage, "http://one:1")
    one.claim("g", one.id)
    again = Neighbours(storage, "http://one:1")
    again.join()
    again.claim("g", again.id)
    again.leave()
    row = storage.game("g")
    assert row is not None
    assert row["owner"] == ""
    # On another machine it may live, and then the address is wrong.
    one.beat()
    other = Neighbours(storage, "http://one:1")
    monkeypatch.setattr("sandtable.server.neighbours.socket.gethostname", lambda: "another")
    monkeypatch.setattr("sandtable.server.neighbours.BEAT", 0.1)
    monkeypatch.setattr("sandtable.server.neighbours.DEAD", 0.2)
    with pytest.raises(StorageError, match="--inside"):
        other.join()
    for server in (one, other):
        server.engine.dispose()


def test_who_asks_is_believed_from_servers_alone(storage: Storage) -> None:
    one = neighbour(storage, "http://one:1")

    def asked(word: str) -> tuple[str, bool]:
        scope: dict[str, Any] = {"type": "http", "client": ("192.0.2.1", 5)}
        scope["headers"] = [(b"sandtable-word", word.encode()), (b"sandtable-client", b"203.0.113.9")]

        async def app(*_: Any) -> None:
            pass

        loops.run(believing(one)(app)(scope, None, None))  # type: ignore[arg-type]
        return scope["client"][0], HANDED in scope

    assert asked("") == asked("guessed") == asked("ü") == ("192.0.2.1", False)
    assert asked(one.living[one.id].word) == ("203.0.113.9", True)
    one.engine.dispose()


def test_an_inside_address_that_is_none_is_refused_in_a_sentence() -> None:
    for wrong in ("10.0.0.5:8000", "ftp://10.0.0.5", "http://10.0.0.5/games", "http://"):
        with pytest.raises(StorageError, match=r"--inside http://10\.0\.0\.5:8000"):
            inside_of(Options(inside=wrong))
    assert inside_of(Options(inside="http://10.0.0.5:8000/")) == "http://10.0.0.5:8000"
    assert inside_of(Options("::1", 81)) == "http://[::1]:81"
    # Where everybody may come in is nowhere to go to.
    assert inside_of(Options("0.0.0.0", 81)) == f"http://{socket.gethostname()}:81"
