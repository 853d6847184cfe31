"""Before the dice of a Move: which Tanks roll for rough ground, and how likely they come where they are sent.

The twin of `courses.roll_for_terrain` that throws nothing.
"""

from __future__ import annotations

from collections import defaultdict

from sandtable.engine.cards import Preview, PreviewLine
from sandtable.engine.chance import at_least
from sandtable.engine.events import several
from sandtable.engine.questions import Step
from sandtable.field.courses import way_of
from sandtable.field.gambles import arriving, checks, foretold
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import TRAINING_CHECK
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.moving.courses import TANK_CROSSES, rolls_due
from sandtable.rulesets.tr14.moving.law import MoveLaw

UNVOUCHED = "The Company Commander has no Check rolled again."


def gamble(game: Battle, law: MoveLaw, steps: dict[str, Step]) -> Preview | None:
    """What the Teams of a Move risk by these steps; None if none of them rolls for anything."""
    going = board(game).ground.table.kinds
    moving = [(unit, team) for unit, team in law.members if team.id in steps]
    rolls: dict[int, list[Member]] = defaultdict(list)
    chances = []
    for unit, team in moving:
        path = way_of(team, steps[team.id])
        chance = 1.0
        for span in rolls_due(game, team, path):
            rolls[span.feature].append((unit, team))
            chance *= crosses(unit, team, going[span.feature].going)
        chances.append(chance)
    if not rolls:
        return None
    lines = [line(game, number, group) for number, group in rolls.items()]
    checked = any(going[number].going != "difficult" for number in rolls)
    return foretold(lines, arriving(chances), len(moving), [UNVOUCHED] if checked else [])


def needed_for(unit: Unit, going: str) -> int:
    return TANK_CROSSES if going == "difficult" else TRAINING_CHECK[unit.training]


def crosses(unit: Unit, team: Team, going: str) -> float:
    """How likely a Tank is to cross; wide tracks let it try again."""
    once = at_least(needed_for(unit, going))
    return once + (1.0 - once) * once if "wide-tracks" in team.kind.notes else once


def line(game: Battle, number: int, group: list[Member]) -> PreviewLine:
    ground = board(game).ground
    going = ground.table.kinds[number].going
    unit, team = group[0]
    roll = "roll" if going == "difficult" else "Check"
    what = f"{several(len(group), roll)} to cross {ground.terrain.features[number].spoken}"
    rule = "tr14.moving.tank-difficult" if going == "difficult" else "tr14.moving.tank-very-difficult"
    needs, chance = needed_for(unit, going), crosses(unit, team, going)
    return checks(what, len(group), chance, "stops there, suppressed", needs=needs, rule=rule)
