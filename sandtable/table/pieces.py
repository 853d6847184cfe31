"""Bases as they are drawn: in inches, with the front upwards, then turned and set down."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from sandtable.table.scene import Piece
from sandtable.table.shapes import heading
from sandtable.table.svg import Sheet, clean, element, number


def side_ink(side: str) -> str:
    """The palette's word for a side; any other side is neutral."""
    return side if side in ("red", "blue") else "neutral"


def standing(sheet: Sheet, x: float, y: float, facing: float = 0.0) -> str:
    px, py = sheet.at(x, y)
    turn = f" rotate({number(facing)})" if facing else ""
    return f"translate({number(px)} {number(py)}){turn} scale({number(sheet.scale)})"


def _rect(w: float, d: float, fill: str, **more: str | float) -> str:
    return element("rect", x=-w / 2, y=-d / 2, width=w, height=d, fill=fill, **more)


def paint_piece(sheet: Sheet, piece: Piece) -> None:
    side = side_ink(piece.side)
    inks = {name: sheet.palette[f"{side}{suffix}"]
            for name, suffix in (("main", ""), ("dark", "_dark"), ("tint", "_tint"))}  # fmt: skip
    inks["track"] = sheet.palette["track"]
    w, d = piece.footprint.width, piece.footprint.depth
    if piece.footprint.shape == "circle":
        d = w
    body = [element("title", clean(piece.title or piece.label or piece.id))]
    body += _base(piece, w, d, side, inks)
    body.append(element("path", d=f"M-.2 {number(-d / 2)}L0 {number(-d / 2 - 0.3)}L.2 {number(-d / 2)}z",
                        fill=inks["main"], stroke=inks["dark"], stroke_width=0.05))  # fmt: skip
    turn = None if piece.place.turret is None else piece.place.turret - piece.place.facing
    body += SYMBOLS.get(piece.kind, _marker)(w, d, turn, inks)
    classes = f"piece {piece.kind} {side}{' hidden' if piece.hidden else ''}"
    sheet.add("g", "".join(body), class_=classes, data_id=piece.id, opacity=0.7 if piece.hidden else 1.0,
              transform=standing(sheet, piece.place.x, piece.place.y, piece.place.facing))  # fmt: skip


def _base(piece: Piece, w: float, d: float, side: str, inks: Mapping[str, str]) -> list[str]:
    """The base and its border: one thick line, a double one for blue, dots for others; dashes when hidden."""
    thick = 0.09 if side == "blue" else 0.15
    border: dict[str, str | float] = {"stroke": inks["main"], "stroke_width": thick}
    if piece.hidden:
        border["stroke_dasharray"] = "0.28 0.2"
    elif side == "neutral":
        border["stroke_dasharray"] = "0.1 0.1"

    def outline(shrink: float, fill: str, **more: str | float) -> str:
        if piece.footprint.shape == "circle":
            return element("circle", r=max(0.02, w / 2 - shrink), fill=fill, **more)
        return _rect(max(0.05, w - 2 * shrink), max(0.05, d - 2 * shrink), fill, rx=0.08, **more)

    # The shadow falls south-east whichever way the base is turned.
    sin, cos = heading(piece.place.facing)
    shadow = f"translate({number(0.07 * cos + 0.09 * sin)} {number(0.09 * cos - 0.07 * sin)})"
    parts = [
        element("g", outline(0.0, "#000", opacity=0.25), transform=shadow),
        outline(thick / 2, inks["tint"], **border),
    ]
    if side == "blue" and not piece.hidden:
        parts.append(outline(0.16, "none", stroke=inks["main"], stroke_width=0.05))
    return parts


Symbol = Callable[[float, float, float | None, Mapping[str, str]], list[str]]


def _man(x: float, y: float, inks: Mapping[str, str], rifle: bool = True) -> str:
    gun = f"M{number(x + 0.1)} {number(y + 0.05)}v-.31"
    arm = element("path", d=gun, stroke=inks["dark"], stroke_width=0.06) if rifle else ""
    return arm + element("circle", cx=x, cy=y, r=0.14, fill=inks["main"], stroke=inks["dark"], stroke_width=0.05)


