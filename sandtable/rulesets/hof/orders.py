"""Orders: Order Dice make Order Points, which are spent like Hero Points. The turn itself is in `turn`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sandtable.engine.events import Event, gain, several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choose, Option, Refusal, Why, illegal, options_of
from sandtable.engine.ruleset import Ask
from sandtable.field.kept import Kept
from sandtable.field.moments import Moment
from sandtable.field.secrets import tell_own
from sandtable.rulesets.hof.core.acts import Paid
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.labels import label, team_on
from sandtable.rulesets.hof.core.state import Team, Unit, counts_for_strength

ORDER_NEEDED = 4


EXTRA_POINT = 1


NO_DICE = ("sniper", "bunker", "riders")
"""Kinds of Units that give no Order Dice."""


AWAY = ("reserve", "off-board")


EXTRA_POINTS: Moment[Callable[[Battle, str], tuple[int, list[str]]]] = Moment()
"""Order Points that a side has besides those of its dice, and by which rules."""


def dice_givers(game: Battle, side: str) -> tuple[list[str], list[str]]:
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
        elif role == "fo" and unit.off_board:
            found.append("hof.artillery.fo-order-die")
    silenced = ["hof.orders.pl-with-rfp-no-die"] if under_fire else []
    return found, [*silenced, "hof.orders.vehicle-unit-no-die"] if shaken else silenced


FIGHTING = Kept[tuple[str, ...], list[Team]]()
"""By the ids of a Unit's Teams."""


def fighting(here: Board, unit: Unit) -> list[Team]:
    """The Teams of a Unit that count for its strength: found once, until one is lost."""
    key = tuple(unit.teams)
    return FIGHTING.once(here, key, lambda: [team for team in unit.teams.values() if counts_for_strength(team)])


def vehicle_unit_shaken(unit: Unit, teams: list[Team]) -> bool:
    """hof.orders.vehicle-unit-no-die: half or more of its starting Teams destroyed, Suppressed or under fire."""
    sound = [team for team in teams if not team.suppressed and not team.rfps]
    return 2 * len(sound) <= unit.starting


def roll_order_dice(game: Battle, side: str) -> Flow[int]:
    """Roll the Order Dice; the first of them is the Hero Die. Returns what it shows, 0 without any die."""
    company = game.state.companies[side]
    givers, silent = dice_givers(game, side)
    throw = yield from game.throw(side, len(givers), "Order Dice")
    points = sum([value >= ORDER_NEEDED for value in throw.values])
    bonus = EXTRA_POINT
    rules = ["hof.orders.order-dice", "hof.orders.order-plus-one", *givers]
    for extra in EXTRA_POINTS:
        points_more, cited = extra(game, side)
        bonus += points_more
        rules += cited
    company.order_points = points + bonus
    hero = throw.values[0] if givers else 0
    if givers:
        rules.append("hof.orders.hero-die-is-order-die")
    rules += silent
    made = several(company.order_points, "Order Point")
    text = f"{side} rolls {several(len(givers), 'Order Die', 'Order Dice')}: {points} and {bonus} more make {made}."
    data: dict[str, Any] = {"points": company.order_points, "hero_die": hero}
    data |= gain(side, "Order Points", company.order_points)
    game.tell("order-dice", text, *dict.fromkeys(rules), seat=side, dice=[throw], **data)
    return hero


ORDER_POINT = Option("order", "An Order Point", ("hof.orders.spend-order-point",))
HERO_POINT = Option("hero", "A Hero Point", ("hof.orders.hero-normal-use",))
NO_ORDER_POINTS = illegal("hof.orders.spend-order-point", "You have no Order Points left.", field="pay")
NO_HERO_POINTS = illegal("hof.orders.hero-normal-use", "You have no Hero Points left.", field="pay")


def roll_hero_points(game: Battle, side: str, *rules: str) -> Flow[None]:
    """A secret die: its owner alone learns what it shows."""
    company = game.state.companies[side]
    throw = yield from game.throw(side, 1, "Hero Points")
    company.hero_points = throw.value
    company.hero_spent = 0
    text, others = f"{side} rolls {throw.value}: so many Hero Points.", f"{side} rolls for Hero Points in secret."
    data = {"points": throw.value, **gain(side, "Hero Points", throw.value)}
    tell_own(game, side, "hero-roll", text, others, *rules, dice=[throw], **data)


def renew_hero_points(game: Battle, side: str) -> Flow[None]:
    """hof.orders.hero-die-six: what is left is revealed and discarded, and a new secret die is rolled."""
    company = game.state.companies[side]
    text = f"The Hero Die shows 6: {side} discards {several(company.hero_points, 'Hero Point')}."
    event = Event("hero-renewed", text, ["hof.orders.hero-die-six"], side, data={"discarded": company.hero_points})
    event.reveals = True
    game.tell_event(event)
    yield from roll_hero_points(game, side, "hof.orders.hero-die-six", "hof.orders.hero-hidden-total")


def spend_hero_point(game: Battle, side: str, what: str, *rules: str, **whom: Any) -> None:
    """Open to all: the tracker counts up. `whom` are those that the words name."""
    company = game.state.companies[side]
    cited = ["hof.orders.hero-hidden-total", *rules]
    if company.commander_point:
        company.commander_point = False
        cited.append("hof.optional.cc-hero-point")
    else:
        company.hero_points -= 1
        company.hero_spent += 1
    text = f"{side} spends a Hero Point: {what} ({company.hero_spent} spent)."
    game.tell("hero", text, *cited, seat=side, spent=company.hero_spent, **whom)


def spend_order_point(game: Battle, side: str, *, artillery_call: bool = False) -> None:
    company = game.state.companies[side]
    company.order_points -= 1
    if not artillery_call:
        company.called_off = True


def used_up(side: str, team: Team, field: str) -> Refusal:
    message = f"{team_on(side, team)} has been activated this turn."
    legal = "A Hero Point could activate it again."
    return illegal("hof.orders.order-point-once-per-turn", message, field=field, legal=legal)


def choose_payment(game: Battle, side: str, team: Team | None = None) -> Flow[Paid]:
    """Order Point or Hero Point. Asked whenever both could be meant, as far as the enemy knows."""
    company = game.state.companies[side]
    no_order: Why = None
    if not company.order_points:
        no_order = NO_ORDER_POINTS
    elif team is not None and team.activated:
        no_order = partial(used_up, side, team, "pay")
    no_hero = None if company.heroes else NO_HERO_POINTS
    facts = {"payable": no_order is None, "order_points": company.order_points}
    options = options_of((ORDER_POINT, no_order), (HERO_POINT, no_hero))
    rules = ("hof.orders.hero-normal-use",)
    # Order Points lie open: who has only Hero Points to pay with has no secret to keep.
    veiled = bool(facts["payable"])
    question = Choose("pay", "What pays for it?", options, rules=rules, facts=facts, step="detail", veiled=veiled)
    paid: Paid = yield Ask(side, question)
    return paid


def choose_payment_for_unit(game: Battle, side: str, unit: Unit) -> Flow[Paid]:
    """What pays for a whole Unit that arrives: asked alike whatever is left, and paid at once."""
    paid = yield from choose_payment(game, side)
    if paid == "hero":
        spend_hero_point(game, side, label(unit), "hof.orders.hero-normal-use", unit=unit.id)
    else:
        spend_order_point(game, side)
    return paid
