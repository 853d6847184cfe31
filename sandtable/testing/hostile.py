"""Hostile bodies: what is nearly right, changed by chance in what it says, in its form, or in its bytes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

DEEP = 400
LONG = 20_000


def odd_values(random: Random) -> Any:
    """Something that nobody expects there."""
    nested: Any = []
    for _ in range(random.choice((3, DEEP))):
        nested = [nested] if random.random() < 0.5 else {"a": nested}
    return random.choice(
        (
            None,
            True,
            -1,
            0,
            2**31,
            2**63,
            2**64,
            -(10**30),
            1e308,
            -0.0,
            0.1,
            "",
            "red",
            "blue",
            "*",
            "\0",
            "\ud800",
            "\u202e\U0001f4a3",
            "x" * LONG,
            "../../etc/passwd",
            "'; drop table games; --",
            "bot:random",
            "bot:../x",
            "random:999999999999",
            [],
            {},
            [0] * LONG,
            {str(number): number for number in range(1000)},
            {"to": [float(random.randint(-9, 300)), 1e300]},
            nested,
        )
    )


def changed(value: Any, random: Random) -> Any:
    """A copy in which something is odd: a value, a name, something missing or something more."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        found = dict(value)
        name = random.choice(list(found))
        how = random.random()
        if how < 0.6:
            found[name] = changed(found[name], random)
        elif how < 0.75:
            del found[name]
        elif how < 0.9:
            found[random.choice(("", "seat", "x" * 300, "\0", "__class__"))] = odd_values(random)
        else:
            found[name.upper()] = found.pop(name)
        return found
    if isinstance(value, list) and value and random.random() < 0.7:
        copy = list(value)
        place = random.randrange(len(copy))
        copy[place] = changed(copy[place], random)
        return copy * random.choice((1, 1, 1, 50))
    return odd_values(random)


def damaged(data: bytes, random: Random) -> bytes:
    """Bytes that were cut, repeated or mixed with others."""
    place = random.randrange(len(data) + 1)
    how = random.randrange(5)
    if how == 0:
        return data[:place]
    if how == 1:
        return data[:place] + random.randbytes(random.randint(1, 20)) + data[place:]
    if how == 2:
        return data[:place] + random.choice((b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"NaN", b"{" * LONG)) + data[place:]
    if how == 3:
        return data * 3
    return data[place:] + data[:place]


def body(right: Any, random: Random) -> bytes:
    """A hostile body made from a right one."""
    value = changed(right, random) if random.random() < 0.85 else right
    data = json.dumps(value).encode()
    return damaged(data, random) if random.random() < 0.25 else data


def save(right: bytes, random: Random) -> bytes:
    """A hostile file made from that of a game: a line is odd, or missing, or there twice; or the file is damaged."""
    lines = right.splitlines()
    place = min(int(random.expovariate(0.5)), len(lines) - 1)
    how = random.random()
    if how < 0.6:
        lines[place] = json.dumps(changed(json.loads(lines[place]), random)).encode()
    elif how < 0.7:
        del lines[place]
    elif how < 0.8:
        lines[place:place] = [lines[place]] * random.choice((1, 100))
    data = b"\n".join(lines) + b"\n"
    return damaged(data, random) if how > 0.8 else data
