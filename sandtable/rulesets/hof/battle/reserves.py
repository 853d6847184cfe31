"""Reserves: which Units are held back, when they come, and how Units come onto the table later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sandtable.engine.events import Event, Modifier, several, total
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Choices, ChooseSome, Option, Refusal, Why, illegal, options_of
from sandtable.engine.ruleset import Ask
from sandtable.field.checks import Check
from sandtable.field.entering import Entering
from sandtable.field.secrets import tell_own
from sandtable.rulesets.hof.activation import move_on
from sandtable.rulesets.hof.battle import objectives
from sandtable.rulesets.hof.core.acts import Paid
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import NEEDED
from sandtable.rulesets.hof.core.labels import label, team_label, team_list, team_name, unit_name, unit_option
from sandtable.rulesets.hof.core.room import set_all_down, setting_down
from sandtable.rulesets.hof.core.state import Team, Unit, anybody_is, other, units_of
from sandtable.rulesets.hof.kernels import free_places
from sandtable.rulesets.hof.orders import choose_payment_for_unit, spend_order_point
from sandtable.rulesets.hof.transports import choose_seats
from sandtable.table.hairs import SLACK

RESERVES_FROM_TURN = 3
ENTRY_APART = 16.0


POINTS = {"reserves": 1, "reserves-2": 2}
"""What a Reserves Check costs, and what one with a second Order Point does."""

CHECK = Option("reserves", "Check for reserves: an Order Point", ("hof.battle.reserves-check",))
CHECK_WITH_TWO = Option("reserves-2", "Check for reserves: two", ("hof.battle.reserves-modifiers",))


MOST_ARRIVED = 2


def choose_reserves(game: Battle) -> Flow[None]:
    """hof.battle.reserve-half: half of the Defender's Units, rounded down, Vehicle Units before all others."""
    state = game.state
    side = other(state.attacker)
    units = [unit for unit in units_of(state, side) if unit.kind not in ("riders", "sniper", "bunker")]
    count = sum(unit.kind != "riders" for unit in units_of(state, side)) // 2
    count = min(count, len(units))
    placed = (team for unit in units for team in unit.teams.values() if team.where != "off-board")
    if not count or any(team.where or team.at for team in placed):
        return
    vehicles = [unit.id for unit in units if unit.vehicles]

    def legal(chosen: list[str]) -> Refusal | None:
        left_out = [name for name in vehicles if name not in chosen]
        others = [name for name in chosen if name not in vehicles]
        if left_out and others:
            message = f"{label(state.units[left_out[0]])} is a Vehicle Unit and goes first."
            return illegal("hof.battle.reserve-vehicles-first", message, field=others[0])
        return None

    options = [unit_option(unit) for unit in sorted(units, key=lambda unit: not unit.vehicles)]
    rules = ("hof.battle.reserve-half", "hof.battle.reserve-vehicles-first", "hof.battle.reserve-no-dice")
    words = f"Hold {several(count, 'Unit')} in reserve: which?"
    question = ChooseSome("reserves", words, options, count, count, legal=legal, rules=rules, step="deploy")
    chosen: list[str] = yield Ask(side, question, checkpoint=True)
    held = [(state.units[name], team) for name in chosen for team in state.units[name].teams.values()]
    observers = [member for member in held if member[1].role == "fo"]
    for _, team in held:
        team.where = "reserve" if team.role != "fo" else team.where
    names = ", ".join(label(state.units[name]) for name in chosen)
    others = f"{side} holds {several(count, 'Unit')} back."
    tell_own(game, side, "reserves", f"In reserve: {names}.", others, *rules, units=chosen)
    if observers:
        text, teams = f"{team_list(observers)} may deploy at once.", [team.id for _, team in observers]
        tell_own(game, side, "observer-deploys", text, "", "hof.artillery.fo-deploys-early", teams=teams)


