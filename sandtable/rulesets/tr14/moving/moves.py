"""A Move: who goes, where each of them shall go, what may be proposed for that, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from random import Random

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Step
from sandtable.engine.ruleset import Ask
from sandtable.field.courses import length_of, way_of
from sandtable.field.moving import Moving, Steps, by_nearness, middles, nearest
from sandtable.rulesets.tr14.core.arsenal import MOVE, profile
from sandtable.rulesets.tr14.core.board import Battle, Board, board
from sandtable.rulesets.tr14.core.checks import use_command
from sandtable.rulesets.tr14.core.names import label, name_of, of_unit, team_label, team_name
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, all_teams, members_of, observers_of, other
from sandtable.rulesets.tr14.core.terrain import OPEN
from sandtable.rulesets.tr14.kernels import marches
from sandtable.rulesets.tr14.moving.courses import Course, mark_moved, rolls_due, set_out, take_courses, untangle
from sandtable.rulesets.tr14.moving.gamble import gamble
from sandtable.rulesets.tr14.moving.law import MoveLaw
from sandtable.table import moves
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import bearing

NEAR_COVER = 4
NEAREST = 3
"""Of so many goals one is looked for to which the whole Unit can go."""


def movers(game: Battle, unit: Unit) -> list[Member]:
    """Who moves when a Unit moves: its Teams, and its Forward Observer unless he has gone to ground by himself.

    tr14.indirect.fo-activation, tr14.firing.gtg-declare
    """
    going = [unit, *(each for each in observers_of(game.state, unit) if not each.held)]
    return [member for each in going for member in members_of(each)]


def courses_of(law: MoveLaw, steps: dict[str, Step]) -> list[Course]:
    courses = []
    for unit, team in law.members:
        step = steps.get(team.id)
        if step is None:
            continue
        path = way_of(team, step)
        free = law.placed_freely(team)
        facing = team.facing if step.facing is None else step.facing
        turret = step.turret if step.turret is not None else (facing if team.turret is not None else None)
        courses.append(Course(unit, team, path, length_of(path), facing, turret=turret, free=free))
    return courses


@cache
def rules_of_moving(name: str) -> dict[str, None]:
    """The rules by which Teams of a profile move as they do."""
    kind = profile(name)
    found = []
    if kind.type == "infantry":
        found.append("tr14.moving.infantry-terrain")
    if kind.moves_as_infantry:
        found.append("tr14.arsenal.moves-as-infantry")
    if kind.type == "tank" and kind.move != MOVE["tank"]:
        found.append("tr14.arsenal.tank-speeds")
    return dict.fromkeys(found)


def tell_move(game: Battle, law: MoveLaw, courses: list[Course], *rules: str) -> None:
    unit = law.unit
    farthest = max([course.length for course in courses])
    text = f"{label(unit)} moves {several(len(courses), 'Team')}, up to {farthest:.1f} inches."
    cited = dict.fromkeys((*rules, "tr14.moving.distances"))
    last = ""
    for course in courses:
        if course.team.profile != last:
            last = course.team.profile
            cited.update(rules_of_moving(last))
        if course.free:
            cited["tr14.leaders.pl-placement"] = None
        if course.unit.apart == "fo":
            cited["tr14.indirect.fo-activation"] = None
    ways = {course.team.id: list(map(list, course.path)) for course in courses}
    game.tell("move", text, *cited, seat=unit.side, unit=unit.id, ways=ways, inches=round(farthest, 2))
    for team, leader in law.commanded.items():
        use_command(game, unit.side, leader)
        rules_up = ("tr14.leaders.move-up", "tr14.leaders.once-per-initiative")
        text = f"{name_of(game.state, leader)} has {name_of(game.state, team)} move up."
        game.tell("move-up", text, *rules_up, seat=unit.side, unit=unit.id, team=team, leader=leader)


def may_place_leader(unit: Unit) -> bool:
    leader = unit.leader
    return leader is not None and leader.kind.type == "infantry" and len(unit.teams) > 1


def place_leader(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.leaders.pl-placement: outside a Move too, whenever his Unit is activated. It is no Move of the Unit."""
    leader = unit.leader
    assert leader is not None
    law = MoveLaw(game, unit, [(unit, leader)], {leader.id: leader.kind.move})
    steps = yield from ask_move(game, law, f"Where does the Platoon Leader of {label(unit)} go?", "place-leader")
    courses = courses_of(law, steps)
    for course in courses:
        mark_moved(course)
        text = f"{team_label(unit, leader)} takes his place among {of_unit(unit)}."
        game.tell("leader-placed", text, "tr14.leaders.pl-placement", seat=unit.side, unit=unit.id, team=leader.id)
    take_courses(game, courses)


def begin_move(game: Battle, unit: Unit, words: str, *rules: str) -> Flow[list[Course]]:
    """A Unit is ordered to move, and its tanks roll for the ground: the courses on which it now is, if any."""
    members = movers(game, unit)
    law = MoveLaw(game, unit, members, {team.id: team.kind.move for _, team in members})
    steps = yield from ask_move(game, law, words)
    if not steps:
        return []
    courses = courses_of(law, steps)
    tell_move(game, law, courses, *rules)
    yield from set_out(game, courses)
    return courses


def end_move(game: Battle, courses: list[Course], *, drew_fire: bool) -> None:
    """Whoever is left of those who move comes to the end of his course."""
    if drew_fire:
        # Guns and tanks that fired have turned, and may now stand where somebody was going to.
        courses = [course for course in courses if course.team.id in course.unit.teams]
        untangle(game, courses)
    take_courses(game, courses)


