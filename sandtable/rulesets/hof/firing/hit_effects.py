"""Hits are dealt out, first to the target and then to Teams near it (`hit_allocation`), and take effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import full_label, team_label
from sandtable.rulesets.hof.core.state import Team, Unit, all_teams
from sandtable.rulesets.hof.firing.fire_lines import FireTable, Marks
from sandtable.rulesets.hof.firing.hit_allocation import Deal, Hit, Share
from sandtable.rulesets.hof.firing.targets import takers
from sandtable.rulesets.hof.firing.vehicles import give_rfps, penetrate, tell_rfps
from sandtable.table import distance as measure

BLAST = 2.0
"""hof.special-rules.bunker-buster"""

VEHICLE_HIT: Moment[Callable[[Battle, Team, bool, Losses], Flow[None]]] = Moment()
"""A Vehicle is hit, at its front or not: what becomes of whoever is on it."""


class Outright(NamedTuple):
    """By which a hit of a weapon may destroy a Team that is no Vehicle outright.

    `dice` says how many are rolled for it; `roll` rolls those of some Unit, and is true if one of them is a 6.
    """

    dice: Callable[[Weapon, Team], int]
    roll: Callable[[Battle, Unit, Weapon, Unit, Team, Losses], Flow[bool]]


OUTRIGHT: Moment[Outright] = Moment()


def allocate(
    act: Activation, table: FireTable, reach: dict[int, float], marks: Marks, hits: Sequence[Hit], losses: Losses
) -> Flow[None]:
    """All hits of the order are dealt out before any of them takes effect."""
    game = table.game
    deal = Deal(act, table, marks, takers(act, table, reach, marks), hits)
    yield from deal.deal()
    struck = [share for share in deal.shares if share.hits]
    tell_hits(game, act, deal, struck)
    blasts = blasted(game, deal)
    for share in struck:
        act.hit.add(share.team.id)
        if act.unit.id not in share.team.hit_by:
            share.team.hit_by = [*share.team.hit_by, act.unit.id]
    for share in struck:
        yield from take_effect(game, deal, share, losses)
    tell_blasts(game, act, blasts)


def tell_hits(game: Battle, act: Activation, deal: Deal, struck: list[Share]) -> None:
    """How the hits were dealt; those that nobody could take are lost."""
    rules = [*deal.rules]
    lost = deal.lost + len(deal.pool)
    if any(not share.vehicle for share in struck):
        rules.append("hof.firing.one-hit-per-order")
    given = {share.team.id: len(share.hits) for share in struck}
    parts = [f"{len(share.hits)} on {team_label(share.unit, share.team)}" for share in struck]
    if lost:
        rules.append("hof.firing.spill-to-neighbours")
        parts.append(f"{lost} lost")
    firers = deal.table.members
    dealt = {share.team.id: [[firers[hit.row][1].id, hit.weapon.name] for hit in share.hits] for share in struck}
    data: dict[str, Any] = {"unit": act.unit.id, "hits": given, "lost": lost, "dealt": dealt}
    game.tell("hits", f"Hits: {', '.join(parts)}.", *dict.fromkeys(rules), seat=deal.attacked, **data)


def take_effect(game: Battle, deal: Deal, share: Share, losses: Losses) -> Flow[None]:
    """What its hits do to a Team: RFPs for those on foot, a Penetration Roll for each on a Vehicle."""
    for hit in share.hits:
        if not alive(share.unit, share.team):
            return
        firer = deal.table.members[hit.row][0]
        if not share.vehicle:
            yield from hit_on_foot(game, firer, deal, hit, share, losses)
            continue
        weapon = hit.weapon
        flank = deal.flank(hit.row, share)
        for also in VEHICLE_HIT:
            yield from also(game, share.team, not flank, losses)
        if deal.flame(hit):
            rules = ("hof.optional.flame-vs-vehicles", "hof.optional.flame-fire")
            tell_rfps(game, firer, share.unit, share.team, weapon.fp, rules)
            continue
        only = "rfps-only" in weapon.keywords
        at, fp = weapon.at, weapon.fp
        yield from penetrate(game, firer, at, fp, share.unit, share.team, flank, losses, rfps_only=only)


def hit_on_foot(game: Battle, firer: Unit, deal: Deal, hit: Hit, share: Share, losses: Losses) -> Flow[None]:
    """hof.firing.rfp-per-hit; a Bunker Buster may destroy a bunker outright."""
    weapon = hit.weapon
    team = share.team
    for outright in OUTRIGHT:
        if outright.dice(weapon, team) and (yield from outright.roll(game, firer, weapon, share.unit, team, losses)):
            return
    rules = give_rfps(game, team, weapon.fp, across=deal.across(hit, share))
    if weapon.fp > 1:
        rules.append("hof.optional.flame-fire" if deal.flame(hit) else "hof.special-rules.firepower-note")
    who = full_label(share.unit, team)
    text = f"{who} receives {several(weapon.fp, 'RFP')}, now {team.rfps}."
    game.tell("received", text, *rules, seat=share.unit.side, team=team.id, rfps=weapon.fp, total=team.rfps)


def blasted(game: Battle, deal: Deal) -> list[tuple[Unit, Team, int]]:
    """hof.special-rules.bunker-buster: who is near the target, and of how many such weapons."""
    target = next((share for share in deal.shares if share.number == 0), None)
    if target is None:
        return []
    rows = {hit.row for hit in target.hits if "bunker-buster" in hit.weapon.keywords}
    if not rows:
        return []
    here = board(game)
    body = deal.table.target_bodies[0]
    found = []
    for unit, team in all_teams(game.state):
        place = team if team.at is not None else riding.tank_of(game, team)
        if place is None or team is target.team or team.kind.armored:
            continue
        if measure.within(measure.distances(here.of([body]), here.of([place]))[0, 0], BLAST):
            found.append((unit, team, len(rows)))
    return found


def tell_blasts(game: Battle, act: Activation, blasts: list[tuple[Unit, Team, int]]) -> None:
    for unit, team, number in blasts:
        if alive(unit, team):
            give_rfps(game, team, number, across=False)
            text = f"{team_label(unit, team)} is too near: {several(number, 'RFP')}, now {team.rfps}."
            data: dict[str, Any] = {"team": team.id, "rfps": number, "total": team.rfps}
            game.tell("received", text, "hof.special-rules.bunker-buster", seat=act.side, **data)
