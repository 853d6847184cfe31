"""The game loop, on a toy game: what is hidden, what is told, the way back, copies and standing answers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from sandtable import bots
from sandtable.engine.dice import ScriptedDice, SeededDice
from sandtable.engine.events import Event, Modifier, seen_by, total
from sandtable.engine.game import KEYFRAME_EVERY, SNAPSHOT_EVERY, Entry, Flow, Game, Observer, answered, decide
from sandtable.engine.questions import Option, Refusal
from sandtable.engine.seat import Seat, drive
from sandtable.engine.standing import Condition, Standing, as_proposed
from sandtable.testing import play_random

from .toy import TOY, Setup, dump, new_game, play


def asked(game: Game[Any]) -> tuple[str, str]:
    assert game.ask is not None
    return game.ask.seat, game.ask.question.topic


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events]


# Answers.


def test_a_game_is_played_by_answers_to_its_end() -> None:
    # Given two hidden numbers and three rounds,
    game = play(new_game(ScriptedDice([6, 2])), 4, 7)
    # when ann guesses right and bob stands, bob passes, ann's next right guess is not dodged,
    play(game, "guess", 7, "stand", "pass", "guess", 7, "dodge", "pass", "pass", "pass")
    # then she has won.
    assert game.over
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == ("ann", "2 points")
    assert [entry.topic for entry in game.record[:5]] == ["hide", "hide", "act", "guess", "interrupt"]
    assert [entry.seat for entry in game.record[:5]] == ["ann", "bob", "ann", "ann", "bob"]


def test_a_refused_answer_says_why_and_changes_nothing() -> None:
    game = play(new_game(), 4, 7)
    before = game.hash()
    refused = game.answer("resign")
    assert refused is not None
    assert (refused.kind, refused.rule) == ("illegal", "toy.resign")
    assert (game.hash(), len(game.record), asked(game)) == (before, 2, ("ann", "act"))


def test_a_flow_without_dice_is_carried_out_as_it_proposes_or_otherwise() -> None:
    def flow() -> Flow[bool]:
        return (yield from decide("red", "go", "Go on?", Option("yes", "Yes"), Option("no", "No")))

    assert answered(flow())
    assert not answered(flow(), lambda question: "no")


def test_only_the_seat_that_is_asked_may_answer() -> None:
    game = new_game()
    refused = game.answer(4, seat="bob")
    assert refused is not None
    assert (refused.kind, refused.field, refused.message) == ("unasked", "seat", "It is ann who is asked now.")
    assert game.record == []
    assert game.answer(4, seat="ann") is None


def test_after_the_end_nothing_is_asked() -> None:
    game = play(new_game(rounds=1), 4, 7, "pass", "pass")
    refused = game.answer("pass")
    assert refused is not None
    assert refused.kind == "unasked"
    assert "asked" not in game.view("ann")
    assert game.view(None)["result"] == {"winner": None, "reason": "0 points", "rule": "toy.end"}


def test_the_other_player_may_be_asked_in_between() -> None:
    game = play(new_game(ScriptedDice([6, 6])), 4, 7, "guess", 7)
    assert asked(game) == ("bob", "interrupt")
    assert game.answer("stand", seat="ann") is not None
    play(game, "dodge")
    assert game.state.points == {"ann": 0, "bob": 0}
    assert asked(game) == ("bob", "act")


# What may be known.


def test_a_view_holds_ones_own_secret_and_not_the_others() -> None:
    game = play(new_game(), 4, 7)
    assert game.view("ann")["table"]["mine"] == 4
    assert game.view("bob")["table"]["mine"] == 7
    assert "mine" not in game.view(None)["table"]
    assert "4" not in str(game.view("bob")["table"])


def test_a_question_is_shown_to_its_seat_alone() -> None:
    game = play(new_game(), 4, 7)
    assert game.view("ann")["asked"]["words"] == "Guess or pass?"
    assert game.view("bob")["asked"] == {"seat": "ann"}
    assert game.view(None)["asked"] == {"seat": "ann"}


def test_an_event_is_seen_by_each_seat_in_its_own_form() -> None:
    game = play(new_game(), 4, 7)
    assert texts(game.seen("ann")) == ["ann hides 4.", "bob hides a number."]
    assert texts(game.seen("bob")) == ["ann hides a number.", "bob hides 7."]
    assert texts(game.seen(None)) == ["ann hides a number.", "bob hides a number."]
    assert texts(game.seen("bob", since=1)) == ["bob hides 7."]
    for event in game.seen("bob"):
        assert "4" not in str(msgspec.to_builtins(event))
        assert event.only is None
        assert event.others is None


def test_an_event_may_have_several_forms_or_none() -> None:
    last = Event("noise", "Something moved.", only=["cat"])
    middle = Event("moved", "A tank moved.", only=["bob"], others=last)
    truth = Event("moved", "2 Platoon moved.", only=["ann"], others=middle)
    seen = {seat: seen_by(truth, seat) for seat in ("ann", "bob", "cat", "dog", None)}
    forms = {seat: event.text if event else None for seat, event in seen.items()}
    expected = {"ann": "2 Platoon moved.", "bob": "A tank moved.", "cat": "Something moved.", "dog": None, None: None}
    assert forms == expected
    assert truth.others is middle


def test_modifiers_are_listed_and_summed() -> None:
    assert total([Modifier(2, "toy.a", "near"), Modifier(-1, "toy.b", "dark")]) == 1


def test_a_seat_gives_a_player_all_that_he_needs() -> None:
    game = play(new_game(), 4, 7)
    seat = Seat(game, "ann")
    assert (seat.ruleset, seat.question.topic, seat.event_count) == ("toy", "act", 2)
    assert seat.view() == game.view("ann")
    assert texts(seat.events()) == ["ann hides 4.", "bob hides a number."]
    assert seat.worth(game) == 0.0
    with pytest.raises(AssertionError, match="only its own questions"):
        _ = Seat(game, "bob").question


def test_what_a_player_looks_ahead_in_does_not_know_the_secret() -> None:
    # Given bob's 7, which ann may not know,
    game = play(new_game(), 4, 7)
    # when she tries the right guess in a copy, then it is another number there and she learns nothing.
    copy = Seat(game, "ann").look(1)
    assert copy is not None
    twin = play(copy, "guess", 7, "stand")
    assert twin.state.hidden == {"ann": 4, "bob": 8}
    assert twin.state.points["ann"] == 0


# Undo.


def test_undo_and_redo_within_ones_own_answers() -> None:
    game = play(new_game(), 4, 7)
    before = game.hash()
    play(game, "guess")
    between = game.hash()
    play(game, 3)
    # Ann may take back her guess and then her choice to guess at all, since nobody has answered since,
    assert game.undo("ann") is None
    assert (asked(game), game.hash()) == (("ann", "guess"), between)
    assert game.undo("ann") is None
    assert (asked(game), game.hash()) == (("ann", "act"), before)
    # and give both again.
    assert game.redo("ann") is None
    assert game.redo("ann") is None
    assert asked(game) == ("bob", "interrupt")
    assert [entry.answer for entry in game.record] == [4, 7, "guess", 3]
    assert [words for _, words in game.notes] == [
        "ann takes back an answer (guess)",
        "ann takes back an answer (act)",
        "ann gives the answer again (act)",
        "ann gives the answer again (guess)",
    ]


def test_undo_takes_back_what_was_told() -> None:
    game = play(new_game(), 4)
    assert texts(game.events) == ["ann hides 4."]
    assert game.undo("ann") is None
    assert game.events == []
    play(game, 5)
    assert texts(game.events) == ["ann hides 5."]


def test_undo_stops_at_another_players_answer() -> None:
    game = play(new_game(), 4, 7)
    refused = game.undo("ann")
    assert refused is not None
    assert refused.message == "The other player has answered since."
    assert len(game.record) == 2


def test_undo_stops_at_a_die() -> None:
    game = play(new_game(ScriptedDice([6, 6])), 4, 7, "guess", 7, "dodge")
    refused = game.undo("bob")
    assert refused is not None
    assert "A die has fallen" in refused.message


def test_undo_stops_at_a_revealed_secret_but_not_at_a_mere_miss() -> None:
    hit = play(new_game(), 4, 7, "guess", 7, "stand")
    refused = hit.undo("bob")
    assert refused is not None
    assert "a secret has come out" in refused.message
    miss = play(new_game(), 4, 7, "guess", 6, "stand")
    assert miss.undo("bob") is None
    assert miss.state.misses == 0


def test_undo_reaches_up_to_the_die_and_no_further() -> None:
    game = play(new_game(ScriptedDice([6, 6])), 4, 7, "guess", 7, "dodge", "pass")
    assert game.undo("bob") is None
    assert asked(game) == ("bob", "act")
    refused = game.undo("bob")
    assert refused is not None
    assert "A die has fallen" in refused.message


def test_with_nothing_done_there_is_nothing_to_take_back() -> None:
    game = new_game()
    assert isinstance(game.undo("ann"), Refusal)
    assert isinstance(game.redo("ann"), Refusal)


@pytest.mark.parametrize("by", ["answer", "accept"])
def test_another_answer_ends_what_could_be_redone(by: str) -> None:
    game = play(new_game(), 4, 7, "guess")
    assert game.undo("ann") is None
    getattr(game, by)("pass")
    assert isinstance(game.redo("ann"), Refusal)


def test_one_seat_does_not_redo_for_another() -> None:
    game = play(new_game(), 4, 7, "guess")
    assert game.undo("ann") is None
    assert isinstance(game.redo("bob"), Refusal)
    assert game.redo("ann") is None


# Rewind and copies.


def test_a_game_can_be_rewound_to_any_answer() -> None:
    hashes: list[str] = []
    counts: list[int] = []

    def watch(game: Game[Any]) -> None:
        hashes.append(game.hash())
        counts.append(len(game.events))

    game = play_random(TOY, Setup(rounds=3 * KEYFRAME_EVERY), 5, watch=watch)
    answers = [entry.answer for entry in game.record]
    assert len(game.keyframes) > 3
    for entries in range(len(answers) - 1, -1, -61):
        game.rewind(entries)
        assert (game.hash(), len(game.events)) == (hashes[entries], counts[entries])
        assert len(game.record) == len(game.marks) == entries
    # Going on from there gives the same game.
    play(game, *answers[len(game.record) :])
    assert [entry.answer for entry in game.record] == answers
    assert game.over


def test_keyframes_are_kept_now_and_then() -> None:
    game = new_game(rounds=200)
    play(game, 4, 7, *["pass"] * (4 * KEYFRAME_EVERY - 10))
    kept = [frame.entries for frame in game.keyframes]
    gaps = [after - before for before, after in pairwise(kept)]
    assert kept[0] == 0
    assert len(gaps) == 3
    assert all(KEYFRAME_EVERY <= gap < KEYFRAME_EVERY + SNAPSHOT_EVERY for gap in gaps)


def test_a_copy_goes_on_from_the_midst_of_a_turn_with_other_dice() -> None:
    game = play(new_game(SeededDice(3)), 4, 7, "guess", 7)
    before = game.hash()
    rolls = set()
    for seed in range(12):
        twin = game.fork(seed)
        assert (dump(twin), asked(twin)) == (dump(game), ("bob", "interrupt"))
        play(twin, "dodge")
        rolls.add(twin.events[-2].text if twin.events[-1].kind == "hit" else twin.events[-1].text)
    assert len(rolls) > 3
    assert (game.hash(), asked(game), game.dice.count) == (before, ("bob", "interrupt"), 0)


def test_the_same_copy_rolls_the_same_dice() -> None:
    game = play(new_game(), 4, 7, "guess", 7)
    assert play(game.fork(8), "dodge").hash() == play(game.fork(8), "dodge").hash()


def test_bots_play_any_game() -> None:
    game = new_game()
    count = drive(game, {"ann": bots.make("greedy", 1), "bob": bots.make("random", 2)})
    assert game.over
    assert count == len(game.record)
    again = new_game()
    drive(again, {"ann": bots.make("greedy", 1), "bob": bots.make("random", 2)})
    assert again.hash() == game.hash()


def test_driving_stops_where_it_is_told() -> None:
    game = new_game()
    assert drive(game, {"ann": bots.make("random", 1), "bob": bots.make("random", 2)}, most=3) == 3
    assert len(game.record) == 3


# Observers and notes.


class Diary(Observer):
    def __init__(self, name: str, pages: list[str]) -> None:
        self.name = name
        self.pages = pages

    def before(self, game: Game[Any]) -> None:
        self.pages.append(f"{self.name} before")

    def answered(self, game: Game[Any], entry: Entry) -> None:
        self.pages.append(f"{self.name} {entry.seat}:{entry.answer}")

    def happened(self, game: Game[Any], event: Event) -> None:
        self.pages.append(f"{self.name} {event.kind}")

    def after(self, game: Game[Any]) -> None:
        self.pages.append(f"{self.name} after")


def test_observers_are_told_everything_in_order() -> None:
    pages: list[str] = []
    play(new_game(None, Diary("A", pages), Diary("B", pages), rounds=1), 4, 7, "pass", "pass")
    told = [page.removeprefix("A ") for page in pages if page.startswith("A")]
    assert told == [
        "before",
        "hidden",
        "ann:4",
        "hidden",
        "bob:7",
        "passed",
        "ann:pass",
        "passed",
        "bob:pass",
        "after",
    ]
    assert pages[0::2] == [f"A {page}" for page in told]
    assert pages[1::2] == [f"B {page}" for page in told]


def test_an_observer_that_does_nothing_is_allowed() -> None:
    assert play(new_game(None, Observer(), rounds=1), 4, 7, "pass", "pass").over


def test_observers_are_not_told_twice_of_what_is_replayed() -> None:
    pages: list[str] = []
    game = play(new_game(None, Diary("A", pages)), 4, 7, "guess", 3)
    told = len(pages)
    assert game.undo("ann") is None
    assert len(pages) == told
    play(game, 2)
    assert pages[-1] == "A ann:2"


def test_a_note_is_about_the_record_and_has_no_effect() -> None:
    game = play(new_game(), 4, 7)
    before = game.hash()
    game.note("The tea is ready.")
    assert game.notes == [(2, "The tea is ready.")]
    assert (game.hash(), texts(game.events)) == (before, ["ann hides 4.", "bob hides 7."])


# Standing answers.


def test_a_standing_answer_answers_at_once_and_every_time() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "pass"))
    assert asked(game) == ("bob", "act")
    play(game, "pass", "pass", "pass")
    assert game.over
    mine = [(entry.answer, entry.by) for entry in game.record if entry.seat == "ann"]
    assert mine == [(4, ""), ("pass", "standing"), ("pass", "standing"), ("pass", "standing")]
    assert game.notes == [(2, "ann leaves a standing answer: act: pass")]


def test_a_standing_answer_is_given_only_if_its_condition_is_met() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "pass", only=[Condition("round", ">=", 2)]))
    assert asked(game) == ("ann", "act")
    play(game, "pass", "pass")
    assert game.record[-1].by == "standing"
    assert len(game.standing) == 1


def test_a_standing_answer_ends_itself_loudly_when_its_time_has_come() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "pass", until=[Condition("round", ">=", 2)]))
    play(game, "pass")
    assert asked(game) == ("ann", "act")
    assert game.standing == []
    assert game.notes[-1] == (4, "ann's standing answer ends: round is at least 2")
    assert game.notes[0][1].endswith("act: pass (until round is at least 2)")


def test_a_standing_answer_lasts_through_its_last_turn() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "pass", last_turn=2))
    play(game, "pass", "pass")
    assert asked(game) == ("ann", "act")
    assert game.state.round == 3
    assert game.notes[-1][1] == "ann's standing answer ends: turn 2 is over"


def test_an_illegal_standing_answer_ends_and_the_seat_is_asked() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "resign"))
    assert asked(game) == ("ann", "act")
    assert game.standing == []
    assert game.notes[-1][1] == "ann's standing answer ends: it is not legal here: Nobody resigns here."
    assert len(game.record) == 2


def test_a_standing_answer_waits_for_its_own_topic_and_seat() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("bob", "interrupt", "stand"))
    assert asked(game) == ("ann", "act")
    play(game, "guess", 3)
    assert asked(game) == ("bob", "act")
    assert game.record[-1] == Entry("bob", "stand", "interrupt", "standing")


def test_what_a_standing_answer_did_may_be_taken_back() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "act", "pass"))
    assert game.undo("ann") is None
    assert asked(game) == ("ann", "act")


def test_a_standing_answer_may_be_whatever_is_proposed_first() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("bob", "interrupt act", None, proposed=True))
    play(game, "guess", 3)
    assert [(entry.topic, entry.answer, entry.by) for entry in game.record[-2:]] == [
        ("interrupt", "stand", "standing"),
        ("act", "guess", "standing"),
    ]
    assert asked(game) == ("bob", "guess")


def test_all_may_go_as_proposed_until_something_unforeseen_is_asked() -> None:
    game = play(new_game(), 4, 7)
    # Nothing in this game says what part of an order it is: that is unforeseen.
    game.leave(as_proposed("ann", 1))
    assert asked(game) == ("ann", "act")
    assert game.standing == []
    assert game.notes[-1][1] == "ann's standing answer ends: something else is asked"


# Questions that leave no choice.


def forced_game() -> Game[Any]:
    """One number only: nobody has a choice when he hides it or guesses."""
    game: Game[Any] = Game(TOY, Setup(highest=1), SeededDice(1))
    game.spares = lambda ask: ask.seat == "ann"
    game.settle()
    return game


def test_who_is_spared_is_not_asked_what_has_one_answer() -> None:
    game = forced_game()
    assert asked(game) == ("bob", "hide")
    assert game.record == [Entry("ann", 1, "hide", "forced")]
    play(game, 1, "guess")
    assert asked(game) == ("bob", "interrupt")
    assert [entry.by for entry in game.record] == ["forced", "", "", "forced"]


def test_what_was_forced_is_taken_back_and_given_again_with_the_answer_before_it() -> None:
    game = play(forced_game(), 1)
    before = game.hash()
    play(game, "guess")
    after = game.hash()
    assert game.undo("ann") is None
    assert (asked(game), game.hash()) == (("ann", "act"), before)
    assert game.redo("ann") is None
    assert (asked(game), game.hash()) == (("bob", "interrupt"), after)
    assert game.undo("ann") is None
    play(game, "pass")
    assert game.record[-1].answer == "pass"


def test_nothing_that_was_forced_can_be_taken_back_by_itself() -> None:
    game = forced_game()
    assert game.may_undo("ann") is not None
    play(game, 1, "guess")
    refused = game.undo_to("ann", 3)
    assert refused is not None
    assert "nothing else" in refused.message


def test_what_a_habit_answered_is_put_when_it_is_to_be_changed() -> None:
    game = play(new_game(), 4, 7)
    game.leave(Standing("ann", "guess", 5))
    play(game, "guess")
    assert game.record[-1] == Entry("ann", 5, "guess", "standing")
    assert game.undo_to("ann", 3) is None
    assert asked(game) == ("ann", "guess")
    play(game, 6)
    assert game.record[-1] == Entry("ann", 6, "guess")
    assert asked(game) == ("bob", "interrupt")
    assert game.undo_to("bob", 3) is not None


def test_where_an_answer_must_wait_it_is_given_later() -> None:
    game: Game[Any] = Game(TOY, Setup(highest=1), SeededDice(1))
    game.spares = game.holds = lambda ask: True
    game.settle()
    assert game.ask is not None
    assert (asked(game), game.settles(game.ask)) == (("ann", "hide"), True)
    game.holds = None
    game.settle()
    assert asked(game) == ("ann", "act")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Condition("range", "<=", 16), True),
        (Condition("range", ">=", 16), False),
        (Condition("range", "==", 12), True),
        (Condition("range", "!=", 12), False),
        (Condition("name", "in", ["tank", "gun"]), True),
        (Condition("name", "in", []), False),
        (Condition("name", "<=", 16), False),
        (Condition("flag", ">=", 0), False),
        (Condition("absent", "!=", 1), False),
    ],
)
def test_conditions_compare_with_the_facts_of_a_question(condition: Condition, holds: bool) -> None:
    assert condition.holds({"range": 12, "name": "gun", "flag": True}) is holds


@pytest.mark.parametrize(("op", "value"), [("<=", "near"), (">=", None), ("<=", True), ("in", 3), ("in", "text")])
def test_a_condition_that_cannot_be_compared_is_not_made(op: Any, value: Any) -> None:
    with pytest.raises(ValueError, match="range"):
        Condition("range", op, value)
    with pytest.raises(msgspec.ValidationError, match="range"):
        msgspec.convert({"fact": "range", "op": op, "value": value}, Condition)
