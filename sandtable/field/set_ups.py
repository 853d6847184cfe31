"""What may be wrong with a set-up in any game: bases, places, terrain, numbers and names.

Each check yields the path of a fault and words that say what would be right; a ruleset's `faults` join them with
what its own rules forbid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from math import isfinite
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.engine.data_words import did_you_mean
from sandtable.engine.numbers import Whole
from sandtable.engine.toml_lines import Steps
from sandtable.field.troops import SIDES
from sandtable.table.shapes import Footprint, Place, bodies
from sandtable.table.terrain import Feature

LARGEST_TABLE = 240.0
"""Inches. No table is larger than any that people play on."""

FULL_TURN = 360.0
OVERLAP = 0.05
"""Bases that overlap by less than this stand side by side."""

MOST_NAMES = 30
"""More known names than this are not listed."""

Point = tuple[float, float]
Faults = Iterator[tuple[Steps, str]]
T = TypeVar("T")
U = TypeVar("U", bound=Any)
"""A unit with its `id` and its `teams`, each with an `id`."""


class Base(NamedTuple):
    """A base that stands on the table, and where the set-up says so."""

    at: Steps
    name: str
    footprint: Footprint
    place: Place


class Sized(Protocol):
    @property
    def width(self) -> float: ...
    @property
    def depth(self) -> float: ...


class Ground(Protocol):
    """A table with terrain."""

    @property
    def table(self) -> Sized: ...
    @property
    def terrain(self) -> Sequence[Feature]: ...


class Land(Ground, Protocol):
    """A table with terrain, zones by side, and objectives with a place `at` and maybe a `holder`."""

    @property
    def zones(self) -> Mapping[Any, Sequence[Point]]: ...
    @property
    def objectives(self) -> Mapping[str, Any]: ...


class Battle(Ground, Protocol):
    """A set-up with units on a table."""

    @property
    def units(self) -> Mapping[str, Any]: ...


class Rounds(Protocol):
    """A set-up of a battle that has some rounds, and is in one of them."""

    @property
    def rounds(self) -> int: ...
    @property
    def round(self) -> int: ...


class Engagement(Land, Battle, Rounds, Protocol):
    """A set-up of a battle between two companies, on ground and in rounds."""

    @property
    def companies(self) -> Mapping[str, Any]: ...


def cited(words: str, rule: str) -> str:
    """What is wrong, with the rule that says so."""
    return f"{words} ({rule})"


def battle_amiss(
    setup: Battle, shapes: Mapping[str, str], profiles: Collection[str], sides: Sequence[str] = SIDES
) -> Faults:
    """What any battle forbids: a table of no size, terrain that is none, names twice, bases on one another.

    And a side without a unit, for there would be nobody to fight. `shapes` is as in `terrain_amiss`.
    """
    yield from table_amiss(setup.table)
    yield from terrain_amiss(setup.terrain, shapes, setup.table)
    yield from troops_amiss(setup, profiles)
    for side in sides:
        if all(unit.side != side for unit in setup.units.values()):
            yield ("units",), f"{side} has no unit: give it one"


def engagement_amiss(
    setup: Engagement, shapes: Mapping[str, str], profiles: Collection[str], began: str, now: Mapping[Any, int]
) -> Faults:
    """What any battle between two companies forbids; `began` and `now` are as in `companies_amiss`."""
    yield from ground_amiss(setup, shapes)
    yield from rounds_amiss(setup)
    yield from troops_amiss(setup, profiles)
    yield from companies_amiss(setup.companies, began, now)


def ground_amiss(land: Land, shapes: Mapping[str, str], sides: Sequence[str] = SIDES) -> Faults:
    """What is wrong with the ground that a battle is fought on and for."""
    yield from table_amiss(land.table)
    yield from terrain_amiss(land.terrain, shapes, land.table)
    yield from zones_amiss(land.zones, sides, land.table)
    for name, objective in land.objectives.items():
        yield from point_amiss(("objectives", name, "at"), objective.at, land.table)
        if objective.holder:
            yield from unknown_name(("objectives", name, "holder"), objective.holder, sides, "side")


def rounds_amiss(setup: Rounds) -> Faults:
    yield from below((), setup, ("rounds", "round"), 1)
    if setup.round > setup.rounds:
        yield ("round",), f"the battle has {setup.rounds} rounds: give one of them, or more `rounds`"


def troops_amiss(setup: Battle, profiles: Collection[str]) -> Faults:
    """Names twice, kinds that nobody knows, facings that are none, and bases off the table or on one another."""
    yield from names_amiss(setup.units)
    for unit_id, unit in setup.units.items():
        for team_id, team in unit.teams.items():
            steps = ("units", unit_id, "teams", team_id)
            yield from unknown_name((*steps, "profile"), team.profile, profiles, "profile")
            yield from facing_amiss((*steps, "facing"), team.facing)
    yield from bases_amiss(standing_bases(setup.units, profiles), setup.table)


def companies_amiss(companies: Mapping[str, Any], began: str, now: Mapping[Any, int]) -> Faults:
    """What is written of each side: its numbers, and how many units it `began` with, no fewer than it has `now`."""
    yield from sides_amiss(("companies",), companies, list(now))
    for side, company in companies.items():
        counts = [field.name for field in msgspec.structs.fields(company) if field.type == Whole]
        yield from below(("companies", side), company, counts)
        yield from began_amiss(("companies", side, began), getattr(company, began), now.get(side, 0), "Units")


def began_amiss(steps: Steps, began: int, now: int, noun: str) -> Faults:
    """Whoever says how many there were at first, says no fewer than there are."""
    if 0 < began < now:
        yield steps, f"it began with no fewer {noun} than it has now: {now} or more, or leave it out"


def in_common(setup: Any, state_type: type[Any]) -> dict[str, Any]:
    """What a set-up says that a state keeps under the same name."""
    return {name: getattr(setup, name) for name in state_type.__struct_fields__ if name in setup.__struct_fields__}


def copied(value: T) -> T:
    """A copy of plain data that shares nothing with it."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value))


