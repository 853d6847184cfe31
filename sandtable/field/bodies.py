"""The question where a body in ranks goes: it marches ahead and wheels leg by leg, or forms up anew at a pose."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from random import Random
from typing import Any

import msgspec

from sandtable.engine.questions import FAR, MOST_POINTS, UNREADABLE, Answer, Piece, Question, Refusal, unread
from sandtable.field.formations import Leg, Marched, Pose, stored
from sandtable.field.troops import Point


class March(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a body does: it forms up at a pose, or stands as it does, and then marches leg by leg. Neither: it stays."""

    legs: tuple[Leg, ...] = ()
    to: Pose | None = None


FORM = 'Give {"legs": [{"ahead": inches}, {"wheel": degrees}], "to": {"at": [x, y], "facing": degrees, "files": n}}.'


def sound(march: March) -> bool:
    numbers = [value for leg in march.legs for value in (leg.ahead, leg.wheel)]
    numbers += [] if march.to is None else [*march.to.at, march.to.facing]
    return all(isfinite(value) and abs(value) < FAR for value in numbers)


def rounded(march: March) -> March:
    """A march as it is stored: inches to 0.01, degrees to 0.1."""
    legs = tuple(Leg(round(leg.ahead, 2), round(leg.wheel, 1)) for leg in march.legs)
    return March(legs, None if march.to is None else stored(march.to))


def plain(march: March) -> dict[str, Any]:
    """A march as an answer: what is nothing is left out."""
    found: dict[str, Any] = {}
    legs = [{key: getattr(leg, key) for key in ("ahead", "wheel") if getattr(leg, key)} for leg in march.legs]
    if legs:
        found["legs"] = legs
    if march.to is not None:
        found["to"] = {"at": list(march.to.at), "facing": march.to.facing, "files": march.to.files}
    return found


class Forming(msgspec.Struct, frozen=True):
    """How a body may form up: how many abreast, the usual number first; where, if it may not choose; and whether it
    may march on from there."""

    files: tuple[int, ...]
    at: Point | None = None
    marches_on: bool = False


class MoveBody(Question):
    """How a body of men in ranks moves: there are endless answers, so the ruleset gives the law and proposals.

    `body` is the pose from which it marches (none if it forms up out of open order), how many it has and how wide each
    of them is; `reach` is how far it may march. `pieces` are its men, `forming` is how it forms up if it must, and
    `ends` says of a march who takes which place in the ranks, and what it comes to.
    """

    unit: str
    body: Callable[[], tuple[Pose | None, int, float]]
    reach: float
    pieces: Callable[[], list[Piece]]
    forming: Callable[[], Forming | None]
    ends: Callable[[March], tuple[list[str], Marched]]
    legal: Callable[[March], Refusal | None]
    proposals: Callable[[int], list[March]]
    chance: Callable[[Random], March] | None = None

    def check(self, raw: object) -> Answer | Refusal:
        try:
            march = msgspec.convert(raw, March)
        except UNREADABLE as error:
            return Refusal("malformed", unread(raw, error), field=self.topic, legal=FORM)
        if not sound(march):
            return Refusal("malformed", "a march must be given in finite inches and degrees", field=self.topic)
        if len(march.legs) > MOST_POINTS:
            return Refusal("malformed", f"a march has at most {MOST_POINTS} legs", field=self.topic)
        march = rounded(march)
        refused = self.legal(march)
        return refused if refused is not None else plain(march)

    def candidates(self, most: int = 24) -> list[Answer]:
        return [plain(march) for march in self.proposals(most)]

    def sample(self, random: Random) -> Answer:
        if self.chance is not None:
            return plain(self.chance(random))
        return random.choice(self.candidates())

    def spoken(self, answer: Answer) -> str:
        """A march in words: "wheel 30 degrees left, 4.5 inches ahead"."""
        march = march_of(answer)
        parts = [f"form up {march.to.files} abreast"] if march.to is not None else []
        for leg in march.legs:
            parts += [f"wheel {abs(leg.wheel):g} degrees {'right' if leg.wheel > 0 else 'left'}"] if leg.wheel else []
            parts += [f"{leg.ahead:g} inches ahead"] if leg.ahead else []
        return ", ".join(parts) or "stay"

    def describe(self) -> dict[str, Any]:
        pose, _, pitch = self.body()
        forming = self.forming()
        return {
            **Question.describe(self),
            "form": "march",
            "unit": self.unit,
            "pose": None if pose is None else msgspec.to_builtins(pose),
            "pitch": pitch,
            "reach": self.reach,
            "pieces": msgspec.to_builtins(self.pieces()),
            "files": [] if forming is None else list(forming.files),
        }


def march_of(answer: Answer) -> March:
    """The march of an answer to the question."""
    return msgspec.convert(answer, March)
