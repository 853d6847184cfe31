"""Turns: how one begins, who acts next and what pays for it, the enemy's chance, and how it ends.

What a player may not know must not show in what is asked either: the chance to spend a Hero Point is offered to
players who have none left as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import dist
from random import Random
from typing import Any, NamedTuple

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import (
    Choices,
    Choose,
    Joined,
    LaterDict,
    Option,
    Why,
    illegal,
    one_after_the_other,
    options_of,
)
from sandtable.engine.ruleset import Ask
from sandtable.field.kept import Kept
from sandtable.field.moments import Moment
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.hof import orders
from sandtable.rulesets.hof.activation import activate, begin, eligible, followers, why_unfit
from sandtable.rulesets.hof.artillery import batteries, missions
from sandtable.rulesets.hof.battle import deployment, hidden, objectives, reserves
from sandtable.rulesets.hof.core.acts import Paid
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import full_name, team_label
from sandtable.rulesets.hof.core.state import Member, Team, Unit, all_teams, find_team, other, units_of
from sandtable.rulesets.hof.firing import targets
from sandtable.rulesets.hof.moving import immovable

REVEAL = Option("reveal", "Reveal hidden Teams", ("hof.battle.hidden-no-plot",))
APPEAR = Option("reveal", "Reveal hidden Teams", ("hof.battle.hidden-after-move",))
END = Option("end", "End the turn", ("hof.orders.turn-passes",))
PASS = Option("pass", "Let the enemy go on")

AMBUSH = 16.0
"""An enemy so near to an objective, in inches, is worth an ambush."""

FAR_OFF = 99.0
"""How near the enemy is when he is nowhere."""

Calls = Callable[[Battle, str], Choices[Any]]


class SpecialCall(NamedTuple):
    """A rule by which something else than a Team may be chosen, in one's own turn and in the enemy's."""

    choices: Calls
    answer: Callable[[Battle, str, str], Flow[bool]]
    """What comes of an answer; false if it was another call."""


SPECIAL_CALLS: Moment[SpecialCall] = Moment()

TURN_BEGINS: Moment[Callable[[Battle, str], None]] = Moment()
"""A side's turn begins: what comes before artillery and Order Dice."""


HERO_DIE_SHOWN: Moment[Callable[[Battle, str, int], Flow[None]]] = Moment()
"""What the Hero Die may bring besides new Hero Points; it shows 0 if there is none."""

IN_COMMAND: Moment[Callable[[Battle, Unit, Team, Paid], Flow[bool]]] = Moment()
"""Who acts otherwise than in an activation of his own Unit alone; true if he has."""


def play(game: Battle) -> Flow[None]:
    """The whole battle, from any checkpoint of it."""
    state = game.state
    try:
        while state.phase != "over":
            if state.phase == "start":
                yield from begin_turn(game)
            elif state.phase == "orders":
                yield from spend_points(game)
            elif state.phase == "gap":
                yield from enemy_gap(game)
            elif state.phase == "reinforce":
                yield from reserves.reinforce(game)
            else:
                yield from deployment.set_up(game)
    except BattleOver:
        pass


# The start of a turn.


def begin_turn(game: Battle) -> Flow[None]:
    """hof.orders.turn-start-sequence: artillery, Order Dice, the Hero Die; then the points may be spent."""
    state = game.state
    side = state.active
    company = state.companies[side]
    company.turns += 1
    company.called_off = False
    company.reserves_checked = False
    state.moved = {}
    for team in board(game).force(state, side).teams:
        team.activated = False
        team.watching = False
    text = f"Turn {company.turns} of {side}, the {company.role}."
    game.tell("turn", text, "hof.orders.turn-start-sequence", seat=side, round=state.round, turn=company.turns)
    for begins in TURN_BEGINS:
        begins(game, side)
    yield from missions.start_of_turn(game)
    hero_die = yield from orders.roll_order_dice(game, side)
    if hero_die == 6:
        yield from orders.renew_hero_points(game, side)
    for shown in HERO_DIE_SHOWN:
        yield from shown(game, side, hero_die)
    state.phase = "orders"


# Who may be activated.


