"""What a page shows beside the picture: how the battle stands, who is in it, and what each kind of figure can do.

Nothing is hidden in this game, so all seats and watchers are shown the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from sandtable.engine.cards import Fact, Profile, TeamCard, UnitCard, counted
from sandtable.engine.ruleset import Display
from sandtable.field import facts, rosters
from sandtable.field.outcomes import outcome
from sandtable.field.page_rooms import shown_by
from sandtable.field.rosters import Heading
from sandtable.rulesets.sof.core.arsenal import Row, Weapon, kind, weapons
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import spoken, unit_name
from sandtable.rulesets.sof.core.state import SIDES, Figure, Unit, units_of
from sandtable.rulesets.sof.core.terrain import TALL, GroundKind, kinds
from sandtable.rulesets.sof.forces import SCENARIOS
from sandtable.rulesets.sof.missions import held
from sandtable.rulesets.sof.page import lookout, odds, outcomes
from sandtable.rulesets.sof.page.briefing import briefing
from sandtable.rulesets.sof.page.dice_rail import rail
from sandtable.rulesets.sof.page.story import STORY
from sandtable.rulesets.sof.page.views import order_of, unit_signs
from sandtable.rulesets.sof.page.words import PAGE


def status(game: Battle, seat: str | None) -> list[Fact]:
    """The line above the table: the turn and the phase, who has the initiative, and how each side stands."""
    state = game.state
    found = [counted("Turn", (min(state.turn, state.turns), state.turns), "sof.turn.game-length")]
    if state.phase == "activate":
        found.append(Fact("Phase", str(state.number), "sof.turn.activation-phases"))
    if state.initiative:
        found.append(Fact("Initiative", state.initiative.capitalize(), "sof.turn.initiative-sixes"))
    units = {side: (len(units_of(state, side)), began(game, side)) for side in SIDES}
    found += facts.by_side("Units", "sof.units.five-types", units)
    figures = {side: (men(state.units, side), men(game.setup.units, side)) for side in SIDES}
    found += facts.by_side("Figures", "sof.units.in-command", figures)
    if state.objectives:
        points = {side: (number, len(state.objectives)) for side, number in held(game).items()}
        found += facts.by_side("Objectives", "sof.mission-core.control-most-units", points)
    return found


def began(game: Battle, side: str) -> int:
    return sum(unit.side == side for unit in game.setup.units.values())


def men(units: Mapping[str, Unit], side: str) -> int:
    return sum(len(unit.teams) for unit in units.values() if unit.side == side)


def roster(game: Battle, seat: str | None) -> list[UnitCard]:
    """All units, the seat's own first, with their losses."""
    return rosters.roster(
        game.setup.units, game.state.units, seat, partial(heading, game), team_card, lambda each: not each.disabled
    )


def heading(game: Battle, unit: Unit) -> Heading:
    group = game.state.battlegroups.get(unit.battlegroup)
    words = [unit.training.capitalize(), order_of(unit)]
    if unit.hq and group is not None:
        words.append(PAGE.names["capability"][group.capability])
    return Heading(unit_name(unit), ", ".join(words), unit.starting, unit_signs(unit))


def team_card(figure_id: str, figure: Figure) -> TeamCard:
    where = "" if figure.at is not None else "not on the table"
    return TeamCard(
        figure_id, spoken(figure.role, figure.profile, figure_id), figure.profile, PAGE.badges(figure), where
    )


def profiles(game: Battle) -> dict[str, Profile]:
    """The kinds of figures of this battle."""
    known = {figure.profile: None for unit in game.setup.units.values() for figure in unit.teams.values()}
    return {key: profile_card(key) for key in known}


COLUMNS: dict[str, Callable[[Row], str | float | None]] = {
    "Range": lambda row: row.range,
    "At the halt": lambda row: row.at_halt.words if row.at_halt else None,
    "Moving": lambda row: row.on_the_move.words if row.on_the_move else None,
    "Lethality": lambda row: f"{row.lethality}+" if row.lethality else None,
    "Blast": lambda row: row.blast or None,
}


@cache
def profile_card(key: str) -> Profile:
    weapon: Weapon = weapons()[key]
    found = [Fact("Crew", str(weapon.crew), "sof.units.crew-have-pistols")] if weapon.crew else []
    rows = [row for row in weapon.rows.values() if row.range is not None]
    look = "gun" if weapon.crew else "figure"
    return facts.profile(
        weapon.name, look, [*found, facts.base(kind(key).base)], rows, COLUMNS, lambda row: row.special, (), PAGE.notes
    )


TYPES = {"infantry": "infantry", "mounted": "mounted", "weapon": "weapon units", "gun": "guns", "vehicle": "vehicles"}


def ground_facts(kind: GroundKind) -> Iterator[Fact]:
    """What a kind of ground does to sight, to cover and to whoever moves in it."""

    def said(name: str, value: str = "") -> Fact:
        words, more, rule = PAGE.ground[name]
        return Fact(words.format(value), more.format(value), rule)

    if kind.height:
        yield said("height", f"{kind.height:g}")
    if kind.elevating:
        yield said("raises")
    if kind.thickness:
        yield said(kind.thickness)
    elif kind.height >= TALL and not kind.elevating:
        yield said("blocks")
    if kind.conceals != "never":
        yield said("conceals")
    if kind.protects:
        yield said("protects")
    if kind.impassable_for:
        yield said("impassable")
    if kind.halves:
        yield said("halves")
    if kind.loses:
        yield said("loses", f"{kind.loses:g}")
    if kind.enter_loses:
        yield said("crossing", f"{kind.enter_loses:g}")
    if kind.no_stop:
        yield said("no-stop")
    if kind.agility:
        yield said("agility", facts.in_a_row([TYPES[each] for each in kind.agility]))
    if kind.road:
        yield said("road", f"{kind.road:g}")


def terrain() -> dict[str, tuple[Fact, ...]]:
    return {name: tuple(ground_facts(kind)) for name, kind in kinds().items()}


DISPLAY = Display(
    status=status,
    roster=roster,
    profiles=profiles,
    **shown_by(lookout, odds, outcomes),
    outcome=partial(outcome, outcomes.ATTACKS, outcomes.suffered),
    about=SCENARIOS.about,
    briefing=partial(briefing, roster),
    previews=outcomes.PREVIEWS,
    terrain=terrain,
    legend=PAGE.legend,
    story=STORY,
    rail=rail,
)
