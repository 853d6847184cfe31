"""A picture of a table as SVG: give a `Scene`, get a string.

Everything in a scene is already what may be shown: whoever builds it leaves out what its viewer must not see.
Sides differ by their border (red one thick line, blue a double one) and never by colour alone.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from sandtable.table.pieces import paint_piece, side_ink, standing
from sandtable.table.scene import Area, Badge, Body, Look, Path, Piece, Ring, Scene, Spot, look_of
from sandtable.table.shapes import heading
from sandtable.table.svg import (
    DARK,
    LIGHT,
    LINES,
    ORDER,
    Point,
    Sheet,
    clean,
    element,
    line_path,
    middle,
    noise,
    number,
    paint_terrain,
    smoke,
)
from sandtable.table.terrain import Feature

GRID = 12.0
ARC_REACH = 5.0  # inches that a field of fire is drawn: enough to read the angle, too short to be a range
SANS = "'Gill Sans','Gill Sans MT',Optima,'Segoe UI','Noto Sans','Liberation Sans',sans-serif"
SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,'DejaVu Serif',serif"

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels


def svg(scene: Scene, *, scale: float = 12.0, grid: bool = True, dark: bool = False) -> str:
    """The scene as one SVG document, `scale` pixels an inch. Pieces that stand off the table are left out."""
    scene = msgspec.structs.replace(scene, pieces=[p for p in scene.pieces if _on_table(scene, p)])
    palette = DARK if dark else LIGHT
    em = max(11.0, scale)
    wide, deep = scene.width * scale, scene.depth * scale
    margin = em * 2.2
    room = max(wide, em * 26)
    head = _heading(scene.title, palette, em, room)
    foot, foot_height = _foot(scene, palette, em, scale, room)
    top = margin + len(head) * em * 2.1
    total_width, total_height = room + 2 * margin, top + deep + margin + foot_height
    left = margin + (room - wide) / 2
    under, over = _layers(scene, scale, em, palette, grid)
    parts = [
        element("title", clean(scene.title or "The table")),
        element("rect", width=total_width, height=total_height, fill=palette["page"]),
        *head,
        _numbers(scene, palette, em, scale, left, top) if grid else "",
        # A nested picture cuts off what hangs over the table's edge.
        element("svg", "".join(under), x=left, y=top, width=wide, height=deep),
        element("rect", x=left, y=top, width=wide, height=deep, fill="none", stroke=palette["frame"],
                stroke_width=em * 0.16),
        element("g", "".join(over), transform=f"translate({number(left)} {number(top)})"),
        element("g", "".join(foot), transform=f"translate({number(margin)} {number(top + deep + margin)})"),
    ]  # fmt: skip
    return element(
        "svg", "\n".join(part for part in parts if part), xmlns="http://www.w3.org/2000/svg", role="img",
        viewBox=f"0 0 {number(total_width)} {number(total_height)}", width=total_width, height=total_height,
        font_family=SANS,
    ) + "\n"  # fmt: skip


def bare(scene: Scene, *, scale: float = 12.0, dark: bool = False) -> str:
    """The table alone, as a picture for a card: no frame, no words, nothing beside it."""
    wide, deep = scene.width * scale, scene.depth * scale
    sheet = Sheet(scene.depth, scale, DARK if dark else LIGHT)
    _lay(sheet, scene)
    _set(sheet, scene)
    return element(
        "svg", "\n".join(sheet.parts), xmlns="http://www.w3.org/2000/svg", role="img",
        viewBox=f"0 0 {number(wide)} {number(deep)}", width=wide, height=deep, font_family=SANS,
    ) + "\n"  # fmt: skip


def _on_table(scene: Scene, piece: Piece) -> bool:
    return 0 <= piece.place.x <= scene.width and 0 <= piece.place.y <= scene.depth


def _layers(
    scene: Scene, scale: float, em: float, palette: Mapping[str, str], grid: bool
) -> tuple[list[str], list[str]]:
    """What is cut at the table's edge, and what may reach over it."""
    under, over = Sheet(scene.depth, scale, palette), Sheet(scene.depth, scale, palette)
    _lay(under, scene)
    if grid:
        _grid(under, scene)
    for area in scene.areas:
        _area(under, area)
    for spot in scene.spots:
        _ring(under, spot)
    for body in scene.bodies:
        _outline(under, body)
    places = {piece.id: piece for piece in scene.pieces}
    for ring in scene.rings:
        if ring.id in places:
            _carries(under, ring, places[ring.id])
    for piece in scene.pieces:
        _arc(under, piece)
    for path in scene.paths:
        _arrow(under, path)
    _set(over, scene)
    _write(over, scene, em)
    return under.parts, over.parts


