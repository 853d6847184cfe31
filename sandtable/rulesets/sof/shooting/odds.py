"""The exact odds of fire, as `effect.resolve` plays it, with chances where that throws dice.

Which groups of dice there are, what each needs and who may roll again is asked of the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sandtable.engine.chance import Chances, added, at_least, mixed, shown, successes, sure
from sandtable.engine.events import Modifier
from sandtable.rulesets.sof.core.arsenal import Blast, Special
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.checks import DIE, FURTHER, SKILL
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.leadership import advancing_officer
from sandtable.rulesets.sof.movement import ways_back
from sandtable.rulesets.sof.shooting.accuracy import (
    accuracy_modifiers,
    hit_on,
    lethality_modifiers,
    never_rerolled,
    thrown,
)
from sandtable.rulesets.sof.shooting.effect import (
    FORCED_TO_GROUND,
    blast_dice,
    blast_number,
    in_hand,
    markers_for,
    rerolls_of,
)
from sandtable.rulesets.sof.shooting.status import Status
from sandtable.rulesets.sof.shooting.volume import Pool, Volley, pools_of

NO_CLOSED_FORM: tuple[Special, ...] = ("improvised", "erratic", "salvo", "sniper-rifle", "brutal")
"""Weapons that do more than hit, suppress and wound their target: such fire is tried instead."""


class Harm(NamedTuple):
    """What came of fire: hits, wounds, markers, whether the target is gone or gives way, and own units lost."""

    hits: int = 0
    wounds: int = 0
    markers: int = 0
    lost: int = 0
    away: int = 0
    own: int = 0


Hits = tuple[int, ...]
"""How many hits each group of dice has."""


class Aim(NamedTuple):
    """What the dice of a group need to hit, and why."""

    needed: int
    modifiers: list[Modifier]


@dataclass
class Fire:
    """The groups of dice of an attack with what each needs, and all the ways in which it may end."""

    pools: list[tuple[Pool, Aim]]
    ends: Chances[Harm]


def passing(needed: int) -> float:
    """How likely a check passes, a difficult one by the die after its six."""
    if needed <= DIE:
        return at_least(needed)
    return at_least(DIE) * at_least(FURTHER[needed]) if needed in FURTHER else 0.0


def fire_odds(game: Battle, target: Unit, volley: Volley, status: Status) -> Fire | None:
    """All the ways in which a volley at a unit may end; None where there is no closed form."""
    pools = pools_of(game, volley)
    flames = [pool for pool in pools if pool.mode.row.has("flamethrower")]
    if any(pool.mode.row.has(special) for pool in pools for special in NO_CLOSED_FORM) or len(flames) > 1:
        return None
    aims = [aim(game, target, pool, status) for pool in pools]
    hits = all_hits(volley.unit, pools, [each.needed for each in aims])
    backs_off = not target.forced and any(True for _ in ways_back(game, target))
    lethal = [passing(needed_to_wound(pool, target, status)) for pool in pools]
    left = sum(figure.worth for figure in target.teams.values()) - target.wounds
    officer = advancing_officer(game, target)
    may_take = 0 if officer is None else max(0, officer.worth - officer.wounds)
    landed = hits.then(lambda found: struck(game, target, pools, found))

    def follow(found: tuple[int, Hits]) -> Chances[Harm]:
        scored, each = found

        def hurt(harm: Harm) -> Chances[Harm]:
            if harm.lost:
                return sure(harm)
            return at_officer(sum(each), may_take).then(lambda more: wounded(harm, each, tuple(lethal), left - more))

        return suppressed(target, pools, scored, each, backs_off).then(hurt)

    ends = landed.then(follow)
    if flames and len(volley.unit.teams) == 1:
        gone = at_least(DIE)
        ends = ends.then(lambda harm: Chances({harm._replace(own=1): gone, harm: 1.0 - gone}))
    return Fire(list(zip(pools, aims, strict=True)), ends)


def aim(game: Battle, target: Unit, pool: Pool, status: Status) -> Aim:
    modifiers = accuracy_modifiers(game, pool, target, status)
    return Aim(hit_on(target, pool.mode)[0] - sum(each.amount for each in modifiers), modifiers)


def needed_to_wound(pool: Pool, target: Unit, status: Status) -> int:
    return pool.mode.row.lethality - sum(each.amount for each in lethality_modifiers(pool, target, status))


# Accuracy.


def all_hits(unit: Unit, pools: Sequence[Pool], needs: Sequence[int]) -> Chances[Hits]:
    """The hits of every group of dice, one after the other: they share what may be rolled again."""
    found: Chances[tuple[Hits, int]] = sure(((), len(rerolls_of(unit))))
    for pool, needed in zip(pools, needs, strict=True):
        dice = [(pool.dice, 1.0)] if not pool.by_die else [(number, 1.0 / DIE) for number in range(1, DIE + 1)]
        found = found.then(
            lambda before, pool=pool, needed=needed, dice=dice: mixed(  # type: ignore[misc]
                (hits_of(pool, number, needed, before[1]).mapped(lambda now: ((*before[0], now[0]), now[1])), share)
                for number, share in dice
            )
        )
    return found.mapped(lambda each: each[0])


def hits_of(pool: Pool, dice: int, needed: int, again: int) -> Chances[tuple[int, int]]:
    """The hits of one group, and how many misses may be rolled again after it."""
    row, chance = pool.mode.row, passing(needed)
    if row.has("vb"):
        ones = at_least(DIE) if needed > 1 else 0.0
        return successes(dice, chance + ones * chance).mapped(lambda hits: (hits, again))
    if never_rerolled(pool.mode) is not None:
        return successes(dice, chance).mapped(lambda hits: (hits, again))
    if row.has("quick-firing"):
        return successes(dice, chance + (1.0 - chance) * chance).mapped(lambda hits: (hits, again))

    def more(hits: int) -> Chances[tuple[int, int]]:
        rolled = min(again, dice - hits)
        return successes(rolled, chance).mapped(lambda good: (hits + good, again - rolled))

    return successes(dice, chance).then(more)


# Blast and grenades.


def struck(game: Battle, target: Unit, pools: Sequence[Pool], hits: Hits) -> Chances[tuple[int, Hits]]:
    """What is left of the hits of each group after shotguns, blasts and skill checks, with what was hit at first."""
    guns = sum(each.carries("shotgun") for each in target.able)
    flying = [number for number, pool in enumerate(pools) if in_hand(pool) and hits[number]]
    shot = successes(guns, at_least(DIE))
    fails = 1.0 - passing(SKILL[target.training])
    halved = game.setup.options.blast_hit_the_dirt and target.hit_the_dirt

    def landed(down: int) -> Chances[Hits]:
        left = list(hits)
        for number in flying:
            taken = min(down, left[number])
            left[number] -= taken
            down -= taken
        found: Chances[Hits] = sure(())
        for pool, number in zip(pools, left, strict=True):
            each = final_hits(pool, target, number, fails, halved)
            found = found.then(lambda before, each=each: each.mapped(lambda now: (*before, now)))  # type: ignore[misc]
        return found

    return shot.then(landed).mapped(lambda found: (sum(hits), found))


def final_hits(pool: Pool, target: Unit, hits: int, fails: float, halved: bool) -> Chances[int]:
    if pool.mode.blast:
        effect = pool.mode.row.blast_effect
        assert effect is not None
        one = blasted(effect, blast_dice(target)[0], halved)
        return added([one] * hits).then(lambda number: successes(number, fails))
    return successes(hits, fails) if thrown(pool.mode) else sure(hits)


@cache
def blasted(effect: Blast, extra: int, halved: bool) -> Chances[int]:
    """How many one round of a blast might hit."""
    return shown(effect.dice + abs(extra)).mapped(lambda values: blast_number(values, effect, extra, halved))


# Suppression and wounds.


def suppressed(target: Unit, pools: Sequence[Pool], scored: int, hits: Hits, backs_off: bool) -> Chances[Harm]:
    """The markers of some hits, and whether the target then stands."""
    extra = any(number and pool.mode.row.has("suppression") for pool, number in zip(pools, hits, strict=True))
    markers = markers_for(sum(hits), extra)
    harm = Harm(scored, markers=markers)
    if not markers or target.suppression + markers < FORCED_TO_GROUND:
        return sure(harm)
    stands = passing(target.tenacity)
    falls = harm if target.forced else harm._replace(away=1, lost=int(not backs_off))
    return mixed([(sure(harm), stands), (sure(falls), 1.0 - stands)])


def at_officer(hits: int, most: int) -> Chances[int]:
    """The wounds of an officer who leads his unit forward: a die for each hit, but no more than he has left."""
    return successes(hits, at_least(DIE)).mapped(lambda sixes: min(sixes, most)) if most else sure(0)


@cache
def wounded(harm: Harm, hits: Hits, lethal: tuple[float, ...], left: int) -> Chances[Harm]:
    """The wounds of each group of hits, until as many as the target has left make an end of it."""
    found = sure(harm if left > 0 else harm._replace(lost=1))
    for number, chance in zip(hits, lethal, strict=True):
        if number:
            found = found.then(
                lambda before, number=number, chance=chance: (  # type: ignore[misc]
                    sure(before)
                    if before.lost
                    else successes(number, chance).mapped(
                        lambda good: before._replace(
                            wounds=before.wounds + good, lost=int(before.wounds + good >= left)
                        )
                    )
                )
            )
    return found