def calls(game: Battle, side: str) -> Choices[tuple[Option, Why]]:
    """Reserves Checks of the Defender, and attacking Units that wait beyond the edge."""
    company = game.state.companies[side]
    edge = "hof.battle.attacker-off-table"
    late = None
    if side != game.state.active:
        late = illegal(edge, "Units arrive in your own turn.")
    elif not company.order_points and not company.heroes:
        late = illegal("hof.orders.spend-order-point", "You have no points left.")
    return options_of(
        (CHECK, why_no_check(game, side)),
        (CHECK_WITH_TWO, why_no_check(game, side, "reserves-2")),
        *(
            (Option(f"arrive:{unit.id}", f"{unit_name(unit)} arrives", (edge,), pieces=(unit.id,)), late)
            for unit in units_of(game.state, side)
            if "edge" in [team.where for team in unit.teams.values()]
        ),
    )


def why_no_check(game: Battle, side: str, choice: str = "reserves") -> Why:
    """Why a side may not make a Reserves Check: with one Order Point, or with two (`reserves-2`)."""
    company = game.state.companies[side]
    why = ""
    if side == game.state.attacker or side != game.state.active:
        why = "the Defender checks for reserves in his turn."
    elif not anybody_is(game.state, side, "reserve"):
        why = "nobody is in reserve."
    elif company.turns < RESERVES_FROM_TURN:
        why = "reserves come from your third turn on."
    elif company.reserves_checked:
        why = "one Reserves Check a turn."
    elif company.order_points < POINTS[choice]:
        why = f"you have {several(company.order_points, 'Order Point')}."
    return (lambda: illegal("hof.battle.reserves-check", why, field=choice)) if why else None


def answer_call(game: Battle, side: str, answer: str) -> Flow[bool]:
    if answer in POINTS:
        yield from check_reserves(game, side, POINTS[answer])
        return True
    if answer.startswith("arrive:"):
        unit = game.state.units[answer.removeprefix("arrive:")]
        paid = yield from choose_payment_for_unit(game, side, unit)
        yield from arrive(game, unit, "edge", paid)
        return True
    return False


def check_reserves(game: Battle, side: str, points: int) -> Flow[None]:
    """hof.battle.reserves-check, with a modifier for each Unit that has come and one for a second Order Point."""
    company = game.state.companies[side]
    company.reserves_checked = True
    for _ in range(points):
        spend_order_point(game, side)
    rule = "hof.battle.reserves-modifiers"
    modifiers = []
    arrived = min(company.reserves_arrived, MOST_ARRIVED)
    if arrived:
        modifiers.append(Modifier(arrived, rule, "reserves have arrived already"))
    if points == 2:
        modifiers.append(Modifier(-1, rule, "a second Order Point"))
    throw = yield from game.throw(side, 1, "the Reserves Check")
    check = Check(throw, NEEDED + total(modifiers), modifiers)
    text = f"{side} needs {check.needed}+ for reserves, rolls {throw.value}."
    check.tell(game, "reserves-check", text, "hof.battle.reserves-check", "hof.orders.check")
    if not check.passed:
        game.state.phase = "orders"
        return
    game.state.chooser = side if throw.value % 2 else other(side)  # type: ignore[assignment]
    game.state.phase = "reinforce"


def make_contact(game: Battle, unit: Unit) -> None:
    """hof.battle.reserves-off-board-artillery: the battery can be reached from now on."""
    for team in unit.teams.values():
        if team.where == "reserve":
            team.where = "off-board"
    text = f"{label(unit)} can be reached."
    game.tell("contact", text, "hof.battle.reserves-off-board-artillery", seat=unit.side, unit=unit.id)


def reinforce(game: Battle) -> Flow[None]:
    """A Reserves Check was passed: a Unit is chosen and comes on (hof.battle.reserves-who-chooses)."""
    state = game.state
    side = other(state.attacker)
    chooser = state.chooser or side
    rule = "hof.battle.reserves-who-chooses"
    waiting = [u for u in units_of(state, side) if any(team.where == "reserve" for team in u.teams.values())]
    choices = Choices({unit.id: unit for unit in waiting}, unit_option)
    words = f"Which Unit{'' if chooser == side else f' of {side.capitalize()}'} arrives?"
    asked: dict[str, Any] = {"rules": (rule,), "always": True, "checkpoint": True, "step": "who"}
    unit = yield from choose_one(chooser, "reserve-unit", words, choices, **asked)
    game.tell("reserve-chosen", f"{chooser} chooses {label(unit)}.", rule, seat=chooser, unit=unit.id)
    state.chooser = None
    if unit.off_board:
        state.companies[side].reserves_arrived += 1
        make_contact(game, unit)
        state.phase = "orders"
    else:
        state.phase = "gap"
        yield from arrive(game, unit, "reserve", "free")


