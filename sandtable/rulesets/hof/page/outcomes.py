"""How an attack goes, in a few words: what its events say of it, and the throws that are made for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from sandtable.engine.cards import PreviewLine
from sandtable.engine.events import Event
from sandtable.field import outcomes
from sandtable.field.outcomes import NO_ATTACK
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import full_label, team_label, team_list
from sandtable.rulesets.hof.core.state import Member, Team, find_team
from sandtable.rulesets.hof.firing import CANNOT

PREVIEWS = ("target", "weapons", "victim", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("fire", "assault-check")

HITS, RFPS, DESTROYED = "hits", "RFPs", "destroyed"
"""The numbers of an attack."""


class Done(NamedTuple):
    """What an attack has done: Teams of the other side lost, RFPs received, and Units that are destroyed with them."""

    hit: bool
    lost: int = 0
    rfps: int = 0
    units: int = 0
    own: int = 0

    def words(self, nothing: str = "no effect") -> str:
        return outcomes.in_words(
            (self.lost, "destroyed"),
            (self.rfps, "RFP" if self.rfps == 1 else "RFPs"),
            (self.units, "Unit broken" if self.units == 1 else "Units broken"),
            (self.own, "of your own lost"),
            otherwise="hits without effect" if self.hit else nothing,
        )


def first_attack(events: Sequence[Event]) -> list[Event]:
    """The first attack among some events, with all that follows from it before the next."""
    start = next((number for number, event in enumerate(events) if event.kind in ATTACKS), None)
    if start is None:
        return []
    first = events[start]

    def belongs(event: Event) -> bool:
        return event.kind not in ATTACKS or (event.kind == "fire" and event.data["order"] == first.data.get("order"))

    return [first, *takewhile(belongs, events[start + 1 :])]


def done(events: Sequence[Event]) -> Done | None:
    """What the first attack among some events has done; None if there is none."""
    since = first_attack(events)
    if not since:
        return None
    gone = [event for event in since if event.kind == "lost" and event.data["cause"] != "fled"]
    own = sum(event.seat == since[0].seat for event in gone)
    bereft = {event.data["unit"] for event in gone}
    return Done(
        any(event.kind == "fire" and event.data.get("hits") for event in since),
        len(gone) - own,
        sum(int(event.data.get("rfps", 0)) for event in since if event.kind in ("received", "penetration")),
        sum(event.kind == "unit-destroyed" and event.data["unit"] in bereft for event in since),
        own,
    )


def outcome(events: Sequence[Event]) -> str:
    """How the first attack has gone."""
    found = done(events)
    if found is None:
        return NO_ATTACK
    return found.words("no hits" if first_attack(events)[0].kind == "fire" else "no effect")


def tally(events: Sequence[Event]) -> dict[str, int]:
    """The numbers of the first attack."""
    hits = sum(int(event.data["hits"]) for event in first_attack(events) if event.kind == "fire")
    found = done(events) or Done(False)
    return {HITS: hits, RFPS: found.rfps, DESTROYED: found.lost}


def lines(game: Battle, events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    return outcomes.grouped(throw(game, event) for event in events if event.kind in ATTACKS)


def throw(game: Battle, event: Event) -> PreviewLine:
    needed = int(event.data.get("needed", 0))
    dice = sum(len(throw.values) for throw in event.dice)
    text = deed(game, event.data) if event.kind == "fire" else blow(game, event.data)
    if needed >= CANNOT and not dice:
        text += ": no die can succeed"
    return PreviewLine(text, dice, needed, outcomes.reasons(event.modifiers))


def deed(game: Battle, data: Mapping[str, Any]) -> str:
    """Who fires at whom, and with what."""
    firing = team_list([known(game, name) for name in data["teams"]])
    return f"{firing}: {data['weapon']} at {full_label(*known(game, data['target']))}"


def blow(game: Battle, data: Mapping[str, Any]) -> str:
    """Who strikes at whom."""
    striker, victim = (team_label(*known(game, data[key])) for key in ("team", "victim"))
    return f"{striker} strikes at {victim}"


def known(game: Battle, team_id: str) -> Member:
    """A Team and its Unit, also one that is lost by now: all began in the set-up."""
    found = find_team(game.state, team_id)
    if found is not None:
        return found
    unit = next(unit for unit in game.setup.units.values() if team_id in unit.teams)
    began = unit.teams[team_id]
    return unit, Team(began.profile, id=team_id, role=began.role)
