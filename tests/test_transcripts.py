"""The beginning of a game of each scenario, with every seat's view, as it was when its text was last looked over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.testing import transcript

FOLDER = Path(__file__).parent / "transcripts"
NAMES = [(name, scenario) for name in rulesets.names() for scenario in rulesets.load(name).scenarios()]
ANEW = (
    "If this is what was meant, write the transcripts anew and read the difference before committing it: "
    "python -m sandtable.testing.transcript write"
)


@pytest.mark.parametrize(("ruleset", "scenario"), NAMES)
def test_a_game_begins_as_its_transcript_says(ruleset: str, scenario: str) -> None:
    path = FOLDER / f"{ruleset}-{scenario}.txt"
    assert path.exists(), ANEW
    now = "\n".join(transcript.transcript(rulesets.load(ruleset), scenario)) + "\n"
    differences = transcript.differences(path.read_text(encoding="utf-8"), now, path.name)
    assert not differences, "\n".join([*differences, ANEW])


def test_there_is_no_transcript_too_many_and_none_is_too_long() -> None:
    files = sorted(FOLDER.glob("*.txt"))
    assert sorted(path.stem for path in files) == sorted(f"{name}-{scenario}" for name, scenario in NAMES)
    assert all(path.stat().st_size < 300_000 for path in files)


def test_a_change_is_told_by_its_path() -> None:
    before = dict(transcript.flat({"a": {"b": 1, "at": [1.0, 2.0]}, "gone": True, "list": [{"x": 1}]}))
    after = dict(transcript.flat({"a": {"b": 2, "at": [1.0, 2.5]}, "list": [{"x": 1}, {"x": 2}], "new": {}}))
    assert transcript.changes(before, after) == [
        "a.at: [1.0, 2.0] -> [1.0, 2.5]",
        "a.b: 1 -> 2",
        "gone: true -> —",
        "list[1].x: — -> 2",
        "new: — -> {}",
    ]


def test_what_only_one_seat_sees_stands_under_its_name() -> None:
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("crossroads"), SeededDice(1))
    views: dict[str | None, dict[str, Any]] = {"red": {}, "blue": {}, None: {}}
    text = "\n".join(transcript.see(game, ("red", "blue", None), views, 0))
    everybody, red, blue, watcher = (text.index(f"  {name}:\n") for name in ("all", "red", "blue", "watcher"))
    assert everybody < text.index("table.rounds: — -> ") < red
    assert red < text.index('asked.topic: — -> "deploy"') < blue
    assert blue < text.index('seat: — -> "blue"', blue) < watcher
    assert list(transcript.see(game, ("red", "blue", None), views, 0)) == []


KEPT = """\
12. red fire: At what does it fire?
  answer: {"a": "b"}
  all:
    shooting: A fires at B needing 4+: 1 of 2 dice hits. [tr14.firing.arc, tr14.firing.fp-dice]
      red rolls A's Rifle: 4 1 (before: {"1": 2})
      +1 target concealed [tr14.firing.mod-concealed]
    smoke-clears: The smoke clears.
    units.b.name: — -> "B"
"""


def test_two_transcripts_may_be_compared_but_for_their_words() -> None:
    reworded = KEPT.replace("At what does it fire?", "Whom: who?").replace("A fires at B", "Red A: fires at Blue B")
    reworded = reworded.replace("A's Rifle", "Red A's: Rifle").replace("target concealed", "it is [well] hidden")
    reworded = reworded.replace("The smoke clears.", "It clears.")
    assert transcript.wordless(reworded) == transcript.wordless(KEPT)
    for told, other in (
        ("red fire", "blue fire"),
        ('"b"}', '"c"}'),
        ("shooting:", "strike:"),
        (", tr14.firing.fp-dice", ""),
        ("4 1", "4 2"),
        ('"1": 2', '"1": 3'),
        ("+1", "-1"),
        ("mod-concealed", "mod-reaction"),
        ('-> "B"', '-> "C"'),
    ):
        assert transcript.wordless(KEPT.replace(told, other)) != transcript.wordless(KEPT), told


def test_the_tool_writes_checks_and_names_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert transcript.main(["write", str(tmp_path)]) == 0
    changed = tmp_path / "tr14-ridge.txt"
    changed.write_text(changed.read_text(encoding="utf-8").replace("table.rounds", "table.years", 1), encoding="utf-8")
    assert transcript.main(["check", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "table.years" in told
    assert f"{changed}: differs" in told
    assert f"{tmp_path / 'tr14-bocage.txt'}: as it was" in told
    assert transcript.main(["compare", str(tmp_path)]) == 1
    assert transcript.main(["burn"]) == 2
