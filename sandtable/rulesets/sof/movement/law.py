"""What one move allows: how far, over what ground, how near to whom, and how a unit keeps together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from sandtable.engine.events import Modifier, inches
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field import courses
from sandtable.field.bodies import Forming, March
from sandtable.field.courses import Path, length_of, point_at, refuse_off_table, refuse_overlap, refuse_passing, way_of
from sandtable.field.formations import Marched, Pose, about_faced, ended, march, places, stored
from sandtable.field.moving import PARTS
from sandtable.rulesets.sof.core.board import (
    Battle,
    Board,
    base_gap,
    board,
    enemies_of,
    friend_rows,
    gap,
    gaps_of,
    pitch_of,
    sees,
)
from sandtable.rulesets.sof.core.names import NAMES, label, name_of
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Point, Unit, units_of
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.kernels import passage
from sandtable.rulesets.sof.movement.rates import (
    Allowance,
    Manner,
    adjusted_rate,
    adjustments,
    allowance,
    on_road,
    rate_of,
)
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, EXACT, GRID, beyond, within
from sandtable.table.shapes import COS, HALF_DEPTH, HALF_WIDTH, SIN, Floats, X, Y, face, heading, point_body, snap

STOPPED = 3
"""sof.movement.suppressed-no-closer: so many suppression markers stop an advance."""

LONGER = 0.25
MOST_LONGER = 6.0
"""sof.actions.fall-back-gap: by how much a way is lengthened, step by step, to be clear of friends."""

CLEARING = ("infantry", "mounted")
"""sof.terrain-low-obstacle.not-enough-move, sof.terrain-tall-obstacle.not-enough-move: the types that they hold for."""

JUST_BEYOND = 0.5
"""sof.terrain-tall-obstacle.agility-weapon-gun: no farther beyond a wall than so is a weapon set down."""

UNSLOWED = "sof.terrain-road.negates-penalties"
"""What makes nobody's move shorter, and so refuses none."""

IN_PHASE_ZERO = 36.0
"""sof.turn.phase-zero-no-closer"""


How = Literal["march", "about", "align", "face", "form"]
"""How a body in linear order goes: on as it faces, after turning about, after another alignment, facing elsewhere, or
forming up out of open order or on a Fall-Back."""

FORMING: tuple[How, ...] = ("align", "face", "form")


NOBODY = (passage.OTHER, 0.0, -math.inf)
"""What is nothing to a move but a base on which nobody may stand: the unit itself, or an enemy in ambush."""


Course = courses.Course[Unit, Figure]
"""The way of one figure in a move."""


