"""Games that were finished before must still end as they did."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.testing import corpus

FOLDER = Path(__file__).parent / "corpus"
FILES = corpus.files(FOLDER)
ANEW = (
    "if a rule was mended on purpose, say so in CHANGELOG.md and write the corpus anew: "
    "python -m sandtable.testing.corpus write tests/corpus"
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_finished_game_still_ends_as_it_did(path: Path) -> None:
    assert corpus.problems(path) == [], ANEW


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_of_the_corpus_is_small_and_finished(path: Path) -> None:
    assert path.stat().st_size < 300_000
    saved = record.read(path)
    assert saved.end is not None
    assert saved.end.entries == len(saved.entries) > 50


def test_every_scenario_has_its_games() -> None:
    wanted = {
        f"{name}-{battle.scenario}-{battle.seed}"
        for name in rulesets.names()
        for battle in corpus.battles(rulesets.load(name))
    }
    assert {path.stem for path in FILES} == wanted, ANEW


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sandtable.testing.corpus", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=FOLDER.parent.parent, check=False)


def test_the_tool_names_a_game_that_goes_another_way(tmp_path: Path) -> None:
    smallest = min(FILES, key=lambda path: path.stat().st_size)
    (tmp_path / "good.game").write_text(smallest.read_text(encoding="utf-8"), encoding="utf-8")
    lines = smallest.read_text(encoding="utf-8").splitlines()
    del lines[40]
    (tmp_path / "bad.game").write_text("\n".join(lines), encoding="utf-8")
    done = run("check", str(tmp_path))
    assert done.returncode == 1
    assert "bad.game: answer " in done.stdout
    assert "good.game" not in done.stdout
    assert "2 games" in done.stdout


@pytest.mark.parametrize("words", [(), ("write",), ("burn", "x")])
def test_wrong_use_of_the_tool_is_a_sentence(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == corpus.USAGE + "\n"
