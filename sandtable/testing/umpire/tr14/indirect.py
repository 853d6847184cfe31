"""Indirect fire: ranging in, the template, shells and smoke."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from shapely import Point

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import TO_HIT, TRAINING_CHECK
from sandtable.testing.umpire.tr14.firing import TURNED, apart, look_at_joining
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    Land,
    Pose,
    Spot,
    Verdict,
    all_of,
    any_of,
    base,
    bearing,
    crossed,
    eyes,
    forward,
    gap,
    grazed,
    pose_of,
    square,
    within,
)
from sandtable.testing.umpire.tr14.log import commander, first_rolls, kind, land, leader, log, observers_of, team_in
from sandtable.testing.umpire.tr14.log import teams_of as all_teams
from sandtable.testing.umpire.tr14.playing import vouched
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.saves import CLOSE, look_at_roll, saves_on
from sandtable.testing.umpire.tr14.volleys import Scene, members_of, more_than_open, negated

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

SHIFT = 6.0
IN_A_BARRAGE = {
    "template", "barrage-hits", "save", "suppressed", "destroyed", "damage", "no-effect", "marker-lost", "unit-lost",
    "company", "cc-reroll", "no-suppression", "battle-over", "hull-or-turret",
}  # fmt: skip


@dataclass
class Barrage:
    """Shells on their way: who fires, where they fall, and who has been looked at under them."""

    unit: str
    guns: list[str]
    stood: list[Pose]
    """Where the guns were when they fired: their own shells may fall on them."""
    middle: Spot
    aim: Spot
    ranged: bool
    at: Spot | None = None
    facing: float = 0.0
    points: int = 0
    under: dict[str, Verdict] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)


def mean(guns: Sequence[Team]) -> Spot:
    places = [gun.at for gun in guns if gun.at is not None]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def reaches(here: Land, gun: Team, spot: Spot, there: Pose | None) -> Verdict:
    """Whether a gun can drop shells there: in range, in the forward arc, and over nothing too near."""
    own = pose_of(gun)
    weapon = next((each for each in kind(gun).weapons if each.barrage is not None), None)
    if weapon is None:
        return False
    far = gap(own, there) if there is not None else base(own).distance(Point(spot))
    ahead = forward(own.at(), gun.facing, spot)
    found: list[Verdict] = [within(far, weapon.range), True if ahead >= 0 else None if ahead > -3 else False]
    for piece in here.pieces:
        if piece.kind == "smoke" or not piece.height:
            continue
        near = piece.border.distance(base(own))
        if near < piece.height + HAIR and piece.holds(own.at()) is not True:
            over = piece.crossed(own.at(), spot) if piece.holds(own.at()) is False else None
            close: Verdict = None if abs(near - piece.height) <= HAIR else near < piece.height
            found.append(negated(all_of([over, close])))
    return all_of(found)


def sees_spot(here: Land, own: Pose, spot: Spot) -> Verdict:
    """Whether a base sees a point."""
    lines = np.array([[*eye, *spot] for eye in eyes(own)])
    free = np.ones(len(lines), dtype=np.bool_)
    blocked = np.zeros(len(lines), dtype=np.bool_)
    for piece in here.pieces:
        if not piece.hides() or (piece.going.shape != "area" and piece.touched(own)):
            continue
        inside, near = piece.view(own)
        unsure = grazed(lines, piece.edges) | near | (piece.border.distance(Point(spot)) <= 0.1 + HAIR)
        count = crossed(lines, piece.edges).sum(axis=1)
        if piece.going.shape == "area":
            count = count - inside - bool(piece.holds(spot))
        free &= (count <= 0) & ~unsure
        blocked |= (count > 0) & ~unsure
    return True if free.any() else False if blocked.all() else None


def look_at_guns(watch: Watch, unit: Unit, names: Sequence[str], spot: Spot, there: Pose | None) -> list[Team]:
    """At least two guns fire, all that can, for the first time in this Initiative."""
    kept, here = log(watch), land(watch)
    rule = "tr14.indirect.battery-size"
    guns = [unit.teams[name] for name in names if name in unit.teams]
    if len(guns) < 2 or len(guns) < len(names):
        watch.object_to(rule, f"{len(guns)} guns of {unit.id} fire a barrage")
    for team in unit.teams.values():
        can = reaches(here, team, spot, there)
        ready = not team.markers and kept.shot.get(team.id) != kept.number
        if team.id in names and (can is False or not ready):
            watch.object_to("tr14.indirect.out-of-sight", f"{team.id} cannot take part in the barrage")
        if team.id not in names and can and ready:
            watch.object_to("tr14.indirect.out-of-sight", f"{team.id} takes no part in the barrage")
    for gun in guns:
        kept.shot[gun.id] = kept.number
        if gun.moved or not gun.fired:
            watch.object_to("tr14.indirect.no-move", f"{gun.id} has moved, or has not fired")
    now = kept.activation
    if now is None or now.unit != unit.id or now.action != "barrage":
        watch.object_to("tr14.playing.action-barrage", f"{unit.id} fires a barrage out of turn")
    return guns


def observers(state: State, unit: Unit, guns: Sequence[Team]) -> list[Team]:
    """tr14.indirect.observer: the guns, their Platoon Leader, their Forward Observer, the Company Commander."""
    found = list(guns)
    chief = leader(unit)
    if chief is not None and chief not in found and not chief.moved:
        found.append(chief)
    for each in observers_of(state, unit):
        found += each.teams.values()
    cc = commander(state, unit.side)
    return [*found, cc[1]] if cc is not None else found


@book.on("range-in")
def a_barrage_ranges_in(watch: Watch, event: Event) -> None:
    watch.count("barrages")
    state: State = watch.state
    unit = state.units[event.data["unit"]]
    found, looking = team_in(state, event.data["target"]), team_in(state, event.data["observer"])
    assert found is not None
    assert looking is not None
    team, observer = found[1], looking[1]
    assert team.at is not None
    guns = look_at_guns(watch, unit, event.data["guns"], team.at, pose_of(team))
    able = [gun for gun in unit.teams.values() if any(w.barrage is not None for w in kind(gun).weapons)]
    allowed = {each.id for each in observers(state, unit, able)}
    rule = "tr14.indirect.observer"
    if observer.id not in allowed or land(watch).sees(pose_of(observer), pose_of(team)) is False:
        watch.object_to(rule, f"{observer.id} observes on {team.id}")
    look_at_range_in(watch, event, unit, looking[1], found, guns)
    stood = [pose_of(gun) for gun in guns]
    log(watch).barrage = Barrage(unit.id, event.data["guns"], stood, mean(guns), team.at, event.data["success"])


def target_of(watch: Watch, owner: Unit) -> tuple[Unit, list[tuple[Unit, Team]]]:
    """The Unit that is ranged in on: a commander or observer joins another for the while."""
    if not owner.apart:
        return owner, members_of(owner)
    joined = next((each for each in reversed(watch.told) if each.kind == "joins"), watch.memory.get("tr14.joined"))
    host = (
        watch.state.units.get(joined.data["host"]) if joined is not None and joined.data["unit"] == owner.id else None
    )
    look_at_joining(watch, owner, host)
    return (owner, members_of(owner)) if host is None else (host, members_of(host) + members_of(owner))


@book.on("joins")
def remember_who_joined(watch: Watch, event: Event) -> None:
    watch.memory["tr14.joined"] = event


def look_at_range_in(
    watch: Watch, event: Event, unit: Unit, observer: Team, found: tuple[Unit, Team], guns: Sequence[Team]
) -> None:
    """One To Hit roll with the usual modifiers, as the observer sees the target."""
    target, members = target_of(watch, found[0])
    own = {observer.id: pose_of(observer)}
    scene = Scene(watch.state, land(watch), unit, target, members, own, {})
    low: list[Verdict] = []
    for position, (_, team) in enumerate(members):
        watching = [pose_of(observer), *(pose_of(each) for each in unit.teams.values())]
        seen = any_of([scene.here.sees(each, pose_of(team)) for each in watching])
        low.append(any_of([scene.down(position), negated(seen)]))
    hidden = [
        any_of(
            [
                scene.still(position),
                more_than_open(scene.cover(observer.id, position)),
                negated(scene.here.sees(pose_of(observer), pose_of(team))),
            ]
        )
        for position, (_, team) in enumerate(members)
    ]
    expected: dict[str, Verdict] = {
        "tr14.firing.mod-concealed": all_of(hidden),
        "tr14.firing.mod-gone-to-ground": all_of(low),
        "tr14.firing.mod-cc-observes": observer.role == "cc",
    }
    told = {modifier.rule: modifier.amount for modifier in event.modifiers}
    for rule, verdict in expected.items():
        if verdict is not None and (rule in told) != verdict:
            watch.object_to(rule, f"ranging in on {found[1].id}: {rule} should {'' if verdict else 'not '}count")
    if set(told) - set(expected) or any(amount != 1 for amount in told.values()):
        watch.object_to("tr14.indirect.range-in", f"{told} count for the ranging in")
    needed = TO_HIT[target.training] + sum(told.values())
    least = max(2, needed)
    throw = event.dice[0] if event.dice else None
    success = throw is not None and throw.values[0] >= least
    if event.data["needed"] != needed or event.data["success"] != success or (throw is None) != (needed > 6):
        watch.object_to("tr14.indirect.range-in", f"{unit.id} needs {needed}+: {event.data}")
    if throw is not None:
        again = bool(throw.before)
        owed = all(kind(gun).has("rerolls-range-in") for gun in guns) and first_rolls(throw)[0] < least
        if again != owed:
            watch.object_to("tr14.arsenal.nebelwerfer-range-in", f"{unit.id} ranges in {'twice' if again else 'once'}")


@book.on("template")
def the_template_lies(watch: Watch, event: Event) -> None:
    barrage: Barrage | None = log(watch).barrage
    if barrage is None:
        watch.object_to("tr14.indirect.template-on-target", "a template without a barrage")
        return
    at = (event.data["at"][0], event.data["at"][1])
    shifted = math.dist(at, barrage.aim)
    if shifted > (HAIR / 2 if barrage.ranged else SHIFT + HAIR):
        watch.object_to("tr14.indirect.template-shifted", f"the template lies {shifted:.2f} inches off")
    facing = bearing(barrage.middle, at)
    if apart(facing, event.data["facing"]) > TURNED:
        watch.object_to(
            "tr14.indirect.template-on-target", f"the template faces {event.data['facing']}, not {facing:.1f}"
        )
    barrage.at, barrage.facing = at, event.data["facing"]
    state: State = watch.state
    guns = [state.units[barrage.unit].teams[name] for name in barrage.guns]
    points = max((w.barrage or 0 for gun in guns for w in kind(gun).weapons), default=0)
    barrage.points = points + 1 if len(guns) > 4 else points // 2 if len(guns) < 3 else points
    area, inner = square(at, barrage.facing), square(at, barrage.facing, 6.0 - HAIR)
    for _, team in all_teams(state):
        there = base(pose_of(team))
        if there.intersects(area):
            barrage.under[team.id] = True if there.intersects(inner) else None


@book.on("barrage-hits")
def shells_fall_on_a_team(watch: Watch, event: Event) -> None:
    watch.count("Teams under shells")
    barrage: Barrage | None = log(watch).barrage
    name = event.data["team"]
    rule = "tr14.indirect.hits"
    if barrage is None or name in barrage.hits or name not in barrage.under:
        watch.object_to(rule, f"shells fall on {name}, which does not lie under them")
        return
    values = event.dice[0].values
    needed = TRAINING_CHECK[watch.state.units[barrage.unit].training]
    if len(values) != barrage.points:
        watch.object_to("tr14.indirect.battery-size", f"{len(values)} dice fall on {name}, and not {barrage.points}")
    hits = sum(value >= needed for value in values)
    if hits != event.data["hits"]:
        watch.object_to(rule, f"{values} are {event.data['hits']} hits on {needed}+")
    vouched(watch, event)
    barrage.hits[name] = hits
    watch.memory["tr14.shelled"] = (name, hits)


@book.on("save")
def a_team_saves_from_shells(watch: Watch, event: Event) -> None:
    barrage: Barrage | None = log(watch).barrage
    if barrage is None:
        return
    watch.count("saves from shells")
    state: State = watch.state
    found = team_in(state, event.data["team"])
    name, hits = watch.memory.get("tr14.shelled", ("", 0))
    rule = "tr14.indirect.one-hit" if hits == 1 else "tr14.indirect.more-hits"
    if found is None or name != event.data["team"] or not hits:
        watch.object_to(rule, f"{event.data['team']} saves, and no shell hit it")
        return
    unit, team = found
    own = kind(team)
    if hits == 1 and own.type == "tank":
        watch.object_to(rule, f"{team.id} is a tank, and saves from a single hit")
    guns = barrage.stood
    needed = event.data["needed"]
    if own.armored():
        allowed = {own.flank}
    else:
        covers = [land(watch).cover(gun, pose_of(team)) for gun in guns]
        low, high = min(cover[0] for cover in covers), min(cover[1] for cover in covers)
        allowed = saves_on(team, (2, 2) if team.dug_in else (low, high), at=True)
    if needed not in allowed:
        watch.object_to("tr14.saves.table", f"{team.id} saves from shells on {needed}+, and not {allowed}")
    close = own.armored() and bool(within(min(gap(gun, pose_of(team)) for gun in guns), CLOSE))
    look_at_roll(watch, event, needed, 1, again=unit.ran or close)
    if event.data["failed"]:
        fate = "suppressed" if hits == 1 else "damage" if own.armored() else "destroyed"
        if fate != "damage":
            watch.memory["tr14.fate"] = (fate, team.id, event)
        if hits > 1 and team.role != "fo":
            others = [each for each in unit.teams.values() if each is not team and each.role != "fo"]
            watch.memory["tr14.another"] = unit.id if others else None


@book.on()
def a_barrage_ends(watch: Watch, event: Event) -> None:
    kept = log(watch)
    barrage: Barrage | None = kept.barrage
    if "tr14.indirect.more-hits" in (*event.rules, *event.data.get("why", ())):
        watch.memory["tr14.another"] = None
    if event.kind == "barrage-hits" or (barrage is not None and event.kind not in IN_A_BARRAGE):
        unit = watch.state.units.get(watch.memory.pop("tr14.another", None) or "")
        if unit is not None:
            watch.object_to("tr14.indirect.more-hits", f"{unit.id} lost a Team to shells, and no other is suppressed")
    if barrage is None or event.kind in IN_A_BARRAGE or event.kind == "range-in":
        return
    kept.barrage = None
    if barrage.at is None:
        watch.object_to("tr14.indirect.template-on-target", "a barrage falls nowhere")
    for name, under in barrage.under.items():
        if under and barrage.points and name not in barrage.hits and team_in(watch.state, name) is not None:
            watch.object_to("tr14.indirect.hits", f"{name} lies under the template, and nothing is rolled for it")


# Smoke.


@book.on("smoke-range-in")
def smoke_is_fired(watch: Watch, event: Event) -> None:
    watch.count("smoke fired")
    state: State = watch.state
    unit = state.units[event.data["unit"]]
    spot = (event.data["at"][0], event.data["at"][1])
    guns = look_at_guns(watch, unit, event.data["guns"], spot, None)
    able = [gun for gun in unit.teams.values() if any(w.barrage is not None for w in kind(gun).weapons)]
    seen = any_of([sees_spot(land(watch), pose_of(each), spot) for each in observers(state, unit, able)])
    if seen is False:
        watch.object_to("tr14.indirect.observer", f"nobody sees {spot}, where the smoke shall fall")
    needed = TRAINING_CHECK[unit.training]
    throw = event.dice[0]
    if event.data["success"] != (throw.values[0] >= needed):
        watch.object_to("tr14.indirect.smoke", f"{unit.id} needs {needed}+ and rolls {throw.values[0]}")
    again, first = bool(throw.before), first_rolls(throw)[0]
    told = any(each.kind == "cc-reroll" and each.dice[0] is throw for each in watch.told)
    owed = first < needed and all(kind(gun).has("rerolls-range-in") for gun in guns)
    if (again and first >= needed) or (again and not (owed or told)) or (owed and not again):
        watch.object_to("tr14.arsenal.nebelwerfer-range-in", f"{unit.id} ranges its smoke in {throw.before}")
    watch.memory["tr14.smoke"] = (spot, event.data["success"], mean(guns))


@book.on("smoke")
def smoke_stands(watch: Watch, event: Event) -> None:
    kept = watch.memory.pop("tr14.smoke", None)
    cloud = watch.state.smoke[-1]
    if kept is None:
        watch.object_to("tr14.indirect.smoke", "smoke that nobody fired")
        return
    spot, success, middle = kept
    off = math.dist(cloud.at, spot)
    if off > (HAIR / 2 if success else SHIFT + HAIR):
        watch.object_to("tr14.indirect.smoke", f"the smoke stands {off:.2f} inches off")
    if apart(bearing(middle, cloud.at), cloud.facing) > TURNED:
        watch.object_to("tr14.indirect.smoke", f"the smoke lies at {cloud.facing}")


@book.after_answer
def smoke_stays_until_the_round_ends(watch: Watch) -> None:
    before, after = {each.id for each in watch.asked.smoke}, {each.id for each in watch.state.smoke}
    gone = before - after
    if gone and not any(event.kind == "smoke-clears" for event in watch.told):
        watch.object_to("tr14.indirect.smoke-effect", f"{gone} has gone")
