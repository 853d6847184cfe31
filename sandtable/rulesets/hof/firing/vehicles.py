"""Firing at Vehicles: flank shots, Penetration Rolls, and what a hit does to a truck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import reroll_for_quality
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import full_label, team_label
from sandtable.rulesets.hof.core.state import Point, Team, Unit
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.terrain import behind
from sandtable.table.shapes import X, Y

Penetration = Literal["destroyed", "rfps", "none"]


def is_flank(game: Battle, firer: Rows | Point, team: Team) -> bool:
    """hof.vehicles.flank-shot: whether fire from a base, or from a point, comes from behind the front of the hull."""
    here = board(game)
    x, y = firer if isinstance(firer, tuple) else firer[X : Y + 1].tolist()
    return behind(x, y, here.rows[here.index[team.id]].tolist())


def armor(team: Team, flank: bool) -> int:
    """The Armor Rating on the side that is hit; 0 for a Vehicle without armor."""
    return team.kind.flank if flank else team.kind.front


def ineffective(at: int, ar: int) -> bool:
    """hof.vehicles.ineffective"""
    return ar >= 2 * at


def give_rfps(game: Battle, team: Team, number: int, *, across: bool) -> list[str]:
    """Add RFPs to a Team; returns the rules that had a say.

    `across`: they came across the obstacle that it touches (for Riders: over the front of their tank).
    """
    if not number:
        return []
    rules = ["hof.firing.rfp-per-hit"]
    if across and not team.exposed:
        rules.append("hof.optional.riders-cover" if team.role == "rider" else "hof.terrain.linear-hard-cover")
    elif not across:
        if team.rfps and not team.exposed and team.role != "rider" and sheltering(game, team):
            rules.append("hof.terrain.linear-mixed-fire")
        team.exposed = True
    else:
        rules.append("hof.terrain.linear-mixed-fire")
    team.rfps += number
    return rules


def sheltering(game: Battle, team: Team) -> bool:
    """Whether a Team touches an obstacle that it could shelter behind."""
    here, ground = board(game), board(game).ground
    if team.at is None or not ground.table.breastwork.any():
        return False
    return bool((ground.terrain.touching(here.of([team]))[0] & ground.table.breastwork).any())


def penetrate(
    game: Battle,
    firer: Unit,
    at: int | None,
    fp: int,
    unit: Unit,
    team: Team,
    flank: bool,
    losses: Losses,
    *,
    rfps_only: bool = False,
    rules: Sequence[str] = (),
) -> Flow[Penetration]:
    """One hit on a Vehicle. AT None is a small-arms hit."""
    bare = not team.kind.armored
    if not at and bare:
        # hof.vehicles.unarmored-is-ar-zero lets mortars count as small arms here.
        rule = "hof.vehicles.unarmored-small-arms" if at is None else "hof.vehicles.unarmored-is-ar-zero"
        return tell_rfps(game, firer, unit, team, fp, [rule, *rules])
    if at is None:
        text = f"{team_label(unit, team)} is proof against small arms."
        immune = ("hof.vehicles.only-at-affects-armor", *rules)
        game.tell("penetration", text, *immune, seat=firer.side, team=team.id, result="none")
        return "none"
    ar = armor(team, flank)
    cited = [*rules, "hof.vehicles.roll-per-hit"]
    cited.append("hof.vehicles.unarmored-is-ar-zero" if bare else "hof.vehicles.armored-or-not")
    if flank and not bare:
        cited.append("hof.vehicles.flank-shot")
    data: dict[str, Any] = {"team": team.id, "at": at, "ar": ar, "flank": flank}
    against = f"AT {at} against the {'flank' if flank else 'front'} armor {ar} of {team_label(unit, team)}"
    if ineffective(at, ar):
        cited.append("hof.vehicles.ineffective")
        game.tell("penetration", f"{against}: no effect.", *cited, seat=firer.side, **data, result="none")
        return "none"
    number, above = penetration_dice(at, ar)
    throw = yield from game.throw(firer.side, number, "penetration")
    cited += yield from reroll_for_quality(game, firer.quality, throw)
    result = outcome(6 in throw.values, above, rfps_only)
    cited.append("hof.vehicles.penetration-at-above-ar" if above else "hof.vehicles.penetration-at-not-above-ar")
    if above and rfps_only and 6 in throw.values:
        cited.append("hof.special-rules.rfps-only")
    cited.append("hof.vehicles.destroyed-at-once")
    words = {"destroyed": "it is destroyed", "rfps": several(fp, "RFP"), "none": "no effect"}[result]
    dice = ", ".join(map(str, throw.values))
    text = f"{against}, rolling {dice}: {words}."
    gained = fp if result == "rfps" else 0
    if fp > 1 and gained:
        cited.append("hof.special-rules.firepower-note")
    cited += [rule for rule in give_rfps(game, team, gained, across=False) if rule != "hof.firing.rfp-per-hit"]
    game.tell("penetration", text, *cited, seat=firer.side, dice=[throw], **data, result=result, rfps=gained)
    if result == "destroyed":
        yield from morale.kill(game, unit, team, losses, "penetration", "hof.vehicles.destroyed-at-once")
    return result


def penetration_dice(at: int, ar: int) -> tuple[int, bool]:
    """How many dice a Penetration Roll has, and whether AT is greater than AR."""
    return (at - ar, True) if at > ar else (at, False)


def outcome(six: bool, above: bool, rfps_only: bool) -> Penetration:
    """What a Penetration Roll does, with a 6 among its dice or without; `above`: AT is greater than AR."""
    if not above:
        return "rfps" if six else "none"
    return "destroyed" if six and not rfps_only else "rfps"


def tell_rfps(game: Battle, firer: Unit, unit: Unit, team: Team, fp: int, rules: Sequence[str]) -> Penetration:
    """RFPs without a Penetration Roll."""
    give_rfps(game, team, fp, across=False)
    text = f"{full_label(unit, team)} receives {several(fp, 'RFP')}."
    game.tell("received", text, *rules, seat=firer.side, team=team.id, rfps=fp, total=team.rfps)
    return "rfps"
