"""A toy game that shares nothing with the real ones: two players hide a number each and guess the other's.

It has what an engine must cope with: a hidden number, an event that each seat sees differently, an interrupt of the
other player, dice and re-rolls, checkpoints and questions between them, and a secret that comes out.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.dice import Dice, SeededDice
from sandtable.engine.events import Event
from sandtable.engine.game import Flow, Game, Observer
from sandtable.engine.questions import Choose, ChooseNumber, Option, illegal, options_of
from sandtable.engine.ruleset import Ask, Result, Ruleset
from sandtable.engine.toml_lines import Steps
from sandtable.engine.worth import Term, Worth
from sandtable.table.scene import Scene

DODGED = 9
WEIGHTS = {"points": Term(1.0, "more points")}


class Setup(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    rounds: int = 3
    highest: int = 9
    title: str = "Guesses"


class State(msgspec.Struct, omit_defaults=True):
    round: int = 1
    active: str = "ann"
    hidden: dict[str, int] = {}
    points: dict[str, int] = {}
    misses: int = 0
    result: Result | None = None


def other(seat: str) -> str:
    return "bob" if seat == "ann" else "ann"


def begin(setup: Setup) -> State:
    return State(points={"ann": 0, "bob": 0})


def flow(game: Game[State]) -> Flow[None]:
    state = game.state
    for seat in ("ann", "bob"):
        if seat not in state.hidden:
            yield from hide(game, seat)
    while state.round <= game.setup.rounds:
        yield from turn(game, state.active)
        state.round += state.active == "bob"
        state.active = other(state.active)
    best = max(state.points.values())
    leaders = [seat for seat, points in state.points.items() if points == best]
    state.result = Result(leaders[0] if len(leaders) == 1 else None, f"{best} points", "toy.end")


def hide(game: Game[State], seat: str) -> Flow[None]:
    question = ChooseNumber("hide", "Hide a number.", 1, game.setup.highest, rules=("toy.hide",))
    number = yield Ask(seat, question, checkpoint=True)
    game.state.hidden[seat] = number
    public = Event("hidden", f"{seat} hides a number.", ["toy.hide"], seat)
    mine = Event("hidden", f"{seat} hides {number}.", ["toy.hide"], seat, data={"number": number})
    mine.only, mine.others = [seat], public
    game.tell_event(mine)


def turn(game: Game[State], seat: str) -> Flow[None]:
    resigning = illegal("toy.resign", "Nobody resigns here.", field="act")
    options = options_of(
        (Option("guess", "Guess"), None), (Option("pass", "Pass"), None), (Option("resign", "Resign"), resigning)
    )
    facts = {"round": game.state.round, "points": game.state.points[seat], "seat": seat}

    act = yield Ask(seat, Choose("act", "Guess or pass?", options, rules=("toy.act",), facts=facts), checkpoint=True)
    if act == "pass":
        game.tell("passed", f"{seat} passes.", "toy.act", seat=seat)
        return
    number = yield Ask(seat, ChooseNumber("guess", "Which number?", 1, game.setup.highest, rules=("toy.guess",)))
    foe = other(seat)
    words = f"{seat} guesses {number}. Dodge?"
    replies = [Option("stand", "Stand"), Option("dodge", "Dodge")]
    reply = yield Ask(foe, Choose("interrupt", words, replies, rules=("toy.dodge",)))
    if reply == "dodge":
        throw = yield from game.throw(foe, 2, "the dodge")
        yield from game.reroll(throw, [index for index, value in enumerate(throw.values) if value == 1])
        game.tell("dodge", f"{foe} rolls {sum(throw.values)}.", "toy.dodge", seat=foe, dice=[throw])
        if sum(throw.values) >= DODGED:
            return
    if number == game.state.hidden[foe]:
        game.state.points[seat] += 1
        game.tell_event(Event("hit", f"{foe} had hidden {number}.", ["toy.guess"], seat, reveals=True))
    else:
        game.state.misses += 1
        game.tell("miss", f"{foe} had not hidden {number}.", "toy.guess", seat=seat)


def view(game: Game[State], seat: str | None) -> dict[str, Any]:
    state = game.state
    mine = {"mine": state.hidden[seat]} if seat in state.hidden else {}
    hidden = sorted(state.hidden)
    return {"round": state.round, "active": state.active, "points": dict(state.points), "hidden": hidden, **mine}


def imagine(game: Game[State], seat: str) -> State:
    """The last checkpoint's state with another number hidden by the other player."""
    assert game.checkpoint is not None
    state = msgspec.msgpack.decode(game.checkpoint.state, type=State)
    foe = other(seat)
    if foe in state.hidden:
        state.hidden[foe] = state.hidden[foe] % game.setup.highest + 1
    return state


def invariants(game: Game[State]) -> list[str]:
    return [f"{seat} has {points} points" for seat, points in game.state.points.items() if points < 0]


def faults(setup: Setup) -> list[tuple[Steps, str]]:
    return [] if setup.highest >= 1 else [(("highest",), "a number must be left to hide")]


TOY = Ruleset(
    name="toy",
    title="Guesses",
    version="1",
    seats=("ann", "bob"),
    setup_type=Setup,
    state_type=State,
    prepare=lambda setup: "prepared",
    begin=begin,
    flow=flow,
    view=view,
    imagine=imagine,
    result=lambda state: state.result,
    turn=lambda state: state.round,
    worth=Worth(lambda game, seat: {"points": game.state.points[seat] - game.state.points[other(seat)]}, WEIGHTS),
    summary=lambda state: {seat: {"points": points} for seat, points in state.points.items()},
    scene=lambda game, seat: Scene(1.0, 1.0, [], []),
    scenarios=lambda: ["short"],
    scenario=lambda name: Setup(),
    faults=faults,
    invariants=invariants,
)


def find(name: str) -> Ruleset:
    assert name == "toy"
    return TOY


def new_game(dice: Dice | None = None, *observers: Observer, rounds: int = 3, rules: Ruleset = TOY) -> Game[Any]:
    return Game(rules, Setup(rounds=rounds), dice or SeededDice(1), observers=observers)


def play(game: Game[Any], *answers: object) -> Game[Any]:
    """Give answers that must all be taken."""
    for answer in answers:
        refused = game.answer(answer)
        assert refused is None, f"{answer!r} is refused: {refused}"
    return game


def dump(game: Game[Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(game.state)
    return plain
