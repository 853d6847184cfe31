"""Turns and orders: Order Dice, Order Points, the Hero Die and Hero Points, and whose move it is.

What a player may not know must not show in what is asked either: the chance to spend a Hero Point is offered to
players who have none left as well.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sandtable.engine.dice import Throw
from sandtable.engine.events import Event, several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, LaterDict, LaterList, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import artillery, battle, breaking, hidden, national
from sandtable.rulesets.hof.activation import activate, activate_through_commander, begin, followers, why_unfit
from sandtable.rulesets.hof.acts import Paid
from sandtable.rulesets.hof.board import Board, board, gap
from sandtable.rulesets.hof.breaking import BattleOver
from sandtable.rulesets.hof.optional import air, commander
from sandtable.rulesets.hof.state import (
    Company,
    Member,
    State,
    Team,
    Unit,
    counts_for_strength,
    find_team,
    label,
    other,
    team_label,
    units_of,
)

ORDER_NEEDED = 4
EXTRA_POINT = 1

REVEAL = Option("reveal", "Reveal hidden Teams", ("hof.battle.hidden-no-plot",))
APPEAR = Option("reveal", "Reveal hidden Teams", ("hof.battle.hidden-after-move",))
END = Option("end", "End the turn", ("hof.orders.turn-passes",))
PASS = Option("pass", "Let the enemy go on")
NO_DICE = ("sniper", "bunker", "riders")
"""Kinds of Units that give no Order Dice."""

AWAY = ("reserve", "off-board")
FAR_OFF = 99.0
"""How near the enemy is when he is nowhere."""

ORDER_POINT = Option("order", "An Order Point", ("hof.orders.spend-order-point",))
HERO_POINT = Option("hero", "A Hero Point", ("hof.orders.hero-normal-use",))


Call = Callable[[Game[State], str], list[Option]]
CALLS: tuple[Call, ...] = (battle.calls, artillery.calls, national.calls)
CALLS_OUT_OF_TURN = (national.calls,)
"""What may be chosen instead of a Team, in one's own turn and in the enemy's."""


def play(game: Game[State]) -> Flow[None]:
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
                yield from battle.reinforce(game)
            else:
                yield from battle.set_up(game)
    except BattleOver:
        pass


# The start of a turn.


def begin_turn(game: Game[State]) -> Flow[None]:
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
    if game.setup.options.commander:
        commander.renew_point(game, side)
    yield from artillery.start_of_turn(game)
    hero_die = yield from roll_order_dice(game, side)
    if hero_die == 6:
        yield from renew_hero_points(game, side)
    if hero_die == 1 and game.setup.options.air:
        yield from air.attack(game, side)
    state.phase = "orders"


def dice_givers(game: Game[State], side: str) -> tuple[list[str], list[str]]:
    """For each who gives an Order Die the rule: Platoon Leaders, Vehicle Units, and whoever counts as one.

    And the rules by which others give none because of what the enemy did to them.
    """
    found: list[str] = []
    under_fire = shaken = False
    here = board(game)
    force = here.force(game.state, side)
    for unit in force.units:
        if not unit.vehicles:
            continue
        teams = fighting(here, unit)
        if vehicle_unit_shaken(unit, teams):
            shaken = True
        elif unit.kind not in NO_DICE:
            # hof.battle.reserve-no-dice, hof.artillery.fo-order-die: its Forward Observer may be there without it.
            for team in teams:
                if team.where not in AWAY:
                    found.append("hof.orders.order-dice")
                    break
    for unit, team in force.heads:
        role = team.role
        if team.rfps:
            under_fire = under_fire or (not unit.vehicles and unit.leader is team)
        elif unit.kind in NO_DICE or team.where in AWAY:
            continue
        elif role == "pl":
            found.append("hof.orders.order-dice")
        elif role == "cc" and game.setup.options.commander:
            found.append("hof.optional.cc-order-die")
        elif role == "fo" and artillery.off_board(unit):
            found.append("hof.artillery.fo-order-die")
    silenced = ["hof.orders.pl-with-rfp-no-die"] if under_fire else []
    return found, [*silenced, "hof.orders.vehicle-unit-no-die"] if shaken else silenced


def fighting(here: Board, unit: Unit) -> list[Team]:
    """The Teams of a Unit that count for its strength: found once, until one is lost."""
    key = ("fighting", *unit.teams)
    found: list[Team] | None = here.memo.get(key)
    if found is None:
        found = here.memo[key] = [team for team in unit.teams.values() if counts_for_strength(team)]
    return found


def vehicle_unit_shaken(unit: Unit, teams: list[Team]) -> bool:
    """hof.orders.vehicle-unit-no-die: half or more of its starting Teams destroyed, Suppressed or under fire."""
    sound = [team for team in teams if not team.suppressed and not team.rfps]
    return 2 * len(sound) <= unit.starting


def roll_order_dice(game: Game[State], side: str) -> Flow[int]:
    """Roll the Order Dice; the first of them is the Hero Die. Returns what it shows, 0 without any die."""
    state = game.state
    company = state.companies[side]
    givers, silent = dice_givers(game, side)
    throw = yield from game.throw(side, len(givers), "Order Dice")
    points = sum([value >= ORDER_NEEDED for value in throw.values])
    bonus = EXTRA_POINT
    rules = ["hof.orders.order-dice", "hof.orders.order-plus-one", *givers]
    if game.setup.options.national and company.nation == "german":
        bonus += national.TACTICAL_INITIATIVE
        rules.append("hof.national.de-tactical-initiative")
    company.order_points = points + bonus
    hero = throw.values[0] if givers else 0
    if givers:
        rules.append("hof.orders.hero-die-is-order-die")
    rules += silent
    made = several(company.order_points, "Order Point")
    text = f"{side} rolls {several(len(givers), 'Order Die', 'Order Dice')}: {points} and {bonus} more make {made}."
    data: dict[str, Any] = {"points": company.order_points, "hero_die": hero}
    game.tell("order-dice", text, *dict.fromkeys(rules), seat=side, dice=[throw], **data)
    return hero


# Hero Points.


def roll_hero_points(game: Game[State], side: str, *rules: str) -> Flow[None]:
    """A secret die: its owner alone learns what it shows."""
    company = game.state.companies[side]
    throw = yield from game.throw(side, 1, "Hero Points")
    company.hero_points = throw.value
    company.hero_spent = 0
    tell_secretly(game, side, company, throw, *rules)


def tell_secretly(game: Game[State], side: str, company: Company, throw: Throw, *rules: str) -> None:
    hidden_form = Event("hero-roll", f"{side} rolls for Hero Points in secret.", list(rules), side)
    text = f"{side} rolls {throw.value}: so many Hero Points."
    told = Event("hero-roll", text, list(rules), side, [throw], [], {"points": company.hero_points})
    told.only = [side]
    told.others = hidden_form
    game.tell_event(told)


def renew_hero_points(game: Game[State], side: str) -> Flow[None]:
    """hof.orders.hero-die-six: what is left is revealed and discarded, and a new secret die is rolled."""
    company = game.state.companies[side]
    text = f"The Hero Die shows 6: {side} discards {several(company.hero_points, 'Hero Point')}."
    event = Event("hero-renewed", text, ["hof.orders.hero-die-six"], side, data={"discarded": company.hero_points})
    event.reveals = True
    game.tell_event(event)
    yield from roll_hero_points(game, side, "hof.orders.hero-die-six", "hof.orders.hero-hidden-total")


def spend_hero_point(game: Game[State], side: str, what: str, *rules: str) -> None:
    """Open to all: the tracker counts up."""
    company = game.state.companies[side]
    cited = ["hof.orders.hero-hidden-total", *rules]
    if company.commander_point:
        company.commander_point = False
        cited.append("hof.optional.cc-hero-point")
    else:
        company.hero_points -= 1
        company.hero_spent += 1
    text = f"{side} spends a Hero Point: {what} ({company.hero_spent} spent)."
    game.tell("hero", text, *cited, seat=side, spent=company.hero_spent)


def spend_order_point(game: Game[State], side: str, *, artillery_call: bool = False) -> None:
    company = game.state.companies[side]
    company.order_points -= 1
    if not artillery_call:
        company.called_off = True


# Who may be activated.


def bar_team(game: Game[State], side: str, choice: str) -> Refusal | None:
    """Why a Team may not be activated, or a Unit not be called for fire."""
    if choice.startswith("call:"):
        return artillery.bar_call(game, side, choice)
    if choice in battle.POINTS:
        return battle.refuse_reserves(game, side, choice)
    if choice == "reveal" and side in game.state.balked:
        return illegal("hof.battle.hidden-no-plot", "you have just set nobody down.", field=choice)
    found = find_team(game.state, choice)
    if found is None:
        return None
    unit, team = found
    if unit.side != side:
        # The enemy's hidden Teams are not known by name: nothing may tell a wrong guess from a right one.
        if team.at is None:
            return None
        return illegal("hof.orders.spend-order-point", f"{team_label(team)} is not yours.", field=choice)
    unfit = why_unfit(team)
    if unfit is not None:
        return unfit
    company = game.state.companies[unit.side]
    if side != game.state.active:
        if not company.heroes:
            message = "You have no Hero Points left to act in the enemy's turn."
            return illegal("hof.orders.hero-enemy-turn", message, field=choice)
    elif not company.order_points and not company.heroes:
        return illegal("hof.orders.spend-order-point", "You have no points left.", field=choice, legal="End the turn.")
    elif team.activated:
        return used_up(team, choice)
    return Refusal("illegal", f"{team_label(team)} cannot act now.", field=choice)


def used_up(team: Team, field: str) -> Refusal:
    message = f"{team_label(team)} has been activated this turn."
    legal = "A Hero Point could activate it again."
    return illegal("hof.orders.order-point-once-per-turn", message, field=field, legal=legal)


def team_option(game: Game[State], unit: Unit, team: Team, *, alone: bool = False) -> Option:
    known = board(game).memo
    key = (team.id, team.profile, alone)
    option: Option | None = known.get(key)
    if option is None:
        words = f"{team_label(team)}, {label(unit)}"
        option = known[key] = Option(team.id, f"{words}: nobody follows him" if alone else words)
    return option


def idle(team: Team) -> bool:
    """Whether nothing could activate a Team now (hof.orders.hero-lock)."""
    if team.locked or team.watching or (team.at is None and team.where != "aboard"):
        return True
    return team.role == "rider" and not team.carrier


def acting(game: Game[State], side: str, points: int, heroes: int) -> list[Member]:
    """Whom Order Points could activate, and then whom Hero Points alone could.

    hof.orders.order-point-once-per-turn, hof.orders.hero-reactivate
    """
    first: list[Member] = []
    later: list[Member] = []
    for unit in game.state.units.values():
        if unit.side != side:
            continue
        for team in unit.teams.values():
            if idle(team):
                continue
            if points and not team.activated:
                first.append((unit, team))
            elif heroes:
                later.append((unit, team))
    return first + later


def leaders_first(game: Game[State], members: list[Member], points: int) -> tuple[list[Option], list[Option]]:
    """Those who bring others along, and those who act alone: whoever looks at a few choices looks at these first.

    Of a Leader it is said before anything is paid if there is nobody whom he could order about.
    """
    leading: list[Option] = []
    others: list[Option] = []
    seen: set[str] = set()
    for unit, team in members:
        leader = team.role in ("pl", "cc")
        leads = leader or (unit.vehicles and unit.id not in seen)
        seen.add(unit.id)
        paid: Paid = "order" if points and not team.activated else "hero"
        alone = leader and not followers(game, begin(game, unit, team, paid), team)
        (leading if leads else others).append(team_option(game, unit, team, alone=alone))
    return leading, others


def spend_points(game: Game[State]) -> Flow[None]:
    """The active player's choice: whom to activate, or to end the turn."""
    state = game.state
    side = state.active
    company = state.companies[side]
    points, heroes = company.order_points, company.heroes

    def options() -> list[Option]:
        leading, others = leaders_first(game, acting(game, side, points, heroes), points)
        more = [*artillery.calls(game, side), *battle.calls(game, side)]
        last = [REVEAL, END] if hidden.may_reveal(game, side) else [END]
        return [*leading, *more, *national.calls(game, side), *last, *others]

    def chance(random: Random) -> str:
        return pick_one(game, side, points, heroes, "end", random)

    question = Choose(
        "activate",
        f"{several(points, 'Order Point')} and {several(heroes, 'Hero Point')}. Who acts?",
        LaterList(options),
        rules=("hof.orders.spend-order-point", "hof.orders.one-activation-at-a-time", "hof.orders.premeasure"),
        facts={"order_points": points, "hero_points": heroes, "round": state.round},
        barred=lambda c: bar_team(game, side, c),
        chance=chance,
    )
    answer: str = yield Ask(side, question, checkpoint=True)
    if answer == "reveal":
        yield from hidden.reveal(game, side)
        breaking.update_control(game)
        return
    state.moved = {}
    state.balked = []
    if answer == "end":
        yield from end_turn(game)
    else:
        # A call that turns out to activate nobody sets this back.
        state.phase = "gap"
        found = find_team(state, answer)
        if found is None:
            yield from special(game, side, answer)
        else:
            paid = yield from choose_payment(game, side, found[1])
            yield from pay_and_activate(game, *found, paid)