def _infantry(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    count = max(1, min(9, round(w * d * 3)))
    rows = [count] if d < 0.8 or count < 3 else [math.ceil(count / 2), count // 2]
    spots = []
    for row, men in enumerate(rows):
        y = 0.07 + (row - (len(rows) - 1) / 2) * d * 0.4
        step = (w - 0.4) / max(rows)
        spots += [((k - (men - 1) / 2) * step, y) for k in range(men)]
    return [_man(x, y, inks) for x, y in spots]


def _figure(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    size = max(0.6, min(w, d) * 1.4)
    return [element("g", _man(0, 0, inks), transform=f"scale({number(size)})")]


FLAG = "M.3 .2V-1.05M.3 -1.02h.75l-.18 .22 .18 .22h-.75"
STRIPES = "M-.3 .3L0 .48L.3 .3M-.3 .14L0 .32L.3 .14"
"""A leader's flag, and a sergeant's stripes, on a base of an inch."""


def _officer(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    pole = element("path", d=FLAG, fill=inks["main"], stroke=inks["dark"], stroke_width=0.08, stroke_linejoin="round")
    return [*_figure(w, d, turn, inks), pole]


def _nco(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    return [
        *_figure(w, d, turn, inks),
        element("path", d=STRIPES, fill="none", stroke=inks["dark"], stroke_width=0.09),
    ]


def _rider(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    """A horse from above, and who sits on it."""
    neck = f"M0 {number(-d * 0.16)}L0 {number(-d * 0.42)}"
    return [
        element("ellipse", cy=d * 0.06, rx=w * 0.17, ry=d * 0.34, fill=inks["dark"], opacity=0.75),
        element("path", d=neck, stroke=inks["dark"], stroke_width=w * 0.15, stroke_linecap="round", opacity=0.75),
        *_figure(w * 0.62, d * 0.62, turn, inks),
    ]


def _casualty(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    """Whoever lies wounded: a cross instead of a man."""
    r = number(min(w, d) * 0.2)
    return [element("path", d=f"M-{r} -{r}L{r} {r}M{r} -{r}L-{r} {r}", stroke=inks["dark"], stroke_width=0.1)]


def _gun(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    """Trails, wheels, shield and barrel; the crew beside the trails."""
    trails = f"M0 0L{number(-w * 0.2)} {number(d * 0.4)}M0 0L{number(w * 0.2)} {number(d * 0.4)}"
    wheels = f"M{number(-w * 0.25)} -.18v.42M{number(w * 0.25)} -.18v.42"
    return [
        element("path", d=trails, stroke=inks["dark"], stroke_width=0.1, stroke_linecap="round"),
        element("path", d=wheels, stroke=inks["track"], stroke_width=0.16, stroke_linecap="round"),
        element("path", d=f"M0 .15V{number(-d * 0.62)}", stroke=inks["dark"], stroke_width=0.17),
        element("path", d=f"M{number(-w * 0.3)} -.12L0 -.22L{number(w * 0.3)} -.12", fill="none",
                stroke=inks["main"], stroke_width=0.15, stroke_linejoin="round"),
        _man(-w * 0.31, d * 0.29, inks, rifle=False),
        _man(w * 0.31, d * 0.29, inks, rifle=False),
    ]  # fmt: skip


def _turret(size: float, barrel: float, turn: float, inks: Mapping[str, str]) -> str:
    """A cut-off octagon with its barrel, on its own bearing."""
    a, b = number(size), number(size * 0.5)
    ring = f"M-{b} -{a}H{b}L{a} -{b}V{b}L{b} {a}H-{b}L-{a} {b}V-{b}z"
    body = [
        element("path", d=f"M0 0V{number(-barrel)}", stroke=inks["dark"], stroke_width=0.2),
        element("path", d=f"M0 {number(0.2 - barrel)}V{number(-barrel)}", stroke=inks["dark"], stroke_width=0.28),
        element("path", d=ring, fill=inks["main"], stroke=inks["dark"], stroke_width=0.08),
        element("circle", cx=-size * 0.25, cy=size * 0.3, r=size * 0.3, fill=inks["dark"], opacity=0.6),
    ]
    return element("g", "".join(body), transform=f"rotate({number(turn)})")


def _tank(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    long, wide, track = d * 0.86, w * 0.8, w * 0.2
    parts = []
    for x in (-wide / 2, wide / 2 - track):
        parts.append(element("rect", x=x, y=-long / 2, width=track, height=long, rx=0.08, fill=inks["track"]))
        middle_x = number(x + track / 2)
        parts.append(element("path", d=f"M{middle_x} {number(-long / 2 + 0.05)}V{number(long / 2 - 0.05)}",
                             stroke=inks["tint"], stroke_width=track * 0.8, stroke_dasharray="0.05 0.13",
                             opacity=0.45))  # fmt: skip
    hull = wide - 2 * track + 0.08
    parts.append(_rect(hull, long * 0.94, inks["tint"], rx=0.06))
    parts.append(_rect(hull, long * 0.94, inks["main"], rx=0.06, fill_opacity=0.7, stroke=inks["dark"],
                       stroke_width=0.06))  # fmt: skip
    parts.append(element("path", d=f"M{number(-hull / 2)} {number(-long * 0.3)}H{number(hull / 2)}",
                         stroke=inks["dark"], stroke_width=0.06))  # fmt: skip
    grille = "".join(f"M{number(-hull * 0.3)} {number(long * s)}H{number(hull * 0.3)}" for s in (0.3, 0.36, 0.42))
    parts.append(element("path", d=grille, stroke=inks["dark"], stroke_width=0.05))
    return [*parts, _turret(min(w * 0.29, d * 0.24), d * 0.58, turn or 0.0, inks)]


def _vehicle(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    """Wheels, bonnet, cab and a bed under canvas; a turret when it has one."""
    long, wide = d * 0.86, w * 0.6
    wheels = "".join(f"M{number(x * wide / 2)} {number(long * y)}v{number(long * 0.16)}"
                     for x in (-1, 1) for y in (-0.4, 0.06, 0.26))  # fmt: skip
    ribs = "".join(f"M{number(-wide / 2)} {number(long * y)}H{number(wide / 2)}" for y in (0.1, 0.24, 0.38))
    parts = [
        element("path", d=wheels, stroke=inks["track"], stroke_width=0.26),
        _rect(wide, long, inks["tint"], rx=0.1),
        _rect(wide, long, inks["main"], rx=0.1, fill_opacity=0.8, stroke=inks["dark"], stroke_width=0.06),
        element("rect", x=-wide * 0.4, y=-long * 0.24, width=wide * 0.8, height=long * 0.12,
                fill=inks["tint"], stroke=inks["dark"], stroke_width=0.05),
        element("path", d=f"M{number(-wide / 2)} {number(-long * 0.04)}H{number(wide / 2)}{ribs}",
                stroke=inks["dark"], stroke_width=0.06),
    ]  # fmt: skip
    return parts if turn is None else [*parts, _turret(w * 0.2, d * 0.42, turn, inks)]


def _marker(w: float, d: float, turn: float | None, inks: Mapping[str, str]) -> list[str]:
    r = number(min(w, d) * 0.26)
    return [element("path", d=f"M0 -{r}L{r} 0L0 {r}L-{r} 0z", fill=inks["main"], stroke=inks["dark"],
                    stroke_width=0.06)]  # fmt: skip


SYMBOLS: Mapping[str, Symbol] = {
    "infantry": _infantry, "figure": _figure, "gun": _gun, "tank": _tank, "vehicle": _vehicle, "officer": _officer,
    "nco": _nco, "rider": _rider, "casualty": _casualty,
}  # fmt: skip
