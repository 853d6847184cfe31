"""Moving: how far, how straight, over which ground, and where a Team ends.

Every move is told with the way that was really gone. What was declared, thrown and checked before is in `acts`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book, ways
from sandtable.testing.umpire.hof.acts import Act, Step, movement_type, under_way
from sandtable.testing.umpire.hof.sight import sees, spot_of, view
from sandtable.testing.umpire.hof.stock import make
from sandtable.testing.umpire.hof.table import (
    CONTACT,
    HAIR,
    TOUCH,
    Piece,
    Point,
    base,
    base_at,
    enemy,
    find,
    gap,
    ground,
    kind_of,
    length,
    members,
    standing,
)
from sandtable.testing.umpire.hof.ways import Stretch, bearing, stretches

DICE = {"infantry": 2, "gun": 1, "man-portable": 2, "vehicle": 3, "wagon": 2}
FAST = 2
ROAD = {"tracked": 6.0, "half-tracked": 6.0, "wheeled": 12.0}
PIVOTS = 6.0
BEND = 1.0
"""A bend of so many degrees is no turn (our reading)."""

LEADER, MOVE_UP, CONSOLIDATION, REFUGE = 12.0, 3.0, 3.0, 6.0
ASSAULT = 12.0
STEP_BACK = 0.3
"""A Team that may not end on another base stops up to a quarter of an inch before it."""

SELDOM, MOST_EYES, MOST_LOOKS = 10, 4, 24
"""How often, and how thoroughly, whole ways are looked along: it is the most costly thing that an umpire does."""

SURE_FOOTED = ("foot", "man-portable", "tracked")


# The way itself.


@book.on("move", "leader-move", "free-move", "leave")
def ways_are_as_told(watch: Watch, event: Event) -> None:
    """A way begins where the Team stood, ends where it stands, and follows what was declared."""
    act = under_way(watch)
    for name, told in event.data.get("ways", {}).items():
        watch.count("moves")
        way = points(told)
        before, now = find(watch.earlier, name), find(watch.state, name)
        if before is None or now is None or now[1].at is None:
            watch.object_to("hof.moving.declare-destination", f"{name} moves, and is nowhere")
            continue
        if math.dist(way[-1], now[1].at) > HAIR:
            watch.object_to("hof.moving.declare-destination", f"{name} stands at {now[1].at}, not {way[-1]}")
        step = act.declared.get(name)
        if step is None:
            if event.kind == "move" and act.unit:
                watch.object_to("hof.moving.declare-destination", f"{name} moves without a destination")
            continue
        if math.dist(way[0], step.path[0]) > HAIR:
            watch.object_to("hof.moving.declare-destination", f"{name} set out from {way[0]}, not {step.path[0]}")
        line = shapely.LineString(step.path) if ways.length(step.path) else shapely.Point(step.path[0])
        if any(line.distance(shapely.Point(point)) > HAIR for point in way):
            watch.object_to("hof.moving.declare-destination", f"{name} leaves its declared way {step.path}: {way}")


def points(told: Any) -> list[Point]:
    return [(float(x), float(y)) for x, y in told]


# How far.


@book.on("move-roll")
def so_many_dice(watch: Watch, event: Event) -> None:
    if not event.dice:
        return
    watch.count("move rolls")
    act, data = under_way(watch), event.data
    values = event.dice[0].values
    if len(values) != DICE[data["type"]] or event.dice[0].before:
        watch.object_to("hof.moving.rolled-distance", f"{data['type']} Teams roll {values}")
    if (data["unit"], data["type"]) in act.rolls and event.seat == act.side:
        watch.object_to("hof.moving.roll-once-per-type", f"{data['unit']} rolls again for its {data['type']} Teams")


@book.on("move")
def no_farther_than_the_dice(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    for name, told in event.data["ways"].items():
        found, step = find(watch.state, name), act.declared.get(name)
        if found is None or step is None:
            continue
        right_length(watch, act, found, step, points(told))


def right_length(watch: Watch, act: Act, member: Any, step: Step, way: list[Point]) -> None:
    """What a Team may cover: what its dice say in sight of the enemy, the most they could say otherwise."""
    unit, team = member
    gone, whole = length(way), ways.length(step.path)
    values = roll_of(act, unit, team)
    more = MOVE_UP * act.brought_up.get(team.id, 0)
    most = [inches + more for inches in allowances(watch, team, step, None)]
    rolled = [inches + more for inches in allowances(watch, team, step, values)] if values is not None else []
    watch.count("distances")
    if gone > max([*most, *rolled]) + HAIR:
        words = f"{team.id} moves {gone:.2f} inches of {max([*most, *rolled]):g} at most"
        watch.object_to("hof.moving.rolled-distance", words)
        return
    stopped = held_up(watch, act, team)

    def fits(limits: list[float]) -> bool:
        return gone <= max(limits) + HAIR and (stopped or gone >= min(whole, *limits) - HAIR)

    # To look along the whole way is costly: whoever did as his dice said is looked at now and then.
    if values is not None and fits(rolled) and watch.counts["distances"] % SELDOM:
        return
    seen = seen_on_the_way(watch, unit, team, step, max(most))
    watch.count("ways looked along")
    if values is None and seen is True:
        watch.object_to("hof.moving.unseen-maximum", f"{team.id} moves {gone:.2f} in sight without a roll")
    limits = most
    if values is not None and seen is not False:
        limits = rolled if seen else [*rolled, *most]
    if not fits(limits):
        rule = "hof.moving.rolled-distance" if gone > max(limits) else "hof.moving.short-roll"
        words = f"{team.id} moves {gone:.2f} of {whole:.2f} inches with {values} ({limits}), seen {seen}"
        watch.object_to(rule, words)


def roll_of(act: Act, unit: Any, team: Any) -> list[int] | None:
    kind = movement_type(team)
    found = act.rolls.get((unit.id, kind))
    if found is None and not act.unit:
        # A Massed Assault: one roll serves the Teams of all Units.
        found = next((values for (_, what), values in act.rolls.items() if what == kind), None)
    return found


def allowances(watch: Watch, team: Any, step: Step, values: list[int] | None) -> list[float]:
    """How far dice, or the best that there could be, take a Team; two answers where a border is too near to tell."""
    kind = kind_of(team)
    thrown = [6] * DICE[movement_type(team)] if values is None else values
    bonus = road_bonus(watch, team, step)
    found = []
    for extra in bonus:
        full = dice_sum(kind, thrown, 0) + extra
        found.append(full)
        if kind.vehicle and watch.setup.options.terrain:
            owed = [each for each in rough_ground(watch, team, step.path) if each.enter < full + HAIR]
            if owed:
                found.append(dice_sum(kind, thrown, 1) + extra)
            if any(each.sure and each.enter < full - HAIR for each in owed):
                found.remove(full)
    return found


def dice_sum(kind: Any, thrown: list[int], dropped: int) -> float:
    """Slow drops the lowest die, as rough ground may; Fast adds two inches."""
    kept = sorted(thrown)[dropped + ("slow" in kind.keywords) :]
    return float(sum(kept) + (FAST if "fast" in kind.keywords else 0))


def road_bonus(watch: Watch, team: Any, step: Step) -> list[float]:
    bonus = ROAD.get(kind_of(team).mobility, 0.0)
    if not bonus:
        return [0.0]
    pieces = ground(watch, watch.earlier)
    if ways.off_roads(step.path, pieces, fords=False, hair=-HAIR) < 1e-6:
        return [bonus]
    return [0.0] if ways.off_roads(step.path, pieces, fords=False, hair=HAIR) > BESIDE else [0.0, bonus]


def seen_on_the_way(watch: Watch, unit: Any, team: Any, step: Step, upto: float) -> bool | None:
    """Whether an unsuppressed enemy that is no Small Team sees a Team anywhere on its way, as it was declared.

    The nearest enemies are asked, inch by inch, or in longer steps if they are many: who is seen is seen, but that
    nobody sees a long way is not told for certain. Only where a Team stops is its place rounded: the places between
    lie on the way itself, for a hundredth beside it may look through another gap.
    """
    state = watch.earlier
    eyes = [foe for _, foe in standing(state, enemy(unit.side)) if not foe.suppressed and not kind_of(foe).small]
    if not eyes:
        return False
    many = len(eyes) > MOST_EYES
    eyes = sorted(eyes, key=lambda foe: math.dist(foe.at, step.path[0]))[:MOST_EYES]
    here = view(watch, state)
    far = min(ways.length(step.path), upto)
    stood = find(state, team.id)
    count = max(1, math.ceil(far))
    stride = 1 if count * len(eyes) <= MOST_LOOKS else 4
    unsure = many
    for number in (0, count, *range(stride, count, stride)):
        at = ways.along(step.path, far * number / count)
        spot = spot_of(team, at)
        if number == 0 and stood is not None:
            spot = spot_of(stood[1])
        for foe in eyes:
            seen = here.sees(spot_of(foe), spot)
            if seen:
                return True if number == 0 or facing_told(team, step) else None
            unsure = unsure or seen is None
    return None if unsure or far > 1.0 else False


def facing_told(team: Any, step: Step) -> bool:
    """A base that turns on its way covers other ground in between."""
    return len(step.path) == 2 and not kind_of(team).vehicle


def held_up(watch: Watch, act: Act, team: Any) -> bool:
    """Whether something kept a Team from going farther: an obstacle, ground, a shot, or somebody's base."""
    if team.id in act.stopped or "*" in act.stopped:
        return True
    mine = base(team)
    others = [base(other) for _, other in standing(watch.state) if other.id != team.id]
    others += [base(other) for _, other in standing(watch.earlier) if other.id != team.id]
    return any(mine.distance(other) <= STEP_BACK + 0.3 for other in others)


