"""Activation: a Team, or a leader and his Unit, in four steps: declare, rally, resolve RFPs, carry out."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Choose, LaterDict, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import (
    artillery,
    casualties,
    contact,
    firing,
    leaders,
    moving,
    national,
    received,
    transports,
)
from sandtable.rulesets.hof.acts import Activation, Losses, Order, OrderKind, Paid, living, starts_of
from sandtable.rulesets.hof.board import board, standpoint
from sandtable.rulesets.hof.optional import engineers, expanded_recon, form_on_me, snipers, special_orders
from sandtable.rulesets.hof.state import (
    Member,
    Moved,
    State,
    Team,
    Unit,
    counts_for_strength,
    find_team,
    full_label,
    label,
    spoken_of,
    team_label,
)

NAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "move": ("Move", ("hof.activation.order-is-move-or-fire",)),
    "fire": ("Fire", ("hof.activation.order-is-move-or-fire",)),
    "move-2": ("Move elsewhere", ("hof.activation.split-combinations",)),
    "fire-2": ("Fire at another target", ("hof.activation.split-combinations",)),
}
DOES: dict[OrderKind, tuple[str, str]] = {
    "move": ("moves", "move"),
    "fire": ("fires", "fire"),
    "form": ("forms up", "form up"),
    "smoke": ("fires smoke", "fire smoke"),
    "clear": ("clears the way", "clear the way"),
    "charge": ("places a charge", "place charges"),
    "detonate": ("sets its charge off", "set their charges off"),
    "unbog": ("digs itself out", "dig themselves out"),
    "snipe": ("takes aim", "take aim"),
    "displace": ("slips away", "slip away"),
}
"""What one Team does by an order, and what several do."""

OPTIONS = {name: Option(name, words, rules) for name, (words, rules) in NAMES.items()}
LED_RULES = (
    "hof.activation.one-or-two-orders",
    "hof.activation.order-is-move-or-fire",
    "hof.activation.pl-brings-unit",
)
TOLD = (
    "hof.activation.four-steps",
    "hof.activation.declare-specifics",
    "hof.activation.one-or-two-orders",
    "hof.orders.one-activation-at-a-time",
    "hof.activation.order-is-move-or-fire",
)
ALONE_RULES = (*LED_RULES[:2], "hof.activation.single-team")


def activate(
    game: Game[State], unit: Unit, team: Team, paid: Paid, above: Activation | None = None
) -> Flow[Activation]:
    """One activation from beginning to end; `above` is the Company Commander's that it is part of."""
    act = begin(game, unit, team, paid)
    act.above = above
    if act.leader is None:
        yield from leaders.appoint(game, act, team)
    spotting = unit.recon and game.setup.options.recon
    nominated = team if spotting and act.leader is None and may_nominate(unit, team) else None
    yield from declare(game, act, team)
    yield from rally_and_resolve(game, act)
    if spotting:
        yield from expanded_recon.eyes_on(game, act, nominated)
    yield from carry_out(game, act)
    yield from finish(game, act)
    return act


def activate_through_commander(game: Game[State], unit: Unit, team: Team, paid: Paid) -> Flow[None]:
    """hof.optional.cc-activates-pl: one point pays for the Commander and for a Platoon Leader he sees."""
    from sandtable.rulesets.hof.optional import commander

    yield from commander.activate(game, unit, team, paid)


def begin(game: Game[State], unit: Unit, team: Team, paid: Paid) -> Activation:
    leader = team if team.role in ("pl", "cc") else None
    return Activation(side=unit.side, paid=paid, unit=unit, members=[(unit, team)], leader=leader)


def move_on(game: Game[State], unit: Unit, members: list[Member], paid: Paid) -> Flow[None]:
    """A Unit that comes onto the table at its edge moves on at once, and does nothing else."""
    leader = next((team for _, team in members if team.role in ("pl", "cc")), None)
    act = Activation(side=unit.side, paid=paid, unit=unit, members=members, leader=leader)
    led = [(each, team) for each, team in members if team is not leader]
    act.orders = [Order("move", "move", led)]
    mark_activated(game, act)
    yield from moving.declare(game, act, act.orders[0])
    yield from carry_out(game, act)
    yield from finish(game, act)


