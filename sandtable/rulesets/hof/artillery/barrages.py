"""Barrages and smoke: where they range in, how they deviate, and what they do where they fall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from sandtable.engine.dice import Throw
from sandtable.engine.events import Event, falls, several
from sandtable.engine.game import Flow, decide
from sandtable.engine.questions import Choose, ChoosePoint, Option, Refusal, illegal, options_of, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import Cluster, chance_near, everywhere, first_good, lattice, off_table, point_rows
from sandtable.rulesets.hof.core.board import Battle, board, ground_changed, sees_rows
from sandtable.rulesets.hof.core.ground import SMOKE_RADIUS, Mask, Rows
from sandtable.rulesets.hof.core.labels import full_label, label
from sandtable.rulesets.hof.core.nearby import within
from sandtable.rulesets.hof.core.state import (
    BARRAGE_RADIUS,
    HERO_DIE,
    SHELLS,
    Member,
    Mission,
    Point,
    Smoke,
    Team,
    Unit,
)
from sandtable.rulesets.hof.firing import ARC, all_round, give_rfps
from sandtable.rulesets.hof.orders import spend_hero_point
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y, heading, snap

LEAST_GUNS = 2
"""hof.artillery.who-may-barrage"""

MOST_EXTRA = 2
"""hof.artillery.radius"""

APART = 16.0
"""hof.artillery.range-in"""

DEVIATION_SIDES = 10
DIRECTIONS = 360
DIRECT_HIT = 8
"""hof.artillery.mortar-direct-hit"""

RFPS = {"light": 1, "medium": 2, "heavy": 3}
"""hof.artillery.barrage-rfps"""

MOST_ARMOR = 2
"""hof.artillery.vehicle-reduction"""

SATURATION = "hof.national.su-artillery-saturation"
SATURATED_RADIUS = 2.0


LATTICE = 12


# Guns.


def guns_of(unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if team.kind.artillery]


def in_place(team: Team) -> bool:
    """Whether a gun stands where it can fire: on the table and not limbered, or off the table and in contact."""
    return team.at is not None or team.where == "off-board"


def guns_left(game: Battle, mission: Mission) -> list[Team]:
    """The guns of a mission that are not lost."""
    unit = game.state.units.get(mission.unit)
    return [] if unit is None else [unit.teams[name] for name in mission.guns if name in unit.teams]


def ready_guns(game: Battle, mission: Mission) -> list[Team]:
    """Those of them that can fire now."""
    return [gun for gun in guns_left(game, mission) if in_place(gun) and not gun.suppressed]


def mortars_fire(guns: Sequence[Team]) -> bool:
    """Whether a barrage is fired by mortars alone."""
    return all(gun.kind.mortar for gun in guns)


def mortars_on_table(guns: Sequence[Team]) -> bool:
    return mortars_fire(guns) and all(gun.at is not None for gun in guns)


def radius_of(guns: Sequence[Team]) -> float:
    """hof.artillery.radius"""
    return BARRAGE_RADIUS + min(len(guns) - LEAST_GUNS, MOST_EXTRA)


def rfps_of(game: Battle, unit: Unit, guns: Sequence[Team]) -> tuple[int, list[str]]:
    """What a barrage gives every Team in it, and the rules that say so. The heaviest gun counts."""
    number = max(RFPS[gun.kind.artillery] for gun in guns)
    if game.setup.options.national and unit.nation == "us" and number > RFPS["light"]:
        return number + 1, ["hof.artillery.barrage-rfps", "hof.national.us-time-on-target"]
    return number, ["hof.artillery.barrage-rfps"]


def tell(
    game: Battle,
    unit: Unit,
    kind: str,
    words: str,
    *rules: str,
    dice: Sequence[Throw] = (),
    unseen: str = "",
    **data: Any,
) -> None:
    """Something that a battery does. Which battery it is the enemy learns only if he can see it.

    `unseen` says it without its guns, if the words name them.
    """
    text = f"{label(unit)} {words}"
    event = Event(kind, text, list(dict.fromkeys(rules)), unit.side, list(dice), [], {"unit": unit.id, **data})
    guns = guns_of(unit)
    if guns and all(gun.at is None for gun in guns):
        open_data = {key: value for key, value in data.items() if key not in ("guns", "without")}
        hidden = f"A battery out of sight {unseen or words}"
        event.only = [unit.side]
        event.others = Event(kind, hidden, event.rules, unit.side, event.dice, [], open_data)
    game.tell_event(event)


# Where a barrage may be ranged in.


def bearing(game: Battle, guns: Sequence[Team], points: Rows) -> tuple[Mask, Mask]:
    """Which guns have which points in their arc, and which are far enough away from them (n, k)."""
    arc: Mask = np.ones((len(guns), len(points)), dtype=np.bool_)
    far = arc.copy()
    placed = [number for number, gun in enumerate(guns) if gun.at is not None]
    if placed:
        rows = board(game).of([guns[number] for number in placed])
        facings = np.array([np.nan if all_round(guns[number]) else guns[number].facing for number in placed])
        arc[placed] = measure.arcs(rows, facings, ARC, point_rows(points))
        far[placed] = ~measure.nearer(measure.to_points(rows, points), APART)
    return arc, far


def bearing_guns(game: Battle, guns: Sequence[Team], point: Point) -> list[Team]:
    """The guns that can take part in a barrage there."""
    arc, far = bearing(game, guns, np.array([point]))
    return [gun for gun, able in zip(guns, (arc & far)[:, 0].tolist(), strict=True) if able]


def in_view(game: Battle, eyes: Sequence[Team], points: Rows) -> Mask:
    """Which points some observer sees (k,)."""
    here = board(game)
    seen: Mask = np.any(sees_rows(here.ground, here.where(eyes), here.ground.raised(point_rows(points))), axis=0)
    return seen


def refuse_point(game: Battle, guns: Sequence[Team], eyes: Sequence[Team], x: float, y: float) -> Refusal | None:
    if off := off_table(game.setup.table, x, y, "range-in"):
        return off
    points = np.array([[x, y]])
    if not in_view(game, eyes, points)[0]:
        legal = "Choose a point that the observer sees."
        return illegal("hof.artillery.observer-needed", "nobody observes that point.", field="range-in", legal=legal)
    arc, far = bearing(game, guns, points)
    if arc.sum() < LEAST_GUNS:
        legal = "Choose a point in the forward arc of two guns."
        return illegal("hof.artillery.arc", "fewer than two guns can bear on it.", field="range-in", legal=legal)
    if (arc & far).sum() < LEAST_GUNS:
        legal = f"Keep {APART:g} inches from the firing Teams."
        return illegal("hof.artillery.range-in", "too near to the guns.", field="range-in", legal=legal)
    return None


def range_points(game: Battle, side: str, guns: Sequence[Team], eyes: Sequence[Team]) -> list[Point]:
    """Where a barrage may be ranged in: on enemies in view; without any, on the ground in view, wherever that is."""
    here = board(game)
    enemies = here.enemy_rows(side)[:, (X, Y)]

    def good(points: Rows) -> Rows:
        arc, far = bearing(game, guns, points)
        points = points[(arc & far).sum(axis=0) >= LEAST_GUNS]
        return points[in_view(game, eyes, points)] if len(points) else points

    return first_good(chain([enemies, lattice(here.ground, LATTICE)], everywhere(here.ground)), good)


def ask_point(
    game: Battle,
    mission: Mission,
    guns: Sequence[Team],
    eyes: Sequence[Team],
    points: list[Point],
    *rules: str,
    deviates: bool = True,
) -> Flow[Point]:
    """hof.artillery.range-in: the player places the marker, which then deviates, or does not."""

    legal = partial(refuse_point, game, guns, eyes)
    question = ChoosePoint(
        "range-in",
        "Where is the smoke ranged in?" if mission.smoke else "Where is the barrage ranged in?",
        legal,
        lambda most: points[:most],
        chance=chance_near(points, 3.0, legal),
        rules=rules,
        facts={"unit": mission.unit, "smoke": mission.smoke},
        step="where",
        about=(mission, guns, deviates),
    )
    x, y = yield Ask(mission.side, question)
    return x, y


def place_marker(game: Battle, mission: Mission, eyes: Sequence[Team]) -> Flow[bool]:
    """Place the Range In marker; the guns that bear on it take part. False if there is nowhere to place it."""
    guns = ready_guns(game, mission)
    points = range_points(game, mission.side, guns, eyes)
    if not points:
        return False
    rules = ["hof.artillery.range-in", "hof.artillery.observer-needed", "hof.artillery.arc"]
    mission.point = yield from ask_point(game, mission, guns, eyes, points, *rules)
    guns = bearing_guns(game, guns, mission.point)
    mission.guns = [gun.id for gun in guns]
    if beyond_range(game, guns, mission.point):
        rules.append("hof.artillery.no-range-limit")
    unit = game.state.units[mission.unit]
    words = f"ranges in at {mission.point[0]:g}, {mission.point[1]:g}."
    data: dict[str, Any] = {"at": list(mission.point), "observer": mission.observer, "guns": mission.guns}
    tell(game, unit, "range-in", words, *rules, **data)
    return True


def beyond_range(game: Battle, guns: Sequence[Team], point: Point) -> bool:
    placed = [gun for gun in guns if gun.at is not None]
    if len(placed) < len(guns):
        return True
    reaches = np.array([gun.kind.weapons[0].range for gun in placed])
    return bool(measure.beyond(measure.to_points(board(game).of(placed), np.array([point]))[:, 0], reaches).any())


# Deviation, and the decision to fire.


def deviate(
    game: Battle, side: str, point: Point, *, direct_hits: bool = False, less: int = 0
) -> Flow[tuple[Point, list[Throw], list[str]]]:
    """hof.artillery.deviation: where a marker ends up, the dice, and the rules beside the common one."""
    throw = yield from game.throw(side, 1, "deviation", sides=DEVIATION_SIDES)
    inches = strays(throw.value, direct_hits=direct_hits, less=less)
    if not inches:
        direct = direct_hits and throw.value >= DIRECT_HIT
        return point, [throw], ["hof.artillery.mortar-direct-hit"] if direct else []
    way = yield from game.throw(side, 1, "direction", sides=DIRECTIONS)
    return strayed(point, inches, way.value), [throw, way], []


def strays(value: int, *, direct_hits: bool = False, less: int = 0) -> int:
    """How many inches a marker deviates when the die shows so much."""
    return 0 if direct_hits and value >= DIRECT_HIT else max(0, value - less)


def strayed(point: Point, inches: int, degrees: int) -> Point:
    """Where a marker ends up that deviates so far that way."""
    sin, cos = heading(float(degrees % DIRECTIONS))
    return snap(point[0] + inches * sin), snap(point[1] + inches * cos)


def deviate_and_fire(game: Battle, mission: Mission, *rules: str, at_once: bool = False) -> Flow[None]:
    """Steps 3 and 4 from the marker's point; `at_once`: there is no waiting."""
    assert mission.point is not None
    unit = game.state.units[mission.unit]
    guns = ready_guns(game, mission)
    mission.phase = "ranging"
    saturated = yield from offer_saturation(game, mission)
    at, dice, more = yield from deviate(game, mission.side, mission.point, direct_hits=mortars_on_table(guns))
    moved = (
        f"The marker deviates {several(dice[0].value, 'inch', 'inches')}"
        if len(dice) > 1
        else "The marker stays where it is"
    )
    words = f"fires a ranging shot. {moved}."
    tell(game, unit, "deviation", words, "hof.artillery.deviation", *more, *rules, dice=dice, at=list(at))
    if not at_once and not (yield from ask_fire(game, mission, at, saturated)):
        text = "waits, and the marker goes back."
        tell(game, unit, "wait", text, "hof.artillery.fire-or-wait", at=list(mission.point))
        return
    yield from fire_for_effect(game, mission, at, saturated)


