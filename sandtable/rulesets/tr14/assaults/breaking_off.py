"""Breaking off: the beaten Unit moves away, the other may follow, and whoever is caught is lost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.board import Board, Rows, board, gap, sees
from sandtable.rulesets.tr14.core.state import Member, State, Team, Unit, is_led, label, other, team_label
from sandtable.rulesets.tr14.moving import (
    Course,
    MoveLaw,
    ask_move,
    courses_of,
    end_rows,
    get_up,
    length_of,
    mark_moved,
    path_of,
    pieces_of,
    roll_for_terrain,
    take_courses,
    untangle,
)
from sandtable.rulesets.tr14.suppression import destroy_team
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, SLACK, within
from sandtable.table.shapes import X, Y, bearing, snap

CATCH = 2.0
"""tr14.assaults.caught"""

COMPASS = tuple(22.5 * step for step in range(16))
COARSE = COMPASS[::2]
PARTS = (1.0, 0.8, 0.6, 0.4, 0.2)
"""Where a Team looks for a way out: these directions, and parts of the distance where it has no room for all of it."""

RULE = "tr14.assaults.break-off-move"


def break_off(
    game: Game[State], breaking: Unit, losers: list[Member], winning: Unit, winners: list[Member]
) -> Flow[None]:
    """tr14.assaults.break-off-move, tr14.assaults.caught"""
    throw = yield from game.throw(breaking.side, 1, "breaking off")
    text = f"{label(breaking)} breaks off, {several(throw.value, 'inch', 'inches')}."
    game.tell("break-off", text, RULE, seat=breaking.side, dice=[throw], unit=breaking.id)
    enemies = [enemy for _, enemy in winners]
    going = [member for member in losers if member[1].kind.type != "gun"]
    if going:
        yield from move_away(game, Retreat(game, breaking, going, enemies, throw.value))
    yield from follow_up(game, winning, [member for member in winners if member[1].kind.type != "gun"])
    escaped = [team for _, team in losers if team.kind.type == "tank" and not team.markers]
    caught = [
        member for member in losers if member[1] not in escaped and within(gap(game, [member[1]], enemies), CATCH)
    ]
    for member in caught:
        yield from destroy_team(game, member, "caught breaking off", "tr14.assaults.caught")


def move_away(game: Game[State], retreat: Retreat) -> Flow[None]:
    """The beaten player chooses where each of his Teams goes."""
    unit = retreat.unit

    def proposals(most: int) -> list[Answer]:
        return [steps_to_plain(steps) for steps in retreat.ways(most)]

    def chance(random: Random) -> Answer:
        return steps_to_plain(retreat.flee(random.choice(COMPASS)))

    words = (
        f"Where does {label(unit)} break off to, {several(retreat.inches, 'inch', 'inches')} away from the attackers?"
    )
    names = [team.id for _, team in retreat.members]
    pieces = pieces_of(retreat.law)
    facts: dict[str, Any] = {"unit": unit.id}
    question = MovePieces(
        "break-off", words, names, pieces, retreat.refuse, proposals, chance=chance, rules=(RULE,), facts=facts
    )
    answer = yield Ask(unit.side, question)
    yield from go(game, unit, courses_of(retreat.law, plain_to_steps(answer)))


def follow_up(game: Game[State], unit: Unit, members: list[Member]) -> Flow[None]:
    """The other Unit may move as far as its own die shows, wherever it likes."""
    if not members:
        return
    throw = yield from game.throw(unit.side, 1, "following up")
    reach = {team.id: float(throw.value) for _, team in members}
    law = MoveLaw(game, unit, members, reach, pl_free=False, cohesion=False)
    text = f"{label(unit)} may follow, {several(throw.value, 'inch', 'inches')}."
    game.tell("follow-up", text, RULE, seat=unit.side, dice=[throw], unit=unit.id)
    steps = yield from ask_move(
        game, law, f"{label(unit)} may follow up to {several(throw.value, 'inch', 'inches')}.", "follow-up"
    )
    yield from go(game, unit, courses_of(law, steps))


def go(game: Game[State], unit: Unit, courses: list[Course]) -> Flow[None]:
    """Teams go their ways, tanks as far as the ground lets them."""
    for course in courses:
        yield from roll_for_terrain(game, course)
        mark_moved(course)
    if any(course.cut for course in courses):
        untangle(game, courses)
    take_courses(game, courses)
    if courses:
        get_up(game, [unit, *(course.unit for course in courses)], "moved", "tr14.firing.mod-gone-to-ground")


@dataclass(slots=True)
class Retreat:
    """How a Unit may break off: each Team the whole distance, in any direction that brings it nearer to no attacker."""

    game: Game[State]
    unit: Unit
    members: list[Member]
    attackers: list[Team]
    inches: int

    @property
    def law(self) -> MoveLaw:
        reach = {team.id: float(self.inches) for _, team in self.members}
        return MoveLaw(self.game, self.unit, self.members, reach, pl_free=False, cohesion=False)

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        refusal = self.law.refuse(steps)
        if refusal is not None:
            return refusal
        here = board(self.game)
        rows = here.of(self.attackers)
        moving = [member for member in self.members if member[1].id in steps]
        ends = end_rows(here, moving, steps)
        for (_, team), end in zip(moving, ends, strict=True):
            nearer = measure.comes_nearer(here.of([team]), end[None], rows)[0]
            if nearer.any():
                foe = self.attackers[int(np.flatnonzero(nearer)[0])]
                message = f"{team_label(team)} would come nearer to {team_label(foe)}."
                return illegal(RULE, message, field=team.id, legal="Move it away from all attackers.")
        for _, team in self.members:
            refusal = self.refuse_short(here, team, steps)
            if refusal is not None:
                return refusal
        return None

    def refuse_short(self, here: Board, team: Team, steps: dict[str, Step]) -> Refusal | None:
        """A Team goes the whole distance, if it has room for that."""
        path = path_of(team, steps[team.id]) if team.id in steps else path_of(team, Step(team.at or (0.0, 0.0)))
        gone = length_of(path)
        if within(self.inches, gone, A_HAIR):
            return None
        others = self.others(here, team, steps)
        stays = within(gone, 0.0, A_HAIR)
        legal = f"It must go the whole {several(self.inches, 'inch', 'inches')} where it has room."
        if next(self.ways_out(here, team, others), None) is not None:
            short = "stay" if stays else f"go only {gone:.1f} inches"
            return illegal(RULE, f"{team_label(team)} would {short}.", field=team.id, legal=legal)
        if stays:
            return None
        before, end = path[-2], path[-1]
        turn = math.radians(bearing(*before, *end))
        left = self.inches - gone
        on = (snap(end[0] + left * math.sin(turn)), snap(end[1] + left * math.cos(turn)))
        if not self.gets_to(here, team, [*path[:-1], on], others):
            return None
        return illegal(RULE, f"{team_label(team)} would go only {gone:.1f} inches.", field=team.id, legal=legal)

    def others(self, here: Board, team: Team, steps: dict[str, Step]) -> Rows:
        """Everybody else where he stands, and those who break off where they are going as well."""
        going = [member for member in self.members if member[1].id in steps and member[1] is not team]
        return np.vstack([here.all_but([team]), end_rows(here, going, steps)])

    def gets_to(self, here: Board, team: Team, path: list[tuple[float, float]], others: Rows) -> bool:
        """Whether a Team may end there: on the table, on nobody, over no enemy, and nearer to nobody it flees."""
        start = here.of([team])
        end = start.copy()
        end[0, X : Y + 1] = path[-1]
        ground = here.ground
        if not moves.on_table(end, ground.width, ground.depth)[0] or measure.overlaps(end, others, SLACK).any():
            return False
        enemies = here.all_of(here.sides[other(self.unit.side)])
        if moves.sweep(start[0], np.array(path), enemies, SLACK) < math.inf:
            return False
        shunned = here.of(self.attackers)
        if not is_led(self.unit):
            shunned = np.vstack([shunned, enemies[sees(here, start, enemies)[0]]])
        return not measure.comes_nearer(start, end, shunned).any()

    def ways_out(self, here: Board, team: Team, others: Rows, part: float = 1.0) -> Iterator[tuple[float, float]]:
        """Spots to which a Team may go straight, so far: first away from the nearest attacker, then by the compass."""
        assert team.at is not None
        x, y = team.at
        far = self.inches * part
        for degrees in (self.straight_away(here, team), *COMPASS):
            turn = math.radians(degrees)
            spot = (snap(x + far * math.sin(turn)), snap(y + far * math.cos(turn)))
            if self.gets_to(here, team, [team.at, spot], others):
                yield spot

    def straight_away(self, here: Board, team: Team) -> float:
        row, rows = here.of([team]), here.of(self.attackers)
        nearest = rows[int(measure.distances(row, rows)[0].argmin())]
        return bearing(float(nearest[X]), float(nearest[Y]), float(row[0, X]), float(row[0, Y]))

    def flee(self, towards: float | None = None) -> dict[str, Step]:
        """Each Team as far from the attackers as it can, or rather in some direction; the whole distance if it can."""
        here = board(self.game)
        steps: dict[str, Step] = {}
        for part in PARTS:
            for _, team in self.members:
                if team.id not in steps:
                    ways = list(self.ways_out(here, team, self.others(here, team, steps), part))
                    if ways:
                        steps[team.id] = Step(self.best(here, team, ways, towards))
        return {team.id: steps[team.id] for _, team in self.members if team.id in steps}

    def best(
        self, here: Board, team: Team, ways: list[tuple[float, float]], towards: float | None
    ) -> tuple[float, float]:
        if towards is not None:
            turn = math.radians(towards)
            return max(ways, key=lambda spot: spot[0] * math.sin(turn) + spot[1] * math.cos(turn))
        rows = np.tile(here.of([team]), (len(ways), 1))
        rows[:, X : Y + 1] = ways
        far = measure.distances(rows, here.of(self.attackers)).min(axis=1)
        return ways[int(far.argmax())]

    def ways(self, most: int) -> list[dict[str, Step]]:
        """Some ways to break off: as far from the attackers as can be, then as far as may be round the compass."""
        found: list[dict[str, Step]] = []
        for towards in (None, *COARSE)[:most]:
            steps = self.flee(towards)
            if steps not in found:
                found.append(steps)
        return found