def begun(units: Mapping[str, U]) -> dict[str, U]:
    """A copy of a set-up's units for the first state, each piece and unit with the name that it is written under."""
    copy = deepcopy(dict(units))
    name_all(copy)
    return copy


def name_all(units: Mapping[str, Any]) -> None:
    """Give each unit and piece the name that it is written under."""
    for unit_id, unit in units.items():
        unit.id = unit_id
        for team_id, team in unit.teams.items():
            team.id = team_id


# Names.


def unknown_name(
    steps: Steps, name: str, known: Collection[str], noun: str, listed: Collection[str] | None = None
) -> Faults:
    """A name that is none of those known, with the nearest; all that are known, or those `listed`, unless too many."""
    if name not in known:
        many = listed is None and len(known) > MOST_NAMES
        names = ", ".join(known if listed is None else listed) or "none"
        told = "`sandtable rules topics` lists them" if many else f"known: {names}"
        yield steps, f"unknown {noun} {name!r}; {did_you_mean(name, known)}{told}"


def names_amiss(units: Mapping[str, Any]) -> Faults:
    """Every Team is called by its own name among all Teams of both sides, and by the name that it is written under."""
    seen: dict[str, str] = {}
    for unit_id, unit in units.items():
        if unit.id not in ("", unit_id):
            yield ("units", unit_id, "id"), f"the Unit is called {unit_id!r}: leave `id` out"
        if not unit.teams:
            yield ("units", unit_id, "teams"), "a Unit needs at least one Team"
        for team_id, team in unit.teams.items():
            steps = ("units", unit_id, "teams", team_id)
            if team_id in seen:
                yield steps, f"the name is used by another Team, of {seen[team_id]}: give each its own"
            seen.setdefault(team_id, unit_id)
            if team.id not in ("", team_id):
                yield (*steps, "id"), f"the Team is called {team_id!r}: leave `id` out"


