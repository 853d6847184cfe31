"""Before the first turn: edges, objectives, and how Units deploy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sandtable.engine.events import Event
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choose, ChoosePoint, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import Inside
from sandtable.field.deploying import grid
from sandtable.field.moments import Moment
from sandtable.field.secrets import tell_own
from sandtable.field.zones import Edge, box, half_of, zone_area
from sandtable.rulesets.hof.battle.reserves import choose_reserves
from sandtable.rulesets.hof.battle.zones import SET_DOWN, zone
from sandtable.rulesets.hof.core.board import Battle, muster
from sandtable.rulesets.hof.core.labels import PAGE, label, team_name
from sandtable.rulesets.hof.core.room import in_ranks, set_all_down, setting_down
from sandtable.rulesets.hof.core.state import Objective, Phase, Point, Side, Team, Unit, other, units_of
from sandtable.rulesets.hof.kernels import free_places
from sandtable.rulesets.hof.orders import roll_hero_points
from sandtable.rulesets.hof.transports import choose_seats
from sandtable.table.scene import Area

FROM_EDGE = 6.0
"""hof.battle.objective-defender"""

OBJECTIVES = 3

Stage = Callable[[Battle], Flow[None]]

AFTER_OBJECTIVES: Moment[Stage] = Moment()
"""What is laid on the table when the objectives have been declared."""

BEFORE_DEPLOYMENT: Moment[Stage] = Moment()
"""What falls on the table before anybody deploys."""


def set_up(game: Battle) -> Flow[None]:
    """All that comes before the first turn, stage by stage, from any checkpoint of it."""
    stages: dict[Phase, tuple[Sequence[Stage], Phase]] = {
        "objectives": ([choose_objectives], "fieldworks"),
        "fieldworks": (AFTER_OBJECTIVES, "reserves"),
        "reserves": ([choose_reserves], "bombard"),
        "bombard": (BEFORE_DEPLOYMENT, "deploy"),
        "deploy": ([deploy], "start"),
    }
    while game.state.phase in stages:
        steps, following = stages[game.state.phase]
        for step in steps:
            yield from step(game)
        game.state.phase = following


# Edges and objectives.


def choose_objectives(game: Battle) -> Flow[None]:
    """hof.battle.edges and the objectives, unless the scenario has them already."""
    state = game.state
    defender = other(state.attacker)
    if not state.objectives:
        roles = f"{state.attacker} attacks, {defender} defends."
        options = [Option("south", "The southern edge"), Option("north", "The northern edge")]
        rules = ("hof.battle.edges", "hof.battle.roles")
        question = Choose("edge", f"{roles} Which edge is yours?", options, rules=rules, step="deploy")
        edge: Edge = yield Ask(defender, question, checkpoint=True)
        state.edges = {defender: edge, state.attacker: "north" if edge == "south" else "south"}
        game.tell("edges", f"{roles} {defender} takes the {edge}ern edge.", *rules, seat=defender, edge=edge)
        yield from declare_objective(game, defender, checkpoint=False)
    while len(state.objectives) < OBJECTIVES and any(each.by for each in state.objectives.values()):
        yield from declare_objective(game, state.attacker, checkpoint=True)


def declare_objective(game: Battle, side: Side, *, checkpoint: bool) -> Flow[None]:
    state = game.state
    rule = "hof.battle.objectives-attacker" if side == state.attacker else "hof.battle.objective-defender"
    # The half ends at the centre line.
    south, north = half_of(state.edges, game.setup.table.depth, other(state.attacker))
    half = Inside((FROM_EDGE, south + FROM_EDGE, game.setup.table.width - FROM_EDGE, north - FROM_EDGE))

    def legal(x: float, y: float) -> Refusal | None:
        if half.holds(x, y):
            return None
        near = f"more than {FROM_EDGE:g} inches from its edges and the centre line."
        words = f"Choose a point of the Defender's half, {near}"
        return illegal(rule, "an objective may not lie there.", field="objective", legal=words)

    def proposals(most: int) -> list[Point]:
        taken = [each.at for each in state.objectives.values()]
        spots = [spot for spot in half.along_middle((0.5, 0.25, 0.75, 0.4, 0.6)) if spot not in taken]
        return [spot for spot in spots if legal(*spot) is None][: max(1, most)]

    words, rules = "Where is the objective?", (rule,)
    question = ChoosePoint("objective", words, legal, proposals, chance=half.by_chance, rules=rules, step="deploy")
    question.areas = lambda: [Area(box(*half.box), "zone", "An objective may lie here")]
    x, y = yield Ask(side, question, checkpoint=checkpoint)
    number = len(state.objectives) + 1
    name = f"objective-{number}"
    state.objectives = {**state.objectives, name: Objective((x, y), f"Objective {number}", side)}
    game.tell("objective-set", f"{side} declares an objective.", rule, seat=side, objective=name, at=[x, y])


# Deployment.


def undeployed(unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if team.at is None and not team.where]


def deploy(game: Battle) -> Flow[None]:
    """The Defender first, hidden and dug in; then the Attacker, Unit by Unit; and the first Hero Points."""
    state = game.state
    for side in (other(state.attacker), state.attacker):
        for unit in units_of(state, side):
            if undeployed(unit):
                yield from deploy_unit(game, unit)
    for side in (state.attacker, other(state.attacker)):
        yield from roll_hero_points(game, side, "hof.orders.hero-start-roll", "hof.orders.hero-hidden-total")
    state.active = state.attacker


def deploy_unit(game: Battle, unit: Unit) -> Flow[None]:
    state = game.state
    if unit.kind == "riders":
        mount_riders(game, unit)
        return
    names = manners(game, unit)
    how = (yield from choose_manner(game, unit, names)) if len(names) > 1 else names[0]
    # A question that follows another of the same flow is no checkpoint.
    fresh = len(names) == 1
    foot = [team for team in undeployed(unit) if team.kind.category != "vehicle"]
    wheels = [team for team in undeployed(unit) if team.kind.category == "vehicle"]
    rules = [MANNERS[how][1]]
    if how == "hidden":
        rules += hide(game, unit, foot)
        for team in wheels:
            team.where = "rear"
    elif how == "edge":
        for team in [*foot, *wheels]:
            team.where = "edge"
    elif how == "mounted":
        walking = yield from choose_seats(unit, foot, wheels)
        yield from place_unit(game, unit, [*wheels, *walking], checkpoint=fresh)
    elif unit.vehicles and unit.side != state.attacker:
        rules += hide(game, unit, foot)
        yield from place_unit(game, unit, wheels, checkpoint=fresh)
    elif foot and wheels and not unit.vehicles:
        for team in wheels:
            team.where = "rear"
        yield from place_unit(game, unit, foot, checkpoint=fresh)
    else:
        yield from place_unit(game, unit, [*foot, *wheels], checkpoint=fresh)
    rules = list(dict.fromkeys(rules))
    if how in ("table", "mounted"):
        game.tell("deployed", f"{label(unit)} deploys.", *rules, seat=unit.side, unit=unit.id, manner=how)
    else:
        # Whether it hides or waits beyond the edge is nobody else's business.
        secret = ["hof.battle.attacker-deploys", "hof.battle.hidden-no-plot"]
        others = Event("deployed", "A Unit takes post out of sight.", secret, unit.side)
        text = f"{label(unit)}: {MANNERS[how][0].lower()}."
        tell_own(game, unit.side, "deployed", text, others, *rules, unit=unit.id, manner=how)


def hide(game: Battle, unit: Unit, teams: Sequence[Team]) -> list[str]:
    """Teams hide somewhere in their zone; those of the Defender dig in, but not his snipers. The rules for it."""
    attacker = game.state.attacker
    digs = bool(teams) and unit.side != attacker and unit.kind != "sniper"
    for team in teams:
        team.where = "hidden"
        team.dug_in = digs
    muster(game)
    if unit.side == attacker:
        return ["hof.battle.attacker-deploys"]
    return ["hof.battle.defender-hidden-dug-in", "hof.battle.dug-in"] if digs else []


MANNERS = PAGE.said["manners"]


def manners(game: Battle, unit: Unit) -> list[str]:
    """How a Unit may deploy. A defender's foot is hidden, his Vehicles stand on the table; an attacker may choose."""
    foot = any(team.kind.category != "vehicle" for team in undeployed(unit))
    # A Forward Observer of Vehicles that are in reserve or off the table is foot by himself.
    tanks = unit.vehicles and any(team.kind.vehicle for team in undeployed(unit))
    if unit.kind == "sniper":
        return ["hidden"]
    if unit.kind == "bunker":
        return ["table"]
    if unit.side != game.state.attacker:
        return ["hidden" if foot and not tanks else "table"]
    carried = sum(team.kind.carries for team in undeployed(unit))
    names = ["table"]
    if foot and carried and not tanks:
        names.append("mounted")
    if foot and not tanks:
        names.append("hidden")
    return [*names, "edge"]


