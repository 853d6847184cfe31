"""The dice door: every random number of a game comes through here.

A ruleset asks the game for a throw and never learns where the numbers come from: a seed, a script, people at a
real table, or a secret that was committed to beforehand. Each source is a function of (key, count), so a game
is rewound by setting the count back.
"""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import msgspec
import numpy as np

from sandtable.engine.errors import SandtableError
from sandtable.engine.numbers import Count

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
SERIES = 6
"""How many seeds of even dice belong together."""

AT_ONCE = 128
"""So many dice are worked out together: each by itself would cost more."""


class Throw(msgspec.Struct, omit_defaults=True, gc=False):
    """Dice that were thrown together: what they show, and what re-rolled dice showed before."""

    seat: str
    why: str
    values: list[Count]
    sides: Count = 6
    before: dict[Count, Count] = {}

    @property
    def value(self) -> int:
        return self.values[0]

    def may_reroll(self, index: int) -> bool:
        """A die that was re-rolled once is never re-rolled again, by any rule of any ruleset."""
        return index not in self.before


class OutOfDice(SandtableError):
    """A script has no die left for a throw that the rules demand."""


class OtherDice(SandtableError):
    """The dice that have fallen are not those of the throw that is made now."""


class Dice(Protocol):
    """One source of dice. `count` is how many were drawn; setting it back rewinds the source."""

    count: int

    def draw(self, number: int, sides: int) -> list[int] | None:
        """The next dice, or None when a person must type them in."""
        ...


def mix(z: Any) -> Any:
    """The last step of SplitMix64: every bit that goes in touches every bit that comes out.

    For a number, or for many of them as an array of `np.uint64`.
    """
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class SeededDice:
    """Dice from a seed: SplitMix64 over a running count, the same on every machine."""

    def __init__(self, seed: int, count: int = 0) -> None:
        self.seed = seed
        # Mixed, or else the next seed would give the same dice one place on.
        self.key: int = mix(seed & MASK)
        self.count = count
        self.start = 0
        self.stream: list[int] = []
        """The numbers of some dice in a row, worked out together; `start` is the count of dice before the first."""

    def draw(self, number: int, sides: int) -> list[int]:
        at = self.count - self.start
        if at < 0 or at + number > len(self.stream):
            self.start, at = self.count, 0
            steps = np.arange(self.count + 1, self.count + 1 + max(number, AT_ONCE), dtype=np.uint64)
            self.stream = mix(self.key + steps * GOLDEN).tolist()
        self.count += number
        # The bias of a remainder of 64 bits is below one in 10^18: no game will ever show it.
        return [bits % sides + 1 for bits in self.stream[at : at + number]]


class SealedDice:
    """Dice fixed by a secret before the game: the commitment is shown at once, the secret at the end.

    Nobody can predict a keyed BLAKE2 stream from the dice already seen, and whoever holds the secret afterwards
    can check every die against the commitment.
    """

    def __init__(self, secret: bytes, count: int = 0) -> None:
        self.secret = secret
        self.count = count

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def draw(self, number: int, sides: int) -> list[int]:
        values = []
        for _ in range(number):
            self.count += 1
            block = hashlib.blake2b(self.count.to_bytes(8, "big"), key=self.secret[:64], digest_size=8)
            values.append(int.from_bytes(block.digest(), "big") % sides + 1)
        return values


class ScriptedDice:
    """Dice written down beforehand, for tests and situations: running out, or a face that is not there, is an error."""

    def __init__(self, values: list[int] | None = None, count: int = 0) -> None:
        self.values = list(values or [])
        self.count = count

    @property
    def left(self) -> list[int]:
        return self.values[self.count :]

    def draw(self, number: int, sides: int) -> list[int]:
        if self.count + number > len(self.values):
            wanted = f"{number} d{sides}"
            raise OutOfDice(f"the rules call for {wanted} here but the script holds {len(self.left)} more dice")
        values = self.values[self.count : self.count + number]
        for value in values:
            if not 1 <= value <= sides:
                raise OutOfDice(f"the script gives {value} for a d{sides}")
        self.count += number
        return values


class TypedDice:
    """Dice rolled at a real table: the game asks a person for every throw, so they are answers of the record."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def draw(self, number: int, sides: int) -> None:
        return None


class EvenDice(SeededDice):
    """Dice as they fall in the long run: each face comes up once before any comes up again, in an order by chance.

    For those who look ahead: a few such throws say more of what is to be expected than a few of real dice. Faces are
    dealt by the number of sides, each kind of die from packs of its own; setting the count back deals the same again.
    Six seeds in a row (6 to 11, say) deal the same packs, each from another die on: tries by them show every face once
    for each die that falls.
    """

    def __init__(self, seed: int, count: int = 0) -> None:
        series, self.turned = divmod(seed, SERIES)
        super().__init__(series, count)

    def draw(self, number: int, sides: int) -> list[int]:
        first = self.count
        self.count += number
        return [self.face(at, sides) for at in range(first, first + number)]

    def face(self, at: int, sides: int) -> int:
        pack = list(range(1, sides + 1))
        bits = mix((self.key + (at // sides + 1) * GOLDEN) & MASK)
        for place in range(sides - 1, 0, -1):
            other = bits % (place + 1)
            bits //= place + 1
            pack[place], pack[other] = pack[other], pack[place]
        return pack[(at + self.turned) % sides]


class ForkedDice:
    """For a look ahead: first the dice that have fallen since the checkpoint, then others from a fresh seed."""

    def __init__(self, fallen: list[int], seed: int, *, even: bool = False) -> None:
        self.fallen = fallen
        self.after = EvenDice(seed) if even else SeededDice(seed)
        self.count = 0

    def draw(self, number: int, sides: int) -> list[int]:
        start = self.count
        self.count += number
        known = self.fallen[start : self.count]
        if known and max(known) > sides:
            raise OtherDice(f"{max(known)} has fallen, and no d{sides} shows that")
        if len(known) == number:
            return known
        # Not simply on from the last draw: whoever sets `count` back must meet the same dice again.
        self.after.count = max(0, start - len(self.fallen))
        return known + self.after.draw(number - len(known), sides)
