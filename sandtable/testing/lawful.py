"""The laws, from where situations stand: assaults and barrages are rare in games by chance, and common there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine.game import Game
from sandtable.testing.laws import Watch, all_laws, check_beginning
from sandtable.testing.situations import Situation, find_files, load
from sandtable.testing.situations.checking import Failed
from sandtable.testing.situations.playing import play_variant, variants


def broken_from_set_ups(folder: Path, seed: int, most: int) -> Iterator[str]:
    """Play on by chance from every distinct set-up of a folder's situations; yields each law that is broken."""
    seen: set[bytes] = set()
    for path in find_files([folder]):
        situation, text = load(path)
        rules = rulesets.load(situation.ruleset)
        for number, moment in enumerate(situation.moments(text, str(path)), -1):
            setup, wrong = moment.read(rules)
            encoded = msgspec.json.encode(setup)
            if wrong or encoded in seen:
                continue
            seen.add(encoded)
            try:
                check_beginning(rules, setup, seed, most)
            except Exception as error:
                yield f"{title(path, situation, number)}: {type(error).__name__}: {error}"


def broken_on_the_way(folder: Path, seed: int, ahead: int, most: int) -> Iterator[str]:
    """Play the situations of a folder and look at so many moments of each topic; yields each law that is broken."""
    asked: Counter[str] = Counter()
    for path in find_files([folder]):
        situation, text = load(path)
        moments = situation.moments(text, str(path))
        watch = sparing(all_laws(rulesets.load(situation.ruleset), seed, ahead), asked, most)
        for variant, number in variants(situation):
            try:
                play_variant(situation, variant, number, moments[number + 1], watch=watch)
            except Failed:
                # That situations hold is looked at elsewhere.
                continue
            except Exception as error:
                yield f"{title(path, situation, number)}: {type(error).__name__}: {error}"


def sparing(law: Watch, asked: Counter[str], most: int) -> Watch:
    """A law that is looked at only so many times for each topic."""

    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        asked[game.ask.question.topic] += 1
        if asked[game.ask.question.topic] <= most:
            law(game)

    return watch


def title(path: Path, situation: Situation, number: int) -> str:
    return f"{path}: {situation.variant[number].name}" if number >= 0 else str(path)
