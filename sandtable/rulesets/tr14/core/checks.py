"""Training Checks, and the Company Commander who may have one of them rolled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier, total
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask, Result
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import State, Unit, commander

TRAINING_CHECK = {"green": 5, "veteran": 4, "elite": 3}
TO_HIT = {"green": 2, "veteran": 3, "elite": 4}
"""tr14.playing.training-check, tr14.firing.to-hit-by-target-training"""

LEAST_TO_HIT = 2
"""tr14.firing.one-or-less: a one always misses."""

BEST_DIE = 6
"""tr14.firing.seven-plus: what no die can show cannot be rolled."""

CheckKind = Literal["activation", "terrain", "smoke", "barrage", "strike", "counter", "morale", "company"]
"""What a Training Check is for."""

YES_NO = [Option("no", "No"), Option("yes", "Yes")]


class BattleOver(Exception):
    """The battle is decided in the midst of something: no error, but the way out of whatever was going on."""


def end_battle(game: Game[State], winner: str | None, reason: str, rule: str) -> None:
    game.state.result = Result(winner, reason, rule)
    game.state.phase = "over"
    game.tell("battle-over", reason, rule, winner=winner)
    raise BattleOver


@dataclass(slots=True)
class Check:
    """One or more Training Checks rolled together."""

    throw: Throw
    needed: int
    modifiers: list[Modifier]
    vouched: bool = False

    @property
    def passes(self) -> int:
        needed = self.needed
        return len([value for value in self.throw.values if value >= needed])

    @property
    def passed(self) -> bool:
        return max(self.throw.values) >= self.needed


def command_left(game: Game[State], side: str, leader: str) -> bool:
    """tr14.leaders.once-per-initiative: whether a leader may still give a command in this Initiative."""
    return game.state.companies[side].commands.get(leader, 0) != game.state.initiative_number


def use_command(game: Game[State], side: str, leader: str) -> None:
    game.state.companies[side].commands[leader] = game.state.initiative_number


def training_check(
    game: Game[State],
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
    needed = TRAINING_CHECK[unit.training] + total(modifiers)
    throw = yield from game.throw(unit.side, number, why)
    check = Check(throw, needed, modifiers)
    failed = [index for index, value in enumerate(throw.values) if value < needed]
    if failed and needed <= BEST_DIE:
        found = commander(game.state, unit.side)
        if found is not None and command_left(game, unit.side, found[1].id):
            words = f"{label(unit)} failed {why}. Shall the Company Commander have it rolled again?"
            facts = {"unit": unit.id, "check": kind, "needed": needed}
            question = Choose("cc-reroll", words, YES_NO, rules=("tr14.leaders.cc-reroll",), facts=facts)
            if (yield Ask(unit.side, question)) == "yes":
                use_command(game, unit.side, found[1].id)
                yield from game.reroll(throw, failed[:1])
                check.vouched = True
                text = f"The Company Commander has {label(unit)} try {why} again: {throw.values[failed[0]]}."
                game.tell(
                    "cc-reroll",
                    text,
                    "tr14.leaders.cc-reroll",
                    seat=unit.side,
                    dice=[throw],
                    unit=unit.id,
                    teams=list(teams),
                    check=kind,
                    needed=needed,
                )
    return check
