"""Where the program says that there is no way and no room: whether there plainly was one.

Each search is coarser than the rules' own and takes no chances: only a way over open ground, and only a place with room
to spare, contradicts them.
"""

from __future__ import annotations

import math
from typing import Any

from shapely.geometry import LineString, Point

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.before import BEFORE, baseline, briefing, depth_of, inward
from sandtable.testing.umpire.sof.log import course
from sandtable.testing.umpire.sof.moving import rate
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import IMPASSABLE
from sandtable.testing.umpire.sof.table import (
    Spot,
    bearing,
    enemies,
    figures,
    gap,
    pieces,
    placed,
    radius,
    there,
    turn_between,
)

DIRECTIONS = tuple(15.0 * number for number in range(24))
CLEAR = 2.1
"""So far from every other unit is plainly far enough."""
FARTHER = 0.1
NEAR_EDGE = 6.0
STEP = 1.0
ABREAST = 0.4
"""Between the bases of men in loose order who are plainly in command."""


def shifted(at: Spot, toward: float, far: float) -> Spot:
    angle = math.radians(toward)
    return at[0] + far * math.sin(angle), at[1] + far * math.cos(angle)


def is_open(watch: Watch, line: Any, room: float) -> bool:
    """Whether there is no terrain along a way, but for roads."""
    return not any(piece.kind != "road" and piece.shape.distance(line) <= room for piece in pieces(watch))


def to_the_edges(watch: Watch, at: Spot) -> dict[str, float]:
    return {edge: inward(watch, edge, at) for edge in ("south", "north", "west", "east")}


def a_way_back(watch: Watch, state: Any, unit: Any, foes: list[Any], far: float) -> float | None:
    """A direction in which a unit plainly goes so far as one body, over open ground, away from all foes."""
    men = figures(unit)
    others = [(each, other) for each in placed(state) if each.id != unit.id for other in figures(each)]
    before = {foe.id: min(gap(one, other) for one in men for other in figures(foe)) for foe in foes}
    for toward in DIRECTIONS:
        after = dict.fromkeys(before, math.inf)
        for man in men:
            end, r = shifted(man.at, toward, far), radius(man)
            way = LineString([man.at, end])
            if min(to_the_edges(watch, end).values()) < r or not is_open(watch, way, r + 0.1):
                break
            # Friends may be passed, but not by ranks; nobody passes an enemy.
            met = [
                each.id
                for each, other in others
                if math.dist(end, other.at) - r - radius(other) < CLEAR
                or (
                    (each.side != unit.side or "linear" in (unit.formation, each.formation))
                    and way.distance(Point(other.at)) - r - radius(other) < CLEAR
                )
            ]
            if met:
                break
            for foe in foes:
                nearest = min(math.dist(end, other.at) - r - radius(other) for other in figures(foe))
                after[foe.id] = min(after[foe.id], nearest)
        else:
            if all(after[name] > before[name] + FARTHER for name in before):
                return toward
    return None


@book.on("unit-lost")
def nobody_is_lost_who_could_fall_back(watch: Watch, event: Event) -> None:
    if "sof.morale.tenacity-removed" not in event.rules:
        return
    watch.count("ways back looked for")
    unit = watch.earlier.units[event.data["unit"]]
    watch.memory["sof.start"] = None
    foes = enemies(watch.earlier, unit.side)
    toward = a_way_back(watch, watch.earlier, unit, foes, rate(watch, unit, "fall-back"))
    if toward is not None:
        watch.object_to("sof.morale.tenacity-removed", f"{unit.id} could fall back toward {toward:g}")


# Breaking off.


