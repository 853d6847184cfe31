"""What a Platoon Leader does for one Team in an activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Option, or_none
from sandtable.rulesets.hof.core.acts import Activation, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import team_label, team_on, team_option
from sandtable.rulesets.hof.core.state import Member, Team, Unit
from sandtable.rulesets.hof.rfp_rally import rally
from sandtable.table.hairs import CONTACT

MOVE_UP = 3.0
"""hof.leaders.move-up"""

ABILITY = "hof.leaders.ability-once"


def may_help(act: Activation) -> bool:
    """hof.leaders.ability-once: an unsuppressed Leader on the table, once in an activation."""
    leader = act.leader
    if leader is None or act.ability or leader.suppressed or leader.at is None:
        return False
    return alive(act.unit, leader)


def commands(game: Battle, act: Activation, unit: Unit, team: Team) -> bool:
    """Whether a Team is under the Leader's command: of his Unit; for the Company Commander any foot of the company."""
    leader = act.leader
    if leader is None or team is leader:
        return False
    if leader.role == "cc" and game.setup.options.commander:
        return unit.side == act.side and not team.kind.vehicle
    return unit is act.unit


def in_touch(game: Battle, act: Activation, members: Sequence[Member]) -> list[Member]:
    """Those of some Teams that the Leader commands and is in base contact with."""
    if act.leader is None:
        return []
    under = [member for member in members if member[1].at is not None and commands(game, act, *member)]
    touched = board(game).near(act.leader, [team for _, team in under], CONTACT)
    return [member for member in under if member[1] in touched]


def ask_help(act: Activation, topic: str, words: str, members: Sequence[Member], rule: str) -> Flow[Member | None]:
    things = {member[1].id: member for member in members}
    choices = or_none(Option("none", "Nobody"), things, lambda member: team_option(*member, rule))
    default = None if topic == "leader-rally" else lambda: members[0][1].id
    rules = (rule, ABILITY)
    return (yield from choose_one(act.side, topic, words, choices, rules=rules, default=default, step="detail"))


def tell_ability(game: Battle, act: Activation, ability: str, words: str, team: Team, *rules: str) -> None:
    act.ability = ability
    assert act.leader is not None
    rule = [ABILITY, "hof.optional.cc-abilities"] if act.leader.role == "cc" else [ABILITY]
    text = f"{team_label(act.unit, act.leader)} {words} {team_on(act.side, team)}."
    data: dict[str, Any] = {"ability": ability, "leader": act.leader.id, "team": team.id}
    game.tell("leader-ability", text, *rules, *rule, seat=act.side, **data)


def rally_ability(game: Battle, act: Activation) -> Flow[None]:
    """hof.leaders.rally: one more Rally Check for a Team that he touches, RFPs or not."""
    if not may_help(act):
        return
    here = board(game)
    down = [member for member in here.side(act.side).members if member[1].suppressed and member[1].role != "rider"]
    choices = in_touch(game, act, down)
    if not choices:
        return
    found = yield from ask_help(act, "leader-rally", "Whom does the Leader rally?", choices, "hof.leaders.rally")
    if found is None:
        return
    unit, team = found
    tell_ability(game, act, "rally", "sees to", team, "hof.leaders.rally")
    if (yield from rally.rally(game, unit, team, "the Leader's Rally Check", "hof.leaders.rally")):
        act.rallied = team


def direct_fire(game: Battle, act: Activation, members: Sequence[Member]) -> Flow[Team | None]:
    """hof.leaders.direct-fire: one more die for a firing Team that he, or the Commander above him, touches now."""
    found = yield from direct(game, act, members)
    if found is None and act.above is not None:
        found = yield from direct(game, act.above, members)
    return found


def direct(game: Battle, act: Activation, members: Sequence[Member]) -> Flow[Team | None]:
    if not may_help(act):
        return None
    choices = in_touch(game, act, members)
    if not choices:
        return None
    words = "Whose fire does the Leader direct?"
    found = yield from ask_help(act, "direct-fire", words, choices, "hof.leaders.direct-fire")
    if found is None:
        return None
    tell_ability(game, act, "direct-fire", "directs the fire of", found[1], "hof.leaders.direct-fire")
    return found[1]


def move_up(game: Battle, act: Activation, unit: Unit, team: Team) -> Flow[bool]:
    """hof.leaders.move-up: up to 3 inches more for a Team that ends its move in contact with the Leader."""
    if not may_help(act) or not commands(game, act, unit, team):
        return False
    words = f"Does the Leader bring {team_on(act.side, team)} up, {MOVE_UP:g} inches farther?"
    found = yield from ask_help(act, "move-up", words, [(unit, team)], "hof.leaders.move-up")
    if found is None:
        return False
    tell_ability(game, act, "move-up", "brings up", team, "hof.leaders.move-up")
    return True


def goes_along(act: Activation) -> bool:
    """hof.leaders.rally-move-along: whether the Leader must go with the Team that he rallied and not his own way."""
    return act.rallied is not None and any(
        order.kind == "move" and any(team is act.rallied and alive(unit, team) for unit, team in order.members)
        for order in act.orders
    )
