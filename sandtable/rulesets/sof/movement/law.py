"""What one move allows: how far, over what ground, how near to whom, and how a unit keeps together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from sandtable.engine.events import inches
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field import courses
from sandtable.field.bodies import March
from sandtable.field.courses import Path, length_of, refuse_off_table, refuse_overlap, refuse_passing, way_of
from sandtable.field.formations import Marched, Pose, about_faced, march, places, stored
from sandtable.rulesets.sof.core.board import Battle, Board, base_gap, board, enemies_of, pitch_of, sees
from sandtable.rulesets.sof.core.names import NAMES, label, name_of
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Unit
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.movement.rates import Allowance, Manner, allowance, rate_of
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, GRID, beyond, within
from sandtable.table.shapes import HALF_DEPTH, HALF_WIDTH, Floats, X, Y, face, snap

STOPPED = 3
"""sof.movement.suppressed-no-closer: so many suppression markers stop an advance."""

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

    @classmethod
    def of(cls, game: Battle, unit: Unit, manner: Manner, rate: float | None = None, how: How = "march") -> MoveLaw:
        rows = board(game).rows_of(unit)
        enemies = enemies_of(game.state, unit)
        gaps = {each.id: base_gap(rows, board(game).rows_of(each)) for each in enemies}
        zero = game.state.phase == "activate" and game.state.number == 0
        seen = {each.id for each in enemies if zero and sees(game, unit, each)}
        far = rate_of(unit, manner) if rate is None else rate
        return cls(game, unit, manner, far, how, zero, gaps, seen, (unit.formation, unit.alignment))

    @property
    def figures(self) -> list[Figure]:
        return board(self.game).on(self.unit.teams.values())

    # Open order: each figure goes where it likes.

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that a move of single figures would break, or None. To stay is always allowed."""
        if not steps:
            return None
        figures = self.figures
        ways = {each.id: way_of(each, steps[each.id]) for each in figures if each.id in steps}
        return self.refuse_ways(ways, self.ends(steps))

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

    def march_of(self, wanted: March) -> tuple[list[Figure], Marched]:
        """Who stands in which slot, and what the march comes to from there."""
        count, pitch = len(self.figures), pitch_of(self.unit)
        start = wanted.to
        if start is None:
            assert self.unit.pose is not None
            start = about_faced(self.unit.pose, count, pitch) if self.how == "about" else self.unit.pose
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
        farthest = done.inches
        if self.how == "form":
            farthest = max(math.dist(way[0], way[-1]) for way in ways.values())
        return self.refuse_ways(ways, self.posed(order, stored(done.pose)), farthest)

    def refuse_pose(self, wanted: March) -> Refusal | None:
        """Whether a body may form up there: how many abreast, and where its front is."""
        to, pose = wanted.to, self.unit.pose
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
        anchor = None if self.how == "form" or pose is None else pose.at
        if self.how == "face":
            anchor = next((each.at for each in self.figures if each.character), anchor)
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
        return allowance(self.game.prepared, self.unit, self.manner, ways, self.rate)

    def refuse_ways(self, ways: dict[str, Path], ends: Floats, farthest: float | None = None) -> Refusal | None:
        if all(length_of(path) <= GRID for path in ways.values()):
            # Turning on the spot.
            return None
        here, figures = board(self.game), self.figures
        name = partial(name_of, self.game.state)
        moving = [each for each in figures if each.id in ways]
        going = ends.take([number for number, each in enumerate(figures) if each.id in ways], axis=0)
        return (
            refuse_off_table(here.ground, moving, ways, going, name)
            or self.refuse_distance(ways, farthest)
            or self.refuse_ground(ways, ends)
            or self.refuse_near_enemies(here, ways)
            or refuse_passing(moving, ways, here.of(moving), self.enemy_rows(here), name)
            or refuse_overlap(here, figures, ends, name, rule="sof.movement.interpenetration")
            or self.refuse_near_others(here, ends)
            or self.refuse_through_ranks(here, ways)
            or self.refuse_command(ends)
            or self.refuse_nearer(here, ends)
        )

    def enemy_rows(self, here: Board) -> Floats:
        return here.of(
            [each for unit in enemies_of(self.game.state, self.unit) for each in here.on(unit.teams.values())]
        )

    def refuse_distance(self, ways: dict[str, Path], farthest: float | None) -> Refusal | None:
        allowed = self.allowed(ways)
        far, rule = max((length_of(path), each) for each, path in ways.items())
        longest = far if farthest is None else farthest
        if within(longest, allowed.inches, A_HAIR):
            return None
        message = f"{name_of(self.game.state, rule)} would move {longest:.1f} inches."
        legal = f"It may move up to {inches(round(allowed.inches, 2))}."
        why = next((each for each in reversed(allowed.rules) if each.startswith("sof.terrain-")), None)
        if farthest is not None:
            return illegal(why or "sof.movement.linear-wheel", message, field="legs", legal=legal)
        return illegal(why or "sof.movement.each-model", message, field=rule, legal=legal)

    def refuse_ground(self, ways: dict[str, Path], ends: Floats) -> Refusal | None:
        ground = self.game.prepared
        if len(ground.impassable):
            for name, path in ways.items():
                if length_of(path) > GRID and moves.spans(ground.terrain, path, ground.impassable):
                    message = f"{name_of(self.game.state, name)} would move through impassable terrain."
                    return illegal("sof.terrain-impassable.movement", message, field=name, legal="Go round it.")
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
        rows[:, HALF_WIDTH] += SEPARATION
        rows[:, HALF_DEPTH] += SEPARATION
        # Whoever is so near from the start is not looked at here; it may not pass over him either.
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is not None and moves.sweep(here.rows[here.index[figure.id]], np.array(path), rows, 0.0) < math.inf:
                message = f"{NAMES.label(self.unit, figure)} would come within 2 inches of an enemy."
                legal = "Keep more than 2 inches away, but in an Assault."
                return illegal("sof.movement.proximity", message, field=figure.id, legal=legal)
        return None

    def refuse_near_others(self, here: Board, ends: Floats) -> Refusal | None:
        """sof.movement.interpenetration, sof.units.separation: units end more than 2 inches apart."""
        for other in self.game.state.units.values():
            if other is self.unit or not other.placed:
                continue
            far = base_gap(ends, here.rows_of(other))
            keeps = far >= SEPARATION - GRID if self.manner == "fall-back" else beyond(far, SEPARATION, EXACT)
            if not keeps:
                message = f"{label(self.unit)} would end {far:.2f} inches from {label(other)}."
                rule = "sof.movement.interpenetration" if other.side == self.unit.side else "sof.units.separation"
                return illegal(rule, message, field="move", legal="End more than 2 inches from every other unit.")
        return None

    def refuse_through_ranks(self, here: Board, ways: dict[str, Path]) -> Refusal | None:
        """sof.movement.interpenetration-linear"""
        if self.unit.formation != "linear":
            return None
        for other in self.game.state.units.values():
            if other is self.unit or other.side != self.unit.side or other.formation != "linear" or not other.placed:
                continue
            rows = here.rows_of(other)
            for figure in self.figures:
                path = ways.get(figure.id)
                if path is not None and moves.sweep(here.of([figure])[0], np.array(path), rows) < math.inf:
                    message = f"{label(self.unit)} would pass through {label(other)}, and both are in linear order."
                    return illegal("sof.movement.interpenetration-linear", message, field="legs", legal="Go round it.")
        return None

    def refuse_command(self, ends: Floats) -> Refusal | None:
        if stands_in_command(self.unit, ends):
            return None
        far, rule = command_distance(self.unit)
        message = f"{label(self.unit)} would not be in command: its models would be too far apart."
        legal = f"Each must be linked to the others by gaps of {far:g} inches at most."
        return illegal("sof.movement.end-in-command", message, field="move", legal=f"{legal} ({rule})")

    def refuse_nearer(self, here: Board, ends: Floats) -> Refusal | None:
        """Three markers, or phase 0, forbid to come nearer to an enemy; a Fall-Back must lead away from all of them."""
        for enemy in enemies_of(self.game.state, self.unit):
            before, after = self.gaps[enemy.id], base_gap(ends, here.rows_of(enemy))
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
