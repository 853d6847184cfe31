"""Who sits at a seat: a bot by name, a person at this terminal, or a program of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.errors import SandtableError

if TYPE_CHECKING:
    from sandtable.engine.seat import Player

PROGRAM = "program:"


class WrongSeat(SandtableError):
    """A seat that nobody can hold."""


def seat_player(name: str, seat: str, seed: int, deadline: float) -> Player:
    from sandtable import bots
    from sandtable.engine.protocol import ProgramSeat

    if name == "human":
        from sandtable.cli.human import Human

        return Human()
    if name.startswith(PROGRAM):
        return ProgramSeat(name.removeprefix(PROGRAM), deadline)
    if name not in bots.BOTS:
        known = ", ".join(["human", *bots.BOTS])
        raise WrongSeat(f"{name!r} cannot sit down as {seat}; known: {known}, or {PROGRAM}COMMAND for your own")
    # Two seats of the same bot must not think the same thoughts.
    return bots.make(name, 2 * seed + (seat == "blue"))
