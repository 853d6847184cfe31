"""Preliminary Bombardment: markers that lie on the table before anybody deploys, and shake whoever appears there."""

from __future__ import annotations

from sandtable.engine.events import falls
from sandtable.engine.game import Flow
from sandtable.engine.questions import ChoosePoint, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import label
from sandtable.rulesets.hof.core.nearby import within
from sandtable.rulesets.hof.core.state import Bombardment, Member, Point, Side, Unit, other, units_of
from sandtable.table.shapes import snap

RULE = "hof.optional.bombardment-markers"


def markers(game: Battle) -> Flow[None]:
    """hof.optional.bombardment-markers: the Defender's first, one for each Artillery Unit that is there on turn 1."""
    state = game.state
    if not game.setup.options.bombardment:
        return
    for side in (other(state.attacker), state.attacker):
        for unit in units_of(state, side):
            if available(unit) and not any(marker.unit == unit.id for marker in state.bombardments):
                yield from place_marker(game, side, unit)


def available(unit: Unit) -> bool:
    guns = barrages.guns_of(unit)
    return len(guns) >= barrages.LEAST_GUNS and not any(gun.where == "reserve" for gun in guns)


def place_marker(game: Battle, side: Side, unit: Unit) -> Flow[None]:
    """The marker deviates at once and then stays."""
    width, depth = game.setup.table.width, game.setup.table.depth

    def legal(x: float, y: float) -> Refusal | None:
        if 0 <= x <= width and 0 <= y <= depth:
            return None
        return illegal(RULE, "that is off the table.", field="bombard", legal="Choose any point of the table.")

    words, facts = f"Where does {label(unit)} bombard before the battle?", {"unit": unit.id}
    question = ChoosePoint("bombard", words, legal, lambda most: proposed_points(game, side)[:most], facts=facts)
    question.rules, question.step = (RULE,), "deploy"
    question.chance = lambda random: (snap(random.random() * width), snap(random.random() * depth))
    x, y = yield Ask(side, question, checkpoint=True)
    guns = barrages.guns_of(unit)
    at, dice, more = yield from barrages.deviate(
        game, side, (x, y), direct_hits=barrages.mortars_fire(guns) and not unit.off_board
    )
    number, cited = barrages.rfps_of(game, unit, guns)
    marker = Bombardment(side, unit.id, at, barrages.radius_of(guns), number)
    game.state.bombardments = [*game.state.bombardments, marker]
    rules = (RULE, "hof.artillery.deviation", *more, *cited)
    words = f"bombards {at[0]:g}, {at[1]:g} before the battle."
    barrages.tell(game, unit, "bombardment", words, *rules, dice=dice, at=list(at), radius=marker.radius, rfps=number)


def proposed_points(game: Battle, side: Side) -> list[Point]:
    """On the objectives, and along the middle of the enemy's half."""
    width, depth = game.setup.table.width, game.setup.table.depth
    far = 0.75 if game.state.edges.get(side, "south") == "south" else 0.25
    found = [objective.at for objective in game.state.objectives.values()]
    return [*found, *((snap(width * share), snap(depth * far)) for share in (0.5, 0.25, 0.75))]


def on_set_down(game: Battle, members: list[Member]) -> None:
    """hof.optional.bombardment-effect: Teams that are deployed or revealed by a marker, whosever it is.

    Riders appear with their tank.
    """
    if not game.setup.options.bombardment:
        return
    names = {team.id for _, team in members}
    for marker in game.state.bombardments:
        near = within(game, marker.at, marker.radius)
        inside = [member for member in near if member[1].id in names or member[1].carrier in names]
        lies = falls("shells", list(marker.at), radius=marker.radius)
        barrages.shower(
            game, marker.side, inside, marker.rfps, "The bombardment", "hof.optional.bombardment-effect", **lies
        )
