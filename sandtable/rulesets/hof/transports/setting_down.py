"""Setting Teams down beside a Transport: where there is room, on ground where they may stand, out of contact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core.board import Board, board, sees_rows, set_down
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import team_label, team_name, team_on
from sandtable.rulesets.hof.core.riding import BESIDE
from sandtable.rulesets.hof.core.room import refuse_room, rows_of
from sandtable.rulesets.hof.core.state import Point, State, Team, Unit, other
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import Place, X, Y, bodies, body, heading

RINGS = (0.95, 0.7, 0.45, 1.0, 0.2)
TRIES = 12
"""Parts of the reach, and directions, in which places are looked for."""

RING: Rows = np.array([[p * part for p in heading(360.0 * n / TRIES)] for part in RINGS for n in range(TRIES)])


def rings(team: Team, centre: Point, reach: float) -> Rows:
    """Places about a point, the outer ones first, for a Team as it faces now."""
    return placement.ring(body(team.kind.base, Place(*centre, team.facing)), RING, reach)


def steps_at(team: Team, rows: Rows) -> list[Step]:
    """The steps of a Team, as it faces now, to some places."""
    facing = team.facing
    return [Step((x, y), facing) for x, y in rows[:, X : Y + 1].tolist()]


def free(here: Board, team: Team, rows: Rows) -> Mask:
    """Which places are on the table, on nobody's base, and on ground where the Team may stand."""
    result = placement.room(rows, here.rows, here.ground.width, here.ground.depth)
    never = here.ground.table.barring(goes_badly(team), False)
    if len(never) and result.any():
        result &= ~here.ground.terrain.over_any(rows, never)
    return result


def goes_badly(team: Team) -> bool:
    """Guns that are not Man-Portable, wheels and half-tracks: Very Difficult ground is not for them."""
    kind = team.kind
    return kind.category != "infantry" and kind.mobility not in ("man-portable", "tracked")


def barred_ground(here: Board, team: Team, rows: Rows) -> Mask:
    """Very Difficult ground under Guns that are not Man-Portable and under wheels and half-tracks."""
    table = here.ground.table
    if not table.any_very or not goes_badly(team):
        return np.zeros(len(rows), dtype=np.bool_)
    return here.ground.terrain.over_any(rows, table.numbers(table.very))


def refuse_ground(here: Board, side: str, teams: Sequence[Team], rows: Rows) -> Refusal | None:
    for number, team in enumerate(teams):
        if barred_ground(here, team, rows[number : number + 1])[0]:
            rule = "hof.moving.gun-terrain" if team.kind.category == "gun" else "hof.moving.halftrack-wheeled-terrain"
            return illegal(rule, f"{team_on(side, team)} may not stand on Very Difficult ground.", field=team.id)
    return None


def clear_of_enemies(here: Board, unit: Unit, rows: Rows) -> Mask:
    enemies = here.side(other(unit.side)).rows
    if not len(enemies):
        return np.ones(len(rows), dtype=np.bool_)
    result: Mask = measure.beyond(measure.nearest(rows, here.rows.take(enemies, axis=0)), CONTACT)
    return result


def place_question(
    topic: str,
    words: str,
    rules: tuple[str, ...],
    teams: Sequence[Team],
    legal: Callable[[dict[str, Step]], Refusal | None],
    ways: Callable[[int], Answer | None],
    any_way: Callable[[Random], Answer] | None = None,
) -> MovePieces:
    """Where some Teams are set down; `ways` are the proposals, None where there is no such way; but there is one.

    `any_way` is a way by chance, if that takes less than to look for all of them.
    """

    def pieces() -> list[Piece]:
        return [Piece(team.id, team_name(team), None, team.facing, base=team.kind.base.size) for team in teams]

    def proposals(most: int) -> list[Answer]:
        found: list[Answer] = []
        for number in range(TRIES):
            if len(found) >= most:
                break
            way = ways(number)
            if way is not None and way not in found:
                found.append(way)
        return found

    def chance(random: Random) -> Answer:
        start = int(random.random() * TRIES)
        return next(way for n in range(TRIES) if (way := ways((start + n) % TRIES)) is not None)

    names = [team.id for team in teams]
    return MovePieces(topic, words, names, pieces, legal, proposals, chance=any_way or chance, rules=rules)


