"""Moving: how far each Team goes, what ground it may cross, and how a Unit keeps together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.arsenal import COHESION, MOVE, profile
from sandtable.rulesets.tr14.core.board import Board, Rows, board, sees
from sandtable.rulesets.tr14.core.checks import training_check, use_command
from sandtable.rulesets.tr14.core.state import Member, State, Team, Unit, find_team, is_led, label, other, team_label
from sandtable.rulesets.tr14.leaders import MOVE_UP, NEAR, leaders_of
from sandtable.rulesets.tr14.moving.proposals import chance_move, proposed_moves
from sandtable.rulesets.tr14.suppression import suppress_team
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import A_HAIR, SLACK
from sandtable.table.shapes import X, Y, face, heading, snap

TANK_CROSSES = 2
"""tr14.moving.tank-difficult"""

STRAIGHT = 0.25
"""tr14.moving.rejoin: a way back that is longer than the shortest by no more than this is as good."""


Path = list[tuple[float, float]]


@dataclass(slots=True)
class Course:
    """The way of one Team in one Move: its path, how far along it the Team comes, and how it faces at the end."""

    unit: Unit
    team: Team
    path: Path
    length: float
    facing: float
    turret: float | None
    free: bool = False
    cut: bool = False
    before: float = 0.0
    """How it faced before the Move."""

    def __post_init__(self) -> None:
        self.before = self.team.facing

    def at(self, fraction: float) -> tuple[float, float]:
        """Where the Team is when it has gone this part of its way."""
        left = self.length * fraction
        if len(self.path) == 2:
            (x0, y0), (x1, y1) = self.path
            part = left / leg if (leg := math.dist((x0, y0), (x1, y1))) > 0 else 0.0
            return x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
        for (x0, y0), (x1, y1) in pairwise(self.path):
            leg = math.dist((x0, y0), (x1, y1))
            if left <= leg and leg > 0:
                return x0 + (x1 - x0) * left / leg, y0 + (y1 - y0) * left / leg
            left -= leg
        return x1, y1


@dataclass(slots=True)
class MoveLaw:
    """What one Move allows: who may move and how far. `pl_free` lets an Infantry PL be placed at will."""

    game: Game[State]
    unit: Unit
    members: list[Member]
    reach: dict[str, float]
    pl_free: bool = True
    cohesion: bool = True
    commanded: dict[str, str] = field(default_factory=dict)
    judged: dict[str, Step] | None = None
    offered: tuple[Answer, dict[str, Step]] | None = None

    def placed_freely(self, team: Team) -> bool:
        """An Infantry PL, as long as he has a Unit to keep cohesion with."""
        return self.pl_free and team.role == "pl" and team.kind.type == "infantry" and len(self.unit.teams) > 1

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that the Move would break, or None."""
        self.commanded = {}
        self.judged = steps
        if not steps:
            return None
        here = board(self.game)
        moving = [(unit, team) for unit, team in self.members if team.id in steps]
        ends = end_rows(here, moving, steps)
        width, depth = here.ground.width, here.ground.depth
        on = moves.on_table(ends, width, depth)
        for number, (_, team) in enumerate(moving):
            if not on[number] or not moves.way_on_table(ends[number], path_of(team, steps[team.id]), width, depth):
                return Refusal("illegal", f"{team_label(team)} would leave the table.", field=team.id)
        paths = {team.id: path_of(team, steps[team.id]) for _, team in moving if not self.placed_freely(team)}
        for number, (_, team) in enumerate(moving):
            if team.id in paths:
                refusal = self.refuse_one(here, team, paths[team.id], ends, number, moving)
                if refusal is not None:
                    return refusal
        return (
            refuse_enemies(self.game, here, self.unit, moving, paths)
            or refuse_overlap(here, [team for _, team in moving], ends)
            or (refuse_cohesion(here, self.unit, moving, ends, steps, self) if self.cohesion else None)
            or refuse_leaderless(self.game, here, self.unit, moving, ends)
        )

    def keeps_away(self, here: Board, steps: dict[str, Step]) -> bool:
        """Whether nobody goes nearer to the enemy without a Platoon Leader."""
        if self.unit.apart:
            return True
        moving = [member for member in self.members if member[1].id in steps]
        return refuse_leaderless(self.game, here, self.unit, moving, end_rows(here, moving, steps)) is None

    def march(self, here: Board) -> March:
        """Those who go, as the board knows them."""
        kept = here.squad(self.unit).marches
        key = (self.pl_free, *[team.id for _, team in self.members])
        if key not in kept:
            kept[key] = march_of(here, self)
        return kept[key]

    def refuse_one(
        self, here: Board, team: Team, path: Path, ends: Rows, number: int, moving: list[Member]
    ) -> Refusal | None:
        length = length_of(path)
        if length > self.reach[team.id] + A_HAIR:
            refusal = self.refuse_far(here, team, length, ends, number, moving)
            if refusal is not None:
                return refusal
        return refuse_ground(here, team, path) if heavy_gun(team) else None

    def refuse_far(
        self, here: Board, team: Team, length: float, ends: Rows, number: int, moving: list[Member]
    ) -> Refusal | None:
        """A Move beyond a Team's own reach needs a leader's command to move up."""
        reach = self.reach[team.id]
        far = f"{team_label(team)} would move {length:.1f} inches."
        legal = f"It may move up to {reach:g} inches."
        if not self.pl_free or length > reach + MOVE_UP + A_HAIR:
            return illegal("tr14.moving.distances", far, field=team.id, legal=legal)
        for leader in leaders_of(self.game, self.unit):
            if leader is team or leader.id in self.commanded.values():
                continue
            position = next((n for n, (_, each) in enumerate(moving) if each is leader), None)
            row = ends[position] if position is not None else here.of([leader])[0]
            if measure.distance(ends[number], row) <= NEAR + A_HAIR:
                self.commanded[team.id] = leader.id
                return None
        legal += (
            f" With a leader's command {MOVE_UP:g} more, to end within {NEAR:g} inches of him, once per Initiative."
        )
        return illegal("tr14.leaders.move-up", far, field=team.id, legal=legal)


