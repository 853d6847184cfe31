"""Rulesets outside the package: named by whoever starts the program, and known by their files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable import rulesets
from sandtable.engine import ledger, places
from sandtable.engine.places import VARIABLE, UnknownRuleset

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, "")
    yield
    monkeypatch.undo()


def test_a_ruleset_of_ones_own_is_known_with_its_ledger() -> None:
    assert "skirmish" not in rulesets.names()
    assert rulesets.add(EXAMPLES / "skirmish.py") == "skirmish"
    assert rulesets.load("skirmish").title == "Skirmish"
    assert rulesets.load("skirmish") is rulesets.load("skirmish")
    assert rulesets.folder("skirmish") == EXAMPLES / "skirmish"
    assert "skirmish" in ledger.rulesets()
    assert "skirmish.fire.cover" in ledger.Ledger.load("skirmish").rules
    # And to the processes that this one starts.
    assert os.environ[VARIABLE] == str(EXAMPLES / "skirmish.py")


def test_the_same_file_may_be_named_twice_and_others_beside_it() -> None:
    for name in ("skirmish.py", "pig.py", "skirmish.py"):
        rulesets.add(EXAMPLES / name)
    assert sorted(places.added()) == ["pig", "skirmish"]
    # A game without rules of its own in files has no ledger.
    assert "pig" not in ledger.rulesets()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("nothing.py", None, "there is no such ruleset"),
        ("skirmish.toml", "", "name a Python file"),
        ("hof.py", "", "another ruleset called 'hof'"),
        ("my-rules.py", "", "small letters and digits"),
    ],
)
def test_a_file_that_can_be_no_ruleset_is_refused_and_not_kept(
    name: str, text: str | None, words: str, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UnknownRuleset, match=words):
        rulesets.add(tmp_path / name)
    assert places.added() == {}


@pytest.mark.parametrize(("name", "text"), [("empty", ""), ("worded", "RULESET = 'worded'")])
def test_a_file_must_define_the_ruleset_of_its_name(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text(text)
    rulesets.add(tmp_path / f"{name}.py")
    with pytest.raises(UnknownRuleset, match="must define RULESET"):
        rulesets.load(name)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    rulesets.add(EXAMPLES / "pig.py")
    (tmp_path / "pig.py").write_text("")
    with pytest.raises(UnknownRuleset, match="another ruleset called 'pig'"):
        rulesets.add(tmp_path / "pig.py")


def test_a_ruleset_in_the_making_is_known_by_its_name_and_not_offered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("ready", "begun"):
        (tmp_path / name / "rules").mkdir(parents=True)
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "begun" / places.UNFINISHED).write_text("Half of it is missing.")
    monkeypatch.setattr(places, "PACKAGED", tmp_path)
    assert places.known() == ["begun", "ready"]
    assert places.names() == ["ready"]
    assert places.in_the_making() == ["begun"]
    # Its ledger is counted, and not shown to players.
    assert ledger.rulesets() == ["begun", "ready"]
    assert ledger.offered() == ["ready"]


def test_a_ruleset_in_the_making_is_offered_only_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "in_the_making", lambda: ["sof"])
    assert "sof" not in places.names()
    monkeypatch.setenv(places.OFFERED, "sof fow2")
    assert "sof" in places.names()
