"""Close combat: the assault move, who takes part, what the dice need, and who breaks off."""

from __future__ import annotations

import math
from typing import Any

from shapely.geometry import LineString, Point

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.effect import close_attack
from sandtable.testing.umpire.sof.log import Fight, answer, by_recon, course, missed, passes, unit_in
from sandtable.testing.umpire.sof.morale import owe
from sandtable.testing.umpire.sof.moving import LOW, Way, allowance, ground_met, in_one_piece, stands_well
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import ASSAULT, RATES, TIGHT, UNARMED, special_of
from sandtable.testing.umpire.sof.table import (
    CONTACT,
    HAIR,
    Maybe,
    any_of,
    apart,
    bearing,
    disabled,
    enemies,
    figures,
    gap,
    leads,
    length,
    pieces,
    placed,
    radius,
    standing,
    turn_between,
    worth,
    wounds,
)

TURNED_BACK = 3
CONSOLIDATION = 3.0
GAP = 2.0
PLAINLY = 0.03
"""Bases no farther apart touch beyond doubt."""
OBSTACLE = 0.1
"""A base no farther from an obstacle touches it."""


# The assault move and closing fire.


@book.on("assault")
def an_assault(watch: Watch, event: Event) -> None:
    watch.count("assaults")
    kept, state, data = course(watch), watch.state, event.data
    close_attack(watch)
    unit = state.units[data["unit"]]
    if state.units[data["target"]].ambush or state.units[data["target"]].side == unit.side:
        watch.object_to("sof.mission-special.ambush-immune", f"{unit.id} assaults {data['target']}, and may not")
    chosen = answer(watch, "assault")
    if chosen is not None and chosen != data["target"]:
        watch.object_to("sof.actions.assault-reach", f"{unit.id} assaults {data['target']}, and {chosen} was chosen")
    ways = [
        Way(name, [(float(x), float(y)) for x, y in spots], radius(unit.teams[name]))
        for name, spots in data["ways"].items()
    ]
    again = kept.fight is not None and kept.fight.done
    kept.fight = Fight(unit.id, data["target"], state)
    _, most = allowance(watch, unit, "maneuver" if again else "assault", ways)
    for way in ways:
        if math.dist(way.spots[0], unit.teams[way.name].at) > 0.02:
            watch.object_to("sof.close-combat.move", f"{way.name} begins at {way.spots[0]}")
        if length(way.spots) > most + HAIR:
            watch.object_to("sof.close-combat.move", f"{way.name} goes {length(way.spots):.2f} of {most:g} inches")
    kept.fight.moved = {way.name for way in ways}
    act = kept.act
    if act is not None and act.phase == 0 and apart(unit, state.units[data["target"]]) > HAIR:
        watch.count("assaults in phase 0")


@book.on("closing-fire")
def those_in_contact(watch: Watch, event: Event) -> None:
    """When the assault moves end: who touches whom, and who supports whom."""
    fight, state = course(watch).fight, watch.state
    if fight is None:
        watch.object_to("sof.close-combat.sequence", "closing fire without an assault")
        return
    fix_contacts(watch, fight, state)


def fix_contacts(watch: Watch, fight: Fight, state: Any) -> None:
    if fight.touching:
        return
    unit = state.units[fight.attacker]
    foes = enemies(state, unit.side)
    for foe in foes:
        pairs = [
            (one.id, other.id)
            for one in figures(unit)
            for other in figures(foe)
            if gap(one, other) <= CONTACT + 0.02 or across(watch, one, other)
        ]
        if pairs:
            fight.defenders.append(foe.id)
        for one, other in pairs:
            if gap(unit.teams[one], foe.teams[other]) <= PLAINLY:
                fight.plain |= {one, other}
            fight.touching.setdefault(one, set()).add(foe.id)
            fight.touching.setdefault(other, set()).add(unit.id)
            fight.links.setdefault(one, set()).add(other)
            fight.links.setdefault(other, set()).add(one)
    if not fight.defenders:
        watch.object_to("sof.actions.assault-reach", f"{unit.id} assaults, and touches nobody")
    if fight.target not in fight.defenders:
        watch.object_to("sof.actions.assault-reach", f"{unit.id} does not reach {fight.target}")
    for each in [unit, *(state.units[name] for name in fight.defenders)]:
        supports(fight, each)
    for name in fight.moved:
        if name in unit.teams and name not in fight.touching and name not in fight.support:
            watch.object_to("sof.close-combat.move", f"{name} moves, and touches neither an enemy nor a mate who does")


