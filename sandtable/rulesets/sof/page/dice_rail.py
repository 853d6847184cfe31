"""The activation dice at the table's edge: a step for each phase of the turn, with the dice of both sides in it."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.cards import Rail, RailDie, RailStep
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import SIDES, ForceDice, State
from sandtable.rulesets.sof.turn import FIRST_PHASE

ZERO = "Phase 0: whoever has not acted yet, without a die, and no nearer to an enemy in sight."
OVERRIDE = "Command Override, for the beginning of a later phase"


def rail(game: Battle, seat: str | None) -> Rail | None:
    """None before the first dice of a battle have fallen."""
    state = game.state
    if not any(group.dice or group.spent for group in state.battlegroups.values()):
        return None
    playing = state.phase == "activate"
    steps = tuple(
        RailStep(str(number), tuple(dice_of(state, number)), playing and number == state.number, number > state.number)
        for number in range(FIRST_PHASE, -1, -1)
    )
    return Rail("Phase", steps, ZERO if playing and state.number == 0 else "")


def dice_of(state: State, number: int) -> Iterator[RailDie]:
    """The dice of a phase, those that are left first; a six that was set aside waits with the sixes."""
    for side in SIDES:
        groups = {name: group for name, group in state.battlegroups.items() if group.side == side}
        force = state.force_dice.get(side, ForceDice())
        for spent in (False, True):
            for _ in range((force.spent if spent else force.dice).count(number)):
                yield RailDie(number, side, spent, "A die of the whole force, for any unit")
            for name, group in groups.items():
                aside = int(spent and number == FIRST_PHASE and state.overrides.get(side) == name)
                count = (group.spent if spent else group.dice).count(number)
                for index in range(count):
                    kept = index < aside
                    title = f"{group.name or name}: {OVERRIDE}" if kept else group.name or name
                    yield RailDie(number, side, spent and not kept, title)
