"""Before the first turn: who attacks, edges, objectives; then reserves, deployment and scouting, each in its module."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChoosePoint, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import lattice, off_table
from sandtable.field.deploying import chance_point
from sandtable.field.zones import box, strip
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.room import WAYS
from sandtable.rulesets.sof.core.state import (
    SIDES,
    Baselines,
    Edge,
    Objective,
    Phase,
    Point,
)
from sandtable.rulesets.sof.missions.briefing import (
    OPPOSITE,
    Aim,
    area_of,
    bad_ground,
    core_group,
    defender,
    edges_of,
    inches_from,
    mission_of,
    side_of,
    the_mission,
)
from sandtable.rulesets.sof.missions.deployment import deploy
from sandtable.rulesets.sof.missions.recon import choose_late, total_recon
from sandtable.rulesets.sof.missions.reserves import choose_reserves
from sandtable.rulesets.sof.missions.scouting import scout_moves
from sandtable.table.hairs import EXACT, beyond, within
from sandtable.table.scene import Area
from sandtable.table.shapes import snap

FROM_EDGE = 8.0
"""sof.hasty-assault.map, sof.patrol.objectives: an objective lies farther than this from every edge."""

FROM_CENTRE = 6.0
APART = 8.0
"""sof.patrol.objectives"""

RING = 0.05
"""By how much the circle grows on which a point for an objective is looked for."""

TRIES = 200


# Who attacks, and from where.


def roll_off(game: Battle) -> Flow[None]:
    """sof.mission-core.attacker-roll: a die and the attack modifier of each core battlegroup; ties are rolled again."""
    mission = the_mission(game)
    rules = (
        "sof.mission-core.briefing",
        "sof.mission-core.attacker-roll",
        mission.rules["special"],
        mission.rules["edges"],
    )
    totals = dict.fromkeys(SIDES, 0)
    while totals["red"] == totals["blue"]:
        throws = {}
        for side in SIDES:
            throws[side] = yield from game.throw(side, 1, "who attacks")
            totals[side] = throws[side].value + core_group(game, side).attack
        words = ", ".join(f"{side.capitalize()} {total}" for side, total in totals.items())
        game.tell("attacker-roll", f"Who attacks: {words}.", *rules, dice=list(throws.values()), totals={**totals})
    game.state.attacker = max(SIDES, key=lambda side: totals[side])
    text = f"{game.state.attacker.capitalize()} attacks."
    game.tell("attacker", text, *rules, seat=game.state.attacker, mission=game.setup.mission)


def choose_edges(game: Battle) -> Flow[None]:
    """The attacker chooses his baseline; the defender's is opposite."""
    state, mission = game.state, the_mission(game)
    rule = mission.rules["edges"]

    def option(edge: Edge) -> Option:
        return Option(edge, f"The {edge}ern edge", (rule,))

    edges = edges_of(mission, game.setup.table)
    words = f"{mission.title}: {state.attacker.capitalize()} attacks. From which edge?"
    edge = yield from choose_one(
        state.attacker,
        "edge",
        words,
        Choices({edge: edge for edge in edges}, option),
        rules=(rule, "sof.mission-core.map-convention"),
        checkpoint=True,
        step="deploy",
    )
    mine, theirs = edge, OPPOSITE[edge]
    state.baselines = Baselines(mine, theirs) if state.attacker == "red" else Baselines(theirs, mine)
    text = f"{state.attacker.capitalize()} comes from the {mine}, {defender(game).capitalize()} from the {theirs}."
    game.tell(
        "edges", text, rule, "sof.mission-core.map-convention", mission.rules["map"], seat=state.attacker, edge=edge
    )


# Objectives.


def place_objectives(game: Battle) -> Flow[None]:
    """Those that the mission has and the battle has not yet, one after the other."""
    state, mission = game.state, the_mission(game)
    while len(state.objectives) < len(mission.objectives):
        aim = mission.objectives[len(state.objectives)]
        if aim.area == "center":
            at = nearest_good(game, (game.setup.table.width / 2, game.setup.table.depth / 2))
        else:
            at = yield from ask_objective(game, aim)
        number = len(state.objectives) + 1
        name = f"objective-{number}"
        state.objectives = {**state.objectives, name: Objective(at, f"Objective {number}")}
        rules = (mission.rules["objective"], "sof.mission-core.objective-placement")
        text = f"Objective {number} lies at {at[0]:g}, {at[1]:g}."
        game.tell("objective-set", text, *rules, seat=side_of(game, aim.by), objective=name, at=list(at))


def nearest_good(game: Battle, at: Point) -> Point:
    """sof.patrol-encounter.objective: a point itself, or the nearest to it where an objective may lie."""
    for ring in range(int(max(game.setup.table.width, game.setup.table.depth) / RING)):
        for sin, cos in WAYS if ring else WAYS[:1]:
            spot = snap(at[0] + RING * ring * sin), snap(at[1] + RING * ring * cos)
            if off_table(game.setup.table, *spot, "objective") is None and not bad_ground(game, spot):
                return spot
    return at


