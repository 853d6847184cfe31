"""Assaults: defenders respond, attackers strike, in turn until nobody is in contact; then all regroup.

Each pass through the steps throws dice: a Ready defender that fights or leaves rolls, and of the attackers in contact
at least one strikes. So every assault comes to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Choices, Choose, LaterDict, Option, Refusal, Step, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.move_hints import ways_away
from sandtable.field.moving import Moving, Steps
from sandtable.rulesets.hof.assaults.assault_checks import Assault, still_stands, strike, victims_of
from sandtable.rulesets.hof.assaults.contact import Contacts, bereave, companions, contacts, goes_on, in_fight, tidy
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import WHEN_ACTED, Activation, Losses, Order, alive, free_activation
from sandtable.rulesets.hof.core.board import Battle, board, place, sees_rows, veils_rows
from sandtable.rulesets.hof.core.labels import mate_option, spoken_list, team_label, team_list, team_name
from sandtable.rulesets.hof.core.nearby import row_at
from sandtable.rulesets.hof.core.state import Member, Team, Unit, all_teams, other
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving import (
    MoveLaw,
    course_of,
    courses,
    distance,
    end_facing,
    immovable,
    move_orders,
    passed,
    reach,
    untangle,
)
from sandtable.rulesets.hof.rfp_rally import rally, rfp
from sandtable.rulesets.hof.terrain import CONCEALED, CONCEALERS

RESPONSES = {"fight": "fights", "stay": "stays", "leave": "moves away"}
BACK, STAY = Option("back", "Back, and Dug-In again"), Option("stay", "It stays where it is")
HOLD = Option("hold", "Nobody else strikes")


def assault(game: Battle, act: Activation, attackers: Sequence[Member], losses: Losses) -> Flow[None]:
    """hof.assaults.sequence, from its second step on: the attackers have moved into contact."""
    fight = Assault(act, act.side)
    if not goes_on(game, fight):
        return
    yield from morale.settle(game, losses)
    begin(game, fight, attackers)
    yield from tidy(game, fight, losses)
    yield from settle(game, fight, losses)
    yield from ambush(game, fight)
    passes = 0
    while goes_on(game, fight):
        passes += 1
        yield from defenders_respond(game, fight, passes)
        if goes_on(game, fight):
            yield from attackers_strike(game, fight)
    yield from back_to_foxholes(game, fight)
    regroup(game, fight)
    end_response(game, fight)


def begin(game: Battle, fight: Assault, attackers: Sequence[Member]) -> None:
    """hof.assaults.initiate: who meets whom; and who was in a foxhole."""
    touched = contacts(game, fight.side)
    fight.touching = set(touched)
    for unit, team in all_teams(game.state):
        if team.dug_in and team.at is not None:
            fight.foxholes[team.id] = ((unit, team), team.foxhole or team.at, team.facing)
    foes = in_fight(game, touched, other(fight.side))
    text = f"{fight.side} assaults {spoken_list(foes)} with {several(len(attackers), 'Team')}."
    rules = ["hof.assaults.initiate", "hof.assaults.sequence", "hof.assaults.within-12", "hof.assaults.one-with-los"]
    if any(team.kind.category == "gun" for _, team in foes):
        rules.append("hof.assaults.attacking-guns")
    if any(team.role == "bunker" for _, team in foes):
        rules.append("hof.optional.bunker-assault")
    sent, met = [team.id for _, team in attackers], [team.id for _, team in foes]
    game.tell("assault", text, *rules, seat=fight.side, attackers=sent, defenders=met)


# Before the defenders respond.


def ambush(game: Battle, fight: Assault) -> Flow[None]:
    """hof.assaults.ambush: Infantry that began concealed may strike at Vehicles before these do anything."""
    hidden: dict[str, list[str]] = {}
    touched = contacts(game, fight.side)
    for _, team in in_fight(game, touched, fight.side):
        if team.kind.category == "infantry":
            vehicles = [enemy for _, enemy in touched[team.id] if enemy.kind.vehicle]
            hidden[team.id] = [enemy.id for enemy in vehicles if began_concealed(game, fight, team, enemy)]
    if any(hidden.values()):

        def surprised(team: Team, touched: list[Member]) -> list[Member]:
            return [member for member in touched if member[1].id in hidden.get(team.id, ())]

        rules = ("hof.assaults.ambush", "hof.assaults.attackers-strike")
        yield from strikes_in_turn(game, fight, surprised, "ambush", rules, may_hold=True)


def began_concealed(game: Battle, fight: Assault, team: Team, vehicle: Team) -> bool:
    """Whether a Team was concealed from a Vehicle, or out of its sight, where it began its activation."""
    if team.id not in fight.act.starts:
        return False
    (x, y), facing = fight.act.starts[team.id]
    here = board(game)
    eye, row = here.of([vehicle]), row_at(team, x, y, facing)
    here.raise_row(row[0], team)
    flags = veils_rows(here.ground, eye, row)
    for each in CONCEALERS:
        each.conceal(here, eye, row, [(fight.act.unit, team)], flags)
    return bool(flags[0, 0] & CONCEALED) or not bool(sees_rows(here.ground, eye, row)[0, 0])


# Step 2: defenders respond.


def defenders_respond(game: Battle, fight: Assault, passes: int) -> Flow[None]:
    """hof.assaults.defenders-activate: whoever is or comes into contact answers once, in his owner's order."""
    losses = Losses()
    side = other(fight.side)
    ready: set[str] = set()
    done: set[str] = set()
    while True:
        touched = contacts(game, fight.side)
        waiting = [member for member in in_fight(game, touched, side) if member[1].id not in done]
        fresh = [member for member in waiting if member[1].id not in ready]
        if fresh:
            ready.update(team.id for _, team in fresh)
            fight.answered.update((team.id, (unit, team)) for unit, team in fresh)
            tell_response(game, fight, fresh, passes)
            for unit, team in fresh:
                if unit.promotion:
                    yield from replacement.promote(game, unit, team)
            yield from make_ready(game, fight, fresh, losses)
            continue
        if not waiting:
            break
        member, what = yield from choose_response(game, fight, waiting, touched)
        done.add(member[1].id)
        if what == "fight":
            victims = victims_of(touched[member[1].id])
            yield from blow(game, fight, member, victims, losses, "hof.assaults.defender-choice")
        elif what == "leave":
            yield from leave(game, fight, member, losses)
        else:
            rule = "hof.assaults.small-teams-do-not-fight"
            game.tell("stay", f"{team_label(*member)} stays.", rule, seat=side, team=member[1].id)
    yield from settle(game, fight, losses)


