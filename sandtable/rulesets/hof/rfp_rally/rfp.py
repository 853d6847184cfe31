"""Received Fire Points are resolved: Teams stay Ready, are Suppressed, or are killed by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive, living
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.checks import ROLLED_AGAIN
from sandtable.rulesets.hof.core.labels import mate_option, team_label
from sandtable.rulesets.hof.core.nearby import in_hard_cover
from sandtable.rulesets.hof.core.state import Member, Team, Unit
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.rfp_rally.rally import mark_suppressed

Fate = Literal["ready", "suppressed", "killed"]
FATES: tuple[Fate, Fate, Fate] = ("ready", "suppressed", "killed")
READY, SUPPRESSED, KILLED = range(3)
WORDS = ("Ready", "Suppressed", "Killed")

READY_FROM = 4
KILLED_UP_TO = {True: 1, False: 2}
"""hof.rfp-rally.result-table: in Hard Cover, and not in it."""

COVERS: Moment[Callable[[Battle, Team], list[str]]] = Moment()
"""The rules by which something else than terrain is a Team's cover when it resolves its RFPs."""

MARKS: Moment[Callable[[Battle, Unit, Team, Losses], Flow[None]]] = Moment()
"""What a Team that bears a marker resolves besides its RFPs."""


# Step 3: RFPs.


def received_fire_step(game: Battle, act: Activation, losses: Losses) -> Flow[None]:
    """Every activated Team rolls for its RFPs, and for the sniper that has it in his sights."""
    waiting = [member for member in act.members if (member[1].rfps or member[1].sniped) and alive(*member)]
    while waiting:
        unit, team = yield from next_to_resolve(act, waiting)
        waiting = [member for member in living(waiting) if member[1] is not team]
        if team.rfps:
            yield from resolve_own(game, unit, team, losses)
        if team.sniped and team.id in unit.teams:
            yield from resolve_marks(game, unit, team, losses)