# How straight.


@book.on("move", "leave")
def vehicles_drive_straight(watch: Watch, event: Event) -> None:
    """Pivots in the first six inches; beyond them none, unless a road is followed."""
    for name, told in event.data.get("ways", {}).items():
        found = find(watch.state, name)
        if found is None or not kind_of(found[1]).vehicle:
            continue
        way = points(told)
        watch.count("drives")
        if length(way) <= PIVOTS + HAIR:
            continue
        gone = 0.0
        for before, after in pairwise(ways.legs(way)):
            gone += math.dist(*before)
            on_road = ways.off_roads([*before, after[1]], ground(watch), fords=False, hair=HAIR) < BESIDE
            short = min(math.dist(*before), math.dist(*after))
            if gone > PIVOTS + HAIR and short > 0.1 and bend(before, after) > BEND + 0.5 / short and not on_road:
                watch.object_to("hof.moving.vehicle-pivots", f"{name} turns after {gone:.2f} inches: {way}")
        last = ways.legs(way)[-1]
        off = abs((bearing(*last) - found[1].facing + 180.0) % 360.0 - 180.0)
        long = math.dist(*last)
        on_road = ways.off_roads(way, ground(watch), fords=False, hair=HAIR) < BESIDE
        if min(off, 180.0 - off) > BEND + 0.2 + 0.8 / long and gone + long > PIVOTS + HAIR and not on_road:
            watch.object_to(
                "hof.moving.vehicle-pivots", f"{name} turns at the end of its move: {way}, {found[1].facing}"
            )


