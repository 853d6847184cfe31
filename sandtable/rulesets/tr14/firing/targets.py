"""The target of an attack: a Unit, whoever has joined it, and whether it has gone to ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandtable.engine.events import Modifier
from sandtable.engine.game import Flow, decide
from sandtable.rulesets.tr14.core.board import Battle, board, cover_matrix
from sandtable.rulesets.tr14.core.checks import NO, YES
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, members_of, platoons
from sandtable.rulesets.tr14.core.terrain import OPEN
from sandtable.rulesets.tr14.kernels import fire
from sandtable.table.hairs import within

JOIN = 6.0
"""tr14.leaders.cc-joins-unit, tr14.indirect.fo-joins-unit"""


@dataclass(slots=True)
class Target:
    """What an attack is aimed at: a Unit, with a commander or observer who has joined it for the while."""

    unit: Unit
    members: list[Member]
    at_observer: bool = False


def aimed_at(game: Battle, unit: Unit) -> Target:
    """The target of an attack. A commander or observer who is attacked joins the nearest Unit within 6 inches."""
    if not unit.apart:
        return Target(unit, members_of(unit))
    rule = "tr14.leaders.cc-joins-unit" if unit.apart == "cc" else "tr14.indirect.fo-joins-unit"
    teams = [(host, team) for host in platoons(game.state, unit.side) for team in host.teams.values()]
    far = board(game).gaps(list(unit.teams.values()), [team for _, team in teams]).min(axis=0).tolist() if teams else []
    near = [(gap, host) for gap, (host, _) in zip(far, teams, strict=True) if within(gap, JOIN)]
    if not near:
        return Target(unit, members_of(unit), unit.apart == "fo")
    host = min(near, key=lambda pair: pair[0])[1]
    text = f"{label(unit)} joins {label(host)} for this attack."
    game.tell("joins", text, rule, seat=unit.side, unit=unit.id, host=host.id)
    return Target(host, members_of(host) + members_of(unit), unit.apart == "fo")


def gone_to_ground(game: Battle, target: Target, position: int, cover: int = OPEN) -> bool:
    """tr14.firing.mod-gone-to-ground: a Team that neither moved nor fired, or whose Unit went to ground.

    A Unit that declares it takes whoever has joined it down too. `cover` is what the Team has from those who fire.
    """
    unit, team = target.members[position]
    declared = unit.to_ground or target.unit.to_ground
    down = declared or not (team.moved or team.fired) or observer_hides(game, team, cover)
    return down and team.kind.type != "tank"


def observer_hides(game: Battle, team: Team, cover: int) -> bool:
    """tr14.indirect.fo-gone-to-ground: whatever a Forward Observer does in terrain that conceals him from this fire."""
    return team.role == "fo" and (cover not in (OPEN, fire.UNSEEN) or in_cover(game, team))


def to_ground_rules(game: Battle, target: Target, modifiers: Sequence[Modifier]) -> list[str]:
    """What else a modifier for going to ground rests on."""
    if not any(modifier.rule == "tr14.firing.mod-gone-to-ground" for modifier in modifiers):
        return []
    observers = [team for _, team in target.members if team.role == "fo"]
    hidden = any(team.moved or team.fired or in_cover(game, team) for team in observers)
    return ["tr14.indirect.fo-gone-to-ground"] if hidden else []


def in_cover(game: Battle, team: Team) -> bool:
    here = board(game)
    row = here.of([team])
    return bool(cover_matrix(here, row, row, [team.dug_in])[0, 0] > OPEN)


def may_go_to_ground(game: Battle, target: Target) -> bool:
    unit = target.unit
    if unit.held or (unit.activated and not unit.overwatch):
        return False
    if all(team.kind.type == "tank" for _, team in target.members):
        return False
    return not all(gone_to_ground(game, target, position) for position in range(len(target.members)))


def offer_to_ground(game: Battle, target: Target) -> Flow[None]:
    """tr14.firing.gtg-declare: a Unit that has not acted, or waits in Overwatch, may go to ground before the dice."""
    unit = target.unit
    if not may_go_to_ground(game, target):
        return
    words = f"{label(unit)} is fired at. Shall it go to ground, and neither move nor fire this round?"
    rules, facts = ("tr14.firing.gtg-declare",), {"unit": unit.id}
    down = yield from decide(
        unit.side, "go-to-ground", words, YES, NO, rules=rules, facts=facts, no_first=True, step="reply"
    )
    if down:
        unit.to_ground = unit.held = True
        game.tell("to-ground", f"{label(unit)} goes to ground.", *rules, seat=unit.side, unit=unit.id)
