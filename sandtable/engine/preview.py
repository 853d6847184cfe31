"""Before the dice: what an answer would lead to, by the ruleset's exact odds or else by trying it out.

Both work in imagined copies of the game, for any ruleset. What a seat may not know is imagined, and the dice are others
than those that will fall, so a preview tells nothing that its player could not have worked out with patience.
"""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from sandtable.engine.cards import Chance, Odds, Preview, PreviewLine
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.engine.odds import exact_odds, odds_from_there
from sandtable.engine.questions import Answer, MovePieces, Refusal, plain_to_steps
from sandtable.engine.seat import Seat

TRIALS = 200
SECONDS = 0.3
MOST_ANSWERS = 40
"""How many more questions a trial answers before it is taken as it is."""

MOST_CHANCES = 8
"""More outcomes than this are shown as one: the rest."""

OTHERWISE = "something else"


def preview(seat: Seat, answer: object, trials: int = TRIALS, seconds: float = SECONDS) -> Preview | Refusal | None:
    """The exact odds of an answer; where the ruleset has none, what came of many trials, made for so long at most.

    A refusal if it is not legal; None if nothing of the kind is worth trying here, or if what has happened since the
    last checkpoint does not agree with what the seat imagines.
    """
    question = seat.question
    checked = question.check(answer)
    if isinstance(checked, Refusal):
        return checked
    display = seat.display
    if isinstance(question, MovePieces) and question.topic not in display.previews:
        gamble = question.gamble(plain_to_steps(checked)) if question.gamble is not None else None
        follows = tuple(map(card, odds_from_there(seat, checked)))
        return replace(gamble or Preview(), follows=follows) if follows else gamble
    if question.topic not in display.previews:
        return None
    exact = exact_odds(seat, checked)
    if exact is not None:
        return card(exact)
    end = perf_counter() + seconds
    ends: Counter[str] = Counter()
    throws: Counter[tuple[PreviewLine, ...]] = Counter()
    for number in range(trials):
        if number and perf_counter() > end:
            break
        trial = one_trial(seat, checked, number + 1)
        if trial is None:
            return None
        game, events = trial
        ends[display.outcome(events)] += 1
        throws[tuple(display.lines(game, events))] += 1
    count = ends.total()
    # An attack that does not come about in most trials still has its numbers.
    lines = max((found for found in throws if found), key=lambda found: throws[found], default=())
    return Preview(lines, chances(ends, count), count)


def card(exact: Odds) -> Preview:
    """Exact odds as a page shows them."""
    return Preview(exact.lines, shortened(exact.chances), 0, exact.notes, exact.spreads, exact.assumes)


def one_trial(seat: Seat, answer: Answer, seed: int) -> tuple[Game[Any], list[Event]] | None:
    """A copy played on from the answer to the next checkpoint, and what happened in it as the seat would see it."""
    game: Game[Any] | None = seat.look(seed)
    if game is None:
        return None
    before = len(game.events)
    if game.answer(answer) is not None:
        return None
    left = MOST_ANSWERS
    while game.ask is not None and not game.ask.checkpoint and left:
        game.accept(game.ask.question.candidates(1)[0])
        left -= 1
    return game, game.seen(seat.name, before)


def chances(ends: Counter[str], count: int) -> tuple[Chance, ...]:
    """The outcomes, most likely first; rare ones together."""
    ranked = sorted(ends.items(), key=lambda end: (-end[1], end[0]))
    return shortened(tuple(Chance(words, number / count) for words, number in ranked))


def shortened(ranked: tuple[Chance, ...]) -> tuple[Chance, ...]:
    """The likeliest of some outcomes, and the rest as one; a single one is not worth a word that says less."""
    if len(ranked) <= MOST_CHANCES + 1:
        return ranked
    rest = sum(chance.share for chance in ranked[MOST_CHANCES:])
    return (*ranked[:MOST_CHANCES], Chance(OTHERWISE, rest))
