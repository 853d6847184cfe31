"""Who of a unit is lost, if its owner does as a careful player would."""

from __future__ import annotations

from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.losses import plainest

RIFLE = "bolt-action-rifle"


def squad() -> Unit:
    """A leader, two with grenades, three riflemen, and a light machine gun with its loader."""
    men = {
        "nco": Figure(RIFLE, role="nco"),
        "thrower-1": Figure(RIFLE, arms=("grenade",)),
        "thrower-2": Figure(RIFLE, arms=("grenade",)),
        "rifle-1": Figure(RIFLE),
        "rifle-2": Figure(RIFLE),
        "rifle-3": Figure(RIFLE),
        "gun": Figure("lewis-gun"),
        "loader": Figure(RIFLE, role="loader"),
    }
    for name, figure in men.items():
        figure.id = name
    return Unit("red", "regular", men)


def test_riflemen_are_lost_before_those_who_throw_grenades_and_the_machine_gun() -> None:
    unit = squad()
    costs = dict.fromkeys(unit.teams, 1)
    order = ["rifle-3", "rifle-2", "rifle-1", "thrower-2", "thrower-1", "gun", "loader", "nco"]
    for number in range(1, len(order) + 1):
        assert [figure.id for figure in plainest(unit, number, costs)] == order[:number]
