"""What events tell: how an attack goes, in a few words, the throws that are made for it, and the story of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from sandtable.engine.cards import PreviewLine
from sandtable.engine.events import Event
from sandtable.engine.story import Blow, Story
from sandtable.field import outcomes
from sandtable.field.outcomes import NO_ATTACK, Harm, HarmWords
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import full_label, team_label, team_list
from sandtable.rulesets.hof.core.state import Member, Team, find_team
from sandtable.rulesets.hof.firing import CANNOT

ATTACKS = (
    "fire",
    "assault-check",
    "fire-for-effect",
    "bombs",
    "cannons",
    "fire-smoke",
    "anti-air",
    "sustained",
    "sniper-fire",
)
"""The events with which attacks begin."""

DIRECT = ("fire", "assault-check", "penetration")
"""Attacks at one Team; others fall on a place, or are of another kind altogether."""

MOVES = ("move-roll", "move", "free-move", "turn-in-place", "held", "breakdown", "terrain-check")
"""The events with which a Move order begins: what follows comes of it, and not of the attack before."""

ROCKETS = ("air-rfps", "penetration")
"""What rockets begin with; in other attacks these follow from something else."""

HITS, RFPS, DESTROYED, UNDER_FIRE = "Hits", "RFPs", "Destroyed", "Teams under fire"
"""The numbers of an attack."""

NO_HITS, NO_EFFECT = "no hits", "no effect"
SMOKE, NO_SMOKE = "smoke lies on the target", "no smoke"
DRIVEN_OFF, COMES_ON = "the aircraft is driven off", "the aircraft comes on"
GOES_ON, ENDS = "the barrage goes on", "the barrage ends"
MARKED = "the target is marked"

OF_A_BLOW = ("penetration", "received", "lost", "mission-tactics", "new-leader", "no-room")
"""What follows at once from an Assault Check, besides what becomes of those who bail out."""

BEREFT = "hof.assaults.small-team-bereft"


WORDS = HarmWords("RFP", "RFPs", "Unit broken", "Units broken", "hits without effect")


def shelled_words(teams: int, rfps: int) -> str:
    """What has fallen on the table, in words."""
    under = (teams, "Team under fire" if teams == 1 else "Teams under fire")
    return outcomes.in_words(under, (rfps, "RFP" if rfps == 1 else "RFPs"), otherwise="falls on nobody")


def first_attack(events: Sequence[Event]) -> list[Event]:
    """The first attack among some events, with all that follows from it before the next."""
    start = next((number for number, event in enumerate(events) if event.kind in (*ATTACKS, *ROCKETS)), None)
    if start is None:
        return []
    first = events[start]

    def belongs(event: Event) -> bool:
        return event.kind not in (*ATTACKS, *MOVES) or (event.kind == first.kind and one_order(first, event))

    since = [first, *takewhile(belongs, events[start + 1 :])]
    return since if first.kind != "assault-check" else blow_alone(since)


def blow_alone(since: Sequence[Event]) -> list[Event]:
    """One Assault Check and what it did by itself: the fight goes on after it."""
    found: list[Event] = []
    out: set[str] = set()
    for event in since:
        if event.kind == "bail-out":
            out.add(event.data["team"])
        elif found and event.kind not in OF_A_BLOW and not (event.kind == "rfps" and event.data["team"] in out):
            break
        found.append(event)
    return found


def one_order(first: Event, second: Event) -> bool:
    """Whether two shots were fired by the same order."""
    return "order" in first.data and first.data["order"] == second.data.get("order")


def done(since: Sequence[Event]) -> Harm:
    """What fire, rockets or a blow have done."""
    assault = since[0].kind == "assault-check"
    gone = [event for event in since if event.kind == "lost" and not by_something_else(event)]
    own = sum(event.seat == since[0].seat for event in gone)
    bereft = {event.data["unit"] for event in gone}
    broken = sum(event.kind == "unit-destroyed" and event.data["unit"] in bereft for event in since)
    return Harm(
        any(event.kind == "fire" and event.data.get("hits") for event in since),
        len(gone) - own,
        sum(int(event.data.get("rfps", 0)) for event in since if event.kind in ("received", "penetration")),
        0 if assault else broken,
        own,
    )


def by_something_else(loss: Event) -> bool:
    """Whether a Team was lost later, for what it was by then: not Ready in a fight, or without those beside it."""
    return loss.data["cause"] in ("fled", "not-ready") or BEREFT in loss.rules


def shelled(since: Sequence[Event]) -> tuple[int, int]:
    """How many Teams have received RFPs from above, and how many these are."""
    received = [event.data["rfps"] for event in since[:2] if event.kind in ("barrage-rfps", "air-rfps")]
    fallen: dict[str, int] = received[0] if received and since[0].kind not in DIRECT else {}
    return sum(rfps > 0 for rfps in fallen.values()), sum(fallen.values())


def outcome(events: Sequence[Event]) -> str:
    """How the first attack has gone."""
    since = first_attack(events)
    if not since:
        return NO_ATTACK
    kind = since[0].kind
    if kind in DIRECT:
        return WORDS.say(done(since), NO_HITS if kind == "fire" else NO_EFFECT)
    if kind == "fire-smoke":
        return SMOKE if any(event.kind == "smoke" for event in since) else NO_SMOKE
    if kind == "anti-air":
        return DRIVEN_OFF if since[0].data["driven_off"] else COMES_ON
    if kind == "sustained":
        return GOES_ON if since[0].data["held"] else ENDS
    return MARKED if kind == "sniper-fire" else shelled_words(*shelled(since))


def tally(events: Sequence[Event]) -> dict[str, int]:
    """The numbers of the first attack."""
    since = first_attack(events)
    if not since:
        return {HITS: 0, RFPS: 0, DESTROYED: 0, UNDER_FIRE: 0}
    teams, rfps = shelled(since)
    hits = sum(int(event.data["hits"]) for event in since if event.kind == "fire")
    found = done(since)
    return {HITS: hits, RFPS: found.marked + rfps, DESTROYED: found.destroyed, UNDER_FIRE: teams}


def lines(game: Battle, events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    return outcomes.grouped(throw(game, event) for event in events if event.kind in ("fire", "assault-check"))


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


# How battles are told when they are over.


def blows(event: Event) -> Iterable[Blow]:
    """Hits that were dealt out, shells, and blows struck in assaults."""
    data = event.data
    if event.kind == "hits":
        for victim, dealt in data["dealt"].items():
            for by, weapon in dealt:
                yield Blow(by, weapon, victim)
    elif event.kind == "barrage-rfps":
        for victim in data["rfps"]:
            yield Blow("", "barrage", victim)
    elif event.kind == "assault-check" and data["passed"]:
        yield Blow(data["team"], "in assault", data["victim"])


TURNS = ("unit-destroyed", "objective", "break")

STORY = Story(
    figures=("Break Points", "Objectives"), losses=("lost",), turns=TURNS, prizes=("Objectives",), blows=blows
)
