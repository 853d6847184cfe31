"""Hits are dealt out, first to the target and then about it, and give RFPs or Penetration Rolls."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.firing import OBSERVER_NEAR, Volley, fire_power, flames
from sandtable.testing.umpire.hof.lines import (
    about,
    behind_front,
    distance,
    leads_fire,
    place,
    reach_of,
    sees_target,
    veil_of,
)
from sandtable.testing.umpire.hof.sight import DOUBT, Maybe, both, either, hosts, no, places, up_to, view
from sandtable.testing.umpire.hof.stock import Weapon
from sandtable.testing.umpire.hof.table import Member, find, kind_of, members, stand_of, standing

BLAST = 2.0
"""A Bunker Buster's shell is felt this far from the target."""

BLAST_RULE = "hof.special-rules.bunker-buster"


@dataclass
class Hit:
    """A hit that a Team has been dealt, and what the umpire must know of it when it takes effect."""

    team: str
    firer: str
    unit: Any
    weapon: Weapon
    flank: Maybe
    shelter: Maybe


@dataclass
class Effects:
    """What is still to come of a Fire order: its hits in turn, and the RFPs of those too near."""

    hits: list[Hit] = field(default_factory=list)
    blasts: dict[str, int] = field(default_factory=dict)

    def take(self, team: str) -> Hit | None:
        """The next hit on a Team."""
        found = next((hit for hit in self.hits if hit.team == team), None)
        if found is not None:
            self.hits.remove(found)
        return found


@dataclass
class Share:
    """A Team near the target: whether it may be dealt hits, and those it was."""

    member: Member
    may: Maybe
    hits: list[tuple[str, Weapon]]

    @property
    def team(self) -> Any:
        return self.member[1]

    @property
    def armored(self) -> bool:
        return kind_of(self.team).armor is not None

    @property
    def vehicle(self) -> bool:
        return kind_of(self.team).vehicle

    @property
    def small(self) -> bool:
        return kind_of(self.team).small


def ridden(state: Any, tank: Any) -> bool:
    return any(team.role == "rider" and team.carrier == tank.id for _, team in members(state))


# Who may be hit.


def eligible(watch: Watch, volley: Volley, member: Member) -> Maybe:
    """The target in any case; another in sight and range of somebody who fires; none that this Unit hit before."""
    state, team = volley.state, member[1]
    act = under_way(watch)
    leader = find(state, act.leader) if act.leader else None
    seen: Maybe = False
    plainly: Maybe = False
    for name in volley.aims:
        firer = find(state, name)
        if firer is None:
            continue
        reach = max([reach_of(each, watch.setup.options.flame) for each in volley.weapons(name)], default=0.0)
        sight = sees_target(watch, state, firer[1], member)
        lent = leads_fire(watch, state, firer[1], member, leader) if sight is False else False
        sight = both(either(sight, lent), up_to(distance(state, firer[1], team), reach) is not False)
        seen = either(seen, sight)
        if team.role == "fo" and sight is not False:
            eye = places(state, *leader)[0] if lent and leader is not None else place(state, firer[1])
            assert eye is not None
            plainly = either(plainly, both(sight, no(veil_of(watch, state, eye, member).concealed)))
    may: Maybe = True if team.id == volley.target[1].id else seen
    if team.role == "fo":
        near = any(distance(state, each, team) <= OBSERVER_NEAR + DOUBT for _, each in standing(state, volley.side))
        may = both(may, either(near, plainly))
    return False if dosed(watch, volley, team.id) else may


def dosed(watch: Watch, volley: Volley, team: str) -> bool:
    """Whether an earlier activation of the firing Unit hit a Team this turn; Hero Points lift that."""
    doses: dict[tuple[str, str], int] = watch.memory.setdefault("doses", {})
    number = doses.get((volley.unit, team))
    return not volley.hero and number is not None and number != watch.memory.get("activations", 0)


@book.on("activation", "interrupt", "interrupted", "massed-assault")
def count_activations(watch: Watch, event: Event) -> None:
    watch.memory["activations"] = watch.memory.get("activations", 0) + 1


@book.on("turn")
def a_new_turn(watch: Watch, event: Event) -> None:
    watch.memory["doses"] = {}


