"""Received Fire Points are resolved, Teams are suppressed or killed by them, rally, and fall back out of sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core import checks, riding
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive, living
from sandtable.rulesets.hof.core.board import board, in_hard_cover, standpoint, watched
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, other, team_label
from sandtable.rulesets.hof.morale import morale

Fate = Literal["ready", "suppressed", "killed"]
FATES: tuple[Fate, Fate, Fate] = ("ready", "suppressed", "killed")
READY, SUPPRESSED, KILLED = range(3)
WORDS = ("Ready", "Suppressed", "Killed")

READY_FROM = 4
KILLED_UP_TO = {True: 1, False: 2}
"""hof.rfp-rally.result-table: in Hard Cover, and not in it."""

COVERS: Moment[Callable[[Game[State], Team], list[str]]] = Moment()
"""The rules by which something else than terrain is a Team's cover when it resolves its RFPs."""

MARKS: Moment[Callable[[Game[State], Unit, Team, Losses], Flow[None]]] = Moment()
"""What a Team that bears a marker resolves besides its RFPs."""


# Step 3: RFPs.


def received_fire_step(game: Game[State], act: Activation, losses: Losses) -> Flow[None]:
    """Every activated Team rolls for its RFPs, and for the sniper that has it in his sights."""
    waiting = [member for member in act.members if (member[1].rfps or member[1].sniped) and alive(*member)]
    while waiting:
        unit, team = yield from next_to_resolve(game, act, waiting)
        waiting = [member for member in living(waiting) if member[1] is not team]
        if team.rfps:
            yield from resolve_own(game, unit, team, losses)
        if team.sniped and team.id in unit.teams:
            yield from resolve_marks(game, unit, team, losses)


