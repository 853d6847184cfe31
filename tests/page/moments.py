"""Moments of finished games, to go on from: the same table, the same question and the same dice every time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sandtable import rulesets
from sandtable.engine import record

CORPUS = Path(__file__).parents[1] / "corpus"

# In the fifteenth game of City Block.
DEPLOYING, WHO_ACTS, REVEALING, MOVING, TARGET, LATE = 6, 20, 161, 200, 216, 418


@cache
def moment(name: str, number: int) -> str:
    """A game of the corpus as a file, as it was before that answer."""
    played = record.replay(record.read(CORPUS / f"{name}.game"), rulesets.load, to=number)
    assert not played.differs, played.differs
    return record.dumps(played.game)
