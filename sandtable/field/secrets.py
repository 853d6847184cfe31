"""What a side does out of its enemy's sight: it is told all of it, everybody else that something happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.dice import Throw
from sandtable.engine.events import Event
from sandtable.engine.game import Game


def tell_own(
    game: Game[Any],
    side: str,
    kind: str,
    text: str,
    others: str | Event,
    *rules: str,
    dice: Sequence[Throw] = (),
    **data: Any,
) -> None:
    """Tell a side what it does; `others` is what everybody else hears, in words or, with rules of its own, an event.

    Nobody else hears anything of it without words.
    """
    event = Event(kind, text, list(rules), side, list(dice), data=data, only=[side])
    if others:
        event.others = Event(kind, others, list(rules), side) if isinstance(others, str) else others
    game.tell_event(event)