class March(NamedTuple):
    """Those who go in a Move, as rows of the board, and which of them are heavy guns."""

    marchers: moves.Marchers
    heavy: list[int]


def march_of(here: Board, law: MoveLaw) -> March:
    squad = here.squad(law.unit)
    teams = [team for _, team in law.members]
    numbers = np.array([here.index[team.id] for team in teams], dtype=np.int64)
    turning = np.array([team.kind.type != "infantry" for team in teams], dtype=np.bool_)
    bound = np.array([not law.placed_freely(team) for team in teams], dtype=np.bool_)
    marchers = moves.Marchers(numbers, turning, bound, squad.rows, squad.leader, squad.limits)
    return March(marchers, [number for number, team in enumerate(teams) if heavy_gun(team)])


def path_of(team: Team, step: Step) -> Path:
    assert team.at is not None
    return [team.at, *step.via, step.to]


def length_of(path: Path) -> float:
    if len(path) == 2:
        return math.dist(path[0], path[1])
    return sum(math.dist(a, b) for a, b in pairwise(path))


def end_rows(here: Board, moving: list[Member], steps: dict[str, Step]) -> Rows:
    rows = here.all_of(moving)
    for row, (_, team) in zip(rows, moving, strict=True):
        step = steps[team.id]
        row[X], row[Y] = step.to
        if step.facing is not None:
            face(row, step.facing)
    return rows


def refuse_overlap(here: Board, teams: list[Team], ends: Rows) -> Refusal | None:
    """No base ends on another."""
    others = here.all_but(teams)
    if len(others):
        hits = measure.overlaps(ends, others, SLACK)
        if hits.any():
            first, second = (int(index[0]) for index in np.nonzero(hits))
            moving = {team.id for team in teams}
            name = [name for name in here.index if name not in moving][second]
            under = next(team for side in here.sides.values() for _, team in side if team.id == name)
            message = f"{team_label(teams[first])} would stand on {team_label(under)}."
            return Refusal("illegal", message, field=teams[first].id, legal="Leave room for its base.")
    clashes = measure.overlaps(ends, ends, SLACK)
    np.fill_diagonal(clashes, False)
    if clashes.any():
        first, second = (int(index[0]) for index in np.nonzero(clashes))
        message = f"{team_label(teams[first])} and {team_label(teams[second])} would stand on each other."
        return Refusal("illegal", message, field=teams[first].id, legal="Leave room for their bases.")
    return None


def heavy_gun(team: Team) -> bool:
    return team.kind.type == "gun" and not team.kind.moves_as_infantry


