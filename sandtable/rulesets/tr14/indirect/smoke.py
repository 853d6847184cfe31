"""Smoke: where it may be laid, and how long it stays."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from sandtable.engine import tokens
from sandtable.engine.events import falls
from sandtable.engine.game import Flow
from sandtable.engine.questions import ChoosePoint, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import first_good, off_table, point_rows, stored_on
from sandtable.field.troops import Point
from sandtable.rulesets.tr14.core.board import TEMPLATE, Battle, Rows, board, sees, smoke_changed
from sandtable.rulesets.tr14.core.checks import training_check
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Smoke
from sandtable.rulesets.tr14.indirect.batteries import (
    LEAST_GUNS,
    Battery,
    mark_fired,
    ranges_in_again,
    reach_table,
    reaching,
    shift_template,
    template_facing,
)
from sandtable.table.placement import raster
from sandtable.table.shapes import X, Y, heading, point_body

AROUND = np.array([(far * sin, far * cos) for far in (4, 8, 16, 24) for sin, cos in map(heading, range(0, 360, 15))])
"""Where to look round the guns before the whole table is searched, which takes long."""


def fire_smoke(game: Battle, battery: Battery) -> Flow[None]:
    """tr14.indirect.smoke: at any point in sight of an observer and in reach of two guns."""
    unit = battery.unit
    points = smoke_points(game, battery)
    if not points:
        text = f"There is nowhere that {label(unit)} could lay its smoke."
        game.tell("no-effect", text, "tr14.indirect.smoke", seat=unit.side, unit=unit.id)
        return
    words, asked = "Where shall the smoke fall?", ("tr14.indirect.smoke", "tr14.indirect.observer")
    legal = partial(refuse_smoke, game, battery)
    question = ChoosePoint("smoke", words, legal, lambda most: points[:most], rules=asked, step="where")
    answer = yield Ask(unit.side, question)
    x, y = float(answer[0]), float(answer[1])
    guns = reaching(game, battery, point_body(x, y))
    mark_fired(game, guns)
    rules = ["tr14.indirect.smoke", "tr14.indirect.no-move"]
    check = yield from training_check(game, unit, "smoke", "ranging in its smoke")
    if not check.passed and not check.vouched and ranges_in_again(guns):
        yield from game.reroll(check.throw, [0])
        rules.append("tr14.arsenal.nebelwerfer-range-in")
    text = f"{label(unit)} fires smoke: needs {check.needed}+, rolls {check.throw.value}."
    data: dict[str, Any] = {"unit": unit.id, "at": [x, y], "guns": [gun.id for gun in guns], "needed": check.needed}
    game.tell("smoke-range-in", text, *rules, seat=unit.side, dice=[check.throw], success=check.passed, **data)
    if not check.passed:
        x, y = yield from shift_template(game, unit, x, y)
    facing = template_facing(game, guns, x, y)
    state = game.state
    state.smoke.append(Smoke(f"smoke-{state.round}-{len(state.smoke) + 1}", (x, y), facing))
    smoke_changed(game)
    text = f"Smoke stands at {tokens.place(x, y)}."
    data = {"unit": unit.id, **falls("smoke", [x, y], size=TEMPLATE, facing=facing)}
    game.tell("smoke", text, "tr14.indirect.smoke", "tr14.indirect.smoke-effect", seat=unit.side, **data)


def refuse_smoke(game: Battle, battery: Battery, x: float, y: float) -> Refusal | None:
    if off := off_table(game.setup.table, x, y, "smoke"):
        return off
    here, point = board(game), point_body(x, y)
    if len(reaching(game, battery, point)) < LEAST_GUNS:
        message = f"fewer than {LEAST_GUNS} guns reach that point."
        return illegal("tr14.indirect.out-of-sight", message, legal="Stay in range and arc.")
    if not sees(here, here.of(battery.observers), point[None]).any():
        return illegal("tr14.indirect.observer", "no observer sees that point.")
    return None


def smoke_points(game: Battle, battery: Battery) -> list[Point]:
    """Points between the guns and the enemy, and before the guns, where smoke may be laid; else any round the guns or,
    if there are none, on the table.
    """
    here = board(game)
    middle = here.of(battery.guns)[:, (X, Y)].mean(axis=0)
    enemies = here.enemy_rows(battery.unit.side)[:, (X, Y)]
    ahead = np.array([heading(battery.guns[0].facing)]) * np.array([[4.0], [8.0], [16.0], [2.0]])
    likely = np.vstack([middle + (enemies - middle) * 0.7, middle + (enemies - middle) * 0.9, middle + ahead])

    def good(spots: Rows) -> Rows:
        points, observers = point_rows(spots), battery.observers
        able = reach_table(game, battery, points).sum(axis=0) >= LEAST_GUNS
        able &= sees(here, here.of(observers), points, np.tile(able, (len(observers), 1))).any(axis=0)
        found: Rows = spots[able]
        return found

    near = (stored_on(here.ground, spots) for spots in (likely, middle + AROUND))
    return first_good(chain(near, [raster(here.ground.width, here.ground.depth)]), good)


def remove_smoke(game: Battle) -> None:
    """tr14.indirect.smoke-effect: smoke is gone at the end of the round."""
    if game.state.smoke:
        game.state.smoke = []
        smoke_changed(game)
        game.tell("smoke-clears", "The smoke clears.", "tr14.indirect.smoke-effect")
