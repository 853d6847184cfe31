"""Moves: how far, over what ground, past whom, and where they may end."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

from shapely import unary_union
from shapely.geometry import LineString, Point

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import answer, course
from sandtable.testing.umpire.sof.ranks import (
    Body,
    about,
    body_of,
    marched,
    pitch_of,
    slots,
    stands_in_ranks,
    well_aligned,
)
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import AGILITY, IMPASSABLE, LESS, RATES, SLOW_HORSES, special_of
from sandtable.testing.umpire.sof.table import (
    CONTACT,
    HAIR,
    NEVER,
    Maybe,
    Piece,
    Spot,
    any_of,
    apart,
    bearing,
    both,
    enemies,
    figures,
    gap,
    in_command,
    length,
    on_table,
    pieces,
    placed,
    radius,
    there,
    turn_between,
    under,
    unit_sees,
)

GAP = 2.0
ASTRAY = 15.0
"""So many degrees beside the enemy is still straight at him."""
SCOUTS_APART = 12.0
EXACT = 1e-9
PHASE_ZERO_REACH = 36.0
ROAD_BONUS = 4.0
TALL = ("stone-wall", "hedgerow", "high-wall")
HIGHEST = {"mounted": 0.5, "weapon": 1.0}
"""How high an obstacle they cross; infantry climbs over any."""
JUST_BEYOND = 0.5
ROUNDING = 0.02
AT_THE_EDGE = 0.1
"""Whoever is halted at the edge of some ground is no farther from it."""
LEAST_LONGER = 0.3
"""How much of what a Fall-Back is longer may be more than was needed."""
LOW = ("ditch", "gully", "ravine")
MIDWAY = ("recon-reroll", "deploy-as", "deploy", "deploy-body")
"""What may be asked in the middle of a move: of a die, and of a unit that comes out of its ambush."""


class Way(NamedTuple):
    """The way of one figure, and how broad it is."""

    name: str
    spots: list[Spot]
    radius: float

    @property
    def line(self) -> Any:
        distinct = [self.spots[0]]
        for spot in self.spots[1:]:
            if spot != distinct[-1]:
                distinct.append(spot)
        return LineString(distinct) if len(distinct) > 1 else Point(distinct[0])


# What an action brings along: kept when it is told.


@book.on("action")
def remember_how_it_stood(watch: Watch, event: Event) -> None:
    """The formation at the start of the action counts for what formations add to a move."""
    unit = watch.state.units[event.data["unit"]]
    watch.memory["sof.start"] = unit
    watch.memory["sof.order"] = ""


@book.on("order")
def an_order_to_a_body(watch: Watch, event: Event) -> None:
    watch.count("orders to bodies in ranks")
    act = course(watch).act
    unit, order = watch.state.units[event.data["unit"]], event.data["order"]
    watch.memory["sof.order"] = order
    if act is None or act.actions[-1:] != ["double-time"] or unit.formation != "linear":
        watch.object_to("sof.movement.change-alignment", f"{unit.id} is ordered {order} without Double Time")
    if order == "face" and not any(figure.role in ("nco", "senior-nco") for figure in figures(unit)):
        watch.object_to("sof.movement.linear-other-facing", f"{unit.id} has no NCO to form up on")
    if order == "column" and len(unit.teams) < 10:
        watch.object_to("sof.formations.column", f"{len(unit.teams)} figures of {unit.id} form a column")


@book.on("formation")
def a_formation_is_changed(watch: Watch, event: Event) -> None:
    watch.count("formations changed")
    act = course(watch).act
    before = watch.earlier.units[event.data["unit"]]
    action = act.actions[-1] if act is not None and act.actions else ""
    mounted = before.type == "mounted" and action == "maneuver"
    if action not in ("double-time", "fall-back") and not mounted:
        watch.object_to("sof.movement.change-formation", f"{before.id} changes its formation in an action {action!r}")
    wanted = event.data["formation"]
    if wanted not in (*before.formations, "loose"):
        watch.object_to("sof.formations.which-allowed", f"{before.id} takes {wanted} order")
    if before.type == "weapon":
        watch.object_to("sof.formations.weapon-gun-always-loose", f"{before.id} changes its formation")


# Ground that slows.


def rate(watch: Watch, unit: Any, manner: str) -> float:
    """How far a unit may go in the open."""
    start = watch.memory.get("sof.start")
    start = start if start is not None and start.id == unit.id and manner_is_own(watch, unit) else unit
    order = watch.memory.get("sof.order", "") if start is not unit else ""
    kind = "double-time" if manner == "fall-back" else manner
    slow = order in ("about-face", "line", "column", "march-column", "face")
    rides = unit.type == "mounted" and unit.motorcycles
    found = RATES["motorcycles" if rides else unit.type].get("maneuver" if slow else kind, 0.0)
    carried = {rule for figure in figures(unit) for rule in special_of(figure)}
    if "cumbersome" in carried:
        found /= 2
    if kind == "double-time":
        found += 4 * ("dog-cart" in carried) + ("mule-team" in carried)
    if start.formation == "extended":
        found += 1
    if start.formation == "linear" and start.alignment == "column":
        found += 1
    if start.formation == "linear" and start.alignment == "march-column" and kind == "double-time" and not slow:
        found += 4
    if "bulky" in carried:
        found -= 1
    return found


def manner_is_own(watch: Watch, unit: Any) -> bool:
    act = course(watch).act
    return act is not None and act.unit == unit.id and unit.id not in course(watch).forced


class Met(NamedTuple):
    """A piece of ground that a move meets: how far along its way the first model is when it does.

    `sure`: some model plainly moves in it. `enters`, `leaves`: whether some model comes in from outside, or goes out.
    """

    piece: Piece
    at: float
    sure: bool
    leaves: Maybe
    left_at: float
    enters: Maybe
    entered_at: float


def ground_met(watch: Watch, ways: list[Way]) -> list[Met]:
    found = []
    for piece in pieces(watch):
        met = [each for way in ways if (each := entered(piece, way)) is not None]
        if met:
            found.append(
                Met(
                    piece,
                    min(each.at for each in met),
                    any(each.sure for each in met),
                    any_of([each.leaves for each in met]),
                    min((each.left_at for each in met if each.leaves.may), default=math.inf),
                    any_of([each.enters for each in met]),
                    min((each.at for each in met if each.enters.may), default=math.inf),
                )
            )
    return sorted(found, key=lambda met: met.at)


def entered(piece: Piece, way: Way) -> Met | None:
    """Where a figure's middle comes into a piece: how far along, whether plainly, and whether it comes out again."""
    line = way.line
    if line.geom_type == "Point" or not line.intersects(piece.large):
        return None
    if not piece.area:
        crossed = piece.crossed(line)
        at = line.project(line.intersection(piece.large).centroid)
        return Met(piece, at, crossed.sure, NEVER, math.inf, NEVER, math.inf)
    at = min(line.project(Point(spot)) for part in parts_of(line.intersection(piece.large)) for spot in part.coords)
    deep = parts_of(line.intersection(piece.small))
    sure = sum(part.length for part in deep) > HAIR
    start, end = piece.holds(way.spots[0]), piece.holds(way.spots[-1])
    enters = Maybe(sure and not start.may, not start.sure or len(deep) > 1)
    leaves = Maybe(sure and not end.may, not end.sure or len(deep) > 1)
    out = max((line.project(Point(spot)) for part in deep for spot in part.coords), default=at)
    return Met(piece, at, sure, leaves, out, enters, at)