def _lay(sheet: Sheet, scene: Scene) -> None:
    _ground(sheet, scene)
    paint_terrain(sheet, scene.features, scene.looks)


def _set(sheet: Sheet, scene: Scene) -> None:
    """Flags and bases."""
    for spot in scene.spots:
        _flag(sheet, spot)
    for piece in scene.pieces:
        paint_piece(sheet, piece)


def _ground(sheet: Sheet, scene: Scene) -> None:
    """Linen: a plain colour and a few threads."""
    s = sheet.scale
    sheet.area([(0, 0), (scene.width, 0), (scene.width, scene.depth), (0, scene.depth)], "linen")
    threads = []
    for row in range(int(scene.depth * 2)):
        start = noise(row, scene.width) * scene.width
        length = 4 + 8 * noise(row, scene.depth, 1)
        threads.append(f"M{number(start * s)} {number((row + 0.5) * s / 2)}h{number(length * s)}")
    if threads:
        sheet.add("path", d="".join(threads), stroke=sheet.palette["weave"], stroke_width=0.12 * s)


def _steps(length: float, step: float) -> list[float]:
    return [k * step for k in range(1, math.ceil(length / step))]


def _grid(sheet: Sheet, scene: Scene) -> None:
    lines = [line_path([sheet.at(x, 0), sheet.at(x, scene.depth)]) for x in _steps(scene.width, GRID)]
    lines += [line_path([sheet.at(0, y), sheet.at(scene.width, y)]) for y in _steps(scene.depth, GRID)]
    if lines:
        sheet.add("path", d="".join(lines), class_="grid", fill="none", stroke=sheet.palette["grid"],
                  stroke_width=max(0.6, 0.06 * sheet.scale), opacity=0.5)  # fmt: skip


def _area(sheet: Sheet, area: Area) -> None:
    if len(area.points) < 3:
        return
    inner = Sheet(sheet.depth, sheet.scale, sheet.palette)
    kind, side = area.kind, area.side
    if kind == "smoke":
        smoke(inner, area.points)
    else:
        colour = side_ink(side) if side else kind if kind in ("template", "zone") else "neutral"
        dashes = (0.5, 0.3) if kind == "template" else (1.2, 0.5, 0.2, 0.5)
        inner.area(area.points, colour, fill_opacity=0.16 if kind == "template" else 0.09,
                   stroke=sheet.palette[colour], stroke_width=0.16 * sheet.scale,
                   stroke_dasharray=sheet.inches(*dashes))  # fmt: skip
    tip = element("title", clean(area.label or area.kind))
    sheet.add("g", tip + "".join(inner.parts), class_=f"area {area.kind}")


def _ring(sheet: Sheet, spot: Spot) -> None:
    x, y = sheet.at(spot.x, spot.y)
    side = side_ink(spot.holder)
    colour = sheet.palette[side]
    dashes = {"stroke_dasharray": sheet.inches(0.6, 0.4)} if side == "neutral" else {}
    sheet.add("circle", cx=x, cy=y, r=spot.radius * sheet.scale, fill=colour, fill_opacity=0.1,
              stroke=colour, stroke_width=0.16 * sheet.scale, **dashes)  # fmt: skip
    if side == "blue":
        sheet.add("circle", cx=x, cy=y, r=max(0.1, spot.radius - 0.3) * sheet.scale, fill="none",
                  stroke=colour, stroke_width=0.07 * sheet.scale)  # fmt: skip


