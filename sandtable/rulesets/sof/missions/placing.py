"""Setting a whole unit down in some area, in command and in any formation that it is allowed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from random import Random
from typing import Any

import msgspec
import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Answer, Choices, Option, Piece, Refusal, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.bodies import Forming, March, MoveBody, march_of
from sandtable.field.deploying import Deploying, chance_point, spots_of, spread
from sandtable.field.deploying import moved as about
from sandtable.field.formations import Marched, Pose, hang_together, places, stored
from sandtable.field.kept import KeptUntilChange
from sandtable.rulesets.sof.core.board import Battle, Board, board, pitch_of
from sandtable.rulesets.sof.core.names import FIGURE, figure_name, label, name_of
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Point, Side, Unit
from sandtable.rulesets.sof.formations import (
    ALIGNMENTS,
    BETWEEN,
    FORMATIONS,
    SPOKEN,
    files_of,
    may_take,
    why_not_alignment,
)
from sandtable.rulesets.sof.kernels import placing
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table.hairs import A_HAIR, EXACT, GRID, beyond
from sandtable.table.once import once
from sandtable.table.scene import Area
from sandtable.table.shapes import (
    HALF_DEPTH,
    HALF_WIDTH,
    Floats,
    Footprint,
    Ints,
    Place,
    X,
    Y,
    bodies,
    heading,
    snap,
    stored_facing,
)
from sandtable.table.terrain import Terrain

STRIDE = 2.0
"""How far apart points are where a place is looked for all over a zone."""

CLOSE_STRIDE = 0.5
"""How far apart they are where none of those will do."""

ZONES_KEPT, RANKS_KEPT = 64, 1024
"""For how many zones, and how many ranks of bases, what was found is kept."""

TRIES = 12
"""So often a place by chance is looked for."""

ROOM: KeptUntilChange[Hashable, bool] = KeptUntilChange()
"""Whether a unit that comes finds room."""

COMPANY: KeptUntilChange[tuple[Side, tuple[str, ...]], placing.Company] = KeptUntilChange()
"""Who stands on a table and from whom a unit that comes keeps away, by its side and by who is in ambush."""

Check = Callable[[list[Figure], Floats], Refusal | None]
Order = tuple[Formation, Alignment]


# Formations.


def orders_of(unit: Unit) -> list[Order]:
    """sof.mission-core.deploy-formation: every formation that a unit is allowed, its usual one first."""
    found: list[Order] = []
    for formation in FORMATIONS:
        if not may_take(unit, formation):
            continue
        if formation == "linear":
            found += [("linear", each) for each in ALIGNMENTS if why_not_alignment(unit, each) is None]
        else:
            found.append((formation, ""))
    return sorted(found, key=lambda order: order[0] != unit.formation)


def order_option(order: Order) -> Option:
    formation, alignment = order
    name = alignment or formation
    return Option(name, SPOKEN[name].capitalize(), ("sof.mission-core.deploy-formation",), shape=name)


def choose_order(unit: Unit, orders: Sequence[Order], words: str, *rules: str) -> Flow[None]:
    """The owner chooses in which formation a unit comes onto the table."""
    choices = Choices({alignment or formation: (formation, alignment) for formation, alignment in orders}, order_option)
    unit.formation, unit.alignment = yield from choose_one(
        unit.side,
        "deploy-as",
        words,
        choices,
        rules=(*rules, "sof.mission-core.deploy-formation"),
        facts={"unit": unit.id, "ambush": False},
        step="deploy",
    )


# Places.


@dataclass
class Placing:
    """Where a unit may be set down as it is formed: wholly in a zone, in command, more than 2 inches from others.

    `rule` says so, `facing` is how it faces unless told, `goals` are points near which it is proposed to stand, and
    `checks` what else refuses it. Where the unit is now makes no difference.
    """

    game: Battle
    unit: Unit
    zone: Terrain
    facing: float
    rule: str
    goals: Sequence[Point] = ()
    checks: Sequence[Check] = ()
    about: Hashable = None
    """All that says whether there is room but where everybody stands and who is in ambush; None: it is not kept."""

    @once
    def here(self) -> Board:
        """The table without the unit."""
        return board_without(self.game, self.unit)

    @once
    def barring(self) -> Ints:
        """The features on which it cannot stand."""
        return self.game.prepared.no_place_for(self.unit.type)

    @once
    def down(self) -> Deploying[Figure]:
        game = self.game
        return Deploying(
            self.here,
            game.prepared,
            list(self.unit.teams.values()),
            self.facing,
            partial(name_of, game.state),
            self.rule,
            zone=self.zone,
            barring=(self.barring, "sof.terrain-impassable.movement"),
            checks=[self.refuse_near, self.refuse_command, *self.checks],
            noun=FIGURE,
        )

    # What is legal.

    def refuse_command(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        if stands_in_command(self.unit, rows):
            return None
        far, rule = command_distance(self.unit)
        message = f"{label(self.unit)} would not be in command: its models would be too far apart."
        legal = f"Each must be linked to the others by gaps of {far:g} inches at most ({rule})."
        return illegal("sof.mission-core.deploy-in-command", message, field=self.unit.id, legal=legal)

    def keeps_from(self, other: Unit) -> bool:
        """Whether a unit stands there to keep away from; an enemy in ambush is none yet."""
        hidden = other.ambush and other.side != self.unit.side
        return other.id != self.unit.id and other.placed and not hidden

    def refuse_near(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        gaps = self.here.gaps_from(rows)
        for each in self.game.state.units.values():
            if not self.keeps_from(each):
                continue
            far = gaps[each.id]
            if not beyond(far, SEPARATION, EXACT):
                message = f"{label(self.unit)} would stand {far:.2f} inches from {label(each)}."
                legal = "Stay more than 2 inches from every other unit."
                return illegal("sof.units.separation", message, field=self.unit.id, legal=legal)
        return None

    def refuse_pose(self, wanted: March) -> Refusal | None:
        """Why a body may not be set down like this."""
        if wanted.to is None or wanted.legs:
            message = f"{label(self.unit)} is set down in ranks, and takes no way there."
            return illegal(
                self.rule, message, field="to", legal="Say where its front is, how it faces, how many abreast."
            )
        allowed = files_of(self.unit, self.unit.alignment, len(self.unit.teams))
        if wanted.to.files not in allowed:
            message = f"{label(self.unit)} would stand {wanted.to.files} abreast."
            legal = f"Allowed: {', '.join(map(str, allowed))}."
            return illegal("sof.formations.linear-ranks", message, field="files", legal=legal)
        return self.down.refuse_rows(list(self.unit.teams.values()), pose_rows(self.unit, wanted.to))

    # Where it could stand.

    def points(self) -> list[Point]:
        """Points of the zone, those near a goal and away from friends first, and at last all over it."""
        others = [unit for unit in self.game.state.units.values() if unit.id != self.unit.id]
        friends = [each.at for unit in others for each in unit.teams.values()][::4]
        first = spread(self.zone, self.goals, [at for at in friends if at is not None])
        return [*first, *all_over(self.zone)]

    @once
    def hidden(self) -> tuple[str, ...]:
        """Who is in ambush."""
        return tuple([each.id for each in self.game.state.units.values() if each.ambush])

    @once
    def company(self) -> placing.Company:
        """Everybody on the table, and from whom the unit keeps away."""
        return COMPANY.once(self.here, (self.unit.side, self.hidden), self.find_company)

    def find_company(self) -> placing.Company:
        here, units = self.here, self.game.state.units
        kept = [name in units and self.keeps_from(units[name]) for name in here.units]
        counts = np.array(kept, dtype=np.bool_).take(here.unit_numbers)
        return placing.Company(here.rows, counts, SEPARATION, here.ground.width, here.ground.depth)

    def open_at(self, files: int, points: Floats) -> Iterator[Floats]:
        """The rows of the unit set down in ranks, so many abreast, about those of some points where that is legal."""
        ground, figures = self.game.prepared.terrain, list(self.unit.teams.values())
        ranks, linked = self.ranks(files)
        if linked is False:
            return
        # The kernel sees to the rest, `refuse_near` among it.
        checks = self.checks if linked else (self.refuse_command, *self.checks)
        for number in placing.open_places(ranks, points, self.company, self.zone, ground, self.barring):
            rows = about(ranks, *points[number].tolist())
            if all(check(figures, rows) is None for check in checks):
                yield rows

    @once
    def bases(self) -> tuple[Footprint, ...]:
        return tuple([each.kind.base for each in self.unit.teams.values()])

    @once
    def known_ranks(self) -> dict[int, tuple[Floats, bool | None]]:
        """What is known of ranks of so many files."""
        return {}

    def ranks(self, files: int) -> tuple[Floats, bool | None]:
        """The rows of the unit in ranks about (0, 0), and whether it is in command wherever they stand, or nowhere."""
        found = self.known_ranks.get(files)
        if found is None:
            between, (far, _), bases = BETWEEN[self.unit.formation], command_distance(self.unit), self.bases
            rows = bases_ranked(bases, self.facing, files, between)
            found = self.known_ranks[files] = rows, linked(bases, self.facing, files, between, far)
        return found

    def open_rows(self, points: Floats) -> Iterator[Floats]:
        """Places in open order: two deep, in a block, in one row, in a file."""
        count = len(self.unit.teams)
        for files in dict.fromkeys((-(-count // 2), round(count**0.5 + 0.49), count, 1)):
            yield from self.open_at(files, points)

    def open_closely(self) -> Iterator[Floats]:
        """Places in open order that are as tight as can be: any number abreast, by half inches from the zone's sides.

        What refuses a place beside what everybody must keep to is asked of each, so whoever has more is not looked for.
        """
        west, south, east, north = self.zone.bounds[0].tolist()
        for files in range(1, len(self.unit.teams) + 1) if not self.checks else ():
            rows, _ = self.ranks(files)
            middles, reach = rows[:, X : Y + 1], rows[:, HALF_WIDTH : HALF_DEPTH + 1].max()
            low, high = middles.min(axis=0) - reach, middles.max(axis=0) + reach
            xs = np.arange(west - low[0], east - high[0] + EXACT, CLOSE_STRIDE)
            ys = np.arange(south - low[1], north - high[1] + EXACT, CLOSE_STRIDE)
            if len(xs) and len(ys):
                yield from self.open_at(files, np.array([(x, y) for y in ys.tolist() for x in xs.tolist()]))

    def open_anyhow(self, points: Floats) -> Iterator[Floats]:
        """Places in open order about some points; if there is none, wherever the unit just fits."""
        found = False
        for rows in self.open_rows(points):
            found = True
            yield rows
        if not found:
            yield from self.open_closely()

    def open_answers(self) -> Iterator[Answer]:
        return map(self.down.answer, self.open_anyhow(np.array(self.points())))

    def body_at(self, facing: float, files: int, points: Floats) -> Iterator[March]:
        """The legal poses of a body with the middle of its front at some points, which are as a state keeps them."""
        unit, ground, figures = self.unit, self.game.prepared.terrain, list(self.unit.teams.values())
        rows = pose_rows(unit, Pose((0.0, 0.0), facing, files))
        checks = (self.refuse_command, *self.checks)
        for number in placing.body_places(
            rows, facing, files, pitch_of(unit), points, self.company, self.zone, ground, self.barring
        ):
            x, y = points[number].tolist()
            to = Pose((x, y), facing, files)
            # The kernel has seen to the rest of what refuses a pose.
            there = pose_rows(unit, to)
            if all(check(figures, there) is None for check in checks):
                yield March(to=to)

    def poses(self, points: Floats | None = None) -> Iterator[March]:
        files = files_of(self.unit, self.unit.alignment, len(self.unit.teams))
        points = np.array(self.points()) if points is None else points
        points = np.floor(points * 100.0 + 0.5) / 100.0
        for turn in (0.0, 90.0, 270.0):
            for abreast in files[:2]:
                yield from self.body_at(stored_facing((self.facing + turn) % 360.0), abreast, points)

    @property
    def in_ranks(self) -> bool:
        return self.unit.formation == "linear"

    def has_room(self) -> bool:
        """Whether the search finds any place for the unit: in whatever order it looks."""
        if self.about is None:
            return self.finds_place()
        return ROOM.once(self.here, (self.about, self.hidden), self.finds_place)

    def finds_place(self) -> bool:
        points = anywhere(self.zone, self.facing)
        found: Iterator[object] = self.poses(points) if self.in_ranks else self.open_anyhow(points)
        return next(found, None) is not None

    def open_by_chance(self, random: Random) -> Answer:
        files = -(-len(self.unit.teams) // 2)
        box, middles = self.zone.bounds[0].tolist(), self.ranks(files)[0][:, X : Y + 1]
        sides = [*middles.min(axis=0).tolist(), *middles.max(axis=0).tolist()]
        for _ in range(TRIES):
            at = chance_point(random, box)
            found = next(self.open_at(files, np.array([at])), None) if may_lie_in(box, sides, at) else None
            if found is not None:
                return self.down.answer(found)
        return next(self.open_answers())

    def pose_by_chance(self, random: Random) -> March:
        files = files_of(self.unit, self.unit.alignment, len(self.unit.teams))
        box = self.zone.bounds[0].tolist()
        for _ in range(TRIES):
            at = chance_point(random, box)
            facing = round(self.facing + 60.0 * random.random() - 30.0, 1) % 360.0
            wanted = stored(Pose(at, facing, random.choice(files)))
            found = next(self.body_at(wanted.facing, wanted.files, np.array([wanted.at])), None)
            if found is not None:
                return found
        return next(self.poses())

    # Doing it.

    def ask(
        self, words: str, areas: Callable[[], list[Area]] | None = None, checkpoint: bool = False, **facts: Any
    ) -> Flow[None]:
        """The owner says where the unit stands, and it is set down there."""
        unit = self.unit
        cited = (self.rule, "sof.mission-core.deploy-in-command")
        facts = {"unit": unit.id, **facts}
        if not self.in_ranks:
            question = self.down.question(
                "deploy",
                words,
                figure_name,
                lambda most: list(islice(self.open_answers(), max(1, most))),
                self.open_by_chance,
                rules=cited,
                **facts,
            )
            question.areas, question.apart = areas, BETWEEN[unit.formation]
            self.set_down_openly((yield Ask(unit.side, question, checkpoint)))
            return
        body = MoveBody(
            "deploy-body",
            words,
            unit.id,
            lambda: (None, len(unit.teams), pitch_of(unit)),
            0.0,
            lambda: [
                Piece(p.id, figure_name(p), p.at, self.facing, None, p.kind.base.size, round=p.kind.base.round)
                for p in unit.teams.values()
            ],
            lambda: Forming(tuple(files_of(unit, unit.alignment, len(unit.teams)))),
            self.ends_of,
            self.refuse_pose,
            lambda most: list(islice(self.poses(), max(1, most))),
            self.pose_by_chance,
            rules=cited,
            facts=facts,
            step="deploy",
        )
        body.areas = areas
        wanted = march_of((yield Ask(unit.side, body, checkpoint)))
        assert wanted.to is not None
        self.set_down_in_ranks(wanted.to)

    def ends_of(self, wanted: March) -> tuple[list[str], Marched]:
        """Who would stand where; nobody is anywhere yet."""
        assert wanted.to is not None
        spots = places(wanted.to, len(self.unit.teams), pitch_of(self.unit))
        return list(self.unit.teams), Marched(wanted.to, wanted.to, [[spot] for spot in spots], 0.0)

    def set_down_first(self) -> None:
        """The unit is set down where the search finds the first place for it."""
        if self.in_ranks:
            wanted = next(self.poses()).to
            assert wanted is not None
            self.set_down_in_ranks(wanted)
        else:
            self.set_down_openly(next(self.open_answers()))

    def set_down_openly(self, answer: Answer) -> None:
        steps = plain_to_steps(answer)
        for figure in self.unit.teams.values():
            step = steps[figure.id]
            figure.at = snap(step.to[0]), snap(step.to[1])
            figure.facing = stored_facing(self.facing if step.facing is None else step.facing)
        self.unit.pose = None
        board(self.game).come(self.unit)

    def set_down_in_ranks(self, to: Pose) -> None:
        self.unit.pose = to = stored(to)
        for figure, (x, y) in zip(
            self.unit.teams.values(), places(to, len(self.unit.teams), pitch_of(self.unit)), strict=True
        ):
            figure.at, figure.facing = (snap(x), snap(y)), stored_facing(to.facing)
        board(self.game).come(self.unit)


@lru_cache(maxsize=ZONES_KEPT)
def all_over(zone: Terrain) -> tuple[Point, ...]:
    """Points all over a zone, no farther apart than a stride."""
    west, south, east, north = zone.bounds[0].tolist()
    xs, ys = (np.arange(low + 0.8, high, STRIDE).tolist() for low, high in ((west, east), (south, north)))
    return tuple((x, y) for y in ys for x in xs)


@lru_cache(maxsize=ZONES_KEPT)
def anywhere(zone: Terrain, facing: float) -> Floats:
    """All points of a zone at which a place is looked for, those at the rear first; nobody changes them."""
    sin, cos = heading(facing)
    return np.array(sorted([*spots_of(zone), *all_over(zone)], key=lambda at: at[0] * sin + at[1] * cos))


def may_lie_in(box: Sequence[float], sides: Sequence[float], at: Point) -> bool:
    """Whether ranks about a point, whose middles reach so far to their sides, are not surely beyond those of a box."""
    (x, y), (west, south, east, north), slack = at, sides, 2 * GRID
    within_x = x + west >= box[0] - slack and x + east <= box[2] + slack
    return within_x and y + south >= box[1] - slack and y + north <= box[3] + slack


@lru_cache(maxsize=RANKS_KEPT)
def bases_ranked(bases: tuple[Footprint, ...], facing: float, files: int, between: float) -> Floats:
    """The rows of bases in ranks about (0, 0): side by side as wide as they are, rank behind rank."""
    ranks = [bases[start : start + files] for start in range(0, len(bases), files)]
    deep = [max(each.depth for each in rank) + between for rank in ranks]
    sin, cos = heading(facing)
    back = -sum(deep) / 2
    placed = []
    for rank, depth in zip(ranks, deep, strict=True):
        right = -sum(each.width + between for each in rank) / 2
        back += depth / 2
        for each in rank:
            half = (each.width + between) / 2
            right += half
            placed.append((each, Place(right * cos - back * sin, -right * sin - back * cos, facing)))
            right += half
        back += depth / 2
    return bodies(placed)


@lru_cache(maxsize=RANKS_KEPT)
def linked(bases: tuple[Footprint, ...], facing: float, files: int, between: float, far: float) -> bool | None:
    """Whether such ranks hang together by gaps of so many inches; None if it depends on how places are rounded."""
    rows, slack = bases_ranked(bases, facing, files, between), 2 * GRID
    if hang_together(rows, far, A_HAIR - slack):
        return True
    return None if hang_together(rows, far, A_HAIR + slack) else False


def pose_rows(unit: Unit, pose: Pose) -> Floats:
    """The rows of a unit in a pose, its figures in the order of its roster."""
    spots = places(pose, len(unit.teams), pitch_of(unit))
    standing = zip(unit.teams.values(), spots, strict=True)
    return bodies((figure.kind.base, Place(snap(x), snap(y), pose.facing)) for figure, (x, y) in standing)


def board_without(game: Battle, unit: Unit) -> Board:
    """The table as it would be if a unit were not on it."""
    here = board(game)
    if here.index.keys().isdisjoint(unit.teams):
        return here
    others = {name: each for name, each in game.state.units.items() if name != unit.id}
    return Board(game.prepared, msgspec.structs.replace(game.state, units=others))


def formed(unit: Unit, order: Order) -> Unit:
    """A unit as it would be in some formation; the unit itself is not changed."""
    formation, alignment = order
    return msgspec.structs.replace(unit, formation=formation, alignment=alignment, pose=None)


Planned = Callable[[Unit], Placing]
"""Where a unit may be set down, as it is or as it would be formed."""


def with_room(unit: Unit, make: Planned) -> list[Order]:
    """The formations in which a unit would have room, wherever it is now."""
    return [order for order in orders_of(unit) if make(formed(unit, order)).has_room()]


def finds_room(unit: Unit, make: Planned) -> bool:
    """Whether there is one."""
    return any(make(formed(unit, order)).has_room() for order in orders_of(unit))