def ask_place(
    game: Game[State],
    unit: Unit,
    transport: Team,
    teams: Sequence[Team],
    topic: str,
    words: str,
    rules: tuple[str, ...],
    *,
    in_sight: bool,
) -> Flow[dict[str, Step]]:
    """Where Teams are set down within four inches of a Transport. Empty if there is no room."""
    ground = board(game).ground
    assert transport.at is not None
    ride = bodies([(transport.kind.base, Place(*transport.at, transport.facing))])

    def good(rows: Rows) -> Mask:
        here = board(game)
        near: Mask = measure.within(measure.nearest(rows, ride), BESIDE)
        near &= clear_of_enemies(here, unit, rows)
        if in_sight and near.any():
            near = sees_rows(ground, ground.raised(ride), ground.raised(rows), near[None])[0]
        return near

    def legal(steps: dict[str, Step]) -> Refusal | None:
        missing = next((team for team in teams if team.id not in steps), None)
        if missing is not None:
            return Refusal("illegal", f"{team_label(unit, missing)} needs a place.", field=missing.id)
        here = board(game)
        rows = rows_of(teams, steps, transport.facing)
        refused = refuse_room(here, unit.side, teams, rows, rules[0]) or refuse_ground(here, unit.side, teams, rows)
        if refused is not None:
            return refused
        bad = np.flatnonzero(~good(rows)).tolist()
        if bad:
            team = teams[bad[0]]
            sight = " and in its sight" if in_sight else ""
            words = (
                f"Put it within {BESIDE:g} inches of {team_label(unit, transport)}{sight}, out of contact with enemies."
            )
            return illegal(rules[0], f"{team_label(unit, team)} may not be set down there.", field=team.id, legal=words)
        return None

    ways = ways_down(game, transport, teams, good)
    if all(ways(number) is None for number in range(TRIES)):
        return {}
    question = place_question(topic, words, rules, teams, legal, ways)
    answer = yield Ask(unit.side, question)
    return plain_to_steps(answer)


def ways_down(
    game: Game[State], transport: Team, teams: Sequence[Team], good: Callable[[Rows], Mask]
) -> Callable[[int], Answer | None]:
    """A few ways of setting the Teams down, each beginning with another place for the first of them."""
    here = board(game)
    assert transport.at is not None
    choices: list[tuple[Rows, list[Step]]] = []
    known: dict[object, tuple[Rows, list[Step]]] = {}
    for team in teams:
        alike = (team.profile, team.base, team.facing)
        if alike not in known:
            hull, base = transport.kind.base, team.kind.base
            reach = BESIDE + min(hull.width, hull.depth) / 2 + min(base.width, base.depth) / 2
            rows = rings(team, transport.at, reach)
            rows = rows[free(here, team, rows)]
            rows = rows[good(rows)] if len(rows) else rows
            known[alike] = rows, steps_at(team, rows)
        choices.append(known[alike])

    def way(start: int) -> Answer | None:
        taken: list[Rows] = []
        steps: dict[str, Step] = {}
        for team, (rows, places) in zip(teams, choices, strict=True):
            for number in range(len(places)):
                pick = (number + start) % len(places)
                row = rows[pick : pick + 1]
                if not taken or not measure.overlaps(row, np.vstack(taken)).any():
                    taken.append(row)
                    steps[team.id] = places[pick]
                    break
        return steps_to_plain(steps) if len(steps) == len(teams) else None

    return way


def set_down_at(game: Game[State], team: Team, step: Step, facing: float) -> None:
    set_down(game, team, *step.to, facing if step.facing is None else step.facing)
