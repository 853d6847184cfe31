"""A whole unit shifted as one body: what bots and pages propose for a move, and a move by chance.

The ruleset gives its law; a shift that it refuses is tried shorter, the whole unit together, so that nobody is left
behind whom the unit could have kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, hundredths, steps_to_plain
from sandtable.field.troops import Point, Standing

Law = Callable[[dict[str, Step]], Refusal | None]
Starts = Mapping[str, Point]
"""Where each piece of a unit stands, by its id."""

PARTS = (1.0, 0.75, 0.5, 0.25)
"""How much of a shift is tried, one after the other."""

COMPASS = 8
"""In so many directions round the compass a unit may go, besides its goals."""

CLOSE = 0.5
"""Whoever is so near to a goal is there."""


def ask_move(
    topic: str,
    words: str,
    teams: Sequence[Standing],
    reach: float,
    law: Law,
    goals: Sequence[Point],
    name: Callable[[str], str],
    rules: tuple[str, ...] = (),
    unit: str = "",
) -> MovePieces:
    """The question where the pieces of a unit on the table go, with proposals towards its goals, and with chance.

    `reach` is how far a piece may go at most, and `name` what people call one.
    """
    starts = {team.id: team.at for team in teams if team.at is not None}
    return MovePieces(
        topic,
        words,
        list(starts),
        lambda: [Piece(t.id, name(t.id), t.at, t.facing, reach, t.kind.base.size) for t in teams],
        law,
        lambda most: proposals(starts, goals, reach, law, most),
        chance=lambda random: by_chance(starts, reach, law, random),
        rules=rules,
        facts={"unit": unit} if unit else {},
    )


def shifted(starts: Starts, dx: float, dy: float) -> dict[str, Step]:
    """The steps of a unit that goes as it stands."""
    return {name: hundredths(Step((x + dx, y + dy))) for name, (x, y) in starts.items()}


def as_far_as_legal(starts: Starts, dx: float, dy: float, law: Law) -> dict[str, Step]:
    """A unit shifted, or as much of the shift as the law allows; nobody, if it allows none."""
    for part in PARTS:
        steps = shifted(starts, dx * part, dy * part)
        if law(steps) is None:
            return steps
    return {}


def middle(spots: Iterable[Point]) -> Point:
    xs, ys = zip(*spots, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def towards(start: Point, goal: Point, most: float) -> Point:
    """By how much to shift to come to a goal, or so many inches nearer; not at all, if one is there."""
    far = math.dist(start, goal)
    if far <= CLOSE:
        return 0.0, 0.0
    part = min(most, far) / far
    return (goal[0] - start[0]) * part, (goal[1] - start[1]) * part


def proposals(starts: Starts, goals: Iterable[Point], reach: float, law: Law, most: int) -> list[dict[str, Any]]:
    """Answers to a `MovePieces`: towards each goal, round the compass, and nowhere; each but once, the first first."""
    centre = middle(starts.values())
    ways = [towards(centre, goal, reach) for goal in goals]
    angles = (math.tau * number / COMPASS for number in range(COMPASS))
    ways += [(reach * math.sin(angle), reach * math.cos(angle)) for angle in angles]
    found: list[dict[str, Any]] = []
    for dx, dy in ways:
        if len(found) + 1 >= max(most, 2):
            break
        answer = steps_to_plain(as_far_as_legal(starts, dx, dy, law)) if (dx, dy) != (0.0, 0.0) else {}
        if answer and answer not in found:
            found.append(answer)
    return [*found, {}][:most]


def by_chance(starts: Starts, reach: float, law: Law, random: Random) -> dict[str, Any]:
    """Any move: mostly the whole unit, now a single piece, now nobody."""
    what = random.random()
    if what < 0.1:
        return {}
    alone = sorted(starts)[int(random.random() * len(starts))]
    angle, length = random.random() * math.tau, reach * random.random()
    who = {alone: starts[alone]} if what < 0.3 else starts
    return steps_to_plain(as_far_as_legal(who, length * math.sin(angle), length * math.cos(angle), law))
