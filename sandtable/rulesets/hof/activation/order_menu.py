"""Which orders may be given, to whom, and which together; orders besides Move and Fire join `SPECIAL_ORDERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from sandtable.engine.game import Flow
from sandtable.engine.questions import Assign, LaterDict, Option, Refusal, Why, illegal
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.activation.participants import why_left_behind
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, OrderKind
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import PAGE, label, team_label
from sandtable.rulesets.hof.core.state import Team, Unit, find_team
from sandtable.rulesets.hof.firing import targets


def kind_of(name: str) -> OrderKind:
    return name.removesuffix("-2")  # type: ignore[return-value]


NAMES = PAGE.said["orders"]
OPTIONS = {name: Option(name, words, (rule,), act=kind_of(name)) for name, (words, rule) in NAMES.items()}
LED_RULES = (
    "hof.activation.one-or-two-orders",
    "hof.activation.order-is-move-or-fire",
    "hof.activation.pl-brings-unit",
)
ALONE_RULES = (*LED_RULES[:2], "hof.activation.single-team")

SPLITS: Moment[Callable[[Battle, Unit], Refusal | None]] = Moment()
"""Why the orders of a Unit may not be divided."""


class OrderChapter(Protocol):
    """A module that says what comes of special orders."""

    def options(self, game: Battle, act: Activation, team: Team) -> list[Option]:
        """Which of them a Team may be given."""

    def proposable(self, game: Battle, act: Activation, team: Team) -> Sequence[str]:
        """A hint: which of them it could be given, as far as can be said without looking at the table."""

    def declare(self, game: Battle, act: Activation, order: Order) -> Flow[None]: ...
    def carry_out(self, game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]: ...


class SpecialOrder(NamedTuple):
    """One order, or a few of one rule; `switch` is the optional rule that they belong to."""

    switch: str
    chapter: OrderChapter
    does: Mapping[str, tuple[str, str]]
    """By the name of each order: what one Team does, and what several do."""
    with_fire: bool = False
    """Whether it may be part of the Fire order of others, and then comes just before their fire."""


SPECIAL_ORDERS: Moment[SpecialOrder] = Moment()


def special(name: str) -> SpecialOrder | None:
    """The rule that adds an order of some name."""
    return next((each for each in SPECIAL_ORDERS if name in each.does), None)


def rule_of(order: Order) -> SpecialOrder:
    found = special(order.kind)
    assert found is not None, f"nobody has added the order {order.kind}"
    return found


def goes_with_fire(name: str) -> bool:
    found = special(name)
    return found is not None and found.with_fire


class Menu:
    """Which orders each of some Teams may be given. Whom they could fire at is seen only when it matters."""

    def __init__(self, game: Battle, act: Activation, first: Team, candidates: list[Team]) -> None:
        self.game = game
        self.act = act
        self.called = first
        self.candidates = candidates
        self.split = len(candidates) > 1 and why_undivided(game, act.unit) is None
        self.first = None if act.leader is first else first
        """Who must be given an order, if anybody."""
        self.able: set[str] | None = None
        self.specials: dict[tuple[str, str], list[Option]] = {}

    def question(self) -> Assign:
        """One order for all, or two divided among them (hof.activation.one-or-two-orders)."""
        act = self.act
        return Assign(
            "orders",
            f"What does {label(act.unit)} do?",
            LaterDict(self.items),
            rules=LED_RULES if act.leader is not None else ALONE_RULES,
            facts=LaterDict(self.facts),
            step="what",
            legal=self.refuse,
            why_not=self.why_not,
            proposals=self.propose,
            chance=self.chance,
            needed=self.first is not None,
        )

    def facts(self) -> dict[str, Any]:
        """What a standing answer may look at; `only_move` if there is no other order for anybody."""
        orders = {kind_of(option.id) for options in self.items().values() for option in options}
        known = {"unit": self.act.unit.id, "team": self.called.id, "paid": self.act.paid}
        return {**known, "only_move": orders == {"move"}}

    # What one Team may be ordered.

    def firers(self) -> set[str]:
        if self.able is None:
            unit = self.act.unit
            self.able = targets.able_to_fire(self.game, self.act, [(unit, team) for team in self.candidates])
        return self.able

    def why_no_order(self, team: Team, name: str) -> Why:
        """Why one of the Teams that are asked about may not be told to move or to fire."""
        unit, rider = self.act.unit, team.role == "rider"
        moves = name.startswith("move")
        if rider and moves:
            return lambda: illegal("hof.optional.riders-activation", "Riders go where their tank goes.", field=team.id)
        if name.endswith("-2") and not self.split:
            alone = "hof.activation.single-team"
            return lambda: why_undivided(self.game, unit) or illegal(alone, "one Team has one order.", field=team.id)
        if team.bogged:
            return lambda: illegal("hof.optional.bogged", f"{team_label(unit, team)} is Bogged.", field=team.id)
        # hof.optional.riders-activation: Riders never move by themselves, so they may always be told to fire.
        if rider or moves or team.id in self.firers():
            return None
        return lambda: targets.why_no_target(self.game, unit, team)

    def special(self, team: Team) -> list[Option]:
        """The special orders that a Team may be given."""
        return [option for each in SPECIAL_ORDERS for option in self.added(each, team)]

    def added(self, rule: SpecialOrder, team: Team) -> list[Option]:
        """The orders of one rule that a Team may be given; none, if the rule is not in force."""
        key = rule.switch, team.id
        found = self.specials.get(key)
        if found is None:
            found = []
            if getattr(self.game.setup.options, rule.switch):
                if rule.with_fire:
                    # All look for targets at once: the table that the activation keeps serves them, too.
                    self.firers()
                found = rule.chapter.options(self.game, self.act, team)
            self.specials[key] = found
        return found

    def may(self, team: Team, name: str) -> bool:
        if name in NAMES:
            return self.why_no_order(team, name) is None
        rule = special(name)
        return rule is not None and name in [option.id for option in self.added(rule, team)]

    def items(self) -> dict[str, Sequence[Option]]:
        return {
            team.id: [OPTIONS[name] for name in NAMES if self.why_no_order(team, name) is None] + self.special(team)
            for team in self.candidates
        }

    def why_not(self, item: str, choice: str) -> Why:
        """Why a Team cannot be given an order."""
        game, act = self.game, self.act
        team = act.unit.teams.get(item)
        if team is None:
            found = find_team(game.state, item)
            if found is None or found[0].side != act.side:
                return None
            message = f"{team_label(*found)} belongs to {label(found[0])}."
            return illegal("hof.orders.units-and-teams", message, field=item)
        if team not in self.candidates:
            if team is act.leader and kind_of(choice) == "fire":
                return illegal("hof.leaders.no-fire", "A Leader never fires.", field=item)
            return why_left_behind(game, act, self.called, team)
        return self.why_no_order(team, choice) if choice in NAMES else None

    # What all of them may be ordered together.

    def refuse(self, answer: dict[str, str]) -> Refusal | None:
        """Why these orders cannot be given together."""
        first = self.first
        if first is not None and first.id not in answer:
            message = f"{team_label(self.act.unit, first)} is activated and needs an order."
            return Refusal("illegal", message, field=first.id)
        kinds = set(answer.values())
        for second in ("fire-2", "move-2"):
            if second in kinds and second.removesuffix("-2") not in kinds:
                return Refusal("illegal", f"{second} without {second[:-2]}.", field="orders")
        if "fire" in kinds:
            # What goes with fire comes under the Fire order of the others.
            kinds -= {name for name in kinds if goes_with_fire(name)}
        if len(kinds) > 2:
            message = f"{len(kinds)} different orders."
            legal_words = "Give all of them one order, or divide two."
            return illegal("hof.activation.one-or-two-orders", message, field="orders", legal=legal_words)
        undivided = why_undivided(self.game, self.act.unit) if len(kinds) == 2 else None
        return undivided or self.same_target(answer)

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
        if targets.may_split(self.game, self.act, one, two):
            return None
        message = "Both Fire orders could name one and the same target only."
        return illegal("hof.activation.split-combinations", message, field="orders", legal="Give one Fire order.")

    # Hints for programs: orders by chance, and orders to try first.

    def chance(self, random: Random) -> dict[str, str]:
        """Orders by chance: one for all who can, or two divided."""
        first = self.first
        asked = self.candidates if first is None else [first]
        kinds = self.at_a_glance(asked)
        one = ""
        while kinds and not one:
            name = kinds.pop(int(random.random() * len(kinds)))
            for team in asked:
                if self.may(team, name):
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
            if team is first or self.may(team, wanted):
                answer[team.id] = wanted
        if two.endswith("-2") and (one not in answer.values() or self.same_target(answer) is not None):
            answer = dict.fromkeys(answer, one)
        return answer

    def at_a_glance(self, asked: list[Team]) -> list[str]:
        """The orders that some Teams could be given, as far as can be said without looking at the table."""
        options = self.game.setup.options
        specials = [each for each in SPECIAL_ORDERS if getattr(options, each.switch)]
        found: dict[str, None] = {}
        for team in asked:
            if not team.bogged:
                found["fire"] = None
                if team.role != "rider":
                    found["move"] = None
            for each in specials:
                for name in each.chapter.proposable(self.game, self.act, team):
                    found[name] = None
        return list(found)

    def propose(self, most: int) -> list[dict[str, str]]:
        return propose_orders(self.items(), "" if self.first is None else self.first.id, most)


def propose_orders(items: Mapping[str, Sequence[Option]], first: str, most: int) -> list[dict[str, str]]:
    """Hints: all fire, all move, those who can fire fire and the rest move, and the special orders of each."""
    may = {name: [option.id for option in options] for name, options in items.items()}
    fire = {name: "fire" for name in may if "fire" in may[name]}
    move = {name: "move" for name in may if "move" in may[name]}
    split = any("move-2" in names for names in may.values()) and 0 < len(fire) < len(may)
    found: list[dict[str, str]] = []
    for answer in (fire, move, {**move, **fire} if split else {}):
        if answer and (not first or first in answer) and answer not in found:
            found.append(answer)
    for name in [first] if first else may:
        found += [{name: order} for order in may[name] if order not in NAMES]
    return (found or ([{first: may[first][0]}] if first else [{}]))[:most]


def why_undivided(game: Battle, unit: Unit) -> Refusal | None:
    """Why a Unit may not have orders of two kinds."""
    return next((refusal for rule in SPLITS if (refusal := rule(game, unit)) is not None), None)