def bend(before: tuple[Point, Point], after: tuple[Point, Point]) -> float:
    return abs((bearing(*after) - bearing(*before) + 180.0) % 360.0 - 180.0)


# Over which ground.


def bars(team: Any, piece: Piece) -> str:
    """The rule that keeps a Team from crossing a piece of ground, if any."""
    kind, what = kind_of(team), piece.kind
    on_foot = kind.mobility in ("foot", "man-portable")
    if what.going == "impassable":
        return "" if what.water and "amphibious" in kind.keywords else "hof.moving.infantry-terrain"
    if what.going == "very-difficult" and kind.mobility not in SURE_FOOTED:
        return "hof.moving.gun-terrain" if kind.category == "gun" else "hof.moving.halftrack-wheeled-terrain"
    if what.obstacle == "at-obstacle" and not on_foot:
        return "hof.optional.at-obstacle-cross"
    if what.obstacle == "wire" and not on_foot and kind.mobility != "tracked":
        return "hof.optional.wire-vehicles"
    return ""


EDGE_OF_ROAD = 0.02
BESIDE = 0.03
"""So much of a way beside the road may come of rounding."""


def on_a_road(watch: Watch, way: list[Point], each: Stretch, state: Any) -> bool:
    """Whether a stretch is on a road, bridge or ford, where what lies beneath does not count."""
    piece = each.piece
    if piece.kind.shape == "thing" or piece.kind.obstacle:
        return False
    if piece.area:
        part = ways.part_of(way, each.enter, max(each.leave, each.enter + 1e-6))
        beside = ways.off_roads(part, ground(watch, state), fords=True, hair=EDGE_OF_ROAD)
        return beside < min(BESIDE, ways.length(part) - 1e-9)
    crossed = shapely.Point(ways.along(way, each.enter))
    return any(road.distance(crossed) <= EDGE_OF_ROAD for road in ways.roads(ground(watch, state), fords=True))


