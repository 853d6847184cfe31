"""What the kinds of ground do and what the signs on the table stand for, in a line each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.engine.cards import Fact
from sandtable.rulesets.hof.core.terrain import Kind, kinds

SIGNS = {
    "burst": Fact("Received Fire Points", "rolled for when it acts", "hof.rfp-rally.resolve-on-activation"),
    "down": Fact("Suppressed", "no fire, no advance", "hof.rfp-rally.suppressed-effects"),
    "earth": Fact("Dug-In", "Hard Cover", "hof.battle.dug-in"),
    "eye": Fact("Observing", "calls the artillery", "hof.artillery.observer-needed"),
    "halt": Fact("Immobilised", "moves no more", "hof.special-rules.immobile"),
    "mire": Fact("Bogged", "stuck in the ground", "hof.optional.bogged"),
    "reticle": Fact("Under sniper fire", "", "hof.optional.sniper-fire"),
    "spotted": Fact("Spotted", "no longer concealed"),
    "charge": Fact("Has placed a charge", ""),
    "tick": Fact("Activated this turn", ""),
    "star": Fact("Activated by Hero Point", "", "hof.orders.hero-lock"),
    "half": Fact("Below half strength", ""),
    "leaderless": Fact("Without a Leader", ""),
    "plus": Fact("Carries something special", ""),
}

GOING = {
    "difficult": Fact("Difficult", "Vehicles need 4+ to cross", "hof.moving.tracked-terrain"),
    "very-difficult": Fact(
        "Very Difficult", "tracks need 4+, wheels and guns cannot cross", "hof.moving.halftrack-wheeled-terrain"
    ),
    "impassable": Fact("Impassable", "nobody crosses it", "hof.moving.infantry-terrain"),
}


@cache
def terrain() -> dict[str, tuple[Fact, ...]]:
    """What each kind of ground does to sight, cover and movement."""
    return {name: tuple(facts(name, kind)) for name, kind in kinds().items()}


def facts(name: str, kind: Kind) -> Iterator[Fact]:
    yield from sight_facts(name, kind)
    if kind.conceals and kind.shape != "line":
        yield Fact("Conceals", "+1 to hit who is there", "hof.terrain.concealment-effect")
    elif kind.conceals:
        yield Fact("Conceals", "+1 to hit across it", "hof.terrain.linear-concealment")
    if kind.hard:
        where = "behind it, touching it" if kind.shape == "line" else "for who is there"
        rule = "hof.terrain.linear-hard-cover" if kind.shape == "line" else "hof.terrain.hard-terrain"
        yield Fact("Hard Cover", where, rule)
    if kind.going in GOING:
        yield GOING[kind.going]
    if kind.road:
        yield Fact("Road", "6 inches more, on wheels 12", "hof.moving.road-bonus-tracked")
    if kind.obstacle == "minefield":
        yield Fact("Mines", "strike who crosses them", "hof.optional.mines-trigger")
    elif kind.obstacle == "wire":
        yield Fact("Wire", "holds up who crosses it", "hof.optional.wire-cross")
    elif kind.obstacle:
        yield Fact("Obstacle", "stops Vehicles", "hof.optional.at-obstacle-cross")


def sight_facts(name: str, kind: Kind) -> Iterator[Fact]:
    if name == "smoke":
        yield Fact("Blocks sight", "", "hof.artillery.smoke-los")
    elif kind.shape == "area":
        yield Fact("Seen into, not through", "", "hof.terrain.area-sight")
    elif kind.shape == "hill":
        yield Fact("Raises what stands on it", "", "hof.terrain.line-of-sight")
    elif kind.tall:
        yield Fact("Blocks sight", "unless touched", "hof.terrain.tall-linear-blocks")
    if kind.thick:
        yield Fact("Seen through narrowly", "45 degrees either side", "hof.terrain.thick-bocage-arc")
    if kind.building:
        yield Fact("Fire out of it", "only at an outer wall", "hof.terrain.building-exterior-wall")
