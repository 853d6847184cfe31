"""National characteristics: what each nation's Units do in their own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Refusal, Step, Why, illegal, said
from sandtable.engine.ruleset import Ask
from sandtable.field.beside import points_touching
from sandtable.field.courses import path_of
from sandtable.field.kept import KeptUntilChange
from sandtable.field.move_hints import crowd
from sandtable.field.moving import Moving
from sandtable.rulesets.hof.activation import activation
from sandtable.rulesets.hof.battle import objectives
from sandtable.rulesets.hof.core import checks
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, free_activation
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import label, team_label, team_name, unit_option
from sandtable.rulesets.hof.core.nearby import row_at
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit, find_team
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.moving import ASSAULT_FROM, MOST_ON_ONE, MoveLaw, end_facing, reach
from sandtable.rulesets.hof.orders import spend_hero_point
from sandtable.rulesets.hof.rfp_rally import READY, SUPPRESSED, Again
from sandtable.table import distance as measure
from sandtable.table.hairs import A_HAIR, CONTACT, SLACK
from sandtable.table.shapes import X, Y, snap

TACTICAL_INITIATIVE = 1
"""hof.national.de-tactical-initiative"""

MASSED = "hof.national.su-massed-assault"
CALL = "massed-assault"


def tactical_initiative(game: Battle, side: str) -> tuple[int, list[str]]:
    if not game.setup.options.national or game.state.companies[side].nation != "german":
        return 0, []
    return TACTICAL_INITIATIVE, ["hof.national.de-tactical-initiative"]


# Follow The Leader.


def refuse_split(game: Battle, unit: Unit) -> Refusal | None:
    """hof.national.su-follow-the-leader: why a Unit's orders may not be divided."""
    options = game.setup.options
    if not (options.national and options.follow_the_leader and unit.nation == "soviet"):
        return None
    message = f"{label(unit)} may not split orders."
    words = "Give all its Teams the same order."
    return illegal("hof.national.su-follow-the-leader", message, field="orders", legal=words)


# Massed Assault.


def calls(game: Battle, side: str) -> Choices[str]:
    """The Massed Assault."""
    words = "Massed Assault: Infantry of any Units together (a Hero Point)"
    return Choices({CALL: side}, lambda _: Option(CALL, words, (MASSED,)), lambda _: why_no_assault(game, side))


def why_no_assault(game: Battle, side: str) -> Refusal | None:
    if not game.setup.options.national:
        return illegal(MASSED, "this battle is played without national characteristics.", field=CALL)
    if not game.state.companies[side].heroes:
        return illegal(MASSED, "You have no Hero Points left.", field=CALL)
    if next(targets(game, side), None) is None:
        return illegal(MASSED, "no Soviet Infantry Team that may act can reach an enemy.", field=CALL)
    return None


def why_not_sent(unit: Unit, team: Team) -> Why:
    """Why a Hero Point may not send a Team forward; Small Teams do not assault."""
    if team.locked:
        return lambda: illegal(
            "hof.orders.hero-lock", f"{team_label(unit, team)} acted by Hero Point this turn.", field=team.id
        )
    if unit.nation != "soviet" or team.kind.category != "infantry" or team.kind.small:
        usual = "is no Soviet Infantry Team of the usual size."
        return lambda: illegal(MASSED, f"{team_label(unit, team)} {usual}", field=team.id)
    if team.watching:
        return illegal("hof.artillery.any-pl-observes", f"{team_label(unit, team)} is observing.", field=team.id)
    return None


def soviets(game: Battle, side: str) -> list[Member]:
    """The Infantry Teams that a Hero Point may send forward."""
    if side not in [unit.side for unit in game.state.units.values() if unit.nation == "soviet"]:
        return []
    return [member for member in board(game).side(side).members if why_not_sent(*member) is None]


