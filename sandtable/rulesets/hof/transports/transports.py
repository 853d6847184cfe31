"""Transports: who rides in what, getting in and out, the rear, and what becomes of passengers of a wreck."""

from __future__ import annotations

import math
from functools import partial
from random import Random

import numpy as np

from sandtable.engine.chance import Chances, sure, together
from sandtable.engine.game import Flow
from sandtable.engine.questions import Answer, Choose, Option, Refusal, Step, illegal, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.field.beside import steps_to
from sandtable.field.kept import KeptUntilChange
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive, living
from sandtable.rulesets.hof.core.board import Battle, board, take_off
from sandtable.rulesets.hof.core.ground import Ints, Mask, Rows
from sandtable.rulesets.hof.core.labels import team_label, team_list, team_name
from sandtable.rulesets.hof.core.riding import BESIDE, full, passengers, rides_inside
from sandtable.rulesets.hof.core.room import set_all_down, set_down_at, setting_down
from sandtable.rulesets.hof.core.state import Member, Team, Unit, find_team
from sandtable.rulesets.hof.kernels import free_places
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving import move_orders
from sandtable.rulesets.hof.rfp_rally import odds as rfp_odds
from sandtable.rulesets.hof.rfp_rally import rfp
from sandtable.rulesets.hof.transports.setting_down import TRIES, ask_place, goes_badly, refuse_ground, rings
from sandtable.table import distance as measure
from sandtable.table.hairs import EXACT, GRID, SLACK

LOAD = "hof.transports.load"
UNLOAD = "hof.transports.unload"
FIRST = "hof.transports.load-before-acting"
RETURN = "hof.transports.return"
REAR = "hof.transports.called-to-rear"

ENEMY_NEAR = 16.0
"""hof.transports.return"""

BAILED_OUT_RFPS = 2
LOST_TO_RFPS = ("rfps", "not-ready")
"""Causes of a loss after which passengers come out as from Hard Cover; all others are as by penetration."""


def refuse_load(game: Battle, unit: Unit, team: Team, transport: Team) -> Refusal | None:
    """Why a Team may not get into a Transport, or be hitched to it."""
    if team.kind.vehicle:
        message = f"{team_label(unit, team)} is a Vehicle and is not carried."
        return illegal("hof.transports.capacity", message, field=team.id)
    if rides_inside(team):
        if full(unit, transport):
            message = f"{team_label(unit, transport)} is full: it carries {transport.kind.carries}."
            return illegal("hof.transports.capacity", message, field=team.id)
    elif any(not rides_inside(each) for each in passengers(unit, transport)):
        return illegal("hof.transports.capacity", f"{team_label(unit, transport)} tows a Gun already.", field=team.id)
    here = board(game)
    if measure.beyond(measure.distance(here.rows[here.index[team.id]], here.rows[here.index[transport.id]]), BESIDE):
        message = f"{team_label(unit, team)} is farther than {BESIDE:g} inches from {team_label(unit, transport)}."
        return illegal(LOAD, message, field=team.id)
    if not here.sees_one(team, transport):
        return illegal(LOAD, f"{team_label(unit, team)} does not see {team_label(unit, transport)}.", field=team.id)
    return None


# Getting in and out, before anybody acts.


def before_acting(game: Battle, act: Activation) -> Flow[None]:
    """hof.transports.load-before-acting: asked until nothing more is wanted; each Team gets in or out once."""
    done: set[str] = set()
    while True:
        options = transport_options(game, act, done)
        if not options:
            return
        options.append(Option("done", "Nobody else gets in or out"))
        question = Choose("transport", "Who gets in or out?", options, rules=(FIRST,), facts={"unit": act.unit.id})
        question.why_not, question.step = partial(bar_transport, game, act, done), "detail"
        question.rest = "done"
        answer: str = yield Ask(act.side, question)
        verb, _, rest = answer.partition(":")
        name, _, place = rest.partition(">")
        found = find_team(game.state, name)
        if found is None:
            return
        if verb == "unload":
            yield from unload(game, act, *found, done)
            continue
        done.add(name)
        if verb == "return":
            yield from come_back(game, *found)
        elif verb == "rear":
            go_to_rear(game, act, *found)
        else:
            load(game, act, *found, place)