def across(watch: Watch, one: Any, other: Any) -> bool:
    """Whether two models may fight across an obstacle at which they stand."""
    away = gap(one, other)
    if away > 2 * OBSTACLE + 1.0:
        return False
    line = LineString([one.at, other.at])
    return any(
        line.intersects(piece.large)
        and min(piece.shape.distance(Point(each.at)) - radius(each) for each in (one, other)) <= OBSTACLE
        for piece in pieces(watch)
        if not piece.area
    )


def near_an_obstacle(watch: Watch, figure: Any) -> bool:
    return any(
        piece.shape.distance(Point(figure.at)) <= radius(figure) + 1.0
        for piece in pieces(watch)
        if not piece.area or piece.kind in LOW
    )


def supports(fight: Fight, unit: Any) -> None:
    if unit.type not in ("infantry", "mounted"):
        return
    for figure in figures(unit):
        if figure.id in fight.touching:
            continue
        for mate in figures(unit):
            if mate.id != figure.id and mate.id in fight.touching and gap(figure, mate) <= CONTACT + 0.02:
                fight.support.setdefault(figure.id, set()).update(fight.touching[mate.id])
                if mate.id in fight.plain and gap(figure, mate) <= PLAINLY:
                    fight.plain.add(figure.id)


# Blows.


@book.on("blows")
def blows(watch: Watch, event: Event) -> None:
    watch.count("blows")
    kept, data = course(watch), event.data
    close_attack(watch)
    fight, state = kept.fight, watch.state
    if fight is None:
        watch.object_to("sof.close-combat.sequence", "blows outside a close combat")
        return
    fix_contacts(watch, fight, watch.state)
    unit, target = state.units[data["unit"]], state.units[data["target"]]
    attacking = unit.id == fight.attacker
    order_of_blows(watch, fight, unit, attacking, data["round"])
    who_fights(watch, fight, unit, target, data["teams"])
    expected = [
        modifiers(watch, fight, unit.teams[name], unit, target, attacking, data["round"]) for name in data["teams"]
    ]
    told = {each.rule: each.amount for each in event.modifiers if each.amount}
    for name, one in zip(data["teams"], expected, strict=True):
        for rule in sorted(set(one) | set(told)):
            watch.count(f"assault modifiers: {rule.rpartition('.')[2]}")
            if rule in one and one[rule] is None:
                continue
            if one.get(rule, 0) != told.get(rule, 0):
                watch.object_to(rule, f"{name} against {target.id}: {told.get(rule, 0):+d}, not {one.get(rule, 0):+d}")
    needed = min(8, ASSAULT[unit.training] - sum(told.values()))
    if data["needed"] != needed:
        watch.object_to("sof.close-combat.check", f"{unit.id} needs {data['needed']}, and not {needed}")
    throw = event.dice[0]
    more = 1 if "bombers" in unit.special else 0
    dice = sum(standing(unit.teams[name]) * (1 + more) + leads(unit.teams[name]) for name in data["teams"])
    if len(throw.values) != dice:
        watch.object_to("sof.close-combat.dice-one", f"{unit.id} rolls {len(throw.values)} dice for {data['teams']}")
    if not by_recon(watch, event):
        lance_rerolls(watch, fight, unit, event, needed, attacking)
    again = [face for more in event.dice[1:] for face in more.values]
    if needed > 6 and not throw.before and len(again) != throw.values.count(6):
        watch.object_to("sof.basics.difficult-when", f"{len(again)} further dice after {throw.values} on {needed}+")
    hits = passes(throw.values, again, needed, assault=True)
    if data["hits"] != hits:
        watch.object_to(
            "sof.close-combat.natural-rolls", f"{throw.values} on {needed}+ hit {hits} times, not {data['hits']}"
        )
    fight.owed[target.id] = fight.owed.get(target.id, 0) + hits
    fight.struck.append((unit.id, data["round"]))
    owe(watch, target.id, hits)


