"""How distances are told: in inches, or in centimetres if the players have agreed on that."""

from __future__ import annotations

import re

from sandtable.rulesets.sof.core.board import Battle

CENTIMETRES_AN_INCH = 2.5
"""sof.basics.centimetres"""

INCHES = re.compile(r"(\d+(?:\.\d+)?) inch(?:es)?\b")


def spoken(game: Battle, text: str) -> str:
    """A sentence as it is told in a game: rules and places stay in inches, whatever they are measured with."""
    if not game.setup.options.centimetres:
        return text
    return INCHES.sub(lambda found: f"{round(CENTIMETRES_AN_INCH * float(found[1]), 2):g} cm", text)