def pick_one(game: Game[State], side: str, points: int, heroes: int, none: str, random: Random) -> str:
    """By chance any Team that may act, a call of one kind or another, Hidden Teams, or `none` of them."""
    teams = board(game).force(game.state, side).teams if points or heroes else []
    if not heroes:
        teams = [team for team in teams if not team.activated]
    count = len(teams)
    others: list[Call | str] = [*(CALLS if none == "end" else CALLS_OUT_OF_TURN), none, "reveal"]
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
        elif options := found(game, side):
            return options[int(random.random() * len(options))].id


def special(game: Game[State], side: str, answer: str) -> Flow[None]:
    """Calls that are not a Team's name: `call:UNIT`, `reserves`, `arrive:UNIT`…"""
    for module in (artillery, battle, national):
        if (yield from module.answer_call(game, side, answer)):
            return


def choose_payment(game: Game[State], side: str, team: Team) -> Flow[Paid]:
    """Order Point or Hero Point. Asked whenever both could be meant, as far as the enemy knows."""
    company = game.state.companies[side]
    options = []
    if company.order_points and not team.activated:
        options.append(ORDER_POINT)
    if company.heroes:
        options.append(HERO_POINT)
    return (yield from ask_payment(side, company, options, team))


def ask_payment(side: str, company: Company, options: list[Option], team: Team | None = None) -> Flow[Paid]:
    facts = {"payable": ORDER_POINT in options, "order_points": company.order_points}

    def barred(choice: str) -> Refusal | None:
        if choice == "order" and company.order_points and team is not None:
            return used_up(team, "pay")
        if choice == "order":
            return illegal("hof.orders.spend-order-point", "You have no Order Points left.", field="pay")
        if choice == "hero":
            return illegal("hof.orders.hero-normal-use", "You have no Hero Points left.", field="pay")
        return None

    rules = ("hof.orders.hero-normal-use",)
    question = Choose("pay", "What pays for it?", options, rules=rules, facts=facts, barred=barred)
    paid: Paid = yield Ask(side, question)
    return paid