def _flag(sheet: Sheet, spot: Spot) -> None:
    side = side_ink(spot.holder)
    dark, colour = sheet.palette[f"{side}_dark"], sheet.palette[side]
    held = f"held by {spot.holder}" if spot.holder else "held by nobody"
    body = [
        element("title", clean(f"{spot.label}, {held}" if spot.label else f"An objective, {held}")),
        element("ellipse", rx=0.4, ry=0.18, fill=dark, opacity=0.5),
        element("path", d="M0 -1.75h1.5l-.35 .45 .35 .45h-1.5z", fill=colour, stroke=dark,
                stroke_width=0.08, stroke_linejoin="round"),
        element("path", d="M0 0v-1.9", stroke=dark, stroke_width=0.16, stroke_linecap="round"),
    ]  # fmt: skip
    sheet.add("g", "".join(body), class_="spot", transform=standing(sheet, spot.x, spot.y))


def _arc(sheet: Sheet, piece: Piece) -> None:
    """The field of fire, from the middle of the base about the way the weapon points."""
    if piece.arc is None or piece.arc <= 0:
        return
    colour = side_ink(piece.side)
    points = _sector(piece, piece.arc, piece.footprint.depth / 2 + ARC_REACH)
    sheet.area(points, colour, class_="arc", fill_opacity=0.1, stroke=sheet.palette[colour],
               stroke_width=0.06 * sheet.scale, stroke_opacity=0.45,
               stroke_dasharray=sheet.inches(0.3, 0.2))  # fmt: skip


def _sector(piece: Piece, arc: float, reach: float) -> list[Point]:
    """What lies within an arc about the way a piece looks, from its middle out to a reach."""
    place = piece.place
    facing = place.facing if place.turret is None else place.turret
    half = min(arc, 360.0) / 2
    count = max(2, math.ceil(half / 4))
    rim = []
    for k in range(count + 1):
        sin, cos = heading(facing - half + 2 * half * k / count)
        rim.append((place.x + sin * reach, place.y + cos * reach))
    return rim if half == 180.0 else [(place.x, place.y), *rim]


def _carries(sheet: Sheet, ring: Ring, piece: Piece) -> None:
    """How far a voice carries, or what a weapon beats: a broken line and what it is."""
    inner = Sheet(sheet.depth, sheet.scale, sheet.palette)
    colour = "template" if ring.threat else side_ink(piece.side)
    inner.area(_sector(piece, ring.arc or 360.0, ring.radius), colour, fill_opacity=0.06 if ring.threat else 0.0,
               stroke=sheet.palette[colour], stroke_width=0.09 * sheet.scale, stroke_opacity=0.55,
               stroke_dasharray=sheet.inches(0.9, 0.6))  # fmt: skip
    sheet.add("g", element("title", clean(ring.label)) + "".join(inner.parts), class_="ring")


def _outline(sheet: Sheet, body: Body) -> None:
    """A soft area round a unit: its hull, as much wider as its rim, by a round stroke of the same colour."""
    side = side_ink(body.side)
    ink = sheet.palette[side]
    inner = Sheet(sheet.depth, sheet.scale, sheet.palette)
    inner.area(body.hull, side, stroke=ink, stroke_width=2 * body.rim * sheet.scale, stroke_linejoin="round",
               stroke_linecap="round")  # fmt: skip
    tip = element("title", clean(", ".join(filter(None, (body.label, body.note)))))
    sheet.add("g", tip + "".join(inner.parts), class_=f"body {side}", opacity=0.16)


