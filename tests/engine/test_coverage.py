"""The ledger, and the comparison of rules, code and tests, on a toy ruleset made for each test."""

from pathlib import Path

import pytest

from sandtable.engine import formats
from sandtable.engine.coverage import Coverage, coverage
from sandtable.engine.data import DataError
from sandtable.engine.errors import SandtableError
from sandtable.engine.ledger import Ledger, RuleFile, rulesets

RULES = """\
format = "sandtable.rules"
[[rule]]
id = "toy.moving.distance"
kind = "core"
title = "How far"
lines = [1, 2]
text = "A toy moves 6 inches."
[[rule]]
id = "toy.moving.bog"
kind = "optional"
title = "Bogs"
lines = [3, 3]
text = "A toy in a bog stops."
unclear = "For how long? Read: a turn."
[[rule]]
id = "toy.moving.fun"
kind = "advice"
title = "Have fun"
lines = [4, 4]
text = "Enjoy it."
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    write(tmp_path / "toy/rules/01-moving.toml", RULES)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def compare(home: Path) -> Coverage:
    return coverage("toy", home / "toy", home / "tests")


def test_a_rule_in_the_data_that_code_reads_is_named_there(toy: Path) -> None:
    write(toy / "toy/data/page.toml", '# toy.moving.bog\n[notes]\nfar = ["far", "toy.moving.distance"]\n')
    (citation,) = compare(toy).code["toy.moving.distance"]
    assert citation.file.name == "page.toml"
    assert citation.line == 3
    assert "toy.moving.bog" not in compare(toy).code


def test_every_ledger_that_comes_with_us_can_be_read() -> None:
    assert "tr14" in rulesets()
    for name in rulesets():
        ledger = Ledger.load(name)
        assert ledger.rules


def test_a_word_is_found_whatever_its_capitals(toy: Path) -> None:
    ledger = Ledger.load("toy", toy / "toy/rules")
    assert [rule.id for rule in ledger.find("BOG")] == ["toy.moving.bog"]
    assert [rule.id for rule in ledger.find("a turn")] == ["toy.moving.bog"]


def test_an_unknown_rule_is_answered_with_the_nearest(toy: Path) -> None:
    with pytest.raises(SandtableError, match=r"did you mean toy\.moving\.distance"):
        Ledger.load("toy", toy / "toy/rules")["toy.moving.distances"]
    with pytest.raises(SandtableError, match="There is no ruleset chess; known: "):
        Ledger.load("chess")


def test_a_rule_written_twice_is_an_error_with_its_line(toy: Path) -> None:
    path = toy / "toy/rules/01-moving.toml"
    write(path, RULES.replace("toy.moving.bog", "toy.moving.distance"))
    found = formats.check_as(str(path), {"sandtable.rules": RuleFile})
    assert [(one.line, one.where) for one in found] == [(9, "rule[1].id")]
    write(path, RULES)
    write(toy / "toy/rules/02-again.toml", RULES)
    with pytest.raises(DataError, match=r"02-again\.toml:3: .*stands in another chapter already"):
        Ledger.load("toy", path.parent)


def test_nothing_named_is_all_missing_and_advice_does_not_count(toy: Path) -> None:
    report = compare(toy).report()
    assert list(report) == ["core", "optional"]
    assert report["core"] == {"total": 1, "implemented": 0, "tested": 0, "later": 0, "missing": ["toy.moving.distance"]}


def test_what_is_left_for_later_is_not_missing_and_counted_apart(toy: Path) -> None:
    home = toy / "toy"
    write(
        home / "later.toml", 'format = "sandtable.later"\n[[waits]]\nwhat = "boots"\nrules = ["toy.moving.distance"]\n'
    )
    found = compare(toy)
    assert found.later == {"toy.moving.distance": "boots"}
    assert found.complete("core")
    assert found.report()["core"]["later"] == 1
    write(home / "later.toml", 'format = "sandtable.later"\n[[waits]]\nwhat = "boots"\nchapters = ["moving"]\n')
    assert set(compare(toy).later) == {*Ledger.load("toy", home / "rules").rules}
    write(home / "later.toml", 'format = "sandtable.later"\n[[waits]]\nwhat = "boots"\nrules = ["toy.moving.flight"]\n')
    with pytest.raises(SandtableError, match="There is no rule"):
        compare(toy)


def test_code_counts_when_it_names_a_rule_but_words_about_it_do_not(toy: Path) -> None:
    words = '"""toy.moving.bog"""\n# "toy.moving.bog"\n'
    code = words + 'def f():\n    "toy.moving.bog"\n    return "toy.moving.distance"\n'
    write(toy / "toy/moving.py", code)
    found = compare(toy)
    assert [(one.rule, one.line) for one in found.code["toy.moving.distance"]] == [("toy.moving.distance", 5)]
    assert "toy.moving.bog" not in found.code


def test_situations_and_their_variants_count_unless_they_must_fail(toy: Path) -> None:
    write(toy / "toy/situations/a.toml", 'rules = ["toy.moving.distance"]\nmust_fail = true\n')
    assert not compare(toy).situations
    write(toy / "toy/situations/deep/b.toml", 'name = "b"\n[[variant]]\nrules = [\n  "toy.moving.bog",\n]\n')
    assert [one.line for one in compare(toy).situations["toy.moving.bog"]] == [4]


@pytest.mark.parametrize(
    "test",
    [
        '@pytest.mark.rule("toy.moving.bog", "toy.moving.distance")\ndef test_it(): ...\n',
        '@pytest.mark.rule("toy.moving.bog", "toy.moving.distance")\nclass TestIt: ...\n',
        'pytestmark = pytest.mark.rule("toy.moving.bog", "toy.moving.distance")\n',
        'pytestmark = [pytest.mark.rule("toy.moving.bog"), pytest.mark.rule("toy.moving.distance")]\n',
    ],
)
def test_marked_tests_count(toy: Path, test: str) -> None:
    write(toy / "tests/test_it.py", "import pytest\n" + test)
    write(toy / "toy/moving.py", 'RULES = ("toy.moving.distance", "toy.moving.bog")\n')
    found = compare(toy)
    assert found.complete("core")
    assert found.missing() == []
    assert found.errors == []


def test_a_name_that_is_no_rule_is_an_error_wherever_it_stands(toy: Path) -> None:
    write(toy / "toy/moving.py", 'X = "toy.moving.dragon"\n')
    write(toy / "toy/situations/a.toml", '\nrules = ["toy.moving.griffin"]\nmust_fail = true\n')
    write(toy / "tests/test_it.py", '@pytest.mark.rule("toi.moving.bog")\ndef test_it(): ...\n')
    errors = [str(error) for error in compare(toy).errors]
    assert [error.split("toy/")[-1] for error in errors[:2]] == [
        "moving.py:1: toy.moving.dragon is not in the ledger of toy",
        "situations/a.toml:2: toy.moving.griffin is not in the ledger of toy",
    ]
    assert errors[2].endswith("test_it.py:1: test_it: toi.moving.bog is not in the ledger of toy")


def test_a_mark_must_write_its_rules_out(toy: Path) -> None:
    write(toy / "tests/test_it.py", "@pytest.mark.rule(*RULES)\ndef test_it(): ...\n")
    with pytest.raises(DataError, match="must write its ids out"):
        compare(toy)
