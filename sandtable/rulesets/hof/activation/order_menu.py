"""Which orders may be given, to whom, and which together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from sandtable.engine.game import Game
from sandtable.engine.questions import Assign, LaterDict, Option, Refusal, illegal
from sandtable.rulesets.hof.activation import special_orders
from sandtable.rulesets.hof.activation.participants import eligible, followers, may_nominate, why_unfit
from sandtable.rulesets.hof.core.acts import Activation, OrderKind
from sandtable.rulesets.hof.core.labels import label, team_label
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.state import State, Team, Unit, find_team
from sandtable.rulesets.hof.firing import fire_orders

NAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "move": ("Move", ("hof.activation.order-is-move-or-fire",)),
    "fire": ("Fire", ("hof.activation.order-is-move-or-fire",)),
    "move-2": ("Move elsewhere", ("hof.activation.split-combinations",)),
    "fire-2": ("Fire at another target", ("hof.activation.split-combinations",)),
}
OPTIONS = {name: Option(name, words, rules) for name, (words, rules) in NAMES.items()}
LED_RULES = (
    "hof.activation.one-or-two-orders",
    "hof.activation.order-is-move-or-fire",
    "hof.activation.pl-brings-unit",
)
ALONE_RULES = (*LED_RULES[:2], "hof.activation.single-team")

SPLITS: Moment[Callable[[Game[State], Unit], Refusal | None]] = Moment()
"""Why the orders of a Unit may not be divided."""


def kind_of(name: str) -> OrderKind:
    return name.removesuffix("-2")  # type: ignore[return-value]


class Menu:
    """Which orders each of some Teams may be given. Whom they could fire at is seen only when it matters."""

    def __init__(self, game: Game[State], act: Activation, first: Team, candidates: list[Team]) -> None:
        self.game = game
        self.act = act
        self.called = first
        self.candidates = candidates
        self.split = len(candidates) > 1 and not may_not_split(game, act.unit)
        self.first = None if act.leader is first else first
        """Who must be given an order, if anybody."""
        self.able: set[str] | None = None
        self.listed: dict[str, list[Option]] | None = None
        self.specials: dict[tuple[str, str], bool] = {}

    def firers(self) -> set[str]:
        if self.able is None:
            unit = self.act.unit
            self.able = fire_orders.able_to_fire(self.game, self.act, [(unit, team) for team in self.candidates])
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
            if special_orders.goes_with_fire(name):
                # All look for targets at once: the table that the activation keeps serves them, too.
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
        if "fire" in kinds:
            # What goes with fire comes under the Fire order of the others.
            kinds -= {name for name in kinds if special_orders.goes_with_fire(name)}
        if len(kinds) > 2:
            message = f"{len(kinds)} different orders."
            legal_words = "Give all of them one order, or divide two."
            return illegal("hof.activation.one-or-two-orders", message, field="orders", legal=legal_words)
        return refuse_split(self.game, self.act.unit, kinds) or self.same_target(answer)

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
        if fire_orders.may_split(self.game, self.act, one, two):
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
            refused = refuse_split(game, act.unit, {"move", "move-2"})
            if refused is not None or not self.split:
                return refused or illegal("hof.activation.single-team", "one Team has one order.", field=item)
        if kind_of(choice) == "fire" and item not in self.firers():
            return fire_orders.why_no_target(game, act.unit, team)
        if team.bogged:
            return illegal("hof.optional.bogged", f"{team_label(team)} is Bogged.", field=item)
        return None

    def propose(self, most: int) -> list[dict[str, str]]:
        return propose_orders(self.items(), "" if self.first is None else self.first.id, most)


def may_not_split(game: Game[State], unit: Unit) -> bool:
    return any(rule(game, unit) is not None for rule in SPLITS)


def refuse_split(game: Game[State], unit: Unit, kinds: set[str]) -> Refusal | None:
    """Why a Unit may not have orders of so many kinds."""
    if len(kinds) < 2:
        return None
    return next((refusal for rule in SPLITS if (refusal := rule(game, unit)) is not None), None)


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
