"""A moment of a game as a situation file: what the seat cannot know is imagined, and says so."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game, Snapshot
from sandtable.engine.questions import Refusal
from sandtable.engine.toml_text import toml
from sandtable.server.windows import EVERYTHING


def known_state(game: Game[Any], seat: str | None) -> Any | Refusal:
    """The state of the last checkpoint with what a seat may not know imagined; a watcher knows of neither side."""
    rules = game.rules
    truth = game.checkpoint
    assert truth is not None
    if seat == EVERYTHING:
        return msgspec.msgpack.decode(truth.state, type=rules.state_type)
    for eyes in rules.seats if seat is None else (seat,):
        imagined = rules.imagine(game, eyes)
        if imagined is None:
            continue
        if not rules.imagines(imagined):
            return Refusal("illegal", "While forces are set down, too much is hidden. Try a moment after that.")
        packed = msgspec.msgpack.encode(imagined)
        truth = game.checkpoint = Snapshot(truth.entries, truth.events, truth.dice, packed)
    return msgspec.msgpack.decode(truth.state, type=rules.state_type)


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
        "about": f"Taken from a game as {eyes} knew it; what was hidden is imagined.",
    }
    if again.fallen:
        document["dice"] = list(again.fallen)
    if again.ask is not None:
        document["expect"] = {"asked": {"seat": again.ask.seat, "topic": again.ask.question.topic}}
    document["setup"] = plain
    return toml(document)