def ask_fire(game: Battle, mission: Mission, at: Point, saturated: bool) -> Flow[bool]:
    fire = Option("fire", f"Fire for effect at {at[0]:g}, {at[1]:g}", ("hof.artillery.fire-or-wait",))
    wait = Option("wait", "Put the marker back and wait", ("hof.artillery.reroll-deviation",))
    near = within(game, at, BARRAGE_RADIUS)
    enemies = sum(unit.side != mission.side for unit, _ in near)
    facts = {"unit": mission.unit, "at": list(at), "enemies": enemies, "friends": len(near) - enemies}
    words = f"The marker lies at {at[0]:g}, {at[1]:g}. Fire for effect?"
    about = (mission, at, saturated)
    return (yield from decide(mission.side, "ffe", words, fire, wait, rules=fire.rules, facts=facts, about=about))


def offer_saturation(game: Battle, mission: Mission) -> Flow[bool]:
    """hof.national.su-artillery-saturation: asked for as long as the open tracker leaves a Hero Point possible."""
    company = game.state.companies[mission.side]
    if mission.smoke or not game.setup.options.national or company.nation != "soviet":
        return False
    if company.hero_spent >= HERO_DIE and not company.commander_point:
        return False
    broke = None if company.heroes else illegal("hof.orders.hero-normal-use", "You have no Hero Points left.")
    more = Option("yes", "Spend a Hero Point: 2 inches and 1 RFP more", (SATURATION,))
    options = options_of((Option("no", "Fire as it is"), None), (more, broke))
    facts = {"unit": mission.unit, "hero_points": company.heroes}
    words = "Saturate the target?"
    question = Choose("saturation", words, options, rules=(SATURATION,), facts=facts, step="detail", veiled=True)
    if (yield Ask(mission.side, question)) == "no":
        return False
    spend_hero_point(game, mission.side, "Artillery Saturation", SATURATION)
    return True


