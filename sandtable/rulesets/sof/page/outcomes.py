"""How fire went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

from sandtable.engine.cards import PreviewLine
from sandtable.engine.events import Event
from sandtable.field import outcomes
from sandtable.field.names import unit_token
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.shooting import Harm

PREVIEWS = ("target", "weapons", "assault")
"""The questions whose answers are worth trying out."""

ATTACKS = ("target", "shooting", "assault")
HITS, WOUNDS = "Hits", "Wounds"
NO_HITS = "no hits"


def of_the_fire(since: list[Event]) -> list[Event]:
    """The events of one attack: until somebody is activated, acts again, or a phase of the turn begins."""
    found = since[:1]
    for event in since[1:]:
        if event.kind in AFTER:
            break
        found.append(event)
    return found


AFTER = ("activation", "action", "turn", "turn-over", "dice", "over")


def suffered(since: list[Event]) -> str:
    """What came of an attack to its target: wounds, suppression, and who gave way."""
    events = of_the_fire(since)
    seat = events[0].seat
    lost, own = outcomes.losses(events, "unit-lost", seat)
    away, _ = outcomes.losses(events, "gives-way", seat)
    return in_words(Harm(hits(events), wounds(events), markers(events, seat), lost, away, own))


def in_words(harm: Harm) -> str:
    return outcomes.in_words(
        (harm.lost, "unit lost" if harm.lost == 1 else "units lost"),
        (harm.own, "of your own units lost"),
        (harm.wounds, "wounded"),
        (harm.markers, "suppressed"),
        (harm.away, "gives way"),
        otherwise="no effect" if harm.hits else NO_HITS,
    )


def hits(events: list[Event]) -> int:
    return sum(int(event.data["hits"]) for event in events if event.kind == "shooting")


def wounds(events: list[Event]) -> int:
    return sum(int(event.data["wounds"]) for event in events if event.kind == "lethality")


def markers(events: list[Event], seat: str) -> int:
    return sum(int(event.data["markers"]) for event in events if event.kind == "suppressed" and event.seat != seat)


def tally(events: list[Event]) -> dict[str, int]:
    """The numbers of an attack, by the names that its odds have for them."""
    return {HITS: hits(events), WOUNDS: wounds(events)}


def lines(game: Battle, events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    return outcomes.grouped(shot(game, event) for event in events if event.kind == "shooting")


def shot(game: Battle, event: Event) -> PreviewLine:
    units = game.setup.units
    names = [
        unit_token(units[each].side, each, units[each].name or each)
        for each in (event.data["unit"], event.data["target"])
    ]
    dice = sum(len(throw.values) for throw in event.dice)
    words = f"{names[0]} fires at {names[1]}: {event.data['weapon'].replace('-', ' ')}"
    return PreviewLine(words, dice, event.data["needed"], outcomes.reasons(event.modifiers), "sof.shooting.volume")
