"""The battle round the rules: roles, edges, objectives, reserves, deployment, and Units that arrive later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Literal

import numpy as np

from sandtable.engine.events import Event, Modifier, several, total
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Answer,
    Assign,
    Choose,
    ChoosePoint,
    ChooseSome,
    MovePieces,
    Option,
    Piece,
    Refusal,
    Step,
    illegal,
    plain_to_steps,
)
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import breaking, spots
from sandtable.rulesets.hof.activation import move_on
from sandtable.rulesets.hof.acts import Paid
from sandtable.rulesets.hof.board import Mask, Rows, board, muster, set_down
from sandtable.rulesets.hof.checks import NEEDED
from sandtable.rulesets.hof.optional import bombardment, fieldworks
from sandtable.rulesets.hof.spots import zone
from sandtable.rulesets.hof.state import (
    Objective,
    Point,
    Side,
    State,
    Team,
    Unit,
    anybody_is,
    half_of,
    label,
    other,
    team_label,
    units_of,
)
from sandtable.rulesets.hof.transports import rides_inside
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.hairs import GRID, SLACK
from sandtable.table.shapes import Place, Y, bodies
from sandtable.table.terrain import Terrain

FROM_EDGE = 6.0
"""hof.battle.objective-defender"""

RESERVES_FROM_TURN = 3
ENTRY_APART = 16.0
BETWEEN = 0.3
"""The room between Teams that come on side by side."""

POINTS = {"reserves": 1, "reserves-2": 2}
"""What a Reserves Check costs, and what one with a second Order Point does."""

MOST_ARRIVED = 2
OBJECTIVES = 3


def set_up(game: Game[State]) -> Flow[None]:
    """All that comes before the first turn, from any checkpoint of it."""
    state = game.state
    if state.phase == "objectives":
        yield from choose_objectives(game)
        state.phase = "fieldworks"
    if state.phase == "fieldworks":
        yield from fieldworks.lay(game)
        state.phase = "reserves"
    if state.phase == "reserves":
        yield from choose_reserves(game)
        state.phase = "bombard"
    if state.phase == "bombard":
        if game.setup.options.bombardment:
            yield from bombardment.markers(game)
        state.phase = "deploy"
    if state.phase == "deploy":
        yield from deploy(game)
        yield from first_hero_points(game)
        state.active = state.attacker
        state.phase = "start"


def first_hero_points(game: Game[State]) -> Flow[None]:
    from sandtable.rulesets.hof.orders import roll_hero_points

    for side in (game.state.attacker, other(game.state.attacker)):
        yield from roll_hero_points(game, side, "hof.orders.hero-start-roll", "hof.orders.hero-hidden-total")


# Edges and objectives.


def choose_objectives(game: Game[State]) -> Flow[None]:
    """hof.battle.edges and the objectives, unless the scenario has them already."""
    state = game.state
    defender = other(state.attacker)
    if not state.objectives:
        roles = f"{state.attacker} attacks, {defender} defends."
        options = [Option("south", "The southern edge"), Option("north", "The northern edge")]
        rules = ("hof.battle.edges", "hof.battle.roles")
        question = Choose("edge", f"{roles} Which edge is yours?", options, rules=rules)
        edge: Literal["south", "north"] = yield Ask(defender, question, checkpoint=True)
        state.edges = {defender: edge, state.attacker: "north" if edge == "south" else "south"}
        text = f"{roles} {defender} takes the {edge}ern edge."
        game.tell("edges", text, *rules, seat=defender, edge=edge)
        yield from declare_objective(game, defender, checkpoint=False)
    while len(state.objectives) < OBJECTIVES and any(each.by for each in state.objectives.values()):
        yield from declare_objective(game, state.attacker, checkpoint=True)


def declare_objective(game: Game[State], side: Side, *, checkpoint: bool) -> Flow[None]:
    state = game.state
    rule = "hof.battle.objectives-attacker" if side == state.attacker else "hof.battle.objective-defender"
    south, north = half_of(state, game.setup.table.depth, other(state.attacker))
    width = game.setup.table.width
    centre = game.setup.table.depth / 2

    def legal(x: float, y: float) -> Refusal | None:
        inside = FROM_EDGE < x < width - FROM_EDGE and south + FROM_EDGE < y < north - FROM_EDGE
        if inside and abs(y - centre) > FROM_EDGE:
            return None
        words = (
            f"Choose a point of the Defender's half, more than {FROM_EDGE:g} inches from its edges and the centre line."
        )
        return illegal(rule, "an objective may not lie there.", field="objective", legal=words)

    def proposals(most: int) -> list[Point]:
        middle = round((south + north) / 2, 2)
        spots_ = [(round(width * share, 2), middle) for share in (0.5, 0.25, 0.75, 0.4, 0.6)]
        taken = [each.at for each in state.objectives.values()]
        free = [spot for spot in spots_ if spot not in taken and legal(*spot) is None]
        return free[: max(1, most)]

    def chance(random: Random) -> Point:
        x = FROM_EDGE + GRID + random.random() * (width - 2 * FROM_EDGE - 2 * GRID)
        low, high = south + FROM_EDGE + GRID, north - FROM_EDGE - GRID
        return round(x, 2), round(low + random.random() * (high - low), 2)

    question = ChoosePoint("objective", "Where is the objective?", legal, proposals, chance=chance, rules=(rule,))
    x, y = yield Ask(side, question, checkpoint=checkpoint)
    name = f"objective-{len(state.objectives) + 1}"
    state.objectives = {**state.objectives, name: Objective((x, y), f"Objective {len(state.objectives) + 1}", side)}
    game.tell("objective-set", f"{side} declares an objective.", rule, seat=side, objective=name, at=[x, y])


# Reserves.


def choose_reserves(game: Game[State]) -> Flow[None]:
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

    ordered = sorted(units, key=lambda unit: not unit.vehicles)
    options = [Option(unit.id, label(unit)) for unit in ordered]
    rules = ("hof.battle.reserve-half", "hof.battle.reserve-vehicles-first", "hof.battle.reserve-no-dice")
    words = f"Hold {several(count, 'Unit')} in reserve: which?"
    question = ChooseSome("reserves", words, options, count, count, legal=legal, rules=rules)
    chosen: list[str] = yield Ask(side, question, checkpoint=True)
    for name in chosen:
        for team in state.units[name].teams.values():
            if team.role != "fo":
                team.where = "reserve"
    names = ", ".join(label(state.units[name]) for name in chosen)
    tell_own(game, side, "reserves", f"In reserve: {names}.", f"{side} holds {several(count, 'Unit')} back.", *rules)
    observers = [team_label(team) for name in chosen for team in state.units[name].teams.values() if team.role == "fo"]
    if observers:
        text = f"{', '.join(observers)} may deploy at once."
        game.tell_event(Event("observer-deploys", text, ["hof.artillery.fo-deploys-early"], side, only=[side]))


def tell_own(game: Game[State], side: str, kind: str, text: str, others: str, *rules: str) -> None:
    """Tell a side what it does out of the enemy's sight; everybody else hears that it does something."""
    event = Event(kind, text, list(rules), side, only=[side], others=Event(kind, others, list(rules), side))
    game.tell_event(event)