@dataclass(slots=True)
class MoveLaw:
    """What one move of a unit allows. `rate` is how far it goes over open ground: what it was when the action began.

    `how` is how a body in linear order goes. `zero`: it was activated in phase 0. `gaps` are the distances to each
    enemy unit when the move began, and `seen` says of enemies whether it saw them then, as far as that was asked.
    """

    game: Battle
    unit: Unit
    manner: Manner
    rate: float
    how: How = "march"
    zero: bool = False
    gaps: dict[str, float] = field(default_factory=dict)
    seen: dict[str, bool] = field(default_factory=dict)
    before: tuple[Formation, Alignment] = ("loose", "")
    """The formation in which the action began."""
    changes: list[Modifier] = field(default_factory=list)
    """What of the rate comes from formation and weapons."""
    road: bool = False
    """The march that is looked at follows a road in march column."""
    apart: tuple[float, str] = (SEPARATION + EXACT, "sof.movement.proximity")
    """How far it keeps from enemies all the way, and by which rule; exactly 2 inches away is within 2 inches."""
    _others: tuple[tuple[int, int], passage.Others] | None = field(default=None, init=False)
    _known: tuple[dict[str, Path], tuple[object, ...], Allowance] | None = field(default=None, init=False)
    """What was last found to be allowed, of which ways, and on what else it depends."""
    as_it_stands: bool = False
    """It goes as one body, and whoever has lost touch with his mates by losses goes with it all the same."""
    leads_away: Callable[[], Point | None] | None = None
    """Of a move that may not stay if it may go somewhere: by how many inches to the east and north, as one body."""
    _away: list[Point | None] = field(default_factory=list, init=False)

    @classmethod
    def of(cls, game: Battle, unit: Unit, manner: Manner, rate: float | None = None, how: How = "march") -> MoveLaw:
        enemies = enemies_of(game.state, unit)
        apart = gaps_of(game, unit)
        gaps = {each.id: apart[each.id] for each in enemies}
        zero = game.state.phase == "activate" and game.state.number == 0
        before, changes = (unit.formation, unit.alignment), adjustments(unit, manner)
        far = adjusted_rate(unit, manner, changes) if rate is None else rate
        return cls(game, unit, manner, far, how, zero, gaps, {}, before, changes)

    def saw(self, enemy: Unit) -> bool:
        """Whether the unit sees an enemy; asked before it goes, for later that stays as it was."""
        if enemy.id not in self.seen:
            self.seen[enemy.id] = sees(self.game, self.unit, enemy)
        return self.seen[enemy.id]

    def look_round(self) -> None:
        """The unit sets out, and will be asked whom it saw before."""
        for enemy in enemies_of(self.game.state, self.unit) if self.zero else ():
            self.saw(enemy)

    def slow_down(self) -> None:
        """Only the Maneuver rate is left of a Double Time."""
        self.rate, self.changes = rate_of(self.unit, "maneuver"), adjustments(self.unit, "maneuver")

    def look_again(self) -> None:
        """Somebody has appeared on the way: from here on he is an enemy as the others are."""
        self._others = None
        for enemy in enemies_of(self.game.state, self.unit):
            if enemy.id not in self.gaps:
                self.gaps[enemy.id] = gap(self.game, self.unit, enemy)
                self.seen[enemy.id] = False

    @property
    def figures(self) -> list[Figure]:
        return board(self.game).figures_of(self.unit)

    # Open order: each figure goes where it likes.

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that a move of single figures would break, or None."""
        ways = self.ways_of(steps)
        return self.refuse_staying() if stays(ways) else self.refuse_ways(ways, self.ends(steps))

    def lets(self, steps: dict[str, Step]) -> bool:
        """Whether nothing refuses a move of single figures, found out at once and without words."""
        ways = self.ways_of(steps)
        return self.must_go is None if stays(ways) else self.lets_ways(ways, self.ends(steps))

    @property
    def must_go(self) -> Point | None:
        """Where it may go, if therefore it may not stay; a way is only looked for when somebody asks."""
        if self.leads_away is None:
            return None
        if not self._away:
            self._away.append(self.leads_away())
        return self._away[0]

    def refuse_staying(self) -> Refusal | None:
        """Why a unit may not stay where it is, as most may: a Fall-Back must lead away if any way does."""
        return None if self.must_go is None else self.refuse_nearer(self.gaps)

    def ways_of(self, steps: dict[str, Step]) -> dict[str, Path]:
        return {each.id: way_of(each, steps[each.id]) for each in self.figures if each.id in steps}

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
            return next((each.at for each in self.unit.ncos), pose.at)
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
        """The first rule that a march, or forming up, would break, or None."""
        if not wanted.legs and wanted.to is None:
            return self.refuse_staying()
        refusal = self.refuse_form(wanted)
        if refusal is not None:
            return refusal
        ways, ends, farthest = self.marched(wanted)
        return self.refuse_staying() if stays(ways) else self.refuse_ways(ways, ends, farthest)

    def lets_march(self, wanted: March) -> bool:
        """Whether nothing refuses a march, or forming up, found out at once."""
        if not wanted.legs and wanted.to is None:
            return self.must_go is None
        if self.refuse_form(wanted) is not None or not self.lets_end(wanted):
            return False
        ways, ends, farthest = self.marched(wanted)
        return self.must_go is None if stays(ways) else self.lets_ways(ways, ends, farthest)

    def lets_end(self, wanted: March) -> bool:
        """Whether the body may stand where a march straight on or round ends: what is soon found out."""
        start, _, pitch = self.body()
        if wanted.to is not None or start is None or self.how == "about":
            return True
        rows = self.posed(self.figures, stored(ended(start, wanted.legs, pitch)))
        return self.goes_well(rows, moves.together([[each.at or (0.0, 0.0)] for each in self.figures]))

    def refuse_form(self, wanted: March) -> Refusal | None:
        if any(leg.ahead < 0 for leg in wanted.legs):
            message = f"{label(self.unit)} would march backwards."
            legal = "In linear order it moves ahead and wheels; to go back it must turn about."
            return illegal("sof.movement.linear-wheel", message, field="legs", legal=legal)
        return self.refuse_pose(wanted)

    def marched(self, wanted: March) -> tuple[dict[str, Path], Floats, float]:
        """The way of each figure on a march, the rows at its end, and how far the farthest goes."""
        order, done = self.march_of(wanted)
        ways = {each.id: [each.at or way[0], *way] for each, way in zip(order, done.ways, strict=True)}
        self.road = self.follows_road(done)
        farthest = self.inches(wanted, done)
        if self.how == "form":
            farthest = max(math.dist(way[0], way[-1]) for way in ways.values())
        return ways, self.posed(order, stored(done.pose)), farthest

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
        rows = board(self.game).rows_of(self.unit).copy()
        rows[:, X : Y + 1] = [(snap(x), snap(y)) for x, y in (spots[figure.id] for figure in figures)]
        rows[:, SIN], rows[:, COS] = heading(pose.facing)
        return rows

    def refuse_turn(self) -> Refusal | None:
        """sof.movement.linear-about-face: why the body has no room to turn about where it stands."""
        here, figures, name = board(self.game), self.figures, partial(name_of, self.game.state)
        order, done = self.march_of(March())
        ends = self.posed(order, stored(done.pose))
        ways = {each.id: [way[0]] for each, way in zip(order, done.ways, strict=True)}
        refusal = refuse_off_table(here.ground, figures, ways, ends, name)
        refusal = refusal or refuse_overlap(here, figures, ends, name, rule="sof.movement.interpenetration")
        gaps = here.gaps_from(ends)
        return refusal or self.refuse_near_others(gaps) or self.refuse_nearer(gaps)

    # What holds for both.

    def allowed(self, ways: dict[str, Path]) -> Allowance:
        """What terrain leaves of a move by these ways; nobody changes it."""
        now = self._as_it_goes()
        if self._known is not None and self._known[1] == now and self._known[0] == ways:
            return self._known[2]
        return self._know(ways, allowance(self.game.prepared, self.unit, self.manner, ways, self.rate, self.road))

    def _as_it_goes(self) -> tuple[object, ...]:
        return self.rate, self.road, self.unit.formation, self.unit.alignment

    def _know(self, ways: dict[str, Path], allowed: Allowance) -> Allowance:
        self._known = ways, self._as_it_goes(), allowed
        return allowed

    def open_ground(self, paths: moves.Paths) -> bool:
        """Whether some ways lead over nothing that slows, bars or asks anything of the unit."""
        ground = self.game.prepared
        numbers = ground.marked(self.unit.type, self.unit.formation == "linear")
        return not len(numbers) or not any(moves.ways_crossed(ground.terrain, numbers, paths))

    def others(self, here: Board) -> passage.Others:
        """What everybody on the table is to this move: the numbers of `refuse_near_others` and `refuse_nearer`."""
        now = (here.version, self.unit.suppression)
        if self._others is None or self._others[0] != now:
            known = self.to_move(here)
            kinds, least, limits = zip(*known, strict=True) if known else ((), (), ())
            found = passage.Others(
                here.unit_numbers, np.array(kinds, dtype=np.int64), np.array(least), np.array(limits)
            )
            self._others = now, found
        return self._others[1]

    def to_move(self, here: Board) -> list[tuple[int, float, float]]:
        """What each unit is to this move, how near one may end to it, and how near to an enemy one may come."""
        units, side, back = self.game.state.units, self.unit.side, self.manner == "fall-back"
        friend = passage.FRIEND, passage.less_than(SEPARATION - GRID) if back else SEPARATION + EXACT, -math.inf
        stopped = self.unit.suppression >= STOPPED
        found = []
        for name in here.units:
            other = units.get(name)
            if other is None or other is self.unit or not other.placed:
                found.append(NOBODY)
            elif other.side == side:
                found.append(friend)
            elif other.ambush:
                found.append(NOBODY)
            else:
                before = self.gaps[name]
                nearest = passage.less_than(before - A_HAIR) if stopped else -math.inf
                found.append((passage.ENEMY, SEPARATION + EXACT, before + GRID if back else nearest))
        return found

    @property
    def chain(self) -> float:
        """How far apart its bases may be in the chain that they are at the end."""
        return math.inf if self.as_it_stands else command_distance(self.unit)[0] + A_HAIR

    def goes_well(self, ends: Floats, paths: moves.Paths) -> bool:
        """What a kernel says of all bases of the unit together: whether they come well to their ends by their ways."""
        here = board(self.game)
        numbers = here.standing(self.unit).numbers
        size = here.ground.width, here.ground.depth
        return passage.goes_well(here.rows, ends, numbers, paths, self.others(here), self.apart[0], self.chain, *size)

    def shift(self, pieces: Sequence[Figure], dx: float, dy: float) -> dict[str, Step]:
        """Some figures shifted as one body, or as much of the shift as is allowed; nobody, if nothing of it is."""
        ids, here = {each.id for each in pieces}, board(self.game)
        figures, rows, _ = here.standing(self.unit)
        going = [each.id in ids for each in figures]
        shifts = np.array([(part * dx, part * dy) for part in PARTS])[:, None]
        ends = rows[:, X : Y + 1] + (shifts if all(going) else shifts * np.array(going)[:, None])
        spots = next(self.allowed_ends(ends, going), [])
        return {each.id: Step(spot) for each, spot, goes in zip(figures, spots, going, strict=False) if goes}

    def lets_shift(self, dx: float, dy: float) -> bool:
        """`lets` of a shift of all figures as one body."""
        _, rows, _ = board(self.game).standing(self.unit)
        ends = rows[None, :, X : Y + 1] + (dx, dy)
        return next(self.allowed_ends(ends, [True] * len(rows)), None) is not None

    def allowed_ends(self, ends: Floats, going: Sequence[bool]) -> Iterator[list[Point]]:
        """Those of several ends for the unit (k, n, 2) that are allowed, as places are stored, in their order.

        Whoever is going goes straight there.
        """
        if not len(ends):
            return
        here = board(self.game)
        figures, rows, numbers = here.standing(self.unit)
        spots, who = np.floor(ends * 100.0 + 0.5) / 100.0, np.array(going, dtype=np.bool_)
        size = here.ground.width, here.ground.depth
        others = self.others(here), self.apart[0], self.chain
        for number in passage.ends_well(here.rows, numbers, who, spots, *others, *size):
            there = list(map(tuple, spots[number].tolist()))
            moving = zip(figures, there, going, strict=True)
            ways = {each.id: [each.at or spot, spot] for each, spot, goes in moving if goes}
            far = max([math.dist(start, end) for start, end in ways.values()], default=0.0)
            if far > GRID:
                standing = rows.copy()
                standing[:, X : Y + 1] = spots[number]
                if not self.lets_ground(ways, standing, far, moves.straight(rows[:, X : Y + 1], spots[number], who)):
                    continue
            yield there

    def lets_ways(self, ways: dict[str, Path], ends: Floats, farthest: float | None = None) -> bool:
        """Whether `refuse_ways` has nothing to say: first what a kernel answers for the whole unit, then the ground."""
        far = max(map(length_of, ways.values()), default=0.0)
        if far <= GRID:
            return True
        paths = moves.together([ways.get(each.id) or [each.at or (0.0, 0.0)] for each in self.figures])
        if not self.goes_well(ends, paths):
            return False
        return self.lets_ground(ways, ends, far if farthest is None else farthest, paths)

    def lets_ground(self, ways: dict[str, Path], ends: Floats, longest: float, paths: moves.Paths) -> bool:
        """The same for those who are known to come well to their ends: whether the ground lets them go so far."""
        here = board(self.game)
        is_open = not self.road and self.open_ground(paths)
        if is_open:
            self._know(ways, Allowance(self.rate))
        if not is_open or not within(longest, self.rate, A_HAIR):
            if self.too_far(ways, longest) is not None or self.refuse_ground(ways, ends):
                return False
        elif len(here.ground.not_to_stop_on) and self.refuse_ground(ways, ends):
            return False
        if self.zero and self.refuse_nearer(here.gaps_from(ends)):
            return False
        return self.refuse_through_ranks(here, ways) is None

    def refuse_ways(self, ways: dict[str, Path], ends: Floats, farthest: float | None = None) -> Refusal | None:
        if stays(ways):
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
            or self.refuse_near_enemies(here, ways, EXACT)
            or refuse_passing(moving, ways, here.of(moving), self.enemy_rows(here), name)
            or refuse_overlap(here, figures, ends, name, rule="sof.movement.interpenetration")
        )
        if refusal is not None:
            return refusal
        gaps = here.gaps_from(ends)
        return (
            self.refuse_near_others(gaps)
            or self.refuse_near_enemies(here, ways)
            or self.refuse_through_ranks(here, ways)
            or self.refuse_command(ends)
            or self.refuse_nearer(gaps)
        )

    def enemy_rows(self, here: Board) -> Floats:
        return here.of([each for unit in enemies_of(self.game.state, self.unit) for each in here.figures_of(unit)])

    def too_far(self, ways: dict[str, Path], longest: float) -> Allowance | None:
        """What a unit may go whose ways are too long, none being longer than so much; None if it may go them."""
        allowed = self.allowed(ways)
        if within(longest, allowed.inches, A_HAIR) or self.all_across(ways, allowed.inches):
            return None
        if self.all_over(ways, allowed.inches):
            return None
        if self.manner == "fall-back" and self.clears_friends(ways, allowed.inches, longest):
            return None
        return allowed

    def refuse_distance(self, ways: dict[str, Path], farthest: float | None) -> Refusal | None:
        far, rule = max((length_of(path), each) for each, path in ways.items())
        longest = far if farthest is None else farthest
        allowed = self.too_far(ways, longest)
        if allowed is None:
            return None
        message = f"{name_of(self.game.state, rule)} would move {longest:.1f} inches."
        legal = f"It may move up to {inches(round(allowed.inches, 2))}."
        ground = [each for each in allowed.rules if each.startswith("sof.terrain-") and each != UNSLOWED]
        why = ground[-1] if ground else None
        if farthest is not None:
            return illegal(why or "sof.movement.linear-wheel", message, field="legs", legal=legal)
        return illegal(why or "sof.movement.each-model", message, field=rule, legal=legal)

    def clears_friends(self, ways: dict[str, Path], allowed: float, longest: float) -> bool:
        """sof.actions.fall-back-gap: whether a Fall-Back is longer by no more than it takes to be clear of friends.

        Whoever's way ends sooner waits there for the others; a body in ranks keeps them all the way.
        """
        here, friends = board(self.game), friend_rows(self.game, self.unit)
        if longest > allowed + MOST_LONGER or not len(friends):
            return False
        ranks = self.unit.formation == "linear"
        stops = [allowed + LONGER * step for step in range(math.ceil((longest - allowed) / LONGER - A_HAIR))]
        for stop in stops:
            part = stop / longest
            ends = {name: point_at(path, length_of(path) * part if ranks else stop) for name, path in ways.items()}
            if base_gap(here.at(self.figures, ends), friends) >= SEPARATION - GRID:
                return False
        return True

    def all_across(self, ways: dict[str, Path], allowed: float) -> bool:
        """Whether those who go farther than allowed only get across a low obstacle beside which they began."""
        ground, here = self.game.prepared, board(self.game)
        if not len(ground.low) or self.unit.type not in CLEARING:
            return False
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is None or within(length_of(path), allowed, A_HAIR):
                continue
            row = here.of([figure])
            met = moves.spans(ground.terrain, path, ground.low)
            beside = bool(met) and bool(ground.terrain.touching(row, CONTACT)[0, met[0].feature])
            if not beside or length_of(path) > met[0].enter + 2 * float(row[0, HALF_WIDTH]) + A_HAIR:
                return False
        return True

    def all_over(self, ways: dict[str, Path], allowed: float) -> bool:
        """sof.terrain-tall-obstacle.agility-weapon-gun: who comes to a wall is set down beyond it."""
        ground, here = self.game.prepared, board(self.game)
        if not len(ground.tall) or self.unit.type != "weapon":
            return False
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is None or within(length_of(path), allowed, A_HAIR):
                continue
            met = moves.spans(ground.terrain, path, ground.tall)
            half = float(here.of([figure])[0, HALF_WIDTH])
            if not met or not within(met[0].enter - half, allowed, A_HAIR):
                return False
        return True

    def refuse_ground(self, ways: dict[str, Path], ends: Floats) -> Refusal | None:
        ground = self.game.prepared
        barred = ground.barred_way(self.unit.type, ways)
        if barred is not None:
            name, barrier = barred
            message = f"{name_of(self.game.state, name)} would move through impassable terrain."
            rule = ground.barring_rule(barrier, self.unit.type)
            return illegal(rule, message, field=name, legal="Go round it.")
        if len(ground.to_clear) and self.unit.type in CLEARING:
            over = ground.terrain.over_any(ends, ground.to_clear)
            for number in np.flatnonzero(over).tolist():
                figure = self.figures[number]
                way = ways.get(figure.id, [])
                met = moves.spans(ground.terrain, way, ground.to_clear) if length_of(way) > GRID else []
                if met:
                    tall = ground.kinds[met[0].feature].tall
                    message = (
                        f"{NAMES.label(self.unit, figure)} would not get clear of {'a' if tall else 'a low'} obstacle."
                    )
                    legal = "Go wholly beyond it, or stop on reaching it."
                    low_rule = "sof.terrain-low-obstacle.not-enough-move"
                    rule = "sof.terrain-tall-obstacle.not-enough-move" if tall else low_rule
                    return illegal(rule, message, field=figure.id, legal=legal)
        if len(ground.tall) and self.unit.type == "weapon":
            refusal = self.refuse_beyond(ways, ends)
            if refusal is not None:
                return refusal
        if len(ground.not_to_stop_on):
            on = ground.terrain.inside(ends)[:, ground.not_to_stop_on].any(axis=1)
            for number in np.flatnonzero(on).tolist():
                figure = self.figures[number]
                message = f"{NAMES.label(self.unit, figure)} would end its move on a haystack."
                return illegal("sof.terrain-haystack.movement", message, field=figure.id, legal="Go on or stop before.")
        return None

    def refuse_beyond(self, ways: dict[str, Path], ends: Floats) -> Refusal | None:
        """sof.terrain-tall-obstacle.agility-weapon-gun: over a wall they are set down beyond it, and go no farther."""
        ground = self.game.prepared
        gaps, over = ground.terrain.gaps(ends), ground.terrain.over_any(ends, ground.tall)
        for number, figure in enumerate(self.figures):
            path = ways.get(figure.id, [])
            met = moves.spans(ground.terrain, path, ground.tall) if length_of(path) > GRID else []
            if met and (over[number] or not within(float(gaps[number, met[-1].feature]), JUST_BEYOND, A_HAIR)):
                message = f"{NAMES.label(self.unit, figure)} would not end just beyond the obstacle that it crosses."
                legal = f"Whoever crosses it ends clear of it, no more than {JUST_BEYOND:g} inches beyond."
                return illegal("sof.terrain-tall-obstacle.agility-weapon-gun", message, field=figure.id, legal=legal)
        return None

    def refuse_near_enemies(self, here: Board, ways: dict[str, Path], less: float = 0.0) -> Refusal | None:
        """sof.movement.proximity: at no point within 2 inches of an enemy; whoever is so near already may go away.

        `less`: who is at the limit by so little is left to the rule about ends, which comes before he is asked again.
        """
        foes = self.enemy_rows(here)
        if not len(foes):
            return None
        apart, rule = self.apart
        grown = foes.copy()
        grown[:, HALF_WIDTH] += apart - less
        grown[:, HALF_DEPTH] += apart - less
        for figure in self.figures:
            path = ways.get(figure.id)
            if path is None:
                continue
            row = here.rows[here.index[figure.id]]
            # Those who are so near from the start are not looked at here; he may not pass over them either.
            away = measure.distances(row[None], foes)[0] > apart
            if moves.sweep(row, np.array(path), grown[away], 0.0) < math.inf:
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

    def passed(self, ways: Mapping[str, Path]) -> list[str]:
        """The rule by which a unit passes through friends, if it does."""
        here, gaps = board(self.game), gaps_of(self.game, self.unit)
        far = max(map(length_of, ways.values())) + A_HAIR
        # Nobody comes to a friend who is farther off than he goes.
        near = [each for each in units_of(self.game.state, self.unit.side) if gaps.get(each.id, math.inf) <= far]
        friends = [here.rows_of(each) for each in near if each is not self.unit]
        passes = bool(friends) and self.passes_over(here, ways, np.concatenate(friends))
        return ["sof.movement.interpenetration"] if passes else []

    def passes_over(self, here: Board, ways: Mapping[str, Path], rows: Floats) -> bool:
        """Whether some figure comes over one of some bases on its way."""
        figures, _, numbers = here.standing(self.unit)
        paths = moves.together([ways.get(each.id, ()) for each in figures])
        return passage.passes_over(here.rows, numbers, paths, rows)

    def refuse_through_ranks(self, here: Board, ways: dict[str, Path]) -> Refusal | None:
        """sof.movement.interpenetration-linear; by a chart's switch nobody passes through ranks."""
        nobody = self.game.setup.options.linear_no_interpenetration
        if self.unit.formation != "linear" and not nobody:
            return None
        for other in self.game.state.units.values():
            if other is self.unit or other.side != self.unit.side or other.formation != "linear" or not other.placed:
                continue
            if self.passes_over(here, ways, here.rows_of(other)):
                both = self.unit.formation == "linear"
                rule = "sof.movement.interpenetration-linear" if both else "sof.charts.linear-no-interpenetration"
                message = f"{label(self.unit)} would pass through {label(other)}, which is in linear order."
                return illegal(rule, message, field="legs" if both else "move", legal="Go round it.")
        return None

    def refuse_command(self, ends: Floats) -> Refusal | None:
        if self.as_it_stands or stands_in_command(self.unit, ends):
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
            if self.zero and within(before, IN_PHASE_ZERO, EXACT) and self.saw(enemy):
                message = f"{label(self.unit)} acts in phase 0 and would come nearer to {label(enemy)}, which it sees."
                legal = "In phase 0 it comes no nearer to an enemy that it sees within 36 inches."
                return illegal("sof.turn.phase-zero-no-closer", message, field="move", legal=legal)
        return None


def stays(ways: Mapping[str, Path]) -> bool:
    """Whether nobody goes anywhere; he may turn."""
    return all(length_of(path) <= GRID for path in ways.values())


def shifted_pose(unit: Unit, dx: float, dy: float) -> Pose:
    assert unit.pose is not None
    return Pose((snap(unit.pose.at[0] + dx), snap(unit.pose.at[1] + dy)), unit.pose.facing, unit.pose.files)


def courses_of(law: MoveLaw, ways: dict[str, Path], facings: Sequence[float] | None = None) -> list[Course]:
    figures = [each for each in law.figures if each.id in ways]
    looks = facings or [each.facing for each in figures]
    return [
        Course(law.unit, each, ways[each.id], length_of(ways[each.id]), look)
        for each, look in zip(figures, looks, strict=True)
    ]
