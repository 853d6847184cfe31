"""Suppression: how a Team comes by it, and how it goes: by Rally Checks, and out of the enemy's sight."""

from __future__ import annotations

from sandtable.engine.game import Flow
from sandtable.rulesets.hof.core import checks, riding
from sandtable.rulesets.hof.core.acts import Activation, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.nearby import standpoint, watched
from sandtable.rulesets.hof.core.state import Member, Team, Unit


def suppress(game: Battle, unit: Unit, team: Team, *rules: str) -> None:
    """A Team becomes Suppressed by something else than its own dice. One that is already stays so."""
    if team.suppressed:
        return
    mark_suppressed(game, team)
    text = f"{team_label(unit, team)} is Suppressed."
    cited = ("hof.rfp-rally.suppressed-effects", *rules)
    game.tell("suppressed", text, *cited, seat=unit.side, unit=unit.id, team=team.id)


def mark_suppressed(game: Battle, team: Team) -> None:
    """The marker, and hof.optional.riders-suppression: when a tank is Suppressed, so are its Riders."""
    team.suppressed = True
    for unit, rider in riding.riders_on(game, team):
        suppress(game, unit, rider, "hof.optional.riders-suppression")


def recover(game: Battle, team: Team) -> None:
    """The marker goes; with a tank's, that of its Riders."""
    team.suppressed = False
    for unit, rider in riding.riders_on(game, team):
        if rider.suppressed:
            rider.suppressed = False
            text = f"{team_label(unit, rider)} rallies with the tank."
            rules = ("hof.optional.riders-suppression",)
            game.tell("rally", text, *rules, seat=unit.side, unit=unit.id, team=rider.id, passed=True)


def suppressed(act: Activation) -> list[Member]:
    """The activated Teams that are Suppressed."""
    return [member for member in act.members if member[1].suppressed and alive(*member)]


def rally_step(game: Battle, act: Activation) -> Flow[None]:
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


def cannot_rally(game: Battle, unit: Unit, team: Team, words: str, rule: str) -> None:
    game.tell("no-rally", f"{team_label(unit, team)} {words}.", rule, seat=unit.side, unit=unit.id, team=team.id)


def rally(game: Battle, unit: Unit, team: Team, why: str, rule: str) -> Flow[bool]:
    """A Rally Check; success removes suppression."""
    check = yield from checks.check(game, unit, f"{why} ({team_label(unit, team)})")
    if check.passed:
        recover(game, team)
    text = f"{team_label(unit, team)} {'rallies' if check.passed else 'stays Suppressed'}."
    check.tell(game, "rally", text, rule, unit=unit.id, team=team.id)
    return check.passed


def fall_back(game: Battle, act: Activation, words: str, rule: str) -> None:
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
        text = f"{team_label(unit, team)} {words} and is no longer Suppressed."
        game.tell("fall-back", text, *rules, seat=unit.side, unit=unit.id, team=team.id)


def seen_by_small_teams(game: Battle, side: str, team: Team) -> bool:
    eyes = [each for each in board(game).enemies(side).teams if each.kind.small]
    return bool(eyes) and bool(board(game).sees(eyes, [team]).any())
