"""Why a Team may not fire at another."""

from __future__ import annotations

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal, illegal
from sandtable.rulesets.hof.core.board import Board, board
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.state import Member, State, Team
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.firing.fire_lines import SPILL, FireTable
from sandtable.rulesets.hof.firing.weapons import direct_weapons, withheld
from sandtable.table import distance as measure
from sandtable.table import sight, veil


def why_unarmed(game: Game[State], member: Member, field: str) -> Refusal:
    """Why a Team has nothing to fire with; `field` is the part of the answer that is wrong."""
    unit, team = member
    for weapon in direct_weapons(team.profile, game.setup.options.flame):
        rule = withheld(game, unit, team, weapon)
        if rule:
            return illegal(rule, f"{team_label(team)} may not fire its {weapon.name} now.", field=field)
    # No weapon, no Rate of Fire.
    message = f"{team_label(team)} has nothing to fire directly with."
    return illegal("hof.firing.fire-dice", message, field=field)


def why_unseen(here: Board, row: Rows, target: Rows) -> str:
    """The rule that hides a target: the kind of terrain without which it would be seen."""
    ground = here.ground
    table = ground.table
    if ((veil.veil(ground.terrain, table.veils, table.thick, row, target, TOUCH) & veil.NARROWED) != 0).any():
        return "hof.terrain.thick-bocage-arc"
    for rule, kinds in (
        ("hof.artillery.smoke-los", table.smoke),
        ("hof.terrain.tall-linear-blocks", table.line),
        ("hof.terrain.area-sight", table.area),
    ):
        modes = np.where(kinds, sight.CLEAR, ground.opacity.mode)
        if kinds.any() and sight.sight(ground.terrain, sight.Opacity(modes), row, target, touch=TOUCH).any():
            return rule
    return "hof.terrain.line-of-sight"


def why_not(
    game: Game[State], side: str, member: Member, target: Member, field: str, leader: Team | None = None
) -> Refusal:
    """Why a Team may not fire at an enemy, by the first rule that stands in its way.

    `field` is the part of the answer that is wrong.
    """
    team, enemy = member[1], target[1]
    table = FireTable(game, side, [member], leader=leader)
    if not table.members:
        return why_unarmed(game, member, field)
    number = next(n for n, (_, each) in enumerate(table.targets) if each is enemy)
    who, whom = team_label(team), team_label(enemy)
    if table.can[0, number]:
        message = f"nothing that {who} fires does anything to {whom}."
        return illegal("hof.vehicles.only-at-affects-armor", message, field=field)
    rule = table.hindrance(0, number)
    if rule == "hof.firing.los-requirement":
        rule = why_unseen(board(game), table.rows, table.stand(number))
    gap = measure.distances(table.rows, table.target_rows)[0, number]
    message, legal = {
        "hof.firing.maximum-range": (
            f"{whom} is {gap:.1f} inches from {who}.",
            f"It reaches {table.firing[0, 2]:g} inches.",
        ),
        "hof.firing.arc-forward": (f"{whom} is not before {who}.", "Turn it with a Move order."),
        "hof.special-rules.hull-mounted": (f"{whom} is not before {who}.", "Turn it with a Move order."),
        "hof.artillery.fo-targeting": (f"{whom} is concealed and nobody is near.", ""),
        "hof.terrain.building-exterior-wall": (f"{who} is not at the wall towards {whom}.", ""),
        "hof.firing.no-fire-through-friends": (f"a friend is between {who} and {whom}.", ""),
    }.get(rule, (f"{who} sees neither {whom} nor an enemy within {SPILL:g} inches of it.", ""))
    return illegal(rule, message, field=field, legal=legal)