def targets(game: Battle, side: str) -> Iterator[Unit]:
    """The enemy Units that some Soviet Infantry Team within 12 inches has a way into contact with."""
    members = soviets(game, side)
    enemies = board(game).enemies(side)
    if not members or not enemies.members:
        return
    near = measure.within(board(game).gaps([team for _, team in members], enemies.teams), ASSAULT_FROM, A_HAIR)
    found: set[str] = set()
    for second, first in zip(*(index.tolist() for index in np.nonzero(near.T)), strict=True):
        unit, foe = enemies.members[second]
        if unit.id not in found and contact_spot(game, [], members[first], foe, []) is not None:
            found.add(unit.id)
            yield unit


def answer_call(game: Battle, side: str, answer: str) -> Flow[bool]:
    """hof.national.su-massed-assault: one Hero Point, any Infantry, one enemy Unit. False if it was another call.

    It is one activation of them all, so one movement roll serves them all.
    """
    if answer != CALL:
        return False
    choices = Choices({unit.id: unit for unit in targets(game, side)}, unit_option)
    enemy = yield from choose_one(side, "massed-target", "Which enemy Unit is assaulted?", choices, rules=(MASSED,))
    chosen = yield from choose_assaulters(game, side, enemy)
    rules = (MASSED, "hof.orders.hero-normal-use")
    spend_hero_point(game, side, f"Massed Assault on {label(enemy)}", *rules, target=enemy.id)
    members = [member for member in soviets(game, side) if member[1].id in chosen]
    order = Order("move", "move", members, steps=chosen)
    act = Activation(side=side, paid="hero", unit=members[0][0], members=members, orders=[order])
    activation.mark_activated(game, act)
    text = f"{several(len(members), 'Team')} of {side} together: an assault on {label(enemy)}."
    names = [team.id for _, team in members]
    game.tell("massed-assault", text, MASSED, "hof.activation.four-steps", seat=side, teams=names, target=enemy.id)
    yield from activation.rally_and_resolve(game, act)
    yield from activation.carry_out(game, act)
    yield from activation.finish(game, act)
    objectives.update_control(game)
    return True


def choose_assaulters(game: Battle, side: str, enemy: Unit) -> Flow[dict[str, Step]]:
    """Who goes, and by which way: each ends in contact with a Team of the enemy Unit."""
    foes = [team for team in enemy.teams.values() if team.at is not None]
    near = within_reach(game, soviets(game, side), foes)

    def barred(name: str) -> Refusal | None:
        found = find_team(game.state, name)
        if found is None or found[0].side != side or found[1].at is None:
            return None
        message = f"{team_label(*found)} is farther than {ASSAULT_FROM:g} inches from {label(enemy)}."
        return said(why_not_sent(*found)) or illegal("hof.assaults.within-12", message, field=name)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        if not steps:
            return illegal(MASSED, "nobody goes.", field=CALL, legal="Send at least one Team into contact.")
        members = [member for member in near if member[1].id in steps]
        law = MoveLaw(game, free_activation(members), side, members, one_goal=False)
        return law.refuse(steps) or refuse_elsewhere(game, members, foes, steps)

    moving = Moving([team for _, team in near], reach, legal)
    question = moving.question(
        CALL,
        f"Who assaults {label(enemy)}, and by which way?",
        team_name,
        lambda: propose(game, near, foes, legal),
        lambda random: random.choice(propose(game, near, foes, legal)),
        (MASSED, "hof.assaults.within-12", "hof.assaults.two-per-enemy", "hof.moving.declare-destination"),
        barred,
        target=enemy.id,
    )
    return moving.steps((yield Ask(side, question)))


def within_reach(game: Battle, members: list[Member], foes: list[Team]) -> list[Member]:
    """hof.assaults.within-12: who of some Teams starts near enough to one of the enemies."""
    if not members or not foes:
        return []
    far = board(game).gaps([team for _, team in members], foes).min(axis=1).tolist()
    return [member for member, gap in zip(members, far, strict=True) if measure.within(gap, ASSAULT_FROM, A_HAIR)]


def refuse_elsewhere(game: Battle, members: list[Member], foes: list[Team], steps: dict[str, Step]) -> Refusal | None:
    """Who goes must assault the one Unit that was named."""
    theirs = board(game).of(foes)
    for unit, team in members:
        assert team.at is not None
        step = steps[team.id]
        row = row_at(team, *step.to, end_facing(team, path_of(team.at, step), step.facing))
        if measure.beyond(measure.nearest(row, theirs)[0], CONTACT):
            message = f"{team_label(unit, team)} would not end in contact with the Unit that is assaulted."
            return illegal(MASSED, message, field=team.id, legal="Move it into contact, or leave it out.")
    return None