def arrive(game: Battle, unit: Unit, source: str, paid: Paid) -> Flow[None]:
    """A Unit comes on at its side's edge and moves on at once."""
    side = unit.side
    coming = [team for team in unit.teams.values() if team.where == source]
    foot = [team for team in coming if team.kind.category != "vehicle"]
    wheels = [team for team in coming if team.kind.category == "vehicle"]
    rule = "hof.battle.attacker-off-table" if source == "edge" else "hof.battle.reserves-check"
    if foot and any(team.kind.transport for team in wheels) and not unit.vehicles:
        mounted = Option("mounted", "In its Transports")
        walking = Option("foot", "On foot; the Transports stay in the rear")
        words = f"How does {label(unit)} arrive?"
        if (yield from decide(side, "arrive-how", words, mounted, walking, rules=(rule,), step="detail")):
            coming = [*wheels, *(yield from choose_seats(unit, foot, wheels))]
        else:
            for team in wheels:
                team.where = "rear"
            coming = foot
    yield from enter(game, unit, coming, rule, source)
    entered = [(unit, team) for team in coming if team.at is not None]
    if not entered:
        wait_beyond(game, unit, [*foot, *wheels], source, rule)
        return
    if source == "reserve":
        game.state.companies[side].reserves_arrived += 1
    event = Event("arrived", f"{label(unit)} arrives.", [rule], side, data={"unit": unit.id})
    event.reveals = True
    game.tell_event(event)
    yield from move_on(game, unit, entered, paid)
    objectives.update_control(game)


def wait_beyond(game: Battle, unit: Unit, teams: Sequence[Team], source: str, rule: str) -> None:
    """There is no room at the edge: all wait beyond it, and may come in another way the next time."""
    for team in teams:
        team.where = "reserve" if source == "reserve" else "edge"
        team.carrier = ""
        team.towed = False
    text = "finds no room at the edge and waits beyond it."
    tell_own(game, unit.side, "no-room", f"{label(unit)} {text}", f"A Unit {text}", rule, unit=unit.id)


def spread(count: int, most: int) -> list[int]:
    """A few of so many things in a row, from the first to the last."""
    return sorted({round(part) for part in np.linspace(0, count - 1, max(1, min(most, count))).tolist()})


def enter(game: Battle, unit: Unit, teams: list[Team], rule: str, source: str) -> Flow[None]:
    """Where along the edge each Team comes on: its base at the edge; reserves 16 inches from all enemies.

    Nobody is set down if there is no room.
    """
    side = unit.side
    here = board(game)
    ground, enemies = here.ground, here.enemies(side)
    apart = ENTRY_APART if source == "reserve" else 0.0
    edge, name = game.state.edges[side], lambda team_id: team_label(unit, unit.teams[team_id])
    entering = Entering[Team](here, ground, edge, apart, enemies.teams, name, rule)
    down = setting_down(game, side, teams, rule, checks=(entering.refuse,))
    places = free_places.lines(
        ground.terrain, ground.table.barring(False, False), entering.line(teams, down.facing),
        np.linspace(4.0, ground.width - 4.0, 33), here.rows, enemies.rows, apart,
        width=ground.width, depth=ground.depth, slack=SLACK,
    )  # fmt: skip
    if not len(places):
        return
    question = down.question(
        "enter",
        f"Where does {label(unit)} come on?",
        team_name,
        lambda most: [down.answer(places[number]) for number in spread(len(places), most)],
        lambda random: down.answer(places[int(random.random() * len(places))]),
    )
    question.step = "where"
    question.areas = lambda: list(entering.areas(unit_name(unit), side))
    set_all_down(game, down, (yield Ask(side, question)))
