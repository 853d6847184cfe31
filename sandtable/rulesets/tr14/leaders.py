"""Leaders: what they may do for one Team in each Initiative, and the company that its commander holds together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sandtable.engine.dice import Throw
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choose, Option, or_none
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import command_left, end_battle, training_check, use_command
from sandtable.rulesets.tr14.core.names import label, team_label, team_name, team_on, team_option
from sandtable.rulesets.tr14.core.state import MOST_MARKERS, Team, Unit, commander, other, platoons
from sandtable.table.hairs import within

NEAR = 2.0
"""A leader helps Teams within this distance."""

MOVE_UP = 4.0
"""tr14.leaders.move-up"""

NONE = Option("none", "None")


def leaders_of(game: Battle, unit: Unit) -> list[Team]:
    """The Infantry leaders who may command a Team of the Unit and have a command left in this Initiative."""
    cc = commander(game.state, unit.side)
    return [
        leader
        for leader in (unit.leader, cc[1] if cc is not None else None)
        if leader is not None and leader.kind.type == "infantry" and command_left(game, unit.side, leader.id)
    ]


def appoint_leader(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.leaders.cc-appoints-pl: the Company Commander makes a Team beside him the new Platoon Leader."""
    if unit.apart or unit.leader is not None:
        return
    found = commander(game.state, unit.side)
    company = game.state.companies[unit.side]
    if found is None or company.appointed == game.state.initiative_number:
        return
    cc = found[1]
    near = board(game).near(cc, unit.teams.values(), NEAR)
    if not near:
        return
    choices, rule = or_none(NONE, {team.id: team for team in near}, team_option), "tr14.leaders.cc-appoints-pl"
    words = f"{label(unit)} has lost its Platoon Leader. Whom does the Company Commander appoint?"
    team = yield from choose_one(unit.side, "appoint", words, choices, rules=(rule,), step="detail")
    if team is not None:
        company.appointed = game.state.initiative_number
        text = f"The Company Commander makes {team_label(unit, team)} Platoon Leader of {label(unit)}."
        team.role = "pl"
        board(game).regroup(unit)
        game.tell("appointed", text, rule, seat=unit.side, unit=unit.id, team=team.id)