# Deployment.


def undeployed(unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if team.at is None and not team.where]


def deploy(game: Game[State]) -> Flow[None]:
    """The Defender first, hidden and dug in; then the Attacker, Unit by Unit."""
    state = game.state
    for side in (other(state.attacker), state.attacker):
        for unit in units_of(state, side):
            if undeployed(unit):
                yield from deploy_unit(game, unit)


def deploy_unit(game: Game[State], unit: Unit) -> Flow[None]:
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
        walking = yield from choose_seats(game, unit, foot, wheels)
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
        game.tell("deployed", f"{label(unit)} deploys.", *rules, seat=unit.side, unit=unit.id)
    else:
        event = Event("deployed", f"{label(unit)}: {MANNERS[how][0].lower()}.", rules, unit.side, only=[unit.side])
        # Whether it hides or waits beyond the edge is nobody else's business.
        secret = ["hof.battle.attacker-deploys", "hof.battle.hidden-no-plot"]
        event.others = Event("deployed", "A Unit takes post out of sight.", secret, unit.side)
        game.tell_event(event)


def hide(game: Game[State], unit: Unit, teams: Sequence[Team]) -> list[str]:
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


MANNERS = {
    "table": ("On the table", "hof.battle.attacker-deploys"),
    "mounted": ("On the table, in its Transports", "hof.battle.attacker-deploys"),
    "hidden": ("Hidden", "hof.battle.hidden-no-plot"),
    "edge": ("Off the table, to arrive later", "hof.battle.attacker-off-table"),
}


