"""Moments of battles, made by chance, that lie on the borders of the rules: exact limits, corners, edges.

Troops stand on half inches, and so do the corners of the ground: middles lie on borders, bases touch, and distances
are 2, 6, 12 or 18 inches exactly. `table` makes such a moment and `choose` plays it so that much happens.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.questions import Assign, Choose, MovePieces, Question, Refusal
from sandtable.testing.umpire.tr14.arsenal import kinds
from sandtable.testing.umpire.tr14.geometry import Pose, Spot, base, corners

LIMITS = (0.0, 0.1, 2.0, 4.0, 6.0, 6.0, 9.0, 10.0, 12.0, 12.0, 12.01, 16.0, 18.0, 18.0, 18.01, 22.0, 24.0)
BARELY = 0.0005
AREAS = ("wood", "wood", "field", "building", "smoke", "rough", "marsh", "hill", "road")
LINES = ("wall", "high-wall", "fence", "hedge", "bocage", "stream", "river")
HEIGHTS = {"wood": 3.0, "building": 4.0, "high-wall": 2.0, "bocage": 2.0, "wall": 0.5}

PLATOONS: tuple[tuple[str, ...], ...] = (
    ("rifle", "rifle", "rifle", "lmg", "bazooka"),
    ("smg", "rifle", "panzerfaust", "panzerschreck", "lmg"),
    ("rifle", "smg", "smg"),
    ("rifle", "hmg", "hmg"),
    ("rifle", "57mm", "57mm"),
    ("rifle", "pak40", "pak40", "lmg"),
    ("m4-sherman", "m4-sherman", "m3-stuart"),
    ("panzer-iv", "panzer-iv"),
    ("stug-iii-g", "panther"),
    ("tiger-i", "m3-stuart"),
    ("jeep", "truck", "truck"),
    ("rifle", "rifle", "truck", "m4-sherman"),
    ("rifle", "mortar-60mm", "mortar-60mm", "mortar-60mm"),
    ("rifle", "mortar-81mm", "mortar-81mm", "mortar-81mm", "mortar-81mm", "mortar-81mm"),
    ("rifle", "105mm", "105mm", "105mm"),
    ("rifle", "105mm", "105mm", "105mm", "105mm", "105mm"),
    ("rifle", "nebelwerfer-15cm", "nebelwerfer-15cm", "nebelwerfer-15cm"),
)


class Dealer:
    """Sets up one moment."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.width = self.random.choice((24.0, 30.0, 36.0, 48.0))
        self.depth = self.random.choice((24.0, 30.0, 36.0))
        self.terrain: list[dict[str, Any]] = []
        self.placed: list[tuple[str, Pose]] = []

    def half(self, low: float, high: float) -> float:
        """Some number of half inches."""
        return self.random.randint(round(2 * low), round(2 * high)) / 2

    def table(self) -> dict[str, Any]:
        random = self.random
        for number in range(random.randint(2, 7)):
            self.terrain.append(self.piece(number))
        units: dict[str, Any] = {}
        for side in ("red", "blue"):
            for number in range(random.randint(2, 3)):
                self.platoon(units, side, f"{side}-{number}")
            if random.random() < 0.8:
                self.apart(units, side, "cc", "")
        starting = random.choice((0, 0, 4, 6))
        return {
            "table": {"width": self.width, "depth": self.depth},
            "terrain": self.terrain,
            "units": units,
            "companies": {side: {"starting": starting} for side in ("red", "blue")},
            "objectives": {"hill": {"at": [self.half(4, self.width - 4), self.half(4, self.depth - 4)]}},
            "smoke": [
                {"id": f"cloud-{n}", "at": [self.half(0, self.width), self.half(0, self.depth)], "facing": 45.0 * n}
                for n in range(random.choice((0, 0, 1, 2)))
            ],
            "rounds": random.choice((1, 2, 3)),
            "phase": "activate",
            "initiative": random.choice(("red", "blue")),
        }

    # The ground.

    def piece(self, number: int) -> dict[str, Any]:
        random = self.random
        x, y = self.half(1, self.width - 9), self.half(1, self.depth - 9)
        if random.random() < 0.45:
            kind = random.choice(LINES)
            points = [(x, y), (x + self.half(2, 8), y + random.choice((0.0, 0.0, self.half(-4, 4))))]
            if random.random() < 0.4:
                points.append((points[-1][0], points[-1][1] + self.half(2, 6)))
            if random.random() < 0.15:
                points = [(x, y), (x + 5, y), (x + 5, y + 4), (x, y + 4)]
            return self.made(number, kind, points, closed=len(points) == 4)
        wide, deep = self.half(2, 8), self.half(2, 8)
        if random.random() < 0.4:
            # A horseshoe: leaving it and coming back into it is one straight way.
            arm, gap = wide / 4, wide / 2
            points = [
                (x, y), (x + wide, y), (x + wide, y + deep), (x + arm + gap, y + deep), (x + arm + gap, y + deep / 3),
                (x + arm, y + deep / 3), (x + arm, y + deep), (x, y + deep),
            ]  # fmt: skip
        elif random.random() < 0.3:
            points = [(x, y), (x + wide, y + deep / 2), (x + wide / 2, y + deep)]
        else:
            points = [(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)]
        return self.made(number, random.choice(AREAS), points, closed=True)

    def made(self, number: int, kind: str, points: list[Spot], *, closed: bool) -> dict[str, Any]:
        inside = [[min(max(x, 0.0), self.width), min(max(y, 0.0), self.depth)] for x, y in points]
        piece: dict[str, Any] = {"id": f"{kind}-{number}", "kind": kind, "points": inside}
        if not closed:
            piece["closed"] = False
        if kind in HEIGHTS and self.random.random() < 0.7:
            piece["height"] = HEIGHTS[kind]
        return piece

    # The troops.

    def platoon(self, units: dict[str, Any], side: str, name: str) -> None:
        random = self.random
        profiles = random.choice(PLATOONS)
        teams: dict[str, Any] = {}
        anchor: Pose | None = None
        for number, profile in enumerate(profiles):
            pose = self.room_for(profile, side, anchor)
            if pose is None:
                continue
            anchor = anchor or pose
            leads = number == 0 and random.random() < 0.85
            teams[f"{name}-{number}"] = self.team(side, pose, "pl" if leads else "")
        if not teams:
            return
        units[name] = {
            "side": side,
            "training": random.choice(("green", "veteran", "elite")),
            "teams": teams,
            "starting": len(teams) + random.choice((0, 0, 0, 2, 4)),
        }
        unit = units[name]
        for flag, chance in (("activated", 0.25), ("overwatch", 0.2), ("to_ground", 0.1), ("ran", 0.1)):
            if random.random() < chance:
                unit[flag] = True
        if any(kinds()[profile].has("artillery") or "mortar" in profile for profile in profiles):
            self.apart(units, side, "fo", name)

    def team(self, side: str, pose: Pose, role: str) -> dict[str, Any]:
        random = self.random
        kind = kinds()[pose.profile]
        team: dict[str, Any] = {"profile": pose.profile, "at": [pose.x, pose.y], "facing": pose.facing}
        if role:
            team["role"] = role
        if kind.turret and random.random() < 0.4:
            team["turret"] = random.choice((0.0, 90.0, 180.0, 270.0, 45.5))
        for flag, chance in (("moved", 0.4), ("fired", 0.3), ("dug_in", 0.1)):
            if random.random() < chance and not (flag == "dug_in" and kind.type == "tank"):
                team[flag] = True
        if random.random() < 0.15 and role != "fo":
            team["markers"] = 1
        return team

    def apart(self, units: dict[str, Any], side: str, role: str, battery: str) -> None:
        pose = self.room_for("rifle", side, None)
        if pose is None:
            return
        name = f"{side}-{role}{battery[-2:]}"
        unit = {
            "side": side,
            "training": self.random.choice(("green", "veteran", "elite")),
            "apart": role,
            "teams": {f"{name}-team": self.team(side, pose, role)},
        }
        units[name] = unit | ({"battery": battery} if battery else {})

    def room_for(self, profile: str, side: str, anchor: Pose | None) -> Pose | None:
        """A free place: at an exact limit from somebody, on a border, at the table's edge, or anywhere near."""
        for _ in range(40):
            pose = self.some_place(profile, side, anchor)
            inside = all(0 <= x <= self.width and 0 <= y <= self.depth for x, y in corners(pose))
            if inside and not any(lies_on(pose, other) for _, other in self.placed):
                self.placed.append((side, pose))
                return pose
        return None

    def some_place(self, profile: str, side: str, anchor: Pose | None) -> Pose:
        random = self.random
        facing = random.choice((0.0, 90.0, 180.0, 270.0)) if random.random() < 0.85 else round(random.random() * 359, 1)
        chance = random.random()
        if anchor is not None and chance < 0.5:
            x, y = anchor.x + self.half(-5, 5), anchor.y + self.half(-5, 5)
        elif self.placed and chance < 0.75:
            return self.beside(profile, facing, side)
        elif self.terrain and chance < 0.9:
            x, y = self.on_border()
        elif chance < 0.94:
            along = kinds()[profile].depth if facing in (0.0, 180.0) else kinds()[profile].width
            x, y = self.half(2, self.width - 2), along / 2
        else:
            x, y = self.half(2, self.width - 2), self.half(2, self.depth - 2)
        return Pose(profile, x, y, facing)

    def beside(self, profile: str, facing: float, side: str) -> Pose:
        """At an exact distance from somebody, more often an enemy."""
        random = self.random
        foes = [pose for whose, pose in self.placed if whose != side]
        other = random.choice(foes if foes and random.random() < 0.7 else [pose for _, pose in self.placed])
        own = corners(Pose(profile, 0.0, 0.0, facing))
        far = corners(other._replace(x=0.0, y=0.0))
        axis = random.randrange(2)
        apart = max(corner[axis] for corner in own) + max(corner[axis] for corner in far) + random.choice(LIMITS)
        step = [self.half(-1, 1), self.half(-1, 1)]
        step[axis] = apart * random.choice((-1, 1))
        return Pose(profile, round(other.x + step[0], 2), round(other.y + step[1], 2), facing)

    def on_border(self) -> Spot:
        """On a corner of some piece of terrain, in the middle of one of its sides, or just within touch of it."""
        random = self.random
        points = random.choice(self.terrain)["points"]
        number = random.randrange(len(points))
        (x, y), (u, v) = points[number], points[(number + 1) % len(points)]
        spot = (x, y) if random.random() < 0.3 else ((x + u) / 2, (y + v) / 2)
        off = random.choice((0.0, 0.0, 0.5, -0.5, 0.6, -0.6, 0.61))
        return (round(spot[0] + off, 2), spot[1]) if random.random() < 0.5 else (spot[0], round(spot[1] + off, 2))