# Fire for effect.


def fire_for_effect(game: Battle, mission: Mission, at: Point, saturated: bool = False, *rules: str) -> Flow[None]:
    """A barrage falls, or smoke is laid; either way it is one of the Unit's fire missions."""
    unit = game.state.units[mission.unit]
    guns = ready_guns(game, mission)
    unit.fired += 1
    if mission.smoke:
        yield from lay_smoke(game, mission, at, len(guns), *rules)
        forget(game, mission)
        return
    mission.phase = "barrage"
    mission.at = at
    mission.radius, mission.rfps, cited = weight_of(game, unit, guns, saturated)
    words = f"fires for effect at {at[0]:g}, {at[1]:g}: {mission.radius:g} inches, {several(mission.rfps, 'RFP')}."
    data: dict[str, Any] = {
        **falls("shells", list(at), radius=mission.radius),
        "rfps": mission.rfps,
        "guns": mission.guns,
        "fired": unit.fired,
    }
    tell(game, unit, "fire-for-effect", words, *rules, *cited, "hof.artillery.fire-missions", **data)
    barrage_rfps(game, mission)


def weight_of(game: Battle, unit: Unit, guns: Sequence[Team], saturated: bool) -> tuple[float, int, list[str]]:
    """How far a barrage reaches, the RFPs that it gives, and the rules that say so."""
    radius = radius_of(guns)
    rfps, cited = rfps_of(game, unit, guns)
    if len(guns) > LEAST_GUNS:
        cited.append("hof.artillery.radius")
    if saturated:
        return radius + SATURATED_RADIUS, rfps + 1, [*cited, SATURATION]
    return radius, rfps, cited


