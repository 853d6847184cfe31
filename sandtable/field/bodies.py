"""The question where a body in ranks goes: it marches ahead and wheels leg by leg, or forms up anew at a pose."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from random import Random
from typing import Any

import msgspec

from sandtable.engine.questions import FAR, MOST_POINTS, UNREADABLE, Answer, Question, Refusal, unread
from sandtable.field.formations import Leg, Pose, stored


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


class MoveBody(Question):
    """How a body of men in ranks moves: there are endless answers, so the ruleset gives the law and proposals.

    `body` is where it stands now, how many it has and how wide each of them is; `reach` how far it may march.
    """

    unit: str
    body: Callable[[], tuple[Pose | None, int, float]]
    reach: float
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

    def describe(self) -> dict[str, Any]:
        pose, count, pitch = self.body()
        plain = None if pose is None else msgspec.to_builtins(pose)
        more = {"form": "march", "unit": self.unit, "pose": plain, "count": count, "pitch": pitch, "reach": self.reach}
        return {**Question.describe(self), **more}


def march_of(answer: Answer) -> March:
    """The march of an answer to the question."""
    return msgspec.convert(answer, March)
