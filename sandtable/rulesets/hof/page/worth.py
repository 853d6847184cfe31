"""What a position is worth, for bots that look ahead. No rules, but what decides battles by them.

Weights are chosen by play (docs/bots.md tells how). It is counted in an imagined game: what a seat does not know is
there as the seat imagines it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from sandtable.engine.worth import Term, Worth
from sandtable.field.reckoning import decided
from sandtable.rulesets.hof.activation import all_in_sight
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.battle import objectives
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.ground import Mask
from sandtable.rulesets.hof.core.state import (
    NEAR_OBJECTIVE,
    SIDES,
    Mission,
    Point,
    State,
    Team,
    Unit,
    counts_for_strength,
    other,
    strength,
)
from sandtable.rulesets.hof.morale import verdict_on
from sandtable.rulesets.hof.terrain import concealment
from sandtable.table.shapes import Floats

TERMS = {
    "battle": Term(0.025, "the battle won"),
    "teams": Term(1.0, "more Teams left"),
    "leaders": Term(1.5, "its Leaders unhurt"),
    "units": Term(1.5, "its Units above half strength"),
    "breaking": Term(1.0, "its Units farther from breaking", passing=True),
    "break": Term(0.5, "fewer Break Points"),
    "rout": Term(5.0, "farther from rout"),
    "to come": Term(0.35, "fewer Break Points to come"),
    "held": Term(1.0, "objectives held"),
    "near": Term(0.03, "nearer to objectives", passing=True),
    "command": Term(0.15, "more Teams in their Leader's sight", passing=True),
    "reserves": Term(0.8, "fewer Teams in reserve"),
    "heroes": Term(0.2, "Hero Points kept"),
    "orders": Term(0.05, "Order Points kept", passing=True),
    "missions": Term(1.0, "artillery called for", passing=True),
    "danger": Term(0.3, "less exposed to fire", passing=True),
    "fire": Term(0.4, "more in its line of fire", passing=True),
}

UNDER_WAY = ("start", "orders", "gap", "reinforce", "over")
FAR, LURKING = 40.0, 20.0
A_ROLL = 5 / 3
"""What a roll for Break Points brings on average."""

AHEAD = 6
"""For so many rounds objectives are taken to stay with those who have them."""

BRINK = 3.0
"""How many Break Points a force must be from rout to feel safe."""

IN_A_FOXHOLE = 0.5
"""What a hit costs a Team that is dug in, beside one in the open."""

DUG_IN = 1.1
"""What a Team in its foxhole is worth beside one in the open: it may not dig another."""

HIT, HIT_DUG_IN = 0.62, 0.72
"""What a Team is still worth with each Received Fire Point: less than its chance to live, for its death brings Break
Points, a Leader under fire gives no Order Die, and who shrinks from the dice never acts again.
"""

LIVES, LIVES_IN_COVER = 4 / 6, 5 / 6
"""How likely it is that one Received Fire Point does not kill."""

MORALE_FAILS = 0.5
AFTERMATH = 2.0
"""What a Unit that must take a Morale Check, or is lost at once, costs in Break Points beside its Teams."""

ROUTED = 20.0
"""What a Morale Check costs a force above its Break Limit: the battle."""

UNSURE = 0.6
UNSURE_WITHIN = 30.0
"""How much of an objective that only Hidden or Small Teams hold is given up with the enemy upon it, and how near he
must be for any of it to be: once its surroundings are watched nobody can appear there.
"""

BY_IT = NEAR_OBJECTIVE + 1.0
"""So near to an objective stands who holds it, from the middle of his base."""

THEIRS = 0.25
"""What one of the enemy's Hero Points counts beside one's own: he spends it where it pays, not where it is drawn."""

DEFENDING = 1.0
"""How much a Defender's way to an objective counts beside an Attacker's."""


def weigh(game: Battle, seat: str) -> dict[str, float]:
    state = game.state
    found = dict.fromkeys(TERMS, 0.0)
    found["battle"] = decided(state.result, seat) or 0.0
    goals = [objective.at for objective in state.objectives.values()]
    # As everybody stands: what the state says of it is brought up to date only when somebody has acted.
    under_way = state.phase in UNDER_WAY
    near_them = objectives.holders(game) if under_way else []
    holders = [holder for _, holder in near_them]
    unsure = sum(
        doubt(state, goal)
        for goal, held in zip(goals, near_them, strict=False)
        if objectives.from_afar(*held) or (held[1] == other(state.attacker) and only_small_teams(state, held[1], goal))
    )
    wanted = [goal for goal, holder in zip(goals, holders, strict=False) if holder != state.attacker]
    for unit in state.units.values():
        sign = 1.0 if unit.side == seat else -1.0
        for team in unit.teams.values():
            name = "leaders" if team.role in ("pl", "cc") else "teams"
            found[name] += sign * team_worth(team)
            if goals and goes_for_objectives(team):
                attacks = unit.side == state.attacker
                open_goals = wanted if attacks and wanted else goals
                found["near"] -= sign * (1.0 if attacks else DEFENDING) * far_from(state, unit, team, open_goals)
        found["units"] += sign * unit_worth(unit)
        found["command"] -= sign * out_of_command(game, unit)
        found["breaking"] -= sign * about_to_break(state, unit)
    for side, company in state.companies.items():
        sign = 1.0 if side == seat else -1.0
        found["break"] -= sign * company.break_points
        found["rout"] -= sign * math.exp(-max(company.break_limit + 1 - company.break_points, 0) / BRINK)
        found["held"] += sign * (holders.count(side) - (unsure if side != state.attacker else 0.0))
        found["heroes"] += company.heroes if side == seat else -THEIRS * company.heroes
        found["orders"] += sign * company.order_points
        found["to come"] -= sign * to_come(game, side, holders, unsure)
        found["reserves"] -= sign * kept_back(state, side)
    exchange = Exchange(game)
    found["danger"] = -float(exchange.at(seat).sum())
    found["fire"] = float(exchange.at(other(seat)).sum())
    for mission in state.missions:
        sign = 1.0 if mission.side == seat else -1.0
        found["missions"] += sign * called_for(game, exchange, mission)
    if not under_way:
        # Who holds what is not judged then: that is not the same as that nobody holds anything.
        del found["held"], found["to come"]
    return found


LANDS = 0.35
"""How much of what fire could do is to be expected when it has been called for: markers deviate, and targets move."""

PATIENCE = 0.5
"""How much of that is left when the marker has been put back: the shells that fall now are worth more than the next."""

HIDES = 0.45
"""The same for smoke, which need not fall so exactly: whoever it hides does not fire in his next turn."""

VEIL = 4.0
"""How far apart enemies are that one screen of smoke keeps from seeing anybody."""


def called_for(game: Battle, exchange: Exchange, mission: Mission) -> float:
    """What a fire mission could do if it fell now where its observer sees it do most."""
    if not exchange.some or mission.phase == "barrage":
        return 0.0
    enemies = exchange.teams[other(mission.side)]
    seen = exchange.seen_by(mission.observer, mission.side)
    if seen is None or not seen.any():
        return 0.0
    spots = np.array([team.at for team in enemies])
    if mission.smoke:
        reach, loss = VEIL, exchange.at(mission.side)
    else:
        guns = barrages.ready_guns(game, mission)
        if len(guns) < barrages.LEAST_GUNS:
            return 0.0
        reach, number, _ = barrages.weight_of(game, game.state.units[mission.unit], guns, False)
        loss = np.array([barrages.after_armor(team, number, []) * mark_of(team)[WORTH_OF_FIRE] for team in enemies])
    together = np.hypot(*(spots[seen, None] - spots[None]).transpose(2, 0, 1)) <= reach
    hopes = (HIDES if mission.smoke else LANDS) * (PATIENCE if mission.phase == "ranging" else 1.0)
    return hopes * float((together * loss).sum(axis=1).max())


def only_small_teams(state: State, side: str, goal: Point) -> bool:
    """Whether nobody but Leaders, observers and the like hold an objective: they fight for nothing."""
    there = [
        team
        for unit in state.units.values()
        if unit.side == side
        for team in unit.teams.values()
        if team.at is not None and math.dist(team.at, goal) <= BY_IT
    ]
    return bool(there) and all(team.kind.small for team in there)


def doubt(state: State, goal: Point) -> float:
    """How much of an objective that only such Teams hold is given up for lost: the nearer the enemy, the more."""
    teams = (team for unit in state.units.values() if unit.side == state.attacker for team in unit.teams.values())
    gap = min((math.dist(team.at, goal) for team in teams if team.at is not None), default=UNSURE_WITHIN)
    return UNSURE * max(0.0, 1.0 - gap / UNSURE_WITHIN)


def to_come(game: Battle, side: str, holders: list[str], unsure: float) -> float:
    """The Break Points that a side must expect of the next rounds if objectives stay with those who have them."""
    state = game.state
    lost = sum(holder != side for holder in holders)
    if side == state.attacker:
        rolls = float(lost > 0)
    else:
        rolls = lost + unsure + (bool(holders) and objectives.half_invaded(game, side))
    return rolls * A_ROLL * min(AHEAD, game.setup.rounds + 1 - state.round)


def kept_back(state: State, side: str) -> float:
    """What a side's Teams in reserve are worth; once a check has brought in one of their Units, it counts no more."""
    waiting = [
        sum(value_of(team.profile) for team in unit.teams.values() if team.where == "reserve")
        for unit in state.units.values()
        if unit.side == side
    ]
    comes = min((worth for worth in waiting if worth), default=0.0) if state.phase == "reinforce" else 0.0
    return sum(waiting) - comes