def order_of_blows(watch: Watch, fight: Fight, unit: Any, attacking: bool, number: int) -> None:
    before = [(name == fight.attacker, each) for name, each in fight.struck]
    if attacking and (False, number) in before:
        watch.object_to("sof.close-combat.sequence", f"{unit.id} strikes after the defenders in round {number}")
    if number < fight.round or number > fight.round + 1:
        watch.object_to("sof.close-combat.sequence", f"round {number} follows round {fight.round}")
    if number > 1 and (unit.id, number) not in watch.memory.get("sof.aggression", set()):
        watch.object_to(
            "sof.close-combat.aggression", f"{unit.id} strikes in round {number} without an Aggression check"
        )
    attacker = unit_in(watch.earlier, fight.attacker)
    if number == 1 and not fight.struck and attacker is not None and attacker.suppression >= TURNED_BACK:
        watch.object_to("sof.close-combat.turned-back", f"{attacker.id} fights with {attacker.suppression} markers")
    fight.round = number


def who_fights(watch: Watch, fight: Fight, unit: Any, target: Any, teams: list[str]) -> None:
    for name in teams:
        figure = unit.teams[name]
        if disabled(figure) or figure.role in UNARMED:
            watch.object_to("sof.close-combat.dice-eligible", f"{name} fights, and cannot")
        if target.id not in fight.touching.get(name, set()) | fight.support.get(name, set()):
            watch.object_to("sof.close-combat.dice-eligible", f"{name} fights {target.id}, and stands apart")
    told = watch.memory.setdefault("sof.fighting", {})
    told.setdefault((unit.id, fight.round), set()).update(teams)


@book.on()
def everybody_has_struck(watch: Watch, event: Event) -> None:
    """When a unit's blows of a round are told, all of its men in contact have struck."""
    if event.kind in ("blows", "recon-reroll"):
        return
    told = watch.memory.pop("sof.fighting", None)
    fight = course(watch).fight
    if told is None or fight is None:
        return
    for (name, number), teams in told.items():
        unit = watch.earlier.units.get(name)
        if unit is None:
            continue
        for figure in figures(unit):
            foes = fight.touching.get(figure.id, set()) | fight.support.get(figure.id, set())
            if not foes & set(watch.earlier.units) or figure.id in teams:
                continue
            plain = figure.id in fight.touching and any(
                gap(figure, other) <= 0.03
                for foe in foes
                if foe in fight.before.units and foe in watch.earlier.units
                for other in figures(watch.earlier.units[foe])
                if other.id in fight.links.get(figure.id, ())
            )
            if plain and number == 1 and not disabled(figure) and figure.role not in UNARMED:
                watch.object_to(
                    "sof.close-combat.dice-eligible", f"{figure.id} touches {sorted(foes)}, and does not fight"
                )


