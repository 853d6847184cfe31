"""Reserves: who waits off the table, when he is released, and how he comes on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.courses import Path
from sandtable.field.deploying import zone_of
from sandtable.field.formations import ranks_of
from sandtable.field.zones import strip
from sandtable.rulesets.sof.actions import ACTIONS, Effect, activate
from sandtable.rulesets.sof.core.board import Battle, board, enemies_of, lines_clear, pitch_of, within_inches
from sandtable.rulesets.sof.core.names import label, unit_option
from sandtable.rulesets.sof.core.state import Figure, Side, State, Unit, other, sides_in_order, units_of
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.leadership import reserve_bonus, specialist_bonus
from sandtable.rulesets.sof.missions.briefing import defender, facing_of, the_mission
from sandtable.rulesets.sof.missions.placing import Placing, Planned, choose_order, finds_room, with_room
from sandtable.rulesets.sof.movement import IN_PHASE_ZERO, Manner, allowance, rate_of
from sandtable.table.hairs import A_HAIR, within
from sandtable.table.shapes import HALF_DEPTH, Floats, X, Y, snap

FIRST_TURN = 2
"""sof.reserves.tactical-roll, sof.reserves.immediate-enter"""

RELEASES = 5
"""sof.reserves.tactical-roll: what a die must show."""

AT_EDGE = 0.3
"""How far from the edge whoever is placed along it may be, in inches."""

ENTRIES: tuple[Manner, ...] = ("maneuver", "double-time")
"""sof.reserves.move-on"""


# Before the battle.


def choose_reserves(game: Battle) -> Flow[None]:
    """Who begins off the table, as the mission has it."""
    state, mission = game.state, the_mission(game)
    if any(unit.reserve for unit in state.units.values()):
        return
    rules = ("sof.reserves.kinds", mission.rules["reserve"])
    if mission.immediate:
        for side in sides_in_order(state):
            held = [unit for unit in units_of(state, side) if unit.belongs == "support"]
            for unit in held:
                unit.reserve = "immediate"
            if held:
                words = ", ".join(map(label, held))
                text = f"In {side.capitalize()}'s Immediate Reserve: {words}."
                game.tell(
                    "reserves",
                    text,
                    *rules,
                    "sof.reserves.immediate-no-release",
                    seat=side,
                    units=[unit.id for unit in held],
                )
    if mission.tactical:
        yield from choose_tactical(game, defender(game), rules)


def choose_tactical(game: Battle, side: Side, rules: tuple[str, str]) -> Flow[None]:
    """The defender holds at least a share of his points back, and all his support units."""
    units = units_of(game.state, side)
    bound = [unit for unit in units if unit.belongs == "support"]
    free = {unit.id: unit for unit in units if unit not in bound}
    least = the_mission(game).tactical * sum(unit.points for unit in units) / 100

    def legal(names: list[str]) -> Refusal | None:
        held = sum(unit.points for unit in [*bound, *(free[name] for name in names)])
        if held >= least:
            return None
        message = f"These come to {held} points, with the support units."
        return illegal(rules[1], message, field="reserve", legal=f"Hold {least:g} points or more in reserve.")

    usual: list[str] = []
    for name in reversed(free):
        if legal(usual) is None:
            break
        usual.append(name)
    anyway = {
        unit.id: illegal(rules[1], f"{label(unit)} is a support unit, and in reserve anyway.", field=unit.id)
        for unit in bound
    }
    words = f"Which units wait in Tactical Reserve, beside support units? {least:g} points at least."
    question = ChooseSome(
        "reserve",
        words,
        Choices(free, unit_option, besides=anyway),
        0,
        len(free),
        legal=legal,
        default=sorted(usual, key=list(free).index),
        rules=rules,
        facts={"least": least, "points": {unit.id: unit.points for unit in units}},
        step="deploy",
    )
    names = yield Ask(side, question, checkpoint=True)
    held = [*bound, *(free[name] for name in names)]
    for unit in held:
        unit.reserve = "tactical"
    points = sum(unit.points for unit in held)
    text = f"{side.capitalize()} holds {several(len(held), 'unit')} in Tactical Reserve, {points} points."
    game.tell("reserves", text, *rules, seat=side, units=[unit.id for unit in held], points=points)


# The reinforcement step of the Start Phase.


def reinforcements(game: Battle) -> Flow[None]:
    """sof.turn.start-reinforcements: from turn 2 on as many dice as its number, each of 5 or more frees a unit."""
    state = game.state
    for side in sides_in_order(state):
        if not in_reserve(state, side) or state.turn < FIRST_TURN:
            continue
        delayed = state.advantages.get(other(side), []).count("delay-reserves")
        rules = ["sof.turn.start-reinforcements"] + ["sof.recon.delay-reserves"] * bool(delayed)
        yield from release(game, side, max(0, state.turn - delayed), reserve_bonus(game, side), *rules)


def in_reserve(state: State, side: Side) -> dict[str, Unit]:
    """The units in Tactical Reserve that have not been released."""
    return {unit.id: unit for unit in units_of(state, side) if unit.reserve == "tactical"}


def release(game: Battle, side: Side, number: int, bonus: list[Modifier], *rules: str) -> Flow[None]:
    """So many dice for the reserves of a side, and which of them they free."""
    waiting = in_reserve(game.state, side)
    throw = yield from game.throw(side, number, "reserves")
    needed = RELEASES - sum(each.amount for each in bonus)
    freed = min(sum(value >= needed for value in throw.values), len(waiting))
    words = f"{several(number, 'die', 'dice')} for its reserves: {several(freed, 'unit')} released."
    text = f"{side.capitalize()} rolls {words}"
    cited = (*rules, "sof.reserves.tactical-roll", *[each.rule for each in bonus])
    dice = [throw] if throw.values else []
    game.tell("reserve-roll", text, *cited, seat=side, dice=dice, modifiers=bonus, needed=needed, released=freed)
    if not freed:
        return
    names = list(waiting)
    if freed < len(waiting):
        question = ChooseSome(
            "release",
            f"Which {several(freed, 'unit')} {'comes' if freed == 1 else 'come'} out of reserve?",
            [unit_option(unit) for unit in waiting.values()],
            freed,
            freed,
            rules=("sof.reserves.tactical-roll",),
            step="reply",
        )
        names = yield Ask(side, question)
    for name in names:
        waiting[name].reserve = "released"
    words = ", ".join(label(waiting[name]) for name in names)
    game.tell("released", f"Released: {words}.", "sof.reserves.tactical-roll", seat=side, units=names)


# Hurry Reserves, by Communicate.


def why_not_hurry(game: Battle, unit: Unit) -> Why:
    """No roll where the reserve rule gives none yet, or for whom nobody waits."""
    if in_reserve(game.state, unit.side) and game.state.turn >= FIRST_TURN:
        return None
    message = f"{unit.side.capitalize()} has no unit in reserve that could be released now."
    return illegal("sof.actions.communicate-reserves", message, field="communicate")


def hurry(game: Battle, unit: Unit) -> Flow[None]:
    """sof.actions.communicate-reserves: one further die at once, with the bonus of the unit's own specialist."""
    bonus = specialist_bonus(unit)
    cited = ("sof.actions.communicate-reserves", "sof.specialists.communication-check")
    yield from release(game, unit.side, 1, bonus, *cited)


