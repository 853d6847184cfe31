"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of Team can do.

Nothing is hidden in this game, so all seats and watchers are shown the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.events import inches
from sandtable.engine.ruleset import Display
from sandtable.field import facts, rosters, sightlines
from sandtable.field.outcomes import outcome
from sandtable.field.rosters import Heading
from sandtable.rulesets.tr14.battle import points_held
from sandtable.rulesets.tr14.core import arsenal
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import spoken, unit_name
from sandtable.rulesets.tr14.core.state import SIDES, Team, Unit, platoons
from sandtable.rulesets.tr14.core.terrain import kinds
from sandtable.rulesets.tr14.forces import SCENARIOS
from sandtable.rulesets.tr14.page import legend, lookout, odds, outcomes
from sandtable.rulesets.tr14.page.briefing import briefing
from sandtable.rulesets.tr14.page.story import STORY
from sandtable.rulesets.tr14.page.views import badges, look, team_badges
from sandtable.table.scene import Badge

NOTES: dict[str, tuple[str, str]] = {
    "at": ("AT", "tr14.arsenal.weapons"),
    "artillery": ("artillery", "tr14.arsenal.weapons"),
    "moves-as-infantry": ("moves as infantry", "tr14.arsenal.moves-as-infantry"),
    "over-friends": ("fires over friends", "tr14.arsenal.mortar-over-friends"),
    "shield": ("gun shield", "tr14.arsenal.gun-shield"),
    "rerolls-range-in": ("re-rolls the range in", "tr14.arsenal.nebelwerfer-range-in"),
    "skirts": ("side skirts", "tr14.arsenal.skirts"),
    "wide-tracks": ("wide tracks", "tr14.arsenal.wide-tracks"),
}
"""What a note of the arsenal says on a card, and its rule."""


def status(game: Battle, seat: str | None) -> list[Fact]:
    """The line above the table: the round, who has the Initiative, and how each side stands."""
    state = game.state
    found = [counted("Round", (state.round, game.setup.rounds), "tr14.battle.end")]
    if state.phase == "deploy":
        found.append(Fact("Phase", "deployment", "tr14.battle.deployment"))
    else:
        found.append(Fact("Initiative", state.initiative.capitalize(), "tr14.playing.round-of-initiatives"))
    units = {side: (len(platoons(state, side)), state.companies[side].starting) for side in SIDES}
    found += facts.by_side("Units", "tr14.playing.units-and-teams", units)
    if state.objectives:
        whole = sum(objective.worth for objective in state.objectives.values())
        points = {side: (points, whole) for side, points in points_held(state).items()}
        found += facts.by_side("Objectives", "tr14.battle.objectives", points)
    return found


def roster(game: Battle, seat: str | None) -> list[UnitCard]:
    """All Units, the seat's own first, with their losses."""
    return rosters.roster(game.setup.units, game.state.units, seat, heading, team_card)


def heading(unit: Unit) -> Heading:
    shared = [badge for badge in badges(unit, next(iter(unit.teams.values()))) if badge.icon not in ("S", "D")]
    if not unit.apart and unit.leader is None:
        shared.append(Badge("L", "without a Platoon Leader", sign="leaderless"))
    return Heading(unit_name(unit), unit.training.capitalize(), unit.starting, tuple(shared))


def team_card(team_id: str, team: Team) -> TeamCard:
    where = "" if team.at is not None else "not deployed"
    return TeamCard(team_id, spoken(team.role, team.profile, team_id), team.profile, team_badges(team), where)


def profiles(game: Battle) -> dict[str, Profile]:
    """Every kind of Team of the arsenal."""
    return {key: profile_card(key) for key in arsenal.profiles()}


COLUMNS: dict[str, Callable[[Weapon], str | float | None]] = {
    "Weapon": lambda weapon: weapon.name,
    "Range": lambda weapon: weapon.range,
    "Fire Points": lambda weapon: weapon.fp,
    "Barrage": lambda weapon: weapon.barrage,
}


@cache
def profile_card(key: str) -> Profile:
    kind = arsenal.profile(key)
    found = [
        Fact("Type", f"{kind.type.capitalize()} Team", "tr14.playing.units-and-teams"),
        Fact("Moves", inches(kind.move), "tr14.moving.distances"),
    ]
    if kind.armored:
        found.append(facts.armor(kind, "tr14.arsenal.tanks"))
    if kind.ta:
        found.append(Fact("Tank Assault", str(kind.ta), "tr14.arsenal.weapons"))
    found.append(facts.base(kind.base))
    return facts.profile(
        kind.name, look(kind), found, kind.weapons, COLUMNS, lambda weapon: weapon.notes, kind.notes, NOTES
    )


WALLS = ("building", *(name for name, kind in kinds().items() if kind.shape == "line"))
"""What a Unit lines when it is dropped there."""

DISPLAY = Display(
    status=status,
    roster=roster,
    profiles=profiles,
    outlook=partial(sightlines.outlook, lookout.watcher),
    side_view=partial(sightlines.side_view, lookout.watcher),
    gauge=lookout.gauge,
    outcome=partial(outcome, outcomes.ATTACKS, outcomes.suffered),
    about=SCENARIOS.about,
    briefing=partial(briefing, roster),
    walls=WALLS,
    heads=lookout.heads,
    previews=outcomes.PREVIEWS,
    lines=outcomes.lines,
    odds=odds.odds,
    tally=outcomes.tally,
    terrain=legend.terrain,
    legend=legend.SIGNS,
    story=STORY,
)
