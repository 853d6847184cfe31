"""Demolition charges: placed by a Team that began beside a structure, and set off by the same Team there."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.lines import in_area
from sandtable.testing.umpire.hof.sight import DOUBT, view
from sandtable.testing.umpire.hof.table import CONTACT, TOUCH, base, find, members, stand_of


def house_of(watch: Watch, name: str) -> Any:
    """A structure of the table by its name."""
    return next((piece for piece in view(watch).pieces if piece.id == name), None)


@book.on("detonate")
def charge_goes_off(watch: Watch, event: Event) -> None:
    """All inside a structure are caught, friend and foe; a bunker takes a Penetration Roll of AT 6."""
    watch.count("charges")
    bunker = find(watch.state, event.data["structure"])
    if bunker is not None:
        watch.memory["blow"] = charge_on_bunker
        return
    piece = house_of(watch, event.data["structure"])
    for _, team in members(watch.state):
        stand = stand_of(watch.state, team)
        if stand.at is None or piece is None or (team.at is None and team.role != "rider"):
            continue
        inside = in_area(shapely.Point(stand.at), piece)
        if inside is not None and inside != (team.id in event.data["caught"]):
            watch.object_to("hof.optional.demolition-detonate", f"{team.id} is {'' if inside else 'not '}inside")


def charge_on_bunker(watch: Watch, event: Event) -> None:
    values = event.dice[0].values
    result = "destroyed" if 6 in values else "rfps"
    rfps = 0 if result == "destroyed" else 3
    if len(values) != 4 or event.data["result"] != result or event.data["rfps"] != rfps:
        watch.object_to("hof.optional.demolition-bunker", f"{values}: {event.data['result']}")


@book.on("charge", "detonate")
def beside_the_structure(watch: Watch, event: Event) -> None:
    """Only Engineers lay charges, at or in a building, a bridge or an enemy bunker; and only where they lie, go off."""
    found = find(watch.state, event.data["team"])
    if found is None or found[1].at is None:
        return
    watch.count("Engineers at work")
    name = event.data["structure"]
    if "engineer" not in found[1].traits:
        watch.object_to("hof.optional.demolition-place", f"{found[1].id} is no Engineer")
    bunker = find(watch.state, name)
    piece = house_of(watch, name)
    if bunker is not None:
        near = base(found[1]).distance(base(bunker[1])) <= CONTACT + DOUBT and bunker[0].side != found[0].side
    else:
        near = piece is not None and piece.kind.name in ("building", "bridge")
        near = near and piece is not None and base(found[1]).distance(piece.shape) <= TOUCH + DOUBT
    if not near:
        watch.object_to("hof.optional.demolition-place", f"{found[1].id} is not at {name}")
    before = find(watch.earlier, found[1].id)
    if event.kind == "detonate" and before is not None and before[1].charge != name:
        watch.object_to("hof.optional.demolition-detonate", f"{found[1].id} has no charge on {name}")
    if event.kind == "charge" and (found[1].charge == name) != event.data["passed"]:
        watch.object_to("hof.optional.demolition-place", f"{found[1].id} has a charge on {found[1].charge!r}")
