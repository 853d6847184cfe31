"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of Team can do.

Nothing is hidden in this game, so all seats and watchers are shown the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.events import inches
from sandtable.engine.ruleset import Display
from sandtable.field import facts, rosters
from sandtable.field.outcomes import outcome
from sandtable.field.page_rooms import shown_by
from sandtable.field.rosters import Heading
from sandtable.rulesets.tr14.battle import points_held
from sandtable.rulesets.tr14.core import arsenal
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import PAGE, spoken, unit_name
from sandtable.rulesets.tr14.core.state import SIDES, Team, Unit, platoons
from sandtable.rulesets.tr14.core.terrain import Kind, kinds
from sandtable.rulesets.tr14.forces import SCENARIOS
from sandtable.rulesets.tr14.page import lookout, odds, outcomes
from sandtable.rulesets.tr14.page.briefing import briefing
from sandtable.rulesets.tr14.page.views import look


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
    lost = (PAGE.badge("leaderless"),) if not unit.apart and unit.leader is None else ()
    return Heading(unit_name(unit), unit.training.capitalize(), unit.starting, (*PAGE.badges(unit, unit=True), *lost))


def team_card(team_id: str, team: Team) -> TeamCard:
    where = "" if team.at is not None else "not deployed"
    return TeamCard(team_id, spoken(team.role, team.profile, team_id), team.profile, PAGE.badges(team), where)


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
        kind.name, look(kind), found, kind.weapons, COLUMNS, lambda weapon: weapon.notes, kind.notes, PAGE.notes
    )


def ground_facts(name: str, kind: Kind) -> Iterator[str]:
    """What is said of a kind of ground, by its names among the page's words."""
    if kind.shape == "area" or kind.tall:
        yield "area" if kind.shape == "area" else "tall"
    if kind.cover != "none":
        yield kind.cover
        yield from ("line",) * (kind.shape == "line")
    if kind.going != "open":
        yield kind.going


WALLS = ("building", *(name for name, kind in kinds().items() if kind.shape == "line"))
"""What a Unit lines when it is dropped there."""

DISPLAY = Display(
    status=status,
    roster=roster,
    profiles=profiles,
    **shown_by(lookout, odds, outcomes),
    outcome=partial(outcome, outcomes.ATTACKS, outcomes.suffered),
    about=SCENARIOS.about,
    briefing=partial(briefing, roster),
    walls=WALLS,
    previews=odds.PREVIEWS,
    story=outcomes.STORY,
    **PAGE.shown(kinds(), ground_facts),
)
