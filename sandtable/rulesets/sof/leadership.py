"""Leadership: influence, what a commander does to the activation dice, Encourage, and battlefield promotion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome, Option, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.board import set_pose
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, muster, within_inches
from sandtable.rulesets.sof.core.checks import check
from sandtable.rulesets.sof.core.names import NAMES, label, unit_option
from sandtable.rulesets.sof.core.room import free_spot
from sandtable.rulesets.sof.core.state import (
    CHARACTERS,
    Battlegroup,
    Capability,
    Figure,
    Member,
    Role,
    Unit,
    all_figures,
    find_figure,
    leader_of,
    members_of,
    units_of,
)
from sandtable.rulesets.sof.formations import close_up, in_ranks
from sandtable.rulesets.sof.units import SEPARATION, change_seat, command_distance
from sandtable.table.shapes import Floats

VOICE = 12.0
"""sof.leadership.influence-voice"""


class Communication(NamedTuple):
    """What a specialist extends influence to, and what he adds to rolls for barrages, aircraft and reserves."""

    influence: float
    barrage: int
    aircraft: int
    reserves: int


COMMUNICATION: dict[Role, Communication] = {
    "musician": Communication(18.0, 0, 0, 0),
    "communication-1": Communication(18.0, 2, 1, 1),
    "communication-2": Communication(24.0, 2, 2, 1),
    "communication-3": Communication(36.0, 3, 3, 2),
}
"""sof.specialists.communication-table"""

SENIOR_SPARES = 2
"""sof.leadership.senior-nco-activation"""

REROLLS: dict[Capability, tuple[int, str]] = {
    "inspiring": (2, "sof.leadership.dice-inspiring"),
    "energetic": (1, "sof.leadership.dice-energetic"),
}
"""How many of his battlegroup's activation dice an officer may have rolled again each turn."""

ENCOURAGE = 4
"""sof.leadership.encourage-success"""

OFFICER_DICE: dict[Capability, int] = {
    "inspiring": 5,
    "energetic": 5,
    "competent": 4,
    "difficult": 4,
    "green": 3,
    "acting": 3,
}
LEADER_RULES: dict[Role, str] = {
    "officer": "sof.leadership.officer-abilities",
    "senior-nco": "sof.leadership.senior-nco",
    "nco": "sof.leadership.unit-nco",
}
NCO_DICE = {"senior-nco": 2, "nco": 1}
"""sof.leadership.encourage-dice"""

OFFICER_SKILL: dict[Capability, int] = {"inspiring": 1, "difficult": -1, "green": -1, "acting": -1}


# Influence.


def influence_distance(unit: Unit, leader: Figure) -> tuple[float, str]:
    """How far a leader's influence reaches beyond his own unit, and by which rule."""
    if leader.role == "nco":
        return 0.0, "sof.leadership.influence-unit-nco"
    found = specialist_of(unit)
    if found is None:
        return VOICE, "sof.leadership.influence-voice"
    rule = "sof.specialists.musician" if found.role == "musician" else "sof.specialists.communication"
    return COMMUNICATION[found.role].influence, rule


def specialist_of(unit: Unit) -> Figure | None:
    """The most able communication specialist, or musician, of an HQ unit."""
    if not unit.hq:
        return None
    able = [each for each in unit.teams.values() if each.role in COMMUNICATION and not each.disabled]
    return max(able, key=lambda each: COMMUNICATION[each.role], default=None)


def specialist_bonus(unit: Unit) -> list[Modifier]:
    """What a unit's communication specialist adds to a reserve roll."""
    found = specialist_of(unit)
    amount = COMMUNICATION[found.role].reserves if found is not None else 0
    return [Modifier(amount, "sof.specialists.communication-table", "a communication specialist")] if amount else []


def reserve_bonus(game: Battle, side: str) -> list[Modifier]:
    """What the best specialist of a side on the table adds to its reserve rolls."""
    found = [specialist_bonus(unit) for unit in units_of(game.state, side) if unit.placed]
    return max(found, key=lambda each: sum(modifier.amount for modifier in each), default=[])


