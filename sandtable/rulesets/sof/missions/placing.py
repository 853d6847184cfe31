"""Setting a whole unit down in some area, in command and in any formation that it is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Answer, Choices, Option, Piece, Refusal, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.bodies import Forming, March, MoveBody, march_of
from sandtable.field.deploying import Deploying, chance_point, spread
from sandtable.field.formations import Marched, Pose, places, stored
from sandtable.rulesets.sof.core.board import Battle, board, muster, pitch_of
from sandtable.rulesets.sof.core.names import figure_name, label, name_of
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Point, Unit
from sandtable.rulesets.sof.formations import (
    ALIGNMENTS,
    FORMATIONS,
    SPOKEN,
    files_of,
    why_not_alignment,
    why_not_formation,
)
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table.hairs import EXACT, beyond
from sandtable.table.scene import Area
from sandtable.table.shapes import Floats, Place, bodies, heading, snap, stored_facing
from sandtable.table.terrain import Terrain

BETWEEN: dict[Formation, float] = {"close": 0.0, "loose": 0.2, "extended": 0.7, "linear": 0.0}
"""How far apart men are proposed to stand in each formation."""

STRIDE = 2.0
"""How far apart points are where a place is looked for all over a zone."""

TRIES = 12
"""So often a place by chance is looked for."""

Check = Callable[[list[Figure], Floats], Refusal | None]
Order = tuple[Formation, Alignment]


# Formations.


def orders_of(unit: Unit) -> list[Order]:
    """sof.mission-core.deploy-formation: every formation that a unit is allowed, its usual one first."""
    found: list[Order] = []
    for formation in FORMATIONS:
        if why_not_formation(unit, formation) is not None:
            continue
        if formation == "linear":
            found += [("linear", each) for each in ALIGNMENTS if why_not_alignment(unit, each) is None]
        else:
            found.append((formation, ""))
    return sorted(found, key=lambda order: order[0] != unit.formation)


def order_option(order: Order) -> Option:
    formation, alignment = order
    name = alignment or formation
    return Option(name, SPOKEN[name].capitalize(), ("sof.mission-core.deploy-formation",))


def choose_order(unit: Unit, orders: Sequence[Order], words: str, *rules: str) -> Flow[None]:
    """The owner chooses in which formation a unit comes onto the table."""
    choices = Choices({alignment or formation: (formation, alignment) for formation, alignment in orders}, order_option)
    unit.formation, unit.alignment = yield from choose_one(
        unit.side,
        "deploy-as",
        words,
        choices,
        rules=(*rules, "sof.mission-core.deploy-formation"),
        facts={"unit": unit.id},
        step="deploy",
    )


# Places.


@dataclass(slots=True)
class Placing:
    """Where a unit may be set down as it is formed: wholly in a zone, in command, more than 2 inches from others.

    `rule` says so, `facing` is how it faces unless told, `goals` are points near which it is proposed to stand, and
    `checks` what else refuses it.
    """

    game: Battle
    unit: Unit
    zone: Terrain
    facing: float
    rule: str
    goals: Sequence[Point] = ()
    checks: Sequence[Check] = ()
    down: Deploying[Figure] = field(init=False)

    def __post_init__(self) -> None:
        game, ground = self.game, self.game.prepared
        self.down = Deploying(
            board(game),
            ground,
            list(self.unit.teams.values()),
            self.facing,
            partial(name_of, game.state),
            self.rule,
            zone=self.zone,
            barring=(ground.no_place_for(self.unit.type), "sof.terrain-impassable.movement"),
            checks=[self.refuse_near, self.refuse_command, *self.checks],
        )

    # What is legal.

    def refuse_command(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        if stands_in_command(self.unit, rows):
            return None
        far, rule = command_distance(self.unit)
        message = f"{label(self.unit)} would not be in command: its models would be too far apart."
        legal = f"Each must be linked to the others by gaps of {far:g} inches at most ({rule})."
        return illegal("sof.mission-core.deploy-in-command", message, field=self.unit.id, legal=legal)

    def refuse_near(self, figures: list[Figure], rows: Floats) -> Refusal | None:
        gaps = board(self.game).gaps_from(rows)
        for each in self.game.state.units.values():
            hidden = each.ambush and each.side != self.unit.side
            if each is self.unit or not each.placed or hidden:
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
        friends = [each.at for unit in self.game.state.units.values() for each in unit.teams.values()][::4]
        first = spread(self.zone, self.goals, [at for at in friends if at is not None])
        west, south, east, north = self.zone.bounds[0].tolist()
        xs, ys = (np.arange(low + 0.8, high, STRIDE).tolist() for low, high in ((west, east), (south, north)))
        fine = [(x, y) for y in ys for x in xs]
        return [*first, *fine]

    def open_answers(self) -> Iterator[Answer]:
        """Places in open order: two deep, in a block, in one row, in a file."""
        count, between = len(self.unit.teams), BETWEEN[self.unit.formation]
        shapes = dict.fromkeys((-(-count // 2), round(count**0.5 + 0.49), count, 1))
        points = self.points()
        for files in shapes:
            ranks = ranked(self.down.pieces, self.facing, files, between)
            yield from filter(None, (self.down.all_at(ranks, at) for at in points))

    def poses(self) -> Iterator[March]:
        files = files_of(self.unit, self.unit.alignment, len(self.unit.teams))
        points = self.points()
        for turn in (0.0, 90.0, 270.0):
            for abreast in files[:2]:
                for x, y in points:
                    wanted = March(to=stored(Pose((x, y), (self.facing + turn) % 360.0, abreast)))
                    if self.refuse_pose(wanted) is None:
                        yield wanted

    @property
    def in_ranks(self) -> bool:
        return self.unit.formation == "linear"

    def has_room(self) -> bool:
        """Whether the search finds any place for the unit."""
        return next(iter(self.poses() if self.in_ranks else self.open_answers()), None) is not None

    def open_by_chance(self, random: Random) -> Answer:
        count = len(self.unit.teams)
        ranks = ranked(self.down.pieces, self.facing, -(-count // 2), BETWEEN[self.unit.formation])
        found = self.down.by_chance(ranks, self.zone.bounds[0].tolist(), random)
        return found or next(self.open_answers())

    def pose_by_chance(self, random: Random) -> March:
        files = files_of(self.unit, self.unit.alignment, len(self.unit.teams))
        for _ in range(TRIES):
            at = chance_point(random, self.zone.bounds[0].tolist())
            facing = round(self.facing + 60.0 * random.random() - 30.0, 1) % 360.0
            wanted = March(to=stored(Pose(at, facing, random.choice(files))))
            if self.refuse_pose(wanted) is None:
                return wanted
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
            question.areas = areas
            self.set_down_openly((yield Ask(unit.side, question, checkpoint)))
            return
        body = MoveBody(
            "deploy-body",
            words,
            unit.id,
            lambda: (None, len(unit.teams), pitch_of(unit)),
            0.0,
            lambda: [
                Piece(p.id, figure_name(p), p.at, self.facing, None, p.kind.base.size) for p in unit.teams.values()
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
        muster(self.game)

    def set_down_in_ranks(self, to: Pose) -> None:
        self.unit.pose = to = stored(to)
        for figure, (x, y) in zip(
            self.unit.teams.values(), places(to, len(self.unit.teams), pitch_of(self.unit)), strict=True
        ):
            figure.at, figure.facing = (snap(x), snap(y)), stored_facing(to.facing)
        muster(self.game)


def ranked(figures: Sequence[Figure], facing: float, files: int, between: float) -> Floats:
    """The rows of figures in ranks about (0, 0): side by side as wide as their bases are, rank behind rank."""
    ranks = [figures[start : start + files] for start in range(0, len(figures), files)]
    deep = [max(each.kind.base.depth for each in rank) + between for rank in ranks]
    sin, cos = heading(facing)
    back = -sum(deep) / 2
    placed = []
    for rank, depth in zip(ranks, deep, strict=True):
        right = -sum(each.kind.base.width + between for each in rank) / 2
        back += depth / 2
        for each in rank:
            half = (each.kind.base.width + between) / 2
            right += half
            placed.append((each.kind.base, Place(right * cos - back * sin, -right * sin - back * cos, facing)))
            right += half
        back += depth / 2
    return bodies(placed)


def pose_rows(unit: Unit, pose: Pose) -> Floats:
    """The rows of a unit in a pose, its figures in the order of its roster."""
    spots = places(pose, len(unit.teams), pitch_of(unit))
    standing = zip(unit.teams.values(), spots, strict=True)
    return bodies((figure.kind.base, Place(snap(x), snap(y), pose.facing)) for figure, (x, y) in standing)


def take_up(game: Battle, unit: Unit) -> None:
    """A unit is taken up from the table."""
    for figure in unit.teams.values():
        figure.at = None
    unit.pose = None
    muster(game)


def with_room(game: Battle, unit: Unit, make: Callable[[], Placing]) -> list[Order]:
    """The formations in which a unit would have room, wherever it is now."""
    return list(roomy(game, unit, make))


def finds_room(game: Battle, unit: Unit, make: Callable[[], Placing]) -> bool:
    """Whether there is one."""
    return next(roomy(game, unit, make), None) is not None


def roomy(game: Battle, unit: Unit, make: Callable[[], Placing]) -> Iterator[Order]:
    """Each formation in which a unit would have room; before one is told the unit stands again as it did."""
    stands = [(figure.at, figure.facing) for figure in unit.teams.values()]
    before = unit.formation, unit.alignment, unit.pose
    for order in orders_of(unit):
        if unit.placed:
            take_up(game, unit)
        unit.formation, unit.alignment = order
        found = make().has_room()
        unit.formation, unit.alignment, unit.pose = before
        for figure, (at, facing) in zip(unit.teams.values(), stands, strict=True):
            figure.at, figure.facing = at, facing
        muster(game)
        if found:
            yield order