# Step 1: declare orders.


def eligible(team: Team, paid: Paid) -> bool:
    """hof.activation.no-double-sweep: used Teams are not swept along."""
    if team.locked or team.watching or (team.at is None and team.where != "aboard"):
        return False
    return paid != "order" or not team.activated


ABSENT = {
    "hidden": ("hof.battle.hidden-contribute-dice", "must be revealed first"),
    "reserve": ("hof.battle.reserve-no-dice", "is in reserve"),
    "edge": ("hof.battle.attacker-off-table", "has not come onto the table yet"),
    "rear": ("hof.transports.called-to-rear", "is in the rear"),
}


def why_unfit(team: Team) -> Refusal | None:
    """What keeps a Team from being activated, whatever pays for it."""
    name = team_label(team)
    if team.locked:
        return illegal("hof.orders.hero-lock", f"{name} acted by Hero Point this turn.", field=team.id)
    if team.watching:
        return illegal("hof.artillery.any-pl-observes", f"{name} is observing.", field=team.id)
    if team.where in ABSENT:
        rule, words = ABSENT[team.where]
        return illegal(rule, f"{name} {words}.", field=team.id)
    return None


def followers(game: Game[State], act: Activation, first: Team) -> list[Team]:
    """The Teams of the Unit that may come along with the one that was activated: those whom its Leader sees.

    The Leader may be one who has just been found; or a Vehicle that is nominated, and brings Vehicles along.
    """
    unit, leader, paid = act.unit, act.leader, act.paid
    if leader is None and not may_nominate(unit, first):
        return []
    caller = first if leader is None else leader
    mates = [
        team
        for team in unit.teams.values()
        if team is not first and team is not caller and eligible(team, paid)
        if leader is not None or team.kind.vehicle or team.role in ("fo", "rider")
    ]
    if not mates:
        return []
    seen = all_in_sight(game, caller, mates)
    return [team for team, visible in zip(mates, seen, strict=True) if visible or team.role == "fo"]


def may_nominate(unit: Unit, team: Team) -> bool:
    """hof.activation.vehicle-leader-limit: fewer than half of the starting Vehicles Suppressed or destroyed."""
    if not (unit.vehicles or unit.kind == "riders") or not counts_for_strength(team):
        return False
    sound = 0
    for each in unit.teams.values():
        if not each.suppressed and counts_for_strength(each):
            sound += 1
            if 2 * sound > unit.starting:
                return True
    return False


def in_sight(game: Game[State], leader: Team, team: Team) -> bool:
    return all_in_sight(game, leader, [team])[0]


def all_in_sight(game: Game[State], leader: Team, teams: list[Team]) -> list[bool]:
    """hof.activation.pl-brings-unit: line of sight when he is activated. Those in a Transport are where it is."""
    if leader.at is not None and not [team for team in teams if team.at is None]:
        visible: list[bool] = board(game).sees([leader], teams)[0].tolist()
        return visible
    eye = standpoint(game, leader)
    if eye is None:
        return [False] * len(teams)
    stands = [standpoint(game, team) for team in teams]
    others = [stand for stand in stands if stand is not None and stand is not eye]
    seen = iter(board(game).sees([eye], others)[0].tolist() if others else ())
    return [stand is eye or (stand is not None and next(seen)) for stand in stands]