def lies_on(one: Pose, other: Pose) -> bool:
    """Whether two bases share any ground; touching is not enough."""
    return bool(base(one, BARELY).intersects(base(other, BARELY)))


def table(seed: int) -> dict[str, Any]:
    """A moment of a battle as a set-up in plain data."""
    return Dealer(seed).table()


# Play in which much happens.

FAVOURED = {
    "action": ("assault", "barrage", "overwatch", "run", "move-and-fire"),
    "react": (),
    "direct-fire": (),
    "shift-suppression": (),
    "appoint": (),
    "extra-charge": ("yes",),
    "barrage": ("shells",),
    "cc-reroll": ("yes",),
}
IDLE = {"none", "pass", "no"}


def choose(question: Question, random: Random) -> Any:
    """An answer by chance, with a liking for assaults, barrages, Overwatch and reaction."""
    if isinstance(question, Choose) and question.topic in FAVOURED and random.random() < 0.65:
        options = [option.id for option in question.options]
        liked = [option for option in options if option in FAVOURED[question.topic]]
        busy = liked or [option for option in options if option not in IDLE]
        if busy:
            return random.choice(busy)
    if isinstance(question, Assign):
        for _ in range(3):
            answer = question.sample(random)
            if answer:
                return answer
    if isinstance(question, MovePieces) and random.random() < 0.7:
        for _ in range(4):
            checked = question.check(bold_move(question, random))
            if not isinstance(checked, Refusal) and checked:
                return checked
    return question.sample(random)


def bold_move(question: MovePieces, random: Random) -> dict[str, Any]:
    """One Team, or a few, by exact distances, round corners, or with a leader's help."""
    pieces = question.pieces()
    steps: dict[str, Any] = {}
    for piece in random.sample(pieces, random.randint(1, min(3, len(pieces)))):
        if piece.at is None:
            return {}
        reach = piece.reach or 6.0
        far = random.choice((reach, reach, reach / 2, reach + 4.0, 0.5, 0.0))
        dx, dy = random.choice(((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.6, 0.8), (-0.8, 0.6)))
        x, y = piece.at
        step: dict[str, Any] = {"to": [round(x + dx * far, 2), round(y + dy * far, 2)]}
        if random.random() < 0.35:
            part = random.choice((0.25, 0.5, 0.75))
            corner = [round(x + dx * far * part, 2), round(y + dy * far * part, 2)]
            rest = far * (1 - part)
            step = {"via": [corner], "to": [round(corner[0] + dy * rest, 2), round(corner[1] - dx * rest, 2)]}
        if random.random() < 0.5:
            step["facing"] = random.choice((0.0, 90.0, 180.0, 270.0, 30.0))
        steps[piece.id] = step
    return steps