def participants(act: Activation) -> list[Member]:
    """The activated Teams; when their Leader has been lost, the one that acts (hof.leaders.killed-mid-activation)."""
    if not act.leader_lost:
        return living(act.members)
    ordered = {team.id for order in act.orders for _, team in order.members}
    return [member for member in living(act.members) if member[1].id in ordered]


def transport_options(game: Battle, act: Activation, done: set[str]) -> list[Option]:
    """`unload:TEAM`, `unload:TRANSPORT` (all), `load:TEAM>TRANSPORT`, `limber:GUN>TRANSPORT`, `return:TRANSPORT`,
    `rear:TRANSPORT`.
    """
    found: list[Option] = []
    back: list[Option] = []
    full: dict[str, list[Team]] = {}
    rides: dict[str, list[Team]] = {}
    for unit, team in participants(act):
        if unit.id not in rides:
            rides[unit.id] = [each for each in unit.teams.values() if each.at is not None and each.kind.transport]
            back += rear_options(rides[unit.id], done) + return_options(game, unit, done)
        # With no Transport on the table nobody gets in or out.
        if not rides[unit.id] or team.id in done or team.role == "rider" or team.kind.vehicle:
            continue
        if carrier_of(unit, team) is not None:
            words = f"{team_name(team)} {'is unlimbered' if team.towed else 'gets out'}"
            found.append(ride_option("unload", words, UNLOAD, team))
            full.setdefault(team.carrier, []).append(unit.teams[team.carrier])
        elif team.at is not None:
            found += load_options(game, unit, team, rides[unit.id])
    shared = [of[0] for of in full.values() if len(of) > 1]
    return [ride_option("unload", f"All get out of {team_name(ride)}", UNLOAD, ride) for ride in shared] + found + back


def ride_option(verb: str, words: str, rule: str, *teams: Team) -> Option:
    """A choice that says what some Teams do: `verb:TEAM`, or `verb:TEAM>TRANSPORT`."""
    names = tuple(team.id for team in teams)
    return Option(f"{verb}:{'>'.join(names)}", words, (rule,), pieces=names)


def load_options(game: Battle, unit: Unit, team: Team, rides: list[Team]) -> list[Option]:
    """Into which Transports on the table a Team may get."""
    verb, words = ("load", "gets into") if rides_inside(team) else ("limber", "is limbered to")
    return [
        ride_option(verb, f"{team_name(team)} {words} {team_name(transport)}", LOAD, team, transport)
        for transport in rides
        if near_by(team, transport) and refuse_load(game, unit, team, transport) is None
    ]


def near_by(team: Team, transport: Team) -> bool:
    """Whether two Teams on the table might be within 4 inches of one another, at a glance."""
    if team.at is None or transport.at is None:
        return False
    base, hull = team.kind.base, transport.kind.base
    return math.dist(team.at, transport.at) <= BESIDE + GRID + (base.width + base.depth + hull.width + hull.depth) / 2


def rear_options(rides: list[Team], done: set[str]) -> list[Option]:
    """hof.transports.called-to-rear: the empty Transports that had to stay, and need not any more."""
    return [
        ride_option("rear", f"{team_name(team)} is Called to the Rear", REAR, team)
        for team in rides
        if team.emptied and team.id not in done and not kept_here(team)
    ]


def kept_here(transport: Team) -> tuple[str, str] | None:
    """What keeps a Transport from being Called to the Rear, and by which rule."""
    if transport.bogged:
        return "Bogged", "hof.optional.bogged"
    return ("Suppressed", "hof.transports.suppressed-stays") if transport.suppressed else None


def return_options(game: Battle, unit: Unit, done: set[str]) -> list[Option]:
    """hof.transports.return: the Transports in the rear for which there is a safe place."""
    return [
        ride_option("return", f"{team_name(team)} comes back", RETURN, team)
        for team in unit.teams.values()
        if team.where == "rear" and team.id not in done and return_spots(game, unit, team, 1)
    ]


