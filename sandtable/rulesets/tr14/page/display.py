"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of Team can do.

Nothing is hidden in this game, so all seats and watchers are shown the same.
"""

from __future__ import annotations

from functools import cache

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Display
from sandtable.field.rosters import own_first
from sandtable.rulesets.tr14.battle import score
from sandtable.rulesets.tr14.core import arsenal
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.names import team_name, unit_name
from sandtable.rulesets.tr14.core.state import SIDES, State, Team, Unit, platoons
from sandtable.rulesets.tr14.core.terrain import kinds
from sandtable.rulesets.tr14.forces import SCENARIOS
from sandtable.rulesets.tr14.page import lookout, outcomes
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


def status(game: Game[State], seat: str | None) -> list[Fact]:
    """The line above the table: the round, who has the Initiative, and how each side stands."""
    state = game.state
    found = [counted("Round", (state.round, game.setup.rounds), "tr14.battle.end")]
    if state.phase == "deploy":
        found.append(Fact("Phase", "deployment", "tr14.battle.deployment"))
    else:
        found.append(Fact("Initiative", state.initiative.capitalize(), "tr14.playing.round-of-initiatives"))
    for side in SIDES:
        count = (len(platoons(state, side)), state.companies[side].starting)
        found.append(counted("Units", count, "tr14.playing.units-and-teams", side))
    if state.objectives:
        points = score(state)
        whole = sum(objective.worth for objective in state.objectives.values())
        for side in SIDES:
            found.append(counted("Objectives", (points[side], whole), "tr14.battle.objectives", side))
    return found


def roster(game: Game[State], seat: str | None) -> list[UnitCard]:
    """All Units, the seat's own first, with their losses."""
    state = game.state
    found = []
    for unit_id, began in game.setup.units.items():
        unit = state.units.get(unit_id)
        living = unit.teams if unit is not None else {}
        teams = [TeamCard(t.id, team_name(t), t.profile, team_badges(t), where(t)) for t in living.values()]
        teams += [lost_team(name, team) for name, team in began.teams.items() if name not in living]
        known = unit or began
        starting = known.starting or len(began.teams)
        signs = unit_badges(unit) if unit is not None else ()
        name = unit_name(known) or unit_id
        note = known.training.capitalize()
        found.append(UnitCard(unit_id, known.side, name, note, (len(living), starting), signs, tuple(teams)))
    return own_first(found, seat)


def unit_badges(unit: Unit) -> tuple[Badge, ...]:
    shared = [badge for badge in badges(unit, next(iter(unit.teams.values()))) if badge.icon not in ("S", "D")]
    if not unit.apart and unit.leader is None:
        shared.append(Badge("L", "without a Platoon Leader"))
    return tuple(shared)


def where(team: Team) -> str:
    return "" if team.at is not None else "not deployed"


def lost_team(name: str, team: Team) -> TeamCard:
    return TeamCard(name, team_name(Team(team.profile, id=name, role=team.role)), team.profile, lost=True)


def profiles(game: Game[State]) -> dict[str, Profile]:
    """Every kind of Team of the arsenal."""
    return {key: profile_card(key) for key in arsenal.profiles()}


@cache
def profile_card(key: str) -> Profile:
    kind = arsenal.profile(key)
    facts = [
        Fact("Type", f"{kind.type.capitalize()} Team", "tr14.playing.units-and-teams"),
        Fact("Moves", f"{kind.move:g} inches", "tr14.moving.distances"),
    ]
    if kind.armored:
        facts.append(Fact("Armor", f"front {kind.front}, flank {kind.flank}", "tr14.arsenal.tanks"))
    if kind.ta:
        facts.append(Fact("Tank Assault", str(kind.ta), "tr14.arsenal.weapons"))
    facts.append(Fact("Base", f"{kind.base.width:g} by {kind.base.depth:g} inches"))
    words = dict.fromkeys([*kind.notes, *(note for weapon in kind.weapons for note in weapon.notes)])
    return Profile(
        kind.name,
        tuple(facts),
        ("Weapon", "Range", "Fire Points", "Barrage", "Notes"),
        tuple(weapon_row(weapon) for weapon in kind.weapons),
        tuple(Fact(NOTES[word][0], "", NOTES[word][1]) for word in words),
        look(kind),
    )


def weapon_row(weapon: Weapon) -> tuple[str, ...]:
    words = ", ".join(NOTES[note][0] for note in weapon.notes)
    barrage = "–" if weapon.barrage is None else str(weapon.barrage)
    return (weapon.name, f"{weapon.range:g}", str(weapon.fp), barrage, words)


def about(name: str) -> str:
    """What a scenario says of itself."""
    return SCENARIOS.load(name).about


WALLS = ("building", *(name for name, kind in kinds().items() if kind.shape == "line"))
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
