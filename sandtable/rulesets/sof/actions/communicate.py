"""Communicate: a battlegroup's leader reaches higher command, for one of the effects that are to be had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Why, illegal
from sandtable.field.moments import Moment
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit, leader_of

RULES = ("sof.actions.communicate", "sof.actions.communicate-who", "sof.specialists.communication-check")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a Communicate action may bring about: why not now, and doing it."""

    name: str
    words: str
    rule: str
    why_not: Callable[[Battle, Unit], Why]
    carry_out: Callable[[Battle, Unit], Flow[None]]


EFFECTS: Moment[Effect] = Moment()
"""What may be had by it: chapters that have something to offer join."""


def why_not_communicate(game: Battle, unit: Unit) -> Why:
    """Why a unit may not take the action: its battlegroup's leader is not with it, or there is nothing to be had.

    What is wrong with the last effect is told, so that a rule that says when is named.
    """
    found = leader_of(game.state, unit.battlegroup)
    if found is None or found[0] is not unit:
        message = f"{label(unit)} has no leader of a battlegroup."
        return illegal("sof.actions.communicate-who", message, field="communicate")
    refused = None
    for effect in EFFECTS:
        refused = effect.why_not(game, unit)
        if refused is None:
            return None
    return refused


def communicate(game: Battle, unit: Unit) -> Flow[None]:
    """One effect of those that may be had now."""
    choices = Choices(
        {effect.name: effect for effect in EFFECTS},
        lambda effect: Option(effect.name, effect.words, (effect.rule,)),
        lambda effect: effect.why_not(game, unit),
    )
    words = f"What does {label(unit)} ask of higher command?"
    effect = yield from choose_one(
        unit.side, "communicate", words, choices, rules=RULES, facts={"unit": unit.id}, step="detail"
    )
    yield from effect.carry_out(game, unit)
