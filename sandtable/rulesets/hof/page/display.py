"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of Team can do.

Everything is made for one seat, by the same bounds as its view: of the enemy only Teams that are shown, never his Hero
Points, and nobody's Break Points if they are hidden.
"""

from __future__ import annotations

from functools import cache

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.events import several
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Display
from sandtable.field.rosters import own_first
from sandtable.rulesets.hof.core import arsenal
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.labels import team_name, unit_name
from sandtable.rulesets.hof.core.state import SIDES, Setup, State, Team, Unit, counts_for_strength, strength
from sandtable.rulesets.hof.core.terrain import kinds
from sandtable.rulesets.hof.firing import CLOSE_RANGE, CLOSE_ROF
from sandtable.rulesets.hof.forces import forces, scenarios
from sandtable.rulesets.hof.moving import most_inches
from sandtable.rulesets.hof.page import lookout, outcomes
from sandtable.rulesets.hof.page.views import badges, look, shown
from sandtable.table.scene import Badge

UNKNOWN = "?"
NATIONS = {"us": "US", "german": "German", "british": "British", "soviet": "Soviet", "any": "Any nation"}
PHASES = {
    "objectives": "choosing objectives",
    "fieldworks": "laying trenches and obstacles",
    "reserves": "choosing reserves",
    "bombard": "bombardment",
    "deploy": "deployment",
    "reinforce": "reinforcements",
}
WHERE = {
    "": "not deployed",
    "hidden": "Hidden",
    "reserve": "in reserve",
    "edge": "beyond the edge",
    "aboard": "aboard",
    "rear": "in the rear",
    "off-board": "off the table",
}

NOTES: dict[str, tuple[str, str]] = {
    "anti-air": ("Anti-Air", "hof.special-rules.anti-air"),
    "bunker-buster": ("Bunker Buster", "hof.special-rules.bunker-buster"),
    "flame-thrower": ("Flame-thrower", "hof.special-rules.flame-thrower"),
    "light-mortar": ("Light Mortar", "hof.special-rules.light-mortar"),
    "limited-he": ("Limited HE", "hof.special-rules.limited-he"),
    "rfps-only": ("RFPs only", "hof.special-rules.rfps-only"),
    "smoke": ("Smoke", "hof.special-rules.smoke"),
    "not-from-buildings": ("not from buildings", "hof.special-rules.no-fire-from-buildings"),
    "close-range-rof": (f"RoF {CLOSE_ROF} under {CLOSE_RANGE:g} inches", "hof.special-rules.assault-rifle"),
    "passenger-fired": ("fired by a passenger", "hof.transports.passenger-fired"),
    "gun-or-mgs": ("main gun or MGs", "hof.firing.main-gun-or-mgs"),
    "assault-only": ("in assaults only", "hof.special-rules.panzerfaust"),
    "rerolls-assault": ("re-rolls in assaults", "hof.special-rules.assault-rifle"),
    "fast": ("Fast", "hof.special-rules.fast"),
    "slow": ("Slow", "hof.special-rules.slow"),
    "overloaded": ("Overloaded", "hof.special-rules.overloaded"),
    "unreliable": ("Unreliable", "hof.special-rules.unreliable"),
    "wide-tracks": ("Wide Tracks", "hof.special-rules.wide-tracks"),
    "open-topped": ("Open-topped", "hof.assaults.open-topped"),
    "hull-mounted": ("Hull Mounted", "hof.special-rules.hull-mounted"),
    "immobile": ("Immobile", "hof.special-rules.immobile"),
    "amphibious": ("Amphibious", "hof.moving.tracked-terrain"),
    "panzerfaust": ("carries Panzerfausts", "hof.special-rules.panzerfaust"),
    "engineer": ("Engineers", "hof.optional.demolition-place"),
    "recon": ("Recon", "hof.battle.recon-infantry-limits"),
    "jeep-50cal": ("has a .50 cal", "hof.arsenals.us-transports"),
}
"""What a keyword or a trait says on a card, and its rule. Plain machine guns need no word."""


# How things stand.


def status(game: Game[State], seat: str | None) -> list[Fact]:
    """The line above the table: whose turn it is, and each side's points as far as the seat may know them."""
    state = game.state
    found = [
        counted("Round", (state.round, game.setup.rounds), "hof.battle.break-attacker-round"),
        Fact("Turn", state.active.capitalize(), "hof.orders.turn-passes"),
    ]
    if state.phase in PHASES:
        found.append(Fact("Phase", PHASES[state.phase]))
    else:
        points = state.companies[state.active].order_points
        found.append(Fact("Order Points", str(points), "hof.orders.order-dice", count=(points, points)))
    for side in SIDES:
        rule = "hof.orders.hero-hidden-total"
        if side == seat:
            heroes = state.companies[side].heroes
            found.append(Fact("Hero Points", str(heroes), rule, side, count=(heroes, heroes)))
        else:
            found.append(Fact("Hero Points", UNKNOWN, rule, side, known=False))
    hidden = game.setup.options.hidden_break_points
    for side in SIDES:
        company = state.companies[side]
        if hidden:
            value = f"{UNKNOWN} of {company.break_limit}"
            found.append(Fact("Break Points", value, "hof.battle.break-limit", side, known=False))
        else:
            count = (company.break_points, company.break_limit)
            found.append(counted("Break Points", count, "hof.battle.break-limit", side))
    for side in SIDES:
        held = sum(objective.holder == side for objective in state.objectives.values())
        if state.objectives:
            count = (held, len(state.objectives))
            found.append(counted("Objectives", count, "hof.battle.objective-control", side))
    return found


# Who is in it.


