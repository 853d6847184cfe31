"""One assault as the umpire follows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sandtable.testing.umpire.tr14.geometry import Pose, Spot
from sandtable.testing.umpire.tr14.volleys import Volley

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit


@dataclass
class Fight:
    """Who assaults whom, who strikes now, and what has been suffered so far."""

    attacker: str
    target: str
    guest: str
    chargers: list[str]
    armored: bool
    reach: float = 12.0
    charged: bool = False
    landed: bool = False
    halted: bool = False
    hits: int = 0
    results: int = 0
    turn: str = ""
    struck: set[str] = field(default_factory=set)
    broke: tuple[str, int, State] | None = None
    follow: int = 0
    marched: list[tuple[Pose, str, list[Spot]]] = field(default_factory=list)
    """Tanks whose rolls for the ground of their ways have not been looked at."""
    caught: dict[str, bool | None] | None = None
    """Who must be caught in breaking off, once the pursuers stand."""
    lost: dict[str, int] = field(default_factory=dict)
    marked: dict[str, int] = field(default_factory=dict)
    markers_lost: bool = False

    def defenders(self, state: State) -> list[Unit]:
        return [state.units[name] for name in (self.target, self.guest) if name in state.units]

    def sides(self, state: State, unit: str) -> tuple[list[tuple[Unit, Team]], list[tuple[Unit, Team]]]:
        """The Teams that fight on a Unit's side, and those of the other."""
        mine = [state.units[self.attacker]] if self.attacker in state.units else []
        ours = [(each, team) for each in mine for team in each.teams.values()]
        theirs = [(each, team) for each in self.defenders(state) for team in each.teams.values()]
        return (ours, theirs) if unit == self.attacker else (theirs, ours)

    def note(self, volley: Volley) -> None:
        """Only the fire of the assaulted counts towards halting the charge."""
        if self.charged and not self.landed and volley.scene.unit.id in (self.target, self.guest):
            self.hits += volley.hits()
            self.results += volley.results