def manners(game: Game[State], unit: Unit) -> list[str]:
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


def choose_manner(game: Game[State], unit: Unit, names: list[str]) -> Flow[str]:
    options = [Option(name, MANNERS[name][0], (MANNERS[name][1],)) for name in names]

    def barred(choice: str) -> Refusal | None:
        if choice == "hidden":
            return illegal("hof.battle.attacker-deploys", "Vehicles must be revealed.", field="hidden")
        return None

    rules = ("hof.battle.attacker-deploys", "hof.battle.attacker-off-table")
    question = Choose("manner", f"How does {label(unit)} deploy?", options, rules=rules, barred=barred)
    answer: str = yield Ask(unit.side, question, checkpoint=True)
    return answer


def mount_riders(game: Game[State], unit: Unit) -> None:
    """hof.optional.riders-mounted: each on its tank, wherever that is."""
    tanks = [team for team in game.state.units[unit.tanks].teams.values() if team.kind.category == "vehicle"]
    mounting = undeployed(unit)
    for team, tank in zip(mounting, tanks, strict=False):
        team.where = "aboard"
        team.carrier = tank.id
    text = f"{label(unit)} sit on their tanks."
    game.tell_event(Event("deployed", text, ["hof.optional.riders-mounted"], unit.side, only=[unit.side]))
    if game.setup.options.bombardment:
        bombardment.on_set_down(game, [(unit, team) for team in mounting])


def choose_seats(game: Game[State], unit: Unit, foot: Sequence[Team], wheels: Sequence[Team]) -> Flow[list[Team]]:
    """hof.transports.capacity: who rides in which Transport, or behind it. Returns those who go on foot.

    Asked where somebody must be left out: who sits beside whom makes no difference to the battle.
    """
    rides = [team for team in wheels if team.kind.transport]
    usual = seats(foot, rides)
    if len(usual) == len(foot):
        take_seats(unit, usual)
        return []

    def legal(answer: dict[str, str]) -> Refusal | None:
        return refuse_seats(unit, rides, answer)

    def chance(random: Random) -> dict[str, str]:
        some = list(foot)
        random.shuffle(some)
        return seats(some, rides)

    question = Assign(
        "embark",
        f"Who of {label(unit)} rides in which Transport? Whoever is left out goes on foot.",
        {team.id: [Option(ride.id, team_label(ride)) for ride in rides] for team in foot},
        rules=("hof.transports.capacity", "hof.battle.attacker-deploys"),
        facts={"unit": unit.id},
        legal=legal,
        proposals=lambda most: [usual],
        chance=chance,
        needed=True,
    )
    answer: dict[str, str] = yield Ask(unit.side, question)
    take_seats(unit, answer)
    return [team for team in foot if team.id not in answer]


def take_seats(unit: Unit, answer: dict[str, str]) -> None:
    for name, carrier in answer.items():
        team = unit.teams[name]
        team.where = "aboard"
        team.carrier = carrier
        team.towed = not rides_inside(team)


def seats(foot: Sequence[Team], rides: Sequence[Team]) -> dict[str, str]:
    """The Transports filled in order: towed Guns behind them, everybody else inside, as far as there is room."""
    found: dict[str, str] = {}
    room = {team.id: team.kind.carries for team in rides}
    hooks = {team.id: 1 for team in rides}
    for team in foot:
        places = room if rides_inside(team) else hooks
        carrier = next((name for name, left in places.items() if left), None)
        if carrier is not None:
            places[carrier] -= 1
            found[team.id] = carrier
    return found


def refuse_seats(unit: Unit, rides: Sequence[Team], answer: dict[str, str]) -> Refusal | None:
    """hof.transports.capacity: so many inside, and one Gun behind."""
    for ride in rides:
        aboard = [name for name, carrier in answer.items() if carrier == ride.id]
        inside = [name for name in aboard if rides_inside(unit.teams[name])]
        towed = [name for name in aboard if name not in inside]
        if len(inside) > ride.kind.carries:
            message = f"{team_label(ride)} is full: it carries {ride.kind.carries}."
            return illegal("hof.transports.capacity", message, field=inside[ride.kind.carries])
        if len(towed) > 1:
            return illegal("hof.transports.capacity", f"{team_label(ride)} tows one Gun.", field=towed[1])
    return None