def propose(
    game: Battle, members: list[Member], foes: list[Team], legal: Callable[[dict[str, Step]], Refusal | None]
) -> list[dict[str, Step]]:
    """As many as there is room for, the nearest first, each to its nearest enemy; and one alone."""
    unit_of = {team.id: unit for unit, team in members}
    teams = [team for _, team in members]

    def spot(team: Team, foe: Team, sent: list[Team], taken: list[Rows]) -> Rows | None:
        mates = [(unit_of[each.id], each) for each in sent]
        return contact_spot(game, mates, (unit_of[team.id], team), foe, taken)

    far = board(game).gaps(teams, foes)
    everybody, first = crowd(teams, foes, far, lambda gap: measure.within(gap, ASSAULT_FROM, A_HAIR), spot, MOST_ON_ONE)
    return [everybody, first] if everybody != first and legal(everybody) is None else [first]


# Where they go.


def contact_spot(game: Battle, mates: list[Member], member: Member, foe: Team, taken: list[Rows]) -> Rows | None:
    """The nearest place in contact with an enemy where a Team may go straight.

    `mates` are those who go with it, `taken` the places of some of them.
    """
    here = board(game)
    unit, team = member
    law = MoveLaw(game, free_activation([member, *mates]), unit.side, [member])
    row = here.of([team])[0]
    for x, y in contact_points(here, team, foe):
        spot: Rows = row.copy()
        spot[X], spot[Y] = x, y
        if taken and measure.overlaps(spot.reshape(1, 8), np.vstack(taken), SLACK).any():
            continue
        if law.refuse({team.id: Step((snap(x), snap(y)))}) is None:
            return spot
    return None


CONTACTS = KeptUntilChange[tuple[str, str], list[Point]]()
"""By Team and enemy."""


def contact_points(here: Board, team: Team, foe: Team) -> list[Point]:
    """Where all round an enemy a Team would touch it, the nearest first; they are the same until something moves."""
    return CONTACTS.once(here, (team.id, foe.id), lambda: points_touching(*here.of([team, foe])))


# Mission Tactics.


def when_lost(game: Battle, unit: Unit, team: Team, cause: str, losses: Losses) -> Flow[None]:
    """hof.national.de-mission-tactics: a German Unit that has lost its Leader tries at once to find another."""
    german = game.setup.options.national and unit.nation == "german"
    if team.role != "pl" or not german or unit.kind or not unit.teams:
        return
    check = yield from checks.check(game, unit, f"Mission Tactics of {label(unit)}")
    unit.promotion = True
    text = f"{label(unit)} {'finds a new Leader at once' if check.passed else 'will have a new Leader when it acts'}."
    check.tell(game, "mission-tactics", text, "hof.national.de-mission-tactics", unit=unit.id)
    beside = [team for team in unit.teams.values() if team.at is not None]
    if check.passed and beside:
        yield from replacement.install(game, unit, beside, "hof.national.de-mission-tactics")


# Stubborn Defense.


def may_stand_firm(game: Battle, unit: Unit, team: Team, hard: bool) -> bool:
    """hof.national.gb-stubborn-defense: British Infantry in Hard Cover."""
    if not game.setup.options.national or unit.nation != "british":
        return False
    return team.kind.category == "infantry" and hard and not team.suppressed


def stand_firm(game: Battle, throw: Throw, results: list[int], again: Again) -> Flow[None]:
    """One Suppressed die again. It can do no harm, so it is rolled where it helps."""
    if max(results, default=READY) != SUPPRESSED or results.count(SUPPRESSED) != 1:
        return
    die = results.index(SUPPRESSED)
    if throw.may_reroll(die):
        yield from game.reroll(throw, [die])
        again.stubborn = die
        again.add("hof.national.gb-stubborn-defense")
