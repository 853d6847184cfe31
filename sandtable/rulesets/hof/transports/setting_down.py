"""Who sits in which Transport, and where Teams are set down beside one: with room, on fit ground, out of contact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, Step, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.beside import Together, steps_to
from sandtable.field.seats import Seats
from sandtable.rulesets.hof.core.board import Battle, Board, board, sees_rows
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import label, mate_option, team_label, team_name, team_on
from sandtable.rulesets.hof.core.riding import BESIDE, rides_inside
from sandtable.rulesets.hof.core.room import setting_down
from sandtable.rulesets.hof.core.state import Point, Team, Unit
from sandtable.rulesets.hof.kernels import free_places
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.shapes import Place, bodies, body, heading


def choose_seats(unit: Unit, foot: Sequence[Team], wheels: Sequence[Team]) -> Flow[list[Team]]:
    """hof.transports.capacity: who rides in which Transport, or behind it. Returns those who go on foot.

    Asked where somebody must be left out: who sits beside whom makes no difference to the battle.
    """
    rides = [team for team in wheels if team.kind.transport]
    room = {ride.id: {"inside": ride.kind.carries, "behind": 1} for ride in rides}
    seats = Seats(foot, room, lambda team: "inside" if rides_inside(team) else "behind", partial(too_many, unit))
    answer = seats.usual()
    if len(answer) < len(foot):
        words = f"Who of {label(unit)} rides in which Transport? Whoever is left out goes on foot."
        rules = ("hof.transports.capacity", "hof.battle.attacker-deploys")
        answer = yield Ask(
            unit.side, seats.question("embark", words, [mate_option(ride) for ride in rides], rules, unit=unit.id)
        )
    take_seats(unit, answer)
    return [team for team in foot if team.id not in answer]


def too_many(unit: Unit, carrier: str, team: Team) -> Refusal:
    """hof.transports.capacity: so many inside, and one Gun behind."""
    ride = unit.teams[carrier]
    full = f"is full: it carries {ride.kind.carries}." if rides_inside(team) else "tows one Gun."
    return illegal("hof.transports.capacity", f"{team_label(unit, ride)} {full}", field=team.id)


def take_seats(unit: Unit, answer: dict[str, str]) -> None:
    for name, carrier in answer.items():
        team = unit.teams[name]
        team.where = "aboard"
        team.carrier = carrier
        team.towed = not rides_inside(team)


RINGS = (0.95, 0.7, 0.45, 1.0, 0.2)
TRIES = 12
"""Parts of the reach, and directions, in which places are looked for."""

RING: Rows = np.array([[p * part for p in heading(360.0 * n / TRIES)] for part in RINGS for n in range(TRIES)])


def rings(team: Team, centre: Point, reach: float) -> Rows:
    """Places about a point, the outer ones first, for a Team as it faces now."""
    return free_places.ring(body(team.kind.base, Place(*centre, team.facing)), RING, reach)


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


def ask_place(
    game: Battle,
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
    here = board(game)
    ground = here.ground
    assert transport.at is not None
    ride = bodies([(transport.kind.base, Place(*transport.at, transport.facing))])

    def good(rows: Rows) -> Mask:
        near: Mask = measure.within(measure.nearest(rows, ride), BESIDE)
        near &= here.clear_of_enemies(unit.side, rows)
        if in_sight and near.any():
            near = sees_rows(ground, ground.raised(ride), ground.raised(rows), near[None])[0]
        return near

    def refuse_there(some: list[Team], rows: Rows) -> Refusal | None:
        bad = np.flatnonzero(~good(rows)).tolist()
        if not bad:
            return None
        team = some[bad[0]]
        legal = f"Put it within {BESIDE:g} inches of {team_label(unit, transport)}"
        legal += f"{' and in its sight' if in_sight else ''}, out of contact with enemies."
        return illegal(rules[0], f"{team_label(unit, team)} may not be set down there.", field=team.id, legal=legal)

    ways = Together(teams, list(spots_beside(here, transport, teams, good)), TRIES)
    if next(ways.ways(), None) is None:
        return {}
    checks = (partial(refuse_ground, here, unit.side), refuse_there)
    down = setting_down(game, unit.side, teams, rules[0], transport.facing, checks=checks)
    question = down.question(topic, words, team_name, ways.first_of, ways.by_chance, rules)
    return plain_to_steps((yield Ask(unit.side, question)))


def spots_beside(
    here: Board, transport: Team, teams: Sequence[Team], good: Callable[[Rows], Mask]
) -> Iterator[tuple[Rows, list[Step]]]:
    """Where about a Transport each Team may stand, and the steps there."""
    assert transport.at is not None
    known: dict[object, tuple[Rows, list[Step]]] = {}
    for team in teams:
        alike = (team.profile, team.base, team.facing)
        if alike not in known:
            hull, base = transport.kind.base, team.kind.base
            reach = BESIDE + min(hull.width, hull.depth) / 2 + min(base.width, base.depth) / 2
            rows = rings(team, transport.at, reach)
            rows = rows[free(here, team, rows)]
            rows = rows[good(rows)] if len(rows) else rows
            known[alike] = rows, steps_to(rows, team.facing)
        yield known[alike]