def declare(game: Game[State], act: Activation, first: Team) -> Flow[None]:
    """hof.activation.declare-specifics: who does what, with targets and destinations, before any die is rolled."""
    unit = act.unit
    mates = followers(game, act, first)
    if act.leader is not None and game.setup.options.form_on_me and (yield from form_on_me.declare(game, act)):
        return
    candidates = ([] if act.leader is first else [first]) + mates
    answer: dict[str, str] = {}
    if candidates:
        # A Leader with nobody to order about is asked only where he moves himself.
        answer = yield Ask(unit.side, Menu(game, act, first, candidates).question())
    groups: dict[str, list[Member]] = {}
    members: list[Member] = [(unit, first)]
    if act.leader is not None and act.leader is not first:
        members.insert(0, (unit, act.leader))
    for name, order in answer.items():
        member = unit, unit.teams[name]
        groups.setdefault(order, []).append(member)
        if name != first.id:
            members.append(member)
    act.orders = [Order(name, kind_of(name), group) for name, group in groups.items()]
    act.members = members
    mark_activated(game, act)
    moves = False
    for each in act.orders:
        # The target of a Fire order, the destinations of a Move order, or what a special order needs.
        if each.kind == "move":
            moves = True
            yield from moving.declare(game, act, each)
        elif each.kind == "fire":
            yield from firing.declare(game, act, each)
        else:
            yield from special_orders.declare(game, act, each)
    if act.leader is not None and act.leader.at is not None and not moves:
        yield from moving.declare_leader(game, act)
    tell_orders(game, act, first)


def kind_of(name: str) -> OrderKind:
    return name.removesuffix("-2")  # type: ignore[return-value]