def unknown_names(key: str, names: Collection[str], known: Collection[str], noun: str) -> Faults:
    """Names in a list, or the keys of a table, that are none of those known."""
    for place, name in zip(names, names, strict=True) if isinstance(names, Mapping) else enumerate(names):
        yield from unknown_name((key, place), name, known, noun)


def sides_amiss(steps: Steps, table: Mapping[str, Any], sides: Sequence[str]) -> Faults:
    for side in table:
        yield from unknown_name((*steps, side), side, sides, "side")


# Numbers.


def below(steps: Steps, thing: Any, fields: Iterable[str], least: float = 0) -> Faults:
    """Fields of a thing that are below what they count from, or no numbers."""
    for field in fields:
        value = getattr(thing, field)
        if value is not None and not (isfinite(value) and value >= least):
            yield (*steps, field), f"{value:g} is too little: give a number from {least:g} on"


def facing_amiss(steps: Steps, facing: float | None) -> Faults:
    if facing is not None and not (isfinite(facing) and abs(facing) <= FULL_TURN):
        yield steps, f"{facing:g} is no facing: give a compass bearing, 0 for north to 360, 90 for east"


def table_amiss(table: Sized) -> Faults:
    for field in ("width", "depth"):
        size = getattr(table, field)
        if not 0 < size <= LARGEST_TABLE:
            yield (
                ("table", field),
                f"{size:g} is no size: a table has a width and a depth, up to {LARGEST_TABLE:g} inches",
            )


# Places.


def on_table(point: Point, table: Sized, stray: float = 0.0) -> bool:
    return -stray <= point[0] <= table.width + stray and -stray <= point[1] <= table.depth + stray


def point_amiss(steps: Steps, point: Point | None, table: Sized, stray: float = 0.0) -> Faults:
    """A point that is off the table, or farther off than what falls there may `stray`."""
    if point is not None and not on_table(point, table, stray):
        size = f"0 to {table.width:g} from west to east, 0 to {table.depth:g} from south to north"
        yield steps, f"{point[0]:g}, {point[1]:g} is off the table: {size}"


def laid_amiss(key: str, things: Sequence[Any], table: Sized, counts: Iterable[str] = (), stray: float = 0.0) -> Faults:
    """What is wrong with things that lie `at` a place, under a key of the set-up: their places, facings and counts."""
    for index, thing in enumerate(things):
        yield from point_amiss((key, index, "at"), thing.at, table, stray)
        yield from facing_amiss((key, index, "facing"), getattr(thing, "facing", None))
        yield from below((key, index), thing, counts)


def has_floor(features: Iterable[Feature], point: Point, level: int) -> bool:
    """Whether some piece of terrain has a floor of such a level, roughly at a point."""
    for feature in features:
        xs, ys = zip(*feature.points, strict=True)
        if feature.levels > level and min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys):
            return True
    return False


def standing_bases(units: Mapping[str, Any], profiles: Collection[str]) -> list[Base]:
    """The Teams of known profiles that stand on the table."""
    return [
        Base(("units", unit_id, "teams", team_id), team_id, team.kind.base, Place(team.at[0], team.at[1], team.facing))
        for unit_id, unit in units.items()
        for team_id, team in unit.teams.items()
        if team.at is not None and team.profile in profiles
    ]


def bases_amiss(bases: Sequence[Base], table: Sized) -> Faults:
    """Bases that are off the table or lie upon one another."""
    from sandtable.table import distance, moves

    for base in bases:
        if not isfinite(base.place.x + base.place.y):
            yield (*base.at, "at"), "this is no place: give [x, y] in inches"
    sound = [base for base in bases if isfinite(base.place.x + base.place.y + base.place.facing)]
    if not sound:
        return
    rows = bodies((base.footprint, base.place) for base in sound)
    for base, inside in zip(sound, moves.on_table(rows, table.width, table.depth), strict=True):
        if not inside:
            wide, deep = base.footprint.size
            size = f"its base is {wide:g} by {deep:g}, the table {table.width:g} by {table.depth:g}"
            yield (*base.at, "at"), f"{base.name} is off the table, in whole or in part: {size}"
    clash = distance.overlaps(rows, rows, OVERLAP)
    for (number, first), (other, second) in combinations(enumerate(sound), 2):
        if clash[number, other]:
            sizes = f"their bases are {_size(first)} and {_size(second)}"
            yield (
                (*second.at, "at"),
                f"{second.name} stands on the base of {first.name}; {sizes}: set them farther apart",
            )


