"""Set-ups and situations with one fault each, in tests/broken: told by file and line, with what would be right.

Beside each file stands what is told of it, word for word.
"""

from pathlib import Path

import pytest

from sandtable.testing.formats import check
from sandtable.testing.situations import try_file

FOLDER = Path(__file__).parent / "broken"
FILES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_fault_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    told = "".join(f"{error}\n" for error in check(path.name))
    assert told == path.with_suffix(".txt").read_text(encoding="utf-8")
    assert told.startswith(f"{path.name}:")


@pytest.mark.parametrize("path", [path for path in FILES if "situation" in path.name], ids=lambda path: path.stem)
def test_a_broken_situation_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    (outcome,) = try_file(Path(path.name))
    assert outcome.problem == path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.stem.startswith(("hof", "sof", "tr14"))], ids=lambda path: path.stem
)
def test_a_situation_that_begins_with_a_broken_set_up_names_that_file(path: Path, tmp_path: Path) -> None:
    ruleset = path.stem.partition("-")[0]
    file = tmp_path / "begins.toml"
    head = f'format = "sandtable.situation"\nname = "It begins"\nruleset = "{ruleset}"\nbegins = "{path}"\n'
    file.write_text(f"{head}expect.asked = {{}}\n", encoding="utf-8")
    (outcome,) = try_file(file)
    told = path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()[0]
    assert outcome.problem == f"{path.parent}/{told}"