def refuse_ground(here: Board, team: Team, path: Path) -> Refusal | None:
    """tr14.moving.gun-terrain: heavy guns stay out of Very Difficult Terrain; from inside they may only leave."""
    terrain = here.ground.terrain
    for span in moves.spans(terrain, path, here.ground.table.very_difficult):
        if not span.started or span.ended:
            message = f"{team_label(team)} would cross {terrain.features[span.feature].kind}, Very Difficult Terrain."
            return illegal("tr14.moving.gun-terrain", message, field=team.id, legal="Guns must go round it.")
    return None


def refuse_enemies(
    game: Game[State], here: Board, unit: Unit, moving: list[Member], paths: dict[str, Path]
) -> Refusal | None:
    """A Move does not pass over an enemy base."""
    enemies = here.sides[other(unit.side)]
    if not enemies or not paths:
        return None
    rows = here.all_of(enemies)
    straight = [team for _, team in moving if team.id in paths and len(paths[team.id]) == 2]
    hit: Team | None = None
    if straight:
        starts = here.of(straight)
        ends = starts.copy()
        ends[:, X : Y + 1] = [paths[team.id][1] for team in straight]
        first = moves.first_swept(starts, ends, rows, SLACK)
        hit = straight[first] if first is not None else None
    for _, team in moving:
        path = paths.get(team.id, [])
        if len(path) > 2 and moves.sweep(here.of([team])[0], np.array(path), rows, SLACK) < math.inf:
            hit = team
    if hit is None:
        return None
    return Refusal("illegal", f"{team_label(hit)} would pass over an enemy Team.", field=hit.id, legal="Go round it.")


def in_cohesion(teams: list[Team], rows: Rows) -> list[bool]:
    """tr14.moving.cohesion: near the Platoon Leader, or near a Team that is near him: one link at most."""
    leader = next((number for number, team in enumerate(teams) if team.role == "pl"), None)
    if leader is None:
        return [True] * len(teams)
    limits = np.array([COHESION[team.kind.type] + A_HAIR for team in teams])
    return measure.linked(rows, leader, limits).tolist()  # type: ignore[no-any-return]


def refuse_cohesion(
    here: Board,
    unit: Unit,
    moving: list[Member],
    ends: Rows,
    steps: dict[str, Step],
    law: MoveLaw,
) -> Refusal | None:
    teams = list(unit.teams.values())
    if unit.leader is None or len(teams) == 1:
        return None
    before = here.of(teams)
    after = before.copy()
    for number, (owner, team) in enumerate(moving):
        if owner is unit:
            after[teams.index(team)] = ends[number]
    kept_before = in_cohesion(teams, before)
    kept_after = in_cohesion(teams, after)
    for number, team in enumerate(teams):
        if team.id not in steps or law.placed_freely(team):
            continue
        if kept_before[number] and not kept_after[number]:
            limit = COHESION[team.kind.type]
            message = f"{team_label(team)} would end out of cohesion."
            legal = f"It must end within {limit:g} inches of its PL, or of a Team that is."
            return illegal("tr14.moving.cohesion", message, field=team.id, legal=legal)
        if not kept_before[number] and not takes_shortest_way(teams, before, after, number, steps[team.id]):
            message = f"{team_label(team)} is out of cohesion and must take the shortest way back."
            legal = "Move it straight towards its PL or a Team beside him."
            return illegal("tr14.moving.rejoin", message, field=team.id, legal=legal)
    count = sum(kept_after)
    if count * 2 < len(teams) and count < sum(kept_before):
        message = f"only {count} of {len(teams)} Teams would keep cohesion."
        return illegal("tr14.moving.leave-behind", message, field="move", legal="At least half must.")
    leader = unit.leader
    if count * 2 < len(teams) and leader.id in steps and law.placed_freely(leader):
        far = length_of(path_of(leader, steps[leader.id]))
        if far > law.reach[leader.id] + A_HAIR:
            message = f"{team_label(leader)} would have only {count} of {len(teams)} Teams in cohesion with him."
            legal = f"Beyond {law.reach[leader.id]:g} inches he is placed where at least half of his Unit are."
            return illegal("tr14.leaders.pl-placement", message, field=leader.id, legal=legal)
    return None


