"""Run the command line as `sandtable` runs it: the real `main`, real arguments, real standard input."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import sandtable.cli


@dataclass
class Done:
    status: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Call it with the words of a command line, and `typed` for what is typed at the terminal."""

    def run(*words: object, typed: str | bytes = "") -> Done:
        raw = typed.encode() if isinstance(typed, str) else typed
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
        monkeypatch.setattr(sys, "argv", ["sandtable", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            sandtable.cli.main()
        told = capsys.readouterr()
        status = stopped.value.code
        assert status is None or isinstance(status, int)
        assert "Traceback" not in told.err
        return Done(status or 0, told.out, told.err)

    return run
