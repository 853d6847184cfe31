"""The laws of the house, shipped as a product: what every ruleset must keep, checked on any ruleset and set-up.

    from sandtable.testing import check_laws
    check_laws(ruleset, ruleset.scenario("crossroads"), seed=7)

Each law is a function that raises `LawBroken` with a sentence. `situations` reads and runs situation files.
"""

from sandtable.testing.laws import (
    LawBroken,
    check_answers,
    check_bars,
    check_beginning,
    check_checkpoints,
    check_copies,
    check_laws,
    check_record,
    check_refusals,
    check_same_game,
    check_undo,
    check_views,
    first_difference,
    play_random,
)

__all__ = [
    "LawBroken",
    "check_answers",
    "check_bars",
    "check_beginning",
    "check_checkpoints",
    "check_copies",
    "check_laws",
    "check_record",
    "check_refusals",
    "check_same_game",
    "check_undo",
    "check_views",
    "first_difference",
    "play_random",
]