def _arrow(sheet: Sheet, path: Path) -> None:
    """A shaft that stops short of its own head; blue's is hollow."""
    points = [p for n, p in enumerate(path.points) if n == 0 or p != path.points[n - 1]]
    if len(points) < 2:
        return
    (ax, ay), (bx, by) = points[-2:]
    length = math.dist((ax, ay), (bx, by))
    ux, uy = (bx - ax) / length, (by - ay) / length
    size = min(1.1, length)
    neck = (bx - ux * size, by - uy * size)
    head = [(bx, by), (neck[0] - uy * 0.55, neck[1] + ux * 0.55), (neck[0] + uy * 0.55, neck[1] - ux * 0.55)]
    side = side_ink(path.side)
    shaft = [*points[:-1], neck]
    inner = Sheet(sheet.depth, sheet.scale, sheet.palette)
    inner.line(shaft, "halo", 0.64, stroke_linecap="round", opacity=0.75)
    inner.line(shaft, side, 0.42, stroke_linecap="round")
    if side == "blue":
        inner.line(shaft, "halo", 0.14, stroke_linecap="round")
    inner.area(head, side, stroke=sheet.palette["halo"], stroke_width=0.1 * sheet.scale)
    tip = element("title", clean(path.label)) if path.label else ""
    sheet.add("g", tip + "".join(inner.parts), class_="move", opacity=0.85)


# Words, last and on top. Each finds the free spot nearest to what it names.


def _extent(text: str, size: float) -> float:
    """A generous guess of a line's length: the reader's fonts are not known here."""
    narrow, broad = " .,:;'’!|ilIjtf", "MWmw@—"
    # Far Eastern writing and pictures are as wide as they are high.
    return size * sum(0.36 if c in narrow else 0.9 if c in broad else 1.1 if c >= "\u2e80" else 0.62 for c in text)


