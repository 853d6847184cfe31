"""`sandtable play`: bots, programs and people, and everything that a person can get wrong."""

from __future__ import annotations

import io
import json
import re
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.cli.human import Human, split_condition
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import ChooseNumber
from sandtable.engine.ruleset import Ask
from sandtable.engine.seat import Seat
from tests.engine import toy
from tests.engine.toy import TOY, Setup, State

from .conftest import Command

BOTS = ("--ruleset", "tr14", "--scenario", "ridge", "--red", "random", "--blue", "random", "--seed", 3)
HUMAN = ("--ruleset", "tr14", "--scenario", "ridge", "--red", "human", "--blue", "random", "--seed", 3)
RULES = rulesets.load("tr14")


def first_answers(until: Any) -> int:
    """How many first choices of both seats it takes until something holds."""
    game: Game[Any] = Game(RULES, RULES.scenario("ridge"), SeededDice(3))
    while not until(game):
        assert game.ask is not None
        question = game.ask.question
        game.accept((question.answers() or question.candidates(12))[0])
    return len(game.record)


# Bots.


def test_the_result_as_json_has_the_promised_shape(command: Command) -> None:
    done = command("play", *BOTS, "--json")
    assert (done.status, done.err) == (0, "")
    result = json.loads(done.out)
    promised = ["winner", "turns", "seed", "hash", "decisions", "reason", "degree", "points", "points_for", "summary"]
    assert list(result) == promised
    assert result["winner"] in ("red", "blue", None)
    assert result["seed"] == 3
    assert result["turns"] >= 1
    assert result["decisions"] > 100
    assert len(result["hash"]) == 32
    for side in ("red", "blue"):
        assert list(result["summary"][side]) == ["units", "teams", "objectives"]
        assert result["points"][side] == result["summary"][side]["objectives"]
    assert result["points_for"] == "objectives held"


def test_the_same_seed_is_the_same_battle_and_another_is_another(command: Command) -> None:
    first, second = (command("play", *BOTS, "--json").out for _ in range(2))
    assert first == second
    assert command("play", *BOTS, "--json", "--seed", 4).out != first


