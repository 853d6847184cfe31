"""Two battles that differ only in what the enemy has not seen, and a player who keeps it so."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable.engine.game import Game
from sandtable.rulesets.hof.core.state import Setup, State, Unit


def disguised(setup: Setup, side: str, random: Random) -> Setup:
    """The same battle with other Teams in the Units of one side that the enemy has not seen."""
    twin: Setup = msgspec.convert(msgspec.to_builtins(setup), Setup)
    for unit in twin.units.values():
        if unit.side == side and not unit.kind:
            disguise(unit, random)
    return twin


def disguise(unit: Unit, random: Random) -> None:
    unit.name = f"{unit.name} in disguise"
    for name, team in list(unit.teams.items()):
        if team.role == "" and team.kind.category == "infantry" and not team.kind.small and random.random() < 0.5:
            team.profile = "rifle"
            if random.random() < 0.3 and len(unit.teams) > 4:
                del unit.teams[name]


def hiding(side: str) -> Any:
    """A player at random; the side with the secret keeps hidden and only ends its turns."""

    def choose(first: Game[State], second: Game[State], random: Random) -> Any:
        assert first.ask is not None
        question, seat = first.ask.question, first.ask.seat
        if seat == side and question.topic == "manner":
            return "hidden" if "hidden" in (question.answers() or []) else "edge"
        if seat == side and question.topic in ("activate", "react"):
            return "end" if question.topic == "activate" else "pass"
        return question.sample(random)

    return choose