def tell_response(game: Battle, fight: Assault, members: Sequence[Member], passes: int) -> None:
    rules = ["hof.assaults.defenders-activate", "hof.assaults.sequence"]
    if passes > 1:
        rules.append("hof.assaults.repeat-until-clear")
    names = team_list(members)
    teams = [team.id for _, team in members]
    game.tell("respond", f"In contact: {names}.", *rules, seat=other(fight.side), teams=teams, round=passes)


def make_ready(game: Battle, fight: Assault, members: Sequence[Member], losses: Losses) -> Flow[None]:
    """Rally Checks, then RFPs; who is not Ready then is destroyed."""
    for unit, team in members:
        if team.suppressed and not team.rfps:
            yield from rally.rally(game, unit, team, "its Rally Check in the assault", "hof.rfp-rally.rally-check")
    standing = [(member, companions(game, *member)) for member in members if still_stands(member)]
    for member, _ in standing:
        if not still_stands(member):
            continue
        yield from resolve_received(game, *member, losses)
        if member[0].side != fight.side:
            for unit, rider in riding.riders_on(game, member[1]):
                yield from resolve_received(game, unit, rider, losses)
    for (unit, team), _ in standing:
        if team.suppressed and still_stands((unit, team)):
            rule = "hof.assaults.vehicle-not-ready" if team.kind.vehicle else "hof.assaults.not-ready-destroyed"
            yield from morale.kill(game, unit, team, losses, "not-ready", rule, "hof.assaults.not-ready-destroyed")
    for member, small in standing:
        yield from bereave(game, fight, member, small, losses)
    yield from tidy(game, fight, losses)


