"""How a Unit may break off: the whole distance, nearer to no attacker."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.courses import length_of, way_of
from sandtable.rulesets.tr14.core.board import Board, Rows, board, sees
from sandtable.rulesets.tr14.core.names import team_label
from sandtable.rulesets.tr14.core.state import Member, State, Team, Unit, is_led, other
from sandtable.rulesets.tr14.moving import MoveLaw, end_rows
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, SLACK, within
from sandtable.table.shapes import X, Y, bearing, snap

COMPASS = tuple(22.5 * step for step in range(16))
"""The directions in which a Team looks for a way out."""

RULE = "tr14.assaults.break-off-move"


@dataclass(slots=True)
class Retreat:
    """How a Unit may break off: each Team the whole distance, in any direction that brings it nearer to no attacker."""

    game: Game[State]
    unit: Unit
    members: list[Member]
    attackers: list[Team]
    inches: int

    @property
    def law(self) -> MoveLaw:
        reach = {team.id: float(self.inches) for _, team in self.members}
        return MoveLaw(self.game, self.unit, self.members, reach, pl_free=False, cohesion=False)

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        refusal = self.law.refuse(steps)
        if refusal is not None:
            return refusal
        here = board(self.game)
        rows = here.of(self.attackers)
        moving = [member for member in self.members if member[1].id in steps]
        ends = end_rows(here, moving, steps)
        for (_, team), end in zip(moving, ends, strict=True):
            nearer = measure.comes_nearer(here.of([team]), end[None], rows)[0]
            if nearer.any():
                foe = self.attackers[int(np.flatnonzero(nearer)[0])]
                message = (
                    f"{team_label(team, self.unit.side)} would come nearer to {team_label(foe, other(self.unit.side))}."
                )
                return illegal(RULE, message, field=team.id, legal="Move it away from all attackers.")
        for _, team in self.members:
            refusal = self.refuse_short(here, team, steps)
            if refusal is not None:
                return refusal
        return None

    def refuse_short(self, here: Board, team: Team, steps: dict[str, Step]) -> Refusal | None:
        """A Team goes the whole distance, if it has room for that."""
        path = way_of(team, steps[team.id]) if team.id in steps else way_of(team, Step(team.at or (0.0, 0.0)))
        gone = length_of(path)
        if within(self.inches, gone, A_HAIR):
            return None
        others = self.others(here, team, steps)
        stays = within(gone, 0.0, A_HAIR)
        legal = f"It must go the whole {several(self.inches, 'inch', 'inches')} where it has room."
        if next(self.ways_out(here, team, others), None) is not None:
            short = "stay" if stays else f"go only {gone:.1f} inches"
            return illegal(RULE, f"{team_label(team, self.unit.side)} would {short}.", field=team.id, legal=legal)
        if stays:
            return None
        before, end = path[-2], path[-1]
        turn = math.radians(bearing(*before, *end))
        left = self.inches - gone
        on = (snap(end[0] + left * math.sin(turn)), snap(end[1] + left * math.cos(turn)))
        if not self.gets_to(here, team, [*path[:-1], on], others):
            return None
        return illegal(
            RULE, f"{team_label(team, self.unit.side)} would go only {gone:.1f} inches.", field=team.id, legal=legal
        )

    def others(self, here: Board, team: Team, steps: dict[str, Step]) -> Rows:
        """Everybody else where he stands, and those who break off where they are going as well."""
        going = [member for member in self.members if member[1].id in steps and member[1] is not team]
        return np.vstack([here.all_but([team]), end_rows(here, going, steps)])

    def gets_to(self, here: Board, team: Team, path: list[tuple[float, float]], others: Rows) -> bool:
        """Whether a Team may end there: on the table, on nobody, over no enemy, and nearer to nobody it flees."""
        start = here.of([team])
        end = start.copy()
        end[0, X : Y + 1] = path[-1]
        ground = here.ground
        if not moves.on_table(end, ground.width, ground.depth)[0] or measure.overlaps(end, others, SLACK).any():
            return False
        enemies = here.all_of(here.sides[other(self.unit.side)])
        if moves.sweep(start[0], np.array(path), enemies, SLACK) < math.inf:
            return False
        shunned = here.of(self.attackers)
        if not is_led(self.unit):
            shunned = np.vstack([shunned, enemies[sees(here, start, enemies)[0]]])
        return not measure.comes_nearer(start, end, shunned).any()

    def ways_out(self, here: Board, team: Team, others: Rows, part: float = 1.0) -> Iterator[tuple[float, float]]:
        """Spots to which a Team may go straight, so far: first away from the nearest attacker, then by the compass."""
        assert team.at is not None
        x, y = team.at
        far = self.inches * part
        for degrees in (self.straight_away(here, team), *COMPASS):
            turn = math.radians(degrees)
            spot = (snap(x + far * math.sin(turn)), snap(y + far * math.cos(turn)))
            if self.gets_to(here, team, [team.at, spot], others):
                yield spot

    def straight_away(self, here: Board, team: Team) -> float:
        row, rows = here.of([team]), here.of(self.attackers)
        nearest = rows[int(measure.distances(row, rows)[0].argmin())]
        return bearing(float(nearest[X]), float(nearest[Y]), float(row[0, X]), float(row[0, Y]))