def forget(game: Battle, mission: Mission) -> None:
    game.state.missions = [each for each in game.state.missions if each is not mission]


def barrage_rfps(game: Battle, mission: Mission, members: Sequence[Member] | None = None, *rules: str) -> None:
    """hof.artillery.barrage-rfps: every Team in the barrage, friend or foe; or those of some Teams that are in it."""
    assert mission.at is not None
    inside = within(game, mission.at, mission.radius)
    if members is not None:
        names = {team.id for _, team in members}
        inside = [member for member in inside if member[1].id in names]
    lies = falls("shells", list(mission.at), radius=mission.radius)
    shower(game, mission.side, inside, mission.rfps, "The barrage", "hof.artillery.barrage-rfps", *rules, **lies)


def shower(
    game: Battle, side: str, members: Sequence[Member], number: int, what: str, *rules: str, **where: Any
) -> None:
    """Shells come down on some Teams; what each of them receives is told in one event, with where they fall."""
    if not members:
        return
    cited = list(rules)
    received = {}
    names = []
    for unit, team in members:
        received[team.id] = after_armor(team, number, cited)
        mixed = give_rfps(game, team, received[team.id], across=False)
        cited += [rule for rule in mixed if rule == "hof.terrain.linear-mixed-fire"]
        team.hit_by = [*team.hit_by, SHELLS]
        names.append(f"{received[team.id]} on {full_label(unit, team)}")
    listed = ", ".join(names)
    text = f"{what} falls on {several(len(received), 'Team')}. RFPs: {listed}."
    game.tell("barrage-rfps", text, *dict.fromkeys(cited), seat=side, rfps=received, **where)


