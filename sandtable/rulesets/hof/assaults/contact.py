"""Who is in contact with whom in an assault, and what follows from every change: lost companions, consolidation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.move_hints import ways_round
from sandtable.field.moving import Moving, Steps
from sandtable.rulesets.hof.assaults.assault_checks import Assault, still_stands
from sandtable.rulesets.hof.core.acts import Activation, Losses, free_activation
from sandtable.rulesets.hof.core.board import Battle, board, place
from sandtable.rulesets.hof.core.labels import team_label, team_name
from sandtable.rulesets.hof.core.nearby import touching_friends
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit, other
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving import MoveLaw, courses, leave_place, legality, move_orders
from sandtable.rulesets.hof.rfp_rally import rally
from sandtable.rulesets.hof.terrain import behind_front
from sandtable.table import distance as measure
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import snap

CONSOLIDATION = 3.0
"""hof.assaults.consolidation"""

SMALL_TEAM_MOVE = 6.0
"""hof.assaults.small-team-bereft"""


Contacts = dict[str, list[Member]]
"""For each Team in contact with enemies, those enemies."""


def contacts(game: Battle, side: str) -> Contacts:
    """Who of either side touches which enemies, as far as it means a fight."""
    here = board(game)
    mine, theirs = here.side(side), here.enemies(side)
    found: Contacts = {}
    if not mine.members or not theirs.members:
        return found
    touching = measure.within(here.gaps(mine.teams, theirs.teams), CONTACT)
    for first, second in np.argwhere(touching).tolist():
        one, two = mine.members[first], theirs.members[second]
        if meets(game, one[1], two[1]):
            found.setdefault(one[1].id, []).append(two)
            found.setdefault(two[1].id, []).append(one)
    return found


def meets(game: Battle, one: Team, two: Team) -> bool:
    """Whether two enemies in contact can harm one another.

    Vehicles do not assault Vehicles; of a bunker only the front has firing points (hof.optional.bunker-assault).
    """
    if one.kind.vehicle and two.kind.vehicle:
        return False
    here = board(game)
    for bunker, team in ((one, two), (two, one)):
        if bunker.role == "bunker" and behind_front(here.of([team]), here.of([bunker]))[0, 0]:
            return False
    return True


def goes_on(game: Battle, fight: Assault) -> bool:
    """hof.assaults.repeat-until-clear; Small Teams that touch only one another do not fight."""
    touched = contacts(game, fight.side)
    return any(
        not team.kind.small or any(not enemy.kind.small for _, enemy in touched[team.id])
        for _, team in board(game).side(fight.side).members
        if team.id in touched
    )


def in_fight(game: Battle, touched: Contacts, side: str) -> list[Member]:
    """The Teams of a side that are in contact."""
    return [member for member in board(game).side(side).members if member[1].id in touched]


# What follows from a loss.


def companions(game: Battle, unit: Unit, team: Team) -> list[Member]:
    """The Small Teams of a side in contact with one of its Teams."""
    here = board(game)
    small = [member for member in here.side(unit.side).members if member[1].kind.small and member[1] is not team]
    touched = here.near(team, [each for _, each in small], CONTACT)
    return [member for member in small if member[1] in touched]


def bereave(game: Battle, fight: Assault, lost: Member, small: Sequence[Member], losses: Losses) -> Flow[None]:
    """hof.assaults.small-team-bereft: Small Teams beside a Team that was killed join another of their Unit, or die."""
    if not small or still_stands(lost):
        return
    rule = "hof.assaults.small-team-bereft"
    for unit, team in small:
        if not still_stands((unit, team)):
            continue
        mates = [mate for mate in unit.teams.values() if mate is not team and mate.at is not None]
        if not touching_friends(game, unit, team):
            step = yield from ask_refuge(game, unit, team, mates)
            if step is None or (yield from courses.past_obstacles(game, unit, team, step, losses)) is not step:
                yield from morale.kill(game, unit, team, losses, "assault", rule)
                continue
            start, facing = team.at, team.facing
            place(game, team, *step.to, step.facing)
            leave_place(team)
            note_move(fight.act, team, start, facing)
            text = f"{team_label(unit, team)} joins another Team of its Unit."
            game.tell("small-team", text, rule, seat=unit.side, team=team.id, at=list(step.to))
        rally.suppress(game, unit, team, rule)


def ask_refuge(game: Battle, unit: Unit, team: Team, mates: list[Team]) -> Flow[Step | None]:
    """Where within 6 inches a Small Team joins another Team of its Unit. None if there is no way to such a place."""
    rule = "hof.assaults.small-team-bereft"

    def beside(steps: dict[str, Step]) -> Refusal | None:
        if team.id not in steps:
            return illegal(rule, f"{team_label(unit, team)} must join another Team.", field=team.id)
        return replacement.refuse_place(game, unit, team, mates, steps, rule)

    act = free_activation([(unit, team)])
    law = MoveLaw(game, act, unit.side, act.members, {team.id: (SMALL_TEAM_MOVE, rule)}, extra=beside)
    places = [step for step in replacement.room_beside(game, unit, team, mates) if near(team, step)]
    ways: list[Steps] = [{team.id: step} for step in ways_round(team, places, law.refuse)]
    if not ways:
        return None
    moving = Moving([team], law.how_far, law.refuse)
    question = moving.question(
        "small-team",
        f"Which Team of its Unit does {team_label(unit, team)} join, up to {SMALL_TEAM_MOVE:g} inches away?",
        team_name,
        lambda: ways,
        lambda random: random.choice(ways[:24]),
        (rule,),
    )
    return moving.steps((yield Ask(unit.side, question)))[team.id]


def near(team: Team, step: Step) -> bool:
    """Whether a step of a Small Team is no farther than it may go; it does go."""
    return team.at is not None and 0.0 < math.dist(step.to, team.at) <= SMALL_TEAM_MOVE


def tidy(game: Battle, fight: Assault, losses: Losses) -> Flow[None]:
    """After every change: Small Teams left alone with the enemy are lost, and who is free again may consolidate."""
    while True:
        yield from lonely_small_teams(game, fight, losses)
        if not (yield from consolidate(game, fight, losses)):
            return


def lonely_small_teams(game: Battle, fight: Assault, losses: Losses) -> Flow[None]:
    """hof.assaults.small-team-alone: in contact with an enemy, and with no Team of its side that could fight for it."""
    here = board(game)
    for side in (other(fight.side), fight.side):
        for unit, team in in_fight(game, contacts(game, fight.side), side):
            grown = [each for each in here.side(side).teams if not each.kind.small]
            if team.kind.small and team.id in contacts(game, fight.side) and not here.near(team, grown, CONTACT):
                yield from morale.kill(game, unit, team, losses, "assault", "hof.assaults.small-team-alone")


def consolidate(game: Battle, fight: Assault, losses: Losses) -> Flow[bool]:
    """hof.assaults.consolidation: who was in contact and is not any more may move 3 inches. True if somebody did."""
    before = fight.touching
    fight.touching = set(contacts(game, fight.side))
    moved = False
    for side in (fight.side, other(fight.side)):
        freed = [member for member in board(game).side(side).members if member[1].id in before - fight.touching]
        for unit, team in freed:
            if not still_stands((unit, team)) or team.id in contacts(game, fight.side):
                continue
            words = f"{team_label(unit, team)} is out of contact. Does it move up to {CONSOLIDATION:g} inches?"
            rules = ("hof.assaults.consolidation", "hof.assaults.two-per-enemy")
            start, facing = team.at, team.facing
            act = activation_of(fight, (unit, team))
            legal = bar_suppressed(game, unit, team) if team.suppressed else None
            went = yield from move_orders.free_move(
                game, act, unit, team, CONSOLIDATION, "consolidate", words, rules, losses, legal
            )
            if went:
                moved = True
                note_move(fight.act, team, start, facing)
    fight.touching |= set(contacts(game, fight.side))
    return moved


def bar_suppressed(game: Battle, unit: Unit, team: Team) -> Callable[[dict[str, Step]], Refusal | None]:
    """hof.rfp-rally.suppressed-effects holds for a Suppressed Team that consolidates, too."""

    def nearer(steps: dict[str, Step]) -> Refusal | None:
        if team.id not in steps or not legality.goes_nearer(game, unit.side, team, steps[team.id].to):
            return None
        message = f"{team_label(unit, team)} is Suppressed and would come nearer to an enemy that it sees."
        return illegal("hof.rfp-rally.suppressed-effects", message, field=team.id, legal="Stay, or move away.")

    return nearer


def activation_of(fight: Assault, member: Member) -> Activation:
    """The activation in which a Team consolidates, without its Leader: the attackers', or one of its own."""
    act = fight.act
    if not any(team is member[1] for _, team in act.members):
        return free_activation([member])
    return Activation(act.side, act.paid, act.unit, act.members, starts=act.starts, unloaded=act.unloaded)


def note_move(act: Activation, team: Team, start: Point | None, facing: float) -> None:
    """What a Team of either side moves in an assault beyond its order is a move of the activation, too."""
    if start is not None and team.at is not None:
        act.starts.setdefault(team.id, (start, facing))
        act.moved.add(team.id)
        act.inches[team.id] = snap(act.inches.get(team.id, 0.0) + math.dist(start, team.at))
