"""The template: where it falls, and how it lies."""

from __future__ import annotations

import math

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import ChoosePoint, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import off_table, round_about
from sandtable.rulesets.tr14.core.board import board
from sandtable.rulesets.tr14.core.state import State, Team, Unit, other
from sandtable.table.hairs import A_HAIR, within
from sandtable.table.shapes import X, Y, bearing, stored_facing

SHIFT = 6.0
"""tr14.indirect.template-shifted"""


def shift_template(game: Game[State], unit: Unit, x: float, y: float) -> Flow[tuple[float, float]]:
    """tr14.indirect.template-shifted: the opponent may move it up to 6 inches."""

    def legal(px: float, py: float) -> Refusal | None:
        far = math.dist((px, py), (x, y))
        if not within(far, SHIFT, A_HAIR):
            message = f"that is {far:.1f} inches away."
            return illegal("tr14.indirect.template-shifted", message, legal=f"Shift it by at most {SHIFT:g} inches.")
        return off_table(game.setup.table, px, py, "shift-template")

    def proposals(most: int) -> list[tuple[float, float]]:
        return round_about((x, y), SHIFT, legal, most)

    words = f"The barrage is not ranged in. Where does it fall, up to {SHIFT:g} inches from {x:g}, {y:g}?"
    question = ChoosePoint("shift-template", words, legal, proposals, rules=("tr14.indirect.template-shifted",))
    answer = yield Ask(other(unit.side), question)
    return float(answer[0]), float(answer[1])


def template_facing(game: Game[State], guns: list[Team], x: float, y: float) -> float:
    """The template lies square to the line from the middle of the firing Unit."""
    middle = board(game).of(guns)[:, (X, Y)].mean(axis=0)
    return stored_facing(bearing(float(middle[0]), float(middle[1]), x, y))