def modifiers(
    watch: Watch, fight: Fight, figure: Any, unit: Any, target: Any, attacking: bool, number: int
) -> dict[str, int | None]:
    """What is added to the assault checks of one model; None where it is too close to call."""
    rule = "sof.close-combat.mod-"
    carried = special_of(figure)
    lance = "lance" in carried and figure.mounted
    found: dict[str, int | None] = {}
    first = number == 1
    if "assault" in carried:
        found[rule + "assault-weapon"] = 1
    if "close-fighting-weapon" in carried:
        found[rule + "close-fighting"] = 1
    if figure.mounted and "sabre" in carried and first and attacking:
        found[rule + "sabre"] = 1
    if figure.role == "officer" and "sword" in carried and first and attacking and not figure.mounted:
        found[rule + "sword"] = 1
    if lance:
        # The owner may forgo the lance for his other weapons.
        found = dict.fromkeys(found)
    tight = in_tight_quarters(watch, fight, figure)
    if not {"assault", "handy", "close-fighting-weapon"} & carried and tight.may:
        found[rule + "tight-quarters"] = -1 if tight.sure else None
    if figure.mounted and target.type == "infantry" and not target.suppression:
        found[rule + "mounted-vs-steady"] = -1
    if unit.type == "infantry" and target.type == "mounted" and attacking:
        found[rule + "infantry-vs-mounted"] = -1
    if unit.formation == "extended" and first:
        found[rule + "extended"] = -1
    began = fight.before.units[unit.id].teams[figure.id]
    # Whoever supports a mate fights across what that mate fights across.
    mates = [mate for mate in figures(unit) if figure.id in fight.support and mate.id in fight.touching]
    if any(near_an_obstacle(watch, each) for each in (figure, began, *mates)):
        # Which obstacle lies between two models is too close to call.
        found[rule + "tight-quarters"] = found["sof.terrain.close-combat-obstacle"] = None
        found["sof.terrain-low-obstacle.close-combat"] = None
    if watch.setup.options.close_combat_hit_the_dirt and target.hit_the_dirt:
        found["sof.charts.close-combat-hit-the-dirt"] = 1
    if attacking and first:
        high = on_higher_ground(watch, fight, target)
        if high.may:
            found[rule + "higher-ground"] = -1 if high.sure else None
    if unit.suppression and first:
        found[rule + "suppressed"] = -1
    if attacking and target.dug_in and target.type != "mounted":
        found[rule + "protection"] = -1
    elif attacking and target.type != "mounted":
        sheltered = most_in(watch, target, ("rubble", "hasty-trench"))
        if sheltered.may:
            found[rule + "protection"] = -1 if sheltered.sure else None
    if attacking:
        brush = most_in(watch, target, ("undergrowth",))
        if brush.may:
            found["sof.terrain-undergrowth.close-combat-assaulting"] = -1 if brush.sure else None
    return found


def most_in(watch: Watch, target: Any, kinds: tuple[str, ...]) -> Maybe:
    """Whether more than half of a unit stands in ground of these kinds."""
    men = figures(target)
    answers = []
    total_may = 0
    for figure in men:
        total_may += any(piece.holds(figure.at).may for piece in pieces(watch) if piece.kind in kinds)
    for piece in pieces(watch):
        if piece.kind in kinds:
            sure = sum(piece.holds(figure.at).sure for figure in men)
            answers.append(Maybe(2 * sure > len(men), 2 * total_may > len(men)))
    return any_of(answers)


def in_tight_quarters(watch: Watch, fight: Fight, figure: Any) -> Maybe:
    tight = [piece for piece in pieces(watch) if piece.kind in TIGHT]
    here = any_of([piece.holds(figure.at) for piece in tight])
    # Where only somebody else who takes part stands in it, or only the edge of a base, the rules leave it open.
    takes_part = {*fight.touching, *fight.support}
    near = any(
        piece.shape.distance(Point(each.at)) <= radius(each) + HAIR
        for piece in tight
        for unit in watch.state.units.values()
        for each in figures(unit)
        if each.id in takes_part
    )
    return Maybe(here.sure, here.may or near)


def on_higher_ground(watch: Watch, fight: Fight, target: Any) -> Maybe:
    """Whether a defender is nearer to the middle of a hill than the assaulting unit was when it began."""
    began = fight.before.units[fight.attacker]
    foe = fight.before.units[target.id]
    found = []
    for piece in pieces(watch):
        if not piece.elevating:
            continue
        middle = piece.shape.centroid
        on = any_of([piece.holds(figure.at) for figure in figures(foe)])
        near = sorted(figures(foe), key=lambda figure: min(gap(figure, one) for one in figures(began)))[0]
        theirs = Point(near.at).distance(middle)
        least = min(Point(figure.at).distance(middle) for figure in figures(foe))
        ours = min(Point(figure.at).distance(middle) for figure in figures(began))
        on_near = piece.holds(near.at)
        sure = on_near.sure and theirs < ours - HAIR
        may = on.may and least < max(Point(figure.at).distance(middle) for figure in figures(began)) + HAIR
        found.append(Maybe(sure, may))
    return any_of(found)


def lance_rerolls(watch: Watch, fight: Fight, unit: Any, event: Event, needed: int, attacking: bool) -> None:
    data, throw = event.data, event.dice[0]
    lances = all("lance" in special_of(unit.teams[name]) and unit.teams[name].mounted for name in data["teams"])
    if not (lances and attacking and data["round"] == 1):
        if throw.before:
            watch.object_to("sof.close-combat.lance", f"{unit.id} rolls missed blows again")
        return
    failed = missed(event, needed, assault=True)
    if set(throw.before) not in (failed, set()):
        watch.object_to("sof.close-combat.lance", f"dice {sorted(throw.before)} are rolled again, not {sorted(failed)}")
    if failed and not throw.before:
        watch.count("lances not used")