def parts_of(shape: Any) -> list[Any]:
    return [part for part in getattr(shape, "geoms", [shape]) if not part.is_empty]


def reductions(watch: Watch, unit: Any, met: list[Met]) -> list[tuple[float, Met | None, str, bool]]:
    """What shortens a move, in the order in which it is met: where, by what, how, and whether plainly."""
    found: list[tuple[float, Met | None, str, bool]] = []
    for each in met:
        kind = each.piece.kind
        if kind in LOW and unit.type == "weapon":
            continue
        if kind in TALL and unit.type == "weapon":
            continue
        if kind == "hasty-trench":
            if each.enters.may:
                found.append((each.entered_at, each, "1", each.enters.sure))
            if each.leaves.may:
                found.append((min(each.left_at, 99.0), each, "1", each.leaves.sure))
        elif kind == "undergrowth":
            found.append((each.at, each, "half", each.sure))
        elif kind in TALL:
            # As many inches as it goes up and down again: an inch for each level.
            found.append((each.at, each, f"{2 * each.piece.height:g}", each.sure))
        elif kind in LESS:
            found.append((each.at, each, f"{LESS[kind]:g}", each.sure))
    return sorted(found, key=lambda each: each[0])


def linear_inch(unit: Any, met: list[Met]) -> tuple[float, bool] | None:
    """Where a body in linear order first comes into any terrain, which costs it an inch more, and whether plainly."""
    if unit.formation != "linear":
        return None
    counted = [each for each in met if each.piece.kind != "road" or unit.alignment != "march-column"]
    first = min(counted, key=lambda each: each.at, default=None)
    return None if first is None else (first.at, any(each.sure for each in met if each.piece.kind != "road"))