def choose_payment_for_unit(game: Game[State], side: str, unit: Unit) -> Flow[Paid]:
    """What pays for a whole Unit that arrives: asked alike whatever is left, and paid at once."""
    company = game.state.companies[side]
    options = [ORDER_POINT] if company.order_points else []
    options += [HERO_POINT] if company.heroes else []
    paid = yield from ask_payment(side, company, options)
    if paid == "hero":
        spend_hero_point(game, side, label(unit), "hof.orders.hero-normal-use")
    else:
        spend_order_point(game, side)
    return paid


def pay_and_activate(game: Game[State], unit: Unit, team: Team, paid: Paid) -> Flow[None]:
    side = unit.side
    if paid == "hero":
        rules = ["hof.orders.hero-enemy-turn"]
        if game.state.active == side:
            rules = ["hof.orders.hero-normal-use"]
            if team.activated:
                rules.append("hof.orders.hero-reactivate")
        spend_hero_point(game, side, team_label(team), *rules)
    else:
        spend_order_point(game, side)
    if team.role == "cc" and game.setup.options.commander:
        yield from activate_through_commander(game, unit, team, paid)
    else:
        yield from activate(game, unit, team, paid)
    breaking.update_control(game)


# The enemy's chance.


def enemy_gap(game: Game[State]) -> Flow[None]:
    """hof.orders.hero-enemy-turn: after an activation the other player may spend Hero Points or reveal Teams."""
    state = game.state
    side = other(state.active)
    heroes = state.companies[side].heroes

    def options() -> list[Option]:
        first = [PASS, APPEAR] if hidden.may_reveal(game, side) else [PASS]
        leading, others = leaders_first(game, acting(game, side, 0, heroes), 0)
        return [*first, *leading, *national.calls(game, side), *others]

    def chance(random: Random) -> str:
        return pick_one(game, side, 0, heroes, "pass", random)

    words = f"{state.active} has acted. {several(heroes, 'Hero Point')}. Do you react?"
    question = Choose(
        "react",
        words,
        LaterList(options),
        rules=("hof.orders.hero-enemy-turn",),
        facts=LaterDict(lambda: react_facts(game, side, heroes)),
        barred=lambda c: bar_team(game, side, c),
        chance=chance,
    )
    answer: str = yield Ask(side, question, checkpoint=True)
    if answer == "pass":
        state.phase = "orders"
    elif answer == "reveal":
        yield from hidden.reveal(game, side)
        breaking.update_control(game)
    elif not (yield from national.answer_call(game, side, answer)):
        found = find_team(state, answer)
        assert found is not None
        yield from pay_and_activate(game, *found, "hero")


def react_facts(game: Game[State], side: str, heroes: int) -> dict[str, Any]:
    """What a standing answer may look at: was I fired on, which Unit of mine, how near is the enemy."""
    state = game.state
    hit = {unit.id: any(team.hit_by for team in unit.teams.values()) for unit in units_of(state, side)}
    facts: dict[str, Any] = {"hero_points": heroes, "round": state.round, "fired_on": any(hit.values())}
    for name, fired_on in hit.items():
        facts[f"fired_on:{name}"] = fired_on
    enemies = units_of(state, state.active) if state.moved else []
    near = gap(game, board(game).side(side).teams, board(game).side(other(side)).teams)
    facts["enemy_near"] = round(min(near, FAR_OFF), 1)
    facts["enemy_moved"] = any(name in unit.teams for name in state.moved for unit in enemies)
    return facts


def end_turn(game: Game[State]) -> Flow[None]:
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
        yield from breaking.end_of_round(game)
        state.round += 1
    state.active = other(side)
    state.phase = "start"
