"""Engineers: demolition charges on buildings, bunkers and bridges. How they clear obstacles is in `obstacles`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import full_name, spoken_of, team_label, team_option
from sandtable.rulesets.hof.core.nearby import struck
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, find_team
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.firing import vehicles
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.optional.fortifications import BUNKER_ARMOR
from sandtable.rulesets.hof.rfp_rally import rfp
from sandtable.table.hairs import CONTACT

PLACE = "hof.optional.demolition-place"
DETONATE = "hof.optional.demolition-detonate"
BUNKER = "hof.optional.demolition-bunker"

DOES = {"charge": ("places a charge", "place charges"), "detonate": ("sets its charge off", "set their charges off")}
"""What one Team does by each order, and what several do."""

CHARGE_RFPS = 3
"""hof.optional.demolition-detonate"""

CHARGE_AT = 6
"""hof.optional.demolition-bunker"""


def structures(game: Battle, unit: Unit, team: Team) -> list[str]:
    """The buildings and bridges that a Team touches or is in, by their names, and the enemy's bunkers it touches."""
    here = board(game)
    if team.id not in here.index:
        return []
    terrain = here.ground.terrain
    row = here.of([team])
    at = (terrain.touching(row, TOUCH) | terrain.overlapping(row))[0]
    near = [terrain.features[number] for number in np.flatnonzero(at).tolist()]
    found = [feature.id for feature in near if feature.kind in ("building", "bridge")]
    bunkers = [each for each in here.enemies(unit.side).teams if each.role == "bunker"]
    return found + [bunker.id for bunker in here.near(team, bunkers, CONTACT)]


def options(game: Battle, act: Activation, team: Team) -> list[Option]:
    """Whether a Team may place a charge with its whole activation, or set off the one it has placed."""
    if "engineer" not in team.traits:
        return []
    at = structures(game, act.unit, team)
    if not at:
        return []
    found = []
    if any(name != team.charge for name in at):
        found.append(Option("charge", "Place a demolition charge", (PLACE,)))
    if team.charge in at:
        found.append(Option("detonate", f"Detonate the charge on {named(game.state, team.charge)}", (DETONATE,)))
    return found


def named(state: State, structure: str) -> str:
    """A structure in a choice: a building or a bridge, or a bunker."""
    bunker = find_team(state, structure)
    return full_name(*bunker) if bunker is not None else structure.replace("-", " ")


def structure_option(state: State, structure: str) -> Option:
    bunker = find_team(state, structure)
    return team_option(*bunker) if bunker is not None else Option(structure, named(state, structure))


def proposable(game: Battle, act: Activation, team: Team) -> tuple[str, ...]:
    return ("charge", "detonate") if "engineer" in team.traits else ()


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    """On what the charge is placed; all who have this order work on the same structure."""
    if order.kind == "detonate":
        order.target = ", ".join(team.charge for _, team in order.members)
        return
    found = [name for unit, team in order.members for name in structures(game, unit, team) if name != team.charge]
    choices = Choices({name: name for name in found}, partial(structure_option, game.state))
    order.target = yield from choose_one(act.side, "structure", "Where is the charge placed?", choices, rules=(PLACE,))


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    for unit, team in order.members:
        act.acted.add(team.id)
        # Who has been lost since is at nothing, and what has been destroyed is there no more.
        at = structures(game, unit, team)
        if order.kind == "charge" and order.target in at:
            yield from place_charge(game, unit, team, order.target)
        elif order.kind == "detonate" and team.charge in at:
            yield from detonate(game, unit, team, losses)


def place_charge(game: Battle, unit: Unit, team: Team, name: str) -> Flow[None]:
    """hof.optional.demolition-place: a Training Check."""
    result = yield from check(game, unit, f"the demolition charge of {team_label(unit, team)}")
    if result.passed:
        team.charge = name
    outcome = f"the charge is on {spoken_of(game.state, name)}" if result.passed else "no charge is placed"
    text = f"{team_label(unit, team)} needs {result.needed}+, rolls {result.throw.value}: {outcome}."
    result.tell(game, "charge", text, PLACE, team=team.id, structure=name)


def detonate(game: Battle, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """hof.optional.demolition-detonate: 3 RFPs at once for all inside, as in the open; a bunker is penetrated."""
    name, team.charge = team.charge, ""
    bunker = find_team(game.state, name)
    caught = [] if bunker is not None else inside(game, name)
    text = f"{team_label(unit, team)} detonates the charge on {spoken_of(game.state, name)}."
    data: dict[str, Any] = {"team": team.id, "structure": name, "caught": [each.id for _, each in caught]}
    game.tell("detonate", text, DETONATE, seat=unit.side, **data)
    if bunker is not None:
        yield from blow_bunker(game, unit, *bunker, losses)
    for owner, each in caught:
        if alive(owner, each):
            why = "the charge"
            yield from rfp.resolve(game, owner, each, CHARGE_RFPS, losses, hard=False, rules=(DETONATE,), why=why)


def inside(game: Battle, name: str) -> list[Member]:
    """The Teams of either side in a building or on a bridge, and the Riders on their tanks there."""
    terrain = board(game).ground.terrain
    return struck(game, lambda rows: terrain.inside(rows)[:, terrain.index[name]])


def blow_bunker(game: Battle, unit: Unit, owner: Unit, bunker: Team, losses: Losses) -> Flow[None]:
    """hof.optional.demolition-bunker: any 6 destroys it, otherwise it receives RFPs."""
    throw = yield from game.throw(unit.side, CHARGE_AT - BUNKER_ARMOR, "the charge against the bunker")
    destroyed = 6 in throw.values
    rfps = 0 if destroyed else CHARGE_RFPS
    vehicles.give_rfps(game, bunker, rfps, across=False)
    outcome = "it is destroyed" if destroyed else several(rfps, "RFP")
    text = f"AT {CHARGE_AT} against the {BUNKER_ARMOR} of {team_label(owner, bunker)}: {outcome}."
    rules = (BUNKER, "hof.vehicles.penetration-at-above-ar")
    result = "destroyed" if destroyed else "rfps"
    data: dict[str, Any] = {"team": bunker.id, "at": CHARGE_AT, "ar": BUNKER_ARMOR, "result": result, "rfps": rfps}
    game.tell("penetration", text, *rules, seat=unit.side, dice=[throw], **data)
    if destroyed:
        yield from morale.kill(game, owner, bunker, losses, "penetration", BUNKER)


def after_activation(game: Battle, act: Activation) -> Flow[None]:
    """A charge is lost when its Team has left the structure: it must still be there to detonate it."""
    yield from ()
    for unit, team in act.members if game.setup.options.engineers else ():
        if team.charge and alive(unit, team) and team.charge not in structures(game, unit, team):
            text = f"{team_label(unit, team)} has left {spoken_of(game.state, team.charge)}: its charge is lost."
            game.tell("charge-lost", text, DETONATE, seat=unit.side, team=team.id, structure=team.charge)
            team.charge = ""