def influences(game: Battle, unit: Unit, leader: Figure, target: Unit) -> bool:
    """sof.leadership.influence-measure: from the leader's own model to the nearest of the unit; his own unit always."""
    if target is unit:
        return True
    here = board(game)
    if leader.role == "nco" or leader.id not in here.index:
        return False
    return within_inches(here.gap_from(leader, target), influence_distance(unit, leader)[0])


def leaders_in(unit: Unit) -> list[Figure]:
    return [figure for figure in unit.teams.values() if figure.role in CHARACTERS]


def seniors_of(game: Battle, battlegroup: str) -> Iterator[Member]:
    for unit in members_of(game.state, battlegroup):
        for figure in unit.teams.values():
            if figure.role == "senior-nco":
                yield unit, figure


def sparing_leader(game: Battle, battlegroup: str, unit: Unit) -> Figure | None:
    """Who spares a unit the extra die: its commander, or a senior NCO who has not yet done so for two others."""
    commander = leader_of(game.state, battlegroup)
    if commander is not None and influences(game, *commander, unit):
        return commander[1]
    spared = game.state.battlegroups[battlegroup].seniors
    for home, senior in seniors_of(game, battlegroup):
        if influences(game, home, senior, unit) and len(spared.get(senior.id, [])) < SENIOR_SPARES:
            return senior
    return None


def note_sparing(game: Battle, battlegroup: str, unit: Unit, leader: Figure) -> tuple[str, ...]:
    """A unit is activated without an extra die: if a senior NCO did it, he can do it for one less. The rules of it."""
    found = find_figure(game.state, leader.id)
    assert found is not None
    home, _ = found
    _, how = influence_distance(home, leader)
    rules: tuple[str, ...] = ("sof.leadership.influence-others", "sof.leadership.influence-measure", how)
    if how in ("sof.specialists.communication", "sof.specialists.musician"):
        rules = (*rules, "sof.specialists.communication-table")
    if leader.role != "senior-nco":
        return rules
    spared = game.state.battlegroups[battlegroup].seniors
    spared[leader.id] = [*spared.get(leader.id, []), unit.id]
    return (*rules, "sof.leadership.senior-nco", "sof.leadership.senior-nco-activation")


# Activation dice.


def adjusted(capability: Capability, die: int) -> int:
    """What a commander makes of an activation die that his battlegroup rolled."""
    if die == 6 or capability in ("inspiring", "energetic", "competent"):
        return die
    if capability == "difficult":
        return die - 1
    return die - 1 if die - 1 > 3 else 1


ADJUSTING: dict[Capability, str] = {
    "competent": "sof.leadership.dice-competent",
    "difficult": "sof.leadership.dice-tired",
    "green": "sof.leadership.dice-green",
    "acting": "sof.leadership.dice-green",
}


def rerolled_dice(game: Battle, battlegroup: str, values: list[int]) -> Flow[list[int]]:
    """Which of its dice a battlegroup rolls again, if its officer allows it any, by their places among them."""
    group = game.state.battlegroups[battlegroup]
    most, rule = REROLLS.get(group.capability, (0, ""))
    if not most or leader_of(game.state, battlegroup) is None:
        return []
    options = [Option(str(number), f"A die that shows {value}") for number, value in enumerate(values)]
    words = f"{group.name or battlegroup} may roll {several(most, 'activation die', 'activation dice')} again."
    facts = {"battlegroup": battlegroup, "dice": list(values)}
    low = [str(number) for number, value in sorted(enumerate(values), key=lambda each: each[1])[:most] if value < 4]
    question = ChooseSome(
        "reroll-dice",
        words,
        options,
        0,
        min(most, len(values)),
        default=sorted(low),
        rules=(rule,),
        facts=facts,
        step="detail",
        commits=True,
    )
    return [int(name) for name in (yield Ask(group.side, question))]


# Encourage.


def encouragement_dice(group: Battlegroup | None, leader: Figure) -> int:
    if leader.role == "officer":
        return OFFICER_DICE[group.capability if group else "competent"]
    return NCO_DICE[leader.role]


def encouragement_modifiers(group: Battlegroup | None, leader: Figure, colours: bool) -> list[Modifier]:
    amount = OFFICER_SKILL.get(group.capability, 0) if group and leader.role == "officer" else 0
    words = f"{group.capability} officer" if group else ""
    found = [Modifier(amount, "sof.leadership.encourage-success", words)] if amount else []
    return [*found, Modifier(1, "sof.specialists.standard-bearer", "behind the colours")] if colours else found


