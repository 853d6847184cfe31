"""Breaking off: the beaten Unit moves away, the other may follow, and whoever is caught is lost."""

from __future__ import annotations

from functools import partial

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.ruleset import Ask
from sandtable.field.moving import Moving
from sandtable.field.retreating import Retreat
from sandtable.rulesets.tr14.core.board import Battle, Rows, board, sees
from sandtable.rulesets.tr14.core.names import label, name_of, team_name
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, is_led
from sandtable.rulesets.tr14.moving import Course, MoveLaw, ask_move, courses_of, get_up, set_out, take_courses
from sandtable.rulesets.tr14.suppression import destroy_team
from sandtable.table.hairs import within

RULE = "tr14.assaults.break-off-move"
CATCH = 2.0
"""tr14.assaults.caught"""


def break_off(game: Battle, breaking: Unit, losers: list[Member], winning: Unit, winners: list[Member]) -> Flow[None]:
    """tr14.assaults.break-off-move, tr14.assaults.caught"""
    throw = yield from game.throw(breaking.side, 1, "breaking off")
    text = f"{label(breaking)} breaks off, {several(throw.value, 'inch', 'inches')}."
    game.tell("break-off", text, RULE, seat=breaking.side, dice=[throw], unit=breaking.id, inches=throw.value)
    enemies = [enemy for _, enemy in winners]
    going = [member for member in losers if member[1].kind.type != "gun"]
    if going:
        yield from move_away(game, breaking, going, enemies, throw.value)
    yield from follow_up(game, winning, [member for member in winners if member[1].kind.type != "gun"])
    left = [member for member in losers if member[1].kind.type != "tank" or member[1].markers]
    caught = [member for member in left if within(board(game).gap([member[1]], enemies), CATCH)]
    for member in caught:
        yield from destroy_team(game, member, "caught breaking off", "tr14.assaults.caught")


def move_away(game: Battle, unit: Unit, members: list[Member], attackers: list[Team], inches: int) -> Flow[None]:
    """The beaten player chooses where each of his Teams goes."""
    law = MoveLaw(game, unit, members, {team.id: float(inches) for _, team in members}, pl_free=False, cohesion=False)
    retreat = retreat_of(game, law, attackers, inches)
    moving = Moving(retreat.pieces, law.how_far, retreat.refuse)
    words = f"Where does {label(unit)} break off to, {several(inches, 'inch', 'inches')} away from the attackers?"
    question = moving.question("break-off", words, team_name, retreat.ways, retreat.by_chance, (RULE,), unit=unit.id)
    answer = yield Ask(unit.side, question)
    yield from go(game, unit, courses_of(law, moving.steps(answer)))


def retreat_of(game: Battle, law: MoveLaw, attackers: list[Team], inches: int) -> Retreat[Team]:
    """How Teams may break off: without a Platoon Leader nearer to no enemy that they see, either."""
    here = board(game)
    enemies = here.enemy_rows(law.unit.side)

    def shunned(team: Team) -> Rows:
        return enemies[:0] if is_led(law.unit) else enemies[sees(here, here.of([team]), enemies)[0]]

    teams, name = [team for _, team in law.members], partial(name_of, game.state)
    away = "Move it away from all attackers."
    return Retreat(here, here.ground, teams, attackers, enemies, shunned, inches, law.refuse, name, RULE, away)


def follow_up(game: Battle, unit: Unit, members: list[Member]) -> Flow[None]:
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


def go(game: Battle, unit: Unit, courses: list[Course]) -> Flow[None]:
    """Teams go their ways, tanks as far as the ground lets them."""
    yield from set_out(game, courses)
    take_courses(game, courses)
    if courses:
        get_up(game, [unit, *(course.unit for course in courses)], "moved", "tr14.firing.mod-gone-to-ground")