def shortened(inches: float, steps: list[str]) -> float:
    for step in steps:
        inches = max(1.0, inches / 2 if step == "half" else inches - float(step))
    return inches


def along_the_road(watch: Watch, unit: Any, ways: list[Way]) -> tuple[bool, bool]:
    """Whether all of a unit moves along roads: plainly, and perhaps."""
    roads = [piece for piece in pieces(watch) if piece.kind == "road"]
    if not roads or not ways:
        return False, False
    if unit.formation == "linear" and unit.alignment != "march-column":
        return False, False
    lines = [way.line for way in ways]
    still = [figure for figure in figures(unit) if figure.id not in {way.name for way in ways}]
    # Where roads cross, one goes from the one on to the other.
    plainly, perhaps = (unary_union([getattr(road, part) for road in roads]) for part in ("small", "large"))
    sure = all(line.within(plainly) for line in lines) and all(Point(each.at).within(plainly) for each in still)
    return sure, all(line.within(perhaps) for line in lines)


def allowance(watch: Watch, unit: Any, manner: str, ways: list[Way]) -> tuple[float, float]:
    """How far a unit may go on these ways: the least and the most, where it is too close to call."""
    base = rate(watch, unit, manner)
    sure, may = along_the_road(watch, unit, ways)
    follows: Maybe = watch.memory.get("sof.follows", Maybe(False, False))
    sure, may = sure or follows.sure, may or follows.may
    bonus = ROAD_BONUS if manner == "double-time" else 0.0
    if sure:
        return base + bonus, base + bonus
    met = ground_met(watch, ways)
    steps = reductions(watch, unit, met)
    beside = any(each.piece.kind in LOW and each.at <= 1.0 for each in met)
    found = [(at, how, plain) for at, _, how, plain in steps]
    inch = linear_inch(unit, met)
    # When the inch of linear order comes off the source does not say: with the first ground that is met, or at last.
    orders = [found] if inch is None else [sorted([*found, (inch[0], "1", inch[1])]), [*found, (99.0, "1", inch[1])]]
    lefts = [shortened(base, [how for _, how, _ in order]) for order in orders]
    lefts += [shortened(base, [how for _, how, plain in order if plain]) for order in orders]
    low, high = min(lefts), max(lefts)
    # Who begins beside a low obstacle gets across it whatever is left of his move.
    return 0.0 if beside or low < 0 else low, base + bonus if may else high


# The move itself.


@book.on("move")
def a_move(watch: Watch, event: Event) -> None:
    watch.count("moves")
    kept, state, data = course(watch), watch.state, event.data
    unit = state.units[data["unit"]]
    ways = [
        Way(name, [(float(x), float(y)) for x, y in spots], radius(unit.teams[name]))
        for name, spots in data["ways"].items()
    ]
    scouting = state.phase == "scout" or (kept.stage == "turn" and unit.id not in kept.forced)
    watch.memory["sof.apart"] = SCOUTS_APART if scouting else GAP
    if scouting:
        watch.count("Scout Moves")
        watch.memory["sof.start"] = None
    manner = data["manner"]
    ordered = kept.act is not None and kept.act.unit == unit.id and kept.act.actions[-1:] == ["fall-back"]
    forced = unit.id in kept.forced and manner == "fall-back" and not ordered
    as_ordered(watch, unit, manner, scouting=scouting, forced=forced)
    watch.memory["sof.moved"] = (unit.id, manner, ways, state, forced)
    legs = march_answer(watch)
    watch.memory["sof.follows"] = Maybe(False, False)
    if legs is not None and not forced:
        march(watch, event, unit, legs)
    else:
        open_move(watch, event, unit, ways, forced)
    least, most = allowance(watch, unit, manner, ways)
    # Whether somebody who only forms up moves along a road nobody can say, and it makes no difference.
    goes = any(length(way.spots) > 0 for way in ways)
    if goes and not forced and not least - ROUNDING <= data["allowed"] <= most + ROUNDING:
        watch.object_to(
            "sof.terrain.movement-reduction-procedure",
            f"{unit.id} may go {data['allowed']} inches by {manner}, and not {least:g} to {most:g}",
        )
    if forced or data["inches"] <= most + HAIR:
        return
    reaches = unit.type == "weapon" and reach_a_wall(watch, ways, most)
    if not reaches and not (manner == "fall-back" and blocked(watch, unit, ways, most)):
        watch.object_to("sof.movement.each-model", f"{unit.id} goes {data['inches']} of {most:g} inches")