def takes_shortest_way(teams: list[Team], before: Rows, after: Rows, number: int, step: Step) -> bool:
    """Whether a Team that was out of cohesion goes straight for its PL or a Team beside him, the nearest of them."""
    length = math.hypot(after[number, X] - before[number, X], after[number, Y] - before[number, Y])
    if length < A_HAIR:
        return True
    if step.via:
        return False
    leader = next(n for n, team in enumerate(teams) if team.role == "pl")
    far = {}
    for anchor, team in enumerate(teams):
        beside = measure.distance(after[anchor], after[leader]) <= COHESION[team.kind.type] + A_HAIR
        if anchor != number and (anchor == leader or beside):
            far[anchor] = measure.distance(before[number], after[anchor])
    shortest = min(far.values(), default=0.0)
    return any(
        measure.distance(after[number], after[anchor]) <= start - length + STRAIGHT
        for anchor, start in far.items()
        if start <= shortest + STRAIGHT
    )


def refuse_leaderless(game: Game[State], here: Board, unit: Unit, moving: list[Member], ends: Rows) -> Refusal | None:
    """tr14.leaders.leaderless: without a Platoon Leader nobody goes nearer to an enemy he can see."""
    if is_led(unit):
        return None
    enemies = [team for _, team in here.sides[other(unit.side)]]
    if not enemies:
        return None
    rows = here.of(enemies)
    starts = here.all_of(moving)
    nearer = measure.distances(ends, rows) < measure.distances(starts, rows) - A_HAIR
    if nearer.any():
        visible = sees(here, starts, rows, nearer) & nearer
        if visible.any():
            first, enemy = (int(index[0]) for index in np.nonzero(visible))
            team = moving[first][1]
            seen = f"{team_label(enemies[enemy])}, which it sees"
            message = f"{team_label(team)} would move towards {seen}, without a Platoon Leader."
            return illegal("tr14.leaders.leaderless", message, field=team.id, legal="Keep your distance or move away.")
    return None


def movers(game: Game[State], unit: Unit) -> list[Member]:
    """Who moves when a Unit moves: its Teams, and its Forward Observer unless he has gone to ground by himself.

    tr14.indirect.fo-activation, tr14.firing.gtg-declare
    """
    found = [(unit, team) for team in unit.teams.values()]
    for each in game.state.units.values():
        if each.battery == unit.id and each.apart == "fo" and not each.held:
            found += [(each, team) for team in each.teams.values()]
    return found


def pieces_of(law: MoveLaw) -> Callable[[], list[Piece]]:
    """Those who may move, as a page must know them; made when somebody looks."""
    return lambda: [
        Piece(team.id, team_label(team), team.at, team.facing, law.reach[team.id], team.kind.base.size)
        for _, team in law.members
    ]


def ask_move(game: Game[State], law: MoveLaw, words: str, topic: str = "move") -> Flow[dict[str, Step]]:
    """Ask where each Team goes."""

    def chance(random: Random) -> Answer:
        steps = chance_move(game, law, random)
        law.offered = steps_to_plain(steps), steps
        return law.offered[0]

    def proposals(most: int) -> list[Answer]:
        return [steps_to_plain(steps) for steps in proposed_moves(game, law, most)]

    rules = ("tr14.moving.distances", "tr14.moving.cohesion")
    facts: dict[str, Any] = {"unit": law.unit.id}
    names = [team.id for _, team in law.members]
    question = MovePieces(
        topic, words, names, pieces_of(law), law.refuse, proposals, chance=chance, rules=rules, facts=facts
    )
    answer = yield Ask(law.unit.side, question)
    if law.offered is not None and answer is law.offered[0]:
        # A shift by chance: judged already, and never on a leader's command.
        law.commanded = {}
        return law.offered[1]
    steps = plain_to_steps(answer)
    if steps != law.judged:
        # An answer out of a record: the law must still note on whose command a Team goes beyond its own reach.
        law.refuse(steps)
    return steps


def courses_of(law: MoveLaw, steps: dict[str, Step]) -> list[Course]:
    courses = []
    for unit, team in law.members:
        step = steps.get(team.id)
        if step is None:
            continue
        path = path_of(team, step)
        free = law.placed_freely(team)
        facing = team.facing if step.facing is None else step.facing
        turret = step.turret if step.turret is not None else (facing if team.turret is not None else None)
        courses.append(Course(unit, team, path, length_of(path), facing, turret, free))
    return courses


