"""SVG as strings, the two palettes, and the brushes that paint terrain.

Every irregularity (a tree's crown, a stone) comes from the coordinates it stands on: the same table is the
same picture. Nothing here uses ids or references, so that many pictures can stand on one page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple, get_args

from sandtable.table.scene import Look, look_of
from sandtable.table.terrain import Feature

Point = tuple[float, float]
Disc = tuple[float, float, float]

LIGHT: Mapping[str, str] = {
    "page": "#f7f3ea", "text": "#2f2b24", "muted": "#7d7564", "halo": "#f4eedf", "frame": "#6d6350",
    "linen": "#eae1cb", "weave": "#e2d7bd", "grid": "#8f8468",
    "hill": "#e0cfa8", "hill2": "#d5bf91", "hill3": "#c8ac79", "contour": "#9c8255",
    "wood": "#c3c398", "canopy": "#8f9a66", "canopy_light": "#a5ae7c", "canopy_dark": "#5f6a42",
    "field": "#e2d398", "furrow": "#bfa75f", "rough": "#d9cfb4", "stone": "#94886d",
    "water": "#8fa6b5", "water_light": "#b5c5cf", "bank": "#5f7888", "marsh": "#c3cdbb", "reed": "#6d7f5c",
    "road": "#d6b273", "road_edge": "#a8824a", "rut": "#bd9657", "plank": "#b89468", "plank_edge": "#705433",
    "roof": "#b3b0aa", "roof_light": "#c9c6c0", "roof_dark": "#97948e", "roof_edge": "#55524c",
    "door": "#5a3f28", "hedge": "#6f8546", "hedge_dark": "#43552c", "earth": "#8a7a55",
    "wall": "#a5a19a", "wall_dark": "#5c5953", "fence": "#75603f", "rail": "#5a5650", "other": "#d8cdb6",
    "smoke": "#8d8f93", "smoke_light": "#c9cacc", "template": "#a02f5c", "zone": "#7a6a35", "base": "#f3ead2",
    "red": "#c8501e", "red_dark": "#7d2c0a", "red_tint": "#f6dcc4", "red_label": "#9c3a0f",
    "blue": "#2b5c9e", "blue_dark": "#163560", "blue_tint": "#d5e1f0", "blue_label": "#1e4680",
    "neutral": "#6b675e", "neutral_dark": "#3c3933", "neutral_tint": "#e6e1d4", "neutral_label": "#4a463e",
    "tag": "#2f2b24", "tag_text": "#fbf6e8", "badge": "#fffaf0", "badge_text": "#2f2b24", "track": "#4a463e",
}  # fmt: skip

DARK: Mapping[str, str] = {
    "page": "#1d1c1a", "text": "#ece5d3", "muted": "#a39a85", "halo": "#26241f", "frame": "#8a8069",
    "linen": "#3a372f", "weave": "#403d34", "grid": "#857b62",
    "hill": "#484233", "hill2": "#564d38", "hill3": "#665a3f", "contour": "#8c7a52",
    "wood": "#353927", "canopy": "#4a5433", "canopy_light": "#5a6540", "canopy_dark": "#262c18",
    "field": "#4d462c", "furrow": "#756a3e", "rough": "#454136", "stone": "#857a62",
    "water": "#3d5361", "water_light": "#5d7684", "bank": "#7d97a6", "marsh": "#3a443b", "reed": "#7f936a",
    "road": "#7d6338", "road_edge": "#a88a55", "rut": "#675029", "plank": "#76603f", "plank_edge": "#b8996a",
    "roof": "#6a6863", "roof_light": "#7c7a75", "roof_dark": "#585651", "roof_edge": "#23211e",
    "door": "#d0a878", "hedge": "#62783d", "hedge_dark": "#1f2914", "earth": "#6b5d3d",
    "wall": "#8f8b84", "wall_dark": "#24221f", "fence": "#a88c60", "rail": "#a09b92", "other": "#47433a",
    "smoke": "#9a9ca0", "smoke_light": "#77797d", "template": "#e987ad", "zone": "#c4b06a", "base": "#d9cfb5",
    "red": "#e8793f", "red_dark": "#6b2407", "red_tint": "#f3d3b8", "red_label": "#f2a274",
    "blue": "#6fa3e6", "blue_dark": "#14325c", "blue_tint": "#cfdef2", "blue_label": "#9dc2f5",
    "neutral": "#b0a998", "neutral_dark": "#38352f", "neutral_tint": "#dcd6c7", "neutral_label": "#cfc8b8",
    "tag": "#ece5d3", "tag_text": "#1d1c1a", "badge": "#2b2924", "badge_text": "#f2ecdc", "track": "#3b3832",
}  # fmt: skip

# What XML 1.0 cannot carry, not even escaped.
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """The text as it may stand between tags or in quotes."""
    return escape(UNPRINTABLE.sub("", text))


def number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """One element; `content` is markup. Underscores become hyphens, one at the end is dropped (`class_`)."""
    words = [name]
    for key, value in attributes.items():
        shown = clean(value) if isinstance(value, str) else number(value)
        words.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    return f"<{' '.join(words)}>{content}</{name}>" if content else f"<{' '.join(words)}/>"


def line_path(points: Sequence[Point], closed: bool = False) -> str:
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"


def disc_path(discs: Sequence[Disc]) -> str:
    """Many circles as one path: a wood stays one element."""
    return "".join(
        f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 1 {number(2 * r)} 0"
        f"a{number(r)} {number(r)} 0 1 1 {number(-2 * r)} 0z"
        for x, y, r in discs
    )


def noise(x: float, y: float, salt: int = 0) -> float:
    """A number in [0, 1) that looks random and depends on the spot alone."""
    mixed = (round(x * 100) * 73856093) ^ (round(y * 100) * 19349663) ^ (salt * 83492791)
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 15)) * 2246822519) & 0xFFFFFFFF
    return float((mixed ^ (mixed >> 16)) & 0xFFFF) / 0x10000


class Sheet:
    """Paper of a table's size: takes inches with north up, keeps markup in pixels with north at the top."""

    def __init__(self, depth: float, scale: float, palette: Mapping[str, str]) -> None:
        self.depth = depth
        self.scale = scale
        self.palette = palette
        self.parts: list[str] = []

    def at(self, x: float, y: float) -> Point:
        return x * self.scale, (self.depth - y) * self.scale

    def add(self, name: str, content: str = "", /, **attributes: str | float) -> None:
        self.parts.append(element(name, content, **attributes))

    def line(self, points: Sequence[Point], colour: str, width: float, /, **more: str | float) -> None:
        """A stroke; `colour` is the palette's word, `width` in inches."""
        self._stroke(line_path([self.at(*p) for p in points]), colour, width, **more)

    def ring(self, points: Sequence[Point], colour: str, width: float, /, **more: str | float) -> None:
        """A stroke that ends where it began."""
        self._stroke(line_path([self.at(*p) for p in points], closed=True), colour, width, **more)

    def _stroke(self, path: str, colour: str, width: float, /, **more: str | float) -> None:
        ink = self.palette[colour]
        self.add("path", d=path, fill="none", stroke=ink, stroke_width=width * self.scale,
                 stroke_linejoin="round", **more)  # fmt: skip

    def area(self, points: Sequence[Point], colour: str, /, **more: str | float) -> None:
        path = line_path([self.at(*p) for p in points], closed=True)
        self.add("path", d=path, fill=self.palette[colour], **more)

    def discs(self, discs: Sequence[Disc], colour: str, /, **more: str | float) -> None:
        if discs:
            path = disc_path([(*self.at(x, y), r * self.scale) for x, y, r in discs])
            self.add("path", d=path, fill=self.palette[colour], **more)

    def inches(self, *lengths: float) -> str:
        return " ".join(number(length * self.scale) for length in lengths)