class Menu:
    """Which orders each of some Teams may be given. Whom they could fire at is seen only when it matters."""

    def __init__(self, game: Game[State], act: Activation, first: Team, candidates: list[Team]) -> None:
        self.game = game
        self.act = act
        self.called = first
        self.candidates = candidates
        self.split = len(candidates) > 1 and not national.may_not_split(game, act.unit)
        self.first = None if act.leader is first else first
        """Who must be given an order, if anybody."""
        self.able: set[str] | None = None
        self.listed: dict[str, list[Option]] | None = None
        self.specials: dict[tuple[str, str], bool] = {}

    def firers(self) -> set[str]:
        if self.able is None:
            unit = self.act.unit
            self.able = firing.able_to_fire(self.game, self.act, [(unit, team) for team in self.candidates])
        return self.able

    def may_fire(self, team: Team) -> bool:
        # hof.optional.riders-activation: Riders never move by themselves, so they may always be told to fire.
        return not team.bogged and (team.role == "rider" or team.id in self.firers())

    def items(self) -> dict[str, list[Option]]:
        if self.listed is None:
            self.listed = {}
            for team in self.candidates:
                names = []
                if self.may_fire(team):
                    names += ["fire", "fire-2"] if self.split else ["fire"]
                if may_move(team):
                    names += ["move", "move-2"] if self.split else ["move"]
                special = special_orders.options(self.game, self.act, team)
                self.listed[team.id] = [OPTIONS[name] for name in names] + special
        return self.listed

    def may_propose(self, team: Team, name: str) -> bool:
        if name == "move" or (name == "move-2" and self.split):
            return may_move(team)
        if name == "fire" or (name == "fire-2" and self.split):
            return self.may_fire(team)
        if name.endswith("-2"):
            return False
        key = (team.id, name)
        if key not in self.specials:
            if name == "smoke":
                # All look for targets at once: the table that the activation keeps serves smoke, too.
                self.firers()
            self.specials[key] = special_orders.may_be_proposed(self.game, self.act, team, name)
        return self.specials[key]

    def proposable(self) -> list[str]:
        """The orders that the one who needs one, or anybody, could be given, as far as can be said at a glance."""
        names: list[str] = []
        for team in self.candidates if self.first is None else [self.first]:
            if not team.bogged and "fire" not in names:
                names.append("fire")
            if may_move(team) and "move" not in names:
                names.append("move")
            for name in special_orders.proposable(self.game, self.act, team):
                if name not in names:
                    names.append(name)
        return names

    def chance(self, random: Random) -> dict[str, str]:
        """Orders by chance: one for all who can, or two divided."""
        first = self.first
        asked = self.candidates if first is None else [first]
        kinds = self.proposable()
        one = ""
        while kinds and not one:
            name = kinds.pop(int(random.random() * len(kinds)))
            for team in asked:
                if self.may_propose(team, name):
                    one = name
                    break
        if not one:
            return {}
        if first is not None and len(self.candidates) == 1:
            return {first.id: one}
        two = one
        if self.split and not all(team.bogged for team in self.candidates) and random.random() < 0.3:
            two = ("move", "fire", f"{one}-2")[int(random.random() * 3)]
        answer = {}
        for team in self.candidates:
            wanted = two if team is not first and random.random() < 0.5 else one
            if team is first or self.may_propose(team, wanted):
                answer[team.id] = wanted
        if two.endswith("-2") and (one not in answer.values() or self.same_target(answer) is not None):
            answer = dict.fromkeys(answer, one)
        return answer

    def question(self) -> Assign:
        """One order for all, or two divided among them (hof.activation.one-or-two-orders)."""
        act = self.act
        return Assign(
            "orders",
            f"What does {label(act.unit)} do?",
            LaterDict(self.items),
            rules=LED_RULES if act.leader is not None else ALONE_RULES,
            facts={"unit": act.unit.id, "team": self.called.id, "paid": act.paid},
            legal=self.refuse,
            barred=self.bar,
            proposals=self.propose,
            chance=self.chance,
            needed=self.first is not None,
        )

    def refuse(self, answer: dict[str, str]) -> Refusal | None:
        """Why these orders cannot be given together."""
        first = self.first
        if first is not None and first.id not in answer:
            return Refusal("illegal", f"{team_label(first)} is activated and needs an order.", field=first.id)
        kinds = set(answer.values())
        for second in ("fire-2", "move-2"):
            if second in kinds and second.removesuffix("-2") not in kinds:
                return Refusal("illegal", f"{second} without {second[:-2]}.", field="orders")
        if "smoke" in kinds and "fire" in kinds:
            # hof.optional.smoke-instead-of-fire: some fire smoke under the Fire order of the others.
            kinds.remove("smoke")
        if len(kinds) > 2:
            message = f"{len(kinds)} different orders."
            legal_words = "Give all of them one order, or divide two."
            return illegal("hof.activation.one-or-two-orders", message, field="orders", legal=legal_words)
        return national.refuse_split(self.game, self.act.unit, kinds) or self.same_target(answer)

    def same_target(self, answer: dict[str, str]) -> Refusal | None:
        """hof.activation.split-combinations: two Fire orders need two enemies to name."""
        if "fire-2" not in answer.values():
            return None
        unit = self.act.unit
        self.firers()
        one, two = (
            [(unit, unit.teams[name]) for name, order in answer.items() if order == wanted]
            for wanted in ("fire", "fire-2")
        )
        if firing.may_split(self.game, self.act, one, two):
            return None
        message = "Both Fire orders could name one and the same target only."
        return illegal("hof.activation.split-combinations", message, field="orders", legal="Give one Fire order.")

    def bar(self, item: str, choice: str) -> Refusal | None:
        """Why a Team cannot be given an order."""
        game, act, first = self.game, self.act, self.called
        team = act.unit.teams.get(item)
        if team is None:
            found = find_team(game.state, item)
            if found is None or found[0].side != act.side:
                return None
            return illegal("hof.orders.units-and-teams", f"{item} belongs to {label(found[0])}.", field=item)
        if not eligible(team, act.paid):
            used = illegal("hof.activation.no-double-sweep", f"{team_label(team)} has already acted.", field=item)
            return why_unfit(team) or used
        if team is act.leader:
            if kind_of(choice) == "fire":
                return illegal("hof.leaders.no-fire", "A Leader never fires.", field=item)
            return illegal("hof.leaders.move-12", "A Leader moves along without an order.", field=item)
        if team is not first and team not in followers(game, act, first):
            if act.leader is None and not may_nominate(act.unit, first):
                limited = act.unit.vehicles or act.unit.kind == "riders"
                rule = "hof.activation.vehicle-leader-limit" if limited else "hof.activation.single-team"
                return illegal(rule, f"{team_label(first)} brings nobody along.", field=item)
            return illegal("hof.activation.pl-brings-unit", f"{team_label(team)} is out of his sight.", field=item)
        if team.role == "rider" and kind_of(choice) == "move":
            return illegal("hof.optional.riders-activation", "Riders go where their tank goes.", field=item)
        if choice in ("move-2", "fire-2"):
            return national.refuse_split(game, act.unit, {"move", "move-2"}) or Refusal(
                "illegal", "one Team has one order.", field=item
            )
        if kind_of(choice) == "fire" and item not in self.firers():
            return firing.why_no_target(game, act.unit, team)
        if team.bogged:
            return illegal("hof.optional.bogged", f"{team_label(team)} is Bogged.", field=item)
        return None

    def propose(self, most: int) -> list[dict[str, str]]:
        return propose_orders(self.items(), "" if self.first is None else self.first.id, most)


