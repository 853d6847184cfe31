"""Smoke: where it may be laid, and how long it stays."""

from __future__ import annotations

from typing import Any

from sandtable.engine import tokens
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import ChoosePoint, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.board import TEMPLATE, board, sees, smoke_changed
from sandtable.rulesets.tr14.core.checks import training_check
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Smoke, State
from sandtable.rulesets.tr14.indirect.batteries import LEAST_GUNS, Battery, mark_fired, ranges_in_again, reaching
from sandtable.rulesets.tr14.indirect.proposals import smoke_points
from sandtable.rulesets.tr14.indirect.templates import shift_template, template_facing
from sandtable.table.shapes import point_body


def fire_smoke(game: Game[State], battery: Battery) -> Flow[None]:
    """tr14.indirect.smoke: at any point in sight of an observer and in reach of two guns."""
    unit = battery.unit
    here = board(game)
    ground = here.ground

    def legal(x: float, y: float) -> Refusal | None:
        if not (0 <= x <= ground.width and 0 <= y <= ground.depth):
            return Refusal("illegal", "that is off the table.", field="smoke")
        point = point_body(x, y)
        if len(reaching(game, battery, point)) < LEAST_GUNS:
            return illegal(
                "tr14.indirect.out-of-sight",
                f"fewer than {LEAST_GUNS} guns reach that point.",
                legal="Stay in range and arc.",
            )
        if not sees(here, here.of(battery.observers), point[None]).any():
            return illegal("tr14.indirect.observer", "no observer sees that point.")
        return None

    points = smoke_points(game, battery)

    def proposals(most: int) -> list[tuple[float, float]]:
        return points[:most]

    words = "Where shall the smoke fall?"
    question = ChoosePoint("smoke", words, legal, proposals, rules=("tr14.indirect.smoke", "tr14.indirect.observer"))
    if not points:
        text = f"There is nowhere that {label(unit)} could lay its smoke."
        game.tell("no-effect", text, "tr14.indirect.smoke", seat=unit.side, unit=unit.id)
        return
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
    data = {"unit": unit.id, "at": [x, y], "size": TEMPLATE}
    game.tell("smoke", text, "tr14.indirect.smoke", "tr14.indirect.smoke-effect", seat=unit.side, **data)


def remove_smoke(game: Game[State]) -> None:
    """tr14.indirect.smoke-effect: smoke is gone at the end of the round."""
    if game.state.smoke:
        game.state.smoke = []
        smoke_changed(game)
        game.tell("smoke-clears", "The smoke clears.", "tr14.indirect.smoke-effect")