def why_not_act(game: Battle, side: str, member: Member) -> Why:
    """Why a Team may not be activated now.

    hof.orders.order-point-once-per-turn, hof.orders.hero-reactivate
    """
    unit, team = member
    if unit.side != side:
        return lambda: illegal("hof.orders.spend-order-point", f"{team_label(unit, team)} is not yours.", field=team.id)
    if idle(team):
        return lambda: why_unfit(unit, team)
    company = game.state.companies[side]
    if company.heroes:
        return None
    if side != game.state.active:
        message = "You have no Hero Points left to act in the enemy's turn."
        return illegal("hof.orders.hero-enemy-turn", message, field=team.id)
    if not company.order_points:
        return illegal("hof.orders.spend-order-point", "You have no points left.", field=team.id, legal="End the turn.")
    return (lambda: orders.used_up(side, team, team.id)) if team.activated else None


OPTIONS = Kept[tuple[str, str, bool, str], Option]()
"""By id, kind, whether others follow, and what is amiss."""


def team_option(game: Battle, unit: Unit, team: Team, *, leads: bool = False, warning: str = "") -> Option:
    """A Team that may act. Whoever leads others stands for his whole Unit; the warning is part of the name, too."""
    known, key = OPTIONS.of(board(game)), (team.id, team.profile, leads, warning)
    option = known.get(key)
    if option is None:
        words = full_name(unit, team)
        words = f"{words}: {warning}" if warning else words
        pieces = (team.id, unit.id) if leads else (team.id,)
        option = known[key] = Option(team.id, words, pieces=pieces, warning=warning)
    return option


ALONE, NOTHING = "nobody follows him", "it can neither move nor fire now"
"""What is said before a point is spent on an order that nobody could carry out."""


def warning_of(game: Battle, unit: Unit, team: Team, paid: Paid) -> str:
    if team.role in ("pl", "cc"):
        if team.role == "cc" and game.setup.options.commander:
            # A Platoon Leader may act with him.
            return ""
        return "" if followers(game, begin(unit, team, paid), team) else ALONE
    why = immovable(team)
    if why is None or why[0] == "hof.special-rules.immobile":
        return ""
    return "" if targets.able_to_fire(game, begin(unit, team, paid), [(unit, team)]) else NOTHING


def idle(team: Team) -> bool:
    """Whether nothing could activate a Team now (hof.orders.hero-lock)."""
    return not eligible(team, "hero") or (team.role == "rider" and not team.carrier)


class WhoActs(Joined):
    """Who may act or be called, in one's own turn and in the enemy's, and what can be done besides."""

    __slots__ = ("always", "game", "points", "reveal", "side")

    def __init__(self, game: Battle, side: str, points: int, always: Option, reveal: Option) -> None:
        self.game = game
        self.side = side
        self.points = points
        self.always = always
        self.reveal = reveal
        self._parts = None
        self._made = None

    def parts(self) -> Sequence[Choices[Any]]:
        if self._parts is None:
            game, side = self.game, self.side
            # The enemy's hidden Teams are not known by name: nothing may tell a wrong guess from a right one.
            known = [(unit, team) for unit, team in all_teams(game.state) if unit.side == side or team.at is not None]
            teams = {team.id: (unit, team) for unit, team in known}
            calls: list[Calls] = [batteries.calls, reserves.calls, *(each.choices for each in SPECIAL_CALLS)]
            self._parts = [
                Choices(teams, self.member_option, lambda member: why_not_act(game, side, member)),
                options_of((self.always, None), (self.reveal, why_no_reveal(game, side))),
                *(each(game, side) for each in calls),
            ]
        return self._parts

    def allowed(self) -> Sequence[str]:
        return leaders_first(self.game, self.side, self.points, self.parts())

    def member_option(self, member: Member) -> Option:
        unit, team = member
        paid: Paid = "order" if self.points and not team.activated else "hero"
        warning = warning_of(self.game, unit, team, paid)
        first = unit.vehicles and team is next(each for each in unit.teams.values() if not idle(each))
        leads = not warning and (team.role in ("pl", "cc") or first)
        return team_option(self.game, unit, team, leads=leads, warning=warning)