def bar_transport(game: Battle, act: Activation, done: set[str], choice: str) -> Refusal | None:
    """Why somebody may not get in, get out or come back now."""
    verb, _, rest = choice.partition(":")
    name, _, place = rest.partition(">")
    found = find_team(game.state, name)
    offered = any(option.id == choice for option in transport_options(game, act, done))
    if offered or found is None or found[0].side != act.side:
        return None
    unit, team = found
    who = team_label(unit, team)
    if name in done:
        return illegal(FIRST, f"{who} has got in, got out or come back already.", field=name)
    if verb == "return":
        if team.where != "rear":
            return illegal(REAR, f"{who} is not in the rear.", field=name)
        words = f"No place within {BESIDE:g} inches of its Unit is safe from enemies in sight within {ENEMY_NEAR:g}."
        return illegal(RETURN, f"{who} cannot come back.", field=name, legal=words)
    if verb == "rear":
        why = kept_here(team)
        if team.emptied and why is not None:
            return illegal(why[1], f"{who} is {why[0]}.", field=name)
        return illegal(REAR, f"{who} has set nobody down.", field=name)
    if not any(each is team for _, each in participants(act)):
        return illegal(FIRST, f"{who} is not activated.", field=name)
    ride = find_team(game.state, place)
    if verb in ("load", "limber") and ride is not None and ride[0].side == act.side and team.at is not None:
        if ride[0] is not unit:
            message = f"{team_label(*ride)} carries Teams of its own Unit only."
            return illegal("hof.transports.own-unit-only", message, field=name)
        if not ride[1].kind.transport:
            return illegal("hof.transports.capacity", f"{team_label(*ride)} is no Transport.", field=name)
        if ride[1].at is None:
            return illegal(LOAD, f"{team_label(*ride)} is not on the table.", field=name)
        if (verb == "load") != rides_inside(team):
            rule = "hof.special-rules.man-portable-ride" if verb == "limber" else "hof.transports.capacity"
            words = f"Use load:{name}>{place}." if verb == "limber" else f"Use limber:{name}>{place}."
            message = "Infantry and Man-Portable Guns ride inside, others are towed."
            return illegal(rule, message, field=name, legal=words)
        return refuse_load(game, unit, team, ride[1])
    return None


def carrier_of(unit: Unit, team: Team) -> Team | None:
    """The Transport that a Team is in, if it stands on the table."""
    transport = unit.teams.get(team.carrier) if team.where == "aboard" else None
    return transport if transport is not None and transport.at is not None else None


def load(game: Battle, act: Activation, unit: Unit, team: Team, place: str) -> None:
    """hof.transports.load: the Team leaves the table, and its own order with it."""
    take_off(game, team, "aboard")
    team.carrier = place
    unit.teams[place].emptied = False
    team.towed = not rides_inside(team)
    team.dug_in = team.spotted = team.exposed = False
    team.foxhole, team.level = None, 0
    withdraw(act, team)
    rules = [LOAD, FIRST, "hof.transports.capacity", "hof.transports.own-unit-only"]
    if team.kind.mobility == "man-portable":
        rules.append("hof.special-rules.man-portable-ride")
    how = "is limbered to" if team.towed else "gets into"
    text = f"{team_label(unit, team)} {how} {team_label(unit, unit.teams[place])}."
    game.tell("load", text, *rules, seat=unit.side, team=team.id, transport=place, towed=team.towed)


def withdraw(act: Activation, team: Team) -> None:
    """A Team that is off the table has no order any more."""
    for order in act.orders:
        order.members = [member for member in order.members if member[1] is not team]
        order.steps.pop(team.id, None)


