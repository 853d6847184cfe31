"""What shells may be expected to do where they fall. No rules: by it programs choose whom to shell, and where to."""

from __future__ import annotations

import numpy as np

from sandtable.engine.chance import successes
from sandtable.rulesets.tr14.core.board import TEMPLATE, Battle, board
from sandtable.rulesets.tr14.core.checks import check_chance
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.indirect.batteries import Points, barrage_points, ignores, template_facing
from sandtable.table import templates
from sandtable.table.distance import overlaps
from sandtable.table.hairs import NOTHING


def harm_by_target(
    game: Battle, unit: Unit, targets: dict[str, tuple[Member, list[Team], list[Team]]]
) -> dict[str, float]:
    """The same for shells on each of some Teams, by the guns that reach it."""
    return {
        name: harm_of(game, unit, guns, [team.at])[0]
        for name, ((_, team), guns, _) in targets.items()
        if team.at is not None
    }


def harm_of(game: Battle, unit: Unit, guns: list[Team], spots: Points) -> list[float]:
    """How many more Teams of the enemy than of one's own shells would put to a Save, wherever they fall."""
    here = board(game)
    points, _ = barrage_points(guns)
    chances = list(successes(points, check_chance(unit)))
    members = [member for side in here.sides.values() for member in side]
    struck = np.array(
        [
            sum(chance for hits, chance in chances if hits and not ignores(team, hits))
            * (-1.0 if owner.side == unit.side else 1.0)
            for owner, team in members
        ]
    )
    squares = np.stack([templates.square(x, y, TEMPLATE, template_facing(game, guns, x, y)) for x, y in spots])
    under = overlaps(here.all_of(members), squares, NOTHING)
    found: list[float] = (struck @ under).tolist()
    return found