# Aggression and breaking off.


@book.on("aggression")
def aggression(watch: Watch, event: Event) -> None:
    watch.count("Aggression checks")
    fight, data = course(watch).fight, event.data
    unit = watch.earlier.units[data["unit"]]
    face = event.dice[0].value
    if (
        data["needed"] != unit.aggression
        or data["passed"] != (face >= unit.aggression)
        or len(event.dice[0].values) != 1
    ):
        watch.object_to("sof.close-combat.aggression", f"{unit.id}: {face} on {data['needed']}+ ({unit.aggression}+)")
    if fight is None:
        watch.object_to("sof.close-combat.aggression", f"{unit.id} checks outside a close combat")
        return
    number = fight.round + 1 if unit.id == fight.attacker else max(fight.round, 2)
    if unit.id == fight.attacker:
        for name in fight.defenders:
            foe = unit_in(watch.earlier, name)
            if (
                foe is not None
                and name not in fight.broke
                and sound(foe, fight)
                and (name, fight.round) not in fight.struck
            ):
                watch.object_to("sof.close-combat.strike-back", f"{name} does not strike in round {fight.round}")
    watch.memory.setdefault("sof.aggression", set())
    if data["passed"]:
        watch.memory["sof.aggression"] |= {(unit.id, number), (unit.id, number + 1)}
    else:
        watch.memory["sof.must-break"] = unit.id


def sound(unit: Any, fight: Fight) -> bool:
    """Whether a unit plainly has somebody left who can strike; whoever has nobody breaks off without a check."""
    return any(
        not disabled(figure) and figure.id in fight.plain and figure.role not in UNARMED for figure in figures(unit)
    )


@book.on()
def whoever_fails_breaks_off(watch: Watch, event: Event) -> None:
    name = watch.memory.get("sof.must-break")
    if name is None or event.kind == "aggression":
        return
    watch.memory["sof.must-break"] = None
    if event.kind != "break-off" or event.data["unit"] != name:
        watch.object_to("sof.close-combat.aggression", f"{name} failed its Aggression check, and {event.kind} follows")


@book.on("break-off")
def a_unit_breaks_off(watch: Watch, event: Event) -> None:
    watch.count("break-offs")
    close_attack(watch)
    fight, state = course(watch).fight, watch.earlier
    unit = state.units[event.data["unit"]]
    if fight is None:
        watch.object_to("sof.close-combat.sequence", f"{unit.id} breaks off from nothing")
        return
    if "sof.close-combat.turned-back" in event.rules:
        if unit.id != fight.attacker or fight.struck or unit.suppression < TURNED_BACK:
            watch.object_to("sof.close-combat.turned-back", f"{unit.id} is turned back with {unit.suppression} markers")
    elif watch.memory.get("sof.must-break") != unit.id and sound(unit, fight):
        watch.object_to("sof.close-combat.aggression", f"{unit.id} breaks off without a failed check")
    fight.broke.append(unit.id)
    owe(watch, unit.id, wounds(unit))
    watch.memory["sof.retiring"] = unit.id


