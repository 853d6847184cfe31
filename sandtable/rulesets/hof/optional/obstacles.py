"""Obstacles: anti-tank obstacles, minefields and wire; who may cross them, what they do, and how they are cleared."""

from __future__ import annotations

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Refusal, illegal
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.core.board import Battle, board, ground_changed, place
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import PAGE, team_label
from sandtable.rulesets.hof.core.nearby import in_hard_cover
from sandtable.rulesets.hof.core.state import Team, Unit
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.moving import Course, Hazard, leave_place
from sandtable.rulesets.hof.rfp_rally import rfp
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table.hairs import beyond, within
from sandtable.table.shapes import face

NEEDED = {"at-obstacle": 5, "minefield": 3, "wire": 1}
"""Clearing Points that remove an obstacle."""

CLEARING = PAGE.names["clearing"]
"""The rule by which each is cleared."""


def on_foot(team: Team) -> bool:
    """Infantry and Man-Portable Guns."""
    return team.kind.mobility in ("foot", "man-portable")


def bars(team: Team, obstacle: str) -> str:
    """The rule that keeps a Team from crossing an obstacle; empty if none does."""
    if obstacle == "at-obstacle" and not on_foot(team):
        return "hof.optional.at-obstacle-cross"
    if obstacle == "wire" and not on_foot(team) and team.kind.mobility != "tracked":
        return "hof.optional.wire-vehicles"
    return ""


def refuse(game: Battle, act: Activation, team: Team, feature: int) -> Refusal | None:
    """Why a Team cannot cross an obstacle."""
    ground = board(game).ground
    kind = ground.table.kinds[feature]
    if not kind.obstacle or not (rule := bars(team, kind.obstacle)):
        return None
    message = f"{team_label(act.unit, team)} cannot cross {ground.terrain.features[feature].kind}."
    return illegal(rule, message, field=team.id, legal="It must go round it.")


# On the way.


def on_the_way(game: Battle, course: Course) -> list[Hazard]:
    """Which mines and wire a Team comes to, and after how many inches. Mines wait for whoever ends beside them, too."""
    here = board(game)
    ground = here.ground
    if not ground.table.any_obstacle or not game.setup.options.obstacles:
        return []
    row = here.rows[here.index[course.team.id]].copy()
    kinds = ground.table.kinds
    near = ground.terrain.gaps(row)[0].tolist()
    base = course.team.kind.base
    # A base that turns comes nearer by no more than its own size.
    reach = course.length + TOUCH + base.width + base.depth
    if all(near[number] > reach for number in ground.table.numbers(ground.table.obstacle).tolist()):
        return []
    over = ground.terrain.overlapping(row)[0]
    found: list[Hazard] = []
    for crossing in terrain_crossing.crossings(ground, course.path, "obstacle"):
        if kinds[crossing.feature].obstacle == "wire" and not crossing.started:
            found.append(Hazard(course.halt(here, crossing), "wire", crossing.feature, wire))
    for number, kind in enumerate(kinds):
        if kind.obstacle != "minefield" or over[number] or near[number] > reach:
            continue
        if within(near[number], TOUCH):
            # It stands at the edge already: only going in sets the mines off.
            crossed = terrain_crossing.crossings(ground, course.path, "obstacle")
            entering = [each for each in crossed if each.feature == number]
            at = 0.0 if entering and entering[0].enter < course.length else None
        else:
            face(row, course.faces())
            at = terrain_crossing.first_touch(ground, row, course.path, course.length, number)
        if at is not None:
            found.append(Hazard(at, "minefield", number, mines, at_end=True))
    return found


def mines(game: Battle, course: Course, name: str, at: float, losses: Losses) -> Flow[bool]:
    """hof.optional.mines-trigger: one RFP at once; only a Ready Team goes on."""
    unit, team = course.unit, course.team
    if "engineer" in team.traits and ends_at_edge(game, course, board(game).ground.terrain.index[name]):
        text = f"{team_label(unit, team)} stops at the edge of the minefield."
        game.tell("mines-edge", text, "hof.optional.mines-engineers", seat=unit.side, team=team.id, obstacle=name)
        return False
    before, facing = team.at, team.facing
    assert before is not None
    text = f"{team_label(unit, team)} comes into the minefield."
    told = ["hof.optional.mines-trigger", "hof.battle.dug-in"] if team.dug_in else ["hof.optional.mines-trigger"]
    game.tell("mines", text, *told, seat=unit.side, team=team.id, obstacle=name)
    place(game, team, *course.at(at), course.faces(at))
    leave_place(team)
    hard = in_hard_cover(game, team)
    rules = ("hof.optional.mines-trigger",)
    fate = yield from rfp.resolve(game, unit, team, 1, losses, hard=hard, rules=rules, why="a mine")
    if not alive(unit, team):
        return True
    place(game, team, *before, facing)
    return fate != "ready" or team.suppressed