def as_ordered(watch: Watch, unit: Any, manner: str, *, scouting: bool, forced: bool) -> None:
    """A move is made in the manner of its action; a Scout Move at Double Time, a breakthrough as a Maneuver."""
    act = course(watch).act
    rides = watch.memory.get("sof.rides")
    if scouting:
        due = "double-time"
    elif forced:
        due = "fall-back"
    elif rides == (unit.id, ""):
        due = "maneuver"
    else:
        due = act.actions[-1] if act is not None and act.actions else manner
    if manner != due:
        watch.object_to("sof.movement.rate-table", f"{unit.id} moves by {manner}, and its order is {due}")


def reach_a_wall(watch: Watch, ways: list[Way], most: float) -> bool:
    """Whether whoever of a weapon unit goes farther than it may only gets over a wall that he reaches."""
    walls = [piece for piece in pieces(watch) if piece.kind in TALL]
    for way in ways:
        if length(way.spots) <= most + HAIR:
            continue
        met = [
            way.line.project(way.line.intersection(wall.large).centroid) for wall in walls if wall.crossed(way.line).may
        ]
        if not met or min(met) - way.radius > most + HAIR:
            return False
    return True


def blocked(watch: Watch, unit: Any, ways: list[Way], most: float) -> bool:
    """sof.actions.fall-back-gap: whether friends stand within 2 inches of its end, at its allowance and until shortly
    before it stops: by no more than that may a Fall-Back be longer. Those in ambush are friends as well.
    """
    others = [each for each in watch.state.units.values() if each.side == unit.side and each.id != unit.id]
    friends = [figure for each in others for figure in there(each)]

    def near(inches: float) -> bool:
        return any(
            LineString([way.spots[0], *way.spots]).interpolate(inches).distance(Point(friend.at))
            - way.radius
            - radius(friend)
            <= GAP + ROUNDING
            for way in ways
            for friend in friends
        )

    longest = max(length(way.spots) for way in ways)
    return near(most) and near(max(most, longest - LEAST_LONGER))


def march_answer(watch: Watch) -> dict[str, Any] | None:
    found = answer(watch, "march")
    return dict(found) if isinstance(found, dict) else None


def open_move(watch: Watch, event: Event, unit: Any, ways: list[Way], forced: bool) -> None:
    """In open order every figure goes its own way, from where it stands to where it was told to go."""
    longest = 0.0
    told = answer(watch, "move")
    for way in ways:
        figure = unit.teams[way.name]
        if math.dist(figure.at, way.spots[0]) > ROUNDING:
            watch.object_to(
                "sof.movement.each-model", f"{way.name} begins at {way.spots[0]}, and stands at {figure.at}"
            )
        longest = max(longest, length(way.spots))
        if isinstance(told, dict) and way.name in told and not forced:
            wanted = [tuple(spot) for spot in told[way.name].get("via", [])] + [tuple(told[way.name]["to"])]
            if [tuple(spot) for spot in way.spots[1:]] != wanted:
                watch.object_to("sof.movement.each-model", f"{way.name} goes by {way.spots}, and was told {wanted}")
    if abs(longest - event.data["inches"]) > ROUNDING:
        watch.object_to(
            "sof.movement.each-model", f"{unit.id} goes {longest:.2f} inches, and {event.data['inches']} are told"
        )
    if forced:
        as_one_body(watch, unit, ways)


def as_one_body(watch: Watch, unit: Any, ways: list[Way]) -> None:
    shifts = [(way.spots[-1][0] - way.spots[0][0], way.spots[-1][1] - way.spots[0][1]) for way in ways]
    if not in_one_piece(shifts) or len(ways) != len(figures(unit)):
        watch.object_to("sof.morale.tenacity-fail", f"{unit.id} does not fall back as one body")


def in_one_piece(shifts: list[Spot]) -> bool:
    """Whether everybody went the same way."""
    xs, ys = [x for x, _ in shifts], [y for _, y in shifts]
    return max(xs) - min(xs) <= 0.05 and max(ys) - min(ys) <= 0.05


