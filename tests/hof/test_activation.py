"""What the orders question proposes is legal, whoever was activated."""

from __future__ import annotations

import pytest

from sandtable.engine.questions import Option
from sandtable.rulesets.hof.activation.order_menu import OPTIONS, propose_orders

BOGGED = [Option("unbog", "Free the Vehicle")]
FIT = [OPTIONS[name] for name in ("fire", "fire-2", "move", "move-2")]
MOVING = [OPTIONS[name] for name in ("move", "move-2")]


@pytest.mark.rule("hof.activation.one-or-two-orders")
def test_whoever_was_activated_has_an_order_in_every_proposal() -> None:
    items = {"bogged": BOGGED, "second": FIT, "third": FIT}
    assert propose_orders(items, "bogged", 9) == [{"bogged": "unbog"}]
    items = {"first": MOVING, "second": FIT}
    proposed = propose_orders(items, "first", 9)
    assert proposed == [{"first": "move", "second": "move"}, {"first": "move", "second": "fire"}]


@pytest.mark.rule("hof.activation.one-or-two-orders")
def test_a_leader_may_leave_some_out() -> None:
    items = {"second": FIT, "third": MOVING}
    assert propose_orders(items, "", 9)[0] == {"second": "fire"}
    assert propose_orders({}, "", 9) == [{}]