@book.on("retires")
def a_unit_retires(watch: Watch, event: Event) -> None:
    watch.count("retreats from close combat")
    fight, data = course(watch).fight, event.data
    before, after = watch.earlier.units[data["unit"]], watch.state.units[data["unit"]]
    if fight is None:
        return
    shifts = [
        (after.teams[name].at[0] - figure.at[0], after.teams[name].at[1] - figure.at[1])
        for name, figure in before.teams.items()
        if name in after.teams
    ]
    if not in_one_piece(shifts):
        watch.object_to("sof.close-combat.break-off-move", f"{before.id} does not retire as one body")
    dx, dy = shifts[0]
    inches = math.hypot(dx, dy)
    if inches > 0.2 and turn_between(bearing((0.0, 0.0), (dx, dy)), data["bearing"]) > 3.0:
        watch.object_to(
            "sof.close-combat.break-off-move", f"{before.id} retires toward {bearing((0.0, 0.0), (dx, dy)):.0f}"
        )
    if abs(inches - data["inches"]) > 0.05:
        watch.object_to(
            "sof.close-combat.break-off-move", f"{before.id} retires {inches:.2f} inches, told {data['inches']}"
        )
    foes = [fight.attacker] if before.id != fight.attacker else fight.defenders
    for foe in foes:
        if (
            foe in watch.state.units
            and apart(after, watch.state.units[foe]) < apart(before, watch.state.units[foe]) - HAIR
        ):
            watch.object_to("sof.close-combat.break-off-move", f"{before.id} retires toward {foe}")
    checks = watch.memory.get("sof.agility", [])
    failed = next((piece for who, piece, passed in checks if who == before.id and not passed), None)
    if failed is not None:
        halts_at(watch, before, data["bearing"], inches, failed)
        return
    retreat_length(watch, before, after, data, inches)
    stands_well(watch, after, watch.state)


def halts_at(watch: Watch, before: Any, toward: float, inches: float, ground: str) -> None:
    """A failed Agility check halts the retreat at the edge of that ground, or where it begins if somebody is in it."""
    ways = straight(before, toward, max(RATES[before.type]["double-time"], inches))
    met = next((each for each in ground_met(watch, ways) if each.piece.id == ground), None)
    rim = 0.0 if met is None else max(0.0, met.at - max(map(radius, figures(before))))
    while inches < rim - 0.3 and stands_on_others(watch, before, toward, rim):
        rim -= 0.25
    if met is None or abs(inches - rim) > 0.3:
        told = "nowhere" if met is None else f"{rim:.2f} inches on"
        watch.object_to("sof.terrain.agility-check", f"{before.id} halts after {inches:.2f} inches; {ground} is {told}")


def stands_on_others(watch: Watch, unit: Any, toward: float, far: float) -> bool:
    """Whether a unit that stops so far on would stand on a figure of another."""
    ends = [(way.spots[-1], way.radius) for way in straight(unit, toward, far)]
    others = [other for each in placed(watch.state) if each.id != unit.id for other in figures(each)]
    return any(math.dist(at, other.at) < r + radius(other) - HAIR for at, r in ends for other in others)


def retreat_length(watch: Watch, before: Any, after: Any, data: Any, inches: float) -> None:
    """The Double Time distance: less at the table's edge alone, more only to come clear of friends and enemies."""
    angle = math.radians(data["bearing"])
    rides = before.type == "mounted" and before.motorcycles
    whole = RATES["motorcycles" if rides else before.type]["double-time"]
    ways = [Way(name, [figure.at, after.teams[name].at], radius(figure)) for name, figure in before.teams.items()]
    # It goes as it is ordered now, however that was when an action began.
    watch.memory["sof.start"] = None
    least, most = allowance(watch, before, "fall-back", ways)
    if inches < least - 0.1 and not stopped_by_ground(watch, before, data["bearing"], inches, least):
        width, depth = watch.setup.table.width, watch.setup.table.depth
        room = min(
            min(f.at[0] - radius(f), f.at[1] - radius(f), width - f.at[0] - radius(f), depth - f.at[1] - radius(f))
            for f in figures(after)
        )
        if room > 0.15 and not held_up(watch, before, angle, inches, least):
            watch.object_to("sof.close-combat.break-off-move", f"{before.id} retires {inches:.2f} of {least:g} inches")
    if inches > most + 0.1 and not watch.setup.options.break_off_six:
        short = max(whole - 6.0, inches - 0.5)
        spots = [
            (f.at[0] + short * math.sin(angle), f.at[1] + short * math.cos(angle), radius(f)) for f in figures(before)
        ]
        near = min(
            (
                math.dist((x, y), other.at) - r - radius(other)
                for x, y, r in spots
                for unit in placed(watch.state)
                if unit.id != before.id
                for other in figures(unit)
            ),
            default=1000.0,
        )
        blocked = any(
            piece.holds((x, y)).may
            for x, y, _ in spots
            for piece in pieces(watch)
            if piece.kind in ("haystack", "deep-water")
        )
        if near > GAP + HAIR and not blocked:
            watch.object_to("sof.close-combat.break-off-gap", f"{before.id} retires {inches:.2f} inches for no reason")


