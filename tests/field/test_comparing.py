"""Two forces compared in a conversation: what is said is read, what is not said is asked, each thing once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from sandtable.engine.ruleset import ParityWishes
from sandtable.field.comparing import (
    Comparing,
    Judge,
    ParityError,
    Step,
    Trim,
    by_rank,
    compare_aloud,
    numbers,
    read_trim,
)
from sandtable.field.troops import Side


class Unit(msgspec.Struct, frozen=True):
    name: str


class Result(msgspec.Struct, frozen=True):
    pairings: list[str]
    trims: list[Trim]
    steps: list[Step]
    stronger: Side | None


RED, BLUE = {"a": Unit("Tanks"), "b": Unit("Foot")}, {"c": Unit("Guns"), "d": Unit("Horse")}


def compared(ranks: Mapping[Side, Sequence[int] | None], judge: Judge[Unit] | None, trims: Sequence[Trim]) -> Result:
    order = {side: by_rank(units, ranks[side] or [1, 2]) for side, units in (("red", RED), ("blue", BLUE))}
    pairs = list(zip(order["red"], order["blue"], strict=True))
    verdicts = [judge(RED[red], BLUE[blue]) if judge else "doubt" for red, blue in pairs]
    stronger: Side | None = "red" if verdicts.count("red") > len(trims) else None
    return Result([f"{a}{b}" for a, b in pairs], list(trims), [Step("toy.rule", ", ".join(verdicts))], stronger)


def refuse(before: object, trims: Sequence[Trim]) -> None:
    if any(trim.side != "red" for trim in trims):
        raise ParityError("only red is stronger")


FORCES = Comparing({"red": RED, "blue": BLUE}, lambda unit: [unit.name.lower()], compared, refuse)


class Script:
    """A conversation that answers from a list."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.said: list[str] = []

    def ask(self, words: str) -> str:
        self.said.append(words)
        return self.lines.pop(0)

    def say(self, words: str) -> None:
        self.said.append(words)


def test_what_is_said_beforehand_is_not_asked() -> None:
    talk = Script()
    wishes = ParityWishes(rank_red="2,1", rank_blue="1 2", verdicts="red doubt")
    result = compare_aloud(FORCES, wishes, talk)
    assert result.steps == (("red, doubt", "toy.rule"),)
    assert result.data["pairings"] == ["bc", "ad"]
    assert talk.said == []
    assert compare_aloud(FORCES, ParityWishes(auto=True), talk).data["stronger"] is None


def test_what_is_not_said_is_asked_until_it_can_be_read() -> None:
    talk = Script("1,1", "1,2", "2,1", "maybe", "red", "blue", "")
    result = compare_aloud(FORCES, ParityWishes(), talk)
    assert result.steps[0][0] == "red, blue"
    assert any("Not so: rank 2 Units with each number" in line for line in talk.said)
    assert any("'maybe' is no side" in line for line in talk.said)
    assert sum("which is the more threatening" in line for line in talk.said) == 3


def test_the_stronger_side_may_leave_something_at_home() -> None:
    talk = Script("1,2", "1,2", "red", "blue", "b")
    result = compare_aloud(FORCES, ParityWishes(), talk)
    assert result.data["trims"] == [{"side": "red", "unit": "b"}]
    assert result.data["stronger"] is None


@pytest.mark.parametrize(
    "wishes",
    [
        ParityWishes(rank_red="1,x", auto=True),
        ParityWishes(rank_red="1,2", rank_blue="1,2", verdicts="red"),
        ParityWishes(auto=True, trims=("blue:c",)),
        ParityWishes(auto=True, trims=("green:c",)),
        ParityWishes(auto=True, trims=("red:a:tank",)),
    ],
)
def test_what_does_not_fit_is_an_error(wishes: ParityWishes) -> None:
    with pytest.raises(ParityError):
        compare_aloud(FORCES, wishes, Script())


def test_words_are_read() -> None:
    assert numbers(" 3, 1 2") == [3, 1, 2]
    assert read_trim("red:tanks:tiger=2") == Trim("red", "tanks", "tiger", 2)