def unload(game: Battle, act: Activation, unit: Unit, first: Team, done: set[str]) -> Flow[None]:
    """hof.transports.unload: one Team, or all, set down near the Transport; they may then carry out their orders."""
    transport = first if first.kind.transport else carrier_of(unit, first)
    assert transport is not None
    out = [first]
    if first is transport:
        out = [team for _, team in participants(act) if team.carrier == first.id and team.id not in done]
    done.update(team.id for team in out)
    names = team_list([(unit, team) for team in out])
    words = f"Where do they come out of {team_label(unit, transport)}, within {BESIDE:g} inches: {names}?"
    steps = yield from ask_place(game, unit, transport, out, "unload", words, (UNLOAD,), in_sight=True)
    if not steps:
        game.tell("no-room", f"There is no room for {names}.", UNLOAD, seat=unit.side, teams=[team.id for team in out])
        return
    for team in out:
        how = "is unlimbered from" if team.towed else "gets out of"
        text = f"{team_label(unit, team)} {how} {team_label(unit, transport)}."
        at = steps[team.id].to
        set_down_at(game, team, steps[team.id], transport.facing)
        act.starts[team.id] = (at, team.facing)
        act.unloaded.add(team.id)
        game.tell("unload", text, UNLOAD, FIRST, seat=unit.side, team=team.id, transport=transport.id, at=list(at))
    done.add(transport.id)
    after_unloading(game, act, unit, transport)
    yield from declare_moves(game, act, [(unit, team) for team in out])


def declare_moves(game: Battle, act: Activation, out: list[Member]) -> Flow[None]:
    """Teams that had no place when orders were declared say now where they go."""
    names = {team.id for _, team in out}
    for order in act.orders:
        own = [member for member in order.members if member[1].id in names]
        if order.kind == "move" and own:
            yield from move_orders.declare_later(game, act, order, own)
    if act.leader is not None and act.leader.id in names:
        yield from move_orders.declare_leader(game, act)


def after_bailing_out(game: Battle, act: Activation) -> Flow[None]:
    """hof.activation.declare-specifics: who was aboard when orders were declared, and has bailed out since."""
    out: list[Member] = []
    for unit, team in living(act.members):
        if team.at is not None and team.id not in act.starts:
            act.starts[team.id] = (team.at, team.facing)
            out.append((unit, team))
    if out:
        yield from declare_moves(game, act, out)


def after_unloading(game: Battle, act: Activation, unit: Unit, transport: Team) -> None:
    """hof.transports.called-to-rear, once it carries nobody; hof.transports.suppressed-stays, hof.optional.bogged."""
    if passengers(unit, transport):
        return
    why = kept_here(transport)
    if why is None:
        go_to_rear(game, act, unit, transport)
        return
    transport.emptied = True
    text = f"{team_label(unit, transport)} is {why[0]} and stays."
    game.tell("stays", text, why[1], seat=unit.side, team=transport.id)


def go_to_rear(game: Battle, act: Activation, unit: Unit, transport: Team) -> None:
    transport.emptied = False
    take_off(game, transport, "rear")
    withdraw(act, transport)
    game.tell("rear", f"{team_label(unit, transport)} is Called to the Rear.", REAR, seat=unit.side, team=transport.id)


def come_back(game: Battle, unit: Unit, transport: Team) -> Flow[None]:
    """hof.transports.return"""
    name = transport.id

    def refuse_unsafe(some: list[Team], rows: Rows) -> Refusal | None:
        if safe(game, unit, transport, rows)[0]:
            return None
        message = f"{team_label(unit, transport)} needs a place within {BESIDE:g} inches of its Unit."
        return illegal(RETURN, message, field=name, legal=f"No enemy within {ENEMY_NEAR:g} inches may see it there.")

    def proposals(most: int) -> list[Answer]:
        return [steps_to_plain({name: spot}) for spot in return_spots(game, unit, transport, TRIES)[: min(most, TRIES)]]

    def chance(random: Random) -> Answer:
        spots = return_spots(game, unit, transport, 1)
        return steps_to_plain({name: spots[int(random.random() * len(spots))]})

    checks = (partial(refuse_ground, board(game), unit.side), refuse_unsafe)
    down = setting_down(game, unit.side, [transport], RETURN, transport.facing, checks=checks)
    words = f"Where does {team_label(unit, transport)} come back?"
    question = down.question("return", words, team_name, proposals, chance)
    set_all_down(game, down, (yield Ask(unit.side, question)))
    text = f"{team_label(unit, transport)} comes back from the rear."
    game.tell("return", text, RETURN, seat=unit.side, team=name, at=list(transport.at or ()))