# Little geometry that painting needs.


def signed_area(points: Sequence[Point]) -> float:
    pairs = zip(points, [*points[1:], *points[:1]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def middle(points: Sequence[Point]) -> Point:
    count = max(1, len(points))
    return sum(p[0] for p in points) / count, sum(p[1] for p in points) / count


def edges(points: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Each edge of an area with its unit normal inwards."""
    sense = 1.0 if signed_area(points) > 0 else -1.0
    found = []
    for a, b in zip(points, [*points[1:], points[0]], strict=True):
        length = math.dist(a, b)
        if length > 0:
            found.append((a, b, (sense * (a[1] - b[1]) / length, sense * (b[0] - a[0]) / length)))
    return found


def spans(points: Sequence[Point], along: Point, gap: float) -> list[tuple[Point, Point]]:
    """Parallel lines `gap` apart in the direction of the unit vector `along`, cut to the area."""
    ux, uy = along
    turned = [(x * ux + y * uy, y * ux - x * uy) for x, y in points]
    low, high = min(v for _, v in turned), max(v for _, v in turned)
    sides = list(zip(turned, [*turned[1:], turned[0]], strict=True))
    found = []
    for row in range(math.floor(low / gap), math.ceil(high / gap) + 1):
        v = (row + 0.5) * gap
        cuts = sorted(a[0] + (v - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) for a, b in sides if (a[1] > v) != (b[1] > v))
        for u0, u1 in zip(cuts[::2], cuts[1::2], strict=False):
            found.append(((u0 * ux - v * uy, u0 * uy + v * ux), (u1 * ux - v * uy, u1 * uy + v * ux)))
    return found


def rows_along(points: Sequence[Point], gap: float) -> list[tuple[Point, Point]]:
    """Parallel lines along the longest side."""
    a, b, _ = max(edges(points), key=lambda e: round(math.dist(e[0], e[1]), 6))
    length = math.dist(a, b)
    return spans(points, ((b[0] - a[0]) / length, (b[1] - a[1]) / length), gap)


def scatter(points: Sequence[Point], gap: float) -> list[Point]:
    """Spots strewn over an area, about one per square of `gap` inches, none at its very edge."""
    found = []
    for (x0, y), (x1, _) in spans(points, (1.0, 0.0), gap):
        for column in range(math.ceil(x0 / gap - 0.5), math.floor(x1 / gap - 0.5) + 1):
            x = (column + 0.5) * gap
            x += (noise(x, y, 1) - 0.5) * gap * 0.7
            if x0 + gap * 0.15 <= x <= x1 - gap * 0.15:
                found.append((x, y + (noise(x, y, 2) - 0.5) * gap * 0.3))
    return found


def inset(points: Sequence[Point], by: float) -> list[Point]:
    """The outline moved inwards; for roofs, where a sharp corner may stay a little out of true."""
    sides = edges(points)
    moved = []
    for (_, _, n0), (corner, _, n1) in zip([sides[-1], *sides[:-1]], sides, strict=True):
        share = by / max(0.4, 1 + n0[0] * n1[0] + n0[1] * n1[1])
        moved.append((corner[0] + (n0[0] + n1[0]) * share, corner[1] + (n0[1] + n1[1]) * share))
    return moved


def bumps(points: Sequence[Point], depth: float, step: float, radius: float) -> list[Disc]:
    """Discs along the inside of an outline, like the crowns at the edge of a wood."""
    found = []
    for a, b, (nx, ny) in edges(points):
        count = max(1, round(math.dist(a, b) / step))
        for k in range(count):
            share = (k + 0.5) / count
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            inwards = depth * (0.8 + 0.5 * noise(x, y, 3))
            found.append((x + nx * inwards, y + ny * inwards, radius * (0.8 + 0.4 * noise(x, y, 4))))
    return found


# The brushes: each paints all features of one look.


class Ink(NamedTuple):
    """One stroke of several that make a line: the palette's word, the width and the dashes in inches."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()


LINES: Mapping[Look, tuple[Ink, ...]] = {
    "road": (Ink("road_edge", 1.7), Ink("road", 1.5), Ink("rut", 0.12, (1.6, 1.1))),
    "track": (Ink("road_edge", 1.15), Ink("road", 1.0), Ink("rut", 0.1, (0.8, 0.8))),
    "railway": (Ink("plank_edge", 0.9, (0.2, 0.5)), Ink("rail", 0.45), Ink("linen", 0.25)),
    "river": (Ink("bank", 2.2), Ink("water", 2.0), Ink("water_light", 0.1, (1.3, 1.7))),
    "stream": (Ink("bank", 0.95), Ink("water", 0.75), Ink("water_light", 0.1, (0.9, 1.3))),
    "hedge": (Ink("hedge_dark", 0.5), Ink("hedge_dark", 0.68, (0, 0.62)), Ink("hedge", 0.5, (0, 0.62))),
    "bocage": (Ink("earth", 1.15), Ink("hedge_dark", 1.0, (0, 0.85)), Ink("hedge", 0.78, (0, 0.85))),
    "wall": (Ink("wall_dark", 0.42), Ink("wall", 0.26), Ink("wall_dark", 0.26, (0.06, 0.54))),
    "high-wall": (Ink("wall_dark", 0.7), Ink("wall", 0.5), Ink("wall_dark", 0.5, (0.07, 0.63))),
    "fence": (Ink("fence", 0.1), Ink("fence", 0.42, (0.12, 0.88))),
    "wire": (Ink("muted", 0.07), Ink("muted", 0.5, (0.06, 0.34))),
    "trench": (Ink("earth", 1.0), Ink("rut", 0.55)),
    "other": (Ink("muted", 0.2, (0.4, 0.3)),),
}


def paint_lines(look: Look, sheet: Sheet, features: Sequence[Feature]) -> None:
    """Ink by ink over all lines, so that roads join at a crossing."""
    inks = LINES[look]
    # The last solid stroke is the body of the line; an area of the kind is filled with its colour.
    fill = next((ink.colour for ink in reversed(inks) if not ink.dashes), look)
    if look in ("hedge", "bocage"):
        fill = "hedge"
    for feature in features:
        if feature.closed:
            sheet.ring(feature.points, inks[0].colour, 0.2)
    for ink in inks:
        round_dots = ink.dashes[:1] == (0,)
        more: dict[str, str | float] = {"stroke_linecap": "round"} if round_dots or not ink.dashes else {}
        if ink.dashes:
            more["stroke_dasharray"] = sheet.inches(*ink.dashes)
        for feature in features:
            if not feature.closed:
                sheet.line(feature.points, ink.colour, ink.width, **more)
    for feature in features:
        if feature.closed:
            sheet.area(feature.points, fill)
            if look in ("river", "stream"):
                _ripples(sheet, feature)


def _ripples(sheet: Sheet, feature: Feature) -> None:
    for x, y in scatter(feature.points, 2.0):
        a, b = sheet.at(x - 0.4, y)
        wave = f"M{number(a)} {number(b)}q{sheet.inches(0.2, -0.22, 0.4, 0)}t{sheet.inches(0.4, 0)}"
        sheet.add("path", d=wave, fill="none", stroke=sheet.palette["water_light"],
                  stroke_width=0.09 * sheet.scale, stroke_linecap="round")  # fmt: skip


def paint_hill(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Low ground first; each higher step a darker shade, short strokes running down from its contour."""
    tops = sorted({feature.floor + feature.height for feature in features})
    peaks = [(f.floor + f.height, middle(f.points)) for f in features if f.floor + f.height > tops[0]]
    for feature in sorted(features, key=lambda f: f.floor + f.height):
        shade = min(3, 1 + tops.index(feature.floor + feature.height))
        sheet.area(feature.points, "hill" if shade == 1 else f"hill{shade}")
        sheet.ring(feature.points, "contour", 0.11)
        if not _is_stood_on(feature, peaks):
            _inner_contour(sheet, feature)
        strokes = []
        for a, b, (nx, ny) in edges(feature.points):
            count = max(1, round(math.dist(a, b) / 0.8))
            for k in range(count):
                x, y = a[0] + (b[0] - a[0]) * (k + 0.5) / count, a[1] + (b[1] - a[1]) * (k + 0.5) / count
                length = 0.4 + 0.35 * noise(x, y)
                strokes.append(line_path([sheet.at(x, y), sheet.at(x + nx * length, y + ny * length)]))
        sheet.add("path", d="".join(strokes), fill="none", stroke=sheet.palette["contour"],
                  stroke_width=0.07 * sheet.scale, opacity=0.75)  # fmt: skip


def _is_stood_on(feature: Feature, peaks: Sequence[tuple[float, Point]]) -> bool:
    """Whether the middle of a higher hill lies over a feature."""
    xs, ys = zip(*feature.points, strict=True)
    west, east, south, north, top = min(xs), max(xs), min(ys), max(ys), feature.floor + feature.height
    return any(height > top and west < x < east and south < y < north for height, (x, y) in peaks)


def _inner_contour(sheet: Sheet, feature: Feature) -> None:
    cx, cy = middle(feature.points)
    # Shrinking towards the middle stays inside only where every edge can be seen from there.
    if all((cx - a[0]) * nx + (cy - a[1]) * ny > 1.5 for a, _, (nx, ny) in edges(feature.points)):
        for share in (0.68, 0.36):
            ring = [(cx + (x - cx) * share, cy + (y - cy) * share) for x, y in feature.points]
            sheet.area(ring, "contour", fill_opacity=0.1)
            sheet.ring(ring, "contour", 0.06, stroke_opacity=0.6)


def paint_wood(sheet: Sheet, features: Sequence[Feature]) -> None:
    """The ground of the wood with its true edge, and a canopy of crowns on it."""
    for feature in features:
        crowns = bumps(feature.points, 0.55, 1.05, 0.58) if feature.closed else []
        crowns += [(x, y, 0.55 + 0.35 * noise(x, y, 5)) for x, y in scatter(feature.points, 1.3)]
        sheet.area(feature.points, "wood")
        sheet.discs(crowns, "canopy_dark", stroke=sheet.palette["canopy_dark"],
                    stroke_width=0.16 * sheet.scale, opacity=0.8)  # fmt: skip
        sheet.discs(crowns, "canopy")
        sheet.discs([(x - r * 0.25, y + r * 0.28, r * 0.5) for x, y, r in crowns], "canopy_light", opacity=0.75)
        sheet.ring(feature.points, "canopy_dark", 0.09, stroke_dasharray=sheet.inches(0.5, 0.25))


def paint_orchard(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        sheet.area(feature.points, "wood", stroke=sheet.palette["canopy_dark"], stroke_width=0.08 * sheet.scale)
        trees = [
            (a[0] + (b[0] - a[0]) * (k + 0.5) / n, a[1] + (b[1] - a[1]) * (k + 0.5) / n, 0.5)
            for a, b in spans(feature.points, (1.0, 0.0), 1.8)
            if (n := int(math.dist(a, b) / 1.8))
            for k in range(n)
        ]
        sheet.discs(trees, "canopy", stroke=sheet.palette["canopy_dark"], stroke_width=0.1 * sheet.scale)


def paint_field(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Furrows run along the longest side."""
    for feature in features:
        sheet.area(feature.points, "field")
        rows = rows_along(feature.points, 0.62)
        furrows = "".join(line_path([sheet.at(*start), sheet.at(*end)]) for start, end in rows)
        sheet.add("path", d=furrows, fill="none", stroke=sheet.palette["furrow"],
                  stroke_width=0.11 * sheet.scale, opacity=0.6)  # fmt: skip
        sheet.ring(feature.points, "furrow", 0.12)


def paint_rough(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        sheet.area(feature.points, "rough")
        stones = [(x, y, 0.07 + 0.13 * noise(x, y, 6) ** 2) for x, y in scatter(feature.points, 0.7)]
        sheet.discs(stones, "stone")
        sheet.ring(feature.points, "stone", 0.1, stroke_dasharray=sheet.inches(0.12, 0.3))


def paint_marsh(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Pools as short level strokes, and tufts of reed."""
    for feature in features:
        sheet.area(feature.points, "marsh", stroke=sheet.palette["bank"], stroke_width=0.09 * sheet.scale,
                   stroke_dasharray=sheet.inches(0.6, 0.3))  # fmt: skip
        tufts, pools = [], []
        for x, y in scatter(feature.points, 1.35):
            pools.append(line_path([sheet.at(x - 0.5, y - 0.1), sheet.at(x + 0.5, y - 0.1)]))
            for lean in (-0.22, 0.0, 0.22):
                tip = sheet.at(x + lean * 1.6, y + 0.5 - abs(lean) * 0.8)
                tufts.append(line_path([sheet.at(x + lean * 0.4, y), tip]))
        for strokes, colour in ((pools, "water"), (tufts, "reed")):
            sheet.add("path", d="".join(strokes), fill="none", stroke=sheet.palette[colour],
                      stroke_width=0.1 * sheet.scale, stroke_linecap="round")  # fmt: skip


def paint_building(sheet: Sheet, features: Sequence[Feature]) -> None:
    """A hipped roof lit from the north-west, its ridge, and a door in the longest wall."""
    for feature in features:
        walls = edges(feature.points)
        sheet.area([(x + 0.22, y - 0.22) for x, y in feature.points], "text", opacity=0.22)
        sheet.area(feature.points, "roof")
        for (a, b, (nx, ny)), (ridge_a, ridge_b) in zip(walls, _ridges(feature.points), strict=True):
            tone = "roof_light" if nx - ny > 0 else "roof_dark"
            sheet.area([a, b, ridge_b, ridge_a], tone, stroke=sheet.palette["roof_edge"],
                       stroke_width=0.06 * sheet.scale, stroke_linejoin="round")  # fmt: skip
        sheet.ring(feature.points, "roof_edge", 0.16)
        a, b, (nx, ny) = max(walls, key=lambda e: (round(math.dist(e[0], e[1]), 3), -(e[0][1] + e[1][1])))
        half = min(0.4, math.dist(a, b) / 5) / math.dist(a, b)
        door = [(a[0] + (b[0] - a[0]) * s + nx * 0.1, a[1] + (b[1] - a[1]) * s + ny * 0.1)
                for s in (0.5 - half, 0.5 + half)]  # fmt: skip
        sheet.line(door, "door", 0.32)


def _ridges(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """For each wall the two points of the roof above its ends: a ridge over four walls, else a flat top."""
    walls = edges(points)
    if len(walls) != 4:
        shrunk = inset(points, min(0.7, math.sqrt(abs(signed_area(points))) / 6))
        return list(zip(shrunk, [*shrunk[1:], shrunk[0]], strict=True))
    first = 0 if math.dist(*walls[0][:2]) <= math.dist(*walls[1][:2]) else 1
    ends = [middle(walls[(first + k) % 4][:2]) for k in (0, 2)]
    near, far = ((ends[0][0] * (1 - s) + ends[1][0] * s, ends[0][1] * (1 - s) + ends[1][1] * s)
                 for s in (0.22, 0.78))  # fmt: skip
    around = [(near, near), (near, far), (far, far), (far, near)]
    return around[-first:] + around[:-first] if first else around


def paint_ruin(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        sheet.area(feature.points, "rough")
        sheet.discs([(x, y, 0.1 + 0.15 * noise(x, y)) for x, y in scatter(feature.points, 0.6)], "roof_dark")
        sheet.ring(feature.points, "roof_edge", 0.34, stroke_dasharray=sheet.inches(1.4, 0.5))


def paint_bridge(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        sheet.area(feature.points, "plank", stroke=sheet.palette["plank_edge"], stroke_width=0.2 * sheet.scale)
        _, _, across = max(edges(feature.points), key=lambda e: round(math.dist(e[0], e[1]), 6))
        planks = [line_path([sheet.at(*s), sheet.at(*e)]) for s, e in spans(feature.points, across, 0.5)]
        sheet.add("path", d="".join(planks), fill="none", stroke=sheet.palette["plank_edge"],
                  stroke_width=0.06 * sheet.scale)  # fmt: skip


def paint_smoke(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        smoke(sheet, feature.points)


def smoke(sheet: Sheet, points: Sequence[Point]) -> None:
    """Soft puffs in one translucent group: where puffs overlap the smoke is no thicker."""
    puffs = bumps(points, 0.35, 0.9, 0.62)
    light = [(x, y, 0.5 + 0.5 * noise(x, y, 7)) for x, y in scatter(points, 1.4)]
    inner = Sheet(sheet.depth, sheet.scale, sheet.palette)
    inner.area(points, "smoke")
    inner.discs(puffs, "smoke")
    inner.discs(light, "smoke_light", opacity=0.55)
    sheet.add("g", "".join(inner.parts), opacity=0.62)


def paint_other(sheet: Sheet, features: Sequence[Feature]) -> None:
    for feature in features:
        sheet.area(feature.points, "other", stroke=sheet.palette["muted"], stroke_width=0.1 * sheet.scale,
                   stroke_dasharray=sheet.inches(0.3, 0.3))  # fmt: skip


def paint_wire(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Rolls of wire: crosses in rows along the longest side."""
    for feature in features:
        sheet.area(feature.points, "rough", opacity=0.6)
        rows = rows_along(feature.points, 0.7)
        strokes = [line_path([sheet.at(*start), sheet.at(*end)]) for start, end in rows]
        for (ax, ay), (bx, by) in rows:
            count = max(1, int(math.dist((ax, ay), (bx, by)) / 0.6))
            for k in range(count):
                x, y = ax + (bx - ax) * (k + 0.5) / count, ay + (by - ay) * (k + 0.5) / count
                strokes += [line_path([sheet.at(x - 0.16, y - up), sheet.at(x + 0.16, y + up)]) for up in (0.22, -0.22)]
        sheet.add("path", d="".join(strokes), fill="none", stroke=sheet.palette["rail"],
                  stroke_width=0.06 * sheet.scale, stroke_linecap="round")  # fmt: skip
        sheet.ring(feature.points, "rail", 0.07, stroke_dasharray=sheet.inches(0.2, 0.2))


def paint_mines(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Mines that everybody knows of: dots within a dashed line."""
    for feature in features:
        sheet.area(feature.points, "rough", opacity=0.5)
        sheet.discs([(x, y, 0.17) for x, y in scatter(feature.points, 1.0)], "red_dark")
        sheet.ring(feature.points, "red_label", 0.1, stroke_dasharray=sheet.inches(0.6, 0.3))


def paint_wreck(sheet: Sheet, features: Sequence[Feature]) -> None:
    """Burnt metal: a dark patch, sparks of rust, a broken cross."""
    for feature in features:
        sheet.area(feature.points, "track", stroke=sheet.palette["wall_dark"], stroke_width=0.1 * sheet.scale)
        rust = [(x, y, 0.06 + 0.1 * noise(x, y)) for x, y in scatter(feature.points, 0.45)]
        sheet.discs(rust, "red", opacity=0.55)
        cx, cy = middle(feature.points)
        arms = [[sheet.at(cx, cy), sheet.at(cx + (x - cx) * 0.7, cy + (y - cy) * 0.7)] for x, y in feature.points]
        sheet.add("path", d="".join(line_path(arm) for arm in arms), fill="none", stroke=sheet.palette["stone"],
                  stroke_width=0.1 * sheet.scale, stroke_linecap="round")  # fmt: skip


AREAS: Mapping[Look, Callable[[Sheet, Sequence[Feature]], None]] = {
    "hill": paint_hill, "field": paint_field, "rough": paint_rough, "marsh": paint_marsh, "wood": paint_wood,
    "orchard": paint_orchard, "building": paint_building, "ruin": paint_ruin, "bridge": paint_bridge,
    "wire": paint_wire, "mines": paint_mines, "wreck": paint_wreck, "smoke": paint_smoke, "other": paint_other,
}  # fmt: skip

ORDER: tuple[Look, ...] = get_args(Look)


def paint_terrain(sheet: Sheet, features: Sequence[Feature], looks: Mapping[str, Look]) -> None:
    """All features, from the ground up."""
    looked = [(look_of(feature.kind, looks), feature) for feature in features]
    for look in ORDER:
        # Roads, waters and walls may be areas or lines; a wood that is not closed falls back to a plain line.
        alike = [feature for name, feature in looked if name == look]
        areas = [feature for feature in alike if look in AREAS and _has_area(feature)]
        lines = [f for f in alike if not (look in AREAS and _has_area(f)) and len(f.points) > 1]
        if areas:
            AREAS[look](sheet, areas)
        if lines:
            paint_lines(look if look in LINES else "other", sheet, lines)


def _has_area(feature: Feature) -> bool:
    return feature.closed and abs(signed_area(feature.points)) > 1e-9
