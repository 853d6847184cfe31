"""What stands on every roster: signs for what holds, and one's own units first."""

from __future__ import annotations

from sandtable.engine.cards import UnitCard
from sandtable.table.scene import Badge


def own_first(cards: list[UnitCard], seat: str | None) -> list[UnitCard]:
    """The seat's own units before the others, each in the order of the set-up."""
    return sorted(cards, key=lambda card: card.side != seat and seat is not None)


def signs(*states: tuple[bool | int, str, str]) -> tuple[Badge, ...]:
    """The badges of whatever holds: each state with its sign and its words; a number says how often it holds."""
    return tuple(Badge(icon, words, int(state)) for state, icon, words in states if state)