def march(watch: Watch, event: Event, unit: Any, told: dict[str, Any]) -> None:
    """A body in ranks: it marches by its legs, from where it stood or formed up."""
    watch.count("marches")
    asked = watch.asked.units[unit.id]
    count, pitch = len(unit.teams), pitch_of(unit)
    order = watch.memory.get("sof.order", "")
    start: Body | None = None
    if "to" in told:
        to = told["to"]
        start = (float(to["at"][0]), float(to["at"][1])), float(to["facing"]), int(to["files"])
        form_up(watch, asked, start, order, count)
    elif asked.pose is not None:
        start = about(body_of(asked), count, pitch) if order == "about-face" else body_of(asked)
    if start is None:
        watch.object_to("sof.movement.linear-wheel", f"{unit.id} marches, and is in no ranks")
        return
    legs = list(told.get("legs", []))
    end, inches = marched(start, legs, count, pitch)
    follows = follows_a_road(watch, unit, start, legs, count, pitch)
    watch.memory["sof.follows"] = follows
    straight = sum(abs(float(leg.get("ahead", 0.0))) for leg in legs)
    if follows.may:
        watch.count("marches along a road")
        inches = straight if follows.sure or abs(straight - event.data["inches"]) <= 0.03 else inches
    if abs(inches - event.data["inches"]) > 0.03:
        watch.object_to(
            "sof.movement.linear-wheel", f"{unit.id} goes {inches:.2f} inches, and {event.data['inches']} are told"
        )
    if legs and order == "face":
        watch.object_to("sof.movement.linear-other-facing", f"{unit.id} faces about on its NCO and marches")
    if any(float(leg.get("ahead", 0.0)) < 0 for leg in legs):
        watch.object_to("sof.formations.linear-front-arc-only", f"{unit.id} marches backwards")
    watch.memory["sof.body"] = unit.id, end


def follows_a_road(watch: Watch, unit: Any, start: Body, legs: list[Any], count: int, pitch: float) -> Maybe:
    """Whether a march column stands on a road before and after, and the middle of its front keeps to it all the way."""
    roads = [piece for piece in pieces(watch) if piece.kind == "road"]
    if unit.alignment != "march-column" or not roads or not legs:
        return Maybe(False, False)
    end, _ = marched(start, legs, count, pitch)
    spots = [*slots(start, count, pitch), *slots(end, count, pitch)]
    head = [start[0]]
    body = start
    for leg in legs:
        for part in range(1, 13):
            piece = {"ahead": float(leg.get("ahead", 0.0)) * part / 12, "wheel": 0.0}
            head.append(marched(body, [piece], count, pitch)[0][0])
        body = marched(body, [{"ahead": leg.get("ahead", 0.0)}], count, pitch)[0]
        for part in range(1, 13):
            head.append(marched(body, [{"wheel": float(leg.get("wheel", 0.0)) * part / 12}], count, pitch)[0][0])
        body = marched(body, [{"wheel": leg.get("wheel", 0.0)}], count, pitch)[0]
    if length(head) <= 0.01:
        return Maybe(False, False)
    on = [any_of([road.holds(spot) for road in roads]) for spot in [*spots, *head]]
    return Maybe(all(each.sure for each in on), all(each.may for each in on))


def form_up(watch: Watch, asked: Any, start: Body, order: str, count: int) -> None:
    """Where a body may form up: about its middle, on its NCO, or wherever its men can come to."""
    at = start[0]
    before = watch.memory.get("sof.start")
    if order == "face":
        nco = next((f for f in figures(asked) if f.role in ("nco", "senior-nco")), None)
        if nco is None or math.dist(nco.at, at) > ROUNDING:
            watch.object_to("sof.movement.linear-other-facing", f"{asked.id} forms up at {at}, and not on its NCO")
    elif order in ("line", "column", "march-column"):
        pose = before.pose if before is not None else None
        if pose is not None and math.dist(pose.at, at) > ROUNDING:
            watch.object_to(
                "sof.movement.change-alignment", f"{asked.id} forms up at {at}, and its front was at {pose.at}"
            )
    else:
        act = course(watch).act
        reach = rate(watch, asked, act.actions[-1] if act is not None else "double-time")
        for place in slots(start, count, pitch_of(asked)):
            if min(math.dist(place, figure.at) for figure in figures(asked)) > reach + HAIR:
                watch.object_to("sof.movement.change-formation", f"nobody of {asked.id} can come to {place}")


# Agility.


def checks_agility(unit: Any, piece: Piece) -> bool:
    if piece.kind in TALL:
        return unit.type in ("mounted", "weapon")
    if unit.type == "mounted":
        return piece.kind in SLOW_HORSES
    return unit.type == "weapon" and piece.kind in ("ditch", "gully")