def suppressed_friends(game: Battle, unit: Unit, leader: Figure) -> list[Unit]:
    """Whom a leader could relieve of a suppression marker."""
    friends = [each for each in units_of(game.state, unit.side) if each.suppression and each.placed]
    return [each for each in friends if influences(game, unit, leader, each)]


def encourage(game: Battle, unit: Unit, leader: Figure, colours: bool = False) -> Flow[None]:
    """sof.leadership.encourage-effect: each success takes one suppression marker from a friend within influence.

    `colours`: the unit has gone straight at the enemy behind its standard bearer.
    """
    group = game.state.battlegroups.get(unit.battlegroup)
    number, modifiers = encouragement_dice(group, leader), encouragement_modifiers(group, leader, colours)
    name = NAMES.label(unit, leader)
    done = yield from check(game, unit.side, number, ENCOURAGE, f"{name} encourages", modifiers)
    text = f"{name} encourages: {several(done.passes, 'success', 'successes')} of {number} on {done.needed}+."
    game.tell(
        "encourage",
        text,
        "sof.leadership.kinds",
        LEADER_RULES[leader.role],
        "sof.leadership.encourage-when",
        "sof.leadership.encourage-dice",
        "sof.leadership.encourage-success",
        influence_distance(unit, leader)[1],
        *done.rules,
        seat=unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=unit.id,
        team=leader.id,
        needed=done.needed,
        passed=done.passes,
    )
    for left in range(done.passes, 0, -1):
        found = sorted(suppressed_friends(game, unit, leader), key=lambda each: -each.suppression)
        friends = {each.id: each for each in found}
        if not friends:
            return
        words = f"From which unit does {name} remove a suppression marker? {several(left, 'marker')} left."
        barred = {
            each.id: illegal(
                "sof.leadership.encourage-effect",
                f"{label(each)} has no suppression marker, or is out of the influence of {name}.",
                field=each.id,
            )
            for each in units_of(game.state, unit.side)
            if each.id not in friends
        }
        choices = Choices(friends, unit_option, besides=barred)
        chosen = yield from choose_one(
            unit.side, "relieve", words, choices, rules=("sof.leadership.encourage-effect",), step="whom"
        )
        chosen.suppression -= 1
        text = f"{label(chosen)} loses a suppression marker."
        game.tell(
            "relieved",
            text,
            "sof.leadership.encourage-effect",
            seat=unit.side,
            unit=chosen.id,
            team=leader.id,
            left=chosen.suppression,
        )


# Inspired Advance.


def advancing_officer(game: Battle, unit: Unit) -> Figure | None:
    """The officer who has led his unit forward this turn."""
    return next((each for each in unit.teams.values() if each.advanced == game.state.turn), None)


# Battlefield promotion.


def promotable(game: Battle, battlegroup: str) -> dict[str, Member]:
    """sof.leadership.promotion-who: a senior NCO if there is one, else any NCO whose unit is in command."""
    members = [(unit, each) for unit in members_of(game.state, battlegroup) for each in unit.teams.values()]
    seniors = {each.id: (unit, each) for unit, each in members if each.role == "senior-nco"}
    return seniors or {each.id: (unit, each) for unit, each in members if each.role == "nco" and unit.in_command}


def promote(game: Battle, battlegroup: str) -> Flow[None]:
    """The officer is lost: an NCO takes over as an acting officer, and joins the HQ unit or is one by himself."""
    group = game.state.battlegroups[battlegroup]
    found = promotable(game, battlegroup)
    if not found:
        text = f"{group.name or battlegroup} has lost its officer, and no NCO can take over."
        game.tell("leaderless", text, "sof.leadership.promotion-none", seat=group.side, battlegroup=battlegroup)
        return
    words = f"Who takes command of {group.name or battlegroup}?"
    legal = "A senior NCO must be taken if there is one, else an NCO whose unit was in command."
    barred = {
        each.id: illegal(
            "sof.leadership.promotion-who", f"{NAMES.label(unit, each)} may not.", field=each.id, legal=legal
        )
        for unit in members_of(game.state, battlegroup)
        for each in unit.ncos
        if each.id not in found
    }
    choices = Choices(found, lambda member: NAMES.option(*member), besides=barred)
    unit, leader = yield from choose_one(
        group.side, "promote", words, choices, rules=("sof.leadership.promotion-who",), step="reply"
    )
    name = NAMES.label(unit, leader)
    leader.role = "officer"
    group.capability = "acting"
    rode = leader.mounted
    home = join_hq(game, battlegroup, unit, leader)
    group.promoted = True
    rules = ["sof.leadership.promotion", "sof.leadership.promotion-who", "sof.leadership.promotion-join"]
    rules += ["sof.units.type-mounted"] if leader.mounted != rode else []
    text = f"{name} takes command of {group.name or battlegroup} as an acting officer, with {label(home)}."
    game.tell("promotion", text, *rules, seat=group.side, unit=home.id, team=leader.id, battlegroup=battlegroup)