def ends_at_edge(game: Battle, course: Course, number: int) -> bool:
    """hof.optional.mines-engineers: whether a move ends touching a minefield without going into it."""
    here = board(game)
    end = course.row(here)
    terrain = here.ground.terrain
    if terrain.overlapping(end)[0, number] or beyond(terrain.gaps(end)[0, number], TOUCH):
        return False
    crossed = terrain_crossing.crossings(here.ground, course.path, "obstacle")
    return not any(each.feature == number and each.enter < course.length for each in crossed)


def wire(game: Battle, course: Course, name: str, at: float, losses: Losses) -> Flow[bool]:
    """hof.optional.wire-cross, hof.optional.wire-vehicles"""
    unit, team = course.unit, course.team
    if not on_foot(team):
        text = f"{team_label(unit, team)} drives over the wire and flattens it."
        game.tell("wire", text, "hof.optional.wire-vehicles", seat=unit.side, team=team.id, obstacle=name, removed=True)
        remove(game, name)
        return False
    result = yield from check(game, unit, f"{team_label(unit, team)}'s Check to cross wire")
    fate = "gets through" if result.passed else "stops there"
    text = f"{team_label(unit, team)} needs {result.needed}+ to cross the wire, rolls {result.throw.value} and {fate}."
    result.tell(game, "wire", text, "hof.optional.wire-cross", team=team.id, obstacle=name)
    return not result.passed


def remove(game: Battle, name: str) -> None:
    state = game.state
    state.cleared = [*state.cleared, name]
    state.clearing.pop(name, None)
    ground_changed(game)


# Clearing.


def clearable(game: Battle, team: Team) -> list[str]:
    """The obstacles in base contact with a Team that it may work on."""
    here = board(game)
    ground = here.ground
    if not ground.table.any_obstacle or team.at is None or team.id not in here.index:
        return []
    gaps = ground.terrain.gaps(here.of([team]))[0]
    # hof.optional.mines-clear: other Teams cannot clear mines.
    able = {"at-obstacle", "wire", *(("minefield",) if "engineer" in team.traits else ())}
    near = [number for number, kind in enumerate(ground.table.kinds) if kind.obstacle in able]
    return [ground.terrain.features[number].id for number in near if within(gaps[number], TOUCH)]


def options(game: Battle, act: Activation, team: Team) -> list[Option]:
    """Clearing is the order of a Team that starts its activation in contact with an obstacle."""
    if team.bogged or team.role in ("rider", "bunker") or not clearable(game, team):
        return []
    return [Option("clear", "Clear an obstacle", tuple(CLEARING.values()))]


def proposable(game: Battle, act: Activation, team: Team) -> tuple[str, ...]:
    return ("clear",) if not team.bogged and board(game).ground.table.any_obstacle else ()


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    """Which obstacle, if there are several."""
    names = list(dict.fromkeys(name for _, team in order.members for name in clearable(game, team)))
    if names:
        kinds = {name: kind_of(game, name) for name in names}
        rules = tuple(dict.fromkeys(CLEARING[kind] for kind in kinds.values()))
        things = {name: name for name in names}
        choices = Choices(things, lambda name: Option(name, f"The {kinds[name]}", (CLEARING[kinds[name]],)))
        order.target = yield from choose_one(act.side, "clear", "Which obstacle do they clear?", choices, rules=rules)


def kind_of(game: Battle, name: str) -> str:
    ground = board(game).ground
    return ground.table.kinds[ground.terrain.index[name]].obstacle


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """Clearing Checks, Team by Team; those who are not at the named obstacle clear the one they are at."""
    for unit, team in list(order.members):
        act.acted.add(team.id)
        names = clearable(game, team) if alive(unit, team) else []
        if names:
            yield from clear(game, unit, team, order.target if order.target in names else names[0])


def clear(game: Battle, unit: Unit, team: Team, name: str) -> Flow[None]:
    """A Clearing Check: who is no Engineer rolls a success again."""
    kind = kind_of(game, name)
    engineer = "engineer" in team.traits
    rule = CLEARING[kind]
    why, again = f"{team_label(unit, team)}'s Clearing Check", "" if engineer else rule
    result = yield from check(game, unit, why, again_if_passed=again)
    state = game.state
    if result.passed:
        state.clearing = {**state.clearing, name: state.clearing.get(name, 0) + 1}
    points = state.clearing.get(name, 0)
    removed = points >= NEEDED[kind]
    outcome = "the way is clear" if removed else f"{points} of {several(NEEDED[kind], 'Clearing Point')}"
    text = f"{team_label(unit, team)} works on the {kind}, rolls {result.throw.value}: {outcome}."
    rules = [rule, *result.rules, *(["hof.optional.engineers-clear"] if engineer else [])]
    result.tell(game, "clearing", text, *rules, removed=removed, points=points, team=team.id, obstacle=name)
    if removed:
        remove(game, name)