def choose_manner(game: Battle, unit: Unit, names: list[str]) -> Flow[str]:
    options = [Option(name, words, (rule,)) for name, (words, rule) in MANNERS.items() if name in names]

    def why_not(choice: str) -> Refusal | None:
        if choice == "hidden" and choice not in names:
            return illegal("hof.battle.attacker-deploys", "Vehicles must be revealed.", field="hidden")
        return None

    rules = ("hof.battle.attacker-deploys", "hof.battle.attacker-off-table")
    question = Choose("manner", f"How does {label(unit)} deploy?", options, rules=rules, why_not=why_not, step="deploy")
    question.areas = partial(zone_areas, game, unit)
    answer: str = yield Ask(unit.side, question, checkpoint=True)
    return answer


def mount_riders(game: Battle, unit: Unit) -> None:
    """hof.optional.riders-mounted: each on its tank, wherever that is."""
    tanks = [team for team in game.state.units[unit.tanks].teams.values() if team.kind.category == "vehicle"]
    mounting = undeployed(unit)
    for team, tank in zip(mounting, tanks, strict=False):
        team.where = "aboard"
        team.carrier = tank.id
    text, seats = f"{label(unit)} sit on their tanks.", {team.id: team.carrier for team in mounting}
    tell_own(game, unit.side, "deployed", text, "", "hof.optional.riders-mounted", unit=unit.id, seats=seats)
    for rule in SET_DOWN:
        rule(game, [(unit, team) for team in mounting])


def zone_areas(game: Battle, unit: Unit) -> list[Area]:
    """The zone in which a Unit may be set down, and the enemy's."""
    side = unit.side
    own = zone_area(zone(game, side, recon=unit.recon), side, side)
    return [own, zone_area(zone(game, other(side)), other(side), side)]


def place_unit(game: Battle, unit: Unit, teams: list[Team], *, checkpoint: bool) -> Flow[None]:
    """hof.battle.attacker-deploys: set Teams down in the zone."""
    side = unit.side
    rule = "hof.battle.attacker-deploys" if side == game.state.attacker else "hof.battle.defender-hidden-dug-in"
    area = zone(game, side, recon=unit.recon)
    down = setting_down(game, side, teams, rule, zone=area)
    ranks = in_ranks(down)
    inner = free_places.inset(area.bounds[0].tolist(), ranks)
    words = f"Place {label(unit)} in your zone."
    question = down.question_in_ranks("deploy", words, team_name, ranks, lambda: grid(area, 12, 4), inner)
    question.areas = partial(zone_areas, game, unit)
    set_all_down(game, down, (yield Ask(side, question, checkpoint=checkpoint)))
    for rule_of_place in SET_DOWN:
        rule_of_place(game, [(unit, team) for team in teams])