HURRY = Effect("hurry-reserves", "Hurry Reserves", "sof.actions.communicate-reserves", why_not_hurry, hurry)


def return_unused(game: Battle) -> None:
    """sof.reserves.tactical-return: whoever was released and did not come waits to be released again."""
    for unit in game.state.units.values():
        if unit.reserve == "released":
            unit.reserve = "tactical"
            text = f"{label(unit)} was not brought on and goes back to the reserve."
            game.tell("reserve-returned", text, "sof.reserves.tactical-return", seat=unit.side, unit=unit.id)


# Coming onto the table.


def may_enter(state: State, unit: Unit) -> bool:
    """Whether a unit in reserve may come onto the table this turn."""
    return unit.reserve == "released" or (unit.reserve == "immediate" and state.turn >= FIRST_TURN)


def why_not_enter(game: Battle, unit: Unit) -> Why:
    """Why a unit in reserve may not be activated to come on."""
    if not may_enter(game.state, unit):
        return partial(waits, unit)
    if not finds_room(unit, entries(game, "double-time")):
        return illegal("sof.reserves.move-on", f"{label(unit)} finds no room at its edge.", field=unit.id)
    return None


def waits(unit: Unit) -> Refusal:
    immediate = unit.reserve == "immediate"
    rule = "sof.reserves.immediate-enter" if immediate else "sof.reserves.tactical-activation"
    message = f"{label(unit)} is in reserve and {'comes on from turn 2' if immediate else 'has not been released'}."
    return illegal(rule, message, field=unit.id)