def why_not_objective(game: Battle, aim: Aim, at: Point) -> Refusal | None:
    mission, table = the_mission(game), game.setup.table
    rule = mission.rules["objective"]
    if bad_ground(game, at):
        message = "an objective may not lie in impassable terrain or in water."
        return illegal("sof.mission-core.objective-placement", message, field="objective", legal="Choose other ground.")
    if not all(beyond(inches_from(table, edge, at), FROM_EDGE, EXACT) for edge in OPPOSITE):
        legal = f"Choose a point more than {FROM_EDGE:g} inches from every edge."
        return illegal(rule, "that is too near to the table's edge.", field="objective", legal=legal)
    if aim.area == "defender":
        if area_of(game, defender(game)).inside_point(*at)[0]:
            return None
        legal = "Choose a point of the defender's deployment area."
        return illegal(rule, "that is not in the defender's area.", field="objective", legal=legal)
    edge = game.state.baselines.of(game.state.attacker)
    middle = (inches_from(table, edge, at) + inches_from(table, OPPOSITE[edge], at)) / 2
    if not within(abs(inches_from(table, edge, at) - middle), FROM_CENTRE, EXACT):
        legal = f"Choose a point no more than {FROM_CENTRE:g} inches from the centerline."
        return illegal(rule, "that is too far from the centerline.", field="objective", legal=legal)
    if any(not beyond(math.dist(each.at, at), APART, EXACT) for each in game.state.objectives.values()):
        legal = f"Choose a point more than {APART:g} inches from the other objective."
        return illegal(rule, "that is too near to the other objective.", field="objective", legal=legal)
    return None


def allowed_strip(game: Battle, aim: Aim) -> list[Point]:
    """Where an objective may lie if the ground is good: away from the edges, in the area that the mission names."""
    table, edge = game.setup.table, game.state.baselines.of(defender(game))
    if aim.area == "defender":
        corners = strip(table, edge, the_mission(game).zones["defender"])
    elif edge in ("south", "north"):
        corners = box(0.0, table.depth / 2 - FROM_CENTRE, table.width, table.depth / 2 + FROM_CENTRE)
    else:
        corners = box(table.width / 2 - FROM_CENTRE, 0.0, table.width / 2 + FROM_CENTRE, table.depth)
    east, north = table.width - FROM_EDGE, table.depth - FROM_EDGE
    return [(min(max(x, FROM_EDGE), east), min(max(y, FROM_EDGE), north)) for x, y in corners]


def ask_objective(game: Battle, aim: Aim) -> Flow[Point]:
    def legal(x: float, y: float) -> Refusal | None:
        return off_table(game.setup.table, x, y, "objective") or why_not_objective(game, aim, (x, y))

    def found() -> list[Point]:
        middle = game.setup.table.width / 2, game.setup.table.depth / 2
        spots = [(x, y) for x, y in lattice(game.setup.table, 24).tolist() if legal(x, y) is None]
        return sorted(spots, key=lambda spot: snap(math.dist(spot, middle)))

    spots = cache(found)

    def chance(random: Random) -> Point:
        box = (0.0, 0.0, game.setup.table.width, game.setup.table.depth)
        for _ in range(TRIES):
            x, y = chance_point(random, box)
            if legal(snap(x), snap(y)) is None:
                return snap(x), snap(y)
        return spots()[0]

    rules = (the_mission(game).rules["objective"], "sof.mission-core.objective-placement")
    words = "Where does the objective lie?"
    question = ChoosePoint(
        "objective", words, legal, lambda most: spots()[: max(1, most)], chance, rules=rules, step="deploy"
    )
    question.areas = lambda: [Area(allowed_strip(game, aim), "zone", "An objective may lie here")]
    x, y = yield Ask(side_of(game, aim.by), question, checkpoint=True)
    return x, y


# Step by step.


def recon(game: Battle) -> Flow[None]:
    """Recon points are counted, and what is bought before anybody deploys."""
    if the_mission(game).recon and not game.state.recon:
        total_recon(game)
    yield from choose_late(game)


def scouting(game: Battle) -> Flow[None]:
    yield from scout_moves(game)
    game.state.acting = ""


STEPS: dict[Phase, Callable[[Battle], Flow[None]]] = {
    "attacker": roll_off,
    "edges": choose_edges,
    "objectives": place_objectives,
    "reserves": choose_reserves,
    "recon": recon,
    "deploy": deploy,
    "scout": scouting,
}
"""What comes before the first turn, in this order."""

THEN: dict[Phase, Phase] = dict(pairwise([*STEPS, "start"]))


def set_up(game: Battle) -> Flow[None]:
    """All that comes before the first turn, from any checkpoint of it; a battle without a mission begins at once."""
    state = game.state
    while mission_of(game) is not None and state.phase in STEPS:
        yield from STEPS[state.phase](game)
        state.phase = THEN[state.phase]
