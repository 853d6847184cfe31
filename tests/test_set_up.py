"""Setting up: what is missing is named at once, what is current is left alone."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "set_up.py"


@pytest.fixture
def set_up() -> ModuleType:
    spec = importlib.util.spec_from_file_location("set_up", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["set_up"] = module
    spec.loader.exec_module(module)
    return module


def test_what_may_not_be_installed_is_named_in_one_sentence(
    set_up: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(set_up, "missing_packages", lambda: ["chromium", "postgresql"])
    monkeypatch.setattr(set_up, "as_root", lambda: None)
    assert set_up.main(["system"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "chromium and postgresql" in said
    assert said.endswith("sudo apt-get install -y --no-install-recommends chromium postgresql")


def test_nothing_is_made_twice(set_up: ModuleType, tmp_path: Path) -> None:
    source, made = tmp_path / "source", tmp_path / "made"
    source.touch()
    assert set_up.older(made, [source])
    made.touch()
    os.utime(source, (1, 1))
    assert not set_up.older(made, [source])
    os.utime(made, (0, 0))
    assert set_up.older(made, [source])


def test_a_step_that_fails_says_what_it_said(
    set_up: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    breaks = set_up.Step(
        "Breaking",
        "broken",
        1.0,
        lambda: True,
        lambda: [[sys.executable, "-c", "print('it broke here'); raise SystemExit(3)"]],
        tmp_path / "stamp",
    )
    monkeypatch.setitem(set_up.STEPS, "system", [breaks])
    assert set_up.main(["system"]) == 2
    said = capsys.readouterr().err
    assert "it broke here" in said
    assert "Breaking failed" in said
    assert not (tmp_path / "stamp").exists()


def test_the_time_left_follows_this_machine(set_up: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    def step(seconds: float) -> object:
        return set_up.Step("Making", "made", seconds, lambda: True, list)

    progress = set_up.Progress([step(10.0), step(100.0)])
    progress.begin(0)
    assert 100 < progress.left() <= 110
    progress.begun -= 30  # three times slower than where it was measured
    progress.end()
    progress.begin(1)
    assert 290 < progress.left() < 310
    progress.begun -= 50
    progress.share = 0.5
    assert 45 < progress.left() < 55
    assert "about 5 min left" in capsys.readouterr().err


def test_an_unknown_part_is_refused() -> None:
    done = subprocess.run([sys.executable, str(TOOL), "kitchen"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "system, python, page, kernels" in done.stderr
