"""The Company Commander: a Platoon Leader acts with him, he promotes new ones, and he stands by a Unit that breaks."""

from __future__ import annotations

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.activation import activation, all_in_sight
from sandtable.rulesets.hof.core.acts import Losses, Paid, alive
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.labels import full_label, full_name, label, team_label, team_option, unit_name
from sandtable.rulesets.hof.core.nearby import gaps, standpoint
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, find_team, teams_of
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.morale import break_points, morale
from sandtable.table import distance as measure

NEAR = 4.0
"""hof.optional.cc-promotion, hof.optional.cc-morale-reroll"""

ACTIVATES = "hof.optional.cc-activates-pl"
PROMOTION = "hof.optional.cc-promotion"


def commander_of(game: Game[State], side: str) -> Member | None:
    """The Company Commander of a side, if he is on the table."""
    if not game.setup.options.commander:
        return None
    for member in board(game).force(game.state, side).heads:
        if member[1].role == "cc" and member[1].at:
            return member
    return None


def renew_point(game: Game[State], side: str) -> None:
    """hof.optional.cc-hero-point: what is left of the last one is lost, and there is a new one while he is there."""
    if not game.setup.options.commander:
        return
    company = game.state.companies[side]
    if company.commander_point:
        text = f"{side} loses the Hero Point that its Company Commander gave."
        game.tell("commander-point", text, "hof.optional.cc-hero-point", seat=side, lost=True)
    found = commander_of(game, side)
    company.commander_point = found is not None
    if found is not None:
        text = f"{team_label(*found)} gives {side} a Hero Point."
        game.tell("commander-point", text, "hof.optional.cc-hero-point", seat=side, lost=False, team=found[1].id)


# His activation.


def activate(game: Game[State], unit: Unit, team: Team, paid: Paid) -> Flow[bool]:
    """hof.optional.cc-activates-pl: one point pays for him and for a Platoon Leader, who acts after him.

    hof.optional.cc-promotion: before all this, in the midst of it, or at its end. False if it is not he who acts.
    """
    if team.role != "cc" or not game.setup.options.commander:
        return False
    promoted = yield from promote(game, unit, team)
    chosen = yield from choose_leader(game, unit, team, paid)
    own = yield from activation.activate(game, unit, team, paid)
    if not promoted:
        promoted = yield from promote(game, unit, team)
    if chosen is not None and alive(*chosen):
        platoon, leader = chosen
        text = f"{full_label(platoon, leader)} acts with the Company Commander."
        game.tell("commander", text, ACTIVATES, "hof.optional.cc-unit", seat=unit.side, team=leader.id)
        yield from activation.activate(game, platoon, leader, paid, above=own)
        if not promoted:
            yield from promote(game, unit, team)
    return True


def choose_leader(game: Game[State], unit: Unit, team: Team, paid: Paid) -> Flow[Member | None]:
    """Which Platoon Leader in his sight, on foot or in a Transport, acts with him; judged when he is activated."""
    found = [
        (platoon, leader)
        for platoon, leader in teams_of(game.state, unit.side)
        if leader.role == "pl" and standpoint(game, leader) is not None and free_to_act(leader, paid)
    ]
    if found:
        seen = all_in_sight(game, team, [leader for _, leader in found])
        found = [member for member, visible in zip(found, seen, strict=True) if visible]
    if not found:
        return None
    options = [Option("none", "Nobody")]
    options += [team_option(platoon, leader, ACTIVATES) for platoon, leader in found]

    def barred(choice: str) -> Refusal | None:
        other = find_team(game.state, choice)
        if other is None or other[0].side != unit.side:
            return None
        if other[1].role != "pl":
            return illegal(ACTIVATES, f"{team_label(*other)} is no Platoon Leader.", field=choice)
        if not free_to_act(other[1], paid):
            rule = "hof.orders.hero-lock" if other[1].locked else "hof.orders.order-point-once-per-turn"
            return illegal(rule, f"{team_label(*other)} has acted already.", field=choice)
        return illegal(ACTIVATES, f"{team_label(*other)} is out of his sight.", field=choice)

    question = Choose("commander", "Which Platoon Leader acts with him?", options, rules=(ACTIVATES,), barred=barred)
    answer = yield Ask(unit.side, question)
    return next((member for member in found if member[1].id == answer), None)


