"""Inspired Advance: once in a mission an officer leads his men forward, and all who see it take heart."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, LaterDict, Refusal, Why, illegal
from sandtable.rulesets.sof.core.board import (
    Battle,
    board,
    gap,
    lines_clear,
    nearest_enemy,
    place,
    pose,
    sees,
    within_inches,
)
from sandtable.rulesets.sof.core.names import NAMES, label, unit_option
from sandtable.rulesets.sof.core.state import Figure, Point, Unit, units_of
from sandtable.rulesets.sof.leadership import influence_distance, influences
from sandtable.rulesets.sof.movement import IN_PHASE_ZERO, STOPPED
from sandtable.table.hairs import A_HAIR
from sandtable.table.shapes import bearing, snap, turn

STRAIGHT = 15.0
"""By so many degrees a way may miss the middle of the enemy and still lead straight at him."""

SWORD = 2
"""sof.leadership.advance-sword"""


def why_no_advance(game: Battle, unit: Unit, officer: Figure) -> Refusal | None:
    """Why an officer may not declare an Inspired Advance: once in a mission, and only if his unit may go nearer."""
    rule = "sof.leadership.advance-when"
    if officer.advanced:
        return illegal(rule, f"{NAMES.label(unit, officer)} has led an Inspired Advance.", field=officer.id)
    enemy = nearest_enemy(game, unit)
    if enemy is None:
        return illegal(rule, "There is no enemy to advance upon.", field=officer.id)
    forward = "sof.leadership.advance-move"
    if unit.suppression - 1 >= STOPPED:
        message = f"{label(unit)} could not come nearer to the enemy: {several(unit.suppression, 'marker')}."
        return illegal(forward, message, field=officer.id, legal="Three markers at most, of which one goes.")
    near = within_inches(gap(game, unit, enemy), IN_PHASE_ZERO)
    if game.state.number == 0 and near and sees(game, unit, enemy):
        message = f"{label(unit)} acts in phase 0 and sees {label(enemy)}."
        return illegal(forward, message, field=officer.id)
    return None


def inspired_advance(game: Battle, unit: Unit, officer: Figure) -> Flow[None]:
    """An officer leads his men forward: whoever sees it near him takes heart, and he goes to the front."""
    officer.advanced = game.state.turn
    name, (_, reach) = NAMES.label(unit, officer), influence_distance(unit, officer)
    near = [each for each in inspired(game, unit, officer) if each.suppression]
    for each in near:
        each.suppression -= 1
    relieved = {each.id: each.suppression for each in near}
    rules = ("sof.leadership.officer-abilities", "sof.leadership.advance-when", "sof.leadership.advance-recover", reach)
    lose = "loses" if len(near) == 1 else "lose"
    text = f"{name} leads an Inspired Advance: {several(len(near), 'unit')} {lose} a suppression marker."
    game.tell("inspired-advance", text, *rules, seat=unit.side, unit=unit.id, team=officer.id, suppression=relieved)
    enemy = nearest_enemy(game, unit)
    if enemy is not None:
        to_the_front(game, unit, officer, enemy)
    if officer.carries("sword"):
        yield from raise_sword(game, unit, officer)


def inspired(game: Battle, unit: Unit, officer: Figure) -> list[Unit]:
    """The friendly units that an officer sees within his influence, his own among them."""
    here, ground = board(game), game.prepared
    friends = [
        each for each in units_of(game.state, unit.side) if each.placed and influences(game, unit, officer, each)
    ]
    eyes = here.of(here.on([officer]))
    return [each for each in friends if each is unit or lines_clear(ground, eyes, here.rows_of(each)).any()]


def raise_sword(game: Battle, unit: Unit, officer: Figure) -> Flow[None]:
    """sof.leadership.advance-sword: up to two markers more, from one unit."""
    found = {each.id: each for each in inspired(game, unit, officer) if each.suppression}
    if not found:
        return
    words = f"{NAMES.label(unit, officer)} raises his sword: which unit loses up to two more suppression markers?"
    rule = "sof.leadership.advance-sword"
    message = f"{NAMES.label(unit, officer)} does not see it within his influence, or it has no marker."
    besides: LaterDict[Why] = LaterDict(lambda: {name: illegal(rule, message, field=name) for name in game.state.units})
    choices = Choices(found, unit_option, besides=besides)
    chosen = yield from choose_one(unit.side, "sword", words, choices, rules=(rule,), step="whom")
    lost = min(SWORD, chosen.suppression)
    chosen.suppression -= lost
    text = f"{label(chosen)} loses {several(lost, 'suppression marker')}."
    game.tell("relieved", text, rule, seat=unit.side, unit=chosen.id, team=officer.id, left=chosen.suppression)


def to_the_front(game: Battle, unit: Unit, officer: Figure, enemy: Unit) -> None:
    """sof.leadership.advance-move: he changes places with the man of his unit who is nearest to the enemy."""
    here = board(game)
    mates = [each for each in here.on(unit.teams.values()) if each.kind.base == officer.kind.base]
    if unit.pose is not None:
        rest = {name: each for name, each in unit.teams.items() if each is not officer}
        unit.teams = {officer.id: officer, **rest}
        pose(game, unit, unit.pose)
        return
    first = min(mates, key=lambda each: snap(here.gap([each], here.on(enemy.teams.values()))), default=officer)
    if first is not officer and first.at is not None and officer.at is not None:
        here_, there = officer.at, first.at
        place(game, officer, *there)
        place(game, first, *here_)


# Straight at the enemy, behind the colours.


@dataclass(slots=True)
class Approach:
    """Where a unit with a standard bearer was before a move, and the enemy that was nearest then; none without him."""

    unit: Unit
    enemy: Unit | None = None
    middle: Point = (0.0, 0.0)
    inches: float = 0.0

    @classmethod
    def of(cls, game: Battle, unit: Unit) -> Approach:
        led = any(each.role == "standard-bearer" and not each.disabled for each in unit.teams.values())
        enemy = nearest_enemy(game, unit) if led else None
        return cls(unit) if enemy is None else cls(unit, enemy, middle_of(unit), gap(game, unit, enemy))

    def straight(self, game: Battle) -> bool:
        """sof.specialists.standard-bearer: it has come nearer to that enemy, by a way that leads straight at him."""
        if self.enemy is None or gap(game, self.unit, self.enemy) >= self.inches - A_HAIR:
            return False
        went = bearing(*self.middle, *middle_of(self.unit))
        return abs(turn(bearing(*self.middle, *middle_of(self.enemy)), went)) <= STRAIGHT


def middle_of(unit: Unit) -> Point:
    spots = [each.at for each in unit.teams.values() if each.at is not None]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
