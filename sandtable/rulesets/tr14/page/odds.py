"""The exact odds of an attack as a page shows them: each throw, how it may end in words, and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.cards import Chance, Fact, Odds
from sandtable.engine.questions import Answer
from sandtable.field import outcomes
from sandtable.rulesets.tr14.assaults import clash_odds, strike_odds
from sandtable.rulesets.tr14.core.board import Battle, place
from sandtable.rulesets.tr14.core.names import PAGE, label, team_on
from sandtable.rulesets.tr14.core.state import RANKS
from sandtable.rulesets.tr14.firing import Fire, Manner, Salvo, aimed_at, fire_at, fire_odds, read_order
from sandtable.rulesets.tr14.indirect import barrage_odds
from sandtable.rulesets.tr14.page.outcomes import HITS, NO_EFFECT, NO_HITS, NOT_RANGED_IN, WORDS
from sandtable.table.shapes import Place

WITHIN_FIRE = ("go-to-ground", "direct-fire", "allocate-at", "allocate", "suppress", "cc-reroll")
"""What may be asked between an order to fire and its end."""

NOBODY_FIRES = Odds(chances=(Chance(outcomes.NO_ATTACK, 1.0),), taken=WITHIN_FIRE)

TAKEN = PAGE.assumes


def odds(game: Battle, seat: str, answer: Answer) -> Odds | None:
    """The odds of an answer to the question now asked; None where there is no closed form."""
    assert game.ask is not None
    question = game.ask.question
    found = BY_TOPIC.get(question.topic)
    return None if found is None else found(game, answer, question.facts)


def fire_from(game: Battle, seat: str, places: Mapping[str, Place], target: str) -> Odds | None:
    """The odds of fire at a Unit by one of which some Teams would stand elsewhere: they move there, and it fires."""
    members = RANKS.on_table(game.state, seat, places)
    if not members:
        return None
    unit = members[0][0]
    moved = any(team.at != (places[team.id].x, places[team.id].y) for _, team in members)
    for _, team in members:
        spot = places[team.id]
        if team.turret is not None:
            team.turret = spot.facing
        place(game, team, spot.x, spot.y, spot.facing)
    orders = fire_at(game, unit, target)
    fire = fire_odds(game, Salvo(unit, orders, "action", moved)) if orders else None
    return None if fire is None else told(fire, "action", TAKEN["moves-there"] if moved else TAKEN["stands-there"])


def of_fire(game: Battle, answer: Any, facts: Mapping[str, Any]) -> Odds | None:
    if not answer:
        return NOBODY_FIRES
    orders = {team: read_order(choice) for team, choice in answer.items()}
    unit = game.state.units[facts["unit"]]
    manner = facts["manner"]
    # Suppressive fire is all for those who are assaulted: whoever has joined them is the one who was named.
    at = aimed_at(game, game.state.units[facts["at"][-1]]) if manner == "assault" else None
    moving = manner in ("reaction", "overwatch")
    fire = fire_odds(game, Salvo(unit, orders, manner, facts["moved"], moving), at)
    if fire is None:
        return None
    return told(fire, manner)


def told(fire: Fire, manner: Manner, *first: str) -> Odds:
    """The odds of some volleys, and what they assume; `first` comes before that."""
    if not fire.lines:
        return NOBODY_FIRES
    assumes = [*first]
    assumes += [f"{label(each)} does not go to ground." for each in fire.to_ground]
    assumes += [TAKEN["direct-fire"]] if fire.directs and manner != "aimed" else []
    return Odds(
        tuple(outcomes.grouped(fire.lines)),
        outcomes.ranked(fire.harm, lambda harm: WORDS.say(harm, NO_HITS)),
        (outcomes.spread(HITS, fire.hits, int),),
        (*assumes, TAKEN["plainest"]),
        WITHIN_FIRE,
    )


def of_barrage(game: Battle, answer: Any, facts: Mapping[str, Any]) -> Odds:
    unit = game.state.units[facts["unit"]]
    shells = barrage_odds(game, unit, answer)
    assumes = [f"{label(each)} does not go to ground." for each in shells.to_ground]
    assumes.append(f"{team_on(unit.side, shells.observer)} observes.")
    return Odds(
        tuple(shells.lines),
        outcomes.ranked(shells.harm, lambda harm: NOT_RANGED_IN if harm is None else WORDS.say(harm, NO_HITS)),
        (),
        (*assumes, TAKEN["cc-reroll"], TAKEN["plainest"]),
        ("observer", "go-to-ground", "suppress", "cc-reroll"),
    )


def of_strike(game: Battle, answer: Any, facts: Mapping[str, Any]) -> Odds:
    strikes = strike_odds(game, game.state.units[facts["unit"]], facts["team"], answer)
    ends = outcomes.ranked(strikes.harm, lambda harm: WORDS.say(harm, NO_EFFECT))
    return Odds(tuple(strikes.lines), ends, (), (TAKEN["cc-reroll"],), ("suppress", "cc-reroll"))


def of_clash(game: Battle, answer: Any, facts: Mapping[str, Any]) -> Odds | None:
    unit, enemy = game.state.units[facts["unit"]], game.state.units[facts["target"]]
    strikes = clash_odds(game, unit, enemy, answer)
    if strikes is None:
        return None
    notes = []
    if strikes.halted is not None:
        fires = f"If {label(aimed_at(game, enemy).unit)} fires with all that can"
        notes.append(Fact(fires, f"halted {strikes.halted:.0%}", "tr14.assaults.defensive-fire"))
    return Odds(
        tuple(strikes.lines),
        outcomes.ranked(strikes.harm, lambda harm: WORDS.say(harm, NO_EFFECT)),
        (),
        (TAKEN["no-fire"], TAKEN["first-strikes"], TAKEN["cc-reroll"]),
        ("suppressive-fire", "react", "strike", "suppress", "cc-reroll"),
        tuple(notes),
        {"suppressive-fire": {}, "react": "pass"},
    )


BY_TOPIC: dict[str, Callable[[Battle, Any, Mapping[str, Any]], Odds | None]] = {
    "fire": of_fire,
    "reaction-fire": of_fire,
    "suppressive-fire": of_fire,
    "range-in": of_barrage,
    "chargers": of_clash,
    "strike": of_strike,
}

PREVIEWS = tuple(BY_TOPIC)
"""The questions whose answers are worth knowing beforehand."""