def may_move(team: Team) -> bool:
    return not team.bogged and team.role != "rider"


def propose_orders(items: Mapping[str, list[Option]], first: str, most: int) -> list[dict[str, str]]:
    """All fire, all move, those who can fire fire and the rest move, and the special orders of each."""
    fire = {name: "fire" for name, options in items.items() if any(o.id == "fire" for o in options)}
    move = {name: "move" for name, options in items.items() if any(o.id == "move" for o in options)}
    split_allowed = any(option.id == "move-2" for options in items.values() for option in options)
    found = []
    for answer in (fire, move, {**move, **fire} if split_allowed and 0 < len(fire) < len(items) else {}):
        if answer and (not first or first in answer) and answer not in found:
            found.append(answer)
    for name, options in items.items():
        for option in options:
            if option.id not in NAMES and (not first or first == name):
                found.append({name: option.id})
    if first and not found:
        found.append({first: items[first][0].id})
    return (found or [{}])[:most]


def mark_activated(game: Game[State], act: Activation) -> None:
    """hof.orders.order-point-once-per-turn and hof.orders.hero-lock, for everybody swept along too."""
    state = game.state
    paid = act.paid
    own_turn = state.active == act.side
    turn = state.companies[act.side].turns
    for _, team in act.members:
        if paid == "order":
            team.activated = True
        elif paid == "hero":
            team.locked = True
        if own_turn:
            team.acted = turn
    act.starts = starts_of(act.members)


def tell_orders(game: Game[State], act: Activation, first: Team) -> None:
    unit, leader = act.unit, act.leader
    together = len(act.members) > 1
    who = label(unit) if together else full_label(unit, first)
    rules = [*TOLD]
    if act.paid == "order":
        rules.append("hof.orders.spend-order-point")
    if leader is not None:
        rules.append("hof.activation.pl-brings-unit")
        if leader.suppressed:
            rules.append("hof.leaders.suppressed-commands")
        if stands_with_team(game, leader):
            rules.append("hof.leaders.position-abstracted")
    elif together:
        rules += ("hof.activation.vehicle-leader", "hof.activation.vehicle-leader-no-abilities")
    else:
        rules.append("hof.activation.single-team")
    if len(act.orders) > 1:
        rules.append("hof.activation.split-combinations")
    if together:
        rules.append("hof.activation.steps-together")
    parts = []
    orders: dict[str, str] = {}
    suppressed = False
    for order in act.orders:
        goal = f" at {spoken_of(game.state, order.target)}" if order.target else ""
        does = DOES[order.kind][len(order.members) > 1]
        parts.append(f"{several(len(order.members), 'Team')} {does}{goal}")
        for _, team in order.members:
            orders[team.id] = order.name
            suppressed = suppressed or team.suppressed
    if suppressed:
        rules.append("hof.activation.suppressed-may-be-ordered")
    if together and any(team.role == "fo" for _, team in act.members):
        rules.append("hof.artillery.fo-activation")
    text = f"{who} is activated: {', '.join(parts) or 'its leader moves'}."
    game.tell("activation", text, *rules, seat=act.side, orders=orders, unit=unit.id, team=first.id, paid=act.paid)


def stands_with_team(game: Game[State], leader: Team) -> bool:
    """Whether a Leader touches a Team of his Unit, and so sees and is seen as it does."""
    here = board(game)
    return leader.id in here.index and here.host(leader) is not leader


# Steps 2 and 3.


def rally_and_resolve(game: Game[State], act: Activation) -> Flow[None]:
    """hof.activation.steps-together: all rally, then all resolve their RFPs."""
    if untroubled(act.members):
        if act.leader is not None:
            yield from leaders.rally_ability(game, act)
        return
    losses = Losses()
    received.fall_back_at_start(game, act)
    yield from received.rally_step(game, act)
    yield from received.received_fire_step(game, act, losses)
    if losses.teams:
        yield from casualties.settle(game, losses)
    if act.leader in losses.by_rfps:
        yield from leaders.lost_in_activation(game, act)


