"""How an attack went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event, several
from sandtable.engine.game import Game
from sandtable.rulesets.hof.core.labels import full_label, team_label, team_list
from sandtable.rulesets.hof.core.state import Member, State, Team, find_team
from sandtable.rulesets.hof.firing import CANNOT

PREVIEWS = ("target", "weapons", "victim", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("fire", "assault-check")


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


def lines(game: Game[State], events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    found = []
    for event in events:
        if event.kind not in ATTACKS:
            continue
        needed = int(event.data.get("needed", 0))
        dice = sum(len(throw.values) for throw in event.dice)
        reasons = tuple(Reason(each.amount, each.rule, each.words) for each in event.modifiers)
        text = deed(game, event.data) if event.kind == "fire" else blow(game, event.data)
        if needed >= CANNOT and not dice:
            text += ": no die can succeed"
        found.append(PreviewLine(text, dice, needed, reasons))
    return found


def deed(game: Game[State], data: Mapping[str, Any]) -> str:
    """Who fires at whom, and with what."""
    firing = team_list([known(game, name) for name in data["teams"]])
    return f"{firing}: {data['weapon']} at {full_label(*known(game, data['target']))}"


def blow(game: Game[State], data: Mapping[str, Any]) -> str:
    """Who strikes at whom."""
    striker, victim = (team_label(*known(game, data[key])) for key in ("team", "victim"))
    return f"{striker} strikes at {victim}"


def known(game: Game[State], team_id: str) -> Member:
    """A Team and its Unit, also one that is lost by now: all began in the set-up."""
    found = find_team(game.state, team_id)
    if found is not None:
        return found
    unit = next(unit for unit in game.setup.units.values() if team_id in unit.teams)
    began = unit.teams[team_id]
    return unit, Team(began.profile, id=team_id, role=began.role)
