"""Suppression and morale: markers, Teams and Units lost, Checks at the end of a round, the end of Units."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome
from sandtable.engine.ruleset import Ask
from sandtable.field.reckoning import plainest
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import Check, training_check
from sandtable.rulesets.tr14.core.names import alike, label, of_unit, team_label, team_on, team_option
from sandtable.rulesets.tr14.core.state import MOST_MARKERS, SIDES, Member, Team, Unit, commander, members_of, platoons
from sandtable.rulesets.tr14.leaders import company_check, company_roll

PENALTIES = ((0.75, 3), (0.5, 2), (0.25, 1))
"""tr14.suppression.activation-penalty: share of suppressed Teams, and what it adds."""

HITS_PER_MARKER = 3
"""tr14.suppression.per-three-hits"""


def markers_for(plain: int, by_at: Sequence[int]) -> tuple[int, list[str]]:
    """The markers that hits bring, saved or not, and by which rules: `by_at` are those of each AT weapon."""
    rules = ["tr14.suppression.per-three-hits", "tr14.suppression.valid-targets-first"]
    count = (plain + sum(by_at)) // HITS_PER_MARKER
    most = plain // HITS_PER_MARKER + len(by_at)
    if count <= most:
        return count, rules
    return most, [*rules, "tr14.firing.at-one-suppression"]


def activation_penalty(unit: Unit) -> list[Modifier]:
    suppressed = len([team for team in unit.teams.values() if team.markers])
    share = suppressed / len(unit.teams)
    for least, amount in PENALTIES:
        if share >= least:
            words = f"{suppressed} of {len(unit.teams)} Teams suppressed"
            return [Modifier(amount, "tr14.suppression.activation-penalty", words)]
    return []


def clear_suppression(game: Battle, unit: Unit) -> None:
    count = sum([team.markers for team in unit.teams.values()])
    if count:
        for team in unit.teams.values():
            team.markers = 0
        text = f"{label(unit)} shakes off {several(count, 'suppression marker')}."
        game.tell("rallied", text, "tr14.suppression.success-clears-all", seat=unit.side, unit=unit.id, markers=count)


def shed_one_marker(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.suppression.failure-clears-one, the owner choosing which."""
    marked = [team for team in unit.teams.values() if team.markers]
    if not marked:
        return
    words, rule = f"Which Team of {label(unit)} loses a suppression marker?", "tr14.suppression.failure-clears-one"
    choices = Choices({team.id: team for team in marked}, team_option)
    first = next((team.id for team in marked if team.role), marked[0].id)
    facts = {"unit": unit.id, "alike": alike(marked)}
    chosen = yield from choose_one(
        unit.side, "shed", words, choices, rules=(rule,), facts=facts, default=lambda: first, step="detail"
    )
    chosen.markers -= 1
    text = f"{team_label(unit, chosen)} loses a suppression marker."
    game.tell("shed", text, rule, seat=unit.side, unit=unit.id, team=chosen.id)


def _tiers(members: Sequence[Member], valid: set[str]) -> list[list[Team]]:
    """Who may take the next marker: unmarked valid targets, unmarked others, and when all have one, second markers."""
    teams = [team for _, team in members]
    level = [team for team in teams if team.markers == 0]
    if not level and all(team.markers or team.role == "fo" for unit, _ in members for team in unit.teams.values()):
        level = [team for team in teams if team.markers == 1]
    return [[team for team in level if team.id in valid], [team for team in level if team.id not in valid]]


def add_markers(game: Battle, members: Sequence[Member], count: int, valid: set[str], *rules: str) -> Flow[int]:
    """Put suppression markers on Teams of a Unit, their player choosing where the rules leave a choice."""
    if not members:
        return 0
    side = members[0][0].side
    placed = 0
    while count > 0:
        tier = next((tier for tier in _tiers(members, valid) if tier), None)
        if tier is None:
            unit, lost = members[0][0], several(count, "suppression marker")
            text = f"{lost} {'finds' if count == 1 else 'find'} no room on {label(unit)}."
            game.tell("marker-lost", text, "tr14.suppression.double", unit=unit.id, count=count, why=list(rules))
            break
        chosen = [team.id for team in tier]
        if len(tier) > count:
            words = f"Place {several(count, 'suppression marker')}."
            chosen = yield Ask(side, pick_plainest(members[0][0], "suppress", words, tier, count, rules))
        for team in tier:
            if team.id in chosen:
                mark(game, side, team, *rules)
                placed += 1
                count -= 1
    return placed