def _size(base: Base) -> str:
    return f"{base.footprint.width:g} by {base.footprint.depth:g}"


# Terrain.


def terrain_amiss(
    features: Sequence[Feature],
    shapes: Mapping[str, str],
    table: Sized,
    key: str = "terrain",
    others: Sequence[Feature] = (),
) -> Faults:
    """What is wrong with the features under a key of the set-up; `others` stand under another key.

    `shapes` gives each kind its shape: a line, or one of the areas.
    """
    names = {feature.id for feature in others}
    for index, feature in enumerate(features):
        steps = (key, index)
        yield from unknown_name((*steps, "kind"), feature.kind, shapes, "terrain")
        if feature.id in names:
            yield (*steps, "id"), f"another piece of terrain is called {feature.id!r}: give each its own name"
        names.add(feature.id)
        yield from below(steps, feature, ("height", "floor"))
        yield from below(steps, feature, ("levels",), 1)
        if not feature.closed and shapes.get(feature.kind, "line") in ("area", "hill", "thing"):
            yield (*steps, "closed"), f"{feature.kind} is an area and has a closed outline: leave `closed` out"
        yield from outline_amiss((*steps, "points"), feature.points, feature.closed)
        for number, point in enumerate(feature.points):
            yield from point_amiss((*steps, "points", number), point, table)


def outline_amiss(steps: Steps, points: Sequence[Point], closed: bool = True) -> Faults:
    """An outline with too few corners, or one that crosses itself."""
    corners = [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]
    if closed and len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if len(corners) < (3 if closed else 2):
        yield steps, "an area needs three points, a line (closed = false) two"
    elif closed:
        crossing = _crossing(corners)
        if crossing is not None:
            (ax, ay), (bx, by) = crossing
            where = f"the sides that begin at {ax:g}, {ay:g} and {bx:g}, {by:g} meet"
            yield steps, f"the outline crosses itself: {where}; give the corners in their order round the area"


def _crossing(corners: Sequence[Point]) -> tuple[Point, Point] | None:
    """The first corners of two sides of an outline that meet although they are not neighbours."""
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    if len(sides) == 3 and _turn(*corners) == 0:
        return corners[0], corners[1]
    for (first, side), (second, other) in combinations(enumerate(sides), 2):
        if second - first not in (1, len(sides) - 1) and _meet(*side, *other):
            return side[0], other[0]
    return None


def _turn(a: Point, b: Point, c: Point) -> float:
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return 0.0 if abs(cross) < 1e-9 else cross


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    turns = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((turns[0], a, b, c), (turns[1], a, b, d), (turns[2], c, d, a), (turns[3], c, d, b))
    return any(turn == 0 and _between(p, q, end) for turn, p, q, end in ends)


def _between(p: Point, q: Point, end: Point) -> bool:
    low, high = (min(p[0], q[0]), min(p[1], q[1])), (max(p[0], q[0]), max(p[1], q[1]))
    return low[0] <= end[0] <= high[0] and low[1] <= end[1] <= high[1]


def zones_amiss(zones: Mapping[str, Sequence[Point]], sides: Sequence[str], table: Sized) -> Faults:
    yield from sides_amiss(("zones",), zones, sides)
    for side, points in zones.items():
        yield from outline_amiss(("zones", side), points)
        for number, point in enumerate(points):
            yield from point_amiss(("zones", side, number), point, table)
