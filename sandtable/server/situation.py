"""A moment of a game as a situation file: what the seat does not know is left out, and it says so."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal
from sandtable.engine.toml_text import toml
from sandtable.server.outgoing import EVERYTHING


def known_state(game: Game[Any], seat: str | None) -> Any | Refusal:
    """The state of the last checkpoint without what a seat does not know; a watcher knows of neither side."""
    rules = game.rules
    assert game.checkpoint is not None
    state = msgspec.msgpack.decode(game.checkpoint.state, type=rules.state_type)
    if seat == EVERYTHING:
        return state
    if not rules.imagines(state, None):
        return Refusal("illegal", "While forces are set down, too much is hidden. Try a moment after that.")
    if rules.told is not None:
        return rules.told(game, seat)
    hides = any(rules.imagine(game, each) is not None for each in rules.seats)
    return Refusal("illegal", "The moments of this game are not handed out while it lasts.") if hides else state


def situation(game: Game[Any], seat: str | None, title: str) -> str | Refusal:
    """The file: the set-up of the last large question before the moment, and what is asked there."""
    rules = game.rules
    state = known_state(game, seat)
    if isinstance(state, Refusal):
        return state
    plain = msgspec.to_builtins(game.setup)
    fields = rules.setup_type.__struct_fields__
    plain |= {name: value for name, value in msgspec.to_builtins(state).items() if name in fields}
    # Values that the state holds as usual are left out there, and must not stay as the set-up had them.
    for name in fields:
        if name in state.__struct_fields__ and name not in msgspec.to_builtins(state):
            plain.pop(name, None)
    try:
        setup = msgspec.convert(plain, rules.setup_type)
    except msgspec.ValidationError:
        return Refusal("illegal", "At this moment the battle is over: there is nothing to try out.")
    for problem in rules.problems(setup):
        return Refusal("illegal", f"This moment cannot be set up: {problem}")
    again: Game[Any] = Game(rules, setup, SeededDice(1))
    eyes = "everybody" if seat is None else "everything" if seat == EVERYTHING else seat
    document: dict[str, Any] = {
        "format": "sandtable.situation",
        "name": title,
        "ruleset": rules.name,
        "about": f"Taken from a game as {eyes} knew it; what was hidden is left out.",
    }
    if again.fallen:
        document["dice"] = list(again.fallen)
    if again.ask is not None:
        document["expect"] = {"asked": {"seat": again.ask.seat, "topic": again.ask.question.topic}}
    document["setup"] = plain
    return toml(document)
