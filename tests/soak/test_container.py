"""The container, without a container engine: every step of its file in a clean Debian, and a club's evening in it.

Part of `make soak`: it needs root, `debootstrap` and some minutes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sandtable.testing.traffic import free_port
from tests.server.container import Clean, children, words
from tests.server.table import Person

COMPILED = 600.0  # seconds within which a first start on a slow machine has compiled everything
ENDED = 10.0


@pytest.fixture
def clean(tmp_path: Path) -> Iterator[Clean]:
    if os.getuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("only root, with debootstrap installed, makes a clean Debian root")
    yield Clean(tmp_path / "roots")
    # Every mount was made in a namespace that ended with its process.
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    shutil.rmtree(tmp_path)


class Club:
    """The server in the clean root, and how long each thing took."""

    def __init__(self, clean: Clean, root: Path, data: Path) -> None:
        self.clean, self.root, self.data = clean, root, data
        self.port = free_port()
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30.0)
        self.process: subprocess.Popen[bytes]

    def begin(self) -> None:
        self.process = self.clean.start(self.root, self.data, "--port", str(self.port))

    def wait(self) -> float:
        began = time.monotonic()
        while time.monotonic() < began + COMPILED and self.process.poll() is None:
            try:
                if self.http.get("/ready").status_code == 200:
                    return time.monotonic() - began
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError((self.clean.folder / "server.log").read_text())

    @property
    def server(self) -> int:
        """The server's own process; the one that was started only waits for it."""
        (found,) = children(self.process.pid)
        return found

    def end(self) -> float:
        began = time.monotonic()
        os.kill(self.server, signal.SIGTERM)
        self.process.wait(timeout=60.0)
        return time.monotonic() - began

    def healthy(self) -> bool:
        """What the file's own health check says, from inside."""
        stage = self.clean.stages[-1]
        command = [word.replace(":8000/", f":{self.port}/") for word in stage.health]
        inside = ["chroot", f"--userspec={stage.one('USER')}:nogroup", str(self.root), "env", "-i"]
        asked = [*inside, *words(stage.environment).split(), *command]
        return subprocess.run(asked, stderr=subprocess.DEVNULL).returncode == 0


@pytest.mark.soak
def test_a_club_plays_in_the_container(clean: Clean, tmp_path: Path) -> None:
    began = time.monotonic()
    root = clean.build()
    print(f"built in {time.monotonic() - began:.0f} s")
    data = tmp_path / "data"
    data.mkdir()
    shutil.chown(data, "nobody", "nogroup")
    club = Club(clean, root, data)

    # It plays while it is still compiling; told to end then, it does.
    club.begin()
    print(f"first start: ready after {club.wait():.0f} s")
    while not list(data.glob("kernels/*/sandtable.*")):
        assert club.process.poll() is None, (clean.folder / "server.log").read_text()
        time.sleep(0.1)
    assert club.healthy()
    took = club.end()
    print(f"ended while compiling in {took:.1f} s")
    assert took < ENDED

    club.begin()
    print(f"second start: ready after {club.wait():.0f} s")
    assert club.healthy()
    status = Path(f"/proc/{club.server}/status").read_text()
    nobody = os.stat(data).st_uid
    assert f"Uid:\t{nobody}\t{nobody}\t{nobody}\t{nobody}" in status
    assert "NSpid:" in status
    assert status.split("NSpid:")[1].splitlines()[0].split()[-1] == "1"
    page = club.http.get("/")
    assert (page.status_code, "<script" in page.text) == (200, True)

    body = {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "bot:random"}}
    made = club.http.post("/api/games", json=body).json()
    game, key = made["id"], made["keys"]["red"]
    one = Person(club.port, game, key, None)
    one.until(lambda: one.question is not None)
    number, answer = one.state["number"], one.question["candidates"][0]
    given = {"seat": "red", "number": number, "answer": answer}
    headers = {"Authorization": f"Bearer {key}"}
    answered = club.http.post(f"/api/games/{game}/answers", json=given, headers=headers)
    assert (answered.status_code, answered.json()["number"] > number) == (200, True)
    reached = answered.json()["number"]
    took = club.end()
    print(f"ended in {took:.1f} s")
    assert took < ENDED

    club.begin()
    print(f"third start: ready after {club.wait():.0f} s")
    again = Person(club.port, game, key, None)
    assert again.state["number"] >= reached
    assert club.http.post(f"/api/games/{game}/answers", json=given, headers=headers).status_code == 200  # known already
    took = club.end()
    print(f"ended in {took:.1f} s")
    assert took < ENDED
    written = {path.name for path in data.iterdir()}
    assert {"games.sqlite", "kernels"} <= written
    assert not list((root / "opt").rglob("kernels/*/sandtable.*"))
