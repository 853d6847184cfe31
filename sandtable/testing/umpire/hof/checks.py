"""A Check is one die that needs 4 or more; quality and special rules have it rolled again, but only once."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.table import find, kind_of

NEEDED = 4


def right_check(
    watch: Watch,
    event: Event,
    quality: str,
    rule: str,
    *,
    needed: int = NEEDED,
    if_failed: bool = False,
    if_passed: bool = False,
    may_again: bool = False,
    passed: bool | None = None,
) -> None:
    """Whether a Check's die was rolled again when it should be, and came out as told.

    `if_failed` and `if_passed`: a special rule has the die rolled again; `may_again`: a player may choose so.
    """
    watch.count("checks")
    throw = event.dice[0]
    again = 0 in throw.before
    first = throw.before.get(0, throw.values[0])
    by_quality = (quality == "elite" and first == 1) or (quality == "poor" and first == 6)
    good = first >= needed
    must = by_quality or (if_failed and not good) or (if_passed and good)
    if must and not again:
        watch.object_to(rule, f"a {first} was not rolled again ({quality})")
    if again and not must and not (may_again and not good):
        watch.object_to(rule, f"a {first} was rolled again ({quality})")
    outcome = event.data["passed"] if passed is None else passed
    if outcome != (throw.values[0] >= needed):
        watch.object_to(rule, f"a Check that shows {throw.values[0]} against {needed}+ came out as {outcome}")


def quality_of(watch: Watch, event: Event) -> str:
    """The quality of the Unit that an event is about."""
    unit = event.data.get("unit")
    if unit is not None and unit in watch.state.units:
        return str(watch.state.units[unit].quality)
    found = find(watch.state, event.data["team"]) or find(watch.earlier, event.data["team"])
    return str(found[0].quality) if found is not None else "average"


def keywords(watch: Watch, event: Event) -> tuple[str, ...]:
    found = find(watch.state, event.data["team"])
    return kind_of(found[1]).keywords if found is not None else ()


def engineer(watch: Watch, event: Event) -> bool:
    found: Any = find(watch.state, event.data["team"])
    return found is not None and "engineer" in found[1].traits


@book.on("recon-reaction")
def reaction_check(watch: Watch, event: Event) -> None:
    right_check(watch, event, quality_of(watch, event), "hof.battle.recon-reaction")


@book.on("replacement")
def replacement_check(watch: Watch, event: Event) -> None:
    right_check(watch, event, quality_of(watch, event), "hof.leaders.replacement")


@book.on("mission-tactics")
def mission_tactics_check(watch: Watch, event: Event) -> None:
    right_check(watch, event, quality_of(watch, event), "hof.national.de-mission-tactics")


@book.on("terrain-check")
def terrain_check(watch: Watch, event: Event) -> None:
    words = keywords(watch, event)
    again = {"if_failed": "wide-tracks" in words, "if_passed": "overloaded" in words}
    right_check(watch, event, quality_of(watch, event), "hof.moving.terrain-check-failed", **again)


@book.on("unbog")
def unbog_check(watch: Watch, event: Event) -> None:
    heavy = "overloaded" in keywords(watch, event)
    right_check(watch, event, quality_of(watch, event), "hof.optional.bogged", if_passed=heavy)


@book.on("wire")
def wire_check(watch: Watch, event: Event) -> None:
    if event.dice:
        right_check(watch, event, quality_of(watch, event), "hof.optional.wire-cross")


@book.on("clearing")
def clearing_check(watch: Watch, event: Event) -> None:
    trained = engineer(watch, event)
    right_check(watch, event, quality_of(watch, event), "hof.optional.wire-clear", if_passed=not trained)


@book.on("charge")
def demolition_check(watch: Watch, event: Event) -> None:
    right_check(watch, event, quality_of(watch, event), "hof.optional.demolition-place")


@book.on("spot")
def spotting_check(watch: Watch, event: Event) -> None:
    """The event names the target alone: the Unit is the one that was chosen to act."""
    units = [unit for unit in watch.state.units.values() if unit.side == event.seat and unit.recon]
    if len({unit.quality for unit in units}) == 1:
        right_check(watch, event, units[0].quality, "hof.optional.recon-spot")


@book.on("morale")
def morale_check(watch: Watch, event: Event) -> None:
    """The Company Commander may have a failed Check rolled again: he was within 4 inches, if so (see `morale`)."""
    beside = watch.setup.options.commander
    right_check(watch, event, quality_of(watch, event), "hof.morale.trigger", may_again=beside)