@book.at_start
def what_was_before(watch: Watch) -> None:
    """A battle may begin in the midst of a turn: Teams have been hit in it."""
    watch.memory["doses"] = {(unit, team.id): -1 for _, team in members(watch.state) for unit in team.hit_by}


# How they are dealt.


@book.on("hits")
def hits_are_dealt(watch: Watch, event: Event) -> None:
    volley: Volley | None = watch.memory.get("volley")
    if volley is None:
        watch.object_to("hof.firing.fire-dice", "hits without any fire")
        return
    settle(watch)
    data = event.data
    dealt = {
        name: [(firer, weapon_of(volley, firer, key)) for firer, key in hits] for name, hits in data["dealt"].items()
    }
    scored = Counter((shot.team, shot.weapon.name) for shot in volley.shots for _ in range(shot.hits))
    given = Counter((firer, weapon.name) for hits in dealt.values() for firer, weapon in hits)
    if given - scored or data["lost"] != (scored - given).total():
        watch.object_to("hof.firing.spill-to-neighbours", f"{scored.total()} hits, {given.total()} dealt")
        return
    watch.count("hits", given.total())
    shares = [Share(member, eligible(watch, volley, member), dealt.get(member[1].id, []))
              for member in about(volley.state, volley.target)]  # fmt: skip
    known = {share.team.id for share in shares}
    for name in dealt.keys() - known:
        watch.object_to("hof.firing.spill-to-neighbours", f"{name} is hit and not near {volley.target[1].id}")
    successes = [(shot.team, shot.weapon) for shot in volley.shots for _ in range(shot.hits)]
    lost = [(name, weapon_of(volley, name, key)) for (name, key), left in (scored - given).items() for _ in range(left)]
    right_limits(watch, shares)
    target_first(watch, shares, successes)
    small_last(watch, volley, shares)
    in_turn(watch, shares)
    vulnerable_first(watch, volley, shares)
    none_lost_in_vain(watch, volley, shares, lost)
    expect_effects(watch, volley, dealt)
    number = watch.memory.get("activations", 0)
    for name in dealt:
        watch.memory["doses"].setdefault((volley.unit, name), number)
        if volley.hero:
            watch.memory["doses"][volley.unit, name] = number


def weapon_of(volley: Volley, name: str, key: str) -> Weapon:
    return next(shot.weapon for shot in volley.shots if shot.team == name and shot.weapon.name == key)


def suits(watch: Watch, weapon: Weapon, share: Share) -> bool:
    return not share.armored or weapon.at is not None or flames(watch, weapon)


def right_limits(watch: Watch, shares: list[Share]) -> None:
    """Who may not be hit is not; those on foot once; armor not by small arms; by flame nobody twice."""
    for share in shares:
        name = share.team.id
        if share.hits and share.may is False:
            watch.object_to("hof.firing.spill-to-neighbours", f"{name} may not be hit by this order")
        if len(share.hits) > 1 and not share.vehicle:
            watch.object_to("hof.firing.one-hit-per-order", f"{name} takes {len(share.hits)} hits")
        if sum(flames(watch, weapon) for _, weapon in share.hits) > 1:
            watch.object_to("hof.optional.flame-fire", f"{name} is hit by flame twice")
        for _, weapon in share.hits:
            if not suits(watch, weapon, share):
                watch.object_to("hof.firing.small-arms-unarmored-only", f"{name} is armored against a {weapon.name}")


def target_first(watch: Watch, shares: list[Share], successes: list[tuple[str, Weapon]]) -> None:
    target = shares[0]
    fits = [weapon for _, weapon in successes if suits(watch, weapon, target)]
    if target.hits or target.may is not True or not fits:
        return
    others = [share for share in shares[1:] if not share.small and share.may is not False]
    if target.small and any(suits(watch, weapon, share) for share in others for _, weapon in successes):
        return
    watch.object_to("hof.firing.target-hit-first", f"{target.team.id} takes no hit of {len(fits)}")


