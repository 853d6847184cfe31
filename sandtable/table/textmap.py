"""The table in letters, for the terminal: one column an inch, one line two inches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sandtable.table.scene import Body, Look, Ring, Scene, look_of
from sandtable.table.terrain import Feature

GROUND: Mapping[Look, str] = {
    "wood": "♣", "orchard": "♣", "building": "▒", "ruin": "▒", "field": '"', "hill": "˄", "road": "·", "track": "·",
    "railway": "+", "bridge": "·", "stream": "~", "river": "≈", "marsh": "≈", "rough": ":", "wall": "=",
    "high-wall": "#", "hedge": "%", "bocage": "%", "fence": "-", "smoke": "░", "trench": "_", "wire": "x", "mines": "*",
    "wreck": "&", "other": "?",
}  # fmt: skip
PIECES = {
    "infantry": "i", "figure": "i", "nco": "n", "officer": "c", "rider": "r", "casualty": "z",
    "gun": "g", "tank": "t", "vehicle": "v",
}  # fmt: skip
LEADERS = ("nco", "officer")
KEY = "red: small letters, blue: capitals; i infantry, g gun, t tank"
BODY_KEY = "red: small letters, blue: capitals; i infantry, n NCO, c officer, r rider, g gun, z wounded"
LINE = 2.0


def inside(feature: Feature, x: float, y: float) -> bool:
    """Whether a point lies in an area, by the even-odd rule."""
    found = False
    points = feature.points
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            found = not found
    return found


def text_map(scene: Scene) -> str:
    """Terrain, then objectives (1, 2, …), then bases: small letters for red, capitals for blue."""
    columns, lines = math.ceil(scene.width), math.ceil(scene.depth / LINE)
    grid = [[" "] * columns for _ in range(lines)]

    def put(x: float, y: float, letter: str) -> None:
        column, line = int(x), int(y / LINE)
        if 0 <= column < columns and 0 <= line < lines:
            grid[line][column] = letter

    for feature in scene.features:
        letter = GROUND[look_of(feature.kind, scene.looks)]
        if feature.closed:
            for line in range(lines):
                for column in range(columns):
                    if inside(feature, column + 0.5, (line + 0.5) * LINE):
                        grid[line][column] = letter
        else:
            for (x0, y0), (x1, y1) in zip(feature.points, feature.points[1:], strict=False):
                steps = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) * 2))
                for step in range(steps + 1):
                    put(x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps, letter)
    for number, spot in enumerate(scene.spots, 1):
        put(spot.x, spot.y, str(number % 10))
    # Where several stand in one place of the map, a leader is seen.
    for piece in sorted(scene.pieces, key=lambda each: LEADERS.index(each.kind) if each.kind in LEADERS else -1):
        letter = PIECES.get(piece.kind, "o")
        put(piece.place.x, piece.place.y, letter.upper() if piece.side == "blue" else letter)
    frame = "+" + "-" * columns + "+"
    rows = ["|" + "".join(row) + "|" for row in reversed(grid)]
    key = [
        f"{number} {spot.label}{f' ({spot.holder})' if spot.holder else ''}"
        for number, spot in enumerate(scene.spots, 1)
    ]
    bodies = [body_line(body, [ring.label for ring in rings_of(scene, body)]) for body in scene.bodies]
    return "\n".join([frame, *rows, frame, BODY_KEY if scene.bodies else KEY, *key, *bodies])


def rings_of(scene: Scene, body: Body) -> list[Ring]:
    """What carries about the pieces of a unit."""
    members = {piece.id for piece in scene.pieces if piece.unit == body.id}
    return [ring for ring in scene.rings if ring.id in members]


def body_line(body: Body, rings: Sequence[str]) -> str:
    """A unit that is drawn as one, in words: how it stands, what its signs say, and what carries about it."""
    signs = [f"{badge.words} {badge.count}" if badge.count > 1 else badge.words for badge in body.badges]
    return f"{body.side}: {', '.join([body.label, *([body.note] if body.note else []), *signs, *rings])}"