def goes_for_objectives(team: Team) -> bool:
    """Whether it matters how near a Team is: not of leaders, of lorries, and of guns that fire from afar."""
    return fights_for_ground(team.profile)


@cache
def fights_for_ground(name: str) -> bool:
    kind = profile(name)
    return not (kind.small or kind.transport or kind.artillery)


def far_from(state: State, unit: Unit, team: Team, goals: list[Point]) -> float:
    """How far a Team is from the nearest objective. Hidden defenders may appear near one, but not for ever."""
    at = team.at
    if team.where == "aboard":
        carrier = unit.teams.get(team.carrier)
        at = None if carrier is None else carrier.at
    if at is not None:
        return min(FAR, *(math.dist(at, goal) for goal in goals))
    return LURKING if team.where == "hidden" and unit.side != state.attacker else FAR


def about_to_break(state: State, unit: Unit) -> float:
    """What a Unit must expect to lose beside those of its Teams who are killed when all under fire roll for it.

    Without this it would seem to lose nothing as long as nobody is activated, and would never act again.
    """
    under_fire = [team for team in unit.teams.values() if team.rfps and counts_for_strength(team)]
    if not under_fire or verdict_if_lost(unit, under_fire) in HOLDS:
        return 0.0
    company = state.companies[unit.side]
    checked = lost = 0.0
    for number, chance in enumerate(how_many_die(under_fire)):
        verdict = verdict_if_lost(unit, under_fire[:number]) if number else "holds"
        checked += chance * (verdict == "half")
        lost += chance * (verdict not in HOLDS and verdict != "half")
    if company.break_points > company.break_limit:
        return (checked + lost) * ROUTED
    at_stake = sum(map(team_worth, unit.teams.values()))
    return (MORALE_FAILS * checked + lost) * at_stake + (checked + lost) * AFTERMATH


