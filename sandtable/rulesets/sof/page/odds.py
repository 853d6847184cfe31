"""The exact odds of fire as a page shows them: each throw, how it may end in words, and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.cards import Odds, PreviewLine
from sandtable.engine.questions import Answer
from sandtable.field import outcomes
from sandtable.rulesets.sof.core.board import Battle, place
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import RANKS, Unit
from sandtable.rulesets.sof.page.outcomes import HITS, WOUNDS, in_words
from sandtable.rulesets.sof.page.words import PAGE
from sandtable.rulesets.sof.shooting import (
    Fire,
    Volley,
    armed,
    fire_odds,
    firers,
    may_react,
    status_of,
    weapon_proposals,
)
from sandtable.table.shapes import Place

WITHIN_FIRE = ("react", "weapons", "recon-reroll", "wounded", "fall-back", "promote")
"""What may be asked between the choice of a target and the end of the fire."""


def odds(game: Battle, seat: str, answer: Answer) -> Odds | None:
    """The odds of an answer to the question now asked; None where there is no closed form."""
    assert game.ask is not None
    find = BY_TOPIC.get(game.ask.question.topic)
    return None if find is None else find(game, answer)


def at_target(game: Battle, answer: Any) -> Odds | None:
    assert game.ask is not None
    facts = game.ask.question.facts
    unit, target = game.state.units[facts["unit"]], game.state.units[answer]
    return of_fire(game, unit, target, facts["moving"], facts["sustained"])


def with_weapons(game: Battle, answer: Any) -> Odds | None:
    """Closing fire is of several units at once: what one of them does is tried."""
    assert game.ask is not None
    unit, target, firing, manner = game.ask.question.about
    if manner is None:
        return None
    status, moving, sustained = manner
    fire = fire_odds(game, target, Volley(unit, armed(firing, answer), moving, sustained), status)
    return None if fire is None else told(target, fire, "wounded")


def fire_from(game: Battle, seat: str, places: Mapping[str, Place], target: str) -> Odds | None:
    """The odds of fire at a unit by one of which some figures would stand elsewhere: they move there, and it fires."""
    members = RANKS.on_table(game.state, seat, places)
    if not members or target not in game.state.units:
        return None
    unit = members[0][0]
    moved = any(figure.at != (places[figure.id].x, places[figure.id].y) for _, figure in members)
    for _, figure in members:
        spot = places[figure.id]
        place(game, figure, spot.x, spot.y, spot.facing)
    return of_fire(game, unit, game.state.units[target], moved, not moved, "moves-there" if moved else "stands-there")


def of_fire(game: Battle, unit: Unit, target: Unit, moving: bool, sustained: bool, *first: str) -> Odds | None:
    firing = firers(game, unit, target, moving, sustained)
    if not firing:
        return None
    status = status_of(game, target, firing, moving)
    chosen = armed(firing, weapon_proposals(firing)[0])
    fire = fire_odds(game, target, Volley(unit, chosen, moving, sustained), status)
    if fire is None:
        return None
    again = ["recon-reroll"] if game.state.rerolls else []
    reacts = ["react"] if may_react(target) else []
    chooses = ["weapons"] if any(len(each.modes) > 1 for each in firing) else []
    return told(target, fire, *first, *reacts, *chooses, *again, "wounded")


def told(target: Unit, fire: Fire, *assumed: str) -> Odds:
    lines = [
        PreviewLine(
            f"{label(pool.unit)} fires at {label(target)}: {pool.mode.spoken}",
            pool.dice,
            aim.needed,
            outcomes.reasons(aim.modifiers),
            "sof.shooting.volume",
        )
        for pool, aim in fire.pools
    ]
    return Odds(
        tuple(outcomes.grouped(lines)),
        outcomes.ranked(fire.ends, in_words),
        (
            outcomes.spread(HITS, fire.ends, lambda harm: harm.hits),
            outcomes.spread(WOUNDS, fire.ends, lambda harm: harm.wounds),
        ),
        tuple(PAGE.assumes[each] for each in assumed),
        WITHIN_FIRE,
    )


BY_TOPIC: dict[str, Callable[[Battle, Any], Odds | None]] = {"target": at_target, "weapons": with_weapons}