def free_to_act(leader: Team, paid: Paid) -> bool:
    """hof.activation.no-double-sweep"""
    return not leader.locked and not leader.watching and (paid == "hero" or not leader.activated)


def promote(game: Game[State], unit: Unit, team: Team) -> Flow[bool]:
    """hof.optional.cc-promotion: beside a Team within 4 inches, of a Unit that has lost its Platoon Leader.

    True if there is a new one.
    """

    if team.at is None or not alive(unit, team):
        return False
    near = [
        (platoon, mate)
        for platoon, mate in teams_of(game.state, unit.side)
        if platoon.led and platoon.leader is None and not platoon.kind and mate.at is not None
    ]
    if near:
        close = measure.within(gaps(game, [team], [mate for _, mate in near])[0], NEAR).tolist()
        near = [member for member, within in zip(near, close, strict=True) if within]
    if not near:
        return False
    options = [Option("none", "Nobody is promoted")]
    options += [Option(mate.id, f"Beside {full_name(of, mate)}", (PROMOTION,), (mate.id,)) for of, mate in near]

    def barred(choice: str) -> Refusal | None:
        other = find_team(game.state, choice)
        if other is None or other[0].side != unit.side:
            return None
        if other[0].leader is not None or not other[0].led:
            return illegal(PROMOTION, f"{label(other[0])} has not lost a Platoon Leader.", field=choice)
        return illegal(PROMOTION, f"{team_label(*other)} is farther than {NEAR:g} inches from him.", field=choice)

    words = "Beside which Team does he promote a new Platoon Leader?"
    answer = yield Ask(unit.side, Choose("promotion", words, options, rules=(PROMOTION,), barred=barred))
    chosen = next((member for member in near if member[1].id == answer), None)
    if chosen is None:
        return False
    return (yield from replacement.install(game, chosen[0], [chosen[1]], PROMOTION)) is not None


# Command presence.


def stake(game: Game[State], unit: Unit) -> Flow[str]:
    """hof.optional.cc-morale-reroll: he may stake himself on a Unit that is about to break. The rule, if he does."""
    if not beside(game, unit):
        return ""
    rule = "hof.optional.cc-morale-reroll"
    options = [Option("reroll", f"He stands by {unit_name(unit)}: roll again", (rule,)), Option("let-go", "Let it go")]
    words = f"{label(unit)} is breaking. If it breaks beside the Company Commander, he flees with it."
    rules = (rule, "hof.optional.cc-flees")
    answer = yield Ask(unit.side, Choose("command-presence", words, options, rules=rules, facts={"unit": unit.id}))
    return rule if answer == "reroll" else ""


def beside(game: Game[State], unit: Unit) -> bool:
    """Whether a Team of a Unit is within 4 inches of him."""
    found = commander_of(game, unit.side)
    if found is None or found[0] is unit:
        return False
    mates = [team for team in unit.teams.values() if team.at is not None]
    return bool(mates) and measure.within(gaps(game, [found[1]], mates).min(), NEAR)


def flee(game: Game[State], side: str) -> Flow[None]:
    """hof.optional.cc-flees: he goes with the Unit that he stood by, and counts as another Unit destroyed."""
    found = commander_of(game, side)
    if found is None:
        return
    unit, team = found
    rule = "hof.optional.cc-flees"
    if len(unit.teams) == 1:
        yield from morale.destroy_unit(game, unit, rule)
        return
    losses = Losses()
    yield from morale.kill(game, unit, team, losses, "fled", rule)
    cause = "the Company Commander has fled"
    for _ in range(2):
        yield from break_points.break_roll(game, side, cause, rule)
    break_points.rout_test(game, side, cause)
    yield from morale.settle(game, losses)
