"""How an attack went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.cards import PreviewLine
from sandtable.engine.events import Event
from sandtable.field import outcomes
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import full_label, team_label, team_list
from sandtable.rulesets.hof.core.state import Member, Team, find_team
from sandtable.rulesets.hof.firing import CANNOT

PREVIEWS = ("target", "weapons", "victim", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("fire", "assault-check")


def done(since: list[Event]) -> str:
    """What the first attack and all that follows it have done: losses, and Received Fire Points."""
    theirs, own = outcomes.losses(since, "lost", since[0].seat)
    rfps = sum(int(event.data.get("rfps", 0)) for event in since if event.kind in ("received", "penetration"))
    hit = any(event.kind == "fire" and event.data.get("hits") for event in since)
    nothing = "no effect" if since[0].kind != "fire" else "hits without effect" if hit else "no hits"
    return outcomes.in_words(
        (theirs, "destroyed"), (rfps, "RFP" if rfps == 1 else "RFPs"), (own, "of your own lost"), otherwise=nothing
    )


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
