"""What one move allows: how far, over what ground, how near to whom, and how a unit keeps together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from sandtable.engine.events import Modifier, inches
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field import courses
from sandtable.field.bodies import Forming, March
from sandtable.field.courses import Path, length_of, point_at, refuse_off_table, refuse_overlap, refuse_passing, way_of
from sandtable.field.formations import Marched, Pose, about_faced, march, places, stored
from sandtable.rulesets.sof.core.board import Battle, Board, base_gap, board, enemies_of, gap, pitch_of, sees
from sandtable.rulesets.sof.core.names import NAMES, label, name_of
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Unit, units_of
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.movement.rates import Allowance, Manner, adjustments, allowance, on_road, rate_of
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, EXACT, GRID, beyond, within
from sandtable.table.shapes import HALF_DEPTH, HALF_WIDTH, Floats, X, Y, face, point_body, snap

STOPPED = 3
"""sof.movement.suppressed-no-closer: so many suppression markers stop an advance."""

LONGER = 0.25
MOST_LONGER = 6.0
"""sof.actions.fall-back-gap: by how much a way is lengthened, step by step, to be clear of friends."""

CLEARING = ("infantry", "mounted")
"""sof.terrain-low-obstacle.not-enough-move: the types of unit that it holds for."""

IN_PHASE_ZERO = 36.0
"""sof.turn.phase-zero-no-closer"""


How = Literal["march", "about", "align", "face", "form"]
"""How a body in linear order goes: on as it faces, after turning about, after another alignment, facing elsewhere, or
forming up out of open order or on a Fall-Back."""

FORMING: tuple[How, ...] = ("align", "face", "form")


Course = courses.Course[Unit, Figure]
"""The way of one figure in a move."""


@dataclass(slots=True)
class MoveLaw:
    """What one move of a unit allows. `rate` is how far it goes over open ground: what it was when the action began.

    `how` is how a body in linear order goes. `zero`: it was activated in phase 0. `gaps` are the distances to each
    enemy unit when the move began, and `seen` the enemies that it saw then.
    """

    game: Battle
    unit: Unit
    manner: Manner
    rate: float
    how: How = "march"
    zero: bool = False
    gaps: dict[str, float] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    before: tuple[Formation, Alignment] = ("loose", "")
    """The formation in which the action began."""
    changes: list[Modifier] = field(default_factory=list)
    """What of the rate comes from formation and weapons."""
    road: bool = False
    """The march that is looked at follows a road in march column."""
    apart: tuple[float, str] = (SEPARATION, "sof.movement.proximity")
    """How far it keeps from enemies all the way, and by which rule."""

    @classmethod
    def of(cls, game: Battle, unit: Unit, manner: Manner, rate: float | None = None, how: How = "march") -> MoveLaw:
        enemies = enemies_of(game.state, unit)
        gaps = {each.id: gap(game, unit, each) for each in enemies}
        zero = game.state.phase == "activate" and game.state.number == 0
        seen = {each.id for each in enemies if zero and sees(game, unit, each)}
        far = rate_of(unit, manner) if rate is None else rate
        before, changes = (unit.formation, unit.alignment), adjustments(unit, manner)
        return cls(game, unit, manner, far, how, zero, gaps, seen, before, changes)

    def slow_down(self) -> None:
        """Only the Maneuver rate is left of a Double Time."""
        self.rate, self.changes = rate_of(self.unit, "maneuver"), adjustments(self.unit, "maneuver")

    def look_again(self) -> None:
        """Somebody has appeared on the way: from here on he is an enemy as the others are."""
        for enemy in enemies_of(self.game.state, self.unit):
            self.gaps.setdefault(enemy.id, gap(self.game, self.unit, enemy))

    @property
    def figures(self) -> list[Figure]:
        return board(self.game).figures_of(self.unit)

    # Open order: each figure goes where it likes.

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that a move of single figures would break, or None. To stay is always allowed."""
        if not steps:
            return None
        figures = self.figures
        ways = {each.id: way_of(each, steps[each.id]) for each in figures if each.id in steps}
        return self.refuse_ways(ways, self.ends(steps))

    def shifted(self, dx: float, dy: float) -> dict[str, Step]:
        """The steps of all figures as one body."""
        return {
            each.id: Step((snap(each.at[0] + dx), snap(each.at[1] + dy)))
            for each in self.figures
            if each.at is not None
        }

    def ends(self, steps: dict[str, Step]) -> Floats:
        """The rows of the whole unit after some steps."""
        figures = self.figures
        rows = board(self.game).of(figures)
        for row, figure in zip(rows, figures, strict=True):
            step = steps.get(figure.id)
            if step is not None:
                row[X], row[Y] = step.to
                if step.facing is not None:
                    face(row, step.facing)
        return rows

    # Linear order: the body marches, or forms up.

    def body(self) -> tuple[Pose | None, int, float]:
        """The pose from which the body marches, how many it has, and how far each is from the next."""
        count, pitch, pose = len(self.figures), pitch_of(self.unit), self.unit.pose
        return (about_faced(pose, count, pitch) if self.how == "about" and pose else pose), count, pitch

    def forming(self) -> Forming | None:
        """How the body may form up; None if it marches as it stands."""
        if self.how not in FORMING:
            return None
        files = files_of(self.unit, self.unit.alignment, len(self.figures))
        return Forming(tuple(files), self.anchor(), self.how == "align")

    def anchor(self) -> tuple[float, float] | None:
        """Where the middle of the front rank must be when the body forms up; None if it may choose."""
        pose = self.unit.pose
        if self.how == "form" or pose is None:
            return None
        if self.how == "face":
            return next((each.at for each in self.figures if each.character), pose.at)
        return pose.at

    def ends_of(self, wanted: March) -> tuple[list[str], Marched]:
        order, done = self.march_of(wanted)
        return [each.id for each in order], done

    def march_of(self, wanted: March) -> tuple[list[Figure], Marched]:
        """Who stands in which slot, and what the march comes to from there."""
        start, count, pitch = self.body()
        start = start if wanted.to is None else wanted.to
        assert start is not None
        order = self.figures if start is self.unit.pose else self.in_slots(start)
        return order, march(start, wanted.legs, count, pitch)

    def in_slots(self, to: Pose) -> list[Figure]:
        """Who stands in which slot when a body forms up: to each slot whoever is nearest of those without one."""
        left = self.figures
        found = []
        for spot in places(to, len(left), pitch_of(self.unit)):
            nearest = min(left, key=lambda each: round(math.dist(each.at or spot, spot), 2))
            left = [each for each in left if each is not nearest]
            found.append(nearest)
        return found

    def refuse_march(self, wanted: March) -> Refusal | None:
        """The first rule that a march, or forming up, would break. To stay is always allowed."""
        if not wanted.legs and wanted.to is None:
            return None
        if any(leg.ahead < 0 for leg in wanted.legs):
            message = f"{label(self.unit)} would march backwards."
            legal = "In linear order it moves ahead and wheels; to go back it must turn about."
            return illegal("sof.movement.linear-wheel", message, field="legs", legal=legal)
        refusal = self.refuse_pose(wanted)
        if refusal is not None:
            return refusal
        order, done = self.march_of(wanted)
        ways = {each.id: [each.at or way[0], *way] for each, way in zip(order, done.ways, strict=True)}
        self.road = self.follows_road(done)
        farthest = self.inches(wanted, done)
        if self.how == "form":
            farthest = max(math.dist(way[0], way[-1]) for way in ways.values())
        return self.refuse_ways(ways, self.posed(order, stored(done.pose)), farthest)

    def inches(self, wanted: March, done: Marched) -> float:
        """sof.movement.linear-road: along a road a march column wheels for nothing; else the farthest figure counts."""
        return sum(abs(leg.ahead) for leg in wanted.legs) if self.follows_road(done) else done.inches

    def follows_road(self, done: Marched) -> bool:
        """Whether a march column stands on a road before and after its march, and its head keeps to it all the way."""
        ground = self.game.prepared
        if self.unit.alignment != "march-column" or not len(ground.roads) or not done.ways:
            return False
        for spots in ([way[0] for way in done.ways], [way[-1] for way in done.ways]):
            inside = ground.terrain.inside(np.array([point_body(*spot) for spot in spots]))
            if not inside[:, ground.roads].any(axis=1).all():
                return False
        left, right = done.ways[0], done.ways[min(1, len(done.ways) - 1)]
        head = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(left, right, strict=True)]
        return length_of(head) > GRID and on_road(ground, head)

    def end_of(self, wanted: March) -> Floats:
        """Where everybody stands after a march."""
        order, done = self.march_of(wanted)
        return self.posed(order, stored(done.pose))

    def refuse_pose(self, wanted: March) -> Refusal | None:
        """Whether a body may form up there: how many abreast, and where its front is."""
        to = wanted.to
        if (to is None) == (self.how in FORMING):
            message = "it marches by its legs alone." if to is not None else "say how it forms up."
            return Refusal("malformed", message, field="to")
        if to is None:
            return None
        allowed = files_of(self.unit, self.unit.alignment, len(self.figures))
        if to.files not in allowed:
            message = f"{label(self.unit)} would stand {to.files} abreast."
            legal = f"Allowed: {', '.join(map(str, allowed))}."
            return illegal("sof.formations.linear-ranks", message, field="files", legal=legal)
        if wanted.legs and self.how != "align":
            message = f"{label(self.unit)} would march on after forming up."
            rule = "sof.movement.linear-other-facing" if self.how == "face" else "sof.movement.each-model"
            return illegal(rule, message, field="legs", legal="Form up only.")
        anchor = self.anchor()
        if anchor is not None and math.dist(anchor, to.at) > A_HAIR:
            rule = "sof.movement.linear-other-facing" if self.how == "face" else "sof.movement.change-alignment"
            message = f"{label(self.unit)} would form up elsewhere."
            legal = f"The middle of its front rank is at {anchor[0]:g}, {anchor[1]:g}."
            return illegal(rule, message, field="to", legal=legal)
        return None

    def posed(self, order: list[Figure], pose: Pose) -> Floats:
        """The rows of the unit in a pose, in the order of its figures."""
        figures = self.figures
        spots = dict(zip((each.id for each in order), places(pose, len(figures), pitch_of(self.unit)), strict=True))
        rows = board(self.game).of(figures)
        for row, figure in zip(rows, figures, strict=True):
            row[X], row[Y] = (snap(value) for value in spots[figure.id])
            face(row, pose.facing)
        return rows

    # What holds for both.

    def allowed(self, ways: dict[str, Path]) -> Allowance:
        return allowance(self.game.prepared, self.unit, self.manner, ways, self.rate, self.road)

    def refuse_ways(self, ways: dict[str, Path], ends: Floats, farthest: float | None = None) -> Refusal | None:
        if all(length_of(path) <= GRID for path in ways.values()):
            # Turning on the spot.
            return None
        here, figures = board(self.game), self.figures
        name = partial(name_of, self.game.state)
        moving = [each for each in figures if each.id in ways]
        going = ends.take([number for number, each in enumerate(figures) if each.id in ways], axis=0)
        refusal = (
            refuse_off_table(here.ground, moving, ways, going, name)
            or self.refuse_distance(ways, farthest)
            or self.refuse_ground(ways, ends)
            or self.refuse_near_enemies(here, ways)
            or refuse_passing(moving, ways, here.of(moving), self.enemy_rows(here), name)
            or refuse_overlap(here, figures, ends, name, rule="sof.movement.interpenetration")
        )
        if refusal is not None:
            return refusal
        gaps = here.gaps_from(ends)
        return (
            self.refuse_near_others(gaps)
            or self.refuse_through_ranks(here, ways)
            or self.refuse_command(ends)
            or self.refuse_nearer(gaps)
        )

    def enemy_rows(self, here: Board) -> Floats:
        return here.of([each for unit in enemies_of(self.game.state, self.unit) for each in here.figures_of(unit)])

    def refuse_distance(self, ways: dict[str, Path], farthest: float | None) -> Refusal | None:
        allowed = self.allowed(ways)
        far, rule = max((length_of(path), each) for each, path in ways.items())
        longest = far if farthest is None else farthest
        if within(longest, allowed.inches, A_HAIR) or self.all_across(ways, allowed.inches):
            return None
        if self.manner == "fall-back" and self.clears_friends(ways, allowed.inches, longest):
            return None
        message = f"{name_of(self.game.state, rule)} would move {longest:.1f} inches."
        legal = f"It may move up to {inches(round(allowed.inches, 2))}."
        why = next((each for each in reversed(allowed.rules) if each.startswith("sof.terrain-")), None)
        if farthest is not None:
            return illegal(why or "sof.movement.linear-wheel", message, field="legs", legal=legal)
        return illegal(why or "sof.movement.each-model", message, field=rule, legal=legal)

    def clears_friends(self, ways: dict[str, Path], allowed: float, longest: float) -> bool:
        """sof.actions.fall-back-gap: whether a Fall-Back is longer by no more than it takes to be clear of friends."""
        here, friends = board(self.game), self.friend_rows()
        if longest > allowed + MOST_LONGER or not len(friends):
            return False
        stops = [allowed + LONGER * step for step in range(math.ceil((longest - allowed) / LONGER - A_HAIR))]
        for stop in stops:
            ends = {name: point_at(path, length_of(path) * stop / longest) for name, path in ways.items()}
            if base_gap(here.at(self.figures, ends), friends) >= SEPARATION - GRID:
                return False
        return True

    def friend_rows(self) -> Floats:
        """Where the other units of its side stand."""
        here = board(self.game)
        others = [each for each in units_of(self.game.state, self.unit.side) if each is not self.unit]
        return here.of([figure for each in others for figure in here.on(each.teams.values())])

    def all_across(self, ways: dict[str, Path], allowed: float) -> bool:
        """Whether those who go farther than allowed only get across a low obstacle beside which they began."""
        ground, here = self.game.prepared, board(self.game)
        if not len(ground.to_clear) or self.unit.type not in CLEARING:
            return False
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is None or within(length_of(path), allowed, A_HAIR):
                continue
            row = here.of([figure])
            met = moves.spans(ground.terrain, path, ground.to_clear)
            beside = bool(met) and bool(ground.terrain.touching(row, CONTACT)[0, met[0].feature])
            if not beside or length_of(path) > met[0].enter + 2 * float(row[0, HALF_WIDTH]) + A_HAIR:
                return False
        return True

    def refuse_ground(self, ways: dict[str, Path], ends: Floats) -> Refusal | None:
        ground = self.game.prepared
        for name, path in ways.items():
            barrier = ground.barrier(self.unit.type, path)
            if barrier is not None:
                message = f"{name_of(self.game.state, name)} would move through impassable terrain."
                return illegal(ground.rule(barrier, "impassable") or "", message, field=name, legal="Go round it.")
        if len(ground.to_clear) and self.unit.type in CLEARING:
            over = ground.terrain.over_any(ends, ground.to_clear)
            for number in np.flatnonzero(over).tolist():
                figure = self.figures[number]
                way = ways.get(figure.id, [])
                if length_of(way) > GRID and moves.spans(ground.terrain, way, ground.to_clear):
                    message = f"{NAMES.label(self.unit, figure)} would not get clear of a low obstacle."
                    legal = "Go wholly beyond it, or stop on reaching it."
                    return illegal("sof.terrain-low-obstacle.not-enough-move", message, field=figure.id, legal=legal)
        if len(ground.not_to_stop_on):
            on = ground.terrain.inside(ends)[:, ground.not_to_stop_on].any(axis=1)
            for number in np.flatnonzero(on).tolist():
                figure = self.figures[number]
                message = f"{NAMES.label(self.unit, figure)} would end its move on a haystack."
                return illegal("sof.terrain-haystack.movement", message, field=figure.id, legal="Go on or stop before.")
        return None

    def refuse_near_enemies(self, here: Board, ways: dict[str, Path]) -> Refusal | None:
        """sof.movement.proximity: at no point within 2 inches of an enemy; whoever is so near already may go away."""
        rows = self.enemy_rows(here)
        if not len(rows):
            return None
        apart, rule = self.apart
        rows[:, HALF_WIDTH] += apart
        rows[:, HALF_DEPTH] += apart
        # Whoever is so near from the start is not looked at here; it may not pass over him either.
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is not None and moves.sweep(here.rows[here.index[figure.id]], np.array(path), rows, 0.0) < math.inf:
                message = f"{NAMES.label(self.unit, figure)} would come within {apart:g} inches of an enemy."
                legal = f"Keep more than {apart:g} inches away, but in an Assault."
                return illegal(rule, message, field=figure.id, legal=legal)
        return None

    def refuse_near_others(self, gaps: Mapping[str, float]) -> Refusal | None:
        """sof.movement.interpenetration, sof.units.separation: units end more than 2 inches apart."""
        for other in self.game.state.units.values():
            friend = other.side == self.unit.side
            if other is self.unit or not other.placed or (other.ambush and not friend):
                continue
            far = gaps[other.id]
            least = self.manner == "fall-back" and friend
            keeps = far >= SEPARATION - GRID if least else beyond(far, SEPARATION, EXACT)
            if not keeps:
                message = f"{label(self.unit)} would end {far:.2f} inches from {label(other)}."
                rule = "sof.movement.interpenetration" if friend else "sof.units.separation"
                return illegal(rule, message, field="move", legal="End more than 2 inches from every other unit.")
        return None

    def refuse_through_ranks(self, here: Board, ways: dict[str, Path]) -> Refusal | None:
        """sof.movement.interpenetration-linear; by a chart's switch nobody passes through ranks."""
        nobody = self.game.setup.options.linear_no_interpenetration
        if self.unit.formation != "linear" and not nobody:
            return None
        for other in self.game.state.units.values():
            if other is self.unit or other.side != self.unit.side or other.formation != "linear" or not other.placed:
                continue
            rows = here.rows_of(other)
            for figure in self.figures:
                path = ways.get(figure.id)
                if path is not None and moves.sweep(here.of([figure])[0], np.array(path), rows) < math.inf:
                    both = self.unit.formation == "linear"
                    rule = "sof.movement.interpenetration-linear" if both else "sof.charts.linear-no-interpenetration"
                    message = f"{label(self.unit)} would pass through {label(other)}, which is in linear order."
                    return illegal(rule, message, field="legs" if both else "move", legal="Go round it.")
        return None

    def refuse_command(self, ends: Floats) -> Refusal | None:
        if stands_in_command(self.unit, ends):
            return None
        far, rule = command_distance(self.unit)
        message = f"{label(self.unit)} would not be in command: its models would be too far apart."
        legal = f"Each must be linked to the others by gaps of {far:g} inches at most."
        return illegal("sof.movement.end-in-command", message, field="move", legal=f"{legal} ({rule})")

    def refuse_nearer(self, gaps: Mapping[str, float]) -> Refusal | None:
        """Three markers, or phase 0, forbid to come nearer to an enemy; a Fall-Back must lead away from all of them."""
        for enemy in enemies_of(self.game.state, self.unit):
            before, after = self.gaps[enemy.id], gaps[enemy.id]
            if self.manner == "fall-back" and after <= before + GRID:
                message = f"{label(self.unit)} would not be farther from {label(enemy)} than it is."
                legal = "A Fall-Back ends farther away from every enemy unit."
                return illegal("sof.actions.fall-back-away", message, field="move", legal=legal)
            if after >= before - A_HAIR:
                continue
            if self.unit.suppression >= STOPPED:
                message = f"{label(self.unit)} is too suppressed to come nearer to {label(enemy)}."
                legal = "With three or more it comes nearer to nobody."
                return illegal("sof.movement.suppressed-no-closer", message, field="move", legal=legal)
            if self.zero and enemy.id in self.seen and within(before, IN_PHASE_ZERO, EXACT):
                message = f"{label(self.unit)} acts in phase 0 and would come nearer to {label(enemy)}, which it sees."
                legal = "In phase 0 it comes no nearer to an enemy that it sees within 36 inches."
                return illegal("sof.turn.phase-zero-no-closer", message, field="move", legal=legal)
        return None


def courses_of(law: MoveLaw, ways: dict[str, Path], facings: Sequence[float] | None = None) -> list[Course]:
    figures = [each for each in law.figures if each.id in ways]
    looks = facings or [each.facing for each in figures]
    return [
        Course(law.unit, each, ways[each.id], length_of(ways[each.id]), look)
        for each, look in zip(figures, looks, strict=True)
    ]
