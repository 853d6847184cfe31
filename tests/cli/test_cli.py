"""The command line as a person meets it: real processes, their output and their exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable.cli
from sandtable.engine.errors import SandtableError

COMMAND = [sys.executable, "-m", "sandtable"]
ROOT = Path(__file__).parent.parent.parent


def sandtable_(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=ROOT, check=False)


def test_help_lists_the_commands_and_loads_nothing_heavy() -> None:
    heavy = {"numpy", "numba", "shapely", "msgspec", "rich"}
    code = (
        "import sys; sys.argv = ['sandtable', '--help']\n"
        "import atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from sandtable.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "rules" in done.stdout
    assert heavy.isdisjoint(done.stderr.split())


def test_a_rule_is_shown_with_all_that_is_known_of_it() -> None:
    done = sandtable_("rules", "show", "tr14.moving.leave-behind")
    assert done.returncode == 0
    for word in ("Leaving Teams behind", "core", "chapter moving", "Unclear", "Code", "Situations", "Tests"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("rules", "show", "tr14.moving.cohesin"), "did you mean tr14.moving.cohesion"),
        (("rules", "show", "chess.moving.knight"), "There is no ruleset chess; known: "),
        (("rules", "coverage", "--ruleset", "chess"), "There is no ruleset chess; known: "),
        (("rules", "shwo"), "No such command"),
    ],
)
def test_wrong_use_is_one_sentence_and_two(words: tuple[str, ...], sentence: str) -> None:
    done = sandtable_(*words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_rules_are_found_by_a_word() -> None:
    done = sandtable_("rules", "find", "cohesion")
    assert "tr14.moving.cohesion  Unit cohesion" in done.stdout.splitlines()
    assert sandtable_("rules", "find", "dragonfly").returncode == 1


def test_coverage_as_json_has_the_promised_shape() -> None:
    done = sandtable_("rules", "coverage", "--ruleset", "tr14", "--json")
    report = json.loads(done.stdout)
    assert list(report) == ["tr14"]
    assert report["tr14"]["core"]["total"] == 147
    for row in report["tr14"].values():
        assert list(row) == ["total", "implemented", "tested", "later", "missing"]


def test_coverage_lists_what_is_missing() -> None:
    report = json.loads(sandtable_("rules", "coverage", "--ruleset", "tr14", "--json").stdout)["tr14"]
    listed = sandtable_("rules", "coverage", "--ruleset", "tr14", "--list").stdout
    for row in report.values():
        assert all(f"  {missing}: not " in listed for missing in row["missing"])
    strict = sandtable_("rules", "coverage", "--ruleset", "tr14", "--strict")
    assert strict.returncode == (1 if report["core"]["missing"] else 0)


def test_data_check_names_file_and_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('format = "sandtable.rules"\n[[rule]]\nid = "a.b.c"\nkind = "cor"\n', encoding="utf-8")
    strange = tmp_path / "strange.toml"
    strange.write_text('\nformat = "sandtable.cake"\n', encoding="utf-8")
    done = sandtable_("data", "check", str(wrong), str(strange))
    assert done.returncode == 1
    assert f'{wrong}:4: rule[0].kind: "cor" is not known here; did you mean `core`?' in done.stdout
    assert f'{strange}:2: format: "sandtable.cake" is not a known format; known formats: ' in done.stdout
    as_json = json.loads(sandtable_("data", "check", str(strange), "--json").stdout)
    assert [(one["line"], one["where"]) for one in as_json["problems"]] == [(2, "format")]


def test_our_own_data_files_are_free_of_mistakes() -> None:
    files = [str(path) for path in (ROOT / "sandtable").rglob("rules/*.toml")]
    done = sandtable_("data", "check", *files)
    assert (done.stdout, done.returncode) == ("", 0)


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "rules", "find", "a"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (SandtableError("The die is cast."), 2, "The die is cast.\n"),
        (PermissionError(13, "Permission denied", "save.jsonl"), 2, "save.jsonl: Permission denied\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_a_command_raises(
    error: BaseException,
    status: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: str) -> None:
        raise error

    monkeypatch.setattr("sandtable.engine.ledger.rules_folder", fail)
    monkeypatch.setattr(sys, "argv", ["sandtable", "rules", "show", "tr14.moving.cohesion"])
    with pytest.raises(SystemExit) as stopped:
        sandtable.cli.main()
    assert stopped.value.code == status
    assert capsys.readouterr().err == sentence
