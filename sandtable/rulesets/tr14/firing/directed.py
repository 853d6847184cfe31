"""The dice of a volley: how many hit, and whose misses a leader has rolled again; with chances instead of throws."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sandtable.engine.chance import Chances, at_least, successes, sure
from sandtable.rulesets.tr14.firing.shots import Manner, Shot
from sandtable.rulesets.tr14.leaders import Director

Row = NDArray[np.float64]
"""The chances of each number of hits, from none on."""

K = TypeVar("K", bound=Hashable)


def add(rows: dict[K, Row], key: K, row: Row) -> None:
    """Add chances to those of the same outcome."""
    rows[key] = rows[key] + row if key in rows else row


def add_chance(chances: dict[K, float], outcome: K, chance: float) -> None:
    if chance:
        chances[outcome] = chances.get(outcome, 0.0) + chance


Directs = tuple[str, ...]
"""Whose fire each leader directs; nobody's is an empty word."""


class Missed(NamedTuple):
    """The dice of a Team that missed and may be rolled again: how many, and how many of each shot."""

    dice: int = 0
    team: str = ""
    by_shot: tuple[int, ...] = ()


Most = tuple[Missed, Missed]
"""Of the Teams beside a leader the two that missed most."""

Thrown = dict[tuple[int, tuple[Most, ...]], Row]
"""Dice that lie on the table: hits of the last AT weapon, and who missed most; with the chances of all other hits."""


def ranking(most: Most, missed: Missed, *, both: bool) -> Most:
    """The two Teams with most misses among some, the first of equals first; or the one."""
    best, second = most
    if missed.dice > best.dice:
        return missed, best if both else second
    return (best, missed) if both and missed.dice > second.dice else most


@dataclass
class Dice:
    """The shots of a volley and the leaders who may direct them."""

    shots: list[Shot]
    leaders: list[Director]
    manner: Manner

    def chance(self, shot: Shot) -> float:
        """How likely a die of a shot hits; aimed fire rolls every miss again."""
        hits = at_least(shot.least)
        return 1.0 - (1.0 - hits) ** 2 if self.manner == "aimed" else hits

    def one_settled(self, shot: Shot, dice: int, before: Directs) -> Chances[tuple[int, Directs]]:
        """The hits of a shot that is settled by itself, and whom the leaders direct after it."""
        hits = successes(dice, self.chance(shot))
        helper = self.helper(before, shot.shooter.id)
        if helper is None:
            return hits.mapped(lambda hit: (hit, before))
        directs = (*before[:helper], shot.shooter.id, *before[helper + 1 :])

        def again(hit: int) -> Chances[tuple[int, Directs]]:
            if hit == dice:
                return sure((hit, before))
            return successes(dice - hit, at_least(shot.least)).mapped(lambda more: (hit + more, directs))

        return hits.then(again)

    def helper(self, directs: Directs, team: str) -> int | None:
        """The first leader who has, or may have, the misses of a Team rolled again."""
        if self.manner == "aimed":
            return None
        for number, leader in enumerate(self.leaders):
            if team in leader.beside and directs[number] in ("", team):
                return number
        return None

    def all_settled(self, last: Shot | None, dice: int, directs: Directs) -> dict[tuple[int, Directs], Row]:
        """The hits of the last AT weapon, and whom the leaders direct, each with the chances of all other hits.

        Shots that throw have a throw; `dice` are those of the AT weapon.
        """
        # As they stand among the shots: of Teams with as many misses the first is directed.
        teams: dict[str, list[tuple[Shot, int]]] = {}
        size = 1
        for shot in self.shots:
            if shot is last and dice:
                teams.setdefault(shot.shooter.id, []).append((shot, dice))
            elif shot.throw is not None and not shot.weapon.at:
                teams.setdefault(shot.shooter.id, []).append((shot, shot.dice))
                size += shot.dice
        watching = self.leaders if self.manner != "aimed" else []
        row = np.zeros(size)
        row[0] = 1.0
        thrown: Thrown = {(0, ((Missed(), Missed()),) * len(watching)): row}
        called: dict[tuple[object, ...], str] = {}
        for team, fires in teams.items():
            beside = [
                number
                for number, leader in enumerate(watching)
                if team in leader.beside and directs[number] in ("", team)
            ]
            # With one leader it is all the same who is directed among those who fire alike.
            alike = tuple((shot.least, shot.weapon.at) for shot, _ in fires)
            name = called.setdefault(alike, team) if len(watching) == 1 else team
            thrown = self.with_team(thrown, name, fires, beside)
        done: dict[tuple[int, Directs], Row] = {}
        for (at_hits, most), row in thrown.items():
            for key, share in self.directed(teams, directs, most, at_hits):
                add(done, key, np.convolve(row, share)[:size])
        return done

    def with_team(self, thrown: Thrown, team: str, fires: list[tuple[Shot, int]], beside: list[int]) -> Thrown:
        """The dice of one Team more; those who may be directed are told apart by their misses."""
        fell: dict[tuple[int, Missed], Row] = {}
        shares: Row
        size = len(next(iter(thrown.values())))
        for numbers in product(*(successes(dice, self.chance(shot)) for shot, dice in fires)):
            share, plain, at_hits = 1.0, 0, 0
            by_shot = []
            for (hits, chance), (shot, dice) in zip(numbers, fires, strict=True):
                share *= chance
                plain += 0 if shot.weapon.at else hits
                at_hits += hits if shot.weapon.at else 0
                by_shot.append(dice - hits)
            missed = Missed(sum(by_shot), team, tuple(by_shot)) if beside and any(by_shot) else Missed()
            row = np.zeros(size)
            row[plain] = share
            add(fell, (at_hits, missed), row)
        found: Thrown = {}
        for (before, most), row in thrown.items():
            for (at_hits, missed), shares in fell.items():
                ranked = tuple(
                    # The first leader always finds the Team that missed most as it is.
                    ranking(pair, missed, both=number > 0) if number in beside else pair
                    for number, pair in enumerate(most)
                )
                add(found, (before + at_hits, ranked), np.convolve(row, shares)[:size])
        return found

    def directed(
        self, teams: Mapping[str, list[tuple[Shot, int]]], directs: Directs, most: tuple[Most, ...], at_hits: int
    ) -> list[tuple[tuple[int, Directs], Row]]:
        """Each leader in turn has the Team with most misses roll them again."""
        chosen: list[Missed] = []
        whom = list(directs)
        for number, (best, second) in enumerate(most):
            pick = second if best.team in [each.team for each in chosen] else best
            if pick.dice:
                chosen.append(pick)
                whom[number] = pick.team
        found: dict[int, Row] = {at_hits: np.ones(1)}
        for pick in chosen:
            for (shot, _), dice in zip(teams[pick.team], pick.by_shot, strict=True):
                again = successes(dice, at_least(shot.least))
                following: dict[int, Row] = {}
                for hits, row in found.items():
                    if shot.weapon.at:
                        for more, share in again:
                            add(following, hits + more, row * share)
                    else:
                        numbers = np.array([again[number] for number in range(dice + 1)])
                        add(following, hits, np.convolve(row, numbers))
                found = following
        return [((hits, tuple(whom)), row) for hits, row in found.items()]
