"""Breaking off: the beaten Unit moves away, the other may follow, and whoever is caught is lost."""

from __future__ import annotations

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.ruleset import Ask
from sandtable.field.moving import Moving
from sandtable.rulesets.tr14.assaults.proposals import flee, ways
from sandtable.rulesets.tr14.assaults.retreat import COMPASS, RULE, Retreat
from sandtable.rulesets.tr14.core.board import gap
from sandtable.rulesets.tr14.core.names import label, team_name
from sandtable.rulesets.tr14.core.state import Member, State, Unit
from sandtable.rulesets.tr14.moving import (
    Course,
    MoveLaw,
    ask_move,
    courses_of,
    get_up,
    mark_moved,
    roll_for_terrain,
    take_courses,
    untangle,
)
from sandtable.rulesets.tr14.suppression import destroy_team
from sandtable.table.hairs import within

CATCH = 2.0
"""tr14.assaults.caught"""


def break_off(
    game: Game[State], breaking: Unit, losers: list[Member], winning: Unit, winners: list[Member]
) -> Flow[None]:
    """tr14.assaults.break-off-move, tr14.assaults.caught"""
    throw = yield from game.throw(breaking.side, 1, "breaking off")
    text = f"{label(breaking)} breaks off, {several(throw.value, 'inch', 'inches')}."
    game.tell("break-off", text, RULE, seat=breaking.side, dice=[throw], unit=breaking.id, inches=throw.value)
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

    words = (
        f"Where does {label(unit)} break off to, {several(retreat.inches, 'inch', 'inches')} away from the attackers?"
    )
    moving = Moving([team for _, team in retreat.members], lambda team: float(retreat.inches), retreat.refuse)
    question = moving.question(
        "break-off",
        words,
        team_name,
        lambda: ways(retreat),
        lambda random: flee(retreat, random.choice(COMPASS)),
        (RULE,),
        unit=unit.id,
    )
    answer = yield Ask(unit.side, question)
    yield from go(game, unit, courses_of(retreat.law, moving.steps(answer)))


def follow_up(game: Game[State], unit: Unit, members: list[Member]) -> Flow[None]:
    """The other Unit may move as far as its own die shows, wherever it likes."""
    if not members:
        return
    throw = yield from game.throw(unit.side, 1, "following up")
    reach = {team.id: float(throw.value) for _, team in members}
    law = MoveLaw(game, unit, members, reach, pl_free=False, cohesion=False)
    text = f"{label(unit)} may follow, {several(throw.value, 'inch', 'inches')}."
    game.tell("follow-up", text, RULE, seat=unit.side, dice=[throw], unit=unit.id, inches=throw.value)
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