@book.on("unit-lost", "retires")
def who_breaks_off_lives_unless_he_cannot(watch: Watch, event: Event) -> None:
    """Six inches or less from the edge toward which it leads a unit is destroyed; otherwise only without a way."""
    lost = event.kind == "unit-lost"
    fight = course(watch).fight
    if fight is None or (lost and "sof.close-combat.break-off-destroyed" not in event.rules):
        return
    unit = watch.earlier.units[event.data["unit"]]
    foes = [fight.attacker] if unit.id != fight.attacker else fight.defenders
    mine = figures(unit)
    theirs = [each for name in foes if name in watch.earlier.units for each in figures(watch.earlier.units[name])]
    if not theirs or any(told.kind == "agility" for told in watch.told):
        return
    nearest = min(gap(one, other) for one in mine for other in theirs)
    backs = [bearing(b.at, a.at) for a in mine for b in theirs if gap(a, b) <= nearest + 0.5]
    edges = {edge_behind(watch, mine, back) for back in (*backs, *(back + off for back in backs for off in (-10, 10)))}
    rims = {edge: min(inward(watch, edge, man.at) - radius(man) for man in mine) for edge in edges}
    if not lost:
        watch.count("edges behind those who break off")
        if max(rims.values()) < NEAR_EDGE - 0.1:
            watch.object_to("sof.close-combat.break-off-destroyed", f"{unit.id} breaks off toward an edge {rims}")
        return
    watch.count("ways out looked for")
    if min(rims.values()) < NEAR_EDGE + 0.1:
        return
    watch.memory["sof.start"] = None
    seen = [each for each in placed(watch.earlier) if each.id in foes]
    toward = a_way_back(watch, watch.earlier, unit, seen, rate(watch, unit, "fall-back"))
    if toward is not None:
        watch.object_to("sof.close-combat.break-off-destroyed", f"{unit.id} could break off toward {toward:g}")


def edge_behind(watch: Watch, men: list[Any], back: float) -> str:
    """The edge of the table to which a direction leads first from the middle of a unit."""
    x = sum(man.at[0] for man in men) / len(men)
    y = sum(man.at[1] for man in men) / len(men)
    toward = {"south": 180.0, "north": 0.0, "west": 270.0, "east": 90.0}
    far = {}
    for edge, inches in to_the_edges(watch, (x, y)).items():
        off = turn_between(back, toward[edge])
        if off < 89.0:
            far[edge] = inches / math.cos(math.radians(off))
    return min(far, key=lambda edge: far[edge])


# Deploying.


@book.on("no-room")
def there_was_no_room(watch: Watch, event: Event) -> None:
    """Whoever may stand in loose order finds no place for a block of his men."""
    rules, unit = briefing(watch), watch.earlier.units[event.data["unit"]]
    if rules is None or watch.setup.phase not in BEFORE or "loose" not in (*unit.formations, unit.formation):
        return
    watch.count("places looked for")
    at = a_place(watch, watch.earlier, unit)
    if at is not None:
        watch.object_to("sof.mission-core.deploy-in-command", f"{unit.id} finds no room, and there is some at {at}")


def a_place(watch: Watch, state: Any, unit: Any) -> Spot | None:
    """Where the first man of a block of a unit could stand, with room to spare."""
    men = list(unit.teams.values())
    r = max(radius(man) for man in men)
    edge, deep = baseline(state, unit.side), depth_of(watch, state, unit.side)
    others = [other for each in state.units.values() if each.id != unit.id for other in there(each)]
    barred = [piece for piece in pieces(watch) if piece.kind in (*IMPASSABLE, "haystack") or not piece.area]
    pitch = 2 * r + (ABREAST if r == 0.5 else 0.2)
    table = watch.setup.table

    def fits(spot: Spot) -> bool:
        inside = min(to_the_edges(watch, spot).values()) >= r and inward(watch, edge, spot) + r <= deep - 0.05
        clear = all(math.dist(spot, other.at) - r - radius(other) > CLEAR for other in others)
        return inside and clear and all(piece.shape.distance(Point(spot)) > r + 0.1 for piece in barred)

    for files in range(1, len(men) + 1):
        offsets = [(n % files * pitch, n // files * pitch) for n in range(len(men))]
        for i in range(int(table.width / STEP)):
            for j in range(int(table.depth / STEP)):
                first = r + i * STEP, r + j * STEP
                if inward(watch, edge, first) > deep:
                    continue
                if all(fits((first[0] + dx, first[1] + dy)) for dx, dy in offsets):
                    return first
    return None