def roster(game: Game[State], seat: str | None) -> list[UnitCard]:
    """The Units that the seat may know: its own with all their Teams and losses, of others what is shown."""
    state = game.state
    found = []
    for unit in state.units.values():
        if unit.side == seat:
            found.append(own_card(game.setup, state, unit))
        else:
            teams = [team for team in unit.teams.values() if shown(state, team)]
            if teams:
                found.append(enemy_card(state, unit, teams))
    if seat is not None:
        for unit_id, unit in game.setup.units.items():
            if unit.side == seat and unit_id not in state.units:
                found.append(lost_card(unit_id, unit))
    return own_first(found, seat)


def own_card(setup: Setup, state: State, unit: Unit) -> UnitCard:
    teams = [team_card(state, team) for team in unit.teams.values()]
    began = setup.units.get(unit.id)
    if began is not None:
        teams += [lost_team(name, team) for name, team in began.teams.items() if name not in unit.teams]
    signs = unit_badges(unit)
    if unit.led and unit.leader is None:
        signs = (*signs, Badge("L", "without a Leader"))
    return UnitCard(
        unit.id, unit.side, unit_name(unit), note(unit), (strength(unit), unit.starting), signs, tuple(teams)
    )


def enemy_card(state: State, unit: Unit, teams: list[Team]) -> UnitCard:
    """How many it began with is not known of an enemy, nor how many of it are still out of sight."""
    count = sum(counts_for_strength(team) for team in teams)
    cards = tuple(team_card(state, team) for team in teams)
    return UnitCard(unit.id, unit.side, unit_name(unit), note(unit), (count, 0), unit_badges(unit), cards)


def lost_card(unit_id: str, unit: Unit) -> UnitCard:
    teams = tuple(lost_team(name, team) for name, team in unit.teams.items())
    return UnitCard(
        unit_id, unit.side, unit.name or unit_id, note(unit), (0, unit.starting or strength(unit)), (), teams
    )


def note(unit: Unit) -> str:
    parts = [unit.quality.capitalize(), NATIONS[unit.nation]]
    return ", ".join([*parts, "Recon"] if unit.recon else parts)


def unit_badges(unit: Unit) -> tuple[Badge, ...]:
    return (Badge("½", "below half strength"),) if unit.shaken else ()


def team_card(state: State, team: Team) -> TeamCard:
    signs = (*badges(team), *(Badge("+", NOTES[trait][0]) for trait in team.traits))
    where = "" if team.at is not None else WHERE[team.where]
    return TeamCard(team.id, team_name(team), team.profile, signs, where)


def lost_team(name: str, team: Team) -> TeamCard:
    named = Team(team.profile, id=name, role=team.role)
    return TeamCard(name, team_name(named), team.profile, lost=True)


# What they can do.


def profiles(game: Game[State]) -> dict[str, Profile]:
    """The kinds of both nations' arsenals. Not only those in the battle: that would tell what is hidden."""
    nations = {company.nation for company in game.state.companies.values()} | {"any"}
    return {key: profile_card(key) for key, kind in arsenal.profiles().items() if kind.nation in nations}


@cache
def profile_card(key: str) -> Profile:
    kind = arsenal.profile(key)
    category = "Small Team" if kind.small else kind.category.capitalize()
    facts = [Fact("Type", f"{category}, {kind.mobility}" if kind.mobility != kind.category else category)]
    inches = most_inches(key, 0)
    facts.append(Fact("Moves", f"up to {inches:g} inches" if inches else "not", "hof.moving.rolled-distance"))
    if kind.armor is not None:
        facts.append(Fact("Armor", f"front {kind.front}, flank {kind.flank}", "hof.vehicles.armored-or-not"))
    if kind.carries:
        facts.append(Fact("Carries", several(kind.carries, "Team"), "hof.transports.capacity"))
    if kind.artillery:
        facts.append(Fact("Artillery", kind.artillery, "hof.artillery.fire-missions"))
    facts.append(Fact("Base", f"{kind.base.width:g} by {kind.base.depth:g} inches", "hof.orders.base-sizes"))
    notes = dict.fromkeys([*kind.keywords, *(word for weapon in kind.weapons for word in weapon.keywords)])
    return Profile(
        kind.name,
        tuple(facts),
        ("Weapon", "Range", "RoF", "AT", "FP", "Notes"),
        tuple(weapon_row(weapon) for weapon in kind.weapons),
        tuple(Fact(NOTES[word][0], "", NOTES[word][1]) for word in notes if word in NOTES),
        look(kind),
    )


def weapon_row(weapon: Weapon) -> tuple[str, ...]:
    words = ", ".join(NOTES[word][0] for word in weapon.keywords if word in NOTES)
    reach = f"{weapon.range:g}" if weapon.direct else "–"
    return (
        weapon.name,
        reach,
        str(weapon.rof) if weapon.direct else "–",
        "–" if weapon.at is None else str(weapon.at),
        str(weapon.fp),
        words,
    )


def about(name: str) -> str:
    """What a scenario says of itself."""
    if name.startswith(forces.RANDOM):
        return "A table and two forces laid out by chance."
    return scenarios.SCENARIOS.load(name).about


WALLS = tuple(name for name, kind in kinds().items() if kind.building or (kind.shape == "line" and kind.conceals))
"""What a Unit lines when it is dropped there."""

DISPLAY = Display(
    status=status,
    roster=roster,
    profiles=profiles,
    outlook=lookout.outlook,
    side_view=lookout.side_view,
    gauge=lookout.gauge,
    outcome=outcomes.outcome,
    about=about,
    walls=WALLS,
    heads=lookout.heads,
    previews=outcomes.PREVIEWS,
    lines=outcomes.lines,
)