class Entry:
    """How a unit, as it is formed, comes onto the table: by which kind of move, and how far in its figures get."""

    def __init__(self, game: Battle, unit: Unit, manner: Manner) -> None:
        self.game, self.unit, self.manner = game, unit, manner
        self.edge = game.state.baselines.of(unit.side)
        self.rate = rate_of(unit, manner)

    def placing(self) -> Placing:
        game, unit = self.game, self.unit
        table = game.setup.table
        zone = zone_of(strip(table, self.edge, min(self.deepest(), table.width, table.depth)), table)
        goals = [each.at for each in game.state.objectives.values()]
        return Placing(
            game,
            unit,
            zone,
            facing_of(game, unit.side),
            "sof.reserves.move-on",
            goals,
            (self.refuse_barrier, self.refuse_far, self.refuse_nearer),
            (unit.id, unit.formation, unit.alignment, self.manner, game.state.number == 0),
        )

    def deepest(self) -> float:
        """How far in anybody could come: by road, or at the front of a body that stands along the edge."""
        unit = self.unit
        ahead = self.rate + self.game.prepared.road
        if unit.formation != "linear":
            return ahead
        count, files = len(unit.teams), files_of(unit, unit.alignment, len(unit.teams))
        return max(ahead, pitch_of(unit) * max(len(ranks_of(count, each)) for each in files))

    def at_edge(self, rows: Floats) -> Floats:
        """The bases where they come onto the table: straight behind where they end."""
        found = rows.copy()
        table, half = self.game.setup.table, rows[:, HALF_DEPTH]
        column, value = {
            "south": (Y, half),
            "north": (Y, table.depth - half),
            "west": (X, half),
            "east": (X, table.width - half),
        }[self.edge]
        found[:, column] = value
        return found

    def far_in(self, rows: Floats) -> list[float]:
        """How far from the edge the far rim of each base is."""
        table, x, y = self.game.setup.table, rows[:, X], rows[:, Y]
        inches = {"south": y, "north": table.depth - y, "west": x, "east": table.width - x}[self.edge]
        found: list[float] = (inches + rows[:, HALF_DEPTH]).tolist()
        return found

    def ways(self, figures: Sequence[Figure], rows: Floats) -> dict[str, Path]:
        """How each figure comes on: straight from the edge."""
        ends = rows[:, X : Y + 1].tolist()
        starts = self.at_edge(rows)[:, X : Y + 1].tolist()
        return {each.id: [tuple(a), tuple(b)] for each, a, b in zip(figures, starts, ends, strict=True)}

    def allowed(self, figures: Sequence[Figure], rows: Floats) -> float:
        """What terrain on the way in leaves of the move."""
        return allowance(self.game.prepared, self.unit, self.manner, self.ways(figures, rows), self.rate).inches

    def too_slow(self, figures: Sequence[Figure], rows: Floats) -> bool:
        """sof.reserves.too-slow: whether its move would not bring it wholly onto the table."""
        return not within(max(self.far_in(rows)), self.allowed(figures, rows), A_HAIR)

    def refuse_barrier(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        """sof.terrain-impassable.movement: nobody comes on through ground that he may not enter."""
        ground = self.game.prepared
        barred = ground.bars_any(self.unit.type) and ground.barred_way(self.unit.type, self.ways(figures, rows))
        if not barred:
            return None
        name, barrier = barred
        message = f"{label(self.unit)} would come on through impassable terrain."
        rule = ground.barring_rule(barrier, self.unit.type)
        return illegal(rule, message, field=name, legal="Come on beside it.")

    def refuse_far(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        far, sizes = self.far_in(rows), (2 * rows[:, HALF_DEPTH]).tolist()
        along = [within(inches, size, AT_EDGE) for inches, size in zip(far, sizes, strict=True)]
        linear = self.unit.formation == "linear"
        if all(along) or (linear and any(along)):
            return None
        allowed = self.allowed(figures, rows)
        beyond = [number for number, inches in enumerate(far) if not within(inches, allowed, A_HAIR)]
        if not beyond or (not linear and all(along[number] for number in beyond)):
            return None
        name = figures[beyond[0]].id
        message = f"{label(self.unit)} would come {max(far):.1f} inches onto the table."
        legal = f"It comes {allowed:g} inches in from its edge at most, or stands along the edge."
        return illegal("sof.reserves.move-on", message, field=name, legal=legal)

    def refuse_nearer(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        """In phase 0 it may not end nearer to an enemy in sight than where it comes on."""
        game = self.game
        if game.state.number != 0:
            return None
        here, start = board(game), self.at_edge(rows)
        gaps, begun = here.gaps_from(rows), here.gaps_from(start)
        for enemy in enemies_of(game.state, self.unit):
            before = begun[enemy.id]
            nearer = gaps[enemy.id] < before - A_HAIR and within_inches(before, IN_PHASE_ZERO)
            if nearer and bool(lines_clear(here.ground, start, here.rows_of(enemy)).any()):
                message = f"{label(self.unit)} acts in phase 0 and would come nearer to {label(enemy)}."
                legal = "In phase 0 it ends no nearer to an enemy in sight than where it comes on."
                return illegal("sof.turn.phase-zero-no-closer", message, field=self.unit.id, legal=legal)
        return None


def entries(game: Battle, manner: Manner) -> Planned:
    """Where units may come onto the table by a kind of move."""
    return lambda unit: Entry(game, unit, manner).placing()


def enter(game: Battle, unit: Unit) -> Flow[None]:
    """sof.reserves.move-on: a unit comes on by Maneuver or Double Time, and then does what that leaves it to do."""
    rule = "sof.reserves.move-on"

    def why_not(manner: Manner) -> Why:
        if finds_room(unit, entries(game, manner)):
            return None
        return illegal(rule, f"{label(unit)} cannot come on like that.", field=manner)

    choices = Choices(
        {each: each for each in ENTRIES}, lambda each: Option(each, ACTIONS[each][0], (rule,), act="move"), why_not
    )
    words = f"How does {label(unit)} come onto the table?"
    manner = yield from choose_one(
        unit.side, "enter", words, choices, rules=(rule,), facts={"unit": unit.id}, step="what"
    )
    kind = "immediate" if unit.reserve == "immediate" else "tactical"
    yield from choose_order(
        unit, with_room(unit, entries(game, manner)), f"In which formation does {label(unit)} come on?", rule
    )
    entry = Entry(game, unit, manner)
    yield from entry.placing().ask(f"Where does {label(unit)} come on?", manner=manner)
    unit.reserve = ""
    rows = board(game).rows_of(unit)
    slow = entry.too_slow(list(unit.teams.values()), rows)
    cited = [rule, "sof.reserves.immediate-enter" if kind == "immediate" else "sof.reserves.tactical-activation"]
    cited += ["sof.reserves.immediate-wait"] * (kind == "immediate" and game.state.turn > FIRST_TURN)
    cited += ["sof.reserves.too-slow"] * slow
    data: dict[str, Any] = {"action": "double-time" if slow else manner, "inches": snap(max(entry.far_in(rows)))}
    game.tell("enters", f"{label(unit)} comes onto the table.", *cited, seat=unit.side, unit=unit.id, **data)
    yield from activate(game, unit, "double-time" if slow else manner)
