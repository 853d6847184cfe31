"""Form On Me: a Platoon Leader who stays where he is calls the Teams of his Unit to him, seen or unseen."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, decide
from sandtable.engine.questions import Option, Refusal, Step, illegal
from sandtable.field.courses import path_of
from sandtable.rulesets.hof.activation import activation, participants
from sandtable.rulesets.hof.core.acts import Activation, Order, starts_of
from sandtable.rulesets.hof.core.board import Battle, board, sees_rows
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import full_label, label, team_label
from sandtable.rulesets.hof.core.state import Team
from sandtable.rulesets.hof.moving import MoveLaw, end_facing, proposals
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y, face

ORDER = "hof.optional.form-on-me"
MOVE = "hof.optional.form-on-me-move"
KEEP_AWAY = 12.0


class FormLaw(MoveLaw):
    """hof.optional.form-on-me: those who are called make up the activation, and with them their Leader."""

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        act = self.act
        if act.leader is not None:
            act.members = [(act.unit, act.leader), *(member for member in self.members if member[1].id in steps)]
        return MoveLaw.refuse(self, steps)


def instead_of_orders(game: Battle, act: Activation) -> Flow[bool]:
    """Whether the Leader gives this order in place of all others; then also who comes, and where to."""
    leader, unit = act.leader, act.unit
    if not game.setup.options.form_on_me or leader is None or leader.role != "pl" or leader.at is None:
        return False
    mates = [
        team
        for team in unit.teams.values()
        if team is not leader and team.at is not None and participants.eligible(team, act.paid) and not team.bogged
    ]
    if not mates:
        return False
    form, other_orders = Option("yes", "Form On Me", (ORDER,)), Option("no", "Give Move and Fire orders")
    words, facts = f"Does the {full_label(unit, leader)} call his Teams to him?", {"unit": unit.id, "team": leader.id}
    asked: dict[str, Any] = {"rules": (ORDER,), "facts": facts, "no_first": True, "step": "detail"}
    if not (yield from decide(act.side, "form-on-me", words, form, other_orders, **asked)):
        return False
    act.ability = "form-on-me"
    members = [(unit, team) for team in mates]
    act.starts = starts_of([(unit, leader), *members])
    law = FormLaw(game, act, act.side, members, one_goal=False, extra=lambda steps: refuse(game, act, steps))
    words = f"Who of {label(unit)} moves, and where to?"
    steps = yield from proposals.ask_move(game, law, "form-move", words, (ORDER, MOVE), facts)
    called = [member for member in members if member[1].id in steps]
    act.orders = [Order("form", "move", called, steps=steps, rules=(ORDER, MOVE))] if called else []
    act.members = [(unit, leader), *called]
    activation.mark_activated(game, act)
    text = f"{full_label(unit, leader)} orders Form On Me: {several(len(called), 'Team')}."
    data: dict[str, Any] = {**facts, "paid": act.paid, "orders": dict.fromkeys(steps, "form")}
    game.tell("activation", text, ORDER, "hof.activation.four-steps", seat=act.side, **data)
    return True


def refuse(game: Battle, act: Activation, steps: dict[str, Step]) -> Refusal | None:
    """hof.optional.form-on-me-move: all must end in the Leader's sight; those who start in it, away from the enemy."""
    leader = act.leader
    if not steps or leader is None:
        return None
    here = board(game)
    teams = [act.unit.teams[name] for name in steps]
    ends: Rows = here.of(teams)
    ends[:, X : Y + 1] = [steps[team.id].to for team in teams]
    for row, team in zip(ends, teams, strict=True):
        if team.at is not None:
            face(row, end_facing(team, path_of(team.at, steps[team.id]), steps[team.id].facing))
        here.raise_row(row, team)
    seen = sees_rows(here.ground, here.rows[[here.stand(leader)]], ends)[0]
    if not seen.all():
        team = teams[int(np.flatnonzero(~seen)[0])]
        message = f"{team_label(act.unit, team)} would end out of the Leader's sight."
        return illegal(MOVE, message, field=team.id, legal="Choose a place that he sees.")
    return refuse_near_enemies(game, act, teams, ends, leader)


def refuse_near_enemies(game: Battle, act: Activation, teams: list[Team], ends: Rows, leader: Team) -> Refusal | None:
    here = board(game)
    if not here.enemies(act.side).teams:
        return None
    near = measure.within(measure.nearest(ends, here.enemy_rows(act.side)), KEEP_AWAY)
    for number in np.flatnonzero(near & here.sees([leader], teams)[0]).tolist():
        team = teams[number]
        message = f"{team_label(act.unit, team)} would end within {KEEP_AWAY:g} inches of the enemy."
        legal = "Those who start in the Leader's sight must keep farther away."
        return illegal(MOVE, message, field=team.id, legal=legal)
    return None
