"""Moments of finished games, to go on from: the same table, the same question and the same dice every time."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.questions import Question

CORPUS = Path(__file__).parents[1] / "corpus"

# In the fifteenth game of City Block.
DEPLOYING, WHO_ACTS, REVEALING, MOVING, TARGET, LATE = 6, 20, 161, 200, 216, 418


@cache
def moment(name: str, number: int) -> str:
    """A game of the corpus as a file, as it was before that answer."""
    played = record.replay(record.read(CORPUS / f"{name}.game"), rulesets.load, to=number)
    assert not played.differs, played.differs
    return record.dumps(played.game)


@cache
def recorded(name: str, number: int) -> tuple[Question, Any]:
    """The question of that number in a game of the corpus, and the answer that was given to it."""
    kept = record.read(CORPUS / f"{name}.game")
    ask = record.replay(kept, rulesets.load, to=number).game.ask
    assert ask is not None
    return ask.question, record.replay(kept, rulesets.load, to=number + 1).game.record[number].answer