def leaders_first(game: Battle, side: str, points: int, parts: Sequence[Choices[Any]]) -> list[str]:
    """Whoever looks at a few choices looks at those first who bring others along, and last at those who act alone.

    Whom Order Points could activate comes before whom Hero Points alone could. A hint, no rule.
    """
    teams, besides, *calls = parts
    members: list[Member] = [teams.things[name] for name in teams.allowed()]
    leading: list[str] = []
    others: list[str] = []
    seen: set[str] = set()
    for unit, team in sorted(members, key=lambda member: not points or member[1].activated):
        leads = team.role in ("pl", "cc") or (unit.vehicles and unit.id not in seen)
        seen.add(unit.id)
        (leading if leads else others).append(team.id)
    if side == game.state.active:
        return [*leading, *one_after_the_other(calls), *reversed(besides.allowed()), *others]
    return [*besides.allowed(), *leading, *one_after_the_other(calls), *others]


def why_no_reveal(game: Battle, side: str) -> Why:
    if hidden.may_reveal(game, side):
        return None
    why = "you have just set nobody down." if side in game.state.balked else "you have no Hidden Teams."
    return illegal("hof.battle.hidden-no-plot", why, field="reveal")


def spend_points(game: Battle) -> Flow[None]:
    """The active player's choice: whom to activate, or to end the turn."""
    state = game.state
    side = state.active
    company = state.companies[side]
    points, heroes = company.order_points, company.heroes
    question = Choose(
        "activate",
        f"{several(points, 'Order Point')} and {several(heroes, 'Hero Point')}. Who acts?",
        WhoActs(game, side, points, END, REVEAL),
        rules=("hof.orders.spend-order-point", "hof.orders.one-activation-at-a-time", "hof.orders.premeasure"),
        facts={"order_points": points, "hero_points": heroes, "round": state.round},
        chance=partial(pick_one, game, side, points, heroes, "end"),
        default=lambda: next_to_act(game, side, points),
        step="who",
        veiled=True,
        rest=END.id,
    )
    answer: str = yield Ask(side, question, checkpoint=True)
    if answer == "reveal":
        yield from hidden.reveal(game, side)
        objectives.update_control(game)
        return
    state.moved = {}
    state.balked = []
    if answer == "end":
        yield from end_turn(game)
    else:
        # A call that turns out to activate nobody sets this back.
        state.phase = "gap"
        yield from answer_with(game, side, answer)


def next_to_act(game: Battle, side: str, points: int) -> str:
    """Who acts next if the player only says yes: whoever brings others along, then the rest; Hero Points are kept.

    Before a point goes to a single Team, an ambush is sprung that is due.
    """
    units = units_of(game.state, side) if points else ()
    fresh = [(unit, team) for unit in units for team in unit.teams.values() if not team.activated and not idle(team)]
    leaders = [(unit, team) for unit, team in fresh if team.role == "pl" or (unit.vehicles and not unit.led)]
    for unit, team in leaders:
        if followers(game, begin(unit, team, "order"), team):
            return team.id
    if points and ambush_is_due(game, side):
        return REVEAL.id
    return next((team.id for _, team in fresh if team.role not in ("pl", "cc")), END.id)


def ambush_is_due(game: Battle, side: str) -> bool:
    """Whether Hidden Teams should wait no longer: the enemy comes near to a place that is not yet his."""
    if not hidden.may_reveal(game, side):
        return False
    enemy = other(side)
    goals = [goal.at for goal in game.state.objectives.values() if goal.holder != enemy]
    near = (team.at for unit in units_of(game.state, enemy) for team in unit.teams.values() if team.at is not None)
    return any(dist(at, goal) <= AMBUSH for at in near for goal in goals)


@cache
def all_calls(*, own_turn: bool) -> list[Calls]:
    """What can be called, in one's own turn and in the enemy's."""
    return [*((reserves.calls, batteries.calls) if own_turn else ()), *(each.choices for each in SPECIAL_CALLS)]


def pick_one(game: Battle, side: str, points: int, heroes: int, none: str, random: Random) -> str:
    """By chance any Team that may act, a call of one kind or another, Hidden Teams, or `none` of them."""
    teams = board(game).force(game.state, side).teams if points or heroes else []
    if not heroes:
        teams = [team for team in teams if not team.activated]
    count = len(teams)
    others: list[Calls | str] = [*all_calls(own_turn=none == "end"), none, "reveal"]
    while True:
        pick = int(random.random() * (count + len(others)))
        if pick < count:
            if not idle(teams[pick]):
                return teams[pick].id
            continue
        found = others.pop(pick - count)
        if found == none:
            return none
        if isinstance(found, str):
            if hidden.may_reveal(game, side):
                return found
        elif (called := found(game, side)).allowed():
            return called.pick(random)