HOLDS = ("holds", "riders")


def verdict_if_lost(unit: Unit, teams: list[Team]) -> str:
    """What it would mean for a Unit to lose some of its Teams."""
    return verdict_on(unit, [team for team in unit.teams.values() if team not in teams], True)


def how_many_die(teams: list[Team]) -> list[float]:
    """The chances that of some Teams under fire none is killed, one, two, and so on."""
    chances = [1.0]
    for team in teams:
        lives = (LIVES_IN_COVER if team.dug_in or team.suppressed or team.kind.vehicle else LIVES) ** team.rfps
        chances = [a * lives + b * (1.0 - lives) for a, b in zip([*chances, 0.0], [0.0, *chances], strict=True)]
    return chances


def out_of_command(game: Battle, unit: Unit) -> int:
    """How many Teams of a Unit its Leader would leave behind: each costs a point of its own, or does nothing."""
    men = [team for team in unit.teams.values() if waits_for_orders(team)] if unit.led else []
    leader = unit.leader
    return len(men) - (sum(all_in_sight(game, leader, men)) if men and leader is not None else 0)


def waits_for_orders(team: Team) -> bool:
    """Whether a Team acts when its Leader has it act: guns that fire from afar and lorries seldom do."""
    return team.at is not None and team.role == "" and not (team.kind.transport or team.kind.artillery)


def unit_worth(unit: Unit) -> float:
    """A Unit that stands; less when it is weak, for below half strength it may break."""
    if unit.kind:
        return 0.5
    share = strength(unit) / max(unit.starting, 1)
    return 0.4 if unit.shaken else 1.0 if share > 0.7 else 0.8


