"""Setting Teams down: by which rules, and facing which way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.questions import Answer, Step, plain_to_steps
from sandtable.field.deploying import Deploying
from sandtable.field.zones import facing_from
from sandtable.rulesets.hof.core.board import Battle, board, set_down
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.state import Team, find_team

SPACING = 0.6
"""The room between Teams in ranks."""


def setting_down(
    game: Battle, side: str, teams: Sequence[Team], rule: str, facing: float | None = None, **more: Any
) -> Deploying[Team]:
    """Teams that are set down as a rule says: on the table, on no other base, on ground that somebody can stand on."""
    here = board(game)
    never = here.ground.table.barring(False, False), "hof.moving.infantry-terrain"
    facing = facing_from(game.state.edges, side) if facing is None else facing

    def name(team_id: str) -> str:
        found = find_team(game.state, team_id)
        return team_label(*found) if found is not None else team_id

    return Deploying(here, here.ground, teams, facing, name, rule, barring=never, **more)


def in_ranks(down: Deploying[Team]) -> Rows:
    """The Teams in ranks about (0, 0)."""
    return down.ranks(max(2, round(len(down.pieces) ** 0.5 + 1)), SPACING)


def set_down_at(game: Battle, team: Team, step: Step, facing: float) -> None:
    set_down(game, team, *step.to, facing if step.facing is None else step.facing)


def set_all_down(game: Battle, down: Deploying[Team], answer: Answer) -> None:
    """Set Teams down where an answer says."""
    steps = plain_to_steps(answer)
    for team in down.pieces:
        if team.id in steps:
            set_down_at(game, team, steps[team.id], down.facing)
