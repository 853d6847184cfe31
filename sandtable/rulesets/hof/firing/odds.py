"""The odds of fire: who may be hit by how much, and what that does, worked out before any Fire Die is thrown.

What each die needs, who may be dealt hits and in which turn is asked of the same functions that play asks
(`fire_orders`, `hit_allocation`); only the dice are replaced by their chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeVar

from sandtable.engine.chance import Chances, added, at_least, either, successes, sure, together
from sandtable.engine.game import Flow, answered, proposed
from sandtable.engine.questions import Answer, Question
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.odds import sixes, success
from sandtable.rulesets.hof.core.state import Member, Quality, Team, Unit
from sandtable.rulesets.hof.firing.fire_lines import FireTable, Marks
from sandtable.rulesets.hof.firing.fire_orders import (
    CANNOT,
    Hidden,
    Volley,
    Way,
    choose_ways,
    concealment_marks,
    reach_of_ways,
    volleys_of,
)
from sandtable.rulesets.hof.firing.hit_allocation import Deal, Effect, Hit, Share
from sandtable.rulesets.hof.firing.hit_effects import OUTRIGHT, blasted
from sandtable.rulesets.hof.firing.targets import takers
from sandtable.rulesets.hof.firing.vehicles import Penetration, armor, ineffective, outcome, penetration_dice
from sandtable.rulesets.hof.morale import odds as morale

T = TypeVar("T")


class Suffered(NamedTuple):
    """What one Team has suffered: the RFPs that it has received, whether some came past its obstacle, and who is lost.

    `lost` are the ids of the Team itself and of those whom it takes with it.
    """

    rfps: int = 0
    exposed: bool = False
    lost: tuple[str, ...] = ()


UNHURT = Suffered()


class Fired(NamedTuple):
    """What a Fire order has done: RFPs that were received, what was lost, and what the target has suffered."""

    hit: bool
    rfps: int
    lost: morale.Lost
    target: Suffered


NOTHING = Fired(False, 0, (), UNHURT)


@dataclass(slots=True)
class Fire:
    """A Fire order before its dice: its volleys, how many hits they may make, and what these may do."""

    target: Member
    members: list[Member]
    """Those who fire, as the volleys number them."""
    volleys: list[Volley]
    hits: Chances[int]
    ends: Chances[Fired]


class NoClosedForm(Exception):
    """What has no closed form here: it must be tried."""


class Answers:
    """Answers questions as they propose, or as is `chosen` for their topic; and keeps all topics that came up."""

    def __init__(self, *topics: str) -> None:
        self.topics = {*topics}
        self.chosen: dict[str, Answer] = {}

    def answer(self, question: Question) -> Answer:
        self.topics.add(question.topic)
        return self.chosen[question.topic] if question.topic in self.chosen else proposed(question)

    def to(self, flow: Flow[T]) -> T:
        """What a flow comes to in which no die is thrown."""
        return answered(flow, self.answer)


def fire_at(act: Activation, table: FireTable, answers: Answers) -> Fire | None:
    """The odds of all who can fire at the first target of a table; None if nobody can. See `fire_orders.carry_out`."""
    rows = [row for row, column in enumerate(table.can.tolist()) if column[0]] if table.members else []
    if not rows:
        return None
    marks = concealment_marks(table, rows)
    return fire_with(act, table, answers.to(choose_ways(act, table, rows, marks)), marks, answers)


def fire_with(act: Activation, table: FireTable, ways: dict[int, Way], marks: Marks, answers: Answers) -> Fire:
    """The same, once it is known with which weapons they fire."""
    volleys = volleys_of(table, ways, Hidden(table, marks, list(ways)))
    chances = [hit_chance(table, volley) for volley in volleys]
    thrown = [(sum(dice for _, dice in volley.shots), chance) for volley, chance in zip(volleys, chances, strict=True)]
    hits = added(successes(dice, chance) for dice, chance in thrown)
    who = takers(act, table, reach_of_ways(table.game, ways), marks)
    dealing = Dealing(act, table, marks, who, answers)
    ends = dealing.pools(volleys, chances).then(dealing.effects)
    return Fire(table.targets[0], table.members, volleys, hits, ends)


def hit_chance(table: FireTable, volley: Volley) -> float:
    """How likely a Fire Die of a volley is to hit: see `fire_orders.throw`."""
    if volley.needed >= CANNOT:
        return 0.0
    if table.targets[0][1].kind.vehicle:
        return success(table.members[volley.shots[0][0]][0].quality, volley.needed)
    return at_least(volley.needed)


class HitKind(NamedTuple):
    """Hits that mean the same to everybody who may take them, whoever scored them."""

    effects: tuple[Effect | None, ...]
    """What one of them means to each Team that may be hit; None to those who may not take it."""
    sides: tuple[bool, ...]
    """Whether it comes at the flank of each of them that has armor, and across the obstacle of each that has none."""
    quality: Quality
    own: int
    """Whose it is, where that matters: hof.special-rules.bunker-buster counts the weapons."""


Pool = tuple[tuple[HitKind, int], ...]
"""How many hits of each kind, in the order in which the first of each was scored."""


class Dealing:
    """What all the hits that may be scored will do."""

    def __init__(
        self, act: Activation, table: FireTable, marks: Marks, who: tuple[list[int], list[str]], answers: Answers
    ) -> None:
        self.game, self.act, self.table, self.marks, self.who, self.answers = (
            table.game,
            act,
            table,
            marks,
            who,
            answers,
        )
        self.plain = Deal(act, table, marks, who, [])
        self.samples: dict[HitKind, tuple[int, Weapon]] = {}
        """Somebody who may score a hit of a kind, and with what."""
        self.struck: dict[str, Member] = {}
        self.known: dict[tuple[int, tuple[HitKind, ...]], Chances[Suffered]] = {}
        for share in self.plain.shares:
            if share.team.role == "rider" or riding.riders_on(table.game, share.team):
                raise NoClosedForm

    def kind(self, row: int, weapon: Weapon) -> HitKind:
        deal = self.plain
        hit = Hit(row, weapon)
        effects = tuple(deal.effect(hit, share) if deal.suits(hit, share) else None for share in deal.shares)
        sides = tuple(deal.flank(row, share) if share.armored else deal.across(hit, share) for share in deal.shares)
        own = row if "bunker-buster" in weapon.keywords else -1
        found = HitKind(effects, sides, self.table.members[row][0].quality, own)
        self.samples.setdefault(found, (row, weapon))
        return found

    def most(self) -> int:
        """More hits of a kind than this do no more: those on foot take one each."""
        shares = self.plain.shares
        return 10_000 if any(share.vehicle for share in shares) else max(1, len(shares))

    def pools(self, volleys: Sequence[Volley], chances: Sequence[float]) -> Chances[Pool]:
        """The hits that the volleys may score, die by die in the order in which they count."""
        most = self.most()
        pools: dict[Pool, float] = {(): 1.0}
        for volley, chance in zip(volleys, chances, strict=True):
            if chance <= 0.0:
                continue
            for row, dice in volley.shots:
                kind = self.kind(row, volley.weapon)
                scored = successes(dice, chance)
                after: dict[Pool, float] = {}
                for pool, share in pools.items():
                    for number, likely in scored:
                        grown = more_hits(pool, kind, number, most)
                        after[grown] = after.get(grown, 0.0) + share * likely
                pools = after
        return Chances(pools)

    def effects(self, pool: Pool) -> Chances[Fired]:
        """What a pool of hits does, once it has been dealt out."""
        if not pool:
            return sure(NOTHING)
        scored = [kind for kind, number in pool for _ in range(number)]
        hits = [Hit(*self.samples[kind]) for kind in scored]
        kinds = {id(hit): kind for hit, kind in zip(hits, scored, strict=True)}
        deal = Deal(self.act, self.table, self.marks, self.who, hits)
        deal.flanks = self.plain.flanks
        self.answers.to(deal.deal())
        ends = sure(Fired(True, 0, (), UNHURT))
        for share in deal.shares:
            if share.hits:
                suffered = self.suffered(share, tuple(kinds[id(hit)] for hit in share.hits))
                ends = together(ends, suffered, partial(self.joined, share))
        blasts = blasted(self.game, deal)
        return ends.mapped(lambda end: self.with_blasts(end, blasts)) if blasts else ends

    def suffered(self, share: Share, hits: tuple[HitKind, ...]) -> Chances[Suffered]:
        """What some hits do to a Team, one after the other: see `hit_effects.take_effect`."""
        key = (share.number, hits)
        if key not in self.known:
            found: Chances[Suffered] = sure(UNHURT)
            for kind in hits:
                found = found.then(partial(self.one_hit, share, Hit(*self.samples[kind])))
            self.known[key] = found
        return self.known[key]

    def one_hit(self, share: Share, hit: Hit, so_far: Suffered) -> Chances[Suffered]:
        if so_far.lost:
            return sure(so_far)
        deal, unit, team, weapon = self.plain, share.unit, share.team, hit.weapon
        if not share.vehicle:
            received = sure(wounded(so_far, weapon.fp, exposed=not deal.across(hit, share)))
            dice = max((each.dice(weapon, team) for each in OUTRIGHT), default=0)
            return either(sixes("average", dice), self.lost(unit, team, so_far), received) if dice else received
        if deal.flame(hit):
            return sure(wounded(so_far, weapon.fp))
        quality = self.table.members[hit.row][0].quality
        result = penetration(weapon.at, team, deal.flank(hit.row, share), quality, "rfps-only" in weapon.keywords)
        return penetrated(result, self.lost(unit, team, so_far), weapon.fp, so_far)

    def joined(self, share: Share, so_far: Fired, one: Suffered) -> Fired:
        """What one more Team has suffered."""
        target = one._replace(lost=one.lost[:1]) if share.number == 0 else so_far.target
        lost = so_far.lost
        for name in one.lost:
            lost = morale.lost_more(self.game, lost, self.struck[name])
        return Fired(True, so_far.rfps + one.rfps, lost, target)

    def with_blasts(self, end: Fired, blasts: Sequence[tuple[Unit, Team, int]]) -> Fired:
        """hof.special-rules.bunker-buster: those too near receive RFPs as well."""
        if any(team.id in self.struck for _, team, _ in blasts):
            # They may be lost before that.
            raise NoClosedForm
        return end._replace(rfps=end.rfps + sum(number for _, _, number in blasts))

    def lost(self, unit: Unit, team: Team, so_far: Suffered) -> Chances[Suffered]:
        """A Team is lost, and perhaps some of those whom it carries."""
        self.struck[team.id] = (unit, team)
        self.struck.update({each.id: (unit, each) for each in riding.passengers(unit, team)})
        return lost_by(self.game, unit, team, "penetration", so_far)


def more_hits(pool: Pool, kind: HitKind, number: int, most: int) -> Pool:
    if not number:
        return pool
    for place, (each, before) in enumerate(pool):
        if each == kind:
            return (*pool[:place], (kind, min(most, before + number)), *pool[place + 1 :])
    return (*pool, (kind, min(most, number)))


def lost_by(game: Battle, unit: Unit, team: Team, cause: str, so_far: Suffered = UNHURT) -> Chances[Suffered]:
    """A Team is lost by some cause, with whomever it takes along."""
    return morale.lost_with(game, unit, team, cause).mapped(lambda lost: so_far._replace(lost=lost))


def wounded(so_far: Suffered, rfps: int, *, exposed: bool = True) -> Suffered:
    return so_far._replace(rfps=so_far.rfps + rfps, exposed=so_far.exposed or exposed)


def penetrated(
    result: Chances[Penetration], lost: Chances[Suffered], fp: int, so_far: Suffered = UNHURT
) -> Chances[Suffered]:
    """What a Vehicle has suffered after a Penetration Roll."""
    ends = {"destroyed": lost, "rfps": sure(wounded(so_far, fp)), "none": sure(so_far)}
    return result.then(ends.__getitem__)


def penetration(
    at: int | None, team: Team, flank: bool, quality: Quality, rfps_only: bool = False
) -> Chances[Penetration]:
    """What one hit on a Vehicle does: see `vehicles.penetrate`."""
    return rolled(at, team.kind.armored, armor(team, flank), quality, rfps_only)


@cache
def rolled(at: int | None, armored: bool, ar: int, quality: Quality, rfps_only: bool) -> Chances[Penetration]:
    if not at and not armored:
        return sure("rfps")
    if at is None or ineffective(at, ar):
        return sure("none")
    number, above = penetration_dice(at, ar)
    six = sixes(quality, number)
    return either(six, sure(outcome(True, above, rfps_only)), sure(outcome(False, above, rfps_only)))