# Where to: what bots and the page may propose, and moves by chance.


def ask_move(game: Battle, law: MoveLaw, words: str, topic: str = "move") -> Flow[Steps]:
    """Ask where each Team goes."""
    moving = Moving([team for _, team in law.members], law.how_far, law.refuse, partial(shifted, game, law))

    def chance(random: Random) -> Steps:
        """Now the whole Unit, now a single Team, now nobody."""
        what = 3 * random.random()
        return {} if what < 1 else moving.by_chance(random, what, alone=2)

    rules = ("tr14.moving.distances", "tr14.moving.cohesion")
    ways = partial(every_move, game, law, moving)
    risks, purposes = partial(gamble, game, law), partial(moves_by_purpose, game, law, moving)
    question = moving.question(
        topic, words, team_name, ways, chance, rules, gamble=risks, purposes=purposes, unit=law.unit.id
    )
    answer = yield Ask(law.unit.side, question)
    steps = moving.steps(answer)
    if moving.by_now_judged(answer):
        # A shift by chance is never on a leader's command.
        law.commanded = {}
    elif steps != law.judged:
        # An answer out of a record: the law must still note on whose command a Team goes beyond its own reach.
        law.refuse(steps)
    return steps


def shifted(game: Battle, law: MoveLaw, teams: Sequence[Team], dx: float, dy: float) -> Steps:
    """A whole Unit, or one Team of it, shifted: each as far as it has room; empty where the law would refuse it."""
    here = board(game)
    face = round(bearing(0.0, 0.0, dx, dy), 1) % 360.0
    marchers, heavy = law.march(here)
    if len(teams) < len(law.members):
        marchers = marchers.alone(next(n for n, (_, team) in enumerate(law.members) if team is teams[0]))
    ground = here.ground
    enemies = here.side(other(law.unit.side)).rows
    ends, verdict = marches.march(here.rows, marchers, face, dx, dy, enemies, ground.width, ground.depth, SLACK)
    if verdict == marches.WRONG:
        return {}
    steps = {}
    for team, (x, y) in zip(teams, ends, strict=True):
        if team.at != (x, y):
            turns = team.kind.type != "infantry"
            steps[team.id] = Step((x, y), face if turns else None, face if team.turret is not None else None)
    if not steps:
        return {}
    if verdict == marches.WELL and guns_go_round(here, law, heavy, steps):
        fine = marchers.leader >= 0 or law.keeps_away(here, steps)
    else:
        fine = law.refuse(steps) is None
    return steps if fine else {}


def guns_go_round(here: Board, law: MoveLaw, heavy: list[int], steps: dict[str, Step]) -> bool:
    """Whether no heavy gun comes near to Very Difficult Terrain on its straight way."""
    table = here.ground.table
    if not heavy or not len(table.very_difficult):
        return True
    teams = [law.members[number][1] for number in heavy]
    ways = [(team.at, steps[team.id].to) for team in teams if team.id in steps and team.at is not None]
    if not ways:
        return True
    return not any(moves.ways_crossed(here.ground.terrain, table.very_difficult, moves.together(ways)))


def every_move(game: Battle, law: MoveLaw, moving: Moving[Team]) -> Iterator[Steps]:
    """The usual move first; then towards objectives, the nearest enemies and cover, and round the compass."""
    yield usual_move(game, law, moving)
    teams, ground = moving.pieces, board(game).ground
    goals = [objective.at for objective in game.state.objectives.values()]
    goals += nearest(teams, enemy_spots(game, law), 2)
    yield from moving.usual([*goals, *nearest(teams, middles(ground.terrain, ground.table.cover != OPEN), 3)])


def moves_by_purpose(game: Battle, law: MoveLaw, moving: Moving[Team]) -> Iterator[tuple[str, Steps]]:
    """Moves of every kind with what each is for, for programs that look at many."""
    usual = usual_move(game, law, moving)
    if usual:
        yield "goes for an objective", usual
    if teams := moving.able():
        ground = board(game).ground
        goals = by_nearness(teams, [(each.at, each.name or name) for name, each in game.state.objectives.items()])
        cover = nearest(teams, middles(ground.terrain, ground.table.cover != OPEN), NEAR_COVER)
        yield from moving.by_purpose(teams, goals, cover, nearest(teams, enemy_spots(game, law), 1))


def enemy_spots(game: Battle, law: MoveLaw) -> list[tuple[float, float] | None]:
    return [team.at for unit, team in all_teams(game.state) if unit.side != law.unit.side]


def usual_move(game: Battle, law: MoveLaw, moving: Moving[Team]) -> Steps:
    """What a player wants who only says yes: the whole Unit, together, to the nearest objective that it does not hold.

    After an assault it goes for the nearest enemy instead. Nobody goes where somebody would be left behind, where a
    tank would have to roll for the ground, or where a leader, commander or observer would go alone: the Observer of a
    battery stays where he sees.
    """
    teams = moving.pieces
    if law.unit.apart or (len(teams) == 1 and teams[0].kind.type != "tank"):
        return {}
    objectives = game.state.objectives.values()
    goals = [each.at for each in objectives if each.holder != law.unit.side] if law.cohesion else enemy_spots(game, law)
    own = {team.id for unit, team in law.members if unit is law.unit}
    for steps in moving.as_one(nearest(teams, goals, NEAREST), (1.0, 0.5)):
        theirs = {name: step for name, step in steps.items() if name in own}
        rolling = any(rolls_due(game, team, way_of(team, theirs[team.id])) for team in teams if team.id in theirs)
        if not rolling and (len(theirs) == len(steps) or law.refuse(theirs) is None):
            return theirs
    return {}