def resolve_marks(game: Battle, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    for mark in MARKS:
        yield from mark(game, unit, team, losses)


def next_to_resolve(act: Activation, waiting: list[Member]) -> Flow[Member]:
    """Whose turn it is to roll: it matters only if a sniper's victim may have his neighbours suppressed."""
    if len(waiting) == 1 or not any(team.sniped for _, team in waiting):
        return waiting[0]
    rules = ("hof.activation.steps-together", "hof.optional.sniper-resolve")
    choices = Choices({member[1].id: member for member in waiting}, lambda member: mate_option(member[1]))
    return (yield from choose_one(act.side, "resolve", "Which Team resolves its fire next?", choices, rules=rules))


def resolve_own(game: Battle, unit: Unit, team: Team, losses: Losses) -> Flow[Fate]:
    """All the RFPs of a Team, in the cover where it is now; they are gone then, whatever the dice show."""
    number, hard = team.rfps, in_hard_cover(game, team)
    team.rfps = 0
    team.exposed = False
    rules = ["hof.rfp-rally.resolve-on-activation", "hof.terrain.cover-at-resolution"]
    if team.dug_in:
        rules.append("hof.battle.dug-in")
    for cover in COVERS:
        rules += cover(game, team)
    return (yield from resolve(game, unit, team, number, losses, hard=hard, rules=rules))


def resolve(
    game: Battle,
    unit: Unit,
    team: Team,
    number: int,
    losses: Losses,
    *,
    hard: bool,
    rules: Sequence[str] = (),
    why: str = "",
) -> Flow[Fate]:
    """Roll so many RFP dice for a Team and do what the worst of them says. `hard`: it is in Hard Cover.

    Returns what the Team is then: one that was Suppressed before stays so, even on Ready.
    """
    row, why_row = row_for(unit, team, hard)
    cited = [*rules, "hof.rfp-rally.result-table", *why_row]
    if number > 1:
        cited.append("hof.rfp-rally.worst-result")
    throw = yield from game.throw(unit.side, number, why or "RFPs")
    again = yield from roll_again(game, unit, team, throw, hard, row)
    results = again.read(throw, row)
    for firm in STAND_FIRM:
        if firm.may(game, unit, team, hard):
            yield from firm.roll(game, throw, results, again)
    worst = max(again.read(throw, row), default=READY)
    cited += again.rules
    if worst > worst_for(team):
        worst = worst_for(team)
        cited.append("hof.optional.bunker-rfps")
    cited += meaning(team, worst)
    where = "in Hard Cover" if row else "without Hard Cover"
    text = f"{team_label(unit, team)} resolves {several(number, 'RFP')} {where}: {WORDS[worst]}."
    game.tell(
        "rfps", text, *dict.fromkeys(cited), seat=unit.side, dice=[throw],
        unit=unit.id, team=team.id, number=number, hard=row, result=FATES[worst],
    )  # fmt: skip
    if worst == KILLED:
        yield from morale.kill(game, unit, team, losses, "rfps", "hof.rfp-rally.killed")
        return "killed"
    if worst == SUPPRESSED:
        mark_suppressed(game, team)
    return "suppressed" if team.suppressed else "ready"


def row_for(unit: Unit, team: Team, hard: bool) -> tuple[bool, list[str]]:
    """Whether a Team reads its dice on the Hard Cover row of the table, and the rules by which it does so anyhow."""
    if team.kind.vehicle:
        more = ["hof.rfp-rally.quality-not-for-vehicles"] if unit.quality != "average" else []
        return True, ["hof.rfp-rally.vehicles-hard-cover", *more]
    if team.suppressed:
        return True, ["hof.rfp-rally.suppressed-hard-cover"]
    return hard, []


def worst_for(team: Team) -> int:
    """hof.optional.bunker-rfps: the worst that RFPs do to a Team."""
    return SUPPRESSED if team.role == "bunker" else KILLED


def meaning(team: Team, worst: int) -> list[str]:
    """The rule that says what a result does to a Team."""
    if worst == KILLED:
        return ["hof.rfp-rally.killed"]
    if team.suppressed:
        return ["hof.rfp-rally.already-suppressed"]
    return ["hof.rfp-rally.suppressed-effects" if worst == SUPPRESSED else "hof.rfp-rally.ready"]


class Again:
    """Which dice of a throw were rolled again for a reason that changes what they mean, and the rules for it."""

    def __init__(self) -> None:
        self.elite: list[int] = []
        self.stubborn = -1
        self.rules: list[str] = []

    def add(self, rule: str) -> None:
        self.rules += [rule, "hof.orders.reroll-once"]

    def read(self, throw: Throw, row: bool) -> list[int]:
        """What each die says on the Hard Cover row, or the other."""
        return [self.die(index, value, row) for index, value in enumerate(throw.values)]

    def die(self, index: int, value: int, row: bool) -> int:
        return reading(value, row, elite=index in self.elite, stubborn=index == self.stubborn)


def reading(value: int, row: bool, *, elite: bool = False, stubborn: bool = False) -> int:
    """What one die says on the Hard Cover row, or the other; `elite`, `stubborn`: it was rolled again as such."""
    if elite:
        return SUPPRESSED if value >= READY_FROM else KILLED
    if value >= READY_FROM:
        return READY
    if stubborn:
        return SUPPRESSED
    return KILLED if deadly(value, row) else SUPPRESSED


def deadly(value: int, row: bool) -> bool:
    """Whether a die as it was first thrown kills."""
    return value <= KILLED_UP_TO[row]


class Firmness(NamedTuple):
    """A rule by which one Suppressed die is rolled again if it is the only one and none kills.

    `may` says which Teams do so, in Hard Cover or not; `roll` does it, given the results so far.
    """

    may: Callable[[Battle, Unit, Team, bool], bool]
    roll: Callable[[Battle, Throw, list[int], Again], Flow[None]]


STAND_FIRM: Moment[Firmness] = Moment()
"""Re-rolls that depend on what all the dice have come to."""


def mends(team: Team, hard: bool) -> bool:
    """hof.rfp-rally.suppressed-in-hard-cover-reroll: whether the first die that kills is rolled again."""
    return team.suppressed and hard and not team.kind.vehicle


def roll_again(game: Battle, unit: Unit, team: Team, throw: Throw, hard: bool, row: bool) -> Flow[Again]:
    """The re-rolls that are not a matter of choice. No die is rolled twice again, so the first rule takes its die.

    Suppressed foot in real Hard Cover: the first die that kills; then Elite foot their other 1s, Poor foot their 6s.
    """
    again = Again()
    if team.kind.vehicle:
        return again
    if mends(team, hard):
        killing = [index for index, value in enumerate(throw.values) if deadly(value, row)]
        if killing:
            yield from game.reroll(throw, killing[:1])
            again.add("hof.rfp-rally.suppressed-in-hard-cover-reroll")
    if unit.quality == "average":
        return again
    face = ROLLED_AGAIN[unit.quality]
    dice = [index for index, value in enumerate(throw.values) if value == face and throw.may_reroll(index)]
    if dice:
        yield from game.reroll(throw, dice)
        again.add("hof.rfp-rally.elite-reroll" if unit.quality == "elite" else "hof.rfp-rally.poor-reroll")
        if unit.quality == "elite":
            again.elite = dice
    return again
