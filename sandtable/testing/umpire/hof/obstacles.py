"""Minefields and wire: who comes to them meets them, and where they stop him."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book, ways
from sandtable.testing.umpire.hof.acts import Act, under_way
from sandtable.testing.umpire.hof.moves import points
from sandtable.testing.umpire.hof.table import (
    HAIR,
    TOUCH,
    Piece,
    Point,
    base,
    base_at,
    find,
    ground,
    kind_of,
    length,
    size_of,
    standing,
)
from sandtable.testing.umpire.hof.ways import stretches

CLEARED = {"at-obstacle": 5, "minefield": 3, "wire": 1}


@book.on("move", "leader-move", "free-move", "leave")
def mines_and_wire_are_met(watch: Watch, event: Event) -> None:
    if not watch.setup.options.obstacles:
        return
    act = under_way(watch)
    for name, told in event.data.get("ways", {}).items():
        found = find(watch.state, name)
        if found is None:
            continue
        way = points(told)
        for piece in ground(watch, watch.earlier):
            if piece.kind.obstacle == "minefield":
                meets_mines(watch, act, found[1], way, piece)
            elif piece.kind.obstacle == "wire":
                meets_wire(watch, act, found[1], way, piece)


def meets_mines(watch: Watch, act: Act, team: Any, way: list[Point], piece: Piece) -> None:
    """Judged by the circle within the base: it covers the same ground however the base turns."""
    began = act.starts.get(team.id)
    start = base_at(team, way[0], began[1] if began is not None else None).distance(piece.shape)
    met = piece.id in act.met.get(team.id, ())
    if start > TOUCH + HAIR:
        round_base = min(size_of(team)) / 2 - 2 * HAIR
        came = shapely.LineString(way).distance(piece.shape) < round_base if length(way) else False
    else:
        came = any(each.sure and not each.started for each in stretches(way, piece)) and start > HAIR
    if came:
        watch.count("minefields")
        if not met:
            watch.object_to("hof.optional.mines-trigger", f"{team.id} comes into {piece.id} unharmed: {way}")


def meets_wire(watch: Watch, act: Act, team: Any, way: list[Point], piece: Piece) -> None:
    over = [each for each in stretches(way, piece) if each.sure and not each.started]
    if over and over[0].enter < length(way) - HAIR:
        watch.count("wire")
        if piece.id not in act.met.get(team.id, ()):
            watch.object_to("hof.optional.wire-cross", f"{team.id} crosses {piece.id} without a Check: {way}")


@book.on("mines", "mines-edge", "wire")
def obstacles_were_on_the_way(watch: Watch, event: Event) -> None:
    watch.count(f"{event.kind} met")
    act, name = under_way(watch), event.data["team"]
    found, step = find(watch.state, name), act.declared.get(name)
    before = ground(watch, watch.earlier)
    piece = next((each for each in before if each.id == event.data["obstacle"]), None)
    if found is None or piece is None or piece.kind.obstacle not in ("minefield", "wire"):
        watch.object_to("hof.optional.mines-trigger", f"{name} meets {event.data['obstacle']}")
        return
    if step is None:
        return
    reach = max(size_of(found[1])) + TOUCH
    line = shapely.LineString(step.path) if ways.length(step.path) else shapely.Point(step.path[0])
    if line.distance(piece.shape) > reach:
        watch.object_to("hof.optional.mines-trigger", f"{name} meets {piece.id}, which is not on its way {step.path}")
    if event.kind == "mines-edge" and "engineer" not in found[1].traits:
        watch.object_to("hof.optional.mines-engineers", f"{name} is no Engineer")
    if event.kind == "wire":
        on_foot = kind_of(found[1]).mobility in ("foot", "man-portable")
        if on_foot != bool(event.dice):
            watch.object_to("hof.optional.wire-cross", f"{found[1].profile} crosses wire with the dice {event.dice}")


@book.on("mines")
def note_mines(watch: Watch, event: Event) -> None:
    watch.memory["mined"] = event.data


@book.on("rfps", "sniped")
def one_rfp_from_a_mine(watch: Watch, event: Event) -> None:
    mined = watch.memory.pop("mined", None)
    if mined is None or event.kind != "rfps":
        return
    if event.data["team"] != mined["team"] or event.data["number"] != 1:
        watch.object_to("hof.optional.mines-trigger", f"{mined['team']} meets mines, and {event.data} is resolved")


@book.on("move", "leader-move", "free-move", "leave")
def whom_obstacles_stop_stands_at_them(watch: Watch, event: Event) -> None:
    """Whom wire or a mine stops ends in contact with it, unless somebody's base is in the way."""
    failed: dict[str, str] = watch.memory.get("stopped by", {})
    for name in event.data.get("ways", {}):
        found = find(watch.state, name)
        piece = next((each for each in ground(watch, watch.earlier) if each.id == failed.get(name)), None)
        if found is None or piece is None:
            continue
        watch.count("stops at obstacles")
        others = [base(mate) for _, mate in standing(watch.state) if mate.id != name]
        crowded = any(base(found[1]).distance(other) <= 0.3 for other in others)
        if base(found[1]).distance(piece.shape) > TOUCH + HAIR and not crowded:
            watch.object_to("hof.optional.wire-cross", f"{name} was stopped by {piece.id} and stands far from it")


@book.on()
def note_stops(watch: Watch, event: Event) -> None:
    failed: dict[str, str] = watch.memory.setdefault("stopped by", {})
    if event.kind in ("activation", "arrived", "massed-assault", "turn"):
        failed.clear()
    elif event.kind == "wire" and event.data.get("passed") is False:
        failed[event.data["team"]] = event.data["obstacle"]


# Clearing.


@book.on("clearing")
def clearing_points_add_up(watch: Watch, event: Event) -> None:
    watch.count("clearing")
    data = event.data
    name = data["obstacle"]
    found = find(watch.state, data["team"])
    piece = next((each for each in ground(watch, watch.earlier) if each.id == name), None)
    if found is None or piece is None or not piece.kind.obstacle:
        watch.object_to("hof.optional.wire-clear", f"{data['team']} clears {name}")
        return
    if base(found[1]).distance(piece.shape) > TOUCH + HAIR:
        watch.object_to("hof.optional.wire-clear", f"{data['team']} is not at {name}")
    if piece.kind.obstacle == "minefield" and "engineer" not in found[1].traits:
        watch.object_to("hof.optional.mines-clear", f"{data['team']} is no Engineer and clears mines")
    points_now = watch.memory.setdefault("clearing", dict(watch.asked.clearing)).get(name, 0) + data["passed"]
    watch.memory["clearing"][name] = points_now
    needed = CLEARED[piece.kind.obstacle]
    if data["points"] != points_now or data["removed"] != (points_now >= needed):
        watch.object_to("hof.optional.wire-clear", f"{name} has {points_now} of {needed} Clearing Points: {data}")