def over_obstacles(watch: Watch, unit: Any, ways: list[Way]) -> None:
    """Whoever crosses an obstacle gets clear of it; a weapon ends just beyond a wall, and some are too high."""
    for piece in pieces(watch):
        if piece.area or piece.kind not in (*TALL, *LOW):
            continue
        over = [way for way in ways if way.line.geom_type != "Point" and piece.crossed(way.line).sure]
        if over:
            watch.count(f"crossings of {'tall' if piece.kind in TALL else 'low'} obstacles")
        if over and piece.kind in TALL and piece.height > HIGHEST.get(unit.type, math.inf):
            rule = "limit-weapon-gun" if unit.type == "weapon" else "limit-mounted-vehicle"
            watch.object_to(f"sof.terrain-tall-obstacle.{rule}", f"{unit.id} crosses {piece.id}")
        for way in over:
            room = piece.shape.distance(Point(unit.teams[way.name].at)) - way.radius
            name = "tall" if piece.kind in TALL else "low"
            if unit.type in ("infantry", "mounted") and room < -HAIR:
                watch.object_to(f"sof.terrain-{name}-obstacle.not-enough-move", f"{way.name} stands on {piece.id}")
            if unit.type == "weapon" and name == "tall" and not -HAIR <= room <= JUST_BEYOND + HAIR:
                watch.object_to(
                    "sof.terrain-tall-obstacle.agility-weapon-gun", f"{way.name} ends {room:.2f} inches past {piece.id}"
                )


@book.on("agility")
def agility_is_checked(watch: Watch, event: Event) -> None:
    watch.count("Agility checks")
    unit = watch.state.units[event.data["unit"]]
    piece = next(each for each in pieces(watch) if each.id == event.data["terrain"])
    needed = AGILITY[unit.type]
    if not checks_agility(unit, piece):
        watch.object_to("sof.terrain.agility-check", f"{unit.id} checks its Agility at {piece.id}")
    face = event.dice[0].value
    if event.data["needed"] != needed or event.data["passed"] != (face >= needed):
        watch.object_to("sof.terrain.agility-check", f"{unit.id}: {face} on {event.data['needed']}+, and not {needed}+")
    watch.memory.setdefault("sof.agility", []).append((unit.id, piece.id, event.data["passed"]))


# Where it ends.


@book.after_answer
def where_a_move_ends(watch: Watch) -> None:
    if watch.asking in MIDWAY:
        return
    moved = watch.memory.pop("sof.moved", None)
    agility = watch.memory.pop("sof.agility", [])
    body = watch.memory.pop("sof.body", None)
    if moved is None:
        return
    name, manner, ways, before, forced = moved
    unit, old = watch.state.units.get(name), before.units[name]
    if unit is None:
        return
    if watch.memory.pop("sof.met", False):
        into_an_ambush(watch, unit, old, manner, ways, before)
        return
    act = course(watch).act
    failed = next((piece for who, piece, passed in agility if who == name and not passed), None)
    road, _ = along_the_road(watch, old, ways)
    for met in ground_met(watch, ways):
        due = checks_agility(old, met.piece) and met.sure and not road
        rolled = any(piece == met.piece.id for who, piece, _ in agility if who == name)
        if due and not rolled and failed is None:
            watch.object_to("sof.terrain.agility-check", f"{name} enters {met.piece.id} without an Agility check")
    if failed is None:
        ends = {way.name: way.spots[-1] for way in ways}
        if manner == "maneuver" and act is not None and act.advance:
            ends = behind_the_officer(watch, unit, before, ends, act.advance)
        for each, spot in ends.items():
            if not forced and math.dist(unit.teams[each].at, spot) > ROUNDING:
                watch.object_to("sof.movement.each-model", f"{each} does not come to {spot}")
        if body is not None and body[0] == name and unit.pose is not None:
            (x, y), facing, files = body[1]
            off = turn_between(unit.pose.facing, facing)
            if math.dist(unit.pose.at, (x, y)) > ROUNDING or unit.pose.files != files or off > 0.2:
                watch.object_to("sof.movement.linear-wheel", f"{name} stands at {unit.pose}, and marched to {body[1]}")
    else:
        halted(watch, unit, ways, next(piece for piece in pieces(watch) if piece.id == failed))
        return
    end_of_move(watch, unit, old, manner, ways, before, forced)


def behind_the_officer(watch: Watch, unit: Any, before: Any, ends: dict[str, Spot], officer: str) -> dict[str, Spot]:
    """Where everybody stands when the officer who leads an advance has changed places with the foremost man."""
    enemy = min(enemies(before, unit.side), key=lambda each: apart(before.units[unit.id], each), default=None)
    if enemy is None or unit.formation == "linear" or officer not in ends:
        return ends
    equals = [name for name in ends if radius(unit.teams[name]) == radius(unit.teams[officer])]

    def away(name: str) -> float:
        return min(math.dist(ends[name], foe.at) - radius(foe) for foe in figures(enemy))

    first = min(away(name) for name in equals)
    for name in equals:
        changed = {**ends, officer: ends[name], name: ends[officer]}
        if away(name) <= first + HAIR and math.dist(unit.teams[officer].at, changed[officer]) <= ROUNDING:
            return changed
    watch.object_to("sof.leadership.advance-move", f"{officer} is not the foremost of {unit.id}")
    return ends