def held_up(watch: Watch, unit: Any, angle: float, inches: float, most: float) -> bool:
    """Whether at every greater length somebody would stand on an obstacle: he gets clear of it or stops before it."""
    lines = [piece.shape for piece in pieces(watch) if not piece.area]
    longer = inches + 0.25
    while lines and longer < most - 0.1:
        ends = [
            (Point(f.at[0] + longer * math.sin(angle), f.at[1] + longer * math.cos(angle)), radius(f))
            for f in figures(unit)
        ]
        if all(line.distance(spot) >= r - HAIR for line in lines for spot, r in ends):
            return False
        longer += 0.25
    return bool(lines)


def stopped_by_ground(watch: Watch, unit: Any, toward: float, inches: float, more: float) -> bool:
    """Whether a little farther on lies ground that leaves it no more than it has gone: it stops at the edge."""
    least, _ = allowance(watch, unit, "fall-back", straight(unit, toward, more))
    return least <= inches + 0.1


def straight(unit: Any, toward: float, far: float) -> list[Way]:
    """The ways of a unit that goes straight on as one body."""
    angle = math.radians(toward)
    dx, dy = far * math.sin(angle), far * math.cos(angle)
    return [Way(each.id, [each.at, (each.at[0] + dx, each.at[1] + dy)], radius(each)) for each in figures(unit)]


# Who has won.


@book.on("close-combat-won")
def a_close_combat_is_won(watch: Watch, event: Event) -> None:
    watch.count("close combats won")
    fight, name = course(watch).fight, event.data["unit"]
    if fight is None:
        watch.object_to("sof.close-combat.resolution", f"{name} wins nothing")
        return
    others = fight.defenders if name == fight.attacker else [fight.attacker]
    standing = [each for each in others if each in watch.state.units and each not in fight.broke]
    if name in fight.broke or standing:
        watch.object_to("sof.close-combat.resolution", f"{name} wins, and {standing} are still there")
    watch.memory["sof.winner"] = name
    watch.memory["sof.aggression"] = set()
    fight.done = True


@book.on("breakthrough")
def cavalry_breaks_through(watch: Watch, event: Event) -> None:
    """Cavalry in the saddle that has won goes on in place of consolidating, once; into whom its owner says."""
    watch.count("breakthroughs")
    fight, name, target = course(watch).fight, event.data["unit"], event.data["target"]
    unit = watch.earlier.units[name]
    if fight is None or not fight.done or name in fight.broke or watch.memory.get("sof.winner") != name:
        watch.object_to("sof.close-combat.breakthrough", f"{name} breaks through, and has won nothing")
    if "cavalry" not in unit.special or unit.type != "mounted":
        watch.object_to("sof.close-combat.breakthrough", f"{name} breaks through, and is no mounted cavalry")
    ridden: set[str] = watch.memory.setdefault("sof.ridden", set())
    if name in ridden:
        watch.object_to("sof.close-combat.breakthrough-once", f"{name} breaks through again")
    ridden.add(name)
    told = answer(watch, "breakthrough")
    if told != (target or "ride-on"):
        watch.object_to("sof.close-combat.breakthrough", f"{name} rides at {target or 'nobody'}, and {told} was chosen")
    watch.memory["sof.rides"] = name, target
    if target:
        watch.memory.setdefault("sof.blown", set()).add(name)


@book.on("agility")
def ground_halts_a_breakthrough(watch: Watch, event: Event) -> None:
    """Whoever is halted on the way may meet nobody, and then has made no second assault: left open."""
    if not event.data["passed"]:
        watch.memory.setdefault("sof.halted", set()).add(event.data["unit"])


@book.on("blown")
def a_second_assault_is_over(watch: Watch, event: Event) -> None:
    watch.count("units blown")
    due: set[str] = watch.memory.setdefault("sof.blown", set())
    if event.data["unit"] not in due:
        watch.object_to("sof.close-combat.breakthrough-suppression", f"{event.data['unit']} made no second assault")
    due.discard(event.data["unit"])


