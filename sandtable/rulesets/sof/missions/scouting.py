"""Scout Moves: before the first turn, as far as Double Time and 12 inches from every enemy unit."""

from __future__ import annotations

from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit, sides_in_order, units_of
from sandtable.rulesets.sof.movement import MoveLaw, move

SCOUTS_APART = 12.0
RULE = "sof.mission-core.scout-move"


def scout_moves(game: Battle) -> Flow[None]:
    """When both sides have deployed, the attacker's first: each unit with the Recon rule that stands on the table."""
    for side in sides_in_order(game.state):
        for unit in units_of(game.state, side):
            if "recon" in unit.special and unit.placed and not unit.ambush and not unit.scouted:
                yield from scout(game, unit, checkpoint=True)


def scout(game: Battle, unit: Unit, *rules: str, checkpoint: bool = False) -> Flow[None]:
    """One Scout Move: terrain slows it as usual, and it stays 12 inches from the enemy all the way."""
    law = MoveLaw.of(game, unit, "double-time")
    law.apart = (SCOUTS_APART, RULE)
    moved = yield from move(game, law, f"Where does {label(unit)} scout to?", RULE, *rules, checkpoint=checkpoint)
    unit.scouted = True
    words = "scouts ahead." if moved else "stays where it is."
    game.tell("scouted", f"{label(unit)} {words}", RULE, *rules, seat=unit.side, unit=unit.id, moved=moved)
