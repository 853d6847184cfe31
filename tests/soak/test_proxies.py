"""The proxies of the page on operating, for real: their own files, a certificate of our own, a page and a socket.

Part of `make soak`: nginx and Caddy are packages of the system, and where one is missing its test says so.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from sandtable.testing.traffic import ended, free_port, wait_for

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "operating"
NAME = "games.club.example"
VISITOR = "127.0.0.2"
"""Where the visitor comes from: another address than the proxy's own."""


def program(name: str) -> str:
    found = shutil.which(name, path="/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A server as the unit starts it; its port, and what it has logged of requests."""
    port, log = free_port(), tmp_path / "requests.log"
    options = ["--name", NAME, "--trust-proxy", "127.0.0.1", "--log-requests", "--workers", "1"]
    command = [sys.executable, "-m", "sandtable", "serve", "--port", str(port), *options]
    with log.open("wb") as out:
        process = subprocess.Popen([*command, "--database", str(tmp_path / "games.sqlite")], stdout=out)
    assert wait_for(port, process)
    yield port, log
    ended(process)


def nginx(folder: Path, port: int, door: int) -> list[str]:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([*request, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    ours = {
        "listen 443 ssl": f"listen {door} ssl",
        f"/etc/ssl/{NAME}.pem": str(certificate),
        f"/etc/ssl/{NAME}.key": str(key),
        "127.0.0.1:8000": f"127.0.0.1:{port}",
    }
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Its workers write to the folder of this test.
    user = f"user {getpass.getuser()};" if os.getuid() == 0 else ""
    whole = f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
    (folder / "nginx.conf").write_text(f"{whole} http {{ access_log off; {places}\n{changed('nginx.conf', ours)}\n}}")
    return [program("nginx"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, door: int) -> list[str]:
    ours = {f"{NAME} {{": f"https://{NAME}:{door} {{", "127.0.0.1:8000": f"127.0.0.1:{port}"}
    # A certificate of its own making, and nothing outside its folder.
    own = [
        "admin off",
        "local_certs",
        "skip_install_trust",
        "auto_https disable_redirects",
        f"storage file_system {folder}",
    ]
    alone = "\n".join(["{", *own, "}", ""])
    (folder / "Caddyfile").write_text(alone + changed("Caddyfile", ours))
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def changed(name: str, ours: dict[str, str]) -> str:
    """A file of the examples with the ports and places of this test in it."""
    text = (EXAMPLES / name).read_text()
    for theirs, mine in ours.items():
        assert theirs in text, f"{name} has no {theirs}"
        text = text.replace(theirs, mine)
    return text


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@pytest.mark.soak
@pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "caddy"])
def test_a_proxy_puts_tls_in_front(proxy: Any, server: tuple[int, Path], tmp_path: Path) -> None:
    port, log = server
    door = free_port()
    folder = tmp_path / "proxy"
    folder.mkdir()
    with (folder / "log").open("wb") as out:
        process = subprocess.Popen(proxy(folder, port, door), stdout=out, stderr=out)
    try:
        assert wait_for(door, process), (folder / "log").read_text()
        visit(port, door, log)
    finally:
        ended(process)


def visit(port: int, door: int, log: Path) -> None:
    site = f"{NAME}:{door}"
    # The name is in no directory: it is called by address, and named as a browser would.
    way = httpx.HTTPTransport(verify=trusting(), local_address=VISITOR)
    with httpx.Client(base_url=f"https://127.0.0.1:{door}", headers={"Host": site}, transport=way, timeout=30) as http:

        def get(path: str, **headers: str) -> httpx.Response:
            return http.get(path, headers=headers, extensions={"sni_hostname": NAME})

        def post(path: str, body: Any, **headers: str) -> httpx.Response:
            return http.post(path, json=body, headers=headers, extensions={"sni_hostname": NAME})

        assert "<script" in get("/").text
        assert get("/health").json() == {"alive": True}
        for hidden in ("/metrics", "/ready", "/metrics/", "/ready/"):
            assert get(hidden).status_code == 404, hidden
            assert get(hidden, **{"X-Forwarded-For": "127.0.0.1"}).status_code == 404, hidden
        for other in ("//metrics", "/%6detrics", "/./metrics", "/x/../metrics"):
            assert "sandtable_games" not in get(other, **{"X-Forwarded-For": "127.0.0.1"}).text, other
        # The operator asks past the proxy.
        assert httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200
        assert "sandtable_games" in httpx.get(f"http://127.0.0.1:{port}/metrics").text

        made = post(
            "/api/games", {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}}
        ).json()
        game, key = made["id"], made["keys"]["red"]
        address = f"wss://{site}/api/games/{game}/live"

        def opened(origin: str) -> ClientConnection:
            line = create_connection(("127.0.0.1", door), source_address=(VISITOR, 0))
            return connect(address, sock=line, ssl=trusting(), origin=Origin(origin), max_size=None)

        with opened(f"https://{site}") as socket:
            socket.send(json.dumps({"t": "hello", "key": key, "seat": None, "events": 0}))
            state: dict[str, Any] = {}
            while state.get("t") != "state":
                state = json.loads(socket.recv(timeout=30))
            answer = {"t": "answer", "id": 1, "number": state["number"], "answer": state["asked"]["candidates"][0]}
            socket.send(json.dumps(answer))
            heard: dict[str, Any] = {}
            while heard.get("id") != 1:
                heard = json.loads(socket.recv(timeout=30))
            assert heard["t"] == "reply"
        with pytest.raises(InvalidStatus):
            opened("https://evil.example")
        # An import may be as large as the server takes; what is larger it refuses itself, in its own words.
        large = post("/api/games/import", "x" * 5_000_000)
        assert large.status_code in (400, 422)
        assert "error" in large.json()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["address"] for line in lines if line["path"] == "/api/games"} == {VISITOR}
