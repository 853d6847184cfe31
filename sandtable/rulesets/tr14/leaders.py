"""Leaders: what Platoon Leaders and the Company Commander may do for one Team in each Initiative."""

from __future__ import annotations

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.board import board, gap, gaps
from sandtable.rulesets.tr14.core.checks import command_left, use_command
from sandtable.rulesets.tr14.core.state import State, Team, Unit, commander, label, team_label
from sandtable.rulesets.tr14.suppression import MOST_MARKERS
from sandtable.table.hairs import EXACT

NEAR = 2.0
"""A leader helps Teams within this distance."""

MOVE_UP = 4.0
"""tr14.leaders.move-up"""

NONE = Option("none", "None")


def leaders_of(game: Game[State], unit: Unit) -> list[Team]:
    """The Infantry leaders who may command a Team of the Unit and have a command left in this Initiative."""
    cc = commander(game.state, unit.side)
    return [
        leader
        for leader in (unit.leader, cc[1] if cc is not None else None)
        if leader is not None and leader.kind.type == "infantry" and command_left(game, unit.side, leader.id)
    ]


def appoint_leader(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.leaders.cc-appoints-pl: the Company Commander makes a Team beside him the new Platoon Leader."""
    if unit.apart or unit.leader is not None:
        return
    found = commander(game.state, unit.side)
    company = game.state.companies[unit.side]
    if found is None or company.appointed == game.state.initiative_number:
        return
    cc = found[1]
    teams = list(unit.teams.values())
    near = [team for team, far in zip(teams, gaps(game, [cc], teams)[0].tolist(), strict=True) if far <= NEAR + EXACT]
    if not near:
        return
    options = [NONE, *(Option(team.id, team_label(team)) for team in near)]
    words = f"{label(unit)} has lost its Platoon Leader. Whom does the Company Commander appoint?"
    answer = yield Ask(unit.side, Choose("appoint", words, options, rules=("tr14.leaders.cc-appoints-pl",)))
    if answer != "none":
        company.appointed = game.state.initiative_number
        name = team_label(unit.teams[answer])
        unit.teams[answer].role = "pl"
        board(game).regroup(unit)
        text = f"The Company Commander makes {name} Platoon Leader of {label(unit)}."
        game.tell("appointed", text, "tr14.leaders.cc-appoints-pl", seat=unit.side, unit=unit.id, team=answer)


def shift_suppression(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.leaders.shift-suppression: all markers of a Team beside a leader go to another Team of the Unit."""
    for leader in leaders_of(game, unit):
        options = [NONE]
        for team in unit.teams.values():
            if team.markers and team is not leader and gap(game, [leader], [team]) <= NEAR + EXACT:
                options += [
                    Option(f"{team.id}>{to.id}", f"from {team_label(team)} to {team_label(to)}")
                    for to in unit.teams.values()
                    if to is not team and may_take(unit, team, to)
                ]
        if len(options) == 1:
            continue
        words = f"Shall {team_label(leader)} shift suppression from one Team of {label(unit)} to another?"
        rules = ("tr14.leaders.shift-suppression", "tr14.leaders.once-per-initiative")
        answer = yield Ask(unit.side, Choose("shift-suppression", words, options, rules=rules))
        if answer != "none":
            source, target = answer.split(">")
            use_command(game, unit.side, leader.id)
            unit.teams[target].markers += unit.teams[source].markers
            unit.teams[source].markers = 0
            names = " to ".join(team_label(unit.teams[each]) for each in (source, target))
            text = f"{team_label(leader)} shifts suppression from {names}."
            game.tell("shifted", text, *rules, seat=unit.side, source=source, target=target, leader=leader.id)


def may_take(unit: Unit, source: Team, target: Team) -> bool:
    """Within the limits of double suppression: two at most, and a second only when every Team has one afterwards."""
    after = target.markers + source.markers
    if after > MOST_MARKERS:
        return False
    if after <= 1:
        return True
    others = [team for team in unit.teams.values() if team is not source and team is not target]
    return all(team.markers > 0 for team in others)