def roll_for_terrain(game: Game[State], course: Course) -> Flow[None]:
    """Tanks roll once for each piece of rough ground that they reach; a failure stops them there, suppressed."""
    team, unit = course.team, course.unit
    ground = board(game).ground
    if team.kind.type != "tank" or not len(ground.table.rough):
        return
    rolled: set[int] = set()
    for span in moves.spans(ground.terrain, course.path, ground.table.rough):
        if span.started or span.feature in rolled:
            continue
        rolled.add(span.feature)
        going = ground.table.kinds[span.feature].going
        feature = ground.terrain.features[span.feature]
        wide = "wide-tracks" in team.kind.notes
        rules = ["tr14.moving.tank-difficult"] if going == "difficult" else ["tr14.moving.tank-very-difficult"]
        if going == "difficult":
            needed = TANK_CROSSES
            throw = yield from game.throw(unit.side, 1, f"{team_label(team)} to cross {feature.kind}")
            vouched = False
        else:
            check = yield from training_check(game, unit, f"{team_label(team)}'s Check to cross {feature.kind}")
            throw, needed, vouched = check.throw, check.needed, check.vouched
        if throw.value < needed and wide and not vouched:
            yield from game.reroll(throw, [0])
            rules.append("tr14.arsenal.wide-tracks")
        passed = throw.value >= needed
        text = f"{team_label(team)} needs {needed}+ to cross {feature.kind}, rolls {throw.value}."
        data: dict[str, Any] = {"team": team.id, "terrain": feature.id, "passed": passed}
        game.tell("terrain-roll", text, *rules, seat=unit.side, dice=[throw], **data)
        if not passed:
            course.length = max(0.0, span.enter - team.kind.base.depth / 2)
            course.cut = True
            suppress_team(game, (unit, team), "tr14.moving.tank-fails")
            return


def take_courses(game: Game[State], courses: list[Course], fraction: float = 1.0) -> None:
    """Bring Teams to a point of their courses; at the end of it they face as was ordered."""
    here = board(game)
    for course in courses:
        team = course.team
        if team.id not in course.unit.teams:
            continue
        x, y = course.at(fraction)
        team.at = (snap(x), snap(y))
        team.facing = course.facing
        if course.turret is not None:
            team.turret = course.turret
        here.put(team)


def mark_moved(course: Course) -> None:
    course.team.moved = True
    course.team.dug_in = False


def get_up(game: Game[State], units: Iterable[Unit], why: str, rule: str) -> None:
    """Units that went to ground are up again: one that stirs loses what it had of it."""
    for unit in {unit.id: unit for unit in units}.values():
        if unit.to_ground and unit.id in game.state.units:
            unit.to_ground = False
            text = f"{label(unit)} has {why} and is no longer gone to ground."
            game.tell("up-again", text, rule, seat=unit.side, unit=unit.id)


@cache
def rules_of_moving(name: str) -> dict[str, None]:
    """The rules by which Teams of a profile move as they do."""
    kind = profile(name)
    found = []
    if kind.type == "infantry":
        found.append("tr14.moving.infantry-terrain")
    if kind.moves_as_infantry:
        found.append("tr14.arsenal.moves-as-infantry")
    if kind.type == "tank" and kind.move != MOVE["tank"]:
        found.append("tr14.arsenal.tank-speeds")
    return dict.fromkeys(found)


def tell_move(game: Game[State], law: MoveLaw, courses: list[Course], *rules: str) -> None:
    unit = law.unit
    farthest = max([course.length for course in courses])
    text = f"{label(unit)} moves {several(len(courses), 'Team')}, up to {farthest:.1f} inches."
    cited = dict.fromkeys((*rules, "tr14.moving.distances"))
    last = ""
    for course in courses:
        if course.team.profile != last:
            last = course.team.profile
            cited.update(rules_of_moving(last))
        if course.free:
            cited["tr14.leaders.pl-placement"] = None
        if course.unit.apart == "fo":
            cited["tr14.indirect.fo-activation"] = None
    ways = {course.team.id: list(map(list, course.path)) for course in courses}
    game.tell("move", text, *cited, seat=unit.side, unit=unit.id, ways=ways)
    for team, leader in law.commanded.items():
        use_command(game, unit.side, leader)
        rules_up = ("tr14.leaders.move-up", "tr14.leaders.once-per-initiative")
        text = f"{name_of(game, leader)} has {name_of(game, team)} move up."
        game.tell("move-up", text, *rules_up, seat=unit.side, team=team, leader=leader)