def small_last(watch: Watch, volley: Volley, shares: list[Share]) -> None:
    """A Small Team is hit only when every other Team has been."""
    struck = [weapon for share in shares if share.small for _, weapon in share.hits]
    firers = {name for share in shares if share.small for name, _ in share.hits}
    if not struck:
        return
    watch.count("hits on Small Teams", len(struck))
    for share in shares:
        if share.small or share.hits or share.may is not True:
            continue
        felt = [matters(watch, volley, name, weapon, share) for name in firers for weapon in struck]
        if not share.armored or all(felt):
            watch.object_to("hof.firing.small-teams-last", f"{share.team.id} should have been hit first")


def matters(watch: Watch, volley: Volley, firer: str, weapon: Weapon, share: Share) -> Maybe:
    """Whether a hit does something to an armored Team, or to whoever rides on it."""
    armor = kind_of(share.team).armor
    if armor is None or flames(watch, weapon):
        return True
    if weapon.at is None:
        return False
    if ridden(volley.state, share.team):
        return True
    flank = flank_of(volley.state, firer, share.team)
    return None if flank is None else armor[flank] < 2 * weapon.at


def flank_of(state: Any, firer: str, team: Any) -> Maybe:
    found = find(state, firer)
    eye = place(state, found[1]) if found is not None else None
    return None if eye is None or team.at is None else behind_front(eye, team)


def in_turn(watch: Watch, shares: list[Share]) -> None:
    """No Vehicle takes a second hit before everybody of its kind has taken one."""
    for share in shares:
        hits = [weapon for _, weapon in share.hits if not flames(watch, weapon)]
        if len(hits) < 2:
            continue
        for other in shares:
            if other.armored == share.armored and other.may is True and not other.hits:
                watch.object_to(
                    "hof.firing.spill-to-neighbours", f"{share.team.id} takes {len(hits)} hits, {other.team.id} none"
                )


@book.after_answer
def note_demand(watch: Watch) -> None:
    """Whether the firing player demands that the more vulnerable are hit first."""
    if watch.entry is not None and watch.entry.topic == "vulnerable-first":
        watch.memory["demanded"] = watch.entry.answer == "yes"


def vulnerable_first(watch: Watch, volley: Volley, shares: list[Share]) -> None:
    """On demand nobody on foot in Hard Cover is hit, but the target, while somebody in the open is not."""
    entry = watch.entry
    asked = entry is not None and entry.topic == "vulnerable-first" and entry.answer == "yes"
    if not watch.memory.pop("demanded", False) and not asked:
        return
    watch.count("demands")
    foot = [share for share in shares[1:] if not share.vehicle and share.may is True]
    for share in foot:
        for other in foot:
            if not share.hits or other.hits or share.small != other.small:
                continue
            if share.team.dug_in and in_the_open(watch, volley, other.member):
                watch.object_to("hof.firing.vulnerable-first", f"{share.team.id} is hit before {other.team.id}")


def in_the_open(watch: Watch, volley: Volley, member: Member) -> bool:
    """Whether there is nothing at all near a Team that could be Hard Cover."""
    unit, team = member
    here = view(watch, volley.state)
    hosts_in_cover = any(host.dug_in for host in hosts(volley.state, unit, team))
    solid = [piece for piece in here.pieces if piece.kind.hard or piece.kind.obstacle == "at-obstacle"]
    near = any(spot.base.distance(piece.shape) < 1.0 for spot in places(volley.state, unit, team) for piece in solid)
    return not (team.dug_in or hosts_in_cover or near or team.role == "rider")


def none_lost_in_vain(watch: Watch, volley: Volley, shares: list[Share], lost: list[tuple[str, Weapon]]) -> None:
    """A hit is lost only if nobody may take it, or if the firing player wastes it on armor or on the others."""
    soft = [share for share in shares if not share.armored and share.may is not False]
    for name, weapon in lost:
        for share in shares:
            burnt = flames(watch, weapon) and any(flames(watch, each) for _, each in share.hits)
            full = (share.hits and not share.vehicle) or burnt
            if share.may is not True or full or not suits(watch, weapon, share):
                continue
            if share.armored and (soft or matters(watch, volley, name, weapon, share) is not True):
                continue
            if not share.armored and share.hits and weapon.at is not None:
                continue
            watch.object_to("hof.firing.spill-to-neighbours", f"a hit is lost that {share.team.id} should take")
            break


# What they do.


