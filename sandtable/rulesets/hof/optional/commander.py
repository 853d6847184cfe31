"""The Company Commander: a Platoon Leader acts with him, he promotes new ones, and he stands by a Unit that breaks."""

from __future__ import annotations

from sandtable.engine.events import gain
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Option, Why, illegal, or_none
from sandtable.rulesets.hof.activation import activation, in_sight, participants
from sandtable.rulesets.hof.core.acts import Losses, Paid, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import full_label, full_name, label, team_label, team_option, unit_name
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Team, Unit, teams_of
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.table import distance as measure

NEAR = 4.0
"""hof.optional.cc-promotion, hof.optional.cc-morale-reroll"""

ACTIVATES = "hof.optional.cc-activates-pl"
PROMOTION = "hof.optional.cc-promotion"

LET_GO = Option("let-go", "Let it go")


def commander_of(game: Battle, side: str) -> Member | None:
    """The Company Commander of a side, if he is on the table."""
    heads = board(game).force(game.state, side).heads if game.setup.options.commander else []
    return next((member for member in heads if member[1].role == "cc" and member[1].at), None)


def renew_point(game: Battle, side: str) -> None:
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
        data = {"lost": False, "team": found[1].id, **gain(side, "Hero Points", 1)}
        game.tell("commander-point", text, "hof.optional.cc-hero-point", seat=side, **data)


# His activation.


def activate(game: Battle, unit: Unit, team: Team, paid: Paid) -> Flow[bool]:
    """hof.optional.cc-activates-pl: one point pays for him and for a Platoon Leader, who acts after him.

    hof.optional.cc-promotion: before all this, in the midst of it, or at its end. False if it is not he who acts.
    """
    if team.role != "cc" or not game.setup.options.commander:
        return False
    promoted = yield from promote(game, unit, team)
    chosen = yield from choose_leader(game, unit, team, paid)
    own = yield from activation.activate(game, unit, team, paid, with_others=chosen is not None)
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


def choose_leader(game: Battle, unit: Unit, team: Team, paid: Paid) -> Flow[Member | None]:
    """Which Platoon Leader in his sight, on foot or in a Transport, acts with him; judged when he is activated."""

    def why_not(member: Member) -> Why:
        of, leader = member
        if leader.role != "pl":
            return lambda: illegal(ACTIVATES, f"{team_label(of, leader)} is no Platoon Leader.", field=leader.id)
        if not participants.free_to_act(leader, paid):
            rule = "hof.orders.hero-lock" if leader.locked else "hof.orders.order-point-once-per-turn"
            return illegal(rule, f"{team_label(of, leader)} has acted already.", field=leader.id)
        if standpoint(game, leader) is not None and in_sight(game, team, leader):
            return None
        return illegal(ACTIVATES, f"{team_label(of, leader)} is out of his sight.", field=leader.id)

    teams = {mate.id: (of, mate) for of, mate in teams_of(game.state, unit.side)}
    choices = or_none(Option("none", "Nobody"), teams, lambda member: team_option(*member, ACTIVATES), why_not)
    words, rules = "Which Platoon Leader acts with him?", (ACTIVATES,)

    def nearest() -> str:
        found = [choices.things[name] for name in choices.allowed()]
        leaders = [member[1] for member in found if member is not None]
        places = [(standpoint(game, leader) or leader) for leader in leaders]
        return leaders[int(board(game).gaps([team], places)[0].argmin())].id

    return (yield from choose_one(unit.side, "commander", words, choices, rules=rules, default=nearest, step="detail"))


def promote(game: Battle, unit: Unit, team: Team) -> Flow[bool]:
    """hof.optional.cc-promotion: beside a Team within 4 inches, of a Unit that has lost its Platoon Leader.

    True if there is a new one.
    """

    if team.at is None or not alive(unit, team):
        return False

    def option(member: Member) -> Option:
        return Option(member[1].id, f"Beside {full_name(*member)}", (PROMOTION,), (member[1].id,))

    def why_not(member: Member) -> Why:
        platoon, mate = member
        if platoon.leader is not None or not platoon.led or platoon.kind:
            return lambda: illegal(PROMOTION, f"{label(platoon)} has not lost a Platoon Leader.", field=mate.id)
        if mate.at is not None and measure.within(board(game).gaps([team], [mate])[0, 0], NEAR):
            return None
        message = f"{team_label(platoon, mate)} is farther than {NEAR:g} inches from him."
        return illegal(PROMOTION, message, field=mate.id)

    mates = {mate.id: (platoon, mate) for platoon, mate in teams_of(game.state, unit.side)}
    choices = or_none(Option("none", "Nobody is promoted"), mates, option, why_not)
    words = "Beside which Team does he promote a new Platoon Leader?"
    chosen = yield from choose_one(unit.side, "promotion", words, choices, rules=(PROMOTION,))
    if chosen is None:
        return False
    return (yield from replacement.install(game, chosen[0], [chosen[1]], PROMOTION)) is not None


# Command presence.


def stake(game: Battle, unit: Unit) -> Flow[str]:
    """hof.optional.cc-morale-reroll: he may stake himself on a Unit that is about to break. The rule, if he does."""
    rule = "hof.optional.cc-morale-reroll"
    again = Option("reroll", f"He stands by {unit_name(unit)}: roll again", (rule,))
    words = f"{label(unit)} is breaking. If it breaks beside the Company Commander, he flees with it."
    rules, facts = (rule, "hof.optional.cc-flees"), {"unit": unit.id}
    stays = yield from decide(unit.side, "command-presence", words, again, LET_GO, rules=rules, facts=facts)
    return rule if stays else ""


def beside(game: Battle, unit: Unit) -> bool:
    """Whether a Team of a Unit is within 4 inches of him."""
    found = commander_of(game, unit.side)
    if found is None or found[0].id == unit.id:
        return False
    return bool(board(game).near(found[1], unit.teams.values(), NEAR))


def flee(game: Battle, side: str) -> Flow[None]:
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
        yield from morale.break_roll(game, side, cause, rule)
    morale.rout_test(game, side, cause)
    yield from morale.settle(game, losses)