def safe(game: Battle, unit: Unit, transport: Team, rows: Rows) -> Mask:
    """Which places are free, near a Team of the Unit, and not in sight of an enemy within 16 inches."""
    here = board(game)
    ground = here.ground
    index = here.index
    mates: Ints = np.array([index[name] for name in unit.teams if name in index and name != transport.id], np.int64)
    never = ground.table.barring(goes_badly(transport), False)
    eyes = here.enemies(unit.side).rows
    return free_places.shelters(
        ground.lens, ground.raised(rows), here.rows, never, mates, BESIDE + EXACT, here.standing(), eyes,
        ENEMY_NEAR + EXACT, width=ground.width, depth=ground.depth, slack=SLACK,
    )  # fmt: skip


RETURNS = KeptUntilChange[tuple[str, str, float, int], list[Step]]()
"""By Unit, kind, facing and how many are wanted."""


def return_spots(game: Battle, unit: Unit, transport: Team, least: int) -> list[Step]:
    """So many places, if there are, where a Transport may come back, and perhaps more.

    They are the same for all of its kind, until something moves.
    """
    key = (unit.id, transport.profile, transport.facing, least)
    return RETURNS.once(board(game), key, lambda: find_return_spots(game, unit, transport, least))


def find_return_spots(game: Battle, unit: Unit, transport: Team, least: int) -> list[Step]:
    mates = [team for team in unit.teams.values() if team.at is not None and not team.kind.vehicle]
    mates = mates or [team for team in unit.teams.values() if team.at is not None]
    found: list[Step] = []
    half = transport.kind.base.width / 2
    for mate in mates:
        assert mate.at is not None
        rows = rings(transport, mate.at, BESIDE + mate.kind.base.depth / 2 + half)
        for ring in (rows[:TRIES], rows[TRIES:]):
            good = safe(game, unit, transport, ring)
            found += steps_to(ring[good], transport.facing)
            if len(found) >= least:
                return found
    return found


# What becomes of passengers.


def bail_out(game: Battle, unit: Unit, transport: Team, cause: str, losses: Losses) -> Flow[None]:
    """The Teams aboard a Transport that is lost come out beside it, and each resolves 2 RFPs at once.

    Called while the Transport still knows where it stood.
    """
    aboard = passengers(unit, transport)
    if not aboard:
        return
    by_fire = cause in LOST_TO_RFPS
    rule = "hof.transports.destroyed-by-rfp" if by_fire else "hof.transports.destroyed-by-penetration"
    words = f"{team_label(unit, transport)} is lost. Where do its passengers come out?"
    steps = yield from ask_place(game, unit, transport, aboard, "bail-out", words, (rule,), in_sight=False)
    for team in aboard:
        if team.id in steps:
            set_down_at(game, team, steps[team.id], transport.facing)
            text = f"{team_label(unit, team)} bails out of {team_label(unit, transport)}."
            game.tell("bail-out", text, rule, seat=unit.side, team=team.id, transport=transport.id, cause=cause)
    for team in aboard:
        if alive(unit, team):
            why = f"bailing out of {team_label(unit, transport)}"
            yield from rfp.resolve(game, unit, team, BAILED_OUT_RFPS, losses, hard=by_fire, rules=(rule,), why=why)


def when_lost(game: Battle, unit: Unit, team: Team, cause: str, losses: Losses) -> Flow[None]:
    """A Transport is lost: its passengers bail out, or share its fate."""
    if not team.kind.transport or team.at is None:
        return
    yield from bail_out(game, unit, team, cause, losses)
    for each in passengers(unit, team):
        yield from morale.kill(game, unit, each, losses, cause, "hof.transports.destroyed-by-penetration")


def bailed_out(game: Battle, unit: Unit, transport: Team, cause: str) -> Chances[tuple[str, ...]]:
    """Which passengers are lost with their Transport: see `bail_out`. All are taken to find a place."""
    found: Chances[tuple[str, ...]] = sure(())
    if not transport.kind.transport or transport.at is None:
        return found
    for team in passengers(unit, transport):
        fate = rfp_odds.fates(game, unit, team, BAILED_OUT_RFPS, hard=cause in LOST_TO_RFPS)
        gone = fate.mapped(lambda end, name=team.id: (name,) if end == "killed" else ())  # type: ignore[misc]
        found = together(found, gone, tuple.__add__)
    return found
