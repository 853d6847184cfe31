"""The files for whoever runs a server say what is true: the container's steps, the unit, and the pinned versions.

That the container builds and plays, and that the proxies let games through, `make soak` checks for real.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandtable import cli
from tests.server.container import FILE, ROOT, copied, ignored, stages, suite
from tests.server.table import Served

UNIT = ROOT / "docs" / "examples" / "operating" / "sandtable.service"
BUILD, RUN = stages(FILE.read_text())


def test_every_path_that_the_container_copies_is_there() -> None:
    for stage in (BUILD, RUN):
        suite(stage.base)
        for text in stage.all("COPY"):
            origin, sources, _ = copied(text)
            assert origin in (None, BUILD.name)
            for source in sources if origin is None else ():
                assert (ROOT / source).exists(), f"{source} is not there"
                assert not ignored(ROOT / source)
    here = {path.name for path in ROOT.iterdir()}
    for word in re.findall(r"-r (\S+)", " ".join(BUILD.all("RUN"))):
        assert word in " ".join(BUILD.all("COPY")), f"{word} is used before it is copied"
    assert {"Containerfile", ".dockerignore"} <= here
    for kept in (".git", ".venv", "web/node_modules", "sandtable/server/page", "sandtable/__pycache__"):
        assert ignored(ROOT / kept), f"{kept} would go into the container"


def test_the_container_names_no_address_of_a_registry() -> None:
    text = FILE.read_text()
    assert set(re.findall(r"\w+://([^/:'\"]+)", text)) == {"127.0.0.1"}
    assert not re.search(r"--(index-url|extra-index-url|registry|trusted-host)", text)


def test_the_container_runs_as_nobody_with_its_data_on_a_volume(served: Served) -> None:
    volume = RUN.one("VOLUME")
    assert RUN.one("USER") == "nobody"
    database = RUN.entry[RUN.entry.index("--database") + 1]
    assert Path(database).parent == Path(volume)
    assert Path(RUN.environment["SANDTABLE_CACHE"]).is_relative_to(volume)
    known = CliRunner().invoke(cli.build(), [RUN.entry[1], "--help"]).output
    for option in (word for word in RUN.entry if word.startswith("--")):
        assert option in known, f"`sandtable {RUN.entry[1]}` has no {option}"
    # The health check asks for something that the server answers, and fails if nobody does.
    command = [sys.executable, *RUN.health[1:]]
    there = [word.replace(":8000/", f":{served.port}/") for word in command]
    assert subprocess.run(there, capture_output=True).returncode == 0
    nobody = [word.replace(":8000/", ":9/") for word in command]
    assert subprocess.run(nobody, capture_output=True).returncode != 0


def pins(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements" / name).read_text(), re.MULTILINE):
        found.setdefault(package, set()).add(version)
    return found


def test_the_server_is_pinned_to_the_versions_that_are_tested() -> None:
    server, tested = pins("server.txt"), pins("dev.txt")
    assert {name: versions for name, versions in server.items() if tested.get(name) != versions} == {}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for need in [*project["dependencies"], *project["optional-dependencies"]["postgres"]]:
        name = re.match(r"[\w.-]+", need)
        assert name is not None
        assert name[0] in server, f"requirements/server.txt lacks {name[0]}; run: make requirements"


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    judge = shutil.which("systemd-analyze")
    if judge is None:
        pytest.skip("systemd-analyze is not installed")
    command = Path(sys.executable).parent / "sandtable"
    (tmp_path / UNIT.name).write_text(UNIT.read_text().replace("/opt/sandtable/bin/sandtable", str(command)))
    verified = subprocess.run([judge, "verify", str(tmp_path / UNIT.name)], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
