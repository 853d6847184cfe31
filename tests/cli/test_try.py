"""`sandtable try`: situations, those that hold and those that do not."""

from __future__ import annotations

import json
import tomllib
from itertools import zip_longest
from pathlib import Path

import pytest

from sandtable.engine.questions import Choose
from sandtable.rulesets.tr14 import playing
from sandtable.testing.situations import playing as situations_playing
from sandtable.testing.situations import try_file
from sandtable.testing.situations.checking import Failed, compare
from sandtable.testing.situations.tracing import changes

from .conftest import Command

SITUATION = """\
format = "sandtable.situation"
name = "A platoon walks north"
ruleset = "tr14"
rules = ["tr14.playing.action-move"]

[setup]
table = { width = 48, depth = 48 }
phase = "activate"

[setup.units.foot]
side = "red"
training = "veteran"
[setup.units.foot.teams]
f-pl = { profile = "rifle", role = "pl", at = [10, 12] }
f-1 = { profile = "rifle", at = [10, 10] }

[setup.units.theirs]
side = "blue"
training = "veteran"
[setup.units.theirs.teams]
x-pl = { profile = "rifle", role = "pl", at = [40, 46] }

[[step]]
answer = "foot"
dice = [1]

[[step]]
answer = "move"

[[step]]
answer = { f-1 = { to = [10, 14] } }
[step.expect]
state.units.foot.teams.f-1.at = [10, 14]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "walk.toml"
    path.write_text(SITUATION, encoding="utf-8")
    return path


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_situation_that_holds(command: Command, file: Path) -> None:
    done = command("try", file)
    assert (done.status, done.out, done.err) == (0, "1 passed, 0 failed\n", "")
    assert "ok   A platoon walks north" in command("try", file, "--verbose").out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("at = [10, 14]\n", "at = [10, 15]\n", "expected [10, 15], found [10.0, 14.0]"),
        ("to = [10, 14]", "to = [10, 44]", "refused: "),
        ('answer = "foot"', 'answer = "horse"', "'horse' is not one of the choices"),
        ("dice = [1]", "dice = []", "the rules call for 1 d6 here"),
        ("dice = [1]", "dice = [1, 2]", "dice left over that nothing called for: [2]"),
        ("width = 48", "witdh = 48", "witdh"),
        ('training = "veteran"\n[setup.units.theirs', 'training = "heroic"\n[setup.units.theirs', "heroic"),
        ('ruleset = "tr14"', 'ruleset = "chess"', "there is no ruleset 'chess'"),
        ('ruleset = "tr14"', "ruleset = tr14", "not valid TOML"),
        ("[10, 10]", "[10, 10", "not valid TOML"),
    ],
)
def test_a_mistake_is_told_by_its_line(command: Command, file: Path, old: str, new: str, says: str) -> None:
    assert SITUATION.count(old) == 1
    text = SITUATION.replace(old, new)
    file.write_text(text, encoding="utf-8")
    done = command("try", file)
    assert (done.status, done.err) == (1, "")
    assert says in done.out
    assert f"{file}:{line_of(text, new.splitlines()[0])}" in done.out
    assert done.out.endswith("0 passed, 1 failed\n")


def test_a_situation_that_must_fail_passes_only_by_failing(command: Command, file: Path) -> None:
    head = 'must_fail = true\nfails_with = "expected"\n'
    wrong = SITUATION.replace("at = [10, 14]\n", "at = [10, 15]\n")
    file.write_text(head + wrong, encoding="utf-8")
    assert command("try", file).status == 0
    file.write_text(head + SITUATION, encoding="utf-8")
    done = command("try", file)
    assert done.status == 1
    assert "it was to fail, but everything in it held" in done.out


def test_a_folder_is_tried_file_by_file_and_told_as_json(command: Command, file: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SITUATION.replace("[10, 14]\n", "[10, 15]\n"), encoding="utf-8")
    done = command("try", tmp_path, "--json")
    assert done.status == 1
    told = json.loads(done.out)
    assert (told["passed"], told["failed"]) == (1, 1)
    assert [(each["file"], each["ok"]) for each in told["results"]] == [(str(file), True), (str(wrong), False)]
    assert set(told["results"][1]) == {"file", "name", "ok", "problem"}
    assert told["results"][0]["problem"] is None


SHARED = """\
format = "sandtable.setup"
name = "A platoon on an empty table"
ruleset = "tr14"

[setup]
table = { width = 48, depth = 48 }
phase = "activate"

[setup.units.foot]
side = "red"
training = "veteran"
[setup.units.foot.teams]
f-pl = { profile = "rifle", role = "pl", at = [10, 12] }
f = { profile = "rifle", count = 3, at = [10, 10], step = [2, 0] }
"""

BEGINS = """\
format = "sandtable.situation"
name = "A platoon stands"
ruleset = "tr14"
begins = "shared.toml"