def place_unit(game: Game[State], unit: Unit, teams: list[Team], *, checkpoint: bool) -> Flow[None]:
    """hof.battle.attacker-deploys: set Teams down in the zone."""
    side = unit.side
    rule = "hof.battle.attacker-deploys" if side == game.state.attacker else "hof.battle.defender-hidden-dug-in"
    area = zone(game, side, recon=unit.recon)
    facing = spots.facing_of(game.state, side)
    ranks = spots.proposed_ranks(teams, facing)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        missing = [team.id for team in teams if team.id not in steps]
        if missing:
            message = f"{team_label(unit.teams[missing[0]])} is not placed."
            return illegal(rule, message, field=missing[0], legal="Place every Team.")
        rows = spots.rows_of(teams, steps, facing)
        refused = spots.refuse_room(board(game), teams, rows, rule)
        if refused is not None:
            return refused
        inside = area.within(rows)[:, 0]
        if not inside.all():
            out = teams[int(np.flatnonzero(~inside)[0])]
            return illegal(rule, f"{team_label(out)} would stand outside your zone.", field=out.id)
        return None

    def at(x: float, y: float) -> Answer | None:
        rows, good = spots.ranks_at(board(game), ranks, x, y, area)
        fits = good.tolist()
        return spots.answer_of(teams, rows, fits, facing) if False not in fits else None

    def proposals(most: int) -> list[Answer]:
        found = list(islice((answer for x, y in proposed_points(area) if (answer := at(x, y)) is not None), most))
        return found or [propose_anywhere(game, unit, teams, area, facing)]

    def chance(random: Random) -> Answer:
        box = placement.inset(area.bounds[0].tolist(), ranks)
        for _ in range(12):
            answer = at(*spots.chance_point(random, *box))
            if answer is not None:
                return answer
        return proposals(1)[0]

    def pieces() -> list[Piece]:
        return [Piece(team.id, team_label(team), None, facing, base=team.kind.base.size) for team in teams]

    words = f"Place {label(unit)} in your zone."
    question = MovePieces(
        "deploy", words, [team.id for team in teams], pieces, legal, proposals, chance=chance, rules=(rule,)
    )
    answer = yield Ask(side, question, checkpoint=checkpoint)
    for name, step in plain_to_steps(answer).items():
        set_down(game, unit.teams[name], *step.to, facing if step.facing is None else step.facing)
    if game.setup.options.bombardment:
        bombardment.on_set_down(game, [(unit, team) for team in teams])


def proposed_points(area: Terrain) -> list[Point]:
    west, south, east, north = area.bounds[0].tolist()
    across = np.linspace(west, east, 14)[1:-1].tolist()
    rows = np.linspace(south, north, 6)[1:-1].tolist()
    middle = (west + east) / 2
    return [(x, y) for y in rows for x in sorted(across, key=lambda each: abs(each - middle))]


def propose_anywhere(game: Game[State], unit: Unit, teams: list[Team], area: Terrain, facing: float) -> Answer:
    """Any room at all: each Team for itself."""
    here = board(game)
    west, south, east, north = area.bounds[0].tolist()

    # As much room as the largest of them needs.
    half = max(max(team.kind.base.width, team.kind.base.depth) for team in teams) / 2 + GRID

    def allowed(spot: Place) -> bool:
        return bool(west + half <= spot.x <= east - half and south + half <= spot.y <= north - half)

    bases = [team.kind.base for team in teams]
    for x, y in proposed_points(area):
        found = placement.near(
            bases, x, y, facing, width=here.ground.width, depth=here.ground.depth, obstacles=here.rows, allowed=allowed
        )
        if found is not None:
            return {t.id: {"to": [p.x, p.y], "facing": facing} for t, p in zip(teams, found, strict=True)}
    rows, _ = spots.ranks_at(here, spots.proposed_ranks(teams, facing), (west + east) / 2, (south + north) / 2, area)
    return spots.answer_of(teams, rows, [True] * len(teams), facing)


# Arrivals.


