"""Losses: who leaves the table, and what follows: ranks close up, a gun goes with its crew, another takes command."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.board import Battle, remove
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, State, Unit, leader_of, members_of
from sandtable.rulesets.sof.formations import close_up
from sandtable.rulesets.sof.leadership import promote

DICE_LOST = ((2, "sof.force.dice-lost-second-unit"), (5, "sof.force.dice-lost-fifth-unit"))
"""With the second and the fifth unit lost a battlegroup has one die fewer each."""


def lose_figures(game: Battle, unit: Unit, figures: Sequence[Figure], why: str, *rules: str) -> Flow[None]:
    """Some figures of a unit leave the table; the unit with them, if they are all that is left of it."""
    if len(figures) == len(unit.teams):
        yield from lose_unit(game, unit, why, *rules)
        return
    officer = any(figure.role == "officer" for figure in figures)
    for figure in figures:
        remove(game, unit, figure)
    text = f"{label(unit)} loses {several(len(figures), 'figure')}: {why}."
    game.tell("losses", text, *rules, seat=unit.side, unit=unit.id, teams=[each.id for each in figures])
    close_up(game, unit)
    if officer:
        yield from command_lost(game, unit.battlegroup)


def lose_unit(game: Battle, unit: Unit, why: str, *rules: str) -> Flow[None]:
    """A whole unit leaves the table."""
    officer = any(figure.role == "officer" for figure in unit.teams.values())
    lost = [*unit.teams]
    for figure in list(unit.teams.values()):
        remove(game, unit, figure)
    del game.state.units[unit.id]
    group = answerable(game.state, unit)
    cited = [*rules]
    if group is not None:
        group.lost += 1
        cited += [rule for number, rule in DICE_LOST if group.lost == number]
        if unit.belongs == "support":
            cited.append("sof.force.dice-lost-support-counts-for-core")
    text = f"{label(unit)} is gone: {why}."
    game.tell("unit-lost", text, *cited, seat=unit.side, unit=unit.id, teams=lost)
    if officer and unit.battlegroup:
        yield from command_lost(game, unit.battlegroup)


def answerable(state: State, unit: Unit) -> Battlegroup | None:
    """Which battlegroup's dice a lost unit counts against: its own, or for a support unit the core battlegroup."""
    if unit.belongs != "support":
        return state.battlegroups.get(unit.battlegroup)
    groups = [each for each in state.battlegroups.values() if each.side == unit.side]
    return next((each for each in groups if each.core), groups[0] if groups else None)


def command_lost(game: Battle, battlegroup: str) -> Flow[None]:
    """A battlegroup that has lost its officer and still has units looks for another."""
    there = battlegroup in game.state.battlegroups and bool(members_of(game.state, battlegroup))
    if there and leader_of(game.state, battlegroup) is None:
        yield from promote(game, battlegroup)


def number_of_dice(group: Battlegroup) -> int:
    """sof.force.dice-base-number-kept: what it began with, less what its losses cost."""
    return max(0, group.base - sum(group.lost >= number for number, _ in DICE_LOST))