def resolve_received(game: Battle, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """The RFPs of a Team in contact, and the sniper that has it in his sights."""
    if team.rfps and "open-topped" in team.kind.keywords:
        yield from morale.kill(game, unit, team, losses, "not-ready", "hof.assaults.open-topped")
    elif team.rfps:
        yield from rfp.resolve_own(game, unit, team, losses)
    if team.sniped and alive(unit, team):
        yield from rfp.resolve_marks(game, unit, team, losses)


def choose_response(
    game: Battle, fight: Assault, waiting: Sequence[Member], touched: Contacts
) -> Flow[tuple[Member, str]]:
    """hof.assaults.defender-choice: who answers next, and how. Small Teams leave or stay, all others leave or fight."""
    rules = ["hof.assaults.defender-choice", "hof.assaults.one-check-per-step"]
    if any(team.kind.small for _, team in waiting):
        rules.append("hof.assaults.small-teams-do-not-fight")
    ways = {f"{what}:{member[1].id}": (member, what) for member in waiting for what in RESPONSES}
    choices = Choices(ways, lambda way: response_option(*way), lambda way: why_no_response(game, *way))
    about = (fight, {f"fight:{member[1].id}": (member, victims_of(touched[member[1].id])) for member in waiting})
    words = "Who responds next, and how?"
    return (yield from choose_one(waiting[0][0].side, "respond", words, choices, rules=tuple(rules), about=about))


def response_option(member: Member, what: str) -> Option:
    team = member[1]
    rules = ("hof.assaults.small-teams-do-not-fight",) if what == "stay" else ()
    return Option(f"{what}:{team.id}", f"{team_name(team)} {RESPONSES[what]}", rules, pieces=(team.id,))


def why_no_response(game: Battle, member: Member, what: str) -> Why:
    """Why a Team cannot answer in that way."""
    unit, team = member
    if what == "leave":
        if team.role != "bunker" and next(ways_out(game, unit, team), None) is not None:
            return None
        held = immovable(team)
        rule = "hof.assaults.defender-choice" if held is None else held[0]
        return illegal(rule, f"{team_label(unit, team)} cannot move away.", field=team.id)
    if (what == "fight") != team.kind.small:
        return None
    message = f"{team_label(unit, team)} is {'a' if team.kind.small else 'no'} Small Team."
    return illegal("hof.assaults.small-teams-do-not-fight", message, field=team.id)


def law_of_leaving(game: Battle, unit: Unit, team: Team) -> MoveLaw:
    """A move like any other, but it must end out of contact with every enemy."""

    def away(steps: dict[str, Step]) -> Refusal | None:
        step = steps.get(team.id)
        rows = None
        if step is not None and team.at is not None:
            rows = row_at(team, *step.to, end_facing(team, [team.at, *step.via, step.to], step.facing))
        if rows is None or not board(game).clear_of_enemies(unit.side, rows).all():
            message = f"{team_label(unit, team)} would still be in contact."
            legal = "Say where it goes: out of contact with every enemy."
            return illegal("hof.assaults.defender-choice", message, field=team.id, legal=legal)
        return None

    return MoveLaw(game, free_activation([(unit, team)]), unit.side, [(unit, team)], extra=away)


def ways_out(game: Battle, unit: Unit, team: Team) -> Iterator[Step]:
    """Legal moves out of contact, straight away from the enemy first."""
    foes = [enemy.at for _, enemy in contacts(game, unit.side).get(team.id, ()) if enemy.at is not None]
    return ways_away(team, foes, reach(team), law_of_leaving(game, unit, team).refuse)


def leave(game: Battle, fight: Assault, member: Member, losses: Losses) -> Flow[None]:
    """hof.assaults.defender-choice: a rolled move out of contact; a Team that rolls too little stays where it is."""
    unit, team = member
    law = law_of_leaving(game, unit, team)

    moving = Moving([team], law.how_far, law.refuse)

    def chance(random: Random) -> Steps:
        found = list(islice(ways_out(game, unit, team), 6))
        return {team.id: found[int(random.random() * len(found))]}

    rules = ("hof.assaults.defender-choice", "hof.moving.declare-destination")
    question = moving.question(
        "leave",
        f"Where does {team_label(unit, team)} go, out of contact with every enemy?",
        team_name,
        lambda: ({team.id: step} for step in ways_out(game, unit, team)),
        chance,
        rules,
        unit=unit.id,
        team=team.id,
    )
    steps = moving.steps((yield Ask(unit.side, question)))
    fight.fought[team.id] = member
    course = course_of(unit, team, steps[team.id])
    allowed = yield from distance.allowance(game, free_activation([member]), course, True)
    course.length = min(course.whole, allowed)
    yield from courses.drive(game, course, losses, busy=fight.act.members)
    if not still_stands(member):
        yield from tidy(game, fight, losses)
        return
    here = board(game)
    untangle(here, [course])
    row = course.row(here).reshape(1, 8)
    cited = [*rules, *course.rules]
    if not here.clear_of_enemies(unit.side, row).all() or not here.has_room(row, here.ground, [team]):
        text = f"{team_label(unit, team)} does not get away and stays in contact."
        game.tell("leave", text, *cited, seat=unit.side, team=team.id, away=False)
        return
    fight.act.starts.setdefault(team.id, (course.path[0], team.facing))
    place(game, team, *course.at(course.length), course.faces())
    courses.mark_moved(fight.act, team, course.length)
    text = f"{team_label(unit, team)} moves {course.length:.1f} inches out of contact."
    ways = {team.id: [list(course.path[0]), *passed(course), list(team.at or ())]}
    game.tell("leave", text, *cited, seat=unit.side, team=team.id, away=True, ways=ways)
    fight.touching.discard(team.id)
    yield from tidy(game, fight, losses)


# Step 3: attackers strike.


def attackers_strike(game: Battle, fight: Assault) -> Flow[None]:
    """hof.assaults.attackers-strike: each in turn; when one of them has struck, the others may hold back."""
    losses = Losses()
    touched = contacts(game, fight.side)
    under_fire = [member for member in in_fight(game, touched, fight.side) if member[1].kind.vehicle and member[1].rfps]
    if under_fire:
        yield from make_ready(game, fight, under_fire, losses)
        yield from settle(game, fight, losses)
    rules = ("hof.assaults.attackers-strike",)
    yield from strikes_in_turn(game, fight, lambda team, touched: victims_of(touched), "strike", rules, may_hold=False)


def strikes_in_turn(
    game: Battle,
    fight: Assault,
    targets: Callable[[Team, list[Member]], list[Member]],
    topic: str,
    rules: tuple[str, ...],
    *,
    may_hold: bool,
) -> Flow[None]:
    """The attackers in contact strike once each, in their owner's order. `may_hold`: even the first may hold back."""
    losses = Losses()
    done: set[str] = set()
    while True:
        touched = contacts(game, fight.side)
        able: dict[str, tuple[Member, list[Member]]] = {}
        for member in in_fight(game, touched, fight.side):
            victims = targets(member[1], touched[member[1].id])
            if member[1].id not in done and not member[1].kind.small and victims:
                able[member[1].id] = (member, victims)
        if not able:
            break
        choices = strikers(game, list(able), done, may_hold or bool(done))
        answer = choices.allowed()[0]
        if len(choices) > 1:
            question = Choose(topic, "Who strikes next?", choices, rules=rules, about=(fight, able))
            answer = yield Ask(fight.side, question)
        if answer == "hold":
            break
        done.add(answer)
        yield from blow(game, fight, *able[answer], losses, *rules)
    yield from settle(game, fight, losses)


def strikers(game: Battle, able: list[str], done: set[str], may_hold: bool) -> Choices[Member | None]:
    """Who strikes next, or nobody."""

    def why_not(member: Member | None) -> Why:
        if member is None:
            must = "one of those in contact must strike."
            return None if may_hold else illegal("hof.assaults.attackers-strike", must, field="hold")
        unit, team = member
        if team.id in able:
            return None
        name = team_label(unit, team)
        if team.id in done:
            return illegal("hof.assaults.one-check-per-step", f"{name} has struck in this step.", field=team.id)
        if team.kind.small:
            return illegal("hof.assaults.small-teams-do-not-fight", f"{name} is a Small Team.", field=team.id)
        return illegal("hof.assaults.attackers-strike", f"{name} touches nobody it could strike now.", field=team.id)

    return Choices(
        LaterDict(lambda: {**{t.id: (u, t) for u, t in all_teams(game.state) if t.at is not None}, "hold": None}),
        lambda member: HOLD if member is None else mate_option(member[1], " strikes"),
        why_not,
        quick=lambda: [*able, "hold"] if may_hold else able,
    )


def blow(
    game: Battle, fight: Assault, member: Member, victims: Sequence[Member], losses: Losses, *rules: str
) -> Flow[None]:
    """A Team's Assault Check and, beside it, that of the Riders on it; then what comes of them."""
    small = {enemy.id: companions(game, unit, enemy) for unit, enemy in victims}
    yield from strike(game, fight, member, victims, losses, *rules)
    for rider in riding.riders_on(game, member[1]):
        left = [victim for victim in victims if still_stands(victim)]
        if left and not rider[1].suppressed:
            yield from strike(game, fight, rider, left, losses, "hof.optional.riders-assault", *rules)
    for victim in victims:
        yield from bereave(game, fight, victim, small[victim[1].id], losses)
    yield from tidy(game, fight, losses)


def settle(game: Battle, fight: Assault, losses: Losses) -> Flow[None]:
    """The losses of one side's step are counted; whom a Unit that flees has faced is free again."""
    while losses.teams:
        yield from morale.settle(game, losses)
        yield from tidy(game, fight, losses)


# When it is over.


def back_to_foxholes(game: Battle, fight: Assault) -> Flow[None]:
    """hof.battle.dug-in-assault-return: Dug-In Teams that moved only in the assault may go back."""
    rule = "hof.battle.dug-in-assault-return"
    for member, hole, facing in fight.foxholes.values():
        unit, team = member
        if not still_stands(member) or team.dug_in:
            continue
        row = row_at(team, *hole, facing)
        here = board(game)
        team.foxhole = None
        if not here.has_room(row, here.ground, [team]) or not here.clear_of_enemies(unit.side, row).all():
            continue
        words = f"Does {team_label(unit, team)} go back to its foxhole?"
        if (yield from decide(unit.side, "foxhole", words, BACK, STAY, rules=(rule,), facts={"team": team.id})):
            place(game, team, *hole, facing)
            team.dug_in = True
            team.foxhole = hole
            text = f"{team_label(unit, team)} is back in its foxhole."
            game.tell("foxhole", text, rule, seat=unit.side, team=team.id, at=list(hole))


def regroup(game: Battle, fight: Assault) -> None:
    """hof.assaults.regroup, for all but the activated Teams: those regroup when their activation ends."""
    own = {team.id for _, team in fight.act.members}
    touched = contacts(game, fight.side)
    for name, (unit, team) in fight.fought.items():
        if name in own:
            fight.act.fought.add(name)
        elif unit.teams.get(name) is team and name not in touched:
            rally.suppress(game, unit, team, "hof.assaults.regroup")


def end_response(game: Battle, fight: Assault) -> None:
    """The defenders' free activation ends as well: their own missions suffer, and a barrage they are in bites."""
    members = [member for member in fight.answered.values() if still_stands(member)]
    if members:
        for rule in WHEN_ACTED:
            rule(game, free_activation(members))


def move_into_contact(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """A Move order, and the assault if somebody ends in contact with the enemy."""
    attackers = yield from move_orders.carry_out(game, act, order, losses)
    if attackers:
        yield from assault(game, act, attackers, losses)
