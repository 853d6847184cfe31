"""Recon Teams: they keep Hidden Teams at a distance, observe for artillery, and react when somebody appears."""

from __future__ import annotations

from sandtable.engine.game import Flow, Game, choose_one, decide
from sandtable.engine.questions import Choices, Option
from sandtable.rulesets.hof.activation import activate
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import label, mate_option
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, other, units_of

REACTION = "hof.battle.recon-reaction"


def recon_teams(unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if team.at is not None and "recon" in team.traits]


def after_reveal(game: Game[State], side: str, shown: list[Member]) -> Flow[None]:
    """hof.battle.recon-reaction: a Recon Unit that sees enemies appear may try to act again at once."""
    for unit in [unit for unit in units_of(game.state, other(side)) if unit.recon]:
        teams = recon_teams(unit) if not unit.reacted else []
        there = [team for _, team in shown if team.at is not None]
        fit = any(not team.watching and not team.locked for team in teams)
        if not fit or not there or not board(game).sees(teams, there).any():
            continue
        yield from react(game, unit)


def react(game: Game[State], unit: Unit) -> Flow[None]:
    words = f"Enemies appear before {label(unit)}. Does it try to react?"
    tries, stays = Option("yes", "Make a Training Check", (REACTION,)), Option("no", "Stay put")
    rules = (REACTION, "hof.battle.recon-no-third")
    if not (yield from decide(unit.side, "recon-reaction", words, tries, stays, rules=rules, step="reply")):
        return
    result = yield from check(game, unit, "reacting to the enemy")
    text = f"{label(unit)} needs {result.needed}+ to react, rolls {result.throw.value}."
    result.tell(game, "recon-reaction", text, *rules, unit=unit.id)
    if not result.passed:
        return
    unit.reacted = True
    teams = [team for team in recon_teams(unit) if not team.watching and not team.locked]
    if not teams:
        return
    first = unit.leader
    if first is None or first not in teams:
        choices = Choices({team.id: team for team in teams}, mate_option)
        first = yield from choose_one(unit.side, "recon-activate", "Who leads?", choices, rules=(REACTION,))
    yield from activate(game, unit, first, "free")
