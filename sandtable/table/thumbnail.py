"""A table the size of a thumb: terrain as plain patches, bases as dots. For lists of many games."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.table.pieces import side_ink
from sandtable.table.scene import Look, Scene, look_of
from sandtable.table.svg import LIGHT, LINES, ORDER, element, line_path
from sandtable.table.terrain import Feature

SCALE = 3.0  # pixels an inch
DOT = 1.1  # inches across, larger than life
FILLED = ("river", "stream", "road", "track", "trench")
FILLS: Mapping[Look, str] = {
    "hill": "hill",
    "field": "field",
    "rough": "rough",
    "marsh": "marsh",
    "wood": "canopy",
    "orchard": "canopy_light",
    "building": "roof_dark",
    "ruin": "roof",
    "bridge": "plank",
    "mines": "rough",
    "wire": "rough",
    "wreck": "track",
    "smoke": "smoke_light",
}


def thumbnail(scene: Scene) -> str:
    """The scene as a small SVG document without words."""
    wide, deep = scene.width * SCALE, scene.depth * SCALE

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return round(point[0] * SCALE, 1), round(deep - point[1] * SCALE, 1)

    def patch(look: Look, feature: Feature) -> str:
        path = line_path([at(point) for point in feature.points], feature.closed)
        if feature.closed:
            body = LINES[look][1].colour if look in FILLED else FILLS.get(look, "other")
            return element("path", d=path, fill=LIGHT[body])
        ink = LINES[look if look in LINES else "other"][0]
        return element("path", d=path, fill="none", stroke=LIGHT[ink.colour], stroke_width=max(1.0, ink.width * SCALE))

    parts = [element("rect", width=wide, height=deep, fill=LIGHT["linen"])]
    looks = [(look_of(feature.kind, scene.looks), feature) for feature in scene.features]
    parts += [patch(look, feature) for look, feature in sorted(looks, key=lambda pair: ORDER.index(pair[0]))]
    for spot in scene.spots:
        x, y = at((spot.x, spot.y))
        ink = LIGHT[side_ink(spot.holder)]
        parts.append(element("circle", cx=x, cy=y, r=2 * SCALE, fill="none", stroke=ink, stroke_width=1.5))
    for piece in scene.pieces:
        x, y = at((piece.place.x, piece.place.y))
        parts.append(element("circle", cx=x, cy=y, r=DOT * SCALE / 2, fill=LIGHT[side_ink(piece.side)]))
    box = f"0 0 {wide:g} {deep:g}"
    return element("svg", "".join(parts), xmlns="http://www.w3.org/2000/svg", viewBox=box, width=wide, height=deep)