@book.on("move", "leader-move", "free-move", "leave", "small-team")
def nobody_crosses_what_bars_him(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    for name, told in event.data.get("ways", {}).items():
        found = find(watch.state, name)
        if found is None:
            continue
        way, team = points(told), found[1]
        for piece in ground(watch, watch.earlier):
            rule = bars(team, piece)
            if not rule:
                continue
            for each in stretches(way, piece):
                leaves = each.started and leads_out(act.declared.get(name), way, piece)
                if each.sure and not leaves and not on_a_road(watch, way, each, watch.earlier):
                    watch.object_to(rule, f"{name} ({team.profile}) crosses {piece.id}: {way}")


def leads_out(step: Step | None, way: list[Point], piece: Piece) -> bool:
    """Whether a way, as it was declared, leads out of the ground in which it began."""
    path = step.path if step is not None else way
    began = [each for each in stretches(path, piece) if each.started]
    return bool(began) and began[0].leave < ways.length(path) - EDGE_OF_ROAD


def rough_ground(watch: Watch, team: Any, way: list[Point]) -> list[Stretch]:
    """The Difficult and Very Difficult ground into which a Vehicle drives, without what it started in."""
    found = []
    for piece in ground(watch, watch.earlier):
        if piece.kind.going not in ("difficult", "very-difficult"):
            continue
        for each in stretches(way, piece):
            if each.started and not starts_on_a_road(watch, way):
                continue
            if not on_a_road(watch, way, each, watch.earlier):
                found.append(replace(beside_roads(watch, way, each), sure=each.sure and not each.started))
                break
    return found


def starts_on_a_road(watch: Watch, way: list[Point]) -> bool:
    """Whoever stands on a road is not in the ground beside it (our reading of hof.moving.tracked-terrain)."""
    start = shapely.Point(way[0])
    return any(road.dwithin(start, ways.EDGE) for road in ways.roads(ground(watch, watch.earlier), fords=True))


def beside_roads(watch: Watch, way: list[Point], each: Stretch) -> Stretch:
    """A stretch from where it is beside roads, bridges and fords."""
    if not each.piece.area or each.piece.kind.shape == "thing":
        return each
    part = ways.part_of(way, each.enter, each.leave)
    enter = each.enter + ways.first_off(part, ground(watch, watch.earlier))
    return replace(each, enter=enter)


@book.on("move", "leave")
def terrain_checks_were_made(watch: Watch, event: Event) -> None:
    """A Vehicle that drives into rough ground has passed a Check for it."""
    act = under_way(watch)
    for name, told in event.data.get("ways", {}).items():
        found = find(watch.state, name)
        if found is None or not kind_of(found[1]).vehicle:
            continue
        way = points(told)
        for each in rough_ground(watch, found[1], way):
            if not each.sure or each.enter > length(way) - HAIR or bars(found[1], each.piece):
                continue
            watch.count("rough ground")
            if act.checked.get(name, {}).get(each.piece.id) is not True:
                watch.object_to(
                    "hof.moving.tracked-terrain", f"{name} drives into {each.piece.id} without a Check: {way}"
                )


@book.on("terrain-check")
def terrain_checks_were_due(watch: Watch, event: Event) -> None:
    watch.count("terrain checks")
    act, data = under_way(watch), event.data
    found, step = find(watch.state, data["team"]), act.declared.get(data["team"])
    piece = next((each for each in ground(watch) if each.id == data["terrain"]), None)
    if found is None or step is None or piece is None:
        watch.object_to("hof.moving.tracked-terrain", f"{data['team']} checks for {data['terrain']} on no way")
        return
    if not kind_of(found[1]).vehicle or piece.kind.going not in ("difficult", "very-difficult"):
        watch.object_to("hof.moving.tracked-terrain", f"{found[1].profile} checks for {piece.kind.name}")
    if data["terrain"] in act.checked.get(data["team"], {}):
        watch.object_to("hof.moving.tracked-terrain", f"{data['team']} checks for {data['terrain']} twice")
    over = [each for each in stretches(step.path, piece) if not each.started]
    if not over and not shapely.LineString(step.path).dwithin(piece.shape, HAIR):
        watch.object_to("hof.moving.tracked-terrain", f"{data['team']} checks for {piece.id} and does not cross it")


@book.on("move", "leave")
def a_failed_check_stops_at_the_edge(watch: Watch, event: Event) -> None:
    """A Vehicle that failed stands in contact with the ground, and not in it."""
    act = under_way(watch)
    for name, told in event.data.get("ways", {}).items():
        failed = [terrain for terrain, passed in act.checked.get(name, {}).items() if not passed]
        found = find(watch.state, name)
        for piece in ground(watch, watch.earlier):
            if piece.id not in failed or found is None:
                continue
            watch.count("stops at terrain")
            way = points(told)
            inside = [each for each in stretches(way, piece) if not each.started and each.sure]
            if inside and not on_a_road(watch, way, inside[0], watch.earlier):
                watch.object_to("hof.moving.terrain-check-failed", f"{name} failed and stands in {piece.id}")
            others = [base(mate) for _, mate in standing(watch.state) if mate.id != name]
            crowded = any(base(found[1]).distance(other) <= STEP_BACK for other in others)
            if base(found[1]).distance(piece.shape) > TOUCH + HAIR and not crowded:
                watch.object_to("hof.moving.terrain-check-failed", f"{name} failed and stops far from {piece.id}")


@book.on("bogged")
def only_very_difficult_ground_bogs_down(watch: Watch, event: Event) -> None:
    watch.count("bogged")
    last = next((told for told in reversed(watch.told) if told.kind == "terrain-check"), None)
    piece = next((each for each in ground(watch) if last is not None and each.id == last.data["terrain"]), None)
    if not watch.setup.options.terrain or piece is None or piece.kind.going != "very-difficult":
        watch.object_to("hof.optional.terrain-x-very-difficult", f"{event.data['team']} is Bogged without cause")


@book.on("move")
def infantry_is_led_into_very_difficult_ground(watch: Watch, event: Event) -> None:
    """With the terrain expansion a Team of the activation must have begun in contact with such ground."""
    if not watch.setup.options.terrain:
        return
    act = under_way(watch)
    acting = set(act.orders) | {act.first, act.leader}
    for name, told in event.data["ways"].items():
        found = find(watch.state, name)
        if found is None or kind_of(found[1]).category != "infantry" or not act.orders:
            continue
        way = points(told)
        for piece in ground(watch, watch.earlier):
            if piece.kind.going != "very-difficult":
                continue
            into = [each for each in stretches(way, piece) if each.sure and not each.started]
            if not into or on_a_road(watch, way, into[0], watch.earlier):
                continue
            watch.count("ground that needs a lead")
            begun = [
                base_at(mate, *act.starts[mate.id])
                for _, mate in members(watch.state)
                if mate.id in acting and mate.id in act.starts
            ]
            if len(begun) == len([one for one in acting if one]) and all(
                each.distance(piece.shape) > TOUCH + HAIR for each in begun
            ):
                watch.object_to("hof.optional.terrain-x-infantry", f"{name} enters {piece.id}, and nobody began at it")


# Who moves at all.


@book.on("move", "leader-move", "free-move", "leave", "turn-in-place")
def some_never_move(watch: Watch, event: Event) -> None:
    for name, told in event.data.get("ways", {event.data.get("team"): []}).items():
        before = find(watch.earlier, name)
        if before is None:
            continue
        team = before[1]
        far = length(points(told))
        then = watch.memory.get("state at activation")
        began = find(then, name) if then is not None else None
        if team.bogged and began is not None and began[1].bogged:
            watch.object_to("hof.optional.bogged", f"{name} is Bogged and moves")
        if "immobile" in kind_of(team).keywords and far > HAIR:
            watch.object_to("hof.special-rules.immobile", f"{name} is Immobile and moves {far:.2f} inches")
        after = find(watch.state, name)
        turned = after is not None and after[1].facing != team.facing
        if team.role in ("rider", "bunker") and (far > 0 or turned):
            watch.object_to("hof.optional.riders-activation", f"{name} moves by itself")
        if after is not None and after[1].dug_in:
            watch.object_to("hof.battle.dug-in", f"{name} has moved and is Dug-In")
        if after is not None and after[1].spotted:
            watch.object_to("hof.optional.recon-spotted-effect", f"{name} has moved and is Spotted")


@book.on("move", "leader-move", "free-move")
def suppressed_teams_do_not_advance(watch: Watch, event: Event) -> None:
    """A Suppressed Team does not move nearer to an enemy that it sees; the declared destination decides.

    Whom a mine suppresses on his way had set out as he might.
    """
    act = under_way(watch)
    state = watch.earlier
    for name, told in event.data.get("ways", {}).items():
        found = find(state, name)
        if found is None or not found[1].suppressed or find(watch.state, name) is None or act.met.get(name):
            continue
        unit, team = found
        watch.count("suppressed moves")
        way, step = points(told), act.declared.get(name)
        end = step.path[-1] if step is not None and event.kind != "free-move" else way[-1]
        start = base_at(team, way[0])
        there = base_at(team, end)
        for foe_unit, foe in standing(state, enemy(unit.side)):
            hostile = base(foe)
            if there.distance(hostile) < start.distance(hostile) - HAIR:
                eye = found if team.at == way[0] else None
                if eye is not None and sees(watch, eye, (foe_unit, foe), state) is True:
                    watch.object_to("hof.rfp-rally.suppressed-effects", f"{name} is Suppressed and nears {foe.id}")


# Leaders and other short moves.


@book.on("leader-move")
def a_leader_goes_twelve_inches(watch: Watch, event: Event) -> None:
    for name, told in event.data["ways"].items():
        watch.count("leader moves")
        if length(points(told)) > LEADER + HAIR:
            watch.object_to("hof.leaders.move-12", f"{name} moves {length(points(told)):.2f} inches")
        found = find(watch.state, name)
        if found is not None and found[1].role not in ("pl", "cc"):
            watch.object_to("hof.leaders.move-12", f"{name} is no Leader")


@book.on("free-move")
def consolidation_is_three_inches(watch: Watch, event: Event) -> None:
    watch.count("consolidations")
    for name, told in event.data["ways"].items():
        if length(points(told)) > CONSOLIDATION + HAIR:
            watch.object_to("hof.assaults.consolidation", f"{name} moves {length(points(told)):.2f} inches")


@book.on("small-team")
def a_small_team_runs_six_inches(watch: Watch, event: Event) -> None:
    watch.count("small teams that run")
    before, now = find(watch.earlier, event.data["team"]), find(watch.state, event.data["team"])
    if before is None or now is None or now[1].at is None:
        return
    step = under_way(watch).declared.get(event.data["team"])
    far = ways.length(step.path) if step is not None else math.dist(before[1].at, now[1].at)
    if far > REFUGE + HAIR:
        watch.object_to("hof.assaults.small-team-bereft", f"{event.data['team']} runs {far:.2f} inches")
    mates = [mate for mate in now[0].teams.values() if mate.id != now[1].id and mate.at is not None]
    if not any(gap(now[1], mate) <= CONTACT + HAIR for mate in mates):
        watch.object_to("hof.assaults.small-team-bereft", f"{event.data['team']} joins nobody of its Unit")


@book.on("leader-ability")
def who_is_brought_up_ends_at_the_leader(watch: Watch, event: Event) -> None:
    if event.data["ability"] == "move-up":
        watch.memory.setdefault("brought up", []).append((event.data["leader"], event.data["team"]))


@book.on("move")
def brought_up_to_the_leader(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    for leader_id, name in watch.memory.pop("brought up", []):
        watch.count("teams brought up")
        leader, team = find(watch.state, leader_id), find(watch.state, name)
        if name not in event.data["ways"] or leader is None or team is None or name in act.stopped:
            continue
        others = [mate for _, mate in standing(watch.state) if mate.id not in (leader_id, name)]
        crowded = any(gap(team[1], mate) <= STEP_BACK for mate in others)
        if leader[1].at is None or (gap(leader[1], team[1]) > CONTACT + HAIR and not crowded):
            watch.object_to("hof.leaders.move-up", f"{name} was brought up and does not end at {leader_id}")


# Where they end.


@book.after_answer
def nobody_stands_on_anybody(watch: Watch) -> None:
    """Bases lie on the table, on no other base, and not where nobody can stand."""
    state = watch.state
    if state.result is not None:
        return
    before = {team.id: (team.at, team.facing) for _, team in members(watch.asked)}
    here = standing(state)
    fresh = [team for _, team in here if before.get(team.id) != (team.at, team.facing)]
    if not fresh:
        return
    edge = shapely.box(-HAIR, -HAIR, watch.setup.table.width + HAIR, watch.setup.table.depth + HAIR)
    everybody = [(team, base(team)) for _, team in here]
    for team in fresh:
        watch.count("places")
        mine = base(team)
        if not edge.covers(mine):
            watch.object_to("hof.orders.base-sizes", f"{team.id} is off the table at {team.at}")
        less = mine.buffer(-HAIR, join_style="mitre")
        for other, theirs in everybody:
            if other.id != team.id and less.intersects(theirs) and less.intersection(theirs).area > 0.01:
                watch.object_to("hof.moving.declare-destination", f"{team.id} stands on {other.id}")


@book.on("move")
def contact_is_an_assault(watch: Watch, event: Event) -> None:
    """Who ends his move in contact: no Gun, no Small Team, from 12 inches at most, and two on one enemy."""
    act, state = under_way(watch), watch.state
    for name in event.data["ways"]:
        found = find(state, name)
        if found is None or found[1].at is None:
            continue
        unit, team = found
        kind = kind_of(team)
        for _, foe in standing(state, enemy(unit.side)):
            if gap(team, foe) > CONTACT - 1e-9:
                continue
            watch.count("contacts")
            if kind.category == "gun":
                watch.object_to("hof.moving.gun-no-contact", f"{name} is a Gun and touches {foe.id}")
            if kind.small:
                watch.object_to("hof.assaults.small-teams-do-not-fight", f"{name} is a Small Team and touches {foe.id}")
            if kind.vehicle and kind_of(foe).vehicle:
                watch.object_to("hof.assaults.no-vehicle-vs-vehicle", f"{name} drives into {foe.id}")
            start = act.starts.get(name)
            if start is not None and name not in act.unloaded:
                far = base_at(team, *start).distance(base(foe))
                if far > ASSAULT + HAIR:
                    watch.object_to("hof.assaults.within-12", f"{name} started {far:.2f} inches from {foe.id}")
            friends = [mate.id for _, mate in standing(state, unit.side) if gap(mate, foe) <= CONTACT - 1e-9]
            if len(friends) > 2:
                watch.object_to("hof.assaults.two-per-enemy", f"{friends} touch {foe.id}")


@book.on("move", "leader-move", "free-move", "leave")
def nobody_passes_over_an_enemy(watch: Watch, event: Event) -> None:
    """Straight ways of Vehicles, and all ways of others: how a hull turns at a corner is not told."""
    for name, told in event.data.get("ways", {}).items():
        found = find(watch.state, name)
        if found is None or found[1].at is None:
            continue
        unit, team = found
        way, turned = points(told), team.facing
        if kind_of(team).vehicle and len(way) > 2:
            continue
        for a, b in ways.legs(way):
            swept = shapely.union(base_at(team, a, turned), base_at(team, b, turned)).convex_hull
            swept = swept.buffer(-2 * HAIR, join_style="mitre")
            for _, foe in standing(watch.earlier, enemy(unit.side)):
                if not swept.intersects(base(foe)) or find(watch.state, foe.id) is None:
                    continue
                if base_at(team, way[0], turned).intersects(base(foe)):
                    continue
                if swept.intersection(base(foe)).area > 0.03:
                    watch.object_to("hof.moving.declare-destination", f"{name} passes over {foe.id}: {way}")


# Breakdowns.


@book.on("breakdown")
def unreliable_vehicles_break_down(watch: Watch, event: Event) -> None:
    watch.count("breakdowns")
    act, data = under_way(watch), event.data
    found = find(watch.state, data["team"])
    if found is None or "unreliable" not in make(found[1].profile).keywords:
        watch.object_to("hof.special-rules.unreliable", f"{data['team']} is not Unreliable")
        return
    ones = (roll_of(act, *found) or []).count(1)
    shown = event.dice[0].values
    if len(shown) != ones:
        watch.object_to("hof.special-rules.unreliable", f"{len(shown)} dice for {ones} ones")
    if data["immobilised"] != (1 in shown) or found[1].immobilised != (1 in shown):
        watch.object_to("hof.special-rules.unreliable", f"{shown}, and immobilised is {found[1].immobilised}")
