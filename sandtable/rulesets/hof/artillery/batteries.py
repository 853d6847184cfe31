"""Batteries: which Artillery Units may be called for fire, what an order reaches, and who may observe for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandtable.engine.game import Flow
from sandtable.engine.questions import (
    Choices,
    Choose,
    Joined,
    LaterDict,
    Option,
    Refusal,
    Why,
    illegal,
    one_after_the_other,
)
from sandtable.engine.ruleset import Ask
from sandtable.field.kept import Kept
from sandtable.rulesets.hof.activation import eligible, in_sight, may_nominate, participants
from sandtable.rulesets.hof.artillery.barrages import LEAST_GUNS, bearing_guns, guns_of, in_place
from sandtable.rulesets.hof.core.acts import Paid
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import label, team_label, team_option, unit_name
from sandtable.rulesets.hof.core.state import FIRE_MISSIONS, Company, Member, Team, Unit, teams_of, units_of

MARKER = "marker:"
"""What the name of a pre-registered marker begins with."""


@dataclass(slots=True)
class Battery:
    """A Unit that may be ordered to fire a barrage: who gives the order (nobody far off the table), and its guns."""

    unit: Unit
    first: Team | None
    guns: list[Team]


def gather(game: Battle, unit: Unit, paid: Paid) -> Battery | None:
    """The guns that one order reaches, if they are two."""
    guns = [gun for gun in guns_of(unit) if in_place(gun) and may_be_ordered(gun, paid)]
    if len(guns) < LEAST_GUNS:
        return None
    if unit.off_board:
        return Battery(unit, None, guns)
    leader = unit.leader
    if leader is not None:
        if leader.at is None or not eligible(leader, paid):
            return None
        seen = in_sight_of(game, leader, guns)
        return Battery(unit, leader, seen) if len(seen) >= LEAST_GUNS else None
    if unit.vehicles:
        groups = [Battery(unit, gun, in_sight_of(game, gun, guns)) for gun in guns if may_nominate(unit, gun)]
        best = max(groups, key=lambda battery: len(battery.guns), default=None)
        return best if best is not None and len(best.guns) >= LEAST_GUNS else None
    return Battery(unit, guns[0], guns) if unit.led else None


def in_sight_of(game: Battle, leader: Team, guns: list[Team]) -> list[Team]:
    """hof.activation.pl-brings-unit: the guns that whoever gives the order sees, himself among them."""
    seen = board(game).sees([leader], guns)[0].tolist()
    return [gun for gun, visible in zip(guns, seen, strict=True) if visible or gun is leader]


def may_be_ordered(team: Team, paid: Paid) -> bool:
    return participants.free_to_act(team, paid) and not team.bogged


def payments(game: Battle, company: Company, unit: Unit) -> list[Paid]:
    """hof.artillery.call-for-fire: an Order Point, or a Hero Point in its place."""
    found: list[Paid] = []
    if company.order_points and usable(game, gather(game, unit, "order"), "order"):
        found.append("order")
    if company.heroes and usable(game, gather(game, unit, "hero"), "hero"):
        found.append("hero")
    return found


def usable(game: Battle, battery: Battery | None, paid: Paid) -> bool:
    return battery is not None and bool(observers(game, battery, paid) or markers(game, battery))


ARMED = Kept[str, bool]()
"""By Unit."""


def has_guns(game: Battle, unit: Unit) -> bool:
    """Whether a Unit had guns for a mission when it was first asked: it never gains any."""
    return ARMED.once(board(game), unit.id, lambda: len(guns_of(unit)) >= LEAST_GUNS)


def calls(game: Battle, side: str) -> Choices[Unit]:
    """Which Units may be called for fire."""
    rules = ("hof.artillery.call-for-fire", "hof.artillery.who-may-barrage")
    units = units_of(game.state, side)
    return Choices(
        LaterDict(lambda: {f"call:{unit.id}": unit for unit in units}),
        lambda unit: Option(f"call:{unit.id}", f"{unit_name(unit)} is called for fire", rules, pieces=(unit.id,)),
        lambda unit: why_no_call(game, unit),
        quick=lambda: [f"call:{unit.id}" for unit in units if has_guns(game, unit) and why_no_call(game, unit) is None],
    )


def why_no_call(game: Battle, unit: Unit) -> Why:
    """Why a Unit may not be called for fire."""
    field = f"call:{unit.id}"
    if not has_guns(game, unit) or len(guns_of(unit)) < LEAST_GUNS:
        few = "hof.artillery.who-may-barrage"
        return lambda: illegal(few, f"{label(unit)} has no two artillery guns.", field=field)
    company = game.state.companies[unit.side]
    if game.state.active != unit.side:
        return illegal("hof.artillery.call-for-fire", "missions are called in your own turn.", field=field)
    if company.called_off:
        message = "an Order Point has been spent on something else."
        legal = "Call for fire with the first Order Points of a turn."
        return illegal("hof.artillery.call-for-fire", message, field=field, legal=legal)
    if unit.fired >= FIRE_MISSIONS:
        message = f"{label(unit)} has fired its {FIRE_MISSIONS} missions."
        return illegal("hof.artillery.fire-missions", message, field=field)
    if any(mission.unit == unit.id and mission.phase == "called" for mission in game.state.missions):
        return illegal("hof.artillery.call-for-fire", f"{label(unit)} has been called this turn.", field=field)
    if all(gun.where == "reserve" for gun in guns_of(unit)):
        rule = "hof.battle.reserves-off-board-artillery" if unit.off_board else "hof.battle.reserves-check"
        return illegal(rule, f"{label(unit)} is in reserve.", field=field)
    return None if payments(game, company, unit) else lambda: why_no_battery(game, unit)


def why_no_battery(game: Battle, unit: Unit) -> Refusal:
    """What keeps a Unit from a mission that it could be given: order, observer or point."""
    field = f"call:{unit.id}"
    battery = gather(game, unit, "hero")
    if battery is None:
        message = f"no order reaches two guns of {label(unit)}."
        rule = "hof.optional.bogged" if any(gun.bogged for gun in guns_of(unit)) else "hof.artillery.who-may-barrage"
        return illegal(rule, message, field=field)
    if not usable(game, battery, "hero"):
        return illegal("hof.artillery.observer-needed", f"nobody can observe for {label(unit)}.", field=field)
    return illegal("hof.orders.order-point-once-per-turn", f"{label(unit)} has been activated.", field=field)


# Who observes.


def observers(game: Battle, battery: Battery, paid: Paid) -> dict[str, tuple[Member, str]]:
    """Who may observe for a battery, each with the rule that lets him: its own Teams, then others."""
    own: dict[str, tuple[Member, str]] = {}
    others: dict[str, tuple[Member, str]] = {}
    for unit, team in board(game).side(battery.unit.side).members:
        if unit is battery.unit:
            rule = own_observer(game, battery, team, paid)
            if rule:
                own[team.id] = ((unit, team), rule)
        elif not team.suppressed:
            rule = outside_observer(game, unit, team, paid)
            if rule:
                others[team.id] = ((unit, team), rule)
    ranked = sorted(own, key=lambda name: own[name][0][1].role != "fo")
    return {name: own[name] for name in ranked} | others


def own_observer(game: Battle, battery: Battery, team: Team, paid: Paid) -> str:
    """The rule by which a Team of the battery may observe. It is activated too, and may rally before it is needed."""
    if team in battery.guns:
        return "hof.artillery.observer-needed"
    if not may_be_ordered(team, paid):
        return ""
    if team.role == "fo":
        return "hof.artillery.fo-activation"
    if team is battery.first:
        return "hof.artillery.any-pl-observes"
    reached = battery.first is None or in_sight(game, battery.first, team)
    return "hof.artillery.observer-needed" if reached else ""


def outside_observer(game: Battle, unit: Unit, team: Team, paid: Paid) -> str:
    """The rule by which a Team of another Unit may observe."""
    if team.role == "pl" and (team.watching or may_be_ordered(team, paid)):
        return "hof.artillery.any-pl-observes"
    if "recon" in team.traits and not team.locked:
        return "hof.battle.recon-observes"
    if team.role == "fo" and game.setup.options.national and unit.nation == "british" and not team.locked:
        return "hof.national.gb-mike-target-any-fo"
    return ""


def markers(game: Battle, battery: Battery) -> list[str]:
    """hof.optional.pre-registered: the markers of a preliminary bombardment that two guns can bear on."""
    if not game.setup.options.bombardment:
        return []
    return [
        f"{MARKER}{number}"
        for number, marker in enumerate(game.state.bombardments)
        if marker.side == battery.unit.side and len(bearing_guns(game, battery.guns, marker.at)) >= LEAST_GUNS
    ]


def choose_observer(game: Battle, battery: Battery, paid: Paid) -> Flow[tuple[str, list[str]]]:
    """Who observes, or which pre-registered marker is fired on, empty if there is nobody; and the rules for it."""
    unit = battery.unit
    found = observers(game, battery, paid)

    def why_not(member: Member) -> Why:
        if member[1].id in found:
            return None
        if member[1].suppressed:
            message = f"{team_label(*member)} is Suppressed."
            return illegal("hof.artillery.suppressed-no-observe", message, field=member[1].id)
        message = f"{team_label(*member)} cannot observe for {label(unit)}."
        return illegal("hof.artillery.observer-needed", message, field=member[1].id)

    teams = Choices(
        LaterDict(lambda: {team.id: (of, team) for of, team in teams_of(game.state, unit.side)}),
        lambda member: team_option(*member, found[member[1].id][1]),
        why_not,
        quick=lambda: list(found),
    )
    spots = Choices({name: name for name in markers(game, battery)}, lambda name: marker_option(game, name))
    choices = Joined(lambda: [teams, spots], one_after_the_other)
    answer: str = choices.allowed()[0] if choices else ""
    needed = "hof.artillery.observer-needed"
    if len(choices) > 1:
        words, asked = f"Who observes for {label(unit)}?", (needed, "hof.artillery.call-for-fire")
        question = Choose("observer", words, choices, rules=asked, facts={"unit": unit.id}, step="whom")
        question.default = lambda: best_observer(game, battery, choices.allowed())
        answer = yield Ask(unit.side, question)
    if answer.startswith(MARKER):
        return answer, ["hof.optional.pre-registered"]
    return answer, [needed, found[answer][1]] if answer else [needed]


def best_observer(game: Battle, battery: Battery, names: Sequence[str]) -> str:
    """Who observes if the player only says yes: whoever sees most of the enemy; among equals the first."""
    here = board(game)
    enemies = here.enemies(battery.unit.side).teams
    placed = {team.id: team for team in here.side(battery.unit.side).teams}
    seen = {name: int(here.sees([placed[name]], enemies).sum()) if name in placed and enemies else 0 for name in names}
    return max(names, key=lambda name: seen[name])


def marker_option(game: Battle, name: str) -> Option:
    x, y = game.state.bombardments[int(name.removeprefix(MARKER))].at
    return Option(name, f"Nobody: the marker at {x:g}, {y:g}", ("hof.optional.pre-registered",))