def answer_with(game: Battle, side: str, answer: str) -> Flow[None]:
    """A Team acts, or something is called for: `call:UNIT`, `reserves`, `arrive:UNIT`…"""
    found = find_team(game.state, answer)
    if found is not None:
        paid: Paid = (yield from orders.choose_payment(game, side, found[1])) if side == game.state.active else "hero"
        yield from pay_and_activate(game, *found, paid)
        return
    for answered in (missions.answer_call, reserves.answer_call, *(each.answer for each in SPECIAL_CALLS)):
        if (yield from answered(game, side, answer)):
            return


def pay_and_activate(game: Battle, unit: Unit, team: Team, paid: Paid) -> Flow[None]:
    side = unit.side
    if paid == "hero":
        rules = ["hof.orders.hero-enemy-turn"]
        if game.state.active == side:
            rules = ["hof.orders.hero-normal-use"]
            if team.activated:
                rules.append("hof.orders.hero-reactivate")
        orders.spend_hero_point(game, side, team_label(unit, team), *rules, team=team.id)
    else:
        orders.spend_order_point(game, side)
    yield from act(game, unit, team, paid)
    objectives.update_control(game)


def act(game: Battle, unit: Unit, team: Team, paid: Paid) -> Flow[None]:
    for otherwise in IN_COMMAND:
        if (yield from otherwise(game, unit, team, paid)):
            return
    yield from activate(game, unit, team, paid)


# The enemy's chance.


def enemy_gap(game: Battle) -> Flow[None]:
    """hof.orders.hero-enemy-turn: after an activation the other player may spend Hero Points or reveal Teams."""
    state = game.state
    side = other(state.active)
    heroes = state.companies[side].heroes
    question = Choose(
        "react",
        f"{state.active} has acted. {several(heroes, 'Hero Point')}. Do you react?",
        WhoActs(game, side, 0, PASS, APPEAR),
        rules=("hof.orders.hero-enemy-turn",),
        facts=LaterDict(lambda: react_facts(game, side, heroes)),
        chance=partial(pick_one, game, side, 0, heroes, "pass"),
        step="reply",
        veiled=True,
        rest=PASS.id,
    )
    answer: str = yield Ask(side, question, checkpoint=True)
    if answer == "pass":
        state.phase = "orders"
    elif answer == "reveal":
        yield from hidden.reveal(game, side)
        objectives.update_control(game)
    else:
        yield from answer_with(game, side, answer)


def react_facts(game: Battle, side: str, heroes: int) -> dict[str, Any]:
    """What a standing answer may look at: was I fired on, which Unit of mine, how near is the enemy."""
    state = game.state
    hit = {unit.id: any(team.hit_by for team in unit.teams.values()) for unit in units_of(state, side)}
    facts: dict[str, Any] = {"hero_points": heroes, "round": state.round, "fired_on": any(hit.values())}
    for name, fired_on in hit.items():
        facts[f"fired_on:{name}"] = fired_on
    enemies = units_of(state, state.active) if state.moved else []
    near = board(game).gap(board(game).side(side).teams, board(game).enemies(side).teams)
    facts["enemy_near"] = round(min(near, FAR_OFF), 1)
    facts["enemy_moved"] = any(name in unit.teams for name in state.moved for unit in enemies)
    return facts


def end_turn(game: Battle) -> Flow[None]:
    """hof.orders.turn-passes: what is unspent is lost; the other player becomes active. Two turns make a round."""
    state = game.state
    side = state.active
    company = state.companies[side]
    left = f" with {several(company.order_points, 'Order Point')} unspent" if company.order_points else ""
    text = f"{side} ends its turn{left}."
    game.tell("turn-end", text, "hof.orders.turn-passes", seat=side, unspent=company.order_points)
    company.order_points = 0
    for unit in state.units.values():
        unit.reacted = False
    here = board(game)
    for team in here.force(state, "red").teams + here.force(state, "blue").teams:
        team.locked = False
        if team.hit_by:
            team.hit_by = []
    if side != state.attacker:
        yield from objectives.end_of_round(game)
        state.round += 1
    state.active = other(side)
    state.phase = "start"
