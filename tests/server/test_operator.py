"""For whoever runs the server: its health and figures, its log, who may come in, and one server for one file."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from sandtable.server.limits import Limits
from sandtable.testing.traffic import ended, free_port, started, wait_for
from tests.server.table import Served, serving


def test_a_server_that_works_says_so(served: Served) -> None:
    assert served.http.get("/health").json() == {"alive": True}
    ready = served.http.get("/ready")
    assert ready.status_code == 200
    assert ready.json() == {"writer": True, "database": True, "workers": True, "lease": True}


def test_a_part_that_does_not_work_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path / "games.sqlite") as served:
        monkeypatch.setattr(served.hall.storage, "answers", lambda: False)
        ready = served.http.get("/ready")
        assert (ready.status_code, ready.json()["database"], ready.json()["writer"]) == (503, False, True)
        assert served.http.get("/health").status_code == 200


def figures(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"^(sandtable\S+) (\S+)$", text, re.MULTILINE)}


def test_figures_that_prometheus_reads(served: Served) -> None:
    made = served.new()
    one = served.sit(made["id"], made["keys"]["red"])
    assert one.question is not None
    before = figures(served.http.get("/metrics").text)
    one.answer(one.question["candidates"][0])
    assert served.get("nowhere").status_code == 404
    answer = served.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    now = figures(answer.text)
    assert now['sandtable_games{state="running"}'] >= 1
    assert now["sandtable_sockets"] == 1
    assert now["sandtable_answer_seconds_count"] == before["sandtable_answer_seconds_count"] + 1
    assert now['sandtable_answer_seconds_bucket{le="+Inf"}'] == now["sandtable_answer_seconds_count"]
    assert now['sandtable_requests_total{status="404"}'] == before.get('sandtable_requests_total{status="404"}', 0) + 1
    assert now["sandtable_failures_total"] == 0
    # Every figure says what it is.
    told = set(re.findall(r"^# HELP (\S+)", answer.text, re.MULTILINE))
    assert {re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) for name in now} == told
    one.leave()


def test_strangers_are_not_told_the_figures(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(operators=("10.0.0.1",))) as served:
        assert served.http.get("/metrics").status_code == 404


def test_the_server_answers_to_its_names_alone(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(hosts=("club.example",))) as served:
        assert served.http.get("/health", headers={"Host": "club.example:8000"}).status_code == 200
        for operator in ("127.0.0.1:8000", "[::1]:8000", "localhost:8000"):
            assert served.http.get("/ready", headers={"Host": operator}).status_code == 200
        assert served.http.get("/ready", headers={"Host": "127.0.0.1.evil.example"}).status_code == 421
        assert served.http.get("/health", headers={"Host": "evil.example"}).status_code == 421
        assert served.http.get("/api/games", headers={"Host": ""}).status_code in (400, 421)


def test_pages_of_strangers_open_no_sockets(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(origins=("https://club.example",))) as served:
        made = served.new()
        address = f"ws://127.0.0.1:{served.port}/api/games/{made['id']}/live"
        for origin in (None, f"http://127.0.0.1:{served.port}", "https://club.example"):
            with connect(address, origin=origin) as socket:  # type: ignore[arg-type]
                socket.send(json.dumps({"t": "hello"}))
                assert json.loads(socket.recv(timeout=20))["t"] == "static"
        with pytest.raises(InvalidStatus), connect(address, origin="https://evil.example"):  # type: ignore[arg-type]
            pass


def test_a_proxy_is_believed_only_if_it_is_named_and_keys_are_never_logged(tmp_path: Path) -> None:
    for options, address in (([], "127.0.0.1"), (["--trust-proxy", "127.0.0.1"], "203.0.113.9")):
        port = free_port()
        words = [sys.executable, "-m", "sandtable", "serve", "--port", str(port), "--log-requests", *options]
        words += ["--database", str(tmp_path / "games.sqlite")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                assert wait_for(port, server)
                http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
                headers = {"X-Forwarded-For": "203.0.113.9", "Authorization": "Bearer very-secret-key"}
                http.get("/api/games?state=running", headers=headers)
            finally:
                server.send_signal(signal.SIGTERM)
                said, _ = server.communicate(timeout=20)
        lines = [json.loads(line) for line in said.splitlines()]
        assert "very-secret-key" not in said
        last = lines[-1]
        assert (last["address"], last["method"], last["path"], last["status"]) == (address, "GET", "/api/games", 200)
        assert last["ms"] >= 0


def test_a_second_server_is_told_who_has_the_file(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    first, second = free_port(), free_port()
    server = started(first, database, log=tmp_path / "first.log")
    words = [sys.executable, "-m", "sandtable", "serve", "--port", str(second), "--database", database]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert f"these games are served by the server at http://127.0.0.1:{first} (process {server.pid}" in done.stderr
        assert done.stderr.count("\n") == 1
        # However the first ends, the next one may have them.
        ended(server, kill=True)
        server = started(second, database, log=tmp_path / "second.log")
    finally:
        ended(server)