def join_hq(game: Battle, battlegroup: str, unit: Unit, leader: Figure) -> Unit:
    """The new commander joins the HQ unit at once, wherever it is, or is one by himself; the unit he is with then."""
    if unit.hq:
        return unit
    hq = next((each for each in members_of(game.state, battlegroup) if each.hq), None)
    if len(unit.teams) == 1 and hq is None:
        unit.hq = True
        return unit
    ranked, hq_ranked = in_ranks(unit), hq is not None and in_ranks(hq)
    del unit.teams[leader.id]
    if hq is None:
        hq = new_hq(game, battlegroup, unit, leader)
    elif leader.mounted != (hq.type == "mounted"):
        # All of a mounted unit ride, and nobody of another.
        change_seat(leader, hq.type == "mounted")
    hq.teams[leader.id] = leader
    if leader.at is None and hq_ranked and hq.pose is not None:
        # He comes out of reserve, and closing up finds him his place.
        leader.at = hq.pose.at
    # The board keeps which rows are whose: it is made afresh.
    muster(game)
    if hq_ranked:
        close_up(game, hq)
    elif hq.placed:
        settle_in(game, hq, leader)
    if ranked and unit.teams:
        close_up(game, unit)
    elif not unit.teams:
        del game.state.units[unit.id]
    return hq


def new_hq(game: Battle, battlegroup: str, unit: Unit, leader: Figure) -> Unit:
    """A command unit of one man, out of the unit that he was with.

    It never has the name of one that is gone: what that one was doing is no affair of his.
    """
    ratings = (unit.rally, unit.aggression, unit.tenacity)
    name = f"{battlegroup}-hq"
    if game.state.battlegroups[battlegroup].promoted or name in game.state.units or name in game.setup.units:
        name += f"-{leader.id}"
    # A man who has left his gun is infantry.
    arm = "infantry" if unit.type == "weapon" else unit.type
    hq = Unit(unit.side, unit.training, {}, name, "HQ", arm, *ratings, battlegroup, "core", True, unit.formations)
    # What his unit is by its special rules he is still: he has no helmet, or is cavalry.
    hq.special = unit.special
    hq.dismounted, hq.motorcycles = unit.dismounted, unit.motorcycles
    hq.activated, hq.forced = unit.activated, unit.forced
    # Where nobody has come onto the table yet, he has not either.
    hq.reserve = unit.reserve
    hq.starting = 1
    game.state.units[name] = hq
    return hq


def settle_in(game: Battle, hq: Unit, leader: Figure) -> None:
    """He stands among the men of the HQ, or by himself with a gap to every other unit, made by the least move."""
    here = board(game)
    mates = [each for each in here.figures_of(hq) if each is not leader]
    near = command_distance(hq)[0]
    if mates:
        rows = here.of(mates)

        def suits(row: Floats) -> bool:
            return within_inches(base_gap(row, rows), near)

        found = [free_spot(game, leader, mate.at, 4.0, suits) for mate in mates if mate.at is not None]
        spot = next((each for each in found if each is not None), None)
    else:
        assert leader.at is not None
        others = here.of([each for _, each in all_figures(game.state) if each is not leader and each.id in here.index])
        spot = free_spot(game, leader, leader.at, 48.0, lambda row: base_gap(row, others) > SEPARATION)
    if spot is not None:
        set_pose(leader, *spot)
        muster(game)
