"""Recon: the points of each force, and the advantages that they are exchanged for."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChoosePoint, ChooseSome, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import off_table, round_about
from sandtable.rulesets.sof.core.board import Battle, take_up
from sandtable.rulesets.sof.core.names import label, unit_option
from sandtable.rulesets.sof.core.state import (
    SIDES,
    Advantage,
    Objective,
    Point,
    Side,
    Unit,
    other,
    sides_in_order,
    units_of,
)
from sandtable.rulesets.sof.missions.ambush import lairs, lay, triggered
from sandtable.rulesets.sof.missions.briefing import bad_ground, core_group, defender, mission_of, the_mission
from sandtable.rulesets.sof.missions.scouting import scout
from sandtable.table.hairs import EXACT, within
from sandtable.table.shapes import snap

HIGHER, TRIPLE = 1, 2
"""sof.recon.bonus-higher, sof.recon.bonus-triple"""

TIMES = 3
OBJECTIVE_MOVES = 3.0
"""sof.recon.redeploy-objective"""

LATE = 2
"""sof.recon.scout-enemy-position: the points for each unit."""

ADVANTAGES: dict[Advantage, tuple[int, str, str]] = {
    "activation-die": (3, "An activation die more in turns 1 and 2", "sof.recon.activation-die"),
    "delay-reserves": (3, "The enemy rolls a die less for his reserves", "sof.recon.delay-reserves"),
    "reroll": (1, "Roll one die again, once", "sof.recon.reroll"),
    "scout-move": (3, "A unit makes a Scout Move", "sof.recon.scout-move"),
    "additional-ambush": (5, "One more unit goes into ambush", "sof.recon.additional-ambush"),
    "redeploy-objective": (6, "Move an objective up to 3 inches", "sof.recon.redeploy-objective"),
    "trigger-ambush": (5, "Trigger an enemy ambush", "sof.recon.trigger-ambush"),
}
"""What is exchanged in the first Start Phase: its cost, what it is, and its rule."""

PROPOSED: tuple[Advantage, ...] = ("activation-die", "delay-reserves")
"""What always helps and asks nothing more of anybody; a die to roll again is asked about at every check that fails."""

ENOUGH = "enough"


# The points.


def own_points(game: Battle, side: Side) -> int:
    """sof.recon.points: those of the core battlegroup's command unit, and those of single units."""
    return core_group(game, side).recon + sum(unit.recon for unit in units_of(game.state, side))


def bonus(mine: int, theirs: int) -> Modifier | None:
    """What a force adds that knows more than its enemy."""
    if mine <= theirs:
        return None
    if mine >= TIMES * theirs:
        return Modifier(TRIPLE, "sof.recon.bonus-triple", "three times the enemy's")
    return Modifier(HIGHER, "sof.recon.bonus-higher", "more than the enemy's")


def total_recon(game: Battle) -> None:
    totals = {side: own_points(game, side) for side in SIDES}
    for side in sides_in_order(game.state):
        more = bonus(totals[side], totals[other(side)])
        points = totals[side] + (more.amount if more else 0)
        game.state.recon = {**game.state.recon, side: points}
        rules = ["sof.recon.points", "sof.force.recon-and-attack-modifier"] + ([more.rule] if more else [])
        text = f"{side.capitalize()} has {several(points, 'recon point')}."
        modifiers = [more] if more else []
        game.tell("recon-points", text, *rules, seat=side, modifiers=modifiers, own=totals[side], points=points)


def spend(game: Battle, side: Side, points: int, advantage: Advantage) -> None:
    state = game.state
    state.recon = {**state.recon, side: state.recon[side] - points}
    state.advantages = {**state.advantages, side: [*state.advantages.get(side, []), advantage]}


# Before deployment.


