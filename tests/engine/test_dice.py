"""The dice door: wherever the numbers come from, a game cannot tell, and the record can be checked."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import (
    SERIES,
    Dice,
    EvenDice,
    ForkedDice,
    OtherDice,
    OutOfDice,
    ScriptedDice,
    SealedDice,
    SeededDice,
    Throw,
    TypedDice,
)
from sandtable.engine.game import Astray
from sandtable.testing import play_random

from .toy import find, new_game, play


def chi_square(values: list[int], sides: int) -> float:
    expected = len(values) / sides
    counts = Counter(values)
    assert set(counts) == set(range(1, sides + 1))
    return sum((count - expected) ** 2 / expected for count in counts.values())


# Seeded.


@pytest.mark.parametrize(
    ("seed", "dice", "later"),
    [
        (0, [2, 1, 2, 5, 2, 1, 6, 3, 6, 3, 2, 5], [6, 6, 10, 9]),
        (1, [1, 4, 2, 1, 6, 1, 1, 1, 2, 1, 1, 2], [5, 9, 6, 8]),
        (2014, [3, 2, 2, 1, 2, 5, 5, 2, 3, 5, 5, 6], [10, 3, 8, 3]),
        (-5, [3, 1, 1, 4, 4, 3, 5, 2, 2, 3, 2, 2], [6, 12, 11, 11]),
        (2**64 + 7, [2, 2, 3, 6, 6, 1, 1, 1, 3, 5, 5, 6], [3, 9, 5, 8]),
    ],
)
def test_a_seed_gives_the_same_dice_on_every_machine(seed: int, dice: list[int], later: list[int]) -> None:
    assert SeededDice(seed).draw(12, 6) == dice
    assert SeededDice(seed, count=1000).draw(4, 12) == later


@pytest.mark.parametrize(("sides", "limit"), [(2, 10.8), (3, 13.8), (6, 20.5), (12, 31.3)])
def test_seeded_and_sealed_dice_are_fair(sides: int, limit: float) -> None:
    """The limits are where one fair source in a thousand would fail; the seeds are fixed, so none fails by chance."""
    for source in (SeededDice(7), SealedDice(b"a fixed secret")):
        assert chi_square(source.draw(24_000, sides), sides) < limit


def test_a_die_says_nothing_of_the_next() -> None:
    values = SeededDice(3).draw(36_001, 6)
    pairs = [6 * (a - 1) + b for a, b in pairwise(values)]
    assert chi_square(pairs, 36) < 66.6


def test_the_first_die_of_many_seeds_is_fair() -> None:
    """Whoever plays seeds 1 to 6,000 sees as many different games."""
    assert chi_square([SeededDice(seed).draw(1, 6)[0] for seed in range(6000)], 6) < 20.5


def test_neighbouring_seeds_do_not_share_their_dice() -> None:
    """Not the same row of dice begun one die later, either."""
    first, second = SeededDice(41).draw(200, 6), SeededDice(42).draw(200, 6)
    for shift in range(20):
        assert first[shift : shift + 100] != second[:100]
        assert second[shift : shift + 100] != first[:100]


@pytest.mark.parametrize(
    "source", [SeededDice(5), SealedDice(b"s"), ScriptedDice([*range(1, 7)] * 20), ForkedDice([6, 6, 1], 5)]
)
def test_setting_the_count_back_rewinds_every_source(source: Dice) -> None:
    first = [*(source.draw(2, 6) or []), *(source.draw(5, 6) or [])]
    after = source.draw(4, 6)
    source.count = 0
    assert source.draw(7, 6) == first
    assert source.draw(4, 6) == after
    source.count = 5
    assert source.draw(2, 6) == first[5:]


# Sealed.


def test_a_sealed_source_is_fixed_by_its_secret_and_known_by_its_commitment() -> None:
    dice = SealedDice(b"castle")
    assert dice.commitment == "913a53d7df2fad651bed414afb045378c3495b23d5174bead8091dcc8cdef8ff"
    assert dice.draw(12, 6) == [4, 6, 4, 2, 4, 3, 2, 1, 6, 5, 6, 4]
    assert SealedDice(b"castlf").draw(12, 6) != SealedDice(b"castle").draw(12, 6)


def test_whoever_learns_the_secret_can_check_every_die() -> None:
    line = record.dice_line(SealedDice(b"castle"), reveal=False)
    assert (line.secret, line.seed) == (None, None)
    opened = record.dice_of(line, b"castle".hex())
    assert opened.draw(5, 6) == SealedDice(b"castle").draw(5, 6)
    told = record.dice_line(SealedDice(b"castle"), reveal=True)
    assert record.dice_of(told).draw(5, 6) == SealedDice(b"castle").draw(5, 6)


@pytest.mark.parametrize(
    ("secret", "says"),
    [
        (None, "still sealed"),
        (b"castlf".hex(), "does not match the commitment"),
        ("not hexadecimal", "pairs of the digits"),
        ("ä", "pairs of the digits"),
    ],
)
def test_a_wrong_secret_opens_nothing(secret: str | None, says: str) -> None:
    line = record.dice_line(SealedDice(b"castle"), reveal=False)
    with pytest.raises(record.SaveError, match=says):
        record.dice_of(line, secret)


# Scripted.


def test_a_script_gives_its_dice_in_order_and_says_what_is_left() -> None:
    dice = ScriptedDice([1, 2, 3, 4])
    assert dice.draw(3, 6) == [1, 2, 3]
    assert dice.left == [4]


def test_a_script_that_runs_out_says_what_the_rules_called_for() -> None:
    dice = ScriptedDice([1, 2])
    with pytest.raises(OutOfDice, match="call for 3 d6 here but the script holds 2 more dice"):
        dice.draw(3, 6)
    assert dice.left == [1, 2]


@pytest.mark.parametrize(("value", "sides"), [(0, 6), (7, 6), (4, 3), (-1, 6)])
def test_a_face_that_the_die_does_not_have_is_an_error(value: int, sides: int) -> None:
    with pytest.raises(OutOfDice, match=f"the script gives {value} for a d{sides}"):
        ScriptedDice([value]).draw(1, sides)


# Forked.


def test_a_look_ahead_keeps_the_dice_that_have_fallen_and_then_rolls_its_own() -> None:
    first, second = ForkedDice([6, 5, 4], 1), ForkedDice([6, 5, 4], 2)
    assert (first.draw(2, 6), second.draw(2, 6)) == ([6, 5], [6, 5])
    mixed = first.draw(20, 6)
    assert mixed == [4, *SeededDice(1).draw(19, 6)]
    assert second.draw(20, 6) == [4, *SeededDice(2).draw(19, 6)]


@pytest.mark.parametrize("sides", [6, 10, 20])
def test_even_dice_show_every_face_once_before_any_comes_again(sides: int) -> None:
    for seed in range(40):
        dice = EvenDice(seed).draw(3 * sides, sides)
        packs = [dice[start : start + sides] for start in range(0, len(dice), sides)]
        assert [sorted(pack) for pack in packs] == [list(range(1, sides + 1))] * 3
        assert len({tuple(pack) for pack in packs}) > 1


def test_six_seeds_of_even_dice_show_every_face_at_each_die() -> None:
    for first in range(0, 10 * SERIES, SERIES):
        tries = [EvenDice(first + number).draw(12, 6) for number in range(SERIES)]
        assert [sorted(each) for each in zip(*tries, strict=True)] == [[1, 2, 3, 4, 5, 6]] * 12


def test_dice_that_fell_for_another_throw_are_no_dice_of_this_one() -> None:
    with pytest.raises(OtherDice, match="330 has fallen, and no d6 shows that"):
        ForkedDice([4, 330], 1).draw(2, 6)
    assert ForkedDice([4, 330], 1).draw(1, 6) == [4]


def test_an_imagined_game_that_throws_other_dice_is_astray() -> None:
    # Given a game in which dice have fallen since the last checkpoint,
    game = play(new_game(), 5, 5, "guess", 1)
    game.keep_checkpoints()
    assert game.checkpoint is not None
    imagined = msgspec.msgpack.decode(game.checkpoint.state, type=game.rules.state_type)
    assert game.fork(3, imagined).dice.count == len(game.fallen)
    # when one more had fallen than the imagined game throws, then nobody goes on from there.
    game.fallen.append(5)
    with pytest.raises(Astray, match="throws other dice"):
        game.fork(3, msgspec.msgpack.decode(game.checkpoint.state, type=game.rules.state_type))


def test_a_copy_never_sees_the_dice_that_its_origin_rolls_later() -> None:
    # Given a copy taken in the midst of a turn, after dice have fallen,
    game = play(new_game(), 5, 5, "guess", 1)
    twin, same = game.fork(99), game.fork(99)
    play(twin, "dodge")
    # when the origin goes on and rolls, and the other copy only then,
    game.accept("dodge")
    play(same, "dodge")
    # then both copies have rolled alike, not what their origin rolled.
    assert [event.text for event in same.events] == [event.text for event in twin.events]
    assert same.hash() == twin.hash()


# Re-rolls.


def test_a_die_that_was_rerolled_is_never_rerolled_again() -> None:
    game = new_game(ScriptedDice([1, 1, 6, 5, 4]))
    throw = next_of(game.throw("ann", 3, "a test"))
    assert throw.values == [1, 1, 6]
    next_of(game.reroll(throw, [0]))
    assert (throw.values, throw.before) == ([5, 1, 6], {0: 1})
    next_of(game.reroll(throw, [0, 1]))
    assert (throw.values, throw.before) == ([5, 4, 6], {0: 1, 1: 1})
    next_of(game.reroll(throw, [0, 1]))
    assert throw.values == [5, 4, 6]
    assert [throw.may_reroll(index) for index in range(3)] == [False, False, True]
    assert game.dice.count == 5


def test_no_dice_are_no_throw() -> None:
    game = new_game(ScriptedDice([]))
    assert next_of(game.throw("ann", 0, "nothing")).values == []


def next_of(flow: object) -> Throw:
    """Run a flow that must not ask anything."""
    try:
        next(flow)  # type: ignore[call-overload]
    except StopIteration as done:
        throw: Throw = done.value
        return throw
    raise AssertionError("the dice asked a question")


# Typed.


def test_typed_dice_are_questions_of_the_seat_that_throws() -> None:
    game = play(new_game(TypedDice()), 5, 5, "guess", 1, "dodge")
    assert game.ask is not None
    assert (game.ask.seat, game.ask.question.topic) == ("bob", "dice")
    assert game.ask.question.words == "Roll 2d6 for the dodge and enter what they show."
    refused = game.answer([3])
    assert refused is not None
    assert (refused.kind, refused.field, refused.legal) == ("malformed", "dice", "Give 2 numbers from 1 to 6.")
    play(game, [6, 6])
    assert game.dice.count == 2
    assert game.events[-1].dice[0].values == [6, 6]


def test_a_reroll_leaves_what_was_typed_in_the_record() -> None:
    # Given a dodge of 1 and 6, of which the 1 is re-rolled,
    game = play(new_game(TypedDice()), 5, 5, "guess", 1, "dodge", [1, 6], [4])
    assert game.events[-1].dice[0].values == [4, 6]
    assert game.events[-1].dice[0].before == {0: 1}
    # then the record still says 1 and 6, and replays.
    assert [entry.answer for entry in game.record[-2:]] == [[1, 6], [4]]
    saved = record.loads(record.dumps(game))
    assert record.replay(saved, find).game.hash() == game.hash()


def test_a_whole_battle_with_typed_dice_is_in_its_record() -> None:
    rules = rulesets.load("tr14")
    game = play_random(rules, rules.scenario("ridge"), 4, dice=TypedDice())
    typed = [entry for entry in game.record if entry.topic == "dice"]
    assert sum(len(entry.answer) for entry in typed) == game.dice.count > 100
    saved = record.loads(record.dumps(game))
    assert saved.header.dice == record.DiceLine("typed")
    replayed = record.replay(saved, rulesets.load)
    assert replayed.differs == []
    assert replayed.game.hash() == game.hash()


def test_a_copy_of_a_game_with_typed_dice_rolls_for_itself() -> None:
    game = play(new_game(TypedDice()), 5, 5, "guess", 1, "dodge", [2, 2], "pass", "guess", 3)
    twin = game.fork(3)
    assert twin.state == game.state
    random = Random(1)
    while twin.ask is not None:
        assert twin.ask.question.topic != "dice"
        twin.accept(twin.ask.question.sample(random))