def resolve_marks(game: Game[State], unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    for mark in MARKS:
        yield from mark(game, unit, team, losses)


def next_to_resolve(game: Game[State], act: Activation, waiting: list[Member]) -> Flow[Member]:
    """Whose turn it is to roll: it matters only if a sniper's victim may have his neighbours suppressed."""
    if len(waiting) == 1 or not any(team.sniped for _, team in waiting):
        return waiting[0]
    options = [Option(team.id, team_label(team)) for _, team in waiting]
    rules = ("hof.activation.steps-together", "hof.optional.sniper-resolve")
    answer = yield Ask(act.side, Choose("resolve", "Which Team resolves its fire next?", options, rules=rules))
    return next(member for member in waiting if member[1].id == answer)


def resolve_own(game: Game[State], unit: Unit, team: Team, losses: Losses) -> Flow[Fate]:
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
    game: Game[State],
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
    cited = [*rules, "hof.rfp-rally.result-table"]
    row = hard
    if team.kind.vehicle:
        row = True
        cited.append("hof.rfp-rally.vehicles-hard-cover")
        if unit.quality != "average":
            cited.append("hof.rfp-rally.quality-not-for-vehicles")
    elif team.suppressed:
        row = True
        cited.append("hof.rfp-rally.suppressed-hard-cover")
    if number > 1:
        cited.append("hof.rfp-rally.worst-result")
    throw = yield from game.throw(unit.side, number, why or "RFPs")
    again = yield from roll_again(game, unit, team, throw, hard, row)
    results = again.read(throw, row)
    yield from stand_firm(game, unit, team, throw, hard, results, again)
    worst = max(again.read(throw, row), default=READY)
    cited += again.rules
    if worst == KILLED and team.role == "bunker":
        worst = SUPPRESSED
        cited.append("hof.optional.bunker-rfps")
    cited += meaning(team, worst)
    where = "in Hard Cover" if row else "without Hard Cover"
    text = f"{team_label(team)} resolves {several(number, 'RFP')} {where}: {WORDS[worst]}."
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
        if index in self.elite:
            return SUPPRESSED if value >= READY_FROM else KILLED
        if value >= READY_FROM:
            return READY
        if index == self.stubborn:
            return SUPPRESSED
        return KILLED if value <= KILLED_UP_TO[row] else SUPPRESSED


def roll_again(game: Game[State], unit: Unit, team: Team, throw: Throw, hard: bool, row: bool) -> Flow[Again]:
    """The re-rolls that are not a matter of choice. No die is rolled twice again, so the first rule takes its die.

    Suppressed foot in real Hard Cover: the first die that kills; then Elite foot their other 1s, Poor foot their 6s.
    """
    again = Again()
    if team.kind.vehicle:
        return again
    if team.suppressed and hard:
        deadly = [index for index, value in enumerate(throw.values) if value <= KILLED_UP_TO[row]]
        if deadly:
            yield from game.reroll(throw, deadly[:1])
            again.add("hof.rfp-rally.suppressed-in-hard-cover-reroll")
    if unit.quality == "average":
        return again
    face = 1 if unit.quality == "elite" else 6
    dice = [index for index, value in enumerate(throw.values) if value == face and throw.may_reroll(index)]
    if dice:
        yield from game.reroll(throw, dice)
        again.add("hof.rfp-rally.elite-reroll" if unit.quality == "elite" else "hof.rfp-rally.poor-reroll")
        if unit.quality == "elite":
            again.elite = dice
    return again


def stand_firm(
    game: Game[State], unit: Unit, team: Team, throw: Throw, hard: bool, results: list[int], again: Again
) -> Flow[None]:
    """hof.national.gb-stubborn-defense: one Suppressed die again. It can do no harm, so it is rolled where it helps."""
    if not (game.setup.options.national and unit.nation == "british" and team.kind.category == "infantry" and hard):
        return
    if team.suppressed or max(results, default=READY) != SUPPRESSED or results.count(SUPPRESSED) != 1:
        return
    die = results.index(SUPPRESSED)
    if throw.may_reroll(die):
        yield from game.reroll(throw, [die])
        again.stubborn = die
        again.add("hof.national.gb-stubborn-defense")


# Suppression.


def suppress(game: Game[State], unit: Unit, team: Team, *rules: str) -> None:
    """A Team becomes Suppressed by something else than its own dice. One that is already stays so."""
    if team.suppressed:
        return
    mark_suppressed(game, team)
    text = f"{team_label(team)} is Suppressed."
    cited = ("hof.rfp-rally.suppressed-effects", *rules)
    game.tell("suppressed", text, *cited, seat=unit.side, unit=unit.id, team=team.id)


def mark_suppressed(game: Game[State], team: Team) -> None:
    """The marker, and hof.optional.riders-suppression: when a tank is Suppressed, so are its Riders."""
    team.suppressed = True
    for unit, rider in riding.riders_on(game, team):
        suppress(game, unit, rider, "hof.optional.riders-suppression")


def recover(game: Game[State], team: Team) -> None:
    """The marker goes; with a tank's, that of its Riders."""
    team.suppressed = False
    for unit, rider in riding.riders_on(game, team):
        if rider.suppressed:
            rider.suppressed = False
            text = f"{team_label(rider)} rallies with the tank."
            rules = ("hof.optional.riders-suppression",)
            game.tell("rally", text, *rules, seat=unit.side, unit=unit.id, team=rider.id, passed=True)


# Step 2: rally.


def suppressed(act: Activation) -> list[Member]:
    """The activated Teams that are Suppressed."""
    return [member for member in act.members if member[1].suppressed and alive(*member)]


def rally_step(game: Game[State], act: Activation) -> Flow[None]:
    """Suppressed Teams without RFPs make their Checks."""
    for unit, team in suppressed(act):
        if not team.suppressed:
            continue
        if team.role == "rider":
            cannot_rally(game, unit, team, "rallies only with its tank", "hof.optional.riders-suppression")
        elif team.rfps:
            cannot_rally(game, unit, team, "is under fire and cannot rally", "hof.rfp-rally.no-self-rally-with-rfp")
        else:
            yield from rally(game, unit, team, "its Rally Check", "hof.rfp-rally.rally-check")


def cannot_rally(game: Game[State], unit: Unit, team: Team, words: str, rule: str) -> None:
    game.tell("no-rally", f"{team_label(team)} {words}.", rule, seat=unit.side, unit=unit.id, team=team.id)


def rally(game: Game[State], unit: Unit, team: Team, why: str, rule: str) -> Flow[bool]:
    """A Rally Check; success removes suppression."""
    check = yield from checks.check(game, unit, f"{why} ({team_label(team)})")
    if check.passed:
        recover(game, team)
    text = f"{team_label(team)} {'rallies' if check.passed else 'stays Suppressed'}."
    data: dict[str, Any] = {"unit": unit.id, "team": team.id, "passed": check.passed}
    game.tell("rally", text, rule, *check.rules, seat=unit.side, dice=[check.throw], **data)
    return check.passed


# Fall back.


def fall_back_at_start(game: Game[State], act: Activation) -> None:
    fall_back(game, act, "starts out of sight of the enemy", "hof.rfp-rally.fall-back-start")


def fall_back_at_end(game: Game[State], act: Activation) -> None:
    fall_back(game, act, "ends out of sight of the enemy", "hof.rfp-rally.fall-back-end")


def fall_back(game: Game[State], act: Activation, words: str, rule: str) -> None:
    """Suppressed Teams that no enemy sees recover. Enemy Small Teams do not count, Suppressed enemies do."""
    down = suppressed(act)
    if not down:
        return
    placed = [(unit, team, place) for unit, team in down if (place := standpoint(game, team)) is not None]
    seen = watched(game, act.side, [place for _, _, place in placed], suppressed=True)
    for (unit, team, place), watching in zip(placed, seen, strict=True):
        if watching:
            continue
        rules = [rule]
        if seen_by_small_teams(game, act.side, place):
            rules.append("hof.rfp-rally.fall-back-small-teams")
        recover(game, team)
        text = f"{team_label(team)} {words} and is no longer Suppressed."
        game.tell("fall-back", text, *rules, seat=unit.side, unit=unit.id, team=team.id)


def seen_by_small_teams(game: Game[State], side: str, team: Team) -> bool:
    eyes = [each for each in board(game).side(other(side)).teams if each.kind.small]
    return bool(eyes) and bool(board(game).sees(eyes, [team]).any())
