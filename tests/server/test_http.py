"""Lists, pictures, the reference, keys, limits, headers and the page itself."""

from __future__ import annotations

import gzip
import re
import socket
import subprocess
import sys
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sandtable.engine.ledger import Ledger, offered
from sandtable.server.limits import Bucket, Limits
from tests.server.table import Served, serving


def test_what_can_be_played(served: Served) -> None:
    cards = {card["name"]: card for card in served.http.get("/api/rulesets").json()}
    hof = cards["hof"]
    assert hof["seats"] == ["red", "blue"]
    assert {"name", "title", "about", "width", "depth", "forces", "rounds", "units"} == set(hof["scenarios"][0])
    # A battle is fought with forces, unless its file lists who fights in it.
    bare = {(name, each["name"]) for name, card in cards.items() for each in card["scenarios"] if not each["forces"]}
    assert bare == {("sof", "clash"), ("sof", "encounter")}
    assert {force["name"] for force in hof["forces"]}
    assert set(hof["presets"]["club"]) < set(hof["presets"]["all"])
    assert "greedy" in hof["bots"]
    picture = served.http.get("/api/rulesets/tr14/scenarios/crossroads/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
    assert served.http.get("/api/rulesets/tr14/scenarios/nowhere/picture.svg").status_code == 404
    assert served.http.get("/api/rulesets/go/scenarios/patrol/picture.svg").status_code == 404


def told_routes() -> set[tuple[str, str]]:
    """The routes in the table of docs/server.md; a second one in a row may give its end alone (`· `/redo``)."""
    page = Path(__file__).parents[2] / "docs" / "server.md"
    told = set()
    for row in re.findall(r"^\| (`(?:GET|POST) .*?) \| ", page.read_text(), re.MULTILINE):
        method, path = "", ""
        for each in re.findall(r"`([^`]+)`", row):
            *before, words = each.split()
            method = before[0] if before else method
            end = words.split("?")[0]
            path = end if end.startswith("/api/") else path.rsplit("/", 1)[0] + end
            told.add((method, path))
    return told


def test_every_route_is_told_and_no_other(served: Served) -> None:
    paths = served.http.get("/api/openapi.json").json()["paths"]
    there = {
        (method.upper(), path.replace("{game_id}", "{id}").replace("{rule_id}", "{id}"))
        for path, methods in paths.items()
        for method in methods
    }
    assert there == told_routes()


def test_forces_and_optional_rules_of_ones_choice(served: Served) -> None:
    cards = {card["name"]: card for card in served.http.get("/api/rulesets").json()}
    force = next(f["name"] for f in cards["hof"]["forces"] if f["name"] not in cards["hof"]["scenarios"][0]["forces"])
    made = served.new("hof", "ridge", forces={"red": force}, options="club", seats={"red": "me", "blue": "me"})
    one = served.sit(made["id"], made["keys"]["red"])
    assert {switch["id"] for switch in one.static["switches"]} == set(cards["hof"]["presets"]["club"])
    made = served.new("tr14", "patrol", forces={"blue": cards["tr14"]["forces"][0]["name"]})
    assert served.get(made["id"]).json()["state"] == "running"
    made = served.new("hof", "random:7", seats={"red": "me", "blue": "me"})
    assert made["id"]


def test_the_reference(served: Served) -> None:
    rule = served.http.get("/api/rules/tr14.firing.mod-concealed").json()
    assert rule["chapter"] == "firing"
    assert served.http.get("/api/rules/tr14.no.such").status_code == 404
    assert served.http.get("/api/rules/nothing").status_code == 404
    found = served.http.get("/api/rules", params={"ruleset": "tr14", "find": "concealed", "limit": 5}).json()
    assert 0 < len(found["rules"]) <= 5
    assert served.http.get("/api/rules", params={"limit": 0}).status_code == 400
    assert served.http.get("/api/rules", params={"ruleset": "go"}).status_code == 404


def test_all_rules_are_listed_part_by_part(served: Served) -> None:
    known = {rule for name in offered() for rule in Ledger.load(name).rules}
    read: list[dict[str, str]] = []
    while len(read) < len(known):
        found = served.http.get("/api/rules", params={"after": len(read), "limit": 100}).json()
        assert found["total"] == len(known) == sum(chapter["rules"] for chapter in found["chapters"])
        assert found["rules"]
        read += found["rules"]
    assert {rule["id"] for rule in read} == known
    # Each chapter stands in one piece,
    pieces = [key for key, _ in groupby(read, lambda rule: (rule["id"].split(".")[0], rule["chapter"]))]
    assert pieces == [(each["ruleset"], each["chapter"]) for each in found["chapters"]]
    # and can be had alone, also with a word.
    firing = {"ruleset": "tr14", "chapter": "firing", "limit": 1000}
    alone = served.http.get("/api/rules", params=firing).json()
    assert {rule["id"] for rule in alone["rules"]} == {name for name in known if name.startswith("tr14.firing.")}
    word = served.http.get("/api/rules", params={**firing, "find": "concealed"}).json()
    assert 0 < word["total"] == len(word["rules"]) < alone["total"]
    assert len(word["chapters"]) > 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"ruleset": "go"},
        {"scenario": "../../etc/passwd"},
        {"scenario": "/tmp/x.toml"},
        {"forces": {"red": "../x.toml"}},
        {"forces": {"green": "x"}},
        {"options": ["magic"]},
        {"options": "most"},
        {"seats": {"red": "me"}},
        {"seats": {"red": "me", "blue": "bot:deep"}},
        {"seats": {"red": "me", "blue": "me", "green": "me"}},
        {"seats": {"red": "me", "blue": "program:rm"}},
        {"dice": "loaded"},
        {"surprise": 1},
        {"title": "x" * 1000},
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(served: Served, wrong: dict[str, object]) -> None:
    body = {"ruleset": "hof", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}, **wrong}
    answer = served.http.post("/api/games", json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["message"]


def test_keys(served: Served) -> None:
    made = served.new("tr14", "patrol")
    game, keys = made["id"], made["keys"]
    assert len(keys["red"]) >= 32
    assert served.get(game).json()["seats"] == {"red": "person", "blue": "open"}
    assert served.post(f"{game}/join", "x" * 32, name="Eve").status_code == 403
    assert served.post(f"{game}/join", keys["blue"], name="  Ann  B ").json() == {"seats": ["blue"]}
    assert served.get(game).json()["seats"] == {"red": "person", "blue": "person"}
    for path, body in (("answers", {"number": 0, "answer": 1}), ("undo", {}), ("resign", {}), ("redo", {})):
        assert served.post(f"{game}/{path}", keys["blue"], seat="red", **body).status_code == 403
        assert served.post(f"{game}/{path}", None, seat="red", **body).status_code == 403
    assert served.post(f"{game}/undo", keys["red"], seat="green").status_code == 400
    assert served.post(f"{game}/undo", keys["red"], seat="red").status_code == 409
    assert served.post("nothing/undo", keys["red"], seat="red").status_code == 404
    # The key is nowhere on disk.
    with served.hall.storage.engine.connect() as connection:
        stored = str(served.hall.storage.game(game)) + str(connection)
    assert keys["red"] not in stored


def test_sockets_close_with_a_reason(served: Served) -> None:
    made = served.new("tr14", "patrol")
    for game, key, seat, code in (
        (made["id"], "wrong", None, 4403),
        (made["id"], made["keys"]["red"], "blue", 4403),
        ("nothing", None, None, 4404),
    ):
        with pytest.raises(ConnectionClosed) as closed:
            served.sit(game, key, seat)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
    watcher = served.sit(made["id"])
    watcher.send(t="check", id="x" * 70_000)
    assert watcher.closed_with() == 4413


def test_an_answer_over_http(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
    one = served.sit(made["id"], made["keys"]["red"])
    assert one.question is not None
    answer = one.question["candidates"][0]
    wrong = served.post(f"{made['id']}/answers", made["keys"]["red"], seat="red", number=0, answer=17)
    assert wrong.status_code == 400
    taken = served.post(f"{made['id']}/answers", made["keys"]["red"], seat="red", number=0, answer=answer)
    assert taken.json() == {"number": 1}
    again = served.post(f"{made['id']}/answers", made["keys"]["red"], seat="red", number=0, answer=answer)
    assert again.json() == {"number": 1}
    one.reach(1)
    assert any(card["id"] == made["id"] for card in served.http.get("/api/games?state=running").json())
    assert served.http.get("/api/games?state=odd").status_code == 400
    assert served.get(f"{made['id']}/picture.svg").text.startswith("<svg")


def test_every_answer_has_its_headers(served: Served) -> None:
    for path in ("/api/rulesets", "/api/games/nothing", "/", "/no/such.js", "/api/nothing"):
        headers = served.http.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_limits(tmp_path: Path) -> None:
    limits = Limits(
        body=2000, requests=(1.0, 30.0), new_games=(0.1, 2.0), messages=(0.5, 6.0), hello_seconds=3.0, games_kept=2
    )
    with serving(tmp_path / "games.sqlite", limits) as served:
        seats = {"red": "me", "blue": "me"}
        large = {"ruleset": "tr14", "scenario": "patrol", "seats": seats, "options": ["x" * 70] * 100}
        assert served.http.post("/api/games", json=large).status_code == 413
        made = served.new(seats=seats)
        # A socket that says nothing, or too much, is closed.
        address = f"ws://127.0.0.1:{served.port}/api/games/{made['id']}/live"
        with connect(address) as silent, pytest.raises(ConnectionClosed, match="4408"):
            silent.recv(timeout=60)
        loud = served.sit(made["id"])
        # It may be closed before all is said.
        with suppress(ConnectionClosed):
            for _ in range(10):
                loud.send(t="dance")
        assert loud.closed_with() == 4429
        served.new(seats=seats)
        # No more new games for now; and those that are kept go on.
        often = served.http.post("/api/games", json={"ruleset": "tr14", "scenario": "patrol", "seats": seats})
        assert often.status_code == 429
        assert {served.http.get("/api/rulesets").status_code for _ in range(40)} == {200, 429}


def test_no_more_games_than_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(games_running=2, games_kept=1)) as served:
        first, second = served.new(), served.new()
        full = served.http.post(
            "/api/games", json={"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "me"}}
        )
        assert full.status_code == 429
        # One that is over makes room for another,
        served.post(f"{first['id']}/resign", first["keys"]["red"], seat="red")
        served.new()
        assert served.get(first["id"]).status_code == 404
        # and of those that are over the oldest go.
        served.post(f"{second['id']}/resign", second["keys"]["red"], seat="red")
        assert served.get(second["id"]).json()["state"] == "finished"


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("sandtable.server.limits.time.monotonic", lambda: now[0])
    bucket = Bucket(2.0, 3.0)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page"
    with serving(tmp_path / "games.sqlite", page=page) as served:
        missing = served.http.get("/")
        assert missing.status_code == 503
        assert "make web" in missing.text
        (page / "assets").mkdir(parents=True)
        (page / "index.html").write_text("<!doctype html><title>Sandtable</title>" + " " * 500)
        (page / "assets" / "app-1a2b.js").write_text("1;" * 1000)
        (tmp_path / "secret.txt").write_text("no")
        front = served.http.get("/")
        assert front.headers["cache-control"] == "no-cache"
        assert front.headers["content-encoding"] == "gzip"
        assert served.http.get("/game/abc").text == front.text
        script = served.http.get("/assets/app-1a2b.js")
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        same = served.http.get("/assets/app-1a2b.js", headers={"If-None-Match": script.headers["etag"]})
        assert same.status_code == 304
        with served.http.stream("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"}) as raw:
            assert len(gzip.decompress(b"".join(raw.iter_raw()))) == 2000
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/none.js", "/api/none", "/..%2fsecret.txt"):
            assert served.http.get(path).status_code in (400, 404), path


def test_an_address_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        command = [sys.executable, "-m", "sandtable", "serve", "--port", port, "--database", str(tmp_path / "g.sqlite")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "cannot be listened on" in done.stderr
    assert "Traceback" not in done.stderr
    assert "plays at" not in done.stderr
