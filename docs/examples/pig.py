"""Pig, a complete ruleset: throw as often as you dare, bank what you have, and a 1 costs you the pot.

To show how something is hidden, each player first chooses a lucky number in secret: it counts double for him.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.events import Event
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, ChooseNumber, Option
from sandtable.engine.ruleset import SEATS, Ask, Result, Ruleset, Score
from sandtable.engine.worth import Term, Worth
from sandtable.field.troops import Table
from sandtable.table.scene import Scene


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    goal: int = 30
    title: str = "Pig"
    table: Table = Table(6.0, 6.0)


class State(msgspec.Struct):
    goal: int
    score: dict[str, int]
    lucky: dict[str, int] = {}
    known: list[str] = []
    player: str = "red"
    pot: int = 0
    turns: int = 1
    result: Result | None = None


def play(game: Game[State]) -> Flow[None]:
    """The whole game, from any checkpoint: what has been done already is found in the state."""
    state = game.state
    for seat in SEATS:
        if seat not in state.lucky:
            yield from choose_lucky_number(game, seat)
    while state.result is None:
        yield from throw_or_bank(game, state.player)


def choose_lucky_number(game: Game[State], seat: str) -> Flow[None]:
    question = ChooseNumber("lucky", "Choose your lucky number.", 2, 6, rules=("pig.start.lucky",))
    number = yield Ask(seat, question, checkpoint=True)
    game.state.lucky[seat] = number
    unseen = Event("lucky", f"{seat} has chosen a lucky number.", ["pig.start.lucky"], seat)
    game.tell_event(
        Event("lucky", f"Your lucky number is {number}.", ["pig.start.lucky"], seat, only=[seat], others=unseen)
    )


def throw_or_bank(game: Game[State], seat: str) -> Flow[None]:
    state = game.state
    options = [Option("throw", "Throw the die", ("pig.turn.throw",))]
    if state.pot:
        options.append(Option("bank", f"Bank {state.pot}", ("pig.turn.bank",)))
    question = Choose("turn", f"You have {state.pot} in the pot.", options, facts={"pot": state.pot})
    answer = yield Ask(seat, question, checkpoint=True)
    if answer == "bank":
        bank(game, seat)
        return
    throw = yield from game.throw(seat, 1, "the pot")
    if throw.value == 1:
        state.pot = 0
        game.tell("pig", f"{seat} throws a 1 and loses the pot.", "pig.turn.one", seat=seat, dice=[throw])
        pass_on(state)
        return
    lucky = throw.value == state.lucky[seat]
    state.pot += throw.value * (2 if lucky else 1)
    text = f"{seat} throws {throw.value}{', the lucky number,' if lucky else ''} and has {state.pot} in the pot."
    reveals = lucky and seat not in state.known
    if reveals:
        state.known.append(seat)
    rules = ["pig.turn.throw", "pig.turn.lucky"] if lucky else ["pig.turn.throw"]
    game.tell_event(Event("throw", text, rules, seat, [throw], data={"pot": state.pot}, reveals=reveals))


def bank(game: Game[State], seat: str) -> None:
    state = game.state
    state.score[seat] += state.pot
    game.tell("bank", f"{seat} banks {state.pot} and has {state.score[seat]}.", "pig.turn.bank", seat=seat)
    state.pot = 0
    if state.score[seat] >= state.goal:
        state.result = Result(seat, f"{seat} has {state.score[seat]} points.", "pig.end.goal")
    pass_on(state)


def pass_on(state: State) -> None:
    state.player = "blue" if state.player == "red" else "red"
    state.turns += 1


def view(game: Game[State], seat: str | None) -> dict[str, Any]:
    """Everything but the other player's lucky number until it comes out; None is a watcher."""
    plain: dict[str, Any] = msgspec.to_builtins(game.state)
    plain["lucky"] = {who: n for who, n in plain["lucky"].items() if who == seat or who in game.state.known}
    return plain


def imagine(game: Game[State], seat: str) -> State | None:
    """A state that this seat cannot tell from the true one: another number for the other player."""
    assert game.checkpoint is not None
    state = msgspec.msgpack.decode(game.checkpoint.state, type=State)
    for other in state.lucky:
        if other != seat and other not in state.known:
            state.lucky[other] = 2
    return state


WEIGHTS = {"won": Term(100.0, "the game"), "points": Term(1.0, "more points"), "pot": Term(0.8, "more in the pot")}


def weigh(game: Game[State], seat: str) -> dict[str, float]:
    state = game.state
    if state.result is not None:
        return {"won": 1.0 if state.result.winner == seat else -1.0}
    sign = 1.0 if state.player == seat else -1.0
    return {
        "points": sum(points if who == seat else -points for who, points in state.score.items()),
        "pot": sign * state.pot,
    }


def scenario(name: str) -> Setup:
    return Setup()


RULESET = Ruleset(
    name="pig",
    title="Pig",
    setup_type=Setup,
    state_type=State,
    prepare=lambda setup: None,
    begin=lambda setup: State(setup.goal, dict.fromkeys(SEATS, 0)),
    flow=play,
    view=view,
    imagine=imagine,
    turn=lambda state: state.turns,
    score=lambda state: Score({**state.score}, "points banked"),
    worth=Worth(weigh, WEIGHTS),
    summary=lambda state: {seat: {"points": points} for seat, points in state.score.items()},
    scene=lambda game, seat: Scene(6.0, 6.0, title="Pig"),
    scenarios=lambda: ["pig"],
    scenario=scenario,
    faults=lambda setup: [] if setup.goal > 0 else [(("goal",), "the goal must be above 0")],
    invariants=lambda game: [] if game.state.pot >= 0 else ["the pot is below nothing"],
)
