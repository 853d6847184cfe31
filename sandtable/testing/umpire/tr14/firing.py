"""Firing: who may fire at what, with how many dice, needing what, and on whom the hits fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arriving import end_move
from sandtable.testing.umpire.tr14.arsenal import TO_HIT
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    Verdict,
    along,
    any_of,
    bearing,
    gap,
    gap_to_any,
    length_of,
    pose_of,
    within,
)
from sandtable.testing.umpire.tr14.log import command, first_rolls, kind, log, orders, platoons, team_in, teams_of
from sandtable.testing.umpire.tr14.moving import NEAR, commands
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.volleys import (
    Range,
    Scene,
    Shot,
    Volley,
    is_hard,
    members_of,
    negated,
    scene_of,
)

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

REACTION = 18.0
JOIN = 6.0
MOMENTS = (0.25, 0.5, 0.75, 1.0)
IN_ACTION = ("action", "aimed")
UNDER_WAY = ("reaction", "overwatch")
TURNED = 0.11
"""Facings are kept to a tenth of a degree."""
QUARTERED = 4
"""Of fewer Fire Points nothing is left when they are halved twice."""


def read_order(text: str) -> tuple[str, str, bool]:
    """An order to fire: at which Unit, at which type of its Teams, with the machine guns alone or not."""
    rest, _, mgs = text.partition("#")
    unit, _, type = rest.partition("@")
    return unit, type, bool(mgs)


@book.on("shooting")
def a_volley_is_fired(watch: Watch, event: Event) -> None:
    watch.count("volleys")
    state: State = watch.state
    unit, target = state.units[event.data["unit"]], state.units[event.data["target"]]
    manner, stood = event.data["manner"], event.data["stood"]
    if manner not in UNDER_WAY and (move := log(watch).move) is not None:
        end_move(watch, move, watch.asked)
    given = {name: read_order(text) for name, text in orders(watch).items() if name in stood}
    members, guest = aimed_at(watch, target, {order[0] for order in given.values()}, manner)
    scene = scene_of(watch, unit, members, target, stood)
    scene.at_observer = guest is not None and guest.apart == "fo"
    scene.moving = manner in UNDER_WAY
    shots = shots_of(watch, scene, event, given)
    volley = Volley(scene, shots, manner)
    log(watch).volley = volley
    if unit.side == target.side:
        watch.object_to("tr14.firing.target-unit", f"{unit.id} fires at a friend")
    look_at_shooters(watch, scene, manner, given, {shot.shooter for shot in shots if shot.dice})
    if manner in UNDER_WAY:
        look_at_reaction(watch, scene, manner)
    look_at_weapons(watch, scene, shots, given)
    look_at_modifiers(watch, scene, shots, manner)
    nothing = [0] * len(scene.members)
    for shot in shots:
        # What earlier AT weapons have hit, on which the dice of later ones rest, is told with the allocation.
        if not shot.weapon.at() or not volley.hits():
            look_at_dice(watch, scene, shot, nothing)
    look_at_hits(watch, event, volley)
    look_at_facings(watch, scene, shots)


def aimed_at(watch: Watch, target: Unit, named: set[str], manner: str) -> tuple[list[tuple[Unit, Team]], Unit | None]:
    """The Teams that the fire is aimed at, and who has joined them: a commander, or an observer."""
    fight = log(watch).fight
    state: State = watch.state
    if manner == "assault" and fight is not None:
        found = [(unit, team) for unit in fight.defenders(state) for team in unit.teams.values()]
        guests = [unit for unit, _ in found if unit.apart]
        return found, guests[0] if guests else None
    guest = next((state.units[name] for name in sorted(named) if name != target.id and name in state.units), None)
    if guest is None and target.apart:
        guest = target
        look_at_joining(watch, target, None)
        return members_of(target), guest
    if guest is None:
        return members_of(target), None
    look_at_joining(watch, guest, target)
    return members_of(target) + members_of(guest), guest


def look_at_joining(watch: Watch, guest: Unit, host: Unit | None) -> None:
    """tr14.leaders.cc-joins-unit, tr14.indirect.fo-joins-unit: the nearest Unit within 6 inches, if there is one."""
    watch.count("attacks on commanders and observers")
    state: State = watch.state
    own = pose_of(next(iter(guest.teams.values())))
    far = {
        unit.id: min(gap(own, pose_of(team)) for team in unit.teams.values()) for unit in platoons(state, guest.side)
    }
    near = {name: distance for name, distance in far.items() if within(distance, JOIN)}
    rule = "tr14.leaders.cc-joins-unit"
    if host is None:
        if near:
            watch.object_to(rule, f"{guest.id} joins nobody, and {sorted(near)} is near")
    elif host.id not in near or near[host.id] > min(near.values()) + HAIR:
        watch.object_to(rule, f"{guest.id} joins {host.id}, {far.get(host.id, 0):.2f} inches away")


def shots_of(watch: Watch, scene: Scene, event: Event, given: dict[str, tuple[str, str, bool]]) -> list[Shot]:
    throws = list(event.dice)
    shots = []
    for told in event.data["shots"]:
        team = scene.unit.teams[told["team"]]
        weapon = next((each for each in kind(team).weapons if each.name == told["weapon"]), None)
        if weapon is None:
            watch.object_to("tr14.firing.fp-dice", f"{team.id} has no {told['weapon']}")
            continue
        modifiers = {rule: amount for amount, rule in told["modifiers"]}
        declared = given[team.id][1] if team.id in given else ""
        shot = Shot(team.id, weapon, declared, told["dice"], told["needed"], told["hits"], modifiers)
        if told["needed"] <= 6 and told["dice"]:
            shot.throw = throws.pop(0)
        shots.append(shot)
    return shots


def look_at_shooters(
    watch: Watch, scene: Scene, manner: str, given: dict[str, tuple[str, str, bool]], rolling: set[str]
) -> None:
    """Who fires may: unsuppressed, for the first time in this Initiative, and not held to the ground."""
    kept = log(watch)
    for name in scene.shooters:
        watch.count("Teams that fire")
        team = scene.unit.teams[name]
        if name not in given:
            watch.object_to("tr14.firing.target-unit", f"{name} fires without an order")
        if team.markers:
            watch.object_to("tr14.suppression.no-fire", f"{name} fires though suppressed")
        if kept.shot.get(name) == kept.number:
            watch.object_to("tr14.firing.once-per-initiative", f"{name} fires twice in an Initiative")
        if name not in rolling:
            # Whoever has no die to roll has not fired.
            continue
        kept.shot[name] = kept.number
        if not team.fired:
            watch.object_to("tr14.firing.mod-gone-to-ground", f"{name} has fired, and nobody noticed")
    if scene.unit.held and manner not in UNDER_WAY:
        watch.object_to("tr14.firing.gtg-declare", f"{scene.unit.id} fires although it went to ground")


def look_at_reaction(watch: Watch, scene: Scene, manner: str) -> None:
    """tr14.firing.reaction-fire: at a Unit on the move, within 18 inches of each who fires."""
    watch.count("volleys at movers")
    kept = log(watch)
    move, unit = kept.move, scene.unit
    rule = "tr14.firing.reaction-fire"
    expected = "overwatch" if unit.overwatch and not unit.held else "reaction"
    if manner != expected:
        watch.object_to(rule, f"{unit.id} fires in {manner}")
    if move is None:
        watch.object_to(rule, f"{unit.id} fires in {manner} at nobody who moves")
        return
    going = [team for _, team in scene.members if team.id in move.ways]
    fallen = [name for name in move.ways if team_in(watch.state, name) is None]
    if fallen:
        # Those who drew the fire may have been shot by the first half of it.
        return
    if not going:
        watch.object_to(rule, f"{unit.id} fires in {manner} at a Unit that does not move")
    if manner == "reaction":
        for name in scene.shooters:
            far = min((gap(scene.place(name), pose_of(team)) for team in going), default=99.0)
            if far > REACTION + HAIR:
                watch.object_to(rule, f"{name} fires in reaction at movers {far:.2f} inches away")
    look_at_moment(watch, going)


def look_at_moment(watch: Watch, going: Sequence[Team]) -> None:
    """The movers stand where they are at a quarter, half, three quarters or the end of their ways."""
    move = log(watch).move
    assert move is not None
    if move.cut or any(not roll.data["passed"] for roll in log(watch).rolls):
        # Somebody stuck in rough ground, and others may have to stop behind him.
        return
    possible = []
    for moment in MOMENTS:
        fits = True
        for team in going:
            assert team.at is not None
            way = move.ways[team.id]
            x, y = along(way, length_of(way) * moment)
            fits &= abs(x - team.at[0]) <= HAIR and abs(y - team.at[1]) <= HAIR
        if fits:
            possible.append(moment)
    if not possible:
        watch.object_to("tr14.firing.reaction-fire", "the movers are not all at one moment of their ways")


# Weapons and dice.


def look_at_weapons(watch: Watch, scene: Scene, shots: Sequence[Shot], given: dict[str, tuple[str, str, bool]]) -> None:
    """tr14.firing.several-weapons, tr14.arsenal.coax: everything that bears, but no coaxial MG beside the gun."""
    fired: dict[str, list[str]] = {}
    for shot in shots:
        fired.setdefault(shot.shooter, []).append(shot.weapon.name)
    for name, (_, _, mgs) in given.items():
        weapons = kind(scene.unit.teams[name]).weapons
        told = fired.get(name, [])
        gun_fires = False
        for weapon in weapons:
            can = any_of([scene.can_hit(name, weapon, position) for position in range(len(scene.members))])
            barred = (weapon.mount == "gun" and mgs) or (weapon.mount == "coax" and gun_fires)
            if weapon.name in told:
                watch.count("weapons fired")
                if can is False or barred:
                    why = "is barred by the main gun" if barred else "bears on nobody"
                    watch.object_to("tr14.firing.los-and-range", f"{name} fires its {weapon.name}, which {why}")
                gun_fires |= weapon.mount == "gun"
            elif can and not barred and not (weapon.at() and weapon.fp < QUARTERED):
                watch.object_to("tr14.firing.several-weapons", f"{name} does not fire its {weapon.name}")


def candidates(scene: Scene, shot: Shot) -> tuple[list[int], list[int]]:
    """The Teams that a weapon surely can hit, and all that it may; of the declared type, if there are any."""
    chances = {p: scene.can_hit(shot.shooter, shot.weapon, p) for p in range(len(scene.members))}
    sure = [p for p, can in chances.items() if can]
    all_ = [p for p, can in chances.items() if can is not False]
    if shot.weapon.at() and shot.declared:
        typed = [p for p in all_ if kind(scene.members[p][1]).type == shot.declared]
        if any(p in sure for p in typed):
            return [p for p in sure if p in typed], typed
        if typed:
            return [], all_
    return sure, all_


def look_at_dice(watch: Watch, scene: Scene, shot: Shot, given: Sequence[int]) -> None:
    """Fire Points: halved at long range, and for AT weapons against soft targets out of hard cover.

    `given` are the hits that each Team has from the AT weapons before.
    """
    watch.count("shots")
    sure, all_ = candidates(scene, shot)
    if not all_:
        return
    distance = {p: scene.distance(shot.shooter, p) for p in all_}
    farthest = min((distance[p] for p in sure), default=max(distance.values()))
    longs = {not within(distance[p], shot.weapon.range) for p in all_ if distance[p] <= farthest + HAIR}
    rule = "tr14.firing.mod-long-range"
    if (rule in shot.modifiers) not in longs:
        watch.object_to(rule, f"{shot.shooter}'s {shot.weapon.name} at {min(distance.values()):.2f} inches")
    halves = (
        {half_against(scene, shot, p) for p in firsts(scene, shot, sure, all_, given)} if shot.weapon.at() else {False}
    )
    allowed = set()
    for long in longs:
        fp = shot.weapon.fp // 2 if long else shot.weapon.fp
        for half in halves:
            allowed |= {fp, fp // 2} if half is None else {fp // 2 if half else fp}
    if shot.dice not in allowed:
        watch.object_to("tr14.firing.fp-dice", f"{shot.shooter}'s {shot.weapon.name} rolls {shot.dice}, not {allowed}")


def half_against(scene: Scene, shot: Shot, position: int) -> Verdict:
    """tr14.firing.at-half-fp"""
    if kind(scene.members[position][1]).type == "tank":
        return False
    return negated(is_hard(scene.cover_from([shot.shooter], position, at=True)))


def firsts(scene: Scene, shot: Shot, sure: Sequence[int], all_: Sequence[int], given: Sequence[int]) -> list[int]:
    """To whom the hits may go next; of equals to the Team that is no tank."""

    def rank(position: int) -> tuple[Range, bool]:
        cover = scene.cover_from([shot.shooter], position, at=True)
        return scene.allocation_class(position, cover), kind(scene.members[position][1]).type == "tank"

    ranks = {p: rank(p) for p in all_}
    best = min(((given[p], ranks[p][0][1], ranks[p][1]) for p in sure), default=(99, 9, True))
    return [p for p in all_ if (given[p], ranks[p][0][0], ranks[p][1]) <= best]


def look_at_modifiers(watch: Watch, scene: Scene, shots: Sequence[Shot], manner: str) -> None:
    """Every modifier that should be there, and none that should not."""
    now = log(watch).activation
    firing = list(dict.fromkeys(shot.shooter for shot in shots))
    moved = manner == "action" and now is not None and now.action == "move-and-fire" and now.moves > 0
    expected: dict[bool, dict[str, tuple[int, Verdict]]] = {}
    for at in {shot.weapon.at() for shot in shots}:
        concealed = scene.concealed(firing, at=at)
        in_open: Verdict = False
        if scene.moving and concealed is not True:
            in_open = scene.in_the_open(firing, at=at)
            in_open = None if concealed is None and in_open is not False else in_open
        expected[at] = {
            "tr14.firing.mod-concealed": (1, concealed),
            "tr14.firing.mod-gone-to-ground": (1, scene.lies_low()),
            "tr14.firing.mod-firer-moved": (1, moved),
            "tr14.firing.mod-reaction": (1, manner == "reaction"),
            "tr14.firing.mod-moving-in-open": (-1, in_open),
            "tr14.firing.mod-long-range": (1, None),
        }
    for shot in shots:
        for rule, (amount, verdict) in expected[shot.weapon.at()].items():
            watch.count(f"modifiers: {rule.rpartition('mod-')[2]}", int(rule in shot.modifiers))
            if verdict is not None and (rule in shot.modifiers) != verdict:
                word = "should count" if verdict else "should not count"
                watch.object_to(rule, f"{shot.shooter}'s {shot.weapon.name} at {scene.target.id}: {rule} {word}")
            if shot.modifiers.get(rule, amount) != amount:
                watch.object_to(rule, f"{rule} counts {shot.modifiers[rule]}")
        unknown = set(shot.modifiers) - set(expected[shot.weapon.at()])
        if unknown:
            watch.object_to("tr14.firing.fp-dice", f"{unknown} count for {shot.shooter}")
        needed = TO_HIT[scene.target.training] + sum(shot.modifiers.values())
        if shot.needed != needed:
            watch.object_to(
                "tr14.firing.to-hit-by-target-training", f"{shot.shooter} needs {needed}+, not {shot.needed}+"
            )


def look_at_hits(watch: Watch, event: Event, volley: Volley) -> None:
    """Dice that hit, and dice that were rolled again."""
    directed = log(watch).directed
    log(watch).directed = []
    look_at_directors(watch, volley.scene, directed)
    for shot in volley.shots:
        if shot.throw is None:
            if shot.hits:
                watch.object_to("tr14.firing.seven-plus", f"{shot.shooter} hits without a die")
            continue
        least = max(2, shot.needed)
        if len(shot.throw.values) != shot.dice:
            watch.object_to("tr14.firing.fp-dice", f"{shot.shooter} rolls {shot.throw.values} for {shot.dice} dice")
        if sum(value >= least for value in shot.throw.values) != shot.hits:
            watch.object_to("tr14.firing.fp-dice", f"{shot.throw.values} are {shot.hits} hits on {shot.needed}+")
        missed = {number for number, value in enumerate(first_rolls(shot.throw)) if value < least}
        again = set(shot.throw.before)
        led = any(throw is shot.throw for _, _, throws in directed for throw in throws)
        owed = missed if volley.manner == "aimed" or led else set()
        if again != owed:
            rule = "tr14.playing.action-aimed-fire" if volley.manner == "aimed" else "tr14.leaders.direct-fire"
            watch.object_to(rule, f"{shot.shooter} rolls {len(again)} dice again, and not {len(owed)}")
    if event.data["hits"] != volley.hits():
        watch.object_to("tr14.firing.fp-dice", f"{event.data['hits']} hits are told, and {volley.hits()} fell")


def look_at_directors(watch: Watch, scene: Scene, directed: Sequence[tuple[str, str, Any]]) -> None:
    """tr14.leaders.direct-fire: within two inches, as both stood before they turned to their targets."""
    for chief, name, _ in directed:
        found = team_in(watch.state, chief)
        assert found is not None
        there = scene.shooters.get(chief, pose_of(found[1]))
        if within(gap(scene.place(name), there), NEAR) is False:
            watch.object_to("tr14.leaders.direct-fire", f"{name} is too far from {chief}")


@book.on("direct-fire")
def a_leader_directs_fire(watch: Watch, event: Event) -> None:
    watch.count("fire directed")
    name, chief = event.data["team"], event.data["leader"]
    directed = log(watch).directed
    if not any(each[:2] == (chief, name) for each in directed):
        # One command for all that a Team fires, be it rolled one weapon at a time.
        command(watch, chief)
    directed.append((chief, name, list(event.dice)))
    firing, leading = team_in(watch.state, name), team_in(watch.state, chief)
    assert firing is not None
    assert leading is not None
    rule = "tr14.leaders.direct-fire"
    if chief == name:
        watch.object_to("tr14.leaders.once-per-initiative", f"{chief} directs his own fire")
    if kind(leading[1]).type != "infantry" or not commands(watch.state, firing[0].id, chief):
        watch.object_to(rule, f"{chief} does not command {name}")


def look_at_facings(watch: Watch, scene: Scene, shots: Sequence[Shot]) -> None:
    """tr14.firing.arc: who fires turns to face the target, the turret or the whole base, if it has room to."""
    for shot in shots:
        team = scene.unit.teams[shot.shooter]
        mine = kind(team)
        if mine.type == "infantry" or not shot.dice:
            continue
        watch.count("Teams that turn")
        there = [bearing(pose_of(team).at(), pose_of(enemy).at()) for _, enemy in scene.members]
        if mine.turret and shot.weapon.mount in ("gun", "coax"):
            if min(apart(team.turret or 0.0, way) for way in there) > TURNED:
                watch.object_to("tr14.firing.turret-arc", f"{team.id} does not turn its turret to the target")
        elif min(apart(team.facing, way) for way in there) > TURNED:
            # Others turn as well, one after the other: room there is only where neither is in the way.
            others = [pose_of(each) for _, each in teams_of(scene.state) if each.id != team.id]
            others += [pose for name, pose, _ in scene.friends if name != team.id]
            turned = [pose_of(team)._replace(facing=way) for way in there]
            if all(gap_to_any(pose, others) > HAIR and scene.here.on_table(pose, 0.0) for pose in turned):
                watch.object_to("tr14.firing.arc", f"{team.id} does not turn to face the target")


def apart(one: float, other: float) -> float:
    """The angle between two facings."""
    return abs((one - other + 180.0) % 360.0 - 180.0)


# Going to ground.


@book.on("to-ground")
def a_unit_goes_to_ground(watch: Watch, event: Event) -> None:
    watch.count("Units going to ground")
    kept = log(watch)
    unit = watch.state.units[event.data["unit"]]
    before = watch.earlier.units[unit.id]
    rule = "tr14.firing.gtg-declare"
    if unit.id in kept.acted and not before.overwatch:
        watch.object_to(rule, f"{unit.id} goes to ground after it has acted")
    if before.held:
        watch.object_to(rule, f"{unit.id} goes to ground a second time in the round")
    joined = watch.memory.get("tr14.joined")
    guests = [] if joined is None or joined.data["host"] != unit.id else [watch.state.units.get(joined.data["unit"])]
    down = [team for each in (unit, *guests) if each is not None for team in each.teams.values()]
    if all(kind(team).type == "tank" for team in down):
        watch.object_to("tr14.firing.gtg-not-tanks", f"{unit.id} goes to ground, all tanks")
    if not (unit.to_ground and unit.held):
        watch.object_to(rule, f"{unit.id} has not gone to ground")


@book.on("up-again")
def reaction_fire_ends_it(watch: Watch, event: Event) -> None:
    watch.count("Units up again")
    unit = watch.state.units.get(event.data["unit"])
    if unit is None or unit.to_ground or not unit.held:
        watch.object_to("tr14.firing.gtg-reaction-ends-it", f"{event.data['unit']} is said to be up again")


@book.after_answer
def overwatch_is_spent(watch: Watch) -> None:
    """A Unit that has fired in Overwatch waits no longer, and one to ground that has fired is up again."""
    volley: Volley | None = log(watch).volley
    if volley is None or volley.manner not in UNDER_WAY or log(watch).move is not None:
        return
    unit = watch.state.units.get(volley.scene.unit.id)
    if unit is not None and (unit.overwatch or unit.to_ground) and log(watch).activation is not None:
        watch.object_to("tr14.playing.action-overwatch", f"{unit.id} has fired and still waits")
