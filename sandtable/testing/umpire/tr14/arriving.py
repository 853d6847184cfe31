"""The end of a Move: where each Team has come to stand, and what holds of all who stand on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapely import LineString, Point

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.geometry import HAIR, Pose, gap_to_any, kind_of, length_of, overlap, pose_of
from sandtable.testing.umpire.tr14.ground import look_at_rolls
from sandtable.testing.umpire.tr14.log import Move, chosen, land, log, team_in, teams_of
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State

A_TENTH_OF_A_DEGREE = 0.11

IN_A_MOVE = {
    "allocated", "cc-reroll", "company", "damage", "destroyed", "direct-fire", "hull-or-turret", "joins", "marker-lost",
    "move-up", "no-effect", "no-suppression", "save", "shooting", "suppressed", "terrain-roll", "to-ground",
    "unit-lost", "up-again", "split-fire", "defensive-fire", "halted", "no-contact", "battle-over",
}  # fmt: skip
"""What may be told while a Unit is on its way."""

AFTER_A_MOVE = {"activate", "action", "fire", "move", "deploy", "strike", "counter-or-break", "chargers", "assault"}
"""Questions that are asked only when nobody is on his way."""


@book.on()
def a_move_ends_with_what_follows(watch: Watch, event: Event) -> None:
    move = log(watch).move
    if move is None or event.kind in IN_A_MOVE or (event.kind in ("move", "charge") and move.before is watch.state):
        return
    end_move(watch, move, watch.earlier if event.kind in ("move", "leader-placed") else watch.state)


@book.after_answer
def a_move_ends_with_the_next_question(watch: Watch) -> None:
    move = log(watch).move
    fresh = any(event.kind in ("move", "charge") for event in watch.told)
    if move is not None and watch.entry is not None and watch.entry.topic in AFTER_A_MOVE and not fresh:
        end_move(watch, move, watch.asked)


@book.at_end
def a_move_ends_with_the_battle(watch: Watch) -> None:
    log(watch).move = None


def end_move(watch: Watch, move: Move, after: State) -> None:
    """Everybody stands at the end of his way, or short of it for a good reason."""
    kept = log(watch)
    kept.move = None
    assert move.before is not None
    for name in move.move_ups:
        watch.object_to("tr14.moving.distances", f"{name} goes farther than it may, on nobody's command")
    if kept.fight is not None and kept.fight.halted:
        return
    standing = [pose_of(team) for _, team in teams_of(after)]
    starts = {name: pose_of(was[1]) for name in move.ways if (was := team_in(move.before, name)) is not None}
    for name, start in starts.items():
        now = team_in(after, name)
        if kind_of(start).type == "tank" and not move.charge:
            move.cut[name] = look_at_rolls(watch, name, start, move.ways[name])
        if now is None:
            # Mates were still in its way where it was stopped before it fell.
            standing += [stop_of(move, name, start, inches) for inches in move.cut.get(name, [])]
    for name, start in starts.items():
        now = team_in(after, name)
        if now is None or now[1].at is None:
            continue
        watch.count("ends of ways")
        here = pose_of(now[1])
        look_at_end(watch, move, name, start, here, [pose for pose in standing if pose != here])


def stop_of(move: Move, name: str, start: Pose, inches: float) -> Pose:
    """How a Team stands that comes to a halt after some inches of its way."""
    point = LineString(move.ways[name]).interpolate(inches)
    return Pose(start.profile, point.x, point.y, move.facings[name])


def look_at_end(watch: Watch, move: Move, name: str, start: Pose, now: Pose, others: Sequence[Pose]) -> None:
    """Where one Team has come to stand; `others` are all other bases."""
    way, facing, stopped = move.ways[name], move.facings[name], move.cut.get(name, [])
    far = length_of(way)
    line = LineString(way) if far > 0 else Point(way[0])
    off = line.distance(Point(now.at()))
    gone = line.project(Point(now.at())) if far > 0 else 0.0
    if off > HAIR:
        # He may step aside only if somebody stands where he came from.
        if gap_to_any(start._replace(facing=now.facing), others) > 0:
            watch.object_to("tr14.moving.distances", f"{name} stands {off:.2f} inches off its way")
        return
    if stopped and all(gone > each + HAIR for each in stopped):
        watch.object_to("tr14.moving.tank-fails", f"{name} is stopped at {max(stopped):.2f} inches and goes {gone:.2f}")
    end = Pose(start.profile, *way[-1], facing)
    if move.charge or stopped or gap_to_any(end, others) == 0 or not land(watch).on_table(end):
        # Guns that fired may have turned into the way of those who were still going.
        return
    if gone < far - HAIR:
        watch.object_to("tr14.moving.distances", f"{name} goes {gone:.2f} inches of {far:.2f}, and nothing stops it")
    elif abs((now.facing - facing + 180) % 360 - 180) > A_TENTH_OF_A_DEGREE:
        watch.object_to("tr14.moving.distances", f"{name} faces {now.facing:.1f}, and not {facing:.1f}")


# What holds at all times.


@book.on("activation")
def nobody_stands_on_another(watch: Watch, event: Event) -> None:
    """Looked at for those who stand otherwise than at the last activation."""
    here = land(watch)
    places = {team.id: pose_of(team) for _, team in teams_of(watch.state)}
    known: dict[str, Pose] = watch.memory.get("tr14.places", {})
    watch.memory["tr14.places"] = places
    for name, pose in places.items():
        if known.get(name) == pose:
            continue
        watch.count("bases looked at")
        if not here.on_table(pose):
            watch.object_to("tr14.moving.distances", f"{name} stands off the table")
        for other, there in places.items():
            if other != name and overlap(pose, there):
                watch.object_to("tr14.moving.distances", f"{name} stands on {other}")


@book.after_answer
def whoever_moved_is_known_to_have_moved(watch: Watch) -> None:
    """A Team that stands elsewhere than before has moved, and is dug in no longer; only its activation ends that."""
    was_units = watch.asked.units
    for unit in watch.state.units.values():
        was = was_units.get(unit.id)
        if was is None:
            continue
        fresh = chosen(watch) in (unit.id, unit.battery)
        for name, team in unit.teams.items():
            old = was.teams.get(name)
            if old is None or old.at is None:
                continue
            if team.at != old.at and (not team.moved or team.dug_in):
                watch.object_to("tr14.firing.mod-gone-to-ground", f"{name} has been moved, and nobody noticed")
            if not fresh and ((old.moved and not team.moved) or (old.fired and not team.fired)):
                watch.object_to("tr14.firing.mod-gone-to-ground", f"what {name} did is forgotten")