class _Desk:
    """Where words already stand, in pixels of the table.

    Each box is noted in the cells of a grid that it touches, so that a crowded table takes no longer a word.
    """

    CELL = 64.0
    CROWDED = 24  # boxes in a cell; where so many stand, one more makes no difference

    def __init__(self, width: float, depth: float) -> None:
        self.width = width
        self.depth = depth
        self.cells: dict[tuple[int, int], list[Box]] = {}

    def take(self, box: Box) -> None:
        for cell in self._cells(box):
            taken = self.cells.setdefault(cell, [])
            if len(taken) < self.CROWDED:
                taken.append(box)

    def _cells(self, box: Box) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (math.floor(value / self.CELL) for value in box)
        return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))

    def _overlap(self, box: Box) -> float:
        covered = 0.0
        for cell in self._cells(box):
            x, y = cell[0] * self.CELL, cell[1] * self.CELL
            # Within this cell alone: a box that touches several is counted part by part.
            left, top = max(box[0], x), max(box[1], y)
            right, bottom = min(box[2], x + self.CELL), min(box[3], y + self.CELL)
            for other in self.cells.get(cell, ()):
                across, down = min(right, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
                covered += max(0.0, across) * max(0.0, down)
        return covered

    def place(self, spots: Sequence[Point], wide: float, high: float, near: Point) -> Point:
        """The centre for a box: of the spots, each pushed onto the table, the freest and nearest."""
        best: tuple[float, Point] | None = None
        for rank, (x, y) in enumerate(spots):
            x = max(wide / 2, min(self.width - wide / 2, x))
            y = max(high / 2, min(self.depth - high / 2, y))
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            cost = self._overlap(box) + rank * 0.1 + math.dist((x, y), near) * 0.4
            if best is None or cost < best[0] - 1e-6:
                best = (cost, (x, y))
        x, y = best[1] if best else near
        self.take((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        return x, y


def _box(sheet: Sheet, piece: Piece) -> Box:
    """What a base and its facing tick cover on the sheet, upright."""
    x, y = sheet.at(piece.place.x, piece.place.y)
    sin, cos = heading(piece.place.facing)
    w, d = piece.footprint.width / 2, piece.footprint.depth / 2
    across, down = w * abs(cos) + d * abs(sin), w * abs(sin) + d * abs(cos)
    if piece.footprint.shape == "circle":
        across = down = w
    across, down = (across + 0.2) * sheet.scale, (down + 0.2) * sheet.scale
    return x - across, y - down, x + across, y + down


def _around(box: Box, wide: float, high: float) -> list[Point]:
    """Centres for a box of this size below, above, right and left of another."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return [(x, box[3] + high / 2), (x, box[1] - high / 2), (box[2] + wide / 2, y), (box[0] - wide / 2, y)]


def _write(sheet: Sheet, scene: Scene, em: float) -> None:
    desk = _Desk(scene.width * sheet.scale, scene.depth * sheet.scale)
    for piece in scene.pieces:
        desk.take(_box(sheet, piece))
    for spot in scene.spots:
        x, y = sheet.at(spot.x, spot.y)
        desk.take((x - em * 0.4, y - em * 1.8, x + em * 1.5, y + em * 0.3))
    for path in scene.paths:
        for x, y in (sheet.at(*point) for point in path.points[-1:]):
            desk.take((x - em * 0.8, y - em * 0.8, x + em * 0.8, y + em * 0.8))
    for piece in scene.pieces:
        _badges(sheet, desk, piece, em)
    _unit_labels(sheet, desk, scene, em)
    for spot in scene.spots:
        x, y = sheet.at(spot.x, spot.y)
        spots = _around((x - em, y - em * 1.9, x + em * 1.5, y + em * 0.2), _extent(spot.label, em), em * 1.2)
        _label(sheet, desk, spot.label, spots, (x, y), em, side_ink(spot.holder), weight=600)
    for path in scene.paths:
        if path.points:
            x, y = sheet.at(*path.points[len(path.points) // 2])
            _label(sheet, desk, path.label, [(x, y - em), (x, y + em)], (x, y), em * 0.9, "text", italic=True)
    for area in scene.areas:
        _name(sheet, desk, area.label, area.points, em)
    for feature in scene.features:
        _name(sheet, desk, feature.name, feature.points, em)


def _name(sheet: Sheet, desk: _Desk, words: str, points: Sequence[Point], em: float) -> None:
    """The name of a place: in its middle, or a little off when something stands there."""
    if not words or not points:
        return
    x, y = sheet.at(*middle(points))
    (left, bottom), (right, top) = (sheet.at(*(pick(p[k] for p in points) for k in (0, 1))) for pick in (min, max))
    spots = [(x + (right - left) * across, y + (bottom - top) * down) for down in (0, 0.2, -0.2, 0.35, -0.35)
             for across in (0, 0.15, -0.15, 0.3, -0.3)]  # fmt: skip
    spots += [(x, bottom + em * 0.7), (x, top - em * 0.7)]
    _label(sheet, desk, words, spots, (x, y), em * 0.9, "text", italic=True)


def _label(sheet: Sheet, desk: _Desk, words: str, spots: Sequence[Point], near: Point, size: float,
           colour: str, *, weight: int = 400, italic: bool = False) -> None:  # fmt: skip
    if not words:
        return
    x, y = desk.place(spots, _extent(words, size), size * 1.15, near)
    style: dict[str, str | float] = {"font_style": "italic", "font_family": SERIF} if italic else {}
    sheet.add("text", clean(words), x=x, y=y + size * 0.35, font_size=size, text_anchor="middle",
              fill=sheet.palette[colour], stroke=sheet.palette["halo"], stroke_width=size * 0.28,
              stroke_linejoin="round", paint_order="stroke", font_weight=weight, **style)  # fmt: skip


def _unit_labels(sheet: Sheet, desk: _Desk, scene: Scene, em: float) -> None:
    units: dict[tuple[str, str], list[Piece]] = {}
    bodies = {body.id: body for body in scene.bodies}
    for piece in scene.pieces:
        key = ("unit", piece.unit) if piece.unit else ("piece", piece.id)
        units.setdefault(key, []).append(piece)
    for members in units.values():
        words = next((piece.label for piece in members if piece.label), "")
        boxes = [_box(sheet, piece) for piece in members]
        centre = middle([((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in boxes])
        whole = (min(b[0] for b in boxes), min(b[1] for b in boxes),
                 max(b[2] for b in boxes), max(b[3] for b in boxes))  # fmt: skip
        wide = _extent(words, em)
        spots = _around(whole, wide, em * 1.35)
        for box in sorted(boxes, key=lambda b: math.dist(((b[0] + b[2]) / 2, (b[1] + b[3]) / 2), centre))[:3]:
            spots += _around(box, wide, em * 1.35)
        body = bodies.get(members[0].unit)
        if body is not None and body.badges:
            # Its signs stand with its name, once for all its pieces.
            _strip(sheet, desk, whole, body.side, body.badges, em)
        if body is not None and body.note:
            words = f"{words}, {body.note}"
        _label(sheet, desk, words, spots, centre, em, f"{side_ink(members[0].side)}_label", weight=700)


def _badges(sheet: Sheet, desk: _Desk, piece: Piece, em: float) -> None:
    """The leader's tag and the badges of a base."""
    title = f"{piece.leader}: {piece.title or piece.label}" if piece.leader else ""
    _strip(sheet, desk, _box(sheet, piece), piece.side, piece.badges, em, (piece.leader, title))


def _strip(sheet: Sheet, desk: _Desk, box: Box, side: str, badges: Sequence[Badge], em: float,
           leader: tuple[str, str] = ("", "")) -> None:  # fmt: skip
    """A leader's tag and badges in one strip, at the corner of a base or a unit that is freest."""
    size = em * 0.78
    texts = [f"{badge.icon}{badge.count}" if badge.count > 1 else badge.icon for badge in badges]
    tags = [(text, badge.words, False) for text, badge in zip(texts, badges, strict=True)]
    if leader[0]:
        tags.insert(0, (*leader, True))
    if not tags:
        return
    high = size * 1.45
    widths = [max(high, _extent(text, size) + size * 0.55) for text, _, _ in tags]
    wide = sum(widths)
    left, top, right, bottom = box
    out, up = wide / 2 - high * 0.55, high * 0.05
    corners = [
        (right + out, top - up),
        (left - out, top - up),
        (right + out, bottom + up),
        (left - out, bottom + up),
    ]
    x, y = desk.place(corners, wide, high, ((left + right) / 2, (top + bottom) / 2))
    x -= wide / 2
    border = sheet.palette[side_ink(side)]
    for (text, words, leads), width in zip(tags, widths, strict=True):
        fill, ink = ("tag", "tag_text") if leads else ("badge", "badge_text")
        body = [
            element("title", clean(words)),
            element("rect", x=x, y=y - high / 2, width=width, height=high, rx=high * (0.2 if leads else 0.5),
                    fill=sheet.palette[fill], stroke=border, stroke_width=size * 0.13),
            element("text", clean(text), x=x + width / 2, y=y + size * 0.36, font_size=size, font_weight=700,
                    text_anchor="middle", fill=sheet.palette[ink]),
        ]  # fmt: skip
        sheet.add("g", "".join(body), class_="badge")
        x += width


# Round the table.


def _lines(text: str, size: float, room: float) -> list[str]:
    return textwrap.wrap(text, max(8, int(room / (size * 0.6)))) if text else []


def _heading(title: str, palette: Mapping[str, str], em: float, room: float) -> list[str]:
    size = em * 1.7
    return [
        element("text", clean(line), x=em * 2.2, y=em * (2.9 + 2.1 * n), font_size=size, fill=palette["text"],
                font_family=SERIF)
        for n, line in enumerate(_lines(title, size, room))
    ]  # fmt: skip


def _numbers(scene: Scene, palette: Mapping[str, str], em: float, scale: float, left: float, top: float) -> str:
    """Inches along the south and west edge."""
    size, deep = em * 0.75, scene.depth * scale
    marks = [(left + x * scale, top + deep + size * 1.3, x) for x in _steps(scene.width, GRID)]
    marks += [(left - size * 0.9, top + deep - y * scale + size * 0.35, y) for y in _steps(scene.depth, GRID)]
    texts = [element("text", number(value), x=x, y=y) for x, y, value in marks]
    return element("g", "".join(texts), font_size=size, fill=palette["muted"], text_anchor="middle") if texts else ""


def _foot(scene: Scene, palette: Mapping[str, str], em: float, scale: float, room: float) -> tuple[list[str], float]:
    """Scale bar and north arrow, then the legend, then the caption; and how much room they take."""
    parts = [_scale_bar(palette, em, scale, scene.width), _north(palette, em, room)]
    legend, rows = _legend(scene, palette, em, room)
    parts += legend
    y = em * 3.4 + rows * em * 2.1
    for line in _lines(scene.caption, em * 1.05, room):
        parts.append(element("text", clean(line), x=0.0, y=y + em * 0.3, font_size=em * 1.05, fill=palette["text"]))
        y += em * 1.6
    return parts, y + em * 0.6


def _scale_bar(palette: Mapping[str, str], em: float, scale: float, most: float) -> str:
    long = next((inches for inches in (12, 6) if inches <= most), 2)
    half = long * scale / 2
    bar: dict[str, str | float] = {"height": em * 0.42, "stroke": palette["text"], "stroke_width": em * 0.08}
    parts = [
        element("rect", x=0.0, y=em * 0.2, width=half, fill=palette["text"], **bar),
        element("rect", x=half, y=em * 0.2, width=half, fill=palette["page"], **bar),
    ]
    for x, words, anchor in ((0.0, "0", "start"), (half, f"{number(long / 2)}″", "middle"),
                             (2 * half, f"{long}″", "middle")):  # fmt: skip
        parts.append(element("text", words, x=x, y=em * 1.6, text_anchor=anchor))
    return element("g", "".join(parts), class_="scale", font_size=em * 0.85, fill=palette["text"])


def _north(palette: Mapping[str, str], em: float, room: float) -> str:
    ink: dict[str, str | float] = {
        "stroke": palette["text"],
        "stroke_width": em * 0.07,
        "stroke_linejoin": "round",
    }
    a, b, c = (number(em * share) for share in (0.45, 1.6, 1.25))
    parts = [
        element("path", d=f"M0 0L{a} {b}L0 {c}z", fill=palette["text"], **ink),
        element("path", d=f"M0 0L-{a} {b}L0 {c}z", fill=palette["page"], **ink),
        element("text", "N", x=-em * 1.05, y=em * 1.2, font_size=em, font_family=SERIF, fill=palette["text"],
                text_anchor="middle"),
    ]  # fmt: skip
    return element("g", "".join(parts), class_="north", transform=f"translate({number(room - em * 0.6)} 0)")


def _legend(scene: Scene, palette: Mapping[str, str], em: float, room: float) -> tuple[list[str], int]:
    """A sample of each kind of terrain on the table, painted with the table's own brushes."""
    kinds: dict[str, bool] = {}
    for feature in scene.features:
        kinds.setdefault(feature.kind, feature.closed)
    looks = {kind: look_of(kind, scene.looks) for kind in kinds}
    order = sorted(kinds, key=lambda kind: ORDER.index(looks[kind]))
    parts, x, row = [], 0.0, 0
    for kind in order:
        words = kind.replace("-", " ").replace("_", " ")
        wide = em * 3.4 + _extent(words, em * 0.95) + em * 1.2
        if x and x + wide > room:
            x, row = 0.0, row + 1
        y = em * (2.7 + 2.1 * row)
        parts.append(_sample(kind, looks[kind], kinds[kind], scene, palette, em, x, y))
        parts.append(element("text", clean(words), x=x + em * 3.4, y=y + em * 1.05, font_size=em * 0.95,
                             fill=palette["text"]))  # fmt: skip
        x += wide
    return parts, row + 1 if order else 0


def _sample(
    kind: str,
    look: Look,
    closed: bool,
    scene: Scene,
    palette: Mapping[str, str],
    em: float,
    x: float,
    y: float,
) -> str:
    sheet = Sheet(1.5, em, palette)
    sheet.area([(0, 0), (3, 0), (3, 1.5), (0, 1.5)], "linen")
    as_line = look in LINES and not closed
    inner = 0.2 if look in ("building", "ruin", "wood", "hill") else 0.0
    ring = [(inner, inner), (3 - inner, inner), (3 - inner, 1.5 - inner), (inner, 1.5 - inner)]
    points = [(0.0, 0.75), (3.0, 0.75)] if as_line else ring
    paint_terrain(sheet, [Feature("sample", kind, points, not as_line)], scene.looks)
    sheet.ring([(0, 0), (3, 0), (3, 1.5), (0, 1.5)], "frame", 0.1)
    return element("svg", "".join(sheet.parts), x=x, y=y, width=em * 3, height=em * 1.5)
