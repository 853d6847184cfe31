"""Battles that are hard to judge: troops on borders and corners, at exact limits, in the midst of everything.

`battle(seed)` is a set-up in the midst of a battle on a small, crowded table: bases that touch, centres on a border or
on a vertex, enemies at exactly 4, 12 or 16 inches, guns at the table's edge; every kind of ground, of Team, of quality
and of optional rule by chance. `steered(watch)` answers by chance, but in such a way that assaults, mines, Transports
and barrages are not rare, and asks for ways that a careful player would not dare to propose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import shapely
from shapely.ops import nearest_points

from sandtable.engine.questions import Assign, MovePieces, Question, Refusal
from sandtable.rulesets.hof.core.state import Company, Objective, Options, Setup, Table, Team, Unit
from sandtable.table.terrain import Feature
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof.stock import grounds, make, makes
from sandtable.testing.umpire.hof.table import Point, base_at, enemy, find, outline, standing

SIDES = ("red", "blue")
NATIONS = ("us", "german", "british", "soviet")
ROUNDS = 3
LIMITS = (4.0, 8.0, 12.0, 16.0)
"""The distances that decide something."""

AREAS = ("wood", "wood", "field", "building", "building", "rough", "marsh", "hill", "cliff")
LINES = ("wall", "high-wall", "fence", "hedge", "bocage", "thick-bocage", "stream")
LAID = ("minefield", "minefield", "wire", "at-obstacle", "trench")
STRIP = (8.0, 2.0)
"""How long and wide an obstacle or a length of trench is."""


# The ground.


def half_inch(value: float) -> float:
    return round(value * 2) / 2


def spot(random: Random, width: float, depth: float, margin: float = 3.0) -> Point:
    x = margin + random.random() * (width - 2 * margin)
    y = margin + random.random() * (depth - 2 * margin)
    return half_inch(x), half_inch(y)


def area_points(random: Random, at: Point) -> list[Point]:
    """A rectangle, an L, a U or a star with hollows: corners on half inches."""
    x, y = at
    w, h = 1.5 + half_inch(random.random() * 3), 1.5 + half_inch(random.random() * 3)
    shape = random.randrange(4)
    if shape == 0:
        return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
    if shape == 1:
        return [(x - w, y - h), (x + w, y - h), (x + w, y), (x, y), (x, y + h), (x - w, y + h)]
    if shape == 2:
        a, b = x - w / 3, x + w / 3
        return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (b, y + h), (b, y), (a, y), (a, y + h), (x - w, y + h)]
    near = [(0.4, 1.0)[number % 2] for number in range(8)]
    turns = [math.radians(45.0 * number) for number in range(8)]
    rim = [(x + part * w * math.cos(t), y + part * h * math.sin(t)) for part, t in zip(near, turns, strict=True)]
    return [(round(a, 2), round(b, 2)) for a, b in rim]


def line_points(random: Random, at: Point) -> list[Point]:
    x, y = at
    points = [at]
    for _ in range(random.randint(1, 3)):
        x, y = x + half_inch(random.uniform(-5, 5)), y + half_inch(random.uniform(-5, 5))
        if (x, y) != points[-1]:
            points.append((x, y))
    return points if len(points) > 1 else [at, (x + 4.0, y)]


def strip_points(random: Random, at: Point) -> list[Point]:
    long, wide = STRIP if random.random() < 0.5 else STRIP[::-1]
    x, y = at
    return [(x, y), (x + long, y), (x + long, y + wide), (x, y + wide)]


def river(random: Random, width: float, depth: float) -> list[Feature]:
    """A river from edge to edge with a bridge and a ford, or a road with nothing to cross."""
    y = half_inch(depth * random.uniform(0.3, 0.7))
    a, b = half_inch(width * random.uniform(0.2, 0.4)), half_inch(width * random.uniform(0.6, 0.8))
    road = Feature("road", "road", [(a + 1, 0.0), (a + 1, depth)], closed=False)
    if random.random() < 0.5:
        return [road, Feature("lane", "road", [(0.0, y), (width, y), (width, y + 2), (0.0, y + 2)])]
    return [
        Feature("river", "river", [(0.0, y), (width, y), (width, y + 2), (0.0, y + 2)]),
        Feature("bridge", "bridge", [(a, y - 0.5), (a + 2, y - 0.5), (a + 2, y + 2.5), (a, y + 2.5)]),
        Feature("ford", "ford", [(b, y), (b + 3, y), (b + 3, y + 2), (b, y + 2)]),
        road,
    ]


def terrain(random: Random, width: float, depth: float) -> list[Feature]:
    found: list[Feature] = []
    if random.random() < 0.4:
        found += river(random, width, depth)
    for number in range(random.randint(4, 9)):
        at = spot(random, width, depth)
        what = random.random()
        if what < 0.5:
            kind = random.choice(AREAS)
            height = {"hill": 2.0, "building": 2.0, "wood": 2.0}.get(kind, 0.0)
            found.append(Feature(f"{kind}-{number}", kind, area_points(random, at), height=height))
        elif what < 0.75:
            kind = random.choice(LINES)
            closed = kind != "stream" and random.random() < 0.25
            points = area_points(random, at) if closed else line_points(random, at)
            tall = 2.0 if grounds()[kind].tall else 0.5
            found.append(Feature(f"{kind}-{number}", kind, points, closed=closed, height=tall))
        else:
            kind = random.choice(LAID)
            found.append(Feature(f"{kind}-{number}", kind, strip_points(random, at)))
    return found


# The troops.


def of_nation(nation: str, wanted: Callable[[Any], bool]) -> list[str]:
    return [key for key, kind in makes().items() if kind.nation in (nation, "any") and wanted(kind)]


def fights_on_foot(kind: Any) -> bool:
    return kind.category == "infantry" and bool(kind.weapons) and kind.key != "flame-team"


def platoon(random: Random, nation: str, name: str) -> tuple[dict[str, Team], dict[str, Any]]:
    """The Teams of one Unit, without places, and what else its Unit is."""
    rifles = of_nation(nation, lambda kind: fights_on_foot(kind) and not kind.small)
    sort = random.choice(("foot", "foot", "foot", "guns", "mortars", "tanks", "tanks", "mounted", "mounted", "cars"))
    teams: dict[str, Team] = {}
    if sort in ("tanks", "cars"):
        wheels = sort == "cars"
        keys = of_nation(
            nation, lambda kind: kind.vehicle and not kind.carries and (kind.mobility != "tracked") == wheels
        )
        key = random.choice(keys)
        for number in range(random.randint(1, 3)):
            teams[f"{name}-{number}"] = Team(key)
        light = sum(make(key).armor or (0, 0)) <= 2
        return teams, {"recon": light and random.random() < 0.5}
    teams[f"{name}-pl"] = Team("leader", role="pl")
    if sort == "guns":
        guns = of_nation(nation, lambda kind: kind.category == "gun" and not kind.portable)
        guns = [key for key in guns if not key.startswith("bunker")]
        key = random.choice(guns)
        teams |= {f"{name}-{number}": Team(key) for number in range(random.randint(1, 3))}
    elif sort == "mortars":
        keys = of_nation(nation, lambda kind: kind.portable and kind.artillery)
        key = random.choice(keys)
        teams |= {f"{name}-{number}": Team(key) for number in range(random.randint(2, 3))}
        teams[f"{name}-fo"] = Team("observer", role="fo")
    else:
        key = random.choice(rifles)
        traits: tuple[Any, ...] = ("engineer",) if random.random() < 0.3 else ()
        teams |= {f"{name}-{number}": Team(key, traits=traits) for number in range(random.randint(2, 5))}
        support = of_nation(nation, lambda kind: (kind.small and bool(kind.weapons)) or kind.portable)
        support.append("flame-team")
        if random.random() < 0.6:
            teams[f"{name}-s"] = Team(random.choice(support))
    if sort == "mounted":
        trucks = of_nation(nation, lambda kind: kind.carries > 0)
        teams |= {f"{name}-t{number}": Team(random.choice(trucks)) for number in range(random.randint(1, 2))}
    return teams, {"recon": sort == "foot" and random.random() < 0.2}


def condition(random: Random, team: Team, terrain_rule: bool) -> None:
    """What may have befallen a Team so far."""
    kind = make(team.profile)
    team.suppressed = random.random() < 0.2
    if random.random() < 0.25:
        team.rfps = random.randint(1, 2)
    if kind.category != "vehicle" and random.random() < 0.15:
        team.dug_in = True
    if random.random() < 0.1:
        team.activated = True
    team.bogged = kind.vehicle and random.random() < 0.05 and terrain_rule
    team.facing = float(random.choice((0, 90, 180, 270, random.randrange(360))))


class Crowd:
    """Where bases lie already, while a battle is being set up."""

    def __init__(self, random: Random, setup: Setup) -> None:
        self.random = random
        self.setup = setup
        self.width, self.depth = setup.table.width, setup.table.depth
        self.taken: list[tuple[str, Team, Point, Any]] = []
        self.edge = shapely.box(0, 0, self.width, self.depth)
        kinds = grounds()
        self.shapes = [(kinds[f.kind], outline(kinds[f.kind], tuple(f.points), f.closed), f) for f in setup.terrain]

    def interesting(self, side: str, team: Team) -> Point:
        """A place where something is just so, or any place."""
        random = self.random
        what = random.random()
        if what < 0.3 and self.shapes:
            _, shape, feature = random.choice(self.shapes)
            if random.random() < 0.4:
                return random.choice(feature.points)
            rim = shape.exterior if shape.geom_type == "Polygon" else shape
            at = rim.interpolate(random.random() * rim.length)
            return round(at.x, 2), round(at.y, 2)
        if what < 0.6 and self.taken:
            whose, other, at, _ = random.choice(self.taken)
            mine, his = make(team.profile), make(other.profile)
            gap = 0.0 if whose == side else random.choice((0.0, *LIMITS))
            apart = gap + (mine.width + his.width) / 2
            dx, dy = random.choice(((apart, 0.0), (-apart, 0.0), (0.0, apart), (0.0, -apart)))
            return round(at[0] + dx, 2), round(at[1] + dy, 2)
        if what < 0.7:
            kind = make(team.profile)
            x = random.choice((kind.width / 2, self.width - kind.width / 2))
            return round(x, 2), round(random.uniform(2, self.depth - 2), 2)
        return spot(random, self.width, self.depth, 1.5)

    def place(self, side: str, team: Team) -> bool:
        for _ in range(12):
            at = self.interesting(side, team)
            shape = base_at(team, at)
            if not self.edge.covers(shape) or any(shape.intersection(old).area > 0.005 for *_, old in self.taken):
                continue
            centre = shapely.Point(at)
            if any(kind.going == "impassable" and piece.intersects(shape) for kind, piece, _ in self.shapes):
                continue
            heavy = make(team.profile).mobility in ("gun", "half-tracked", "wheeled", "wagon")
            if heavy and any(k.going == "very-difficult" and piece.intersects(centre) for k, piece, _ in self.shapes):
                continue
            team.at = at
            self.taken.append((side, team, at, shape))
            return True
        return False


def muster(random: Random, options: Options, nation: str, side: str) -> dict[str, Unit]:
    """The Units of a side, without places."""
    found: dict[str, Unit] = {}
    for number in range(random.randint(2, 4)):
        name = f"{side}{number}"
        teams, more = platoon(random, nation, name)
        quality = random.choice(("average", "average", "elite", "poor"))
        found[name] = Unit(side, teams, nation=nation, quality=quality, **more)  # type: ignore[arg-type]
    if options.commander and random.random() < 0.7:
        found[f"{side}-cc"] = Unit(side, {f"{side}-cc": Team("commander", role="cc")}, nation=nation, kind="cc")  # type: ignore[arg-type]
    if options.snipers and random.random() < 0.5:
        sniper = Team("sniper", role="sniper", where="hidden")
        found[f"{side}-sniper"] = Unit(side, {f"{side}-sniper": sniper}, nation=nation, kind="sniper")  # type: ignore[arg-type]
    if options.fortifications and random.random() < 0.4:
        bunker = Team(random.choice(("bunker-mg", "bunker-gun")), role="bunker")
        found[f"{side}-bunker"] = Unit(side, {f"{side}-bunker": bunker}, nation=nation, kind="bunker")  # type: ignore[arg-type]
    tanks = [name for name, unit in found.items() if all(make(t.profile).vehicle for t in unit.teams.values())]
    if options.riders and tanks and random.random() < 0.6:
        on = random.choice(tanks)
        key = random.choice(of_nation(nation, lambda kind: fights_on_foot(kind) and not kind.small))
        riders = {f"{tank}-r": Team(key, role="rider", where="aboard", carrier=tank) for tank in found[on].teams}
        found[f"{side}-riders"] = Unit(side, riders, nation=nation, kind="riders", tanks=on)  # type: ignore[arg-type]
    return found


def battle(seed: int) -> Setup:
    """A battle under way, by chance; the same for the same seed."""
    random = Random(f"hard table {seed}")
    share = random.choice((0.0, 0.4, 0.7, 1.0))
    names = [name for name in Options.__struct_fields__ if name not in ("gun_or_mgs", "follow_the_leader")]
    chosen = {name: random.random() < share for name in names}
    options = Options(**chosen, follow_the_leader=random.random() < 0.5, gun_or_mgs=random.random() < 0.8)
    width, depth = float(random.choice((30, 36, 44))), float(random.choice((30, 36)))
    nations = {side: random.choice(NATIONS) for side in SIDES}
    units: dict[str, Unit] = {}
    for side in SIDES:
        units |= muster(random, options, nations[side], side)
    setup = Setup(table=Table(width, depth), units=units, options=options, terrain=terrain(random, width, depth))
    setup.attacker = random.choice(("red", "blue"))
    setup.active = random.choice(("red", "blue"))
    setup.phase, setup.rounds = "orders", ROUNDS
    arrange(random, setup)
    for side in SIDES:
        company = Company(nation=nations[side])  # type: ignore[arg-type]
        company.order_points = random.randint(1, 6) if side == setup.active else 0
        company.hero_points = random.randint(0, 5)
        company.turns = random.randint(1, 4)
        company.break_limit = random.choice((0, 6, 30))
        setup.companies[side] = company
    for number in range(random.randint(1, 3)):
        setup.objectives[f"o{number}"] = Objective(spot(random, width, depth, 6.0), f"Objective {number}")
    return setup


def arrange(random: Random, setup: Setup) -> None:
    """Put everybody somewhere: on the table, or where troops wait. Who finds no room is left out."""
    here = Crowd(random, setup)
    for name, unit in list(setup.units.items()):
        if unit.kind in ("riders", "sniper"):
            continue
        vehicles = all(make(team.profile).vehicle for team in unit.teams.values())
        waits = ""
        if not unit.kind and random.random() < 0.25:
            waits = "edge" if unit.side == setup.attacker else random.choice(("hidden", "reserve"))
            if waits == "hidden" and vehicles:
                waits = "reserve"
        for team_id, team in list(unit.teams.items()):
            condition(random, team, setup.options.terrain)
            rear = waits and waits != "reserve" and make(team.profile).carries and not vehicles
            if waits:
                fresh(team)
                team.where = "rear" if rear else waits  # type: ignore[assignment]
                team.dug_in = waits == "hidden" and unit.side != setup.attacker
            elif team.role == "bunker":
                fresh(team)
            if team.where == "" and not here.place(unit.side, team):
                del unit.teams[team_id]
        board_some(random, unit)
        if not any(team.at is not None or team.where for team in unit.teams.values()) or not unit.teams:
            del setup.units[name]
    for name, unit in list(setup.units.items()):
        if unit.kind == "riders":
            kept = {key: team for key, team in unit.teams.items() if find(setup, team.carrier) is not None}
            unit.teams = kept
            if not kept:
                del setup.units[name]


def fresh(team: Team) -> None:
    """Nobody has fired at who has not shown himself."""
    team.suppressed = team.dug_in = team.activated = team.bogged = False
    team.rfps = 0


def board_some(random: Random, unit: Unit) -> None:
    """Now and then a Team has got into a Transport of its Unit already."""
    rides = [team_id for team_id, team in unit.teams.items() if make(team.profile).carries and team.at is not None]
    if not rides or all(make(team.profile).carries for team in unit.teams.values()):
        return
    room = {ride: make(unit.teams[ride].profile).carries for ride in rides}
    for team in unit.teams.values():
        kind = make(team.profile)
        ride = random.choice(rides)
        if kind.vehicle or team.at is None or kind.mobility == "gun" or random.random() < 0.5 or not room[ride]:
            continue
        room[ride] -= 1
        team.at, team.where, team.carrier, team.dug_in = None, "aboard", ride, False


# Answers that make something happen.


def steered(watch: Watch) -> Callable[[Question, Random], Any]:
    """Answers by chance, with a liking for what is rare; `watch` follows the same game."""

    def choose(question: Question, random: Random) -> Any:
        if question.topic in ("activate", "react"):
            return lively(question, random)
        if isinstance(question, MovePieces) and question.topic in ("move", "form-move", "leader-move", "leave"):
            answer = daring_ways(watch, question, random)
            if answer is not None:
                return answer
        if isinstance(question, Assign) and question.topic == "orders" and random.random() < 0.5:
            answer = all_move(question, random)
            if answer is not None:
                return answer
        if question.topic == "transport" and random.random() < 0.5:
            listed = question.answers() or []
            return random.choice(listed) if listed else question.sample(random)
        return question.sample(random)

    return choose


def lively(question: Question, random: Random) -> Any:
    """Seldom the end of a turn while somebody could act, and often a call."""
    listed = question.answers() or []
    calls = [answer for answer in listed if ":" in str(answer) or answer in ("reserves", "massed-assault", "reveal")]
    if calls and random.random() < 0.25:
        return random.choice(calls)
    for _ in range(3):
        answer = question.sample(random)
        if answer != "end" and (answer != "pass" or random.random() < 0.5):
            return answer
    return answer


def all_move(question: Assign, random: Random) -> Any:
    """Move orders for most of those who may be given one; None if the game does not take them."""
    able = [name for name, options in question.items.items() if any(option.id == "move" for option in options)]
    chosen = {name: "move" for name in able if random.random() < 0.8}
    checked = question.check(chosen) if chosen else None
    return None if isinstance(checked, Refusal) else checked


def daring_ways(watch: Watch, question: MovePieces, random: Random) -> Any:
    """A way for each piece to a place that matters, if the game takes it; None if it takes none of some tries."""
    for _ in range(2):
        answer: dict[str, Any] = {}
        goal = random.choice(goals(watch, random, question.names))
        for name in question.names:
            found = find(watch.state, name)
            if found is None or found[1].at is None or random.random() < 0.25:
                continue
            answer[name] = daring_way(watch, random, found[1], goal)
        for trial in (answer, dict(list(answer.items())[:1])):
            if trial:
                checked = question.check(trial)
                if not isinstance(checked, Refusal):
                    return checked
    return None


def goals(watch: Watch, random: Random, names: Sequence[str]) -> list[Any]:
    """Bases of enemies, pieces of ground, and points of the table's edge."""
    state = watch.state
    own = next((found[0].side for name in names if (found := find(state, name)) is not None), "red")
    width, depth = watch.setup.table.width, watch.setup.table.depth
    places: list[Any] = [base_at(team, team.at) for _, team in standing(state, enemy(own))]
    places += [
        outline(grounds()[each.kind], tuple(each.points), each.closed) for each in watch.setup.terrain for _ in (0, 1)
    ]
    return [*places, shapely.Point(random.random() * width, random.choice((0.0, depth)))]


