"""What a position comes to in any game: won, lost or drawn, objectives held, and what is still undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from sandtable.engine.ruleset import Guard, Result
from sandtable.field.names import Team
from sandtable.field.troops import SIDES

WON = 1000.0
"""What a battle won is worth: more than anything on the table."""


class BattleOver(Exception):
    """The battle is decided in the midst of something: no error, but the way out of whatever was going on."""


class Held(Protocol):
    """An objective, and the side that holds it."""

    @property
    def holder(self) -> str: ...


class Mustered(Protocol):
    """A unit with its pieces."""

    @property
    def teams(self) -> Mapping[str, Any]: ...


H = TypeVar("H", bound=Held)
U = TypeVar("U", bound=Mustered)
T = TypeVar("T", bound=Team)


def decided(result: Result | None, seat: str) -> float | None:
    """What a battle that is over is worth to a seat; None while it is not."""
    if result is None:
        return None
    return 0.0 if result.winner is None else WON if result.winner == seat else -WON


def held(objectives: Mapping[str, H], worth: Callable[[H], int] = lambda _: 1) -> dict[str, int]:
    """What the objectives that each side holds are worth together."""
    return {side: sum(worth(each) for each in objectives.values() if each.holder == side) for side in SIDES}


def plainest(teams: Sequence[T], count: int) -> list[str]:
    """So many of some teams that their player would rather lose: those of which there are most, leaders last."""
    kinds = Counter(team.profile for team in teams)
    ranked = sorted(teams, key=lambda team: (team.role != "", -kinds[team.profile]))
    chosen = {team.id for team in ranked[:count]}
    return [team.id for team in teams if team.id in chosen]


def not_deployed(
    seat: str,
    units: Iterable[U],
    waits: Callable[[Any], bool],
    label: Callable[[U], str],
    rule: str,
    stops: bool = False,
) -> list[Guard]:
    """A guard for each unit of a seat with a piece that still waits for a place."""
    waiting = [unit for unit in units if any(waits(team) for team in unit.teams.values())]
    return [Guard(seat, f"{label(unit)} is not deployed yet.", rule, stops=stops) for unit in waiting]