def calls(game: Game[State], side: str) -> list[Option]:
    """Reserves Checks of the Defender, and attacking Units that wait beyond the edge."""
    company = game.state.companies[side]
    found = []
    if refuse_reserves(game, side) is None:
        found.append(Option("reserves", "Check for reserves: an Order Point", ("hof.battle.reserves-check",)))
        if refuse_reserves(game, side, "reserves-2") is None:
            found.append(Option("reserves-2", "Check for reserves: two", ("hof.battle.reserves-modifiers",)))
    if company.order_points or company.heroes:
        for unit in units_of(game.state, side):
            if any(team.where == "edge" for team in unit.teams.values()):
                found.append(Option(f"arrive:{unit.id}", f"{label(unit)} arrives", ("hof.battle.attacker-off-table",)))
    return found


def refuse_reserves(game: Game[State], side: str, choice: str = "reserves") -> Refusal | None:
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
    return illegal("hof.battle.reserves-check", why, field=choice) if why else None


def in_reserve(game: Game[State], side: str) -> list[Unit]:
    return [u for u in units_of(game.state, side) if any(team.where == "reserve" for team in u.teams.values())]


def answer_call(game: Game[State], side: str, answer: str) -> Flow[bool]:
    if answer in POINTS:
        yield from check_reserves(game, side, POINTS[answer])
        return True
    if answer.startswith("arrive:"):
        from sandtable.rulesets.hof.orders import choose_payment_for_unit

        unit = game.state.units[answer.removeprefix("arrive:")]
        paid = yield from choose_payment_for_unit(game, side, unit)
        yield from arrive(game, unit, "edge", paid)
        return True
    return False


def check_reserves(game: Game[State], side: str, points: int) -> Flow[None]:
    """hof.battle.reserves-check, with a modifier for each Unit that has come and one for a second Order Point."""
    from sandtable.rulesets.hof.orders import spend_order_point

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
    needed = NEEDED + total(modifiers)
    throw = yield from game.throw(side, 1, "the Reserves Check")
    passed = throw.value >= needed
    text = f"{side} needs {needed}+ for reserves, rolls {throw.value}."
    rules = ("hof.battle.reserves-check", "hof.orders.check")
    game.tell(
        "reserves-check", text, *rules, seat=side, dice=[throw], modifiers=modifiers, needed=needed, passed=passed
    )
    if not passed:
        game.state.phase = "orders"
        return
    game.state.chooser = side if throw.value % 2 else other(side)  # type: ignore[assignment]
    game.state.phase = "reinforce"


def make_contact(game: Game[State], unit: Unit) -> None:
    """hof.battle.reserves-off-board-artillery: the battery can be reached from now on."""
    for team in unit.teams.values():
        if team.where == "reserve":
            team.where = "off-board"
    text = f"{label(unit)} can be reached."
    game.tell("contact", text, "hof.battle.reserves-off-board-artillery", seat=unit.side, unit=unit.id)


def reinforce(game: Game[State]) -> Flow[None]:
    """A Reserves Check was passed: a Unit is chosen and comes on (hof.battle.reserves-who-chooses)."""
    state = game.state
    side = other(state.attacker)
    chooser = state.chooser or side
    rule = "hof.battle.reserves-who-chooses"
    options = [Option(unit.id, label(unit)) for unit in in_reserve(game, side)]
    question = Choose("reserve-unit", "Which Unit arrives?", options, rules=(rule,))
    chosen: str = yield Ask(chooser, question, checkpoint=True)
    unit = state.units[chosen]
    game.tell("reserve-chosen", f"{chooser} chooses {label(unit)}.", rule, seat=chooser, unit=chosen)
    state.chooser = None
    if unit.off_board:
        state.companies[side].reserves_arrived += 1
        make_contact(game, unit)
        state.phase = "orders"
    else:
        state.phase = "gap"
        yield from arrive(game, unit, "reserve", "free")


def arrive(game: Game[State], unit: Unit, source: str, paid: Paid) -> Flow[None]:
    """A Unit comes on at its side's edge and moves on at once."""
    side = unit.side
    coming = [team for team in unit.teams.values() if team.where == source]
    foot = [team for team in coming if team.kind.category != "vehicle"]
    wheels = [team for team in coming if team.kind.category == "vehicle"]
    rule = "hof.battle.attacker-off-table" if source == "edge" else "hof.battle.reserves-check"
    if foot and any(team.kind.transport for team in wheels) and not unit.vehicles:
        options = [Option("mounted", "In its Transports"), Option("foot", "On foot; the Transports stay in the rear")]
        how = yield Ask(side, Choose("arrive-how", f"How does {label(unit)} arrive?", options, rules=(rule,)))
        if how == "mounted":
            coming = [*wheels, *(yield from choose_seats(game, unit, foot, wheels))]
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
    breaking.update_control(game)