@book.on("closing-fire")
def none_after_a_breakthrough(watch: Watch, event: Event) -> None:
    if event.data["unit"] in watch.memory.get("sof.blown", set()):
        watch.object_to(
            "sof.close-combat.breakthrough-contact", f"{event.data['unit']} is fired at as it breaks through"
        )


@book.on("activation", "turn-over")
def whoever_broke_through_is_blown(watch: Watch, event: Event) -> None:
    left = watch.memory.pop("sof.blown", set()) & set(watch.state.units) - watch.memory.pop("sof.halted", set())
    if left:
        watch.object_to(
            "sof.close-combat.breakthrough-suppression", f"{sorted(left)} take no markers for a second assault"
        )
    watch.memory["sof.ridden"] = set()
    watch.memory["sof.rides"] = None


@book.on("smoke-grenades")
def smoke_is_thrown(watch: Watch, event: Event) -> None:
    """Once in a battle, by a unit that assaults."""
    watch.count("smoke grenades")
    act, name = course(watch).act, event.data["unit"]
    before, after = watch.earlier.units[name], watch.state.units[name]
    if act is None or act.unit != name or act.actions[-1:] != ["assault"] or answer(watch, "smoke-grenades") != "smoke":
        watch.object_to("sof.weapon-rules.smoke-grenades", f"{name} throws smoke without an assault")
    if "smoke-grenades" not in before.equipment or "smoke-grenades" in after.equipment:
        watch.object_to("sof.weapon-rules.smoke-grenades", f"{name} has {after.equipment} after {before.equipment}")
    watch.memory["sof.smoke"] = name


@book.on("action", "breakthrough", "turn-over")
def smoke_drifts_away(watch: Watch, event: Event) -> None:
    watch.memory["sof.smoke"] = None


@book.on("consolidates")
def the_winner_consolidates(watch: Watch, event: Event) -> None:
    watch.count("consolidations")
    name = event.data["unit"]
    fight = course(watch).fight
    if fight is None or not fight.done or name in fight.broke:
        watch.object_to("sof.close-combat.consolidation", f"{name} consolidates, and has won nothing")
    before, after = watch.earlier.units[name], watch.state.units[name]
    for figure in figures(after):
        if math.dist(figure.at, before.teams[figure.id].at) > CONSOLIDATION + 0.05 and after.pose is None:
            watch.object_to("sof.close-combat.consolidation", f"{figure.id} goes farther than 3 inches")
    for other in placed(watch.state):
        if other.id != name and apart(after, other) < min(GAP, apart(before, other)) - HAIR:
            watch.object_to("sof.close-combat.consolidation", f"{name} comes too near to {other.id}")


@book.on("losses", "permanent-wound", "unit-lost")
def hits_are_taken(watch: Watch, event: Event) -> None:
    """Of those who were struck the sound fall; whoever has too few is wiped out."""
    fight, name = course(watch).fight, event.data["unit"]
    if fight is None or not fight.owed.get(name):
        return
    unit = watch.earlier.units[name]
    hits = fight.owed.pop(name)
    if name in fight.broke or (event.kind == "unit-lost" and "sof.close-combat.wiped-out" not in event.rules):
        return
    whole = sum(worth(figure) for figure in figures(unit) if not disabled(figure))
    if event.kind == "unit-lost":
        if hits < whole:
            watch.object_to("sof.close-combat.wiped-out", f"{name} is wiped out by {hits} hits, and has {whole} men")
        return
    if hits >= whole and name in watch.state.units:
        watch.object_to("sof.close-combat.wiped-out", f"{name} takes {hits} hits, and has {whole} men")
    for team in event.data.get("teams", ()):
        if disabled(unit.teams[team]):
            watch.object_to("sof.close-combat.losses", f"{team} falls, and is wounded already")


@book.on("activation", "turn", "turn-over")
def the_fight_is_over(watch: Watch, event: Event) -> None:
    kept = course(watch)
    if kept.fight is not None and not kept.fight.done:
        left = [name for name in (kept.fight.attacker, *kept.fight.defenders) if name in watch.state.units]
        if len({watch.state.units[name].side for name in left}) > 1 and not kept.fight.broke:
            watch.object_to("sof.close-combat.resolution", f"the close combat of {left} ends undecided")
    kept.fight = None
    watch.memory["sof.aggression"] = set()