def expect_effects(watch: Watch, volley: Volley, dealt: dict[str, list[tuple[str, Weapon]]]) -> None:
    effects = Effects()
    state = volley.state
    for name, hits in dealt.items():
        victim = find(state, name)
        if victim is None:
            continue
        for firer, weapon in hits:
            shooter = find(state, firer)
            eye = place(state, shooter[1]) if shooter is not None else None
            if shooter is None or eye is None:
                continue
            hull = stand_of(state, victim[1])
            lent = volley.aims[firer].lent
            # A Leader's eyes see another target, too, that the mortar itself does not see.
            indirect = either(lent, no(sees_target(watch, state, shooter[1], victim))) if light(weapon) else False
            shelter = both(veil_of(watch, state, eye, victim).shelter, no(indirect))
            effects.hits.append(Hit(name, firer, shooter[0], weapon, behind_front(eye, hull), shelter))
    busters = {firer for firer, weapon in dealt.get(volley.target[1].id, ()) if "bunker-buster" in weapon.keywords}
    if busters:
        for _, team in members(watch.state):
            near = team.at is not None or (team.role == "rider" and stand_of(watch.state, team).at is not None)
            if not near or team.id == volley.target[1].id or kind_of(team).armor is not None:
                continue
            if distance(watch.state, volley.target[1], team) <= BLAST + DOUBT:
                effects.blasts[team.id] = len(busters)
    watch.memory["effects"] = effects


def light(weapon: Weapon) -> bool:
    return "light-mortar" in weapon.keywords


@book.on("received")
def fire_is_received(watch: Watch, event: Event) -> None:
    """A hit gives as many RFPs as its weapon's Firepower says."""
    effects: Effects = watch.memory.setdefault("effects", Effects())
    name, rfps = event.data["team"], event.data["rfps"]
    before = find(watch.earlier, name)
    after = find(watch.state, name)
    if after is None or before is None:
        watch.object_to("hof.firing.rfp-per-hit", f"{name} receives fire and is not there")
        return
    watch.count("received")
    if after[1].rfps != before[1].rfps + rfps or event.data["total"] != after[1].rfps:
        watch.object_to(
            "hof.firing.rfp-per-hit", f"{name} had {before[1].rfps} RFPs, receives {rfps}, has {after[1].rfps}"
        )
    if BLAST_RULE in event.rules:
        if effects.blasts.pop(name, 0) != rfps:
            watch.object_to(BLAST_RULE, f"{name} receives {rfps} RFPs for being near")
        return
    hit = effects.take(name)
    if hit is None:
        watch.object_to("hof.firing.rfp-per-hit", f"{name} receives RFPs of no hit")
        return
    if rfps != fire_power(watch, hit.weapon):
        watch.object_to("hof.firing.rfp-per-hit", f"a {hit.weapon.name} gives {name} {rfps} RFPs")
    if kind_of(after[1]).vehicle:
        without_roll(watch, hit, after[1])
    elif hit.shelter is not None and after[1].exposed != (before[1].exposed or not hit.shelter):
        came = "across" if hit.shelter else "not across"
        watch.object_to("hof.terrain.linear-mixed-fire", f"fire on {name} came {came} its cover: {after[1].exposed}")


def without_roll(watch: Watch, hit: Hit, team: Any) -> None:
    """A Vehicle receives RFPs without a Penetration Roll from flame; a truck also from what has no AT to speak of."""
    if not flames(watch, hit.weapon) and (kind_of(team).armor is not None or hit.weapon.at):
        watch.object_to("hof.vehicles.unarmored-is-ar-zero", f"{team.id} receives RFPs without a Penetration Roll")


def settle(watch: Watch) -> None:
    """An order is over: all its hits have taken effect, but on those who are lost."""
    effects: Effects | None = watch.memory.pop("effects", None)
    if effects is None:
        return
    state = watch.earlier if watch.event is not None else watch.state
    for name in {hit.team for hit in effects.hits} | set(effects.blasts):
        if find(state, name) is not None:
            watch.object_to("hof.firing.rfp-per-hit", f"hits on {name} had no effect")


@book.on("fire", "activation", "turn-end", "move", "call-for-fire", "interrupted")
def settle_before(watch: Watch, event: Event) -> None:
    settle(watch)