def name_of(game: Game[State], team_id: str) -> str:
    found = find_team(game.state, team_id)
    return team_label(found[1]) if found is not None else team_id


def move_unit(game: Game[State], unit: Unit, words: str, *rules: str, pl_free: bool = True) -> Flow[bool]:
    """One Move of a Unit, with the terrain rolls of its tanks and the fire it draws. True if anything moved."""
    from sandtable.rulesets.tr14.firing.reaction import reaction_fire

    members = movers(game, unit)
    law = MoveLaw(game, unit, members, {team.id: team.kind.move for _, team in members}, pl_free)
    steps = yield from ask_move(game, law, words)
    if not steps:
        return False
    courses = courses_of(law, steps)
    tell_move(game, law, courses, *rules)
    for course in courses:
        if course.team.kind.type == "tank":
            yield from roll_for_terrain(game, course)
        mark_moved(course)
    if any(course.cut for course in courses):
        untangle(game, courses)
    told = len(game.events)
    yield from reaction_fire(game, unit, courses)
    if len(game.events) > told:
        # Guns and tanks that fired have turned, and may now stand where somebody was going to.
        courses = [course for course in courses if course.team.id in course.unit.teams]
        untangle(game, courses)
    take_courses(game, courses)
    return True


def may_place_leader(unit: Unit) -> bool:
    leader = unit.leader
    return leader is not None and leader.kind.type == "infantry" and len(unit.teams) > 1


def place_leader(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.leaders.pl-placement: outside a Move too, whenever his Unit is activated. It is no Move of the Unit."""
    leader = unit.leader
    assert leader is not None
    law = MoveLaw(game, unit, [(unit, leader)], {leader.id: leader.kind.move})
    words = f"Where does the Platoon Leader of {label(unit)} go?"
    steps = yield from ask_move(game, law, words, "place-leader")
    courses = courses_of(law, steps)
    for course in courses:
        mark_moved(course)
        text = f"{team_label(leader)} takes his place among {label(unit)}."
        game.tell("leader-placed", text, "tr14.leaders.pl-placement", seat=unit.side, team=leader.id)
    take_courses(game, courses)


def untangle(game: Game[State], courses: list[Course], back: float = 0.25) -> None:
    """Whoever would end on a base that was not there when the Move was ordered stops before it."""
    here = board(game)
    if all_settle(here, courses):
        return
    standing = here.all_but([course.team for course in courses])
    settled: list[Rows] = []
    for course in sorted(courses, key=lambda each: (not each.cut, each.length)):
        others = np.vstack([standing, *settled]) if settled else standing
        row = here.of([course.team])
        if course.cut and course.length <= 0:
            course.facing = course.before
        face(row[0], course.facing)
        while not settles(here, row, course, others):
            if course.length <= 0 and course.facing == course.before:
                step_aside(here, row, course, others)
                break
            if course.length <= 0:
                course.facing = course.before
                face(row[0], course.facing)
            course.length = max(0.0, course.length - back)
        settled.append(row)


def all_settle(here: Board, courses: list[Course]) -> bool:
    """Whether everybody has room at the end of his course, as most have."""
    if any(course.cut and course.length <= 0 for course in courses):
        return False
    numbers, ends = [], []
    for course in courses:
        x, y = course.at(1.0)
        numbers.append(here.index[course.team.id])
        ends.append((snap(x), snap(y), *heading(course.facing)))
    ground = here.ground
    return not courses or moves.all_settle(
        here.rows, np.array(numbers), np.array(ends), ground.width, ground.depth, SLACK
    )


def settles(here: Board, row: Rows, course: Course, others: Rows) -> bool:
    """Whether a base has room at the end of its course."""
    row[0, X : Y + 1] = [snap(value) for value in course.at(1.0)]
    if len(others) and measure.overlaps(row, others, SLACK).any():
        return False
    return bool(moves.on_table(row, here.ground.width, here.ground.depth)[0])


def step_aside(here: Board, row: Rows, course: Course, others: Rows) -> None:
    """Somebody stands even where it came from: it ends on the nearest free spot."""
    x, y = course.path[0]
    ground = here.ground
    spots = placement.near(
        [course.team.kind.base], x, y, course.facing, width=ground.width, depth=ground.depth, obstacles=others
    )
    if spots is not None:
        course.path = [(spots[0].x, spots[0].y)] * 2
        row[0, X : Y + 1] = course.path[0]
