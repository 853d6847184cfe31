"""Assaults: who may begin one, who answers, who strikes whom with what, and who regroups when it is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.checks import right_check
from sandtable.testing.umpire.hof.lines import behind_front
from sandtable.testing.umpire.hof.sight import DOUBT, Maybe, both, either, no, places, spot_of, view
from sandtable.testing.umpire.hof.table import (
    CONTACT,
    HAIR,
    Member,
    base,
    base_at,
    enemy,
    find,
    gap,
    kind_of,
    length,
    members,
    standing,
)
from sandtable.testing.umpire.hof.vehicles import right_roll

NEAR = 12.0
CONSOLIDATION = 3.0
MOST = 2
NEEDED, FLAME_NEEDED = 4, 2
WITHOUT_AT, CLOSE_AT, ENGINEER_AT, PANZERFAUST = 2, 1, 3, 6


@dataclass
class Fight:
    """An assault under way."""

    side: str
    round: int = 0
    responded: set[str] = field(default_factory=set)
    struck: set[str] = field(default_factory=set)
    """Who has struck in this step."""
    ever: set[str] = field(default_factory=set)
    """Who has struck at all: the first time a Panzerfaust serves."""
    fought: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    """Who has been in contact."""


def touching(one: Any, other: Any) -> Maybe:
    inches = gap(one, other)
    return None if abs(inches - CONTACT) < DOUBT else inches < CONTACT


def meets(one: Any, other: Any) -> Maybe:
    """Whether enemies in contact are in a fight: not two Vehicles, and with a bunker only before its front."""
    if kind_of(one).vehicle and kind_of(other).vehicle:
        return False
    found: Maybe = True
    for bunker, team in ((one, other), (other, one)):
        if bunker.role == "bunker":
            found = both(found, no(behind_front(spot_of(team), bunker)))
    return found


def foes_of(state: Any, member: Member, *, perhaps: bool = False) -> list[Member]:
    """The enemies whom a Team is in a fight with, for sure; or those who might be."""
    unit, team = member
    if team.at is None:
        return []
    found = [(each, both(touching(team, each[1]), meets(team, each[1]))) for each in standing(state, enemy(unit.side))]
    return [each for each, met in found if met or (perhaps and met is None)]


def in_contact(state: Any, side: str, *, perhaps: bool = False) -> set[str]:
    return {team.id for unit, team in standing(state, side) if foes_of(state, (unit, team), perhaps=perhaps)}


def may_fight(state: Any) -> set[str]:
    """Everybody of either side who may be in contact."""
    return in_contact(state, "red", perhaps=True) | in_contact(state, "blue", perhaps=True)


# How it begins.


@book.on("assault")
def assault_begins(watch: Watch, event: Event) -> None:
    watch.count("assaults")
    state, data = watch.state, event.data
    before: Fight | None = watch.memory.get("assault")
    fight = watch.memory["assault"] = Fight(event.seat)
    if before is not None:
        # A second assault in one activation: who fought in the first has yet to regroup.
        fight.fought = before.fought
    fight.touched = may_fight(state)
    act = under_way(watch)
    attackers = [found for name in data["attackers"] if (found := find(state, name)) is not None]
    began = [member for member in attackers if member[1].id in act.starts and member[1].id not in act.unloaded]
    for unit, team in began:
        at, facing = act.starts[team.id]
        start = base_at(team, at, facing)
        fresh = [foe for foe in foes_of(state, (unit, team)) if start.distance(base(foe[1])) > CONTACT + DOUBT]
        for _, foe in fresh:
            watch.count("assaulting Teams")
            if start.distance(base(foe)) > NEAR + DOUBT:
                watch.object_to("hof.assaults.within-12", f"{team.id} began farther than 12 inches from {foe.id}")
            if kind_of(team).category == "gun":
                watch.object_to("hof.moving.gun-no-contact", f"{team.id} is a Gun")
            if kind_of(team).small:
                watch.object_to("hof.assaults.small-teams-do-not-fight", f"{team.id} is a Small Team")
        if fresh:
            not_too_many(watch, state, team, fresh)
    if len(began) == len(attackers):
        somebody_sees(watch, began)


def not_too_many(watch: Watch, state: Any, team: Any, foes: list[Member]) -> None:
    """No more than two Teams touch an enemy."""
    for unit, foe in foes:
        around = [mate for _, mate in standing(state, enemy(unit.side)) if touching(mate, foe)]
        if len(around) > MOST:
            watch.object_to("hof.assaults.two-per-enemy", f"{len(around)} Teams touch {foe.id}")


def somebody_sees(watch: Watch, attackers: list[Member]) -> None:
    """An unsuppressed Team among them saw each enemy that is assaulted before it moved."""
    state, act = watch.state, under_way(watch)
    here = view(watch)
    met = {foe.id: (unit, foe) for member in attackers for unit, foe in foes_of(state, member)}
    for foe in met.values():
        seen: Maybe = False
        for _, team in attackers:
            at, facing = act.starts[team.id]
            if team.suppressed:
                continue
            for spot in places(state, *foe):
                seen = either(seen, here.sees(spot_of(team, at, facing), spot))
        if seen is False:
            watch.object_to("hof.assaults.one-with-los", f"nobody saw {foe[1].id} before the assault")


# Who answers.


@book.on("respond")
def defenders_respond(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    if fight is None:
        watch.object_to("hof.assaults.defenders-activate", "there is no assault")
        return
    watch.count("responses")
    if event.data["round"] != fight.round:
        fight.round, fight.responded = event.data["round"], set()
    fight.struck = set()
    due = in_contact(watch.state, enemy(fight.side)) - fight.responded
    missing = due - set(event.data["teams"])
    for name in sorted(missing):
        watch.object_to("hof.assaults.defenders-activate", f"{name} is in contact and does not respond")
    for name in set(event.data["teams"]) & fight.responded:
        watch.object_to("hof.assaults.one-check-per-step", f"{name} responds twice")
    fight.responded |= set(event.data["teams"])
    small_teams(watch, fight)


def small_teams(watch: Watch, fight: Fight) -> None:
    """A Small Team alone with the enemy is lost at once."""
    state = watch.state
    for unit, team in standing(state):
        if not kind_of(team).small or not foes_of(state, (unit, team)):
            continue
        watch.count("Small Teams in contact")
        mates = [mate for _, mate in standing(state, unit.side) if mate.id != team.id and not kind_of(mate).small]
        if not any(touching(team, mate) is not False for mate in mates):
            watch.object_to("hof.assaults.small-team-alone", f"{team.id} is alone with the enemy")


@book.on("rfps")
def open_tops_are_not_asked(watch: Watch, event: Event) -> None:
    found = find(watch.state, event.data["team"])
    if watch.memory.get("assault") is None or found is None or "open-topped" not in kind_of(found[1]).keywords:
        return
    if "hof.rfp-rally.resolve-on-activation" in event.rules and foes_of(watch.state, found):
        watch.object_to("hof.assaults.open-topped", f"{found[1].id} rolls for its RFPs in contact")


@book.on("lost")
def not_ready(watch: Watch, event: Event) -> None:
    if event.data["cause"] != "not-ready":
        return
    before = find(watch.earlier, event.data["team"])
    if before is None or before[1].role == "rider":
        return
    burnt = before[1].rfps and "open-topped" in kind_of(before[1]).keywords
    watch.count("not Ready")
    if not before[1].suppressed and not burnt and before[1].id not in watch.memory.get("down now", ()):
        watch.object_to("hof.assaults.not-ready-destroyed", f"{before[1].id} was Ready")


@book.on("rfps")
def note_the_suppressed(watch: Watch, event: Event) -> None:
    """A Team that its RFPs suppress in an assault is lost before anything else is told of it."""
    watch.memory["down now"] = {event.data["team"]} if event.data["result"] == "suppressed" else set()


# Who strikes.


def ready_responders(watch: Watch, fight: Fight) -> None:
    """Whoever has responded and is not Ready is gone before anybody acts."""
    for name in fight.responded:
        found = find(watch.earlier, name)
        if found is not None and found[1].suppressed and foes_of(watch.earlier, found):
            watch.object_to("hof.assaults.not-ready-destroyed", f"{name} is Suppressed in contact and not destroyed")


def punches(watch: Watch, fight: Fight, member: Member) -> list[tuple[int, bool, int]]:
    """What a Team brings against armor: AT, whether it may destroy, and its Firepower."""
    unit, team = member
    found = [(WITHOUT_AT, True, 1)]
    if watch.setup.options.engineers and "engineer" in team.traits:
        found.append((ENGINEER_AT, True, 1))
    for weapon in kind_of(team).weapons:
        if weapon.at is not None:
            found.append((weapon.at + CLOSE_AT, "rfps-only" not in weapon.keywords, weapon.fp))
    for _, mate in standing(watch.state, unit.side):
        kind = kind_of(mate)
        arms = [weapon for weapon in kind.weapons if weapon.at]
        if kind.category == "infantry" and kind.small and arms and mate.id != team.id and touching(mate, team):
            found += [(weapon.at + CLOSE_AT, True, weapon.fp) for weapon in arms if weapon.at is not None]
    if "panzerfaust" in team.traits and team.id not in fight.ever:
        found.append((PANZERFAUST + CLOSE_AT, True, 1))
    return found


def struck_by(watch: Watch, fight: Fight, member: Member) -> bool:
    """Whether a special rule has a failed Check rolled again."""
    unit, team = member
    if any("rerolls-assault" in weapon.keywords for weapon in kind_of(team).weapons):
        return True
    mates = [mate for mate in unit.teams.values() if mate.role in ("pl", "cc") and mate.at is not None]
    return team.at is not None and any(touching(mate, team) for mate in mates if mate.id != team.id)


@book.on("assault-check")
def strike_is_right(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    striker, victim = find(watch.state, event.data["team"]), find(watch.state, event.data["victim"])
    if fight is None or striker is None or victim is None:
        watch.object_to("hof.assaults.attackers-strike", "there is nobody to strike, or no assault")
        return
    watch.count("Assault Checks")
    unit, team = striker
    ready_responders(watch, fight)
    small_teams(watch, fight)
    body = team
    if team.role == "rider":
        tank = find(watch.state, team.carrier)
        body = tank[1] if tank is not None else team
        if team.suppressed:
            watch.object_to("hof.optional.riders-assault", f"{team.id} is Suppressed")
    foes = foes_of(watch.state, (unit, body))
    if victim[1].id not in {foe.id for _, foe in foes_of(watch.state, (unit, body), perhaps=True)}:
        watch.object_to("hof.assaults.attackers-strike", f"{team.id} does not touch {victim[1].id}")
    if kind_of(team).small:
        watch.object_to("hof.assaults.small-teams-do-not-fight", f"{team.id} is a Small Team")
    if kind_of(victim[1]).small and any(not kind_of(foe).small for _, foe in foes):
        watch.object_to("hof.assaults.small-teams-do-not-fight", f"{victim[1].id} is struck before its companions")
    if team.id in fight.struck:
        watch.object_to("hof.assaults.one-check-per-step", f"{team.id} strikes twice in a step")
    if unit.side != fight.side and body.id not in fight.responded:
        watch.object_to("hof.assaults.defenders-activate", f"{team.id} strikes before it has responded")
    fuel = watch.setup.options.flame and not team.spent
    burning = fuel and any("flame-thrower" in weapon.keywords for weapon in kind_of(team).weapons)
    needed = FLAME_NEEDED if burning else NEEDED
    if event.data["needed"] != needed:
        watch.object_to("hof.orders.check", f"{team.id} needs {event.data['needed']}, not {needed}")
    right_check(watch, event, unit.quality, "hof.assaults.leader-reroll", needed=needed,
                if_failed=struck_by(watch, fight, striker))  # fmt: skip
    if event.data["passed"]:
        strikes_home(watch, fight, striker, victim)
    for done in (fight.struck, fight.ever, fight.fought):
        done.add(team.id)


def strikes_home(watch: Watch, fight: Fight, striker: Member, victim: Member) -> None:
    """Riders take the blow for their tank; armor may turn it; all others are destroyed."""
    riding = [team for _, team in members(watch.state) if team.role == "rider" and team.carrier == victim[1].id]
    doomed = watch.memory.setdefault("doomed", {})
    if riding:
        doomed.update(dict.fromkeys((team.id for team in riding), "hof.optional.riders-shield-tank"))
        return
    armor = kind_of(victim[1]).armor
    if armor is None or kind_of(striker[1]).vehicle:
        doomed[victim[1].id] = "hof.assaults.one-check-per-step"
        return
    at, destroys, fp = max(punches(watch, fight, striker))
    quality = striker[0].quality

    def blow(watch: Watch, event: Event) -> None:
        rule = "hof.assaults.vs-armor-at-values"
        if event.data["at"] != at or event.data["ar"] != armor[1]:
            told = f"AT {event.data['at']} against AR {event.data['ar']}"
            watch.object_to(rule, f"{striker[1].id} strikes with {told}, not {at} against {armor[1]}")
            return
        right_roll(watch, event, at, armor[1], fp, quality, rfps_only=not destroys, rule=rule)

    watch.memory["blow"] = blow


@book.on("leave")
def leaves(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    found = find(watch.state, event.data["team"])
    if fight is None or found is None:
        return
    watch.count("leaving Teams")
    fight.fought.add(found[1].id)
    if found[0].side == fight.side or found[1].id not in fight.responded:
        watch.object_to("hof.assaults.defender-choice", f"{found[1].id} leaves and has not responded")
    if event.data["away"] and foes_of(watch.state, found):
        watch.object_to("hof.assaults.defender-choice", f"{found[1].id} is still in contact")
    near = [foe for _, foe in standing(watch.state, enemy(found[0].side)) if touching(found[1], foe) is not False]
    if not event.data["away"] and not near:
        watch.object_to("hof.assaults.defender-choice", f"{found[1].id} is out of contact")


@book.on("free-move")
def consolidates(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    if fight is None or "hof.assaults.consolidation" not in event.rules:
        return
    watch.count("consolidations")
    name = event.data["team"]
    way = [(float(x), float(y)) for x, y in event.data["ways"][name]]
    if length(way) > CONSOLIDATION + HAIR:
        watch.object_to("hof.assaults.consolidation", f"{name} moves {length(way):.2f} inches")
    before, now = find(watch.earlier, name), find(watch.state, name)
    if name not in fight.touched or (before is not None and foes_of(watch.earlier, before)):
        watch.object_to("hof.assaults.consolidation", f"{name} was not set free")
    if now is not None:
        foes = foes_of(watch.state, now)
        not_too_many(watch, watch.state, now[1], foes)
        if foes and kind_of(now[1]).category == "gun":
            watch.object_to("hof.moving.gun-no-contact", f"{name} is a Gun")


@book.on()
def note_contact(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    if fight is not None and event.kind in ("free-move", "leave", "lost", "small-team", "respond"):
        fight.touched |= may_fight(watch.state)


# When it is over.


@book.on("regroup")
def regroups(watch: Watch, event: Event) -> None:
    fight: Fight | None = watch.memory.get("assault")
    if fight is None or event.data["team"] not in fight.fought:
        watch.object_to("hof.assaults.regroup", f"{event.data['team']} has not fought")


@book.on("activation", "turn-end", "call-for-fire", "massed-assault", "recon-reaction")
def assault_is_over(watch: Watch, event: Event) -> None:
    """All who fought or left are Suppressed, unless they are still in contact; and nobody fights on."""
    fight: Fight | None = watch.memory.get("assault")
    state = watch.earlier
    if fight is None:
        return
    watch.memory["assault"] = None
    for name in sorted(fight.fought):
        found = find(state, name)
        if found is None or found[1].suppressed:
            continue
        watch.count("who must regroup")
        if found[1].role != "rider" and not foes_of(state, found):
            watch.object_to("hof.assaults.regroup", f"{name} fought and is not Suppressed")
    for unit, team in standing(state, fight.side):
        for _, foe in foes_of(state, (unit, team)):
            if not (kind_of(team).small and kind_of(foe).small):
                watch.object_to("hof.assaults.repeat-until-clear", f"{team.id} and {foe.id} are still in contact")
