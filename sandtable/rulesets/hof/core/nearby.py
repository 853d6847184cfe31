"""What is near whom, who is watched, and who is in cover."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit, all_teams, find_team
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.table import distance as measure
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import Place, body, snap


def standpoint(game: Battle, team: Team) -> Team | None:
    """Where a Team is: on its own base, or where its Transport or its tank stands. None if it is nowhere to be seen."""
    if team.at is not None:
        return team
    found = find_team(game.state, team.carrier) if team.carrier else None
    return found[1] if found is not None and found[1].at is not None else None


def touching_friends(game: Battle, unit: Unit, team: Team) -> list[Team]:
    """The Teams of its own Unit in base contact with a Team."""
    return board(game).near(team, [each for each in unit.teams.values() if each is not team], CONTACT)


def row_at(team: Team, x: float, y: float, facing: float | None = None) -> Rows:
    """The row that a Team would have at a place."""
    look = team.facing if facing is None else facing
    return body(team.kind.base, Place(snap(x), snap(y), look)).reshape(1, 8)


def within(game: Battle, point: Point, radius: float) -> list[Member]:
    """The Teams on the table within so many inches of a point."""
    there = np.array([point])
    return struck(game, lambda rows: measure.within(measure.to_points(rows, there)[:, 0], radius))


def struck(game: Battle, where: Callable[[Rows], Mask]) -> list[Member]:
    """The Teams on the table whose bases are `where` something falls, and the Riders on tanks there."""
    here = board(game)
    if not len(here.rows):
        return []
    hit = where(here.rows)
    found = [member for member in here.members if member[1].id in here.index and hit[here.index[member[1].id]]]
    return found + aboard_as_riders(game, found) if game.setup.options.riders else found


def aboard_as_riders(game: Battle, members: Sequence[Member]) -> list[Member]:
    """The Riders on some tanks: what falls on the ground where a tank stands falls on them, too."""
    tanks = {team.id for _, team in members}
    return [member for member in all_teams(game.state) if member[1].role == "rider" and member[1].carrier in tanks]


def watched(game: Battle, side: str, teams: Sequence[Team], *, suppressed: bool = False) -> list[bool]:
    """Which of a side's Teams are in sight of enemies whose eyes count (hof.moving.who-counts-as-watching).

    Those of Suppressed enemies do only if asked.
    """
    eyes = [team for team in board(game).enemies(side).eyes if suppressed or not team.suppressed]
    if not eyes or not teams:
        return [False] * len(teams)
    result: list[bool] = np.any(board(game).sees(eyes, teams), axis=0).tolist()
    return result


def in_hard_cover(game: Battle, team: Team) -> bool:
    """hof.terrain.cover-at-resolution: where a Team is when it resolves its RFPs.

    Dug in, in a building or a trench; or touching an obstacle that all its RFPs came across. Riders have the tank
    between them and fire at its front. A Leader is where the Team is that he touches (hof.leaders.position-abstracted).
    """
    if team.dug_in:
        return True
    if team.role == "rider":
        return not team.exposed
    if team.at is None:
        return False
    here = board(game)
    ground = here.ground
    stand = here.stand(team)
    if here.members[stand][1].dug_in:
        return True
    row = here.rows[stand].reshape(1, 8)
    inside = ground.terrain.inside(row)[0] & ground.table.hard & ~ground.table.line
    if inside.any():
        return True
    return not team.exposed and bool((ground.terrain.touching(row, TOUCH)[0] & ground.table.breastwork).any())
