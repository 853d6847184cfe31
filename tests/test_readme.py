"""The README is true: its example runs, and so does every command in it."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def command_lines() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README.read_text(), re.DOTALL)
    lines = (line.split("  #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith("sandtable ")]


def test_the_python_example_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_every_command_runs_in_turn(tmp_path: Path) -> None:
    assert command_lines(), "the README shows commands"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    for line in command_lines():
        words = shlex.split(line)[1:]
        command = [sys.executable, "-m", "sandtable", *words]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr}"
        assert "Traceback" not in done.stderr, line


def test_the_log_is_that_of_the_battle(tmp_path: Path) -> None:
    # The log follows the command that wrote it.
    ((line, shown),) = re.findall(
        r"```bash\n(sandtable play [^\n]*)\n```\n\n```text\n(.*?)```", README.read_text(), re.DOTALL
    )
    command = [sys.executable, "-m", "sandtable", *shlex.split(line)[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    log = " ".join(done.stdout.split())
    pieces = [" ".join(piece.split()) for piece in shown.split("…")]
    assert [piece for piece in pieces if piece not in log] == []
    places = [log.index(piece) for piece in pieces if piece]
    assert places == sorted(places)


@pytest.mark.parametrize("target", ["play", "test"])
def test_the_makefile_has_what_the_readme_promises(target: str) -> None:
    assert f"make {target}" in README.read_text()
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