def pick_plainest(
    unit: Unit, topic: str, words: str, teams: Sequence[Team], count: int, rules: tuple[str, ...]
) -> ChooseSome:
    """Which of its Teams, so many, an attacked Unit has bear something; those of which there are most are proposed."""
    facts, first = {"unit": unit.id, "alike": alike(teams)}, plainest(teams, count)
    options = [team_option(team) for team in teams]
    return ChooseSome(topic, words, options, count, count, rules=rules, facts=facts, default=first, step="reply")


def suppress_team(game: Battle, member: Member, *rules: str) -> bool:
    """Suppress this very Team; a second marker only when every Team of its Unit has one."""
    unit, team = member
    room = team.markers == 0 or (team.markers < MOST_MARKERS and all(each.markers > 0 for each in unit.teams.values()))
    if not room:
        text = f"{team_label(unit, team)} is suppressed already."
        game.tell("marker-lost", text, *rules, "tr14.suppression.double", seat=unit.side, team=team.id, count=1)
        return False
    mark(game, unit.side, team, *rules)
    return True


def mark(game: Battle, side: str, team: Team, *rules: str) -> None:
    """One more marker on a Team."""
    team.markers += 1
    doubled = ["tr14.suppression.double"] if team.markers == MOST_MARKERS else []
    text = f"{team_on(side, team)} is suppressed{' twice' if doubled else ''}."
    game.tell("suppressed", text, *rules, *doubled, seat=side, team=team.id, markers=team.markers)


def destroy_team(game: Battle, member: Member, why: str, *rules: str) -> Flow[None]:
    """Remove a Team; its markers go to another Team of its Unit."""
    unit, team = member
    del unit.teams[team.id]
    board(game).drop(team)
    unit.casualties += 1
    text = f"{team_label(unit, team)} of {of_unit(unit)} is {why}."
    game.tell("destroyed", text, *rules, seat=unit.side, team=team.id, unit=unit.id)
    if not unit.teams:
        yield from lose_unit(game, unit, "has no Team left", *rules)
    elif team.markers:
        yield from add_markers(game, members_of(unit), team.markers, set(), "tr14.suppression.markers-move-on")


def lose_unit(game: Battle, unit: Unit, why: str, *rules: str) -> Flow[None]:
    """A Unit is destroyed: whatever is left of it leaves the table, and the company may lose heart."""
    for team in unit.teams.values():
        board(game).drop(team)
    unit.teams.clear()
    del game.state.units[unit.id]
    game.tell("unit-lost", f"{label(unit)} {why}.", *rules, seat=unit.side, unit=unit.id)
    if not unit.apart:
        yield from company_check(game, unit.side)


def end_of_round_morale(game: Battle) -> Flow[None]:
    """Morale, Units of a single Team, and companies down to one Unit, in that order, for both sides."""
    state = game.state
    for unit in platoons(state):
        if unit.id in state.units and unit.casualties and 2 * len(unit.teams) < unit.starting:
            check: Check = yield from training_check(game, unit, "morale", "its morale Check")
            left = f"{len(unit.teams)} of {unit.starting} Teams"
            text = f"{label(unit)} ({left}) needs {check.needed}+, rolls {check.throw.value}."
            check.tell(game, "morale", text, "tr14.suppression.morale-check", unit=unit.id, teams=len(unit.teams))
            if not check.passed:
                yield from _lose_with_commander(game, unit, check)
    for unit in platoons(state):
        if unit.id in state.units and len(unit.teams) == 1 and unit.starting > 1:
            team = next(iter(unit.teams.values()))
            if team.kind.type != "tank":
                yield from lose_unit(game, unit, "is down to a single Team", "tr14.suppression.lone-team")
    for side in SIDES:
        if len(platoons(state, side)) == 1 and state.companies[side].starting > 1:
            yield from company_roll(game, side, "one Unit left", "tr14.leaders.company-last-unit")


def _lose_with_commander(game: Battle, unit: Unit, check: Check) -> Flow[None]:
    found = commander(game.state, unit.side)
    if check.vouched and found is not None:
        cc_unit, cc = found
        text = f"{team_on(unit.side, cc)} who vouched for {of_unit(unit)} goes with it."
        game.tell("cc-lost", text, "tr14.leaders.cc-shares-fate", seat=unit.side, unit=unit.id, team=cc.id)
        yield from lose_unit(game, cc_unit, "leaves the table", "tr14.leaders.cc-shares-fate")
    yield from lose_unit(game, unit, "does not stay to fight", "tr14.suppression.morale-check")
