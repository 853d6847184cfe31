"""Leaders: encouragement, promotion, and whether a unit is in command."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import course, passes, sixes_again
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import ENCOURAGING
from sandtable.testing.umpire.sof.table import Maybe, any_of, both, disabled, figures, in_command, leads, placed, sees
from sandtable.testing.umpire.sof.turn import influence

SUCCESS = 4


def group_of(state: Any, unit: Any) -> Any:
    return state.battlegroups.get(unit.battlegroup)


@book.on("encourage")
def a_leader_encourages(watch: Watch, event: Event) -> None:
    watch.count("encouragements")
    kept, state, data = course(watch), watch.state, event.data
    unit = state.units[data["unit"]]
    leader = unit.teams[data["team"]]
    act = kept.act
    if act is None or act.unit != unit.id or not leads(leader):
        watch.object_to("sof.leadership.encourage-when", f"{leader.id} may not encourage now")
    elif leader.id in act.encouraged:
        watch.object_to("sof.leadership.encourage-when", f"{leader.id} encourages twice in an activation")
    else:
        act.encouraged.add(leader.id)
    group = group_of(state, unit)
    capability = group.capability if group is not None else "competent"
    dice = {"nco": 1, "senior-nco": 2}.get(leader.role, ENCOURAGING[capability])
    needed = SUCCESS
    if leader.role == "officer":
        needed -= {"inspiring": 1, "difficult": -1, "green": -1, "acting": -1}.get(capability, 0)
    bearers = [figure for figure in figures(unit) if figure.role == "standard-bearer" and not disabled(figure)]
    if bearers and act is not None and act.straight.may:
        watch.count("encouragement under the colours")
        if act.straight.sure or data["needed"] == needed - 1:
            needed -= 1
    if len(event.dice[0].values) != dice:
        watch.object_to(
            "sof.leadership.encourage-dice", f"{leader.id} rolls {len(event.dice[0].values)} dice, not {dice}"
        )
    if data["needed"] != needed:
        watch.object_to("sof.leadership.encourage-success", f"{leader.id} needs {data['needed']}, and not {needed}")
    found = passes(event.dice[0].values, sixes_again(watch, event, needed), needed)
    if data["passed"] != found:
        watch.object_to("sof.leadership.encourage-success", f"{event.dice[0].values} on {needed}+ are {found}")
    kept.encouraged = (leader.id, found)


@book.on("relieved")
def a_marker_is_taken_off(watch: Watch, event: Event) -> None:
    watch.count("markers taken off by leaders")
    kept, state = course(watch), watch.earlier
    unit = state.units[event.data["unit"]]
    if "sof.leadership.advance-sword" in event.rules:
        watch.count("swords raised")
        return
    leader, left = kept.encouraged or ("", 0)
    if event.data["team"] != leader or left < 1:
        watch.object_to("sof.leadership.encourage-effect", f"{event.data['team']} has no success left for {unit.id}")
        return
    kept.encouraged = (leader, left - 1)
    for home in state.units.values():
        if leader in home.teams:
            reach = influence(watch, state, home.teams[leader], home, unit)
            if home.side != unit.side or not reach.may:
                watch.object_to("sof.leadership.encourage-effect", f"{leader} does not reach {unit.id}")


@book.on("inspired-advance")
def an_inspired_advance(watch: Watch, event: Event) -> None:
    """Whoever the officer sees within his influence loses a marker at once; he does it once in a battle."""
    watch.count("inspired advances")
    kept, state, data = course(watch), watch.earlier, event.data
    unit = state.units[data["unit"]]
    officer = unit.teams[data["team"]]
    act = kept.act
    if act is None or act.unit != unit.id or act.actions or officer.role != "officer" or officer.advanced:
        watch.object_to("sof.leadership.advance-when", f"{officer.id} may not lead an Inspired Advance")
    kept.exposed.add(officer.id)
    if act is not None:
        act.advance = officer.id
    for other in placed(state, unit.side):
        reach = influence(watch, state, officer, unit, other)
        seen = any_of([sees(watch, officer.at, figure.at) for figure in figures(other)])
        near = both(reach, seen) if other.id != unit.id else Maybe(True, True)
        if other.suppression and near.denies(other.id in data["suppression"]):
            watch.object_to("sof.leadership.advance-recover", f"{other.id} is {'' if near.may else 'not '}inspired")


@book.on("action")
def an_inspired_advance_goes_forward(watch: Watch, event: Event) -> None:
    act = course(watch).act
    over = act is not None and (len(act.actions) == 2 or event.data["action"] == "done")
    if act is not None and act.advance and over and not {"maneuver", "assault"} & set(act.actions):
        watch.object_to("sof.leadership.advance-move", f"{act.unit} takes {act.actions} for its Inspired Advance")


@book.on("promotion")
def an_nco_is_promoted(watch: Watch, event: Event) -> None:
    watch.count("promotions")
    data, before, after = event.data, watch.earlier, watch.state
    name = data["battlegroup"]
    own = [unit for unit in before.units.values() if unit.battlegroup == name]
    if any(figure.role == "officer" for unit in own for figure in unit.teams.values()):
        watch.object_to("sof.leadership.promotion", f"{name} still has its officer")
    # Whoever waits in reserve may be promoted as well.
    seniors = [figure.id for unit in own for figure in unit.teams.values() if figure.role == "senior-nco"]
    ncos = [figure.id for unit in own if unit.in_command for figure in unit.teams.values() if figure.role == "nco"]
    if data["team"] not in (seniors or ncos):
        watch.object_to("sof.leadership.promotion-who", f"{data['team']} is promoted, and not one of {seniors or ncos}")
    home = after.units.get(data["unit"])
    if home is None or data["team"] not in home.teams or home.teams[data["team"]].role != "officer" or not home.hq:
        watch.object_to("sof.leadership.promotion-join", f"{data['team']} does not command {data['unit']}")
        return
    if after.battlegroups[name].capability != "acting" or not after.battlegroups[name].promoted:
        watch.object_to("sof.leadership.promotion", f"{name} is not led by an acting officer")
    if any(data["team"] in unit.teams for unit in after.units.values() if unit.id != home.id):
        watch.object_to("sof.leadership.promotion-join", f"{data['team']} is in two units")
    hq = next((unit for unit in own if unit.hq), None)
    if hq is not None and hq.id != home.id:
        watch.object_to("sof.leadership.promotion-join", f"{data['team']} joins {home.id}, and not {hq.id}")
    if home.teams[data["team"]].mounted != (home.type == "mounted"):
        watch.object_to("sof.units.type-mounted", f"{data['team']} is among {home.type} and rides, or does not")
    joined_at(watch, home, data["team"])


def joined_at(watch: Watch, home: Any, name: str) -> None:
    """He stands in command with the HQ unit, if it was so before him."""
    before = watch.earlier.units.get(home.id)
    if before is not None and in_command(before).sure and not in_command(home).may:
        watch.object_to("sof.leadership.promotion-join", f"{name} stands apart from {home.id}")


@book.on("leaderless")
def nobody_is_left_to_lead(watch: Watch, event: Event) -> None:
    watch.count("battlegroups without a leader")
    name = event.data["battlegroup"]
    own = [unit for unit in watch.state.units.values() if unit.battlegroup == name]
    left = [
        figure.id
        for unit in own
        for figure in figures(unit)
        if figure.role in ("officer", "senior-nco") or (figure.role == "nco" and unit.in_command)
    ]
    if left:
        watch.object_to("sof.leadership.promotion-none", f"{name} has {left} to lead it")


@book.on("command")
def a_unit_is_in_command_or_not(watch: Watch, event: Event) -> None:
    watch.count("changes of command")
    unit = watch.state.units[event.data["unit"]]
    if in_command(unit).denies(event.data["in_command"]):
        watch.object_to(
            "sof.units.in-command", f"{unit.id} is told to be {'in' if event.data['in_command'] else 'out of'} command"
        )


@book.on("activation", "turn-over")
def command_at_the_end_of_an_activation(watch: Watch, event: Event) -> None:
    """What a unit is when its activation ends, it stays."""
    state = watch.asked if event.kind == "activation" else watch.state
    name = watch.memory.get("sof.acted")
    unit = state.units.get(name) if name else None
    if unit is not None and unit.activated and in_command(unit).denies(unit.in_command):
        watch.object_to(
            "sof.units.in-command-lasts", f"{unit.id} is marked as {'in' if unit.in_command else 'out of'} command"
        )
    watch.memory["sof.acted"] = event.data.get("unit") if event.kind == "activation" else None
