"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of Team can do.

Everything is made for one seat, by the same bounds as its view: of the enemy only Teams that are shown, never his Hero
Points, and nobody's Break Points if they are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.events import inches, several
from sandtable.engine.ruleset import Display
from sandtable.field import facts, rosters
from sandtable.field.page_rooms import shown_by
from sandtable.field.reckoning import held
from sandtable.field.rosters import Heading
from sandtable.rulesets.hof.core import arsenal
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import PAGE, spoken, unit_name
from sandtable.rulesets.hof.core.state import SIDES, Team, Unit, counts_for_strength
from sandtable.rulesets.hof.core.terrain import Kind, kinds
from sandtable.rulesets.hof.firing import CLOSE_RANGE, CLOSE_ROF
from sandtable.rulesets.hof.forces import forces, scenarios
from sandtable.rulesets.hof.moving import most_inches
from sandtable.rulesets.hof.page import lookout, odds, outcomes
from sandtable.rulesets.hof.page.briefing import briefing
from sandtable.rulesets.hof.page.views import look, shown

NOTES = {
    **PAGE.notes,
    "close-range-rof": (f"RoF {CLOSE_ROF} under {CLOSE_RANGE:g} inches", "hof.special-rules.assault-rifle"),
}
"""What a keyword or a trait says on a card, and its rule."""

NATIONS, PHASES, WHERE = PAGE.names["nations"], PAGE.names["phases"], PAGE.names["where"]


# How things stand.


def status(game: Battle, seat: str | None) -> list[Fact]:
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
    heroes = {side: (state.companies[side].heroes if side == seat else None, None) for side in SIDES}
    found += facts.by_side("Hero Points", "hof.orders.hero-hidden-total", heroes)
    hidden = game.setup.options.hidden_break_points
    breaking = {
        side: (None if hidden else state.companies[side].break_points, state.companies[side].break_limit)
        for side in SIDES
    }
    found += facts.by_side("Break Points", "hof.battle.break-limit", breaking)
    if state.objectives:
        objectives = {side: (count, len(state.objectives)) for side, count in held(state.objectives).items()}
        found += facts.by_side("Objectives", "hof.battle.objective-control", objectives)
    return found


# Who is in it.


def roster(game: Battle, seat: str | None) -> list[UnitCard]:
    """The Units that the seat may know: its own with all their Teams and losses, of others what is shown."""
    return rosters.roster(
        game.setup.units, game.state.units, seat, heading, team_card, counts_for_strength, partial(shown, game.state)
    )


def heading(unit: Unit) -> Heading:
    return Heading(
        unit_name(unit),
        ", ".join([unit.quality.capitalize(), NATIONS[unit.nation], *(["Recon"] if unit.recon else [])]),
        unit.starting,
        PAGE.badges(unit, unit=True),
        (PAGE.badge("leaderless"),) if unit.led and unit.leader is None else (),
    )


def team_card(team_id: str, team: Team) -> TeamCard:
    states = (*PAGE.badges(team), *(PAGE.badge("plus", NOTES[trait][0]) for trait in team.traits))
    where = "" if team.at is not None else WHERE[team.where]
    return TeamCard(team_id, spoken(team.role, team.profile, team_id), team.profile, states, where)


# What they can do.


def profiles(game: Battle) -> dict[str, Profile]:
    """The kinds of both nations' arsenals. Not only those in the battle: that would tell what is hidden."""
    nations = {company.nation for company in game.state.companies.values()} | {"any"}
    return {key: profile_card(key) for key, kind in arsenal.profiles().items() if kind.nation in nations}


COLUMNS: dict[str, Callable[[Weapon], str | float | None]] = {
    "Weapon": lambda weapon: weapon.name,
    "Range": lambda weapon: weapon.range if weapon.direct else None,
    "RoF": lambda weapon: weapon.rof if weapon.direct else None,
    "AT": lambda weapon: weapon.at,
    "FP": lambda weapon: weapon.fp,
}


@cache
def profile_card(key: str) -> Profile:
    kind = arsenal.profile(key)
    category = "Small Team" if kind.small else kind.category.capitalize()
    found = [Fact("Type", f"{category}, {kind.mobility}" if kind.mobility != kind.category else category)]
    most = most_inches(key, 0)
    found.append(Fact("Moves", f"up to {inches(most)}" if most else "not", "hof.moving.rolled-distance"))
    if kind.armor is not None:
        found.append(facts.armor(kind, "hof.vehicles.armored-or-not"))
    if kind.carries:
        found.append(Fact("Carries", several(kind.carries, "Team"), "hof.transports.capacity"))
    if kind.artillery:
        found.append(Fact("Artillery", kind.artillery, "hof.artillery.fire-missions"))
    found.append(facts.base(kind.base, "hof.orders.base-sizes"))
    return facts.profile(
        kind.name, look(kind), found, kind.weapons, COLUMNS, lambda weapon: weapon.keywords, kind.keywords, NOTES
    )


def about(name: str) -> str:
    """What a scenario says of itself."""
    if name.startswith(forces.RANDOM):
        return "A table and two forces laid out by chance."
    return scenarios.SCENARIOS.about(name)


# What the ground does.


def ground_facts(name: str, kind: Kind) -> Iterator[str]:
    """What is said of a kind of ground, by its names among the page's words."""
    line = kind.shape == "line"
    if kind.smoke or kind.shape in ("area", "hill"):
        yield "smoke" if kind.smoke else kind.shape
    elif kind.tall:
        yield "tall"
    yield from (word for word in ("thick", "building") if getattr(kind, word))
    if kind.conceals:
        yield "conceals-across" if line else "conceals"
    if kind.hard:
        yield "hard-behind" if line else "hard"
    yield from (word for word in (kind.going, "road" if kind.road else "", kind.obstacle) if word in PAGE.ground)


WALLS = tuple(name for name, kind in kinds().items() if kind.building or (kind.shape == "line" and kind.conceals))
"""What a Unit lines when it is dropped there."""

DISPLAY = Display(
    status=status,
    roster=roster,
    profiles=profiles,
    **shown_by(lookout, odds, outcomes),
    outcome=outcomes.outcome,
    about=about,
    briefing=partial(briefing, roster),
    walls=WALLS,
    previews=odds.PREVIEWS,
    story=outcomes.STORY,
    **PAGE.shown(kinds(), ground_facts),
)
