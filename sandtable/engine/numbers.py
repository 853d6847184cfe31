"""Numbers as files may give them: larger than any game needs, and small enough for every database."""

from __future__ import annotations

from typing import Annotated

import msgspec

LARGEST = 1_000_000

Whole = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
"""A number of a set-up or a state; whether it may be negative, the ruleset says."""

Count = Annotated[int, msgspec.Meta(ge=0, le=100 * LARGEST)]
"""How many answers, lines or dice there are."""
