"""How an attack went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

import re

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event, several
from sandtable.rulesets.hof.firing import CANNOT

PREVIEWS = ("target", "weapons", "victim", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("fire", "assault-check")
BEFORE_THE_DICE = re.compile(r"(.*?)(?:, \d+ (?:die|dice) needing | would need |: needs )")


def outcome(events: list[Event]) -> str:
    """What the first attack and all that follows it have done: losses, and Received Fire Points."""
    first = next((event for event in events if event.kind in ATTACKS), None)
    if first is None:
        return "does not fire"
    since = events[events.index(first) :]
    lost = [event.seat for event in since if event.kind == "lost"]
    theirs = sum(seat != first.seat for seat in lost)
    rfps = sum(int(event.data.get("rfps", 0)) for event in since if event.kind in ("received", "penetration"))
    parts = []
    if theirs:
        parts.append(f"{theirs} destroyed")
    if rfps:
        parts.append(several(rfps, "RFP"))
    if len(lost) > theirs:
        parts.append(f"{len(lost) - theirs} of your own lost")
    if parts:
        return ", ".join(parts)
    if first.kind != "fire":
        return "no effect"
    return (
        "hits without effect" if any(event.data.get("hits") for event in since if event.kind == "fire") else "no hits"
    )


def lines(events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    found = []
    for event in events:
        words = BEFORE_THE_DICE.match(event.text) if event.kind in ATTACKS else None
        if words is None:
            continue
        needed = int(event.data.get("needed", 0))
        dice = sum(len(throw.values) for throw in event.dice)
        reasons = tuple(Reason(each.amount, each.rule, each.words) for each in event.modifiers)
        text = words[1] if needed < CANNOT or dice else f"{words[1]}: no die can succeed"
        found.append(PreviewLine(text, dice, needed, reasons))
    return found