[setup.units.theirs]
side = "blue"
training = "veteran"
teams = { x-pl = { profile = "rifle", role = "pl", at = [40, 46] } }

[expect.state.units.foot.teams]
f-1.at = [10, 10]
f-3.at = [14, 10]

[[variant]]
name = "four, of whom the second has a marker and the third is gone"
set.units.foot.teams.f.count = 4
set.units.foot.teams.f-2.markers = 1
remove = ["units.foot.teams.f-3"]
[variant.expect]
state.units.foot.teams.f-2 = { markers = 1, at = [12, 10] }
state.units.foot.teams.f-4.at = [16, 10]
"""


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    shared, file = tmp_path / "shared.toml", tmp_path / "stands.toml"
    shared.write_text(SHARED, encoding="utf-8")
    file.write_text(BEGINS, encoding="utf-8")
    return shared, file


def test_a_situation_begins_with_a_set_up_of_another_file(command: Command, pair: tuple[Path, Path]) -> None:
    done = command("try", pair[1])
    assert (done.status, done.out) == (0, "1 passed, 0 failed\n")
    assert command("data", "check", *pair).status == 0


def test_a_set_up_beside_situations_is_not_taken_for_one(command: Command, pair: tuple[Path, Path]) -> None:
    assert command("try", pair[0].parent).out == "1 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("which", "old", "new", "says"),
    [
        (0, 'profile = "rifle", count', 'profile = "rilfe", count', "setup.units.foot.teams.f.profile: unknown"),
        (0, "count = 3", "count = 0", "setup.units.foot.teams.f.count: a squad has 1 to 50 Teams"),
        (0, "step = [2, 0]", "step = 2", "give the way from each Team to the next as [x, y]"),
        (0, ", step = [2, 0]", "", "all would stand here: give the way from each to the next"),
        (0, "count = 3, ", "", "`step` belongs to a squad; say how many Teams it has by `count`"),
        (0, "width = 48", "witdh = 48", "did you mean `width`?"),
        (0, 'ruleset = "tr14"', 'ruleset = "hof"', "shared.toml is a set-up of hof, not of tr14"),
        (1, 'begins = "shared.toml"', 'begins = "shard.toml"', "there is no file"),
        (1, 'begins = "shared.toml"', 'begins = "to-platoons"', "did you mean `two-platoons`?"),
        (1, 'training = "veteran"', 'training = "heroic"', "setup.units.theirs.training"),
        (1, "f-2.markers = 1\nremove", "f-2.markers = 7\nremove", "variant[0].set.units.foot.teams.f-2.markers"),
        (1, "foot.teams.f.count = 4", "foot.teams.f.count = 99", "variant[0].set.units.foot.teams.f.count: a squad"),
        (1, 'teams.f-3"]', 'teams.f-9"]', "units.foot.teams.f-9 is not in the set-up"),
    ],
)
def test_a_mistake_is_told_in_the_file_that_made_it(
    command: Command, pair: tuple[Path, Path], which: int, old: str, new: str, says: str
) -> None:
    before = (SHARED, BEGINS)[which]
    assert before.count(old) == 1
    text = before.replace(old, new)
    pair[which].write_text(text, encoding="utf-8")
    done = command("data", "check", pair[1])
    assert done.status == 1
    told = done.out.splitlines()[0]
    assert says in told
    line = next(n for n, (a, b) in enumerate(zip_longest(text.splitlines(), before.splitlines()), 1) if a != b)
    blamed = pair[1] if "is a set-up of" in says else pair[which]
    assert told.startswith(f"{blamed}:{line if blamed == pair[which] else 4}: ")
    assert command("try", pair[1]).status == 1


def test_files_that_begin_with_one_another_are_a_mistake(command: Command, pair: tuple[Path, Path]) -> None:
    pair[0].write_text(SHARED.replace("[setup]", 'begins = "shared.toml"\n[setup]'), encoding="utf-8")
    assert "in a circle" in command("data", "check", pair[1]).out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('rules = ["tr14.playing.action-move"]', 'rules = ["tr14.playing.acton-move"]', "`tr14.playing.action-move`?"),
        ("dice = [1]", 'dice = [1]\ntopic = "actvate"', "there is no topic 'actvate'; did you mean `activate`?"),
        ("dice = [1]", 'dice = [1]\nexpect.no_events = [{ kind = "shotting" }]', "did you mean `shooting`?"),
        ("dice = [1]", 'dice = [1]\nexpect.asked.seat = "green"', "there is no seat 'green'; known: red, blue"),
        ("dice = [1]", 'dice = [1]\nexpect.asked.topic = "acton"', "did you mean `action`?"),
        ("dice = [1]", 'dice = [1]\nexpect.not_cited = ["tr14.saves.rol"]', "did you mean `tr14.saves.roll`?"),
        ('ruleset = "tr14"', 'ruleset = "tr14"\nanswers = { go-to-gruond = "no" }', "did you mean `go-to-ground`?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(command: Command, file: Path, old: str, new: str, says: str) -> None:
    assert SITUATION.count(old) == 1
    text = SITUATION.replace(old, new)
    file.write_text(text, encoding="utf-8")
    for done in (command("try", file), command("data", "check", file)):
        assert done.status == 1
        assert says in done.out
        assert f"{file}:{line_of(text, new.splitlines()[-1])}" in done.out


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        ('{ has = ["b"], lacks = ["x"], count = 3 }', None),
        ('{ has = [{ n = 1 }, "c"] }', None),
        ('{ "0" = { n = 1 }, "-1" = "c" }', None),
        ('{ has = ["b", "b"] }', ".has: 'b' is not among [{'n': 1, 'm': 2}, 'c']"),
        ("{ lacks = [{ m = 2 }] }", ".lacks: {'m': 2} is among"),
        ("{ count = 2 }", ".count: expected 2, found 3"),
        ('{ "3" = "c" }', ".3: there is no such element"),
        ('{ holds = "c" }', ".holds: a list stands here"),
        ('{ has = "b" }', ".has: give a list, not 'b'"),
        ('[{ n = 1, m = 2 }, "b", "c"]', None),
        ('["b"]', ": expected ['b'], found"),
    ],
)
def test_a_list_is_compared_in_part(wanted: str, fault: str | None) -> None:
    found = {"list": [{"n": 1, "m": 2}, "b", "c"]}
    try:
        compare(tomllib.loads(f"list = {wanted}"), found, "")
        told = None
    except Failed as failed:
        told = f"{failed.where}: {failed.problem}"
    assert (told is None) == (fault is None)
    assert (told or "").startswith(f".list{fault}" if fault else "")


def test_what_must_not_be_cited_is_looked_for_in_a_step_a_variant_and_the_whole(command: Command, file: Path) -> None:
    rule = "tr14.playing.action-move"
    for old, new in (
        ("[[step]]\nanswer = { f-1", f'[[step]]\nexpect.not_cited = ["{rule}"]\nanswer = {{ f-1'),
        ("[setup]", f'not_cited = ["{rule}"]\n[setup]'),
    ):
        text = SITUATION.replace("[step.expect]\n", "expect.").replace(old, new)
        assert text.count(new) == 1
        file.write_text(text, encoding="utf-8")
        done = command("try", file)
        assert f"{rule} is cited by something that happened" in done.out
        assert f"{file}:{line_of(text, 'not_cited')}" in done.out
    file.write_text(SITUATION.replace("[setup]", 'not_cited = ["tr14.saves.roll"]\n[setup]'), encoding="utf-8")
    assert command("try", file).status == 0


def test_a_crash_is_the_failure_of_one_situation(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other.toml"
    other.write_text(SITUATION.replace("[[step]]", "must_fail = true\n[[step]]", 0), encoding="utf-8")
    file.write_text("must_fail = true\n" + SITUATION, encoding="utf-8")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(playing, "choose_action", broken)
    for path in (file, other):
        (outcome,) = try_file(path)
        assert not outcome.ok
        assert outcome.problem is not None
        assert "the game crashed: ZeroDivisionError: division by zero at sandtable/rulesets/tr14/" in outcome.problem
        assert "step[0]" in outcome.problem


def test_a_question_that_cannot_say_what_it_offers_is_the_failure_of_one_situation(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SITUATION.replace("dice = [1]", 'dice = [1]\nexpect.asked = { topic = "action", offers = ["move"] }')
    file.write_text(text, encoding="utf-8")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Choose, "describe", broken)
    (outcome,) = try_file(file)
    assert not outcome.ok
    assert outcome.problem is not None
    assert "the game crashed: ZeroDivisionError: division by zero" in outcome.problem


def test_standing_answers_that_go_in_a_circle_come_to_an_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(situations_playing, "MOST_STANDING", 1)
    text = SITUATION.replace("dice = [1]", 'dice = [1]\nexpect.asked = { topic = "move" }')
    file.write_text(text.replace("[setup]", 'answers = { action = "move" }\n[setup]'), encoding="utf-8")
    (outcome,) = try_file(file)
    assert outcome.problem is not None
    assert "1 standing answers were given one after another, the last to 'action'" in outcome.problem


def test_what_never_was_there_cannot_be_gone(command: Command, file: Path) -> None:
    file.write_text(SITUATION + 'absent = ["units.foot.teams.f-9"]\n', encoding="utf-8")
    assert "units.foot.teams.f-9 was never there" in command("try", file).out


def test_a_trace_tells_question_answer_dice_events_and_refusals(command: Command, file: Path) -> None:
    text = SITUATION.replace("[[step]]", '[[step]]\nanswer = "horse"\nexpect.refused = {}\n[[step]]', 1)
    file.write_text(text, encoding="utf-8")
    done = command("try", file, "--trace")
    assert done.status == 0
    for line in (
        "red is asked activate: Which Unit activates?",
        "choices: foot",
        'step[0]: "horse"',
        "refused (unknown): activate: 'horse' is not one of the choices.",
        'step[1]: "foot"',
        "activation: Red foot (veteran) needs 4+ to activate, rolls 1.",
        "dice [1] for its Check to activate",
        "tr14.playing.training-check",
        "is asked",
    ):
        assert line in done.out
    told = json.loads(command("try", file, "--trace", "--json").out)
    assert told["results"][0]["trace"][0].startswith("red is asked activate")


def test_a_trace_ends_with_what_one_needs_to_go_on(command: Command, file: Path) -> None:
    file.write_text(SITUATION.partition("[[step]]\nanswer = { f-1")[0], encoding="utf-8")
    waiting = command("try", file, "--trace").out
    for line in (
        "red is asked move: ",
        "f-1: at [10.0, 10.0], base 1.5 by 1, up to 6 inches",
        "rules: tr14.",
        "for example: answer = { f-",
    ):
        assert line in waiting.partition('step[1]: "move"')[2]
    file.write_text(SITUATION, encoding="utf-8")
    told = command("try", file, "--trace").out
    assert "data = { " in told
    # Two changes of one Team stand in one table, as `expect.state` would have it.
    assert "now units.foot.teams.f-1 = { at = [10.0, 14.0], moved = true }" in told


def test_a_trace_that_lacks_dice_ends_with_these_and_not_with_a_question(command: Command, file: Path) -> None:
    file.write_text(SITUATION.replace("dice = [1]", ""), encoding="utf-8")
    *_, last, _ = command("try", file, "--trace").out.splitlines()
    assert "the rules call for 1 d6 here" in last
    assert command("try", file, "--trace").out.count("red is asked activate") == 1


def test_changes_of_the_state_are_told_place_by_place() -> None:
    before = {"a": {"x": 1, "y": 2, "z": 3}, "b": [1], "c": {"k": 1}, "d": 1}
    now = {"a": {"x": 1, "y": 4, "z": 5}, "b": [1, 2], "c": {}, "d": None, "e f": "new"}
    assert list(changes(before, now)) == [
        "a = { y = 4, z = 5 }",
        "c.k is gone",
        "d is empty",
        "b = [1, 2]",
        '"e f" = "new"',
    ]


def test_what_a_file_begins_with_may_lose_something(command: Command, pair: tuple[Path, Path]) -> None:
    own = BEGINS.partition("[[variant]]")[0].replace(
        'begins = "shared.toml"', 'begins = "shared.toml"\nremove = ["units.foot.teams.f-2"]'
    )
    pair[1].write_text(own, encoding="utf-8")
    assert command("try", pair[1]).status == 0
    pair[1].write_text(own.replace("f-1.at = [10, 10]", "f-2.at = [12, 10]"), encoding="utf-8")
    assert "there is no such thing" in command("try", pair[1]).out


def test_a_part_of_a_list_that_is_given_whole_is_told_how_to_write_it() -> None:
    with pytest.raises(Failed, match=r"a list is compared whole: for parts of it write `\{ has = "):
        compare({"list": [{"n": 1}]}, {"list": [{"n": 1, "m": 2}]}, "")


def test_rules_that_are_cited_before_the_first_step_count(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "start.toml"
    path.write_text(
        """\
format = "sandtable.situation"
name = "A turn begins"
ruleset = "hof"
rules = ["hof.orders.order-dice"]
begins = "two-platoons"
dice = [2]
setup = { phase = "start" }
[[step]]
topic = "activate"
answer = "r-pl"
""",
        encoding="utf-8",
    )
    assert command("try", path).status == 0


def test_nothing_to_try_is_a_failure(command: Command, tmp_path: Path) -> None:
    assert command("try", tmp_path).status == 1
    done = command("try", tmp_path / "none.toml")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"{tmp_path / 'none.toml'}: there is no such file or folder\n"


def test_what_is_no_text_is_a_failure_with_a_name(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff")
    done = command("try", path)
    assert done.status == 1
    assert f"{path}: this is not a text file in UTF-8" in done.out


def test_all_of_our_own_situations_hold(command: Command) -> None:
    done = command("try", "--json")
    told = json.loads(done.out)
    assert [each for each in told["results"] if not each["ok"]] == []
    assert told["passed"] > 300