def after_armor(team: Team, number: int, cited: list[str]) -> int:
    """hof.artillery.vehicle-reduction, unless the Vehicle is open above."""
    kind = team.kind
    if not kind.vehicle:
        return number
    if "open-topped" in kind.keywords:
        cited.append("hof.artillery.open-topped")
        return number
    cited.append("hof.artillery.vehicle-reduction")
    return max(0, number - min(kind.flank, MOST_ARMOR))


# Smoke.


def lay_smoke(game: Battle, mission: Mission, at: Point, count: int, *rules: str) -> Flow[None]:
    """hof.artillery.smoke-placement: one marker a gun, in a cluster that touches the point."""
    rule = "hof.artillery.smoke-placement"
    cluster = Cluster([f"smoke-{number + 1}" for number in range(count)], at, SMOKE_RADIUS, rule, "the Range In point")
    words = f"Place {several(count, 'smoke marker')}, each touching another and one touching {at[0]:g}, {at[1]:g}."
    answer = yield Ask(mission.side, cluster.question("smoke", words, "Smoke marker", unit=mission.unit, at=list(at)))
    spots = [step.to for step in plain_to_steps(answer).values()]
    game.state.smoke = [*game.state.smoke, *(Smoke(spot, mission.side) for spot in spots)]
    ground_changed(game)
    unit = game.state.units[mission.unit]
    words = f"lays smoke: {several(count, 'marker')}."
    cited = (rule, "hof.artillery.smoke-los", "hof.artillery.fire-missions", *rules)
    down = falls("smoke", [list(spot) for spot in spots], radius=SMOKE_RADIUS)
    tell(game, unit, "smoke", words, *cited, **down, fired=unit.fired)


def clear_smoke(game: Battle, side: str) -> None:
    """hof.artillery.smoke-duration: a side's smoke goes when its next turn begins."""
    left = [each for each in game.state.smoke if each.side != side]
    if len(left) < len(game.state.smoke):
        game.state.smoke = left
        ground_changed(game)
        game.tell("smoke-clears", f"The smoke of {side} clears.", "hof.artillery.smoke-duration", seat=side)