def untroubled(members: list[Member]) -> bool:
    """Whether there is nothing for them to rally from, and nothing to resolve."""
    return True not in [team.suppressed or team.rfps > 0 or team.sniped for _, team in members]


# Step 4: carry out orders.


def carry_out(game: Game[State], act: Activation) -> Flow[list[Team]]:
    """hof.activation.four-steps: Transports first, then the Leader's own move, then the orders one after the other.

    Returns the Teams that RFPs have killed meanwhile.
    """
    if not living(act.members):
        return []
    if len(act.starts) < len(act.members):
        yield from transports.after_bailing_out(game, act)
    yield from transports.before_acting(game, act)
    if act.leader_step is not None:
        yield from moving.move_leader(game, act)
    return (yield from carry_out_orders(game, act))


def carry_out_orders(game: Game[State], act: Activation) -> Flow[list[Team]]:
    """The orders alone. Returns the Teams that RFPs have killed meanwhile."""
    fallen: list[Team] = []
    order_list = act.orders
    if len(order_list) > 1:
        order_list = [order for order in order_list if living(order.members)]
        if len(order_list) > 1:
            order_list = yield from choose_sequence(game, act, order_list)
    for order in order_list:
        if order not in act.orders:
            continue
        order.members = living(order.members)
        if not order.members:
            continue
        losses = Losses()
        if order.kind == "fire":
            yield from firing.carry_out(game, act, order, losses)
        elif order.kind == "move":
            yield from moving.carry_out(game, act, order, losses)
        elif order.kind == "form":
            yield from form_on_me.carry_out(game, act, order, losses)
        else:
            yield from special_orders.carry_out(game, act, order, losses)
        if losses.teams:
            yield from casualties.settle(game, losses)
        fallen += losses.by_rfps
        if act.leader in losses.by_rfps:
            yield from leaders.lost_in_activation(game, act)
    return fallen


def choose_sequence(game: Game[State], act: Activation, orders: list[Order]) -> Flow[list[Order]]:
    """hof.activation.steps-together: the player chooses; but smoke comes first (hof.optional.smoke-first)."""
    smoke = [order for order in orders if order.kind == "smoke"]
    others = [order for order in orders if order.kind != "smoke"]
    with_fire = bool(smoke) and any(order.kind == "fire" for order in others)
    choices = others if with_fire else orders
    if len(choices) > 1:
        options = [Option(order.name, f"First: {NAMES.get(order.name, (order.name, ()))[0]}") for order in choices]
        question = Choose("sequence", "Which order first?", options, rules=("hof.activation.steps-together",))
        answer = yield Ask(act.side, question)
        choices = sorted(choices, key=lambda order: order.name != answer)
    if not with_fire:
        return choices
    before = next(number for number, order in enumerate(choices) if order.kind == "fire")
    return [*choices[:before], *smoke, *choices[before:]]


def finish(game: Game[State], act: Activation) -> Flow[None]:
    """The end of an activation: out of sight suppression goes, barrages bite, whoever fought regroups."""
    if True in [team.suppressed for _, team in act.members]:
        received.fall_back_at_end(game, act)
    if game.state.missions:
        artillery.after_activation(game, act)
    touched = contact.contacts(game, act.side) if act.fought else {}
    for unit, team in living(act.members) if act.fought else ():
        if team.id in act.fought and team.id not in touched:
            received.mark_suppressed(game, team)
            text = f"{team_label(team)} regroups and is Suppressed."
            game.tell("regroup", text, "hof.assaults.regroup", seat=unit.side, team=team.id)
    game.state.moved = {
        name: Moved(start, facing, act.inches.get(name, 0.0))
        for name, (start, facing) in act.starts.items()
        if name in act.moved
    }
    game.state.balked = []
    if act.moved and game.setup.options.snipers:
        yield from snipers.overrun(game, act)
    if game.setup.options.engineers:
        yield from engineers.after_activation(game, act)
