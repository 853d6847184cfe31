"""What units cost, by a formula of ours over the charts: men, weapons, training, ratings and formations.

The published Forces books have points of their own, which are not in the source. `docs/sof.md` tells the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.rulesets.sof.core.arsenal import Row, weapons
from sandtable.rulesets.sof.core.state import Capability, Figure, Formation, Specialist, Training

CASUALTY = 8.0
"""For each casualty that a figure takes."""

FIRE = 2.0
"""For a die at 12 inches that wounds on 5 or more."""

CLOSE_ARM = 2.0
"""For what serves in close combat alone."""

CARRIED = 0.5
"""Of what a second weapon would cost, since only one of them is fired."""

DICE = {"RF": 0.5, "SS": 1.0 / 3.0, "G": 1.0, "d6": 3.5}
"""How many dice a model has by each code of the charts."""

TRAINING: dict[Training, float] = {"inexperienced": 0.8, "regular": 1.0, "veteran": 1.25}
USUAL_RATING = 4
RATING = 0.05
"""How much a rating better or worse by one changes the price of a unit."""

FORMATIONS: dict[Formation, float] = {"linear": 0.0, "close": 0.0, "loose": 0.1, "extended": 0.05}
"""How much each formation that it may adopt adds to the price of a unit."""

CAPABILITIES: dict[Capability, int] = {
    "inspiring": 40,
    "energetic": 20,
    "competent": 0,
    "difficult": -10,
    "green": -20,
}
SPECIALISTS: dict[Specialist, int] = {
    "staff-officer": 30,
    "chaplain": 10,
    "medic": 10,
    "farrier": 5,
    "handler": 5,
    "standard-bearer": 10,
    "musician": 10,
    "communication-1": 10,
    "communication-2": 15,
    "communication-3": 20,
}
"""What each adds to the price of a command unit; the staff officer comes with his aide."""

RECON = 5
"""For each recon point of a unit's own."""


def dice_of(written: str) -> float:
    """The mean number of dice of a rate of fire as the charts print it."""
    row = Row(halt=written)
    rate = row.at_halt
    return 0.0 if rate is None else DICE.get(rate.code, float(rate.number))


def fire(row: Row) -> float:
    """What a way to fire is worth: dice, at the halt and on the move, times range, lethality and blast."""
    if row.range is None:
        return CLOSE_ARM
    dice = (dice_of(row.halt) + dice_of(row.move)) / 2
    blast = row.blast_effect
    spread = 1.0 if blast is None else blast.dice * (blast.sides + 1) / 2 + blast.more
    return FIRE * dice * row.range / 12.0 * (7 - row.lethality) / 2 * spread


def weapon(name: str) -> float:
    return max(fire(row) for row in weapons()[name].rows.values())


def figure(one: Figure) -> float:
    """A figure: what he takes, his weapon, and half of what else he carries."""
    return CASUALTY * one.worth + weapon(one.profile) + CARRIED * sum(map(weapon, one.arms))


def unit(
    figures: Iterable[Figure],
    training: Training,
    ratings: Sequence[int],
    formations: Iterable[Formation],
    recon: int = 0,
) -> int:
    """A unit, in whole points."""
    total = sum(map(figure, figures)) * TRAINING[training]
    quality = 1.0 + RATING * sum(USUAL_RATING - rating for rating in ratings)
    drill = 1.0 + sum(FORMATIONS[each] for each in formations)
    return round(total * quality * drill) + RECON * recon
