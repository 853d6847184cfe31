"""Firing: who may fire at what, with how many dice, needing what, and on whom the hits fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import TO_HIT, Weapon
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    Verdict,
    along,
    any_of,
    gap,
    length_of,
    pose_of,
    within,
)
from sandtable.testing.umpire.tr14.log import command, first_rolls, kind, log, orders, platoons, team_in
from sandtable.testing.umpire.tr14.moving import NEAR, commands, end_move
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
    from sandtable.rulesets.tr14.state import State, Team, Unit

REACTION = 18.0
JOIN = 6.0
MOMENTS = (0.25, 0.5, 0.75, 1.0)
IN_ACTION = ("action", "aimed")
UNDER_WAY = ("reaction", "overwatch")
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
    move.fired_on = True
    going = [team for _, team in scene.members if team.id in move.ways]
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
    possible = []
    for moment in MOMENTS:
        fits = True
        for team in going:
            assert team.at is not None
            way = move.ways[team.id]
            if team.id in move.cut or any(roll.data["team"] == team.id for roll in log(watch).rolls):
                continue
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
    # A gun may have turned to its target since.
    before = team_in(watch.asked, name) or firing
    if min(gap(pose_of(each), pose_of(leading[1])) for each in (firing[1], before[1])) > NEAR + 1.0:
        watch.object_to(rule, f"{name} is too far from {chief}")


@book.on("allocated")
def hits_are_allocated(watch: Watch, event: Event) -> None:
    watch.count("allocations")
    volley: Volley | None = log(watch).volley
    if volley is None:
        watch.object_to("tr14.firing.allocation", "hits are allocated that nobody scored")
        return
    by: list[list[Any]] = event.data["by"]
    volley.queue = [list(each) for each in by]
    if sum(each[3] for each in by) != volley.hits():
        watch.object_to("tr14.firing.allocation", f"{volley.hits()} hits, and {sum(e[3] for e in by)} are allocated")
    dice = [0] * len(volley.scene.members)
    numbers = {team.id: number for number, (_, team) in enumerate(volley.scene.members)}
    left = [each for each in by if each[1]]
    for shot in volley.shots:
        if shot.weapon.at():
            look_at_dice(watch, volley.scene, shot, dice)
        if shot.throw is None or not shot.weapon.at() or not shot.hits:
            continue
        mine = next((each for each in left if each[0] == shot.shooter and each[1] == shot.weapon.name), None)
        if mine is None or mine[3] != shot.hits:
            watch.object_to("tr14.firing.at-single-team", f"{shot.shooter}'s hits do not go to one Team")
            return
        left.remove(mine)
        look_at_at_hits(watch, volley.scene, shot, numbers[mine[2]], dice)
        dice[numbers[mine[2]]] += shot.hits
    plain = {numbers[each[2]]: each[3] for each in by if not each[1]}
    look_at_plain_hits(watch, volley, plain, dice)
    volley.markers = markers_owed(volley)


def look_at_at_hits(watch: Watch, scene: Scene, shot: Shot, chosen: int, dice: Sequence[int]) -> None:
    """All hits of an AT weapon go to one Team, the first in order of those it may hit."""
    sure, all_ = candidates(scene, shot)
    if chosen not in all_:
        watch.object_to("tr14.firing.allocation", f"{shot.shooter}'s {shot.weapon.name} hits whom it cannot")
        return

    def rank(position: int) -> Range:
        return scene.allocation_class(position, scene.cover_from([shot.shooter], position, at=True))

    mine = (dice[chosen], rank(chosen)[0])
    for position in sure:
        if (dice[position], rank(position)[1]) < mine:
            names = [scene.members[p][1].id for p in (chosen, position)]
            watch.object_to("tr14.firing.allocation-order", f"{names[0]} is hit before {names[1]}")


def look_at_plain_hits(watch: Watch, volley: Volley, plain: dict[int, int], at: Sequence[int]) -> None:
    """Nobody is hit before those who come first, and nobody twice before everybody once."""
    if not plain:
        return
    scene = volley.scene
    fired = [shot for shot in volley.shots if shot.throw is not None]
    sure, all_ = valid_targets(scene, fired)
    names = list(dict.fromkeys(shot.shooter for shot in fired if not shot.weapon.at()))
    ranks = {p: scene.allocation_class(p, scene.cover_from(names, p, at=False)) for p in set(all_) | set(plain)}
    for position, number in plain.items():
        watch.count("hits allocated", number)
        name = scene.members[position][1].id
        if position not in all_:
            watch.object_to("tr14.firing.allocation", f"{name} is hit, and nobody who fires can hit it")
        last = (at[position] + number - 1, ranks[position][0])
        for other in sure:
            if other != position and (at[other] + plain.get(other, 0), ranks[other][1]) < last:
                first = scene.members[other][1].id
                watch.object_to("tr14.firing.allocation-order", f"{name} is hit before {first}")


def valid_targets(scene: Scene, fired: Sequence[Shot]) -> tuple[list[int], list[int]]:
    """Teams that some weapon which fired surely can hit, and those that one may."""
    sure, perhaps = [], []
    pairs: list[tuple[str, Weapon]] = [(shot.shooter, shot.weapon) for shot in fired]
    for position in range(len(scene.members)):
        can = any_of([scene.can_hit(name, weapon, position) for name, weapon in pairs])
        if can:
            sure.append(position)
        if can is not False:
            perhaps.append(position)
    return sure, perhaps


def markers_owed(volley: Volley) -> int:
    """tr14.suppression.per-three-hits, tr14.firing.at-one-suppression; armored Teams have a table of their own."""
    kinds = {team.id: kind(team) for _, team in volley.scene.members}
    soft = [each for each in volley.queue if not kinds[each[2]].armored()]
    dice = sum(each[3] for each in soft)
    plain = sum(each[3] for each in soft if not each[1])
    weapons = sum(1 for each in soft if each[1])
    return int(min(dice // 3, plain // 3 + weapons))


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