def test_a_real_process_plays_the_same_battle(command: Command) -> None:
    words = [sys.executable, "-m", "sandtable", "play", *map(str, BOTS), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    assert done.stdout == command("play", *BOTS, "--json").out


def test_the_log_names_the_rule_behind_everything(command: Command) -> None:
    done = command("play", *BOTS)
    lines = done.out.splitlines()
    assert lines[0].endswith("Seed 3.")
    assert any("First Initiative: red" in line and "tr14.playing.initiative-roll" in line for line in lines)
    assert lines[-3].startswith("  objectives held: red ")
    assert lines[-2].startswith("  red: ")
    quiet = command("play", *BOTS, "--quiet").out.splitlines()
    assert quiet == lines[-4:]


def test_without_a_seed_one_is_chosen_and_told(command: Command) -> None:
    words = ("play", "--ruleset", "tr14", "--scenario", "patrol", "--red", "random", "--blue", "random", "--json")
    first = json.loads(command(*words).out)
    again = json.loads(command(*words, "--seed", first["seed"]).out)
    assert again == first


def test_scenarios_are_listed(command: Command) -> None:
    assert command("play", "--ruleset", "tr14", "--scenario", "list").out.split() == RULES.scenarios()


SMALLEST = [("hof", "Outpost at the Farm"), ("tr14", "Two Patrols"), ("sof", "Encounter at the Farm Road")]


@pytest.mark.parametrize(("ruleset", "battle"), SMALLEST)
def test_whoever_names_no_battle_plays_the_smallest(command: Command, ruleset: str, battle: str) -> None:
    done = command("play", "--ruleset", ruleset, "--seed", 5, typed="quit\n")
    assert done.out.startswith(f"{battle}. Seed 5.\n")


@pytest.mark.parametrize(("ruleset", "noun"), [("tr14", "Team"), ("sof", "figure")])
def test_pieces_are_counted_by_what_a_game_calls_them(command: Command, ruleset: str, noun: str) -> None:
    typed = "rest\n" + "1\n" * 6 + "quit\n"
    done = command("play", "--ruleset", ruleset, "--blue", "steady", "--seed", 5, typed=typed)
    assert set(re.findall(r"\d (Team|figure)s?, about", done.out + done.err)) == {noun}


@pytest.mark.parametrize("seed", [0, -7, 2**63, 10**25])
def test_any_whole_number_is_a_seed_and_its_battle_can_be_saved(command: Command, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "x.game"
    words = ("--scenario", "patrol", "--red", "random", "--blue", "random", "--quiet", "--save", path)
    assert command("play", *words, f"--seed={seed}").status == 0
    assert command("replay", path, "--verify").status == 0


# A person at the terminal.


def test_a_person_plays_a_whole_battle_by_numbers(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    done = command("play", *HUMAN, "--save", path, "--quiet", typed="1\n" * 3000)
    assert done.status == 0
    assert "wins" in done.out or "Draw" in done.out
    saved = record.read(path)
    assert saved.end is not None
    assert command("replay", path, "--verify").status == 0


def test_the_question_is_put_in_words_with_its_choices_numbered(command: Command) -> None:
    done = command("play", *HUMAN, typed="")
    assert "\nred: Deploy " in done.err
    assert "   1  set up about " in done.err
    assert "red> " in done.err


def test_when_the_input_ends_that_is_one_sentence_and_two(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="1\n1\n")
    assert done.status == 2
    assert done.err.splitlines()[-1].endswith("the input has ended in the midst of the game")
    assert done.out == ""


def test_whoever_quits_may_keep_the_game(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "left.game"
    done = command("play", *HUMAN, "--save", path, typed="1\n1\nquit\n")
    assert done.status == 2
    assert "the game is left unfinished" in done.err
    saved = record.read(path)
    assert saved.end is None
    assert len(saved.entries) == 4
    assert record.replay(saved, rulesets.load).differs == []


NONSENSE = ["banana", "0", "999", "-1", "1.5", "²", "[", "{", '"', '"x"', "[1, 2]", '{"x": {"to": [1e999, 0]}}', "null"]


def test_nonsense_is_refused_and_asked_again(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="\n".join([*NONSENSE, "quit"]) + "\n")
    assert done.status == 2
    assert done.err.count("red> ") == len(NONSENSE) + 1
    assert done.err.count("  Not so: ") + done.err.count("  That is not JSON: ") == len(NONSENSE)
    assert "the game is left unfinished" in done.err


@pytest.mark.parametrize(
    "line", [b"\xff\xfe", b"9" * 5000, b"[" * 200_000, b'["\\ud800"]', b'{"\\ud800": 1}', b"x" * 10**6]
)
def test_monstrous_input_is_no_traceback(command: Command, line: bytes) -> None:
    done = command("play", *HUMAN, "--quiet", typed=line + b"\nquit\n")
    assert done.status == 2
    last = done.err.splitlines()[-1]
    # Where an encoding is strict, a broken character may cost what else has been read ahead.
    assert last.endswith(("the game is left unfinished", "the input has ended in the midst of the game"))
    assert len(done.err) < 20_000


def test_help_why_and_map(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="?\nwhy\nmap\nquit\n")
    assert "take back your last answer" in done.err
    assert "tr14.battle.deployment  (sandtable rules show ID)" in done.err
    assert max(len(line) for line in done.err.splitlines()) < 200
    assert len(done.err.splitlines()) > 30


def test_undo_takes_back_ones_own_last_answer(command: Command) -> None:
    # Given a moment when the seat that is asked has also given the last answer, with no die between,
    count = first_answers(lambda game: game.ask is not None and game.may_undo(game.ask.seat) is None)
    words = ("play", "--ruleset", "tr14", "--scenario", "ridge", "--red", "human", "--blue", "human", "--seed", 3)
    done = command(*words, typed="1\n" * count + "undo\nquit\n")
    assert "  Taken back." in done.err
    asked = [line for line in done.err.splitlines() if line.startswith(("red: ", "blue: "))]
    assert asked[-1] == asked[-3]
    assert asked[-1] != asked[-2]


def test_undo_does_not_reach_across_the_other_player(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="undo\n1\nundo\nquit\n")
    assert "  There is nothing to take back." in done.err
    assert "  The other player has answered since." in done.err


def test_a_person_may_save_in_between_and_a_slip_in_the_name_costs_nothing(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "between.game"
    lines = ["1", f"save {tmp_path}/nowhere/x.game", f"save {tmp_path}", f"save {path}", "quit"]
    done = command("play", *HUMAN, "--quiet", typed="\n".join(lines) + "\n")
    assert f"{tmp_path}/nowhere/x.game: No such file or directory" in done.err
    assert f"{tmp_path}: Is a directory" in done.err
    assert f"Saved to {path}." in done.err
    assert "the game is left unfinished" in done.err
    assert len(record.read(path).entries) == 2


def test_the_names_that_an_answer_uses_are_listed_with_what_people_call_them(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="names\nquit\n")
    line = next(line for line in done.err.splitlines() if "red-cc-cc" in line)
    assert "Company Commander (" in line


def test_where_a_number_is_asked_what_is_typed_is_the_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def flow(game: Game[State]) -> Flow[None]:
        yield Ask("ann", ChooseNumber("many", "How many?", 3, 7), checkpoint=True)
        yield from toy.flow(game)

    game = Game(replace(TOY, flow=flow), Setup(rounds=1), SeededDice(1))
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nfour\n4\n"))
    assert Human().choose(Seat(game, "ann")) == 4
    said = capsys.readouterr().err
    assert "How many? 3 to 7" in said
    assert said.count("Not so") == 2


def test_a_number_beyond_the_list_and_a_word_for_a_place_are_told_apart(command: Command) -> None:
    done = command("play", *HUMAN, "--quiet", typed="99\nbanana\nquit\n")
    assert "  Not so: there is no choice 99, the list goes from 1 to 12." in done.err
    assert "'banana' is no place. Give " in done.err


# Dice of one's own.


def test_typed_dice_are_asked_at_the_terminal_whoever_throws(command: Command) -> None:
    # Given two bots, and dice on a real table,
    words = (
        "play",
        "--ruleset",
        "tr14",
        "--scenario",
        "ridge",
        "--red",
        "random",
        "--blue",
        "random",
        "--seed",
        3,
        "--dice",
        "typed",
    )
    done = command(*words, typed="7\n0\nsix\n1 2\n[6]\n1\n")
    # then the person is asked for each throw, what no die shows is refused, and a 1 is a 1.
    assert "red: Roll 1d6 for the first Initiative and enter what they show." in done.err
    assert "blue: Roll 1d6 for the first Initiative and enter what they show." in done.err
    assert done.err.count("  Not so: ") == 4
    assert "First Initiative: red 6, blue 1." in done.out
    assert done.status == 2


# Programs.


def test_a_program_takes_a_seat(command: Command, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if 'candidates' in message:\n"
        "        print(json.dumps({'answer': message['candidates'][0]}), flush=True)\n",
        encoding="utf-8",
    )
    path = tmp_path / "x.game"
    words = (
        "play",
        "--ruleset",
        "tr14",
        "--scenario",
        "patrol",
        "--seed",
        3,
        "--quiet",
        "--save",
        path,
        "--blue",
        "random",
    )
    done = command(*words, "--red", f"program:{sys.executable} {script}")
    assert (done.status, done.err) == (0, "")
    saved = record.read(path)
    assert {entry.by for entry in saved.entries} == {""}
    assert saved.notes == []


def test_a_program_that_does_not_answer_is_noted(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.game"
    words = (
        "play",
        "--ruleset",
        "tr14",
        "--scenario",
        "patrol",
        "--seed",
        3,
        "--quiet",
        "--save",
        path,
        "--blue",
        "random",
    )
    done = command(*words, "--red", f"program:{sys.executable} -c pass", "--deadline", 2)
    assert done.status == 0
    saved = record.read(path)
    assert {entry.by for entry in saved.entries if entry.seat == "red"} == {"deadline"}
    assert {entry.by for entry in saved.entries if entry.seat == "blue"} == {""}
    assert saved.notes[0].words == "red's program did not answer in time: the first candidate is taken"


# Wrong use.


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--ruleset", "chess"), "there is no ruleset 'chess'; known: "),
        (("--scenario", "atlantis"), "there is no scenario 'atlantis'; known: "),
        (("--red", "clever"), "'clever' cannot sit down as red; known: human, random, greedy"),
        (("--red", "program:/no/such/program"), "the program '/no/such/program' cannot be started"),
        (("--red", "program:"), "the program '' cannot be started"),
        (("--dice", "loaded"), "there are no 'loaded' dice; use seeded or typed"),
        (("--seed", "seven"), "Invalid value for '--seed'"),
        (("--colour", "green"), "No such option"),
    ],
)
def test_wrong_use_is_one_sentence_and_two(command: Command, words: tuple[str, ...], sentence: str) -> None:
    done = command("play", *BOTS, "--quiet", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err


def test_a_place_where_nothing_can_be_saved_is_a_sentence(command: Command, tmp_path: Path) -> None:
    words = (
        "play",
        "--ruleset",
        "tr14",
        "--scenario",
        "patrol",
        "--red",
        "random",
        "--blue",
        "random",
        "--seed",
        3,
        "--quiet",
    )
    done = command(*words, "--save", tmp_path / "nowhere" / "x.game")
    assert done.status == 2
    assert done.err.strip().endswith("No such file or directory")


def test_hail_of_fire_is_played_unless_another_ruleset_is_named(command: Command) -> None:
    done = command("play", "--red", "random", "--blue", "random", "--seed", 3, "--json")
    assert done.status == 0
    result = json.loads(done.out)
    summary = result["summary"]
    assert set(summary["red"]) >= {"units", "teams", "break_points", "break_limit"}
    assert result["points"] == {"red": summary["blue"]["break_points"], "blue": summary["red"]["break_points"]}


def test_optional_rules_are_listed_chosen_and_refused(command: Command) -> None:
    listed = command("play", "--options", "list")
    assert listed.status == 0
    assert "commander" in listed.out
    done = command("play", "--options", "club", "--red", "random", "--blue", "random", "--seed", 1, "--quiet")
    assert done.status == 0
    wrong = command("play", "--options", "magic", "--red", "random", "--blue", "random")
    assert wrong.status == 2
    assert "there is no optional rule 'magic'" in wrong.err
    none = command("play", "--ruleset", "tr14", "--options", "all", "--red", "random", "--blue", "random")
    assert none.status == 2
    assert "tr14 has no optional rules" in none.err


def test_a_person_is_not_told_what_the_enemy_hides(command: Command) -> None:
    done = command("play", "--scenario", "patrol", "--seed", 3, "--blue", "random", typed="quit\n")
    assert "A Unit takes post out of sight." in done.out
    assert "Grenadier" not in done.out


def test_habits_are_told_listed_and_dropped(command: Command) -> None:
    typed = "habits\nhabit react-if-fired-on\nfacts\nquit\n"
    done = command("play", "--scenario", "patrol", "--seed", 3, "--blue", "random", typed=typed)
    assert "React to the enemy only when a Unit of yours has been fired on. (`habit react-if-fired-on`" in done.err
    assert "react-never" in done.err
    assert "drops a habit" in done.out


def test_what_goes_without_saying_is_told_in_a_line_and_can_be_changed(command: Command) -> None:
    # Given a force that is deployed as proposed,
    typed = "rest\nred-rifles-pl\nchange\nhero\nundo\nchange\nhabits\nproposed\nquit\n"
    done = command("play", "--scenario", "city-block", "--seed", 8, "--blue", "random", typed=typed)
    # when a platoon is activated, its point is paid by a habit; to change that asks for it, and nothing else is.
    assert "Pay: An Order Point (habit orders-first)" in done.err
    assert "red: What pays for it?" in done.err
    assert done.err.count("Taken back.") == 2
    assert "No habit has answered anything since." in done.err
    assert "* orders-first" in done.err
    assert "  react-never" in done.err
    # All orders as proposed, until the enemy does something that asks for an answer, or the turn is over.
    assert "red ends its turn." in done.out
    assert "red's standing answer ends: " in done.out


@pytest.mark.parametrize(
    ("text", "answer", "wanted"),
    [
        ("pass unless fired_on", "pass", ("fired_on", "!=", True)),
        ("pass if enemy_near >= 16", "pass", ("enemy_near", ">=", 16)),
        ("pass if fired_on:red-rifles == false", "pass", ("fired_on:red-rifles", "==", False)),
        ("pass", "pass", None),
        ("pass unless enemy_near >= 16", "pass unless enemy_near >= 16", None),
    ],
)
def test_a_standing_answer_may_have_a_condition(text: str, answer: str, wanted: tuple[str, str, object] | None) -> None:
    found, only = split_condition(text)
    assert found == answer
    assert [(c.fact, c.op, c.value) for c in only] == ([wanted] if wanted else [])


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_game_that_is_stopped_is_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / "battle.game"
    words = ["play", "--ruleset", "tr14", "--red", "greedy", "--blue", "greedy", "--seed", "3", "--save", str(path)]
    with subprocess.Popen(
        [sys.executable, "-m", "sandtable", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(40):
            process.stdout.readline()
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == f"The game so far is in {path}.\n"
    saved = record.read(path)
    assert (saved.damage, saved.end) == ("", None)
    assert len(saved.entries) > 5
    assert record.replay(saved, rulesets.load).differs == []


def test_a_full_disk_is_told_in_a_sentence_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "battle.game"
    path.write_text("what was there before")

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    words = ["play", "--ruleset", "tr14", "--red", "random", "--blue", "random", "--quiet", "--save", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", *words],
        preexec_fn=small_files_only,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"{path}: File too large; what it held before is still there\n"
    assert [each.name for each in tmp_path.iterdir()] == ["battle.game"]
    assert path.read_text() == "what was there before"


# Lessons.


def test_a_lesson_is_guided_and_try_answers_as_the_guide_says(command: Command) -> None:
    done = command("play", "--ruleset", "tr14", "--lesson", "first-battle", typed="try\n" * 9 + "quit\n")
    told = [line.strip() for line in done.err.splitlines()]
    steps = [line for line in told if line.startswith("[")]
    assert [line.split("]")[0] for line in steps] == [f"[{number} of 11" for number in (*range(1, 10),)]
    assert "Try: Aimed Fire. (`try` answers so.)" in told
    # At a question of which the guide says nothing, `try` is no answer.
    assert any("'try' is not one of the choices" in line for line in told)


def test_a_lesson_played_to_its_end_takes_its_leave(command: Command) -> None:
    lesson = rulesets.load("hof").lessons()["first-battle"]
    done = command("play", "--lesson", "first-battle", typed="try\nend\npass\n1\n" * 60)
    assert done.status == 0, done.err
    assert done.out.splitlines()[-1] == lesson.ends


def test_lessons_are_listed_and_have_battles_of_their_own(command: Command) -> None:
    assert command("play", "--lesson", "list").out.split()[0] == "first-battle"
    assert "hof has no lesson 'x'; known: first-battle" in command("play", "--lesson", "x").err
    refused = command("play", "--lesson", "first-battle", "--scenario", "patrol")
    assert refused.status != 0
    assert "leave out --scenario" in refused.err
