"""The roster: the units as a seat may know them, its own first, with who is left of them and who is lost.

One shape serves games that hide and games that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from sandtable.engine.cards import Briefing, Fact, TeamCard, UnitCard
from sandtable.engine.events import several
from sandtable.field.troops import SIDES, Side, other
from sandtable.table.scene import Badge


class Unit(Protocol):
    """A unit of a side, with its pieces by their ids."""

    @property
    def side(self) -> str: ...
    @property
    def teams(self) -> Mapping[str, Any]: ...


U = TypeVar("U", bound=Unit)


class Heading(NamedTuple):
    """What stands on a unit's card above its pieces.

    `starting` is how many counted at the start, if that is not as many as the set-up has. `own` are the signs that an
    enemy does not see in a game that hides.
    """

    name: str
    note: str = ""
    starting: int = 0
    badges: tuple[Badge, ...] = ()
    own: tuple[Badge, ...] = ()


def roster(
    before: Mapping[str, U],
    now: Mapping[str, U],
    seat: str | None,
    heading: Callable[[U], Heading],
    card: Callable[[str, Any], TeamCard],
    counts: Callable[[Any], bool] = lambda _: True,
    shown: Callable[[Any], bool] | None = None,
) -> list[UnitCard]:
    """The cards of all units of the set-up and of those that have come since, in this order.

    `card` is a piece's card by its id, also that of a piece of the set-up, which need not know its id; `counts` says
    whether it counts for the strength of its unit. `shown` says in a game that hides whether others know of a piece:
    then of the enemy's units only such pieces are told, not how many there were, and none that are lost.
    """
    found = []
    for unit_id in {**before, **now}:
        began, unit = before.get(unit_id), now.get(unit_id)
        known = unit or began
        assert known is not None
        living = unit.teams if unit is not None else {}
        if shown is None or known.side == seat:
            first = began.teams if began is not None else living
            lost = [card(name, team) for name, team in first.items() if name not in living]
            teams = [card(name, team) for name, team in living.items()]
            teams += [TeamCard(each.id, each.name, each.profile, lost=True) for each in lost]
            head = heading(known)
            most = head.starting or sum(map(counts, first.values()))
            signs = (*head.badges, *head.own) if unit is not None else ()
        else:
            living = {name: team for name, team in living.items() if shown(team)}
            if not living:
                continue
            teams = [card(name, team) for name, team in living.items()]
            head = heading(known)
            most, signs = 0, head.badges
        strength = (sum(map(counts, living.values())), most)
        found.append(UnitCard(unit_id, known.side, head.name or unit_id, head.note, strength, signs, tuple(teams)))
    return own_first(found, seat)


def force(cards: list[UnitCard], seat: str | None, noun: str = "Team") -> tuple[Fact, ...]:
    """What a seat leads, each unit with its strength at the start, in `noun`s."""
    mine = [card for card in cards if card.side == seat]
    return tuple(Fact(card.name, several(card.strength[1] or len(card.teams), noun)) for card in mine)


def briefing(
    seat: str | None,
    lines: tuple[Fact, Fact],
    win: Callable[[Side], str],
    rules: tuple[str, str],
    task: Callable[[Side], str],
    cards: Callable[[], list[UnitCard]],
    noun: str = "Team",
) -> Briefing:
    """What a seat is told before its first question: who attacks, how it is won and lost, and what ends it.

    `lines` are the first and the last of that. `win` says how a side wins, `rules` are those of winning and of losing;
    a task and a force have only those who play.
    """
    who, end = lines
    if seat not in SIDES:
        ways = [Fact(f"How {side.capitalize()} wins", win(side), rules[0]) for side in SIDES]
        return Briefing(lines=(who, *ways, end))
    side: Side = "red" if seat == "red" else "blue"
    won = Fact("How it is won", win(side), rules[0])
    lost = Fact("How it is lost", win(other(side)), rules[1])
    return Briefing(task(side), (who, won, lost, end), force(cards(), seat, noun))


def own_first(cards: list[UnitCard], seat: str | None) -> list[UnitCard]:
    """The seat's own units before the others, each in the order of the set-up."""
    return sorted(cards, key=lambda card: card.side != seat and seat is not None)


def signs(*states: tuple[bool | int, str, str] | tuple[bool | int, str, str, str]) -> tuple[Badge, ...]:
    """The badges of whatever holds: short word, words, and a sign if it has one; a number says how often it holds."""
    return tuple(
        Badge(state[1], state[2], int(state[0]), state[3] if len(state) == 4 else "") for state in states if state[0]
    )