def team_worth(team: Team) -> float:
    """A Team by what it is, less for fire that it has received and not yet resolved."""
    return worth_of(team.profile, team.role in ("pl", "cc"), team.dug_in, min(team.rfps, 4), team.suppressed)


@cache
def worth_of(name: str, leads: bool, dug_in: bool, hits: int, suppressed: bool) -> float:
    full = 1.0 if leads else value_of(name)
    if dug_in:
        full *= DUG_IN
    full *= (HIT_DUG_IN if dug_in else HIT) ** hits
    return full * (0.7 if suppressed else 1.0)


@cache
def value_of(name: str) -> float:
    kind = profile(name)
    return 0.6 if kind.small else 0.5 if kind.transport else 2.5 if kind.armored else 1.5


# Who can hurt whom.


class Arms(NamedTuple):
    """What a kind of Team fires with: dice at soft targets, how far, and at armor with what AT."""

    soft: float
    soft_range: float
    shots: float
    at: float
    at_range: float


NO_ARMS = Arms(0.0, 0.0, 0.0, -9.0, 0.0)


@cache
def arms(name: str) -> Arms:
    direct = [weapon for weapon in profile(name).weapons if weapon.direct]
    if not direct:
        return NO_ARMS
    main = direct[0]
    at = max((weapon for weapon in direct if weapon.at is not None), key=lambda weapon: weapon.at or 0, default=None)
    soft = main.rof * min(main.fp, 2) + len(direct) - 1
    return Arms(
        float(soft),
        max(weapon.range for weapon in direct),
        0.0 if at is None else float(at.rof),
        -9.0 if at is None else float(at.at or 0),
        0.0 if at is None else at.range,
    )


WORTH_OF_FIRE, ARMORED, ARMOR = range(3)


def mark_of(team: Team) -> tuple[float, float, float]:
    """A Team that may be fired at: what a hit costs it, and its armor."""
    return mark(team.profile, team.role in ("pl", "cc"), team.dug_in)


@cache
def mark(name: str, leads: bool, dug_in: bool) -> tuple[float, float, float]:
    kind = profile(name)
    worth = 0.8 if leads else value_of(name) * 0.4
    if dug_in:
        worth *= IN_A_FOXHOLE
    return worth, float(kind.armored), float(kind.front)


def arms_now(team: Team) -> Arms:
    return NO_ARMS if team.suppressed else arms(team.profile)


class Exchange:
    """What each side's fire could do to the other as everybody stands, on average and at a glance."""

    def __init__(self, game: Battle) -> None:
        here = board(game)
        self.teams: dict[str, list[Team]] = {side: here.side(side).teams for side in SIDES}
        self.some = all(self.teams.values())
        if not self.some:
            return
        red, blue = self.teams["red"], self.teams["blue"]
        self.gaps = here.gaps(red, blue)
        self.seen = here.sees(red, blue)
        self.hidden = {
            "blue": (here.veiled(red, blue) & concealment.CONCEALED) != 0,
            "red": (here.veiled(blue, red) & concealment.CONCEALED) != 0,
        }

    def seen_by(self, name: str, side: str) -> Mask | None:
        """Which enemies a Team of a side sees; None if it is not on the table."""
        number = next((number for number, team in enumerate(self.teams[side]) if team.id == name), None)
        return None if number is None else (self.seen if side == "red" else self.seen.T)[number]

    def at(self, side: str) -> Floats:
        """What the fire of each enemy would cost a side."""
        if not self.some:
            return np.zeros(1)
        gaps, seen = (self.gaps, self.seen) if side == "blue" else (self.gaps.T, self.seen.T)
        guns = np.array([arms_now(team) for team in self.teams[other(side)]])
        marks = np.array([mark_of(team) for team in self.teams[side]])
        armored = marks[:, ARMORED] > 0
        dice = np.where(armored, guns[:, 2:3], guns[:, 0:1])
        reach = np.where(armored, guns[:, 4:5], guns[:, 1:2])
        far = gaps > reach
        chance = (3.0 - far - self.hidden[side]) / 6.0
        through = np.where(armored, np.clip((guns[:, 3:4] - marks[:, ARMOR] + 1.0) / 4.0, 0.0, 1.5), 1.0)
        loss = dice * chance * through * marks[:, WORTH_OF_FIRE] * (seen & (gaps <= 2 * reach))
        # Each fires at one target only: many are worse than one, but not so many times worse.
        each: Floats = (loss**4).sum(axis=1) ** 0.25
        return each


WORTH = Worth(weigh, TERMS)
