"""The exact odds of an attack before its dice, for each question that leads to one.

Everything is asked of the chapters' own odds, in a copy of the game where what the seat may not know is imagined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandtable.engine.cards import Fact, Odds, PreviewLine, Reason
from sandtable.engine.chance import Chances, at_least, either, mixed, sure
from sandtable.engine.questions import Answer, plain_to_steps
from sandtable.field import outcomes
from sandtable.field.outcomes import NO_ATTACK, Harm
from sandtable.rulesets.hof.activation import odds as activation
from sandtable.rulesets.hof.artillery import odds as artillery
from sandtable.rulesets.hof.assaults import Blow, strike_odds
from sandtable.rulesets.hof.core.acts import Activation, Order, starts_of
from sandtable.rulesets.hof.core.board import Battle, place
from sandtable.rulesets.hof.core.labels import PAGE, full_label, team_label, team_list
from sandtable.rulesets.hof.core.state import RANKS, Member
from sandtable.rulesets.hof.firing import CANNOT
from sandtable.rulesets.hof.firing import odds as firing
from sandtable.rulesets.hof.morale import odds as morale
from sandtable.rulesets.hof.optional import air, interruption
from sandtable.rulesets.hof.optional import odds as optional
from sandtable.rulesets.hof.page.lookout import known
from sandtable.rulesets.hof.page.outcomes import (
    COMES_ON,
    DESTROYED,
    DRIVEN_OFF,
    ENDS,
    GOES_ON,
    HITS,
    MARKED,
    NO_EFFECT,
    NO_HITS,
    NO_SMOKE,
    RFPS,
    SMOKE,
    UNDER_FIRE,
    WORDS,
    shelled_words,
)
from sandtable.rulesets.hof.rfp_rally import odds as rfp
from sandtable.table.shapes import Place

AFTERWARDS = ("bail-out", "new-leader", "command-presence")
"""What may be asked when Teams are lost."""

NO_ATTACK_AT_ALL = Odds()
"""Whoever lets something drive on, holds back or waits attacks nobody: there is nothing to tell."""

TABLE = "hof.rfp-rally.result-table"
FATES = {"killed": "destroyed", "suppressed": "Suppressed", "ready": "nothing"}
"""What may become of a Team that is made to act, in words."""


def odds(game: Battle, seat: str, answer: Answer) -> Odds | None:
    """The odds of an answer; None where there is no closed form."""
    assert game.ask is not None
    question = game.ask.question
    find = ODDS.get(question.topic)
    if find is None or question.about is None:
        return None
    try:
        return find(game, question.about, answer)
    except firing.NoClosedForm:
        return None


def percent(share: float) -> str:
    return "under 1%" if 0.0 < share < 0.005 else "over 99%" if 0.995 <= share < 1.0 else f"{share:.0%}"


# Fire.


def at_target(game: Battle, about: Any, answer: Answer) -> Odds:
    act, order = about
    answers = firing.Answers()
    return fire_odds(game, activation.fire_order(game, act, order, answer, answers), answers)


def with_weapons(game: Battle, about: Any, answer: Answer) -> Odds:
    answers = firing.Answers()
    act, table, ways, marks = about(answer)
    fire = firing.fire_with(act, table, ways, marks, answers)
    return fire_odds(game, activation.ordered([(fire, 1.0)]), answers)


def interrupting(game: Battle, about: Any, answer: Answer) -> Odds:
    """A Team fires at a Vehicle on its way, at the first point where it can."""
    course, watching = about
    if answer not in watching:
        return NO_ATTACK_AT_ALL
    member, points = watching[answer]
    at = interruption.points_to_fire(game, course, member, points)[0]
    return interrupted(game, course, member, at, "interrupt-at")


def interrupting_at(game: Battle, about: Any, answer: Answer) -> Odds:
    course, member, points = about
    return interrupted(game, course, member, points[answer])


def interrupted(game: Battle, course: Any, member: Member, at: float, *taken: str) -> Odds:
    answers = firing.Answers(*taken)
    return fire_odds(game, optional.interrupting(game, course, member, at, answers), answers)


def fire_from(game: Battle, seat: str, places: Mapping[str, Place], target: str) -> Odds | None:
    """The odds of the fire of some Teams of a Unit at a target, as if they stood somewhere else.

    The game is used up. None if they are none of the seat's, or there is no closed form.
    """
    members = RANKS.on_table(game.state, seat, places)
    if not members or known(game, seat, target) is None:
        return None
    unit = members[0][0]
    for _, team in members:
        spot = places[team.id]
        place(game, team, spot.x, spot.y, spot.facing)
    led = [member for member in members if member[1] is not unit.leader]
    order = Order("fire", "fire", led, target)
    act = Activation(side=seat, paid="order", unit=unit, members=members, leader=unit.leader, orders=[order])
    act.starts = starts_of(members)
    answers = firing.Answers("planned")
    try:
        fit = [member for member in led if not member[1].suppressed]
        fire = activation.fired(game, act, fit, order=order, answers=answers)
    except firing.NoClosedForm:
        return None
    return fire_odds(game, activation.ordered([(fire, 1.0)]), answers)


def fire_odds(game: Battle, found: activation.Ordered, answers: firing.Answers) -> Odds:
    """The odds of a Fire order in words and numbers."""
    ends = with_morale(game, found.ends)
    losses = any(end is not None and end.lost for end, _ in found.ends)
    topics = {*answers.topics, *(AFTERWARDS if losses else ())}
    return Odds(
        tuple(throws(found.fires[0][0])) if found.fires else (),
        outcomes.ranked(ends, lambda end: NO_ATTACK if end is None else WORDS.say(end, NO_HITS)),
        (
            outcomes.spread(HITS, found.hits, int),
            outcomes.spread(RFPS, ends, lambda end: 0 if end is None else end.marked),
            outcomes.spread(DESTROYED, ends, lambda end: 0 if end is None else end.destroyed),
        ),
        PAGE.assumed(topics),
        tuple(sorted(topics)),
        (made_to_act(game, found.fires[0][0].target, found.ends),) if found.fires else (),
        answers.chosen,
    )


def with_morale(game: Battle, ends: Chances[firing.Fired | None]) -> Chances[Harm | None]:
    """What the loss of Teams means for their Units."""
    told = ends.mapped(lambda end: end and (end.hit, end.rfps, end.lost))
    known: dict[morale.Lost, tuple[int, Chances[int]]] = {(): (0, sure(0))}

    def broken(end: tuple[bool, int, morale.Lost] | None) -> Chances[Harm | None]:
        if end is None:
            return sure(None)
        hit, rfps, lost = end
        if lost not in known:
            gone = morale.some_of(game, lost)
            known[lost] = len(gone), morale.standing_after(game, gone).mapped(lambda after: after.units)
        number, units = known[lost]
        return units.mapped(lambda count: Harm(hit, number, rfps, count))

    return told.then(broken)


def throws(fire: firing.Fire) -> Sequence[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    lines = []
    for volley in fire.volleys:
        members = [fire.members[row] for row, _ in volley.shots]
        words = f"{team_list(members)}: {volley.weapon.name} at {full_label(*fire.target)}"
        dice = sum(dice for _, dice in volley.shots)
        if volley.needed >= CANNOT:
            words, dice = f"{words}: no die can succeed", 0
        lines.append(PreviewLine(words, dice, volley.needed, outcomes.reasons(volley.modifiers)))
    return outcomes.grouped(lines)


# What RFPs will do, later.


def made_to_act(game: Battle, target: Member, ends: Chances[firing.Fired | None]) -> Fact:
    """What the target will be if it is made to act after all this, in the cover that it has."""

    def fate(suffered: firing.Suffered) -> Chances[str]:
        if target[1].id in suffered.lost:
            return sure("killed")
        more = rfp.when_made_to_act(game, *target, suffered.rfps, exposed=suffered.exposed)
        return more.mapped(str)

    suffered = ends.mapped(lambda end: firing.Suffered() if end is None else end.target)
    return fates_fact(target, suffered.then(fate))


def fates_fact(target: Member, fates: Chances[str]) -> Fact:
    words = [f"{said} {percent(fates[fate])}" for fate, said in FATES.items() if fates[fate]]
    return Fact(f"If {team_label(*target)} is then made to act", ", ".join(words), TABLE)


# Assaults.


def striking(game: Battle, about: Any, answer: Answer) -> Odds:
    """Somebody strikes; whom, where there is a choice, is the first."""
    fight, able = about
    if answer not in able:
        return NO_ATTACK_AT_ALL
    member, victims = able[answer]
    return blow(game, strike_odds(game, fight, member, victims[0]), member, victims[0], len(victims) > 1)


def at_victim(game: Battle, about: Any, answer: Answer) -> Odds:
    fight, member, victims = about
    return blow(game, strike_odds(game, fight, member, victims[answer]), member, victims[answer], False)


def blow(game: Battle, struck: Blow, member: Member, victim: Member, choice: bool) -> Odds:
    ends = struck.ends.mapped(lambda end: Harm(False, len(end.lost), end.rfps))
    again = (Reason(0, struck.again, "rolls a failure again"),) if struck.again else ()
    line = PreviewLine(f"{team_label(*member)} strikes at {team_label(*victim)}", 1, struck.needed, again)
    topics = {*(("victim",) if choice else ()), "bail-out", "new-leader"}
    return Odds(
        (line,),
        outcomes.ranked(ends, lambda end: WORDS.say(end, NO_EFFECT)),
        (outcomes.spread(DESTROYED, ends, lambda end: end.destroyed),),
        PAGE.assumed(topics & {"victim"}),
        tuple(sorted(topics)),
    )


# What falls from above.


def ranging_in(game: Battle, about: Any, answer: Answer) -> Odds:
    mission, guns, deviates = about
    if mission.smoke:
        return NO_ATTACK_AT_ALL
    x, y = answer
    fall = artillery.ranged_in(game, mission, guns, (x, y), deviates=deviates)
    return shelled(game, mission.side, fall, "saturation", *(("ffe",) if deviates else ()))


def for_effect(game: Battle, about: Any, answer: Answer) -> Odds:
    mission, at, saturated = about
    if mission.smoke or answer != "fire":
        return NO_ATTACK_AT_ALL
    return shelled(game, mission.side, artillery.for_effect(game, mission, at, saturated=saturated))


def sustaining(game: Battle, about: Any, answer: Answer) -> Odds:
    if answer != "roll":
        return NO_ATTACK_AT_ALL
    held = at_least(about)
    line = PreviewLine("The barrage is sustained", 1, about)
    return Odds((line,), outcomes.two_ways(held, GOES_ON, ENDS))


def bombing(game: Battle, about: Any, answer: Answer) -> Odds:
    x, y = answer
    return shelled(game, about, optional.bombs(game, (x, y)))


def strafing(game: Battle, about: Any, answer: Answer) -> Odds:
    return shelled(game, about, optional.cannons(game, plain_to_steps(answer)["strip"]))


def rocketing(game: Battle, about: Any, answer: Answer) -> Odds:
    target = about[answer]

    def as_fired(end: firing.Suffered) -> firing.Fired | None:
        lost: morale.Lost = ()
        for name in end.lost:
            lost = morale.lost_more(game, lost, (target[0], target[0].teams[name]))
        return firing.Fired(False, end.rfps, lost, end)

    if not target[1].kind.vehicle:
        return shelled(game, "", optional.rockets_at_foot(game, target))
    ends = optional.rockets_at_vehicle(game, target).mapped(as_fired)
    said = with_morale(game, ends)
    return Odds(
        (),
        outcomes.ranked(said, lambda end: NO_ATTACK if end is None else WORDS.say(end, NO_EFFECT)),
        (outcomes.spread(DESTROYED, said, lambda end: 0 if end is None else end.destroyed),),
        PAGE.assumed(AFTERWARDS),
        AFTERWARDS,
        (made_to_act(game, target, ends),),
    )


def shelled(game: Battle, side: str, fall: artillery.Fall, *taken: str) -> Odds:
    """What falls on everybody about a point; `side` is whose fire it is."""
    theirs = [one for one in fall.each if one[0][0].side != side]
    own = [one for one in fall.each if one[0][0].side == side]
    notes = [later(game, "If all enemies under it are then made to act", theirs)] if theirs else []
    if own:
        worst = max(share for _, share, _ in own)
        names = team_list([member for member, _, _ in own])
        notes.append(Fact("Your own may be under it", f"{names}: up to {percent(worst)}", "hof.artillery.barrage-rfps"))
        notes.append(later(game, "If all of yours under it are then made to act", own))
    return Odds(
        (),
        outcomes.ranked(fall.ends, lambda end: shelled_words(*end)),
        (
            outcomes.spread(UNDER_FIRE, fall.ends, lambda end: end.teams),
            outcomes.spread(RFPS, fall.ends, lambda end: end.rfps),
        ),
        PAGE.assumed(taken),
        tuple(sorted(taken)),
        tuple(notes),
    )


def later(game: Battle, name: str, each: Sequence[tuple[Member, float, int]]) -> Fact:
    """How many of some Teams are destroyed and Suppressed on average if they are made to act, by these RFPs alone."""
    killed = suppressed = 0.0
    for member, share, rfps in each:
        fates = rfp.when_made_to_act(game, *member, rfps)
        killed += share * fates["killed"]
        suppressed += share * fates["suppressed"]
    return Fact(name, f"on average {killed:.1f} destroyed, {suppressed:.1f} Suppressed", TABLE)


# Smoke, snipers, and fire at aircraft.


def smoking(game: Battle, about: Any, answer: Answer) -> Odds:
    act, order = about
    answers = firing.Answers()
    found = optional.smoke(game, act, order, answer, answers)
    ends = mixed(
        (sure(NO_ATTACK) if smoke is None else either(smoke.lies, sure(SMOKE), sure(NO_SMOKE)), share)
        for smoke, share in found
    )
    lines: list[PreviewLine] = []
    smoke = max(found, key=lambda each: each[1] if each[0] is not None else 0.0)[0]
    if smoke is not None:
        whom = full_label(*smoke.target)
        lines = [
            PreviewLine(f"{team_label(*member)}: smoke at {whom}", 1, needed, outcomes.reasons(modifiers))
            for member, needed, modifiers in smoke.shots
        ]
    topics = answers.topics
    return Odds(
        tuple(lines), outcomes.ranked(ends, str), (), PAGE.assumed(topics), tuple(sorted(topics)), (), answers.chosen
    )


def sniping(game: Battle, about: Any, answer: Answer) -> Odds:
    act, targets = about
    note = fates_fact(targets[answer], optional.snipe(game, targets[answer]))
    fit = activation.fates_of(game, act).chance(lambda fates: not fates[0])
    return Odds((), outcomes.two_ways(fit, MARKED, NO_ATTACK), notes=(note,))


def at_aircraft(game: Battle, about: Any, answer: Answer) -> Odds:
    guns, flight = about
    if answer not in guns:
        return NO_ATTACK_AT_ALL
    dice, at = air.aa_dice(guns, answer), air.against_aircraft(guns[answer])
    line = PreviewLine(f"Anti-aircraft fire, AT {at}", dice, flight + 1 if flight else 0)
    return Odds((line,), outcomes.two_ways(optional.driven_off(dice, at, flight), DRIVEN_OFF, COMES_ON))


ODDS: dict[str, Callable[[Battle, Any, Answer], Odds]] = {
    "target": at_target,
    "weapons": with_weapons,
    "interrupt": interrupting,
    "interrupt-at": interrupting_at,
    "strike": striking,
    "ambush": striking,
    "respond": striking,
    "victim": at_victim,
    "range-in": ranging_in,
    "ffe": for_effect,
    "sustain": sustaining,
    "bombs": bombing,
    "cannons": strafing,
    "rockets": rocketing,
    "anti-air": at_aircraft,
    "smoke-target": smoking,
    "snipe": sniping,
}
"""By the topic of the question that an attack answers."""

PREVIEWS = tuple(ODDS)
"""The questions whose answers are worth knowing beforehand."""