def shift_suppression(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.leaders.shift-suppression: all markers of a Team beside a leader go to another Team of the Unit."""
    for leader in leaders_of(game, unit):
        options = [NONE]
        for team in unit.teams.values():
            if team.markers and team is not leader and within(board(game).gap([leader], [team]), NEAR):
                options += [
                    Option(f"{team.id}>{to.id}", f"from {team_name(team)} to {team_name(to)}", pieces=(team.id, to.id))
                    for to in unit.teams.values()
                    if to is not team and may_take(unit, team, to)
                ]
        if len(options) == 1:
            continue
        words = f"Shall {team_on(unit.side, leader)} shift suppression from one Team of {label(unit)} to another?"
        rules = ("tr14.leaders.shift-suppression", "tr14.leaders.once-per-initiative")
        answer = yield Ask(unit.side, Choose("shift-suppression", words, options, rules=rules, step="detail"))
        if answer != "none":
            source, target = answer.split(">")
            use_command(game, unit.side, leader.id)
            unit.teams[target].markers += unit.teams[source].markers
            unit.teams[source].markers = 0
            names = " to ".join(team_label(unit, unit.teams[each]) for each in (source, target))
            text = f"{team_on(unit.side, leader)} shifts suppression from {names}."
            game.tell(
                "shifted", text, *rules, seat=unit.side, source=source, target=target, leader=leader.id, unit=unit.id
            )


def may_take(unit: Unit, source: Team, target: Team) -> bool:
    """Within the limits of double suppression: two at most, and a second only when every Team has one afterwards."""
    after = target.markers + source.markers
    if after > MOST_MARKERS:
        return False
    if after <= 1:
        return True
    others = [team for team in unit.teams.values() if team is not source and team is not target]
    return all(team.markers > 0 for team in others)


DIRECT_FIRE_RULES = ("tr14.leaders.direct-fire", "tr14.leaders.once-per-initiative")


class Shot(Protocol):
    """One weapon firing, as far as a leader has to do with it."""

    @property
    def shooter(self) -> Team: ...
    @property
    def throw(self) -> Throw | None: ...
    @property
    def least(self) -> int: ...


@dataclass(slots=True)
class Director:
    """A leader who may direct fire, who is beside him before anybody turns, and whose fire he directs."""

    leader: Team
    beside: set[str]
    directs: str = ""


def beside_leaders(game: Battle, unit: Unit, shooters: Sequence[Team]) -> list[Director]:
    found = []
    for leader in leaders_of(game, unit):
        others = [team for team in shooters if team is not leader]
        if others:
            found.append(Director(leader, {team.id for team in board(game).near(leader, others, NEAR)}))
    return found


def direct_fire(game: Battle, unit: Unit, shots: Sequence[Shot], leaders: list[Director]) -> Flow[None]:
    """tr14.leaders.direct-fire: a leader has one Team beside him roll its misses again."""
    for director in leaders:
        missing: dict[str, list[tuple[Shot, list[int]]]] = {}
        for shot in shots:
            missed = may_roll_again(shot)
            if missed and shot.shooter.id in director.beside:
                missing.setdefault(shot.shooter.id, []).append((shot, missed))
        if not director.directs and missing:
            most = sorted(missing, key=lambda name: -sum(len(missed) for _, missed in missing[name]))
            director.directs = yield from ask_director(game, unit, director, list(missing), most[0])
        if director.directs not in missing:
            continue
        throws = []
        for shot, missed in missing[director.directs]:
            assert shot.throw is not None
            yield from game.reroll(shot.throw, missed)
            throws.append(shot.throw)
        team = unit.teams[director.directs]
        text = f"{team_on(unit.side, director.leader)} directs the fire of {team_label(unit, team)}."
        who: dict[str, Any] = {"team": team.id, "leader": director.leader.id}
        game.tell("direct-fire", text, *DIRECT_FIRE_RULES, seat=unit.side, dice=throws, **who)


def may_roll_again(shot: Shot) -> list[int]:
    """Which dice of a shot missed and have not been rolled again."""
    throw = shot.throw
    if throw is None:
        return []
    return [index for index, value in enumerate(throw.values) if value < shot.least and throw.may_reroll(index)]


def ask_director(game: Battle, unit: Unit, director: Director, teams: list[str], first: str) -> Flow[str]:
    """Whose fire a leader directs, with the one command that he has; nobody's is an empty word. `first` is proposed."""
    choices = or_none(NONE, {name: unit.teams[name] for name in teams}, team_option)
    words = f"Shall {team_on(unit.side, director.leader)} direct a Team's fire and have its misses rolled again?"
    asked: dict[str, Any] = {"facts": {"unit": unit.id}, "default": lambda: first, "step": "detail"}
    team = yield from choose_one(unit.side, "direct-fire", words, choices, rules=DIRECT_FIRE_RULES, **asked)
    if team is None:
        return ""
    use_command(game, unit.side, director.leader.id)
    return team.id


def company_check(game: Battle, side: str) -> Flow[None]:
    """tr14.leaders.company-morale: after a loss, with fewer than half of its Units left, a company may retreat."""
    left = len(platoons(game.state, side))
    starting = game.state.companies[side].starting
    if left == 0:
        end_battle(game, other(side), f"{side.capitalize()} has no Unit left.", "tr14.leaders.company-last-unit")
    if may_retreat(game, side):
        yield from company_roll(game, side, f"{left} of {starting} Units left", "tr14.leaders.company-morale")


def may_retreat(game: Battle, side: str) -> bool:
    """Whether a company has so few Units left that a loss makes it check."""
    return len(platoons(game.state, side)) * 2 < game.state.companies[side].starting


def company_roll(game: Battle, side: str, why: str, rule: str) -> Flow[None]:
    found = commander(game.state, side)
    if found is None:
        text = f"{side.capitalize()} has no Company Commander to hold it."
        game.tell("company", text, rule, "tr14.leaders.company-no-cc", seat=side)
        end_battle(game, other(side), f"{side.capitalize()} retreats, leaderless.", "tr14.leaders.company-no-cc")
        return
    check = yield from training_check(game, found[0], "company", "the company's Check")
    text = f"The {side} company ({why}) needs {check.needed}+, rolls {check.throw.value}."
    check.tell(game, "company", text, rule)
    if not check.passed:
        end_battle(game, other(side), f"The Company Commander of {side} calls the retreat.", rule)
