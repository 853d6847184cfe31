"""The account of a battle that is over, made from what its room keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.account import Account, account
from sandtable.server.room import make_dice

if TYPE_CHECKING:
    from sandtable.engine.ruleset import Result
    from sandtable.server.room import Room


def make(room: Room, result: Result) -> Account:
    """Play the battle once more; it is over, so nothing in the room changes meanwhile."""
    told = account(room.game, make_dice(room.dice), result=result, start=room.base)
    assert told is not None, "the battle has a result"
    return told