def wait_beyond(game: Game[State], unit: Unit, teams: Sequence[Team], source: str, rule: str) -> None:
    """There is no room at the edge: all wait beyond it, and may come in another way the next time."""
    for team in teams:
        team.where = "reserve" if source == "reserve" else "edge"
        team.carrier = ""
        team.towed = False
    text = "finds no room at the edge and waits beyond it."
    tell_own(game, unit.side, "no-room", f"{label(unit)} {text}", f"A Unit {text}", rule)


def enter(game: Game[State], unit: Unit, teams: list[Team], rule: str, source: str) -> Flow[None]:
    """Where along the edge each Team comes on: its base at the edge; reserves 16 inches from all enemies.

    Nobody is set down if there is no room.
    """
    side = unit.side
    facing = spots.facing_of(game.state, side)
    depth, width = game.setup.table.depth, game.setup.table.width
    south = game.state.edges[side] == "south"

    def edge_y(team: Team) -> float:
        half = team.kind.base.depth / 2
        return round(half if south else depth - half, 2)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        some = [team for team in teams if team.id in steps]
        if len(some) < len(teams):
            missing = next(team for team in teams if team.id not in steps)
            message = f"{team_label(missing)} is not placed."
            return illegal(rule, message, field=missing.id, legal="Place every Team at the edge.")
        found = spots.rows_of(teams, steps, facing)
        refused = spots.refuse_room(board(game), teams, found, rule)
        if refused is not None:
            return refused
        for team, row in zip(teams, found, strict=True):
            if abs(float(row[Y]) - edge_y(team)) > 0.3:
                return illegal(rule, f"{team_label(team)} must come on at your edge.", field=team.id)
        if source == "reserve" and (near := too_near(game, side, found)).any():
            first = teams[int(np.flatnonzero(near)[0])]
            message = f"{team_label(first)} would be within {ENTRY_APART:g} inches of an enemy Team."
            return illegal(rule, message, field=first.id, legal="Enter elsewhere.")
        return None

    line = edge_line(teams, edge_y, facing)
    places = open_places(game, side, line, width, source == "reserve")
    if not len(places):
        return

    def answer_of(place: Rows) -> Answer:
        return spots.answer_of(teams, place, [True] * len(teams), facing)

    def proposals(most: int) -> list[Answer]:
        return [answer_of(place) for place in places[: max(1, most)]]

    def chance(random: Random) -> Answer:
        return answer_of(places[int(random.random() * len(places))])

    def pieces() -> list[Piece]:
        return [Piece(team.id, team_label(team), None, facing, base=team.kind.base.size) for team in teams]

    words = f"Where does {label(unit)} come on?"
    question = MovePieces(
        "enter", words, [team.id for team in teams], pieces, legal, proposals, chance=chance, rules=(rule,)
    )
    answer = yield Ask(side, question)
    for name, step in plain_to_steps(answer).items():
        set_down(game, unit.teams[name], *step.to, facing if step.facing is None else step.facing)


def edge_line(teams: Sequence[Team], edge_y: Callable[[Team], float], facing: float) -> Rows:
    """Teams side by side along an edge, the middle of the line at 0."""
    at = -sum(team.kind.base.width + BETWEEN for team in teams) / 2
    places = []
    for team in teams:
        half = (team.kind.base.width + BETWEEN) / 2
        places.append(Place(at + half, edge_y(team), facing))
        at += 2 * half
    return bodies(zip((team.kind.base for team in teams), places, strict=True))


def open_places(game: Game[State], side: str, line: Rows, width: float, reserve: bool) -> Rows:
    """Where along the edge a line of Teams may come on: the rows of each such line."""
    here = board(game)
    ground = here.ground
    return placement.lines(
        ground.terrain, ground.table.barring(False, False), line, np.linspace(4.0, width - 4.0, 33), here.rows,
        here.side(other(side)).rows, ENTRY_APART if reserve else 0.0,
        width=ground.width, depth=ground.depth, slack=SLACK,
    )  # fmt: skip


def too_near(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which bases would be too near to an enemy to come on."""
    here = board(game)
    enemies = here.of(here.side(other(side)).teams)
    near = measure.nearer(measure.nearest(rows, enemies), ENTRY_APART)
    return near
