"""Assaults: who charges, what halts them, who strikes whom, who breaks off, and what it costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import TRAINING_CHECK
from sandtable.testing.umpire.tr14.charges import CONTACT, look_at_charge
from sandtable.testing.umpire.tr14.fights import Fight
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    gap,
    gap_to_any,
    pose_of,
    within,
)
from sandtable.testing.umpire.tr14.ground import look_at_rolls
from sandtable.testing.umpire.tr14.log import enemies_of, kind, land, leader, log, poses, team_in, teams_of
from sandtable.testing.umpire.tr14.moving import (
    begin_move,
    end_pose,
    look_at_ends,
    look_at_leaderless,
    over_nobody,
)
from sandtable.testing.umpire.tr14.playing import vouched
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.saves import look_at_roll
from sandtable.testing.umpire.tr14.suppression import close_volley

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team

CHARGE = 12.0
STRIKE = 2.0
COUNTER = 4.0
HALT_HITS, HALT_RESULTS = 5, 2


def may_assault(charger: Team, enemy: Team) -> bool:
    """tr14.assaults.no-tank-vs-tank"""
    return not (kind(charger).type == "tank" and kind(enemy).type == "tank")


def fight_of(watch: Watch) -> Fight | None:
    found: Fight | None = log(watch).fight
    return found


@book.after_answer
def remember_whom(watch: Watch) -> None:
    if watch.entry is not None and watch.entry.topic == "assault":
        watch.memory["tr14.assaulted"] = watch.entry.answer
    closed = any(event.kind == "counter-move" for event in watch.told)
    if watch.entry is not None and watch.entry.topic == "hold-back" and not closed:
        # A Check to cross some ground may come between, and be vouched for.
        watch.memory["tr14.closing"] = watch.asked


@book.on("assault")
def an_assault_is_declared(watch: Watch, event: Event) -> None:
    watch.count("assaults")
    state: State = watch.state
    unit, target = state.units[event.data["unit"]], state.units[event.data["target"]]
    now = log(watch).activation
    if now is None or now.unit != unit.id or now.action != "assault" or target.side == unit.side:
        watch.object_to("tr14.playing.action-assault", f"{unit.id} assaults {target.id} out of turn")
    chargers = [unit.teams[name] for name in event.data["chargers"]]
    named = watch.memory.get("tr14.assaulted", target.id)
    guest = named if named != target.id else ""
    if any(kind(team).type == "gun" for team in chargers) or not chargers:
        watch.object_to("tr14.assaults.divide-unit", f"{unit.id} charges with guns, or with nobody")
    fight = Fight(unit.id, target.id, guest, list(event.data["chargers"]), all(kind(t).armored() for t in chargers))
    fight.turn = unit.id
    log(watch).fight = fight
    if not in_reach(state, fight, CHARGE + HAIR):
        watch.object_to("tr14.assaults.charge", f"none of the chargers of {unit.id} can reach {target.id}")
    enemies = [team for _, team in fight.sides(state, unit.id)[1]]
    for team in chargers:
        if not any(may_assault(team, enemy) for enemy in enemies):
            watch.object_to("tr14.assaults.no-tank-vs-tank", f"{team.id} charges at tanks")


def in_reach(state: State, fight: Fight, reach: float) -> bool:
    """Whether a charger has an enemy whom he may assault within reach."""
    mine, theirs = fight.sides(state, fight.attacker)
    return any(
        within(gap(pose_of(team), pose_of(enemy)), reach)
        for _, team in mine
        for _, enemy in theirs
        if team.id in fight.chargers and may_assault(team, enemy)
    )


@book.on("extra-charge")
def the_targets_are_shot_away(watch: Watch, event: Event) -> None:
    watch.count("extra charges")
    fight = fight_of(watch)
    if fight is None or in_reach(watch.state, fight, CHARGE):
        watch.object_to("tr14.assaults.extra-charge", "chargers go farther although they need not")
        return
    fight.reach = CHARGE + event.dice[0].values[0]


@book.on("charge")
def teams_charge(watch: Watch, event: Event) -> None:
    watch.count("charges")
    rule = "tr14.assaults.charge"
    fight = fight_of(watch)
    state: State = watch.state
    unit = state.units[event.data["unit"]]
    if fight is None or fight.attacker != unit.id or fight.charged:
        watch.object_to(rule, f"{unit.id} charges without an assault")
        return
    fight.charged = True
    ways = {name: [(x, y) for x, y in way] for name, way in event.data["ways"].items()}
    move = begin_move(watch, unit, ways, charge=True)
    moving = {name: unit.teams[name] for name in ways}
    alive = {name for name in fight.chargers if name in unit.teams}
    if set(ways) != alive:
        watch.object_to("tr14.assaults.divide-unit", f"{sorted(ways)} charge, and {sorted(alive)} were to")
    here = land(watch)
    ends = {name: end_pose(team, ways[name][-1], team.facing) for name, team in moving.items()}
    theirs = [team for _, team in fight.sides(state, unit.id)[1]]
    enemies = poses([team for _, team in enemies_of(state, unit.side)])
    for name, team in moving.items():
        mover = pose_of(team)
        others = [pose_of(each) for _, each in teams_of(state) if each.id != name]
        others += [end for other, end in ends.items() if other != name]
        goals = [pose_of(enemy) for enemy in theirs if may_assault(team, enemy)]
        if leader(unit) is not None:
            look_at_charge(watch, rule, name, here, ways[name], mover, goals, others, enemies, fight.reach)
        over_nobody(watch, name, mover, ways[name], enemies)
        if kind(team).type == "tank":
            stopped = look_at_rolls(watch, name, mover, ways[name])
            if stopped:
                move.cut[name] = stopped
    look_at_ends(watch, moving, ends)
    look_at_leaderless(watch, unit, moving, ends)


def halts(fight: Fight) -> bool:
    return fight.results >= HALT_RESULTS if fight.armored else fight.hits >= HALT_HITS


@book.on("defensive-fire")
def fire_meets_the_charge(watch: Watch, event: Event) -> None:
    watch.count("charges met by fire")
    if log(watch).volley is not None:
        close_volley(watch, watch.earlier)
    fight = fight_of(watch)
    if fight is None or event.data["halted"] != halts(fight):
        words = "no assault" if fight is None else f"{fight.hits} hits, {fight.results} results"
        watch.object_to("tr14.assaults.halted-by-five", f"{words}: halted is {event.data['halted']}")


@book.on("halted")
def a_charge_is_halted(watch: Watch, event: Event) -> None:
    watch.count("charges halted")
    fight = fight_of(watch)
    if fight is None or not halts(fight):
        watch.object_to("tr14.assaults.halted-by-five", "a charge is halted without cause")
        return
    fight.halted = True
    mine, theirs = fight.sides(watch.state, fight.attacker)
    foes = [pose_of(team) for _, team in theirs]
    for _, team in mine:
        if team.id in fight.chargers and gap_to_any(pose_of(team), foes) <= CONTACT:
            watch.object_to("tr14.assaults.halted-by-five", f"{team.id} is halted, and still in contact")


@book.on("no-contact")
def nobody_makes_contact(watch: Watch, event: Event) -> None:
    watch.count("charges without contact")
    fight = fight_of(watch)
    if fight is not None and closest(watch.state, fight) <= CONTACT - HAIR:
        watch.object_to("tr14.assaults.charge", "the assault ends although a charger is in contact")


def closest(state: State, fight: Fight) -> float:
    mine, theirs = fight.sides(state, fight.attacker)
    foes = [pose_of(team) for _, team in theirs]
    return min((gap_to_any(pose_of(team), foes) for _, team in mine if team.id in fight.chargers), default=math.inf)


# Blow for blow.


@book.on("strike")
def a_team_strikes(watch: Watch, event: Event) -> None:
    watch.count("strikes")
    fight = fight_of(watch)
    if fight is None:
        watch.object_to("tr14.assaults.attackers-strike", "a Team strikes, and there is no assault")
        return
    state: State = watch.state
    if not fight.landed:
        fight.landed = True
        if halts(fight) or fight.halted:
            watch.object_to("tr14.assaults.halted-by-five", f"{fight.hits} hits do not halt the charge")
        if closest(state, fight) > CONTACT + HAIR:
            watch.object_to("tr14.assaults.charge", "the assault goes on although nobody is in contact")
    rule = "tr14.assaults.attackers-strike" if fight.turn == fight.attacker else "tr14.assaults.counter-strike"
    mine, theirs = fight.sides(state, fight.turn)
    striker = next((team for _, team in mine if team.id == event.data["team"]), None)
    victim = next((team for _, team in theirs if team.id == event.data["victim"]), None)
    if striker is None or victim is None or striker.id in fight.struck:
        watch.object_to(rule, f"{event.data['team']} strikes {event.data['victim']} out of turn")
        return
    fight.struck.add(striker.id)
    if within(gap(pose_of(striker), pose_of(victim)), STRIKE) is False:
        watch.object_to(rule, f"{striker.id} strikes {victim.id} from afar")
    if not may_assault(striker, victim):
        watch.object_to("tr14.assaults.no-tank-vs-tank", f"{striker.id} strikes {victim.id}, tank against tank")
    against_tank = kind(victim).type == "tank" and kind(striker).type != "tank"
    dice = kind(striker).ta if against_tank else 1
    values = event.dice[0].values
    needed = TRAINING_CHECK[state.units[fight.turn].training]
    if len(values) != dice:
        watch.object_to("tr14.assaults.vs-tanks", f"{striker.id} rolls {len(values)} Checks, and not {dice}")
    passes = sum(value >= needed for value in values)
    if passes != event.data["passes"]:
        watch.object_to(rule, f"{values} are {event.data['passes']} successes on {needed}+")
    vouched(watch, event)
    if passes and not kind(victim).armored():
        watch.memory["tr14.fate"] = ("destroyed", victim.id, event)


@book.on("save")
def a_tank_is_assaulted(watch: Watch, event: Event) -> None:
    """tr14.assaults.vs-tanks: flank armor, once for each success, and nothing is rolled again."""
    last = watch.told[-2] if len(watch.told) > 1 else None
    if fight_of(watch) is None or log(watch).volley is not None or last is None or last.kind != "strike":
        return
    watch.count("tanks assaulted")
    found = team_in(watch.state, event.data["team"])
    if found is None or last.data["victim"] != event.data["team"]:
        watch.object_to("tr14.assaults.vs-tanks", f"{event.data['team']} saves, and was not struck")
        return
    needed = kind(found[1]).flank
    if event.data["needed"] != needed:
        watch.object_to("tr14.assaults.vs-tanks", f"{found[1].id} saves on {event.data['needed']}+, not {needed}+")
    look_at_roll(watch, event, needed, last.data["passes"], again=False)


def turn_ends(watch: Watch, fight: Fight, state: State) -> None:
    """Everybody with an enemy within two inches has struck."""
    if not fight.landed:
        return
    mine, theirs = fight.sides(state, fight.turn)
    for _, team in mine:
        near = [e.id for _, e in theirs if may_assault(team, e) and gap(pose_of(team), pose_of(e)) <= STRIKE - HAIR]
        if near and team.id not in fight.struck:
            watch.object_to("tr14.assaults.attackers-strike", f"{team.id} does not strike, and {near[0]} is near")
    fight.struck = set()


@book.on("counter-check")
def a_unit_would_counter_attack(watch: Watch, event: Event) -> None:
    watch.count("counter-attacks")
    fight = fight_of(watch)
    if fight is None:
        watch.object_to("tr14.assaults.counter-check", "a counter-attack, and no assault")
        return
    turn_ends(watch, fight, watch.state)
    fight.landed = True
    fight.turn = fight.target if fight.turn == fight.attacker else fight.attacker
    unit = watch.state.units.get(fight.turn)
    if unit is None and fight.turn == fight.target:
        # Those whom a commander joined are gone, and he fights on.
        unit = watch.state.units.get(fight.guest)
    if unit is None or unit.side != event.seat:
        watch.object_to("tr14.assaults.back-and-forth", f"{event.seat} counter-attacks out of turn")
        return
    needed, die = TRAINING_CHECK[unit.training], event.dice[0].values[0]
    if event.data["passed"] != (die >= needed):
        watch.object_to("tr14.assaults.counter-check", f"{unit.id} needs {needed}+ and rolls {die}")
    vouched(watch, event)
    watch.memory.pop("tr14.closing", None)


@book.on("counter-move")
def a_unit_closes_in(watch: Watch, event: Event) -> None:
    watch.count("counter-moves")
    rule = "tr14.assaults.counter-move"
    fight = fight_of(watch)
    if fight is None:
        return
    before, after = watch.memory.pop("tr14.closing", watch.asked), watch.state
    unit = before.units[fight.turn]
    theirs = [team for _, team in fight.sides(before, fight.turn)[1]]
    enemies = poses([team for _, team in enemies_of(before, unit.side)])
    led = leader(unit) is not None or bool(unit.apart)
    for name, told in event.data["ways"].items():
        was, now = team_in(before, name), team_in(after, name)
        if was is None or now is None:
            continue
        mover, way = pose_of(was[1]), [(x, y) for x, y in told]
        if kind(was[1]).type == "gun" or gap_to_any(mover, [pose_of(team) for team in theirs]) <= CONTACT - HAIR:
            watch.object_to(rule, f"{name} closes in, and may not")
        over_nobody(watch, name, mover, way, enemies)
        stopped = look_at_rolls(watch, name, mover, way) if kind(was[1]).type == "tank" else []
        if not stopped and math.dist(pose_of(now[1]).at(), way[-1]) > HAIR:
            watch.object_to(rule, f"{name} does not end where its way does")
        if not led:
            look_at_leaderless(watch, unit, {name: was[1]}, {name: mover._replace(x=way[-1][0], y=way[-1][1])})
            continue
        others = [pose_of(team) for state in (before, after) for _, team in teams_of(state) if team.id != name]
        goals = [pose_of(team) for team in theirs if may_assault(was[1], team)]
        look_at_charge(watch, rule, name, land(watch), way, mover, goals, others, enemies, COUNTER)
