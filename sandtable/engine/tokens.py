"""Names within a text: whoever writes it says what he means, and nobody has to guess it from the words.

A name that stands for something is written as a token, `[[team:red-1-rifle-2|Red Rifle 2]]`: what kind of thing, its
id, and what people call it. A page makes a link of it, a terminal prints the name alone: `plain` for text as people
read it, `parts` for whoever wants to know what is meant. Events, questions, refusals, labels and the reasons for dice
may hold tokens; the ids of things that a seat may not know stand in no text for it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["unit", "team", "rule", "place"]
TOKEN = re.compile(r"\[\[(unit|team|rule|place):([^\[\]|]+)\|([^\[\]]*)\]\]")
NO_ID = re.compile(r"[\[\]|]")


class Token(NamedTuple):
    """Something that a text names. The id of a place is its two coordinates in inches: `12.5,30`."""

    kind: Kind
    id: str
    name: str


def token(kind: Kind, id: str, name: str) -> str:
    """A name as it stands in a text. What players write into set-ups is no token of its own, and breaks none."""
    name = name.replace("[", "(").replace("]", ")")
    return name if not id or NO_ID.search(id) else f"[[{kind}:{id}|{name}]]"


def place(x: float, y: float) -> str:
    """A point of the table."""
    return token("place", f"{x:g},{y:g}", f"{x:g}, {y:g}")


def plain(text: str) -> str:
    """A text as people read it."""
    return TOKEN.sub(r"\3", text) if "[[" in text else text


def parts(text: str) -> list[str | Token]:
    """A text in pieces: what is only said, and what stands for something."""
    found: list[str | Token] = []
    end = 0
    for match in TOKEN.finditer(text):
        if match.start() > end:
            found.append(text[end : match.start()])
        found.append(Token(*match.groups()))  # type: ignore[arg-type]
        end = match.end()
    return [*found, text[end:]] if end < len(text) else found