def daring_way(watch: Watch, random: Random, team: Team, goal: Any) -> dict[str, Any]:
    """Up to the goal, onto its border, into its midst or through it; with a corner now and then."""
    assert team.at is not None
    x, y = team.at
    there = nearest_points(shapely.Point(x, y), goal)[1]
    dx, dy = there.x - x, there.y - y
    far = math.hypot(dx, dy) or 1.0
    what = random.random()
    if what < 0.45:
        # Just so far that the base touches, or ends at the table's edge.
        here = base_at(team, team.at)
        step = here.distance(goal)
        part = min(1.0, step / far)
    elif what < 0.7:
        part = 1.0
    else:
        part = 1.0 + random.random() * 4.0 / far
    most = 18.0 if make(team.profile).vehicle else 12.0
    part = min(part, most / far)
    end = (round(x + dx * part, 2), round(y + dy * part, 2))
    way: dict[str, Any] = {"to": list(end)}
    if random.random() < 0.3:
        middle = (x + end[0]) / 2, (y + end[1]) / 2
        way["via"] = [[round(middle[0] + random.uniform(-2, 2), 2), round(middle[1] + random.uniform(-2, 2), 2)]]
    if make(team.profile).category != "infantry" and random.random() < 0.8:
        a, b = way.get("via", [[x, y]])[-1]
        way["facing"] = round(math.degrees(math.atan2(end[0] - a, end[1] - b)) % 360.0, 2)
    return way
