"""Battles in which much is fired: batteries with observers, guns, tanks with Riders, snipers, engineers, all near.

`duel(seed)` is a set-up in the midst of such a battle on the ground of `tables`; `warlike(watch)` answers by chance,
but calls for fire, fires rather than moves, and leaves batteries that have a mission alone.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sandtable.engine.questions import Question
from sandtable.rulesets.hof.core.state import Company, Objective, Options, Setup, Table, Team, Unit
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof.stock import make
from sandtable.testing.umpire.hof.table import Point
from sandtable.testing.umpire.hof.tables import NATIONS, SIDES, Crowd, fights_on_foot, of_nation, steered, terrain

WIDTH, DEPTH = 44.0, 44.0
ROUNDS = 4
HOME = {"red": (1.5, 9.0), "blue": (35.0, 42.5)}
FRONT = {"red": (12.0, 21.0), "blue": (23.0, 32.0)}
"""How far up the table the batteries of each side stand, and its other troops."""

FACING = {"red": 0.0, "blue": 180.0}
QUALITIES = ("average", "average", "elite", "poor")


def battery(random: Random, nation: str, name: str) -> dict[str, Team]:
    """Guns or mortars that fire barrages, their Leader and their observer; now and then self-propelled."""
    keys = of_nation(nation, lambda kind: kind.artillery and kind.category in ("gun", "vehicle"))
    key = random.choice(keys)
    teams = {f"{name}-{number}": Team(key) for number in range(random.randint(2, 4))}
    if not make(key).vehicle:
        teams[f"{name}-pl"] = Team("leader", role="pl")
    teams[f"{name}-fo"] = Team("observer", role="fo")
    return teams


def platoon(random: Random, nation: str, name: str) -> dict[str, Team]:
    """Infantry with support weapons, perhaps engineers; or guns; or tanks."""
    what = random.random()
    if what < 0.3:
        key = random.choice(of_nation(nation, lambda kind: kind.vehicle and kind.armor and kind.weapons))
        return {f"{name}-{number}": Team(key) for number in range(random.randint(2, 3))}
    teams = {f"{name}-pl": Team("leader", role="pl")}
    if what < 0.45:
        key = random.choice(of_nation(nation, lambda kind: kind.category == "gun" and kind.weapons[0].direct))
        return teams | {f"{name}-{number}": Team(key) for number in range(random.randint(1, 3)) if "bunker" not in key}
    rifles = of_nation(nation, lambda kind: fights_on_foot(kind) and not kind.small)
    key = random.choice(rifles)
    traits: tuple[Any, ...] = random.choice(((), (), ("engineer",), ("panzerfaust",)))
    teams |= {f"{name}-{number}": Team(key, traits=traits) for number in range(random.randint(3, 5))}
    support = of_nation(nation, lambda kind: (kind.small and bool(kind.weapons)) or kind.portable)
    teams |= {
        f"{name}-s{number}": Team(random.choice([*support, "flame-team"])) for number in range(random.randint(0, 2))
    }
    return teams


def riders(random: Random, nation: str, tanks: dict[str, Team]) -> dict[str, Team]:
    key = random.choice(of_nation(nation, lambda kind: fights_on_foot(kind) and not kind.small))
    return {f"{tank}-r": Team(key, role="rider", where="aboard", carrier=tank) for tank in tanks}


def muster(random: Random, options: Options, nation: Any, side: Any) -> dict[str, Unit]:
    """The Units of a side, without places."""
    found: dict[str, Unit] = {}

    def add(name: str, teams: dict[str, Team], **more: Any) -> None:
        quality: Any = random.choice(QUALITIES)
        found[f"{side}-{name}"] = Unit(side, teams, nation=nation, quality=quality, **more)

    add("battery", battery(random, nation, f"{side}b"))
    for number in range(random.randint(2, 3)):
        teams = platoon(random, nation, f"{side}{number}")
        add(f"platoon-{number}", teams)
        if options.riders and all(make(team.profile).vehicle for team in teams.values()) and random.random() < 0.7:
            add(f"riders-{number}", riders(random, nation, teams), kind="riders", tanks=f"{side}-platoon-{number}")
    if options.snipers:
        add("sniper", {f"{side}-s": Team("sniper", role="sniper")}, kind="sniper")
    if options.fortifications:
        add("bunker", {f"{side}-k": Team(random.choice(("bunker-mg", "bunker-gun")), role="bunker")}, kind="bunker")
    if options.commander:
        add("cc", {f"{side}-cc": Team("commander", role="cc")}, kind="cc")
    return found


class Ranks(Crowd):
    """Bases that lie where they are told to."""

    spot: Point = (0.0, 0.0)

    def interesting(self, side: str, team: Team) -> Point:
        return self.spot


def place(random: Random, here: Ranks, side: str, team: Team, rows: tuple[float, float], beside: Point | None) -> bool:
    """Somewhere in some rows of the table, sooner near others of its Unit."""
    for number in range(12):
        x, y = random.uniform(2, WIDTH - 2), random.uniform(*rows)
        if beside is not None and number < 9:
            x, y = beside[0] + random.uniform(-3.5, 3.5), beside[1] + random.uniform(-3, 3)
        here.spot = (round(x, 2), round(y, 2))
        if here.place(side, team):
            return True
    return False


def arrange(random: Random, setup: Setup) -> None:
    here = Ranks(random, setup)
    for name, unit in list(setup.units.items()):
        if unit.kind == "riders":
            continue
        last: Point | None = None
        for key, team in list(unit.teams.items()):
            team.facing = FACING[unit.side] + random.choice((0.0, 0.0, 20.0, -35.0))
            far = "battery" in name and team.role != "fo"
            rows = HOME[unit.side] if far else FRONT[unit.side]
            if not place(random, here, unit.side, team, rows, None if team.role == "fo" else last):
                del unit.teams[key]
                continue
            last = team.at
            if random.random() < 0.15 and not make(team.profile).vehicle and unit.kind != "bunker":
                team.suppressed = True
            if random.random() < 0.2:
                team.rfps = random.randint(1, 2)
                team.exposed = random.random() < 0.5
            team.dug_in = team.role == "" and not make(team.profile).vehicle and random.random() < 0.15
        if not unit.teams:
            del setup.units[name]
    for name, unit in list(setup.units.items()):
        if unit.kind == "riders":
            tanks = setup.units.get(unit.tanks)
            unit.teams = {
                key: team for key, team in unit.teams.items() if tanks is not None and team.carrier in tanks.teams
            }
            if not unit.teams:
                del setup.units[name]


def duel(seed: int) -> Setup:
    """A battle under way, by chance; the same for the same seed."""
    random = Random(f"duel {seed}")
    share = random.choice((0.0, 0.5, 1.0))
    fixed = ("gun_or_mgs", "follow_the_leader", "bombardment", "hidden_break_points")
    chosen = {name: random.random() < share for name in Options.__struct_fields__ if name not in fixed}
    options = Options(**chosen, gun_or_mgs=random.random() < 0.7)
    nations: dict[str, Any] = {side: random.choice(NATIONS) for side in SIDES}
    units: dict[str, Unit] = {}
    for side in SIDES:
        units |= muster(random, options, nations[side], side)
    setup = Setup(table=Table(WIDTH, DEPTH), units=units, options=options, terrain=terrain(random, WIDTH, DEPTH))
    setup.phase, setup.rounds = "orders", ROUNDS
    arrange(random, setup)
    for side in SIDES:
        points = random.randint(3, 7) if side == setup.active else 0
        setup.companies[side] = Company(
            nation=nations[side], order_points=points, hero_points=random.randint(1, 6), turns=2, break_limit=200
        )
    setup.objectives["o1"] = Objective((22.0, 22.0), "Objective")
    return setup


# Answers that make something happen.


def warlike(watch: Watch) -> Callable[[Question, Random], Any]:
    """Answers by chance, with a liking for fire; `watch` follows the same game."""
    otherwise = steered(watch)

    def choose(question: Question, random: Random) -> Any:
        topic = question.topic
        if topic in ("activate", "react"):
            return whom(watch, question, random)
        if topic == "ffe":
            return "fire" if random.random() < 0.7 else "wait"
        if topic == "sustain":
            return "roll"
        if topic == "orders":
            offers = [question.sample(random) for _ in range(3)]
            return max(offers, key=loud) if random.random() < 0.6 else offers[0]
        return otherwise(question, random)

    return choose


def loud(orders: dict[str, str]) -> int:
    """How much comes of some orders beside moves."""
    return sum(not order.startswith("move") for order in orders.values())


def whom(watch: Watch, question: Question, random: Random) -> Any:
    """A battery if it may be called; else somebody who has no mission."""
    listed = question.answers() or []
    calls = [answer for answer in listed if str(answer).startswith("call:")]
    if calls and random.random() < 0.8:
        return random.choice(calls)
    busy = {name for mission in watch.state.missions for name in (*mission.guns, mission.observer)}
    busy |= {
        team.id
        for mission in watch.state.missions
        if mission.unit in watch.state.units
        for team in watch.state.units[mission.unit].teams.values()
    }
    answer = question.sample(random)
    for _ in range(4):
        if answer not in busy and (answer not in ("end", "pass") or random.random() < 0.3):
            break
        answer = question.sample(random)
    return answer if answer not in busy or random.random() < 0.2 else ("end" if "end" in listed else answer)