def choose_late(game: Battle) -> Flow[None]:
    """sof.recon.scout-enemy-position: two points a unit, which deploys after all of the enemy's."""
    state, rule = game.state, "sof.recon.scout-enemy-position"
    order = sides_in_order(state)
    for side in order[order.index(state.acting or order[0]) :]:
        state.acting = side
        units = {unit.id: unit for unit in units_of(state, side) if not unit.reserve and not unit.placed}
        most = min(state.recon.get(side, 0) // LATE, len(units))
        if not most:
            continue
        waiting = [unit for unit in units_of(state, side) if unit.reserve]
        words = "is in reserve: only who starts on the table deploys late."
        barred = {unit.id: illegal(rule, f"{label(unit)} {words}", field=unit.id) for unit in waiting}
        question = ChooseSome(
            "deploy-late",
            f"Which units deploy after all of the enemy's? {LATE} recon points each, {state.recon[side]} to spend.",
            Choices(units, unit_option, besides=barred),
            0,
            most,
            default=[],
            rules=(rule,),
            facts={"points": state.recon[side]},
            step="deploy",
        )
        names = yield Ask(side, question, checkpoint=True)
        for name in names:
            units[name].late = True
            spend(game, side, LATE, "scout-enemy-position")
        if names:
            words = ", ".join(label(units[name]) for name in names)
            game.tell("deploys-late", f"{words}: deployed after the enemy.", rule, seat=side, units=names)
    state.acting = ""


# The first Start Phase.


def exchange(game: Battle) -> Flow[None]:
    """sof.recon.exchange: in the Start Phase of turn 1, the attacker first; what is left over is lost."""
    state, mission = game.state, mission_of(game)
    if mission is None or not mission.recon or state.turn != 1:
        return
    for side in sides_in_order(state):
        while (yield from buy(game, side)):
            pass
        if state.recon.get(side):
            text = f"{side.capitalize()} gives up {several(state.recon[side], 'recon point')}."
            game.tell("recon-lost", text, "sof.recon.exchange", seat=side, points=state.recon[side])
            state.recon = {**state.recon, side: 0}


def why_not_buy(game: Battle, side: Side, advantage: Advantage) -> Why:
    cost, words, rule = ADVANTAGES[advantage]
    if cost > game.state.recon.get(side, 0):
        there = several(game.state.recon.get(side, 0), "recon point")
        message = f"{words}: that costs {cost}, and {side.capitalize()} has {there}."
        return illegal(rule, message, field=advantage)
    if advantage == "redeploy-objective":
        return None if game.state.objectives else illegal(rule, "There is no objective.", field=advantage)
    if advantage == "reroll":
        return illegal(rule, "That is bought only once.", field=advantage) if bought(game, side, advantage) else None
    if advantage == "activation-die":
        return None
    if advantage == "delay-reserves":
        if any(unit.reserve == "tactical" for unit in units_of(game.state, other(side))):
            return None
        return illegal(rule, "The enemy has nobody in Tactical Reserve.", field=advantage)
    return None if whom(game, side, advantage) else illegal(rule, "There is no unit for it.", field=advantage)


def bought(game: Battle, side: Side, advantage: Advantage) -> int:
    """How often a side has bought an advantage."""
    return game.state.advantages.get(side, []).count(advantage)


FOR_WHOM: dict[Advantage, str] = {
    "additional-ambush": "Pick one of yours on the table that finds cover and room in its deployment area.",
    "scout-move": "Pick one of yours on the table, not in ambush, that is without Recon and has not scouted.",
    "trigger-ambush": "Pick an enemy unit in ambush.",
}


def whom(game: Battle, side: Side, advantage: Advantage) -> dict[str, Unit]:
    """The units that an advantage may be used for."""
    mine = [unit for unit in units_of(game.state, side) if unit.placed and not unit.ambush]
    if advantage == "trigger-ambush":
        return {unit.id: unit for unit in units_of(game.state, other(side)) if unit.ambush}
    if advantage == "scout-move":
        return {unit.id: unit for unit in mine if "recon" not in unit.special and not unit.scouted}
    mission = the_mission(game)
    if mission.ambush is None or side != defender(game):
        return {}
    return {unit.id: unit for unit in mine if lairs(game, unit, more=True)}


def buy(game: Battle, side: Side) -> Flow[bool]:
    """One advantage, if the side wants one and has the points. True if it may want another."""
    state = game.state

    def option(name: str) -> Option:
        if name == ENOUGH:
            return Option(ENOUGH, "Nothing more", ("sof.recon.exchange",))
        cost, words, rule = ADVANTAGES[name]  # type: ignore[index]
        return Option(name, f"{words}, {several(cost, 'point')}", (rule,))

    def why_not(name: str) -> Why:
        return None if name == ENOUGH else why_not_buy(game, side, name)  # type: ignore[arg-type]

    names = dict.fromkeys((*PROPOSED, ENOUGH, *ADVANTAGES))
    choices = Choices({name: name for name in names}, option, why_not)
    words = f"What is bought for {several(state.recon.get(side, 0), 'recon point')}?"
    name = yield from choose_one(
        side,
        "recon",
        words,
        choices,
        rules=("sof.recon.exchange",),
        facts={"points": state.recon.get(side, 0)},
        step="detail",
    )
    if name == ENOUGH:
        return False
    advantage: Advantage = name  # type: ignore[assignment]
    cost, spoken, rule = ADVANTAGES[advantage]
    spend(game, side, cost, advantage)
    text = f"{side.capitalize()} spends {several(cost, 'recon point')}: {spoken[0].lower()}{spoken[1:]}."
    game.tell("recon", text, "sof.recon.exchange", rule, seat=side, advantage=advantage, points=cost)
    yield from USES.get(advantage, nothing)(game, side)
    return True


def nothing(game: Battle, side: Side) -> Flow[None]:
    yield from ()


def pick(game: Battle, side: Side, advantage: Advantage, words: str) -> Flow[Unit]:
    rule = ADVANTAGES[advantage][2]
    found = whom(game, side, advantage)
    barred = {
        unit.id: illegal(rule, f"{label(unit)} is none of those.", field=unit.id, legal=FOR_WHOM[advantage])
        for unit in game.state.units.values()
        if unit.id not in found
    }
    choices = Choices(found, unit_option, besides=barred)
    return (
        yield from choose_one(
            side, "recon-unit", words, choices, rules=(rule,), facts={"advantage": advantage}, step="whom"
        )
    )


def more_ambush(game: Battle, side: Side) -> Flow[None]:
    """sof.recon.additional-ambush: a unit that stands on the table is taken up and lies in ambush."""
    unit = yield from pick(game, side, "additional-ambush", "Which unit goes into ambush?")
    found = lairs(game, unit, more=True)
    features = game.prepared.terrain.features

    def option(number: int) -> Option:
        return Option(features[number].id, features[number].spoken, ("sof.mission-special.ambush-deploy",))

    words = f"Where does {label(unit)} lie in ambush?"
    number = yield from choose_one(
        side, "lair", words, Choices(found, option), rules=("sof.recon.additional-ambush",), step="where"
    )
    take_up(game, unit)
    lay(game, unit, number)


def one_reroll(game: Battle, side: Side) -> Flow[None]:
    game.state.rerolls = [*game.state.rerolls, side]
    yield from ()


def scout_with(game: Battle, side: Side) -> Flow[None]:
    unit = yield from pick(game, side, "scout-move", "Which unit makes a Scout Move?")
    yield from scout(game, unit, "sof.recon.scout-move")


def trigger(game: Battle, side: Side) -> Flow[None]:
    unit = yield from pick(game, side, "trigger-ambush", "Which ambush is triggered?")
    yield from triggered(game, unit, "sof.recon.trigger-ambush")


def move_objective(game: Battle, side: Side) -> Flow[None]:
    """sof.recon.redeploy-objective: either side's, up to 3 inches, not onto ground where none may lie."""
    state, rule = game.state, "sof.recon.redeploy-objective"

    def option(name: str) -> Option:
        return Option(name, state.objectives[name].name or name, (rule,))

    names = Choices({name: name for name in state.objectives}, option)
    name = yield from choose_one(
        side, "recon-objective", "Which objective is moved?", names, rules=(rule,), step="whom"
    )
    start = state.objectives[name]

    def legal(x: float, y: float) -> Refusal | None:
        if not within(math.dist(start.at, (x, y)), OBJECTIVE_MOVES, EXACT):
            return illegal(rule, "that is too far.", field="objective", legal="Move it up to 3 inches.")
        if bad_ground(game, (x, y)):
            message = "an objective may not lie in impassable terrain or in water."
            return illegal("sof.mission-core.objective-placement", message, field="objective")
        return off_table(game.setup.table, x, y, "objective")

    def chance(random: Random) -> Point:
        angle, far = 2 * math.pi * random.random(), OBJECTIVE_MOVES * random.random()
        spot = snap(start.at[0] + far * math.sin(angle)), snap(start.at[1] + far * math.cos(angle))
        return spot if legal(*spot) is None else start.at

    question = ChoosePoint(
        "move-objective",
        "Where does the objective lie now?",
        legal,
        lambda most: round_about(start.at, OBJECTIVE_MOVES - 0.05, legal, max(1, most)),
        chance,
        rules=(rule,),
        step="where",
    )
    x, y = yield Ask(side, question)
    state.objectives = {**state.objectives, name: Objective((x, y), start.name)}
    text = f"{start.name or name} now lies at {x:g}, {y:g}."
    game.tell("objective-moved", text, rule, seat=side, objective=name, at=[x, y])


USES: dict[Advantage, Callable[[Battle, Side], Flow[None]]] = {
    "additional-ambush": more_ambush,
    "scout-move": scout_with,
    "reroll": one_reroll,
    "trigger-ambush": trigger,
    "redeploy-objective": move_objective,
}