@book.on("ambush-triggered")
def a_move_meets_an_ambush(watch: Watch, event: Event) -> None:
    watch.memory["sof.met"] = watch.memory.get("sof.moved") is not None


def into_an_ambush(watch: Watch, unit: Any, old: Any, manner: str, ways: list[Way], before: Any) -> None:
    """Whoever walks into an ambush goes on along his way, as far as the rules allow, or stays where he met it."""
    watch.count("moves into an ambush")
    for way in ways:
        at, line = Point(unit.teams[way.name].at), way.line
        if unit.formation != "linear" and line.distance(at) > 0.3:
            watch.object_to(
                "sof.mission-special.ambush-triggered", f"{way.name} leaves its way for {unit.teams[way.name].at}"
            )
    # Whoever was walked into and finds no room farther off stays where he lay.
    met = {told.data["unit"] for told in watch.told if told.kind == "ambush-triggered"}
    stands_well(watch, unit, watch.state, beside=met)
    if unit.formation == "linear" and unit.pose is not None and not stands_in_ranks(unit, 0.03):
        watch.object_to("sof.formations.linear-ranks", f"{unit.id} does not stand in its ranks")
    for foe in enemies(before, unit.side):
        if manner != "fall-back" and old.suppression >= 3 and apart(unit, foe) < apart(old, foe) - HAIR:
            watch.object_to("sof.movement.suppressed-no-closer", f"{unit.id} goes nearer to {foe.id}")


def halted(watch: Watch, unit: Any, ways: list[Way], piece: Piece) -> None:
    """A failed Agility check halts everybody at the edge, or where he stands if somebody is within already."""
    watch.count("moves halted")
    met = next((each for each in ground_met(watch, ways) if each.piece.id == piece.id), None)
    limit = met.at if met is not None else math.inf
    for way in ways:
        gone = way.line.project(Point(unit.teams[way.name].at)) if way.line.geom_type != "Point" else 0.0
        if gone > limit + 0.1:
            watch.object_to("sof.terrain.agility-check", f"{way.name} goes on {gone:.2f} inches after a failed check")
    room = min((piece.shape.distance(Point(unit.teams[way.name].at)) - way.radius for way in ways), default=math.inf)
    if room > AT_THE_EDGE:
        watch.object_to("sof.terrain.agility-check", f"{unit.id} is halted {room:.2f} inches before {piece.id}")


def end_of_move(watch: Watch, unit: Any, old: Any, manner: str, ways: list[Way], before: Any, forced: bool) -> None:
    state = watch.state
    stands_well(watch, unit, state)
    if unit.formation == "linear" and unit.pose is not None and not stands_in_ranks(unit, 0.03):
        watch.object_to("sof.formations.linear-ranks", f"{unit.id} does not stand in its ranks")
    if unit.formation == "linear" and (unit.pose is None or not well_aligned(unit, len(unit.teams), unit.pose.files)):
        watch.object_to("sof.formations.linear-must-have-alignment", f"{unit.id} stands in no {unit.alignment}")
    if not in_command(unit).may and not forced:
        watch.object_to("sof.movement.end-in-command", f"{unit.id} ends its move out of command")
    over_obstacles(watch, unit, ways)
    past_enemies(watch, unit, old, ways, before, forced)
    through_ranks(watch, unit, old, ways, before)
    for way in ways:
        for piece in pieces(watch):
            if piece.kind in IMPASSABLE and way.line.intersects(piece.small):
                watch.object_to("sof.terrain-impassable.movement", f"{way.name} goes through {piece.id}")
    if manner == "fall-back":
        for enemy in enemies(state, unit.side):
            if apart(unit, enemy) <= apart(old, before.units[enemy.id]) - HAIR:
                watch.object_to("sof.actions.fall-back-away", f"{unit.id} falls back toward {enemy.id}")
    else:
        no_closer(watch, unit, old, before)
    act = course(watch).act
    if manner in ("maneuver", "double-time") and act is not None and act.unit == unit.id:
        act.straight = straight_at_the_enemy(unit, old, before)


