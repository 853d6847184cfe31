"""Training Checks, and the Company Commander who may have one of them rolled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sandtable.engine.chance import at_least
from sandtable.engine.events import Modifier, total
from sandtable.engine.game import Flow, decide
from sandtable.engine.questions import Option
from sandtable.engine.ruleset import Result
from sandtable.field import checks
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Unit, commander

TRAINING_CHECK = {"green": 5, "veteran": 4, "elite": 3}
TO_HIT = {"green": 2, "veteran": 3, "elite": 4}
"""tr14.playing.training-check, tr14.firing.to-hit-by-target-training"""

LEAST_TO_HIT = 2
"""tr14.firing.one-or-less: a one always misses."""

BEST_DIE = 6
"""tr14.firing.seven-plus: what no die can show cannot be rolled."""

CheckKind = Literal["activation", "terrain", "smoke", "barrage", "strike", "counter", "morale", "company"]
"""What a Training Check is for."""

YES, NO = Option("yes", "Yes"), Option("no", "No")


def end_battle(game: Battle, winner: str | None, reason: str, rule: str) -> None:
    game.state.result = Result(winner, reason, rule)
    game.state.phase = "over"
    game.tell("battle-over", reason, rule, winner=winner)
    raise BattleOver


@dataclass(slots=True)
class Check(checks.Check):
    """One or more Training Checks rolled together; `vouched` if the Company Commander had one rolled again."""

    vouched: bool = False


def command_left(game: Battle, side: str, leader: str) -> bool:
    """tr14.leaders.once-per-initiative: whether a leader may still give a command in this Initiative."""
    return game.state.companies[side].commands.get(leader, 0) != game.state.initiative_number


def use_command(game: Battle, side: str, leader: str) -> None:
    game.state.companies[side].commands[leader] = game.state.initiative_number


def check_chance(unit: Unit, modifiers: list[Modifier] | None = None) -> float:
    """How likely one die of a Unit's Training Check is to pass."""
    return at_least(check_number(unit, modifiers or []))


def check_number(unit: Unit, modifiers: list[Modifier]) -> int:
    return TRAINING_CHECK[unit.training] + total(modifiers)


def training_check(
    game: Battle,
    unit: Unit,
    kind: CheckKind,
    why: str,
    number: int = 1,
    *,
    teams: Sequence[str] = (),
    modifiers: list[Modifier] | None = None,
) -> Flow[Check]:
    """Roll a Unit's Training Checks; its Company Commander may have one failed die rolled again.

    `why` says in words what they are for, `teams` which Teams they are about.
    """
    modifiers = modifiers or []
    needed = check_number(unit, modifiers)
    throw = yield from game.throw(unit.side, number, why)
    check = Check(throw, needed, modifiers)
    found = commander(game.state, unit.side)
    if not check.failed or needed > BEST_DIE or found is None or not command_left(game, unit.side, found[1].id):
        return check
    rule = "tr14.leaders.cc-reroll"
    facts = {"unit": unit.id, "check": kind, "needed": needed}
    words = f"{label(unit)} failed {why}. Shall the Company Commander have it rolled again?"
    # Commands are kept for later, but for a Check by which a Unit or the battle would be lost.
    keeps = kind not in ("morale", "company")
    vouches = yield from decide(
        unit.side, "cc-reroll", words, YES, NO, rules=(rule,), facts=facts, no_first=keeps, step="detail"
    )
    if vouches:
        use_command(game, unit.side, found[1].id)
        again = check.failed[0]
        yield from game.reroll(throw, [again])
        check.vouched = True
        text = f"The Company Commander has {label(unit)} try {why} again: {throw.values[again]}."
        game.tell("cc-reroll", text, rule, seat=unit.side, dice=[throw],
                  unit=unit.id, teams=list(teams), check=kind, needed=needed)  # fmt: skip
    return check
