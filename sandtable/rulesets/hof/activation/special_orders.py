"""Orders besides Move and Fire: optional rules add them, each by joining `SPECIAL_ORDERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Option
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.state import State, Team


class SpecialOrder(NamedTuple):
    """One order, or a few of one rule; `switch` is the optional rule that they belong to."""

    switch: str
    does: Mapping[str, tuple[str, str]]
    """By the name of each order: what one Team does, and what several do."""
    options: Callable[[Game[State], Activation, Team], list[Option]]
    """Which of them a Team may be given."""
    proposable: Callable[[Game[State], Activation, Team], Sequence[str]]
    """Which of them it could be given, as far as can be said without looking at the table."""
    declare: Callable[[Game[State], Activation, Order], Flow[None]]
    carry_out: Callable[[Game[State], Activation, Order, Losses], Flow[None]]
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


def options(game: Game[State], act: Activation, team: Team) -> list[Option]:
    """The special orders that a Team may be given, under the optional rules that are in force."""
    switches = game.setup.options
    found: list[Option] = []
    for each in SPECIAL_ORDERS:
        if getattr(switches, each.switch):
            found += each.options(game, act, team)
    return found


def may_be_proposed(game: Game[State], act: Activation, team: Team, name: str) -> bool:
    """Whether a Team may be given one of the special orders."""
    found = special(name)
    if found is None or not getattr(game.setup.options, found.switch):
        return False
    return any(option.id == name for option in found.options(game, act, team))


def proposable(game: Game[State], act: Activation, team: Team) -> list[str]:
    """The special orders that a Team could be given as far as can be said without looking at the table."""
    switches = game.setup.options
    found: list[str] = []
    for each in SPECIAL_ORDERS:
        if getattr(switches, each.switch):
            found += each.proposable(game, act, team)
    return found
