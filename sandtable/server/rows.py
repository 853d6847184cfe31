"""What the columns of a stored game hold."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sandtable.engine.rebuild import Start as Start
from sandtable.engine.ruleset import Result
from sandtable.engine.standing import Standing

PERSON = "person"
BOT = "bot:"


class SeatRow(msgspec.Struct, omit_defaults=True):
    """Who sits there: a person, known by the fingerprint of a key, or a bot. `joined`: somebody has come.

    `substitute` is the bot that may take his place when he is away, as was agreed when the game was made. `lesson` is
    the one that guides this seat, if any.
    """

    holder: str
    key: str = ""
    name: str = ""
    joined: bool = False
    substitute: str = "greedy"
    lesson: str = ""

    @property
    def bot(self) -> str:
        """The name of the bot that sits here, or nothing."""
        return self.holder.removeprefix(BOT) if self.holder.startswith(BOT) else ""

    @property
    def shown(self) -> str:
        return self.holder if self.bot or self.joined else "open"


class DiceRow(msgspec.Struct, frozen=True):
    """Where the dice come from. The secret (in hexadecimal digits) also makes bots think differently each game."""

    source: Literal["sealed", "typed", "seeded"]
    secret: str
    seed: int | None = None


class RoomNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something about the game rather than the battle; only one seat reads it, if it names one.

    With `thinks` it is why the bot of that seat then chose as it did.
    """

    after: int
    words: str
    seat: str = ""
    thinks: str = ""


class KeyframeRow(msgspec.Struct, frozen=True):
    """A checkpoint of the game, from which it goes on when its rules have changed."""

    entries: int
    dice: int
    hash: str
    state: bytes


Seats = dict[str, SeatRow]


def pack(value: Any) -> bytes:
    return msgspec.json.encode(value)


def seats(data: bytes) -> Seats:
    return msgspec.json.decode(data, type=dict[str, SeatRow])


def dice(data: bytes) -> DiceRow:
    return msgspec.json.decode(data, type=DiceRow)


def standing(data: bytes) -> list[Standing]:
    return msgspec.json.decode(data, type=list[Standing])


def notes(data: bytes) -> list[RoomNote]:
    return msgspec.json.decode(data, type=list[RoomNote])


def result(data: bytes) -> Result | None:
    return msgspec.json.decode(data, type=Result | None)


def base(data: bytes) -> Start | None:
    return msgspec.json.decode(data, type=Start | None)


def keyframe(data: bytes) -> KeyframeRow | None:
    return msgspec.json.decode(data, type=KeyframeRow | None)