def straight_at_the_enemy(unit: Any, old: Any, before: Any) -> Maybe:
    """Whether a unit has gone straight at the enemy unit that was nearest, and has come nearer to it."""
    foes = sorted(enemies(before, unit.side), key=lambda each: apart(old, each))
    if not foes:
        return NEVER
    (x, y), (u, v) = middle(old), middle(unit)
    if math.dist((x, y), (u, v)) < 0.05:
        return NEVER
    off = turn_between(bearing((x, y), (u, v)), bearing((x, y), middle(foes[0])))
    nearer = under(apart(unit, foes[0]), apart(old, foes[0]) - HAIR)
    at_it = both(under(off, ASTRAY, 0.5), nearer)
    alone = len(foes) == 1 or apart(old, foes[1]) > apart(old, foes[0]) + HAIR
    return Maybe(at_it.sure and alone, at_it.may or not alone)


def middle(unit: Any) -> Spot:
    men = figures(unit)
    return sum(man.at[0] for man in men) / len(men), sum(man.at[1] for man in men) / len(men)


def stands_well(watch: Watch, unit: Any, state: Any, *, beside: Collection[str] = ()) -> None:
    """On the table, on nobody, on ground where one may stand, and clear of other units."""
    for figure in figures(unit):
        if not on_table(watch, figure):
            watch.object_to("sof.mission-core.map-convention", f"{figure.id} stands off the table at {figure.at}")
        for piece in pieces(watch):
            if piece.kind in (*IMPASSABLE, "haystack") and piece.holds(figure.at).sure:
                watch.object_to(
                    f"sof.terrain-{'haystack' if piece.kind == 'haystack' else 'impassable'}.movement",
                    f"{figure.id} stands in {piece.id}",
                )
    men = figures(unit)
    for number, one in enumerate(men):
        for other in men[number + 1 :]:
            if math.dist(one.at, other.at) < radius(one) + radius(other) - HAIR:
                watch.object_to("sof.units.models-in-units", f"{one.id} stands on {other.id}")
    for other in state.units.values():
        men = there(other) if other.side == unit.side else figures(other)
        room = min((gap(one, each) for one in figures(unit) for each in men), default=math.inf)
        if other.id != unit.id and other.id not in beside and room < GAP - HAIR:
            watch.object_to("sof.units.separation", f"{unit.id} ends {room:.2f} inches from {other.id}")


def past_enemies(watch: Watch, unit: Any, old: Any, ways: list[Way], before: Any, forced: bool) -> None:
    """No point of a way lies within 2 inches of an enemy, 2 inches included, but for those who began there and go away.

    Who scouts remains at least 12 inches away.
    """
    # Ways of bodies and of those who must fall back are told to the hundredth; the others are as they were answered.
    plain = unit.formation != "linear" and old.formation != "linear" and not forced
    for enemy in enemies(before, unit.side):
        for way in ways:
            figure = old.teams[way.name]
            for foe in figures(enemy):
                near = way.line.distance(Point(foe.at)) - way.radius - radius(foe)
                begun, limit = gap(figure, foe), watch.memory.get("sof.apart", GAP)
                least = limit + (EXACT if limit == GAP else -EXACT) if plain else limit - HAIR
                if plain and abs(near - limit) < 0.005:
                    watch.count("ways just at the limit from an enemy")
                if near < min(least, begun - HAIR):
                    watch.object_to("sof.movement.proximity", f"{way.name} comes within {near:.2f} inches of {foe.id}")


def through_ranks(watch: Watch, unit: Any, old: Any, ways: list[Way], before: Any) -> None:
    """Linear order does not pass through linear order."""
    if old.formation != "linear" or unit.formation != "linear":
        return
    for other in placed(before, unit.side):
        if other.id == unit.id or other.formation != "linear":
            continue
        for way in ways:
            for friend in figures(other):
                if way.line.distance(Point(friend.at)) < way.radius + radius(friend) - CONTACT:
                    watch.object_to("sof.movement.interpenetration-linear", f"{way.name} passes through {other.id}")
                    return


def no_closer(watch: Watch, unit: Any, old: Any, before: Any) -> None:
    """With 3 markers nobody goes nearer to an enemy; in phase 0 not to one who is visible within 36 inches."""
    act = course(watch).act
    for enemy in enemies(before, unit.side):
        now, then = apart(unit, enemy), apart(old, enemy)
        if now >= then - HAIR:
            continue
        if old.suppression >= 3:
            watch.object_to("sof.movement.suppressed-no-closer", f"{unit.id} goes nearer to {enemy.id}")
        if act is not None and act.phase == 0 and then <= PHASE_ZERO_REACH - HAIR and unit_sees(watch, old, enemy).sure:
            watch.object_to("sof.turn.phase-zero-no-closer", f"{unit.id} goes nearer to {enemy.id} in phase 0")
