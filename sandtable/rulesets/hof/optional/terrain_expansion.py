"""Terrain movement expansion: rough ground costs Vehicles a die, leads the foot, and bogs Vehicles down."""

from __future__ import annotations

from sandtable.engine.game import Flow
from sandtable.engine.questions import Option, Refusal, illegal
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.nearby import row_at
from sandtable.rulesets.hof.core.state import Team, Unit
from sandtable.rulesets.hof.core.terrain import TOUCH, Kind
from sandtable.rulesets.hof.moving import Course
from sandtable.rulesets.hof.terrain import terrain_crossing


def dropped_dice(game: Battle, course: Course, inches: float) -> tuple[int, str]:
    """How many dice of its movement a Vehicle loses for the rough ground within its reach, and by which rule.

    Leaving the ground that it started in costs no die, as it needs no Check.
    """
    ground = board(game).ground
    if not game.setup.options.terrain or not course.team.kind.vehicle or not ground.table.any_rough:
        return 0, ""
    found = [
        ground.table.kinds[crossing.feature].going
        for crossing in terrain_crossing.crossings(ground, course.path, "rough")
        if crossing.enter < inches and not crossing.started
    ]
    if "very-difficult" in found:
        return 1, "hof.optional.terrain-x-very-difficult"
    return (1, "hof.optional.terrain-x-difficult") if "difficult" in found else (0, "")


def refuse_infantry(game: Battle, act: Activation, team: Team, feature: int) -> Refusal | None:
    """hof.optional.terrain-x-infantry: somebody of this activation must start in contact with such ground."""
    here = board(game)
    if not game.setup.options.terrain:
        return None
    if team.kind.category != "infantry" or here.ground.table.kinds[feature].going != "very-difficult":
        return None
    for _, mate in act.members:
        start = act.starts.get(mate.id)
        if start is None or mate.id in act.unloaded:
            continue
        at, facing = start
        if here.ground.terrain.gaps(row_at(mate, *at, facing))[0, feature] <= TOUCH:
            return None
    name = here.ground.terrain.features[feature].kind
    message = (
        f"{team_label(act.unit, team)} would enter {name}, and no Team of this activation starts in contact with it."
    )
    return illegal("hof.optional.terrain-x-infantry", message, field=team.id, legal="Move up to it first.")


def bog_down(game: Battle, unit: Unit, team: Team, kind: Kind) -> None:
    """hof.optional.terrain-x-very-difficult: a Vehicle that fails its Check there is Bogged."""
    if kind.going != "very-difficult" or not game.setup.options.terrain:
        return
    team.bogged = True
    text = f"{team_label(unit, team)} is Bogged."
    rules = ("hof.optional.terrain-x-very-difficult", "hof.optional.bogged")
    game.tell("bogged", text, *rules, seat=unit.side, team=team.id)


# The order of a Bogged crew.


def options(game: Battle, act: Activation, team: Team) -> list[Option]:
    """hof.optional.bogged: the crew can do nothing else."""
    if not team.bogged or team.at is None:
        return []
    return [Option("unbog", "Work to free the Vehicle", ("hof.optional.bogged",))]


def proposable(game: Battle, act: Activation, team: Team) -> tuple[str, ...]:
    return ("unbog",) if team.bogged else ()


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    """Nothing more to say."""
    yield from ()


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """hof.optional.bogged: a Training Check frees it, to act from its next activation on."""
    for unit, team in list(order.members):
        if not alive(unit, team):
            continue
        act.acted.add(team.id)
        overloaded = "hof.optional.bogged-overloaded" if "overloaded" in team.kind.keywords else ""
        why = f"{team_label(unit, team)}'s Check to get free"
        result = yield from check(game, unit, why, again_if_passed=overloaded)
        team.bogged = not result.passed
        fate = "is free" if result.passed else "stays Bogged"
        text = f"{team_label(unit, team)} needs {result.needed}+, rolls {result.throw.value} and {fate}."
        result.tell(game, "unbog", text, "hof.optional.bogged", team=team.id)
