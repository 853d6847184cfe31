"""Transcripts: the beginning of a game as text, with what changed in every seat's view at every step.

    python -m sandtable.testing.transcript write tests/transcripts
    python -m sandtable.testing.transcript check tests/transcripts
    python -m sandtable.testing.transcript compare tests/transcripts

`compare` leaves the words out: it finds whether anything else differs.

A changed rule, or something that a seat should not see, shows as a readable difference of the text.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine import tokens
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Ruleset
from sandtable.table.compiled import switch

SEED = 14
ANSWERS = 100
GONE = "—"
"""Stands for a value that is not there, before or after."""

MOST_DIFFERENCES = 40
USAGE = "python -m sandtable.testing.transcript write|check|compare FOLDER"


def plain(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf of a view by its path; a list without names in it, such as places, is one leaf."""
    if isinstance(value, dict) and value:
        for key in value:
            yield from flat(value[key], f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(each, dict) for each in value):
        for number, each in enumerate(value):
            yield from flat(each, f"{path}[{number}]")
    else:
        yield path, value


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What differs between two flat views, in the order of the paths."""
    paths = [path for path in before.keys() | after.keys() if before.get(path, GONE) != after.get(path, GONE)]
    return [f"{path}: {written(before, path)} -> {written(after, path)}" for path in sorted(paths)]


def written(view: dict[str, Any], path: str) -> str:
    return plain(view[path]) if path in view else GONE


def seat_view(game: Game[Any], seat: str | None) -> dict[str, Any]:
    """What a seat sees, flat, and of a question only its topic: its words stand at the head of the step."""
    view = game.view(seat)
    asked = view.pop("asked", {})
    view["asked"] = {key: asked[key] for key in ("seat", "topic") if key in asked}
    return dict(flat(view))


def event_lines(events: list[Event]) -> Iterator[str]:
    for event in events:
        yield f"    {event.kind}: {tokens.plain(event.text)}" + (f" [{', '.join(event.rules)}]" if event.rules else "")
        for throw in event.dice:
            again = f" (before: {plain(throw.before)})" if throw.before else ""
            yield f"      {throw.seat} rolls {tokens.plain(throw.why)}: {' '.join(map(str, throw.values))}{again}"
        for modifier in event.modifiers:
            yield f"      {modifier.amount:+d} {tokens.plain(modifier.words)} [{modifier.rule}]"


def transcript(rules: Ruleset, scenario: str, seed: int = SEED, answers: int = ANSWERS) -> Iterator[str]:
    """The lines of the transcript of a game of random answers.

    Each step: who answered what, what happened as each seat saw it, and what changed in each seat's view. What all
    of them see alike is written once.
    """
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(seed))
    random = Random(seed)
    seats: tuple[str | None, ...] = (*rules.seats, None)
    views: dict[str | None, dict[str, Any]] = {seat: {} for seat in seats}
    yield f"{rules.name} {scenario}, seed {seed}: the first {answers} answers"
    yield from see(game, seats, views, 0)
    for number in range(1, answers + 1):
        if game.ask is None:
            yield "The game is over."
            return
        ask, told = game.ask, len(game.events)
        answer = ask.question.sample(random)
        yield ""
        yield f"{number}. {ask.seat} {ask.question.topic}: {tokens.plain(ask.question.words)}"
        yield f"  answer: {plain(answer)}"
        game.accept(answer)
        yield from see(game, seats, views, told)


def see(
    game: Game[Any], seats: tuple[str | None, ...], views: dict[str | None, dict[str, Any]], told: int
) -> Iterator[str]:
    """What the seats see now that they did not before; `views` is brought up to date."""
    shown: dict[str, list[str]] = {}
    for seat in seats:
        now = seat_view(game, seat)
        lines = [*event_lines(game.seen(seat, told)), *(f"    {line}" for line in changes(views[seat], now))]
        views[seat] = now
        shown[seat or "watcher"] = lines
    common = set.intersection(*map(set, shown.values()))
    alike = [line for line in next(iter(shown.values())) if line in common]
    for name, lines in {"all": alike, **shown}.items():
        own = lines if name == "all" else [line for line in lines if line not in common]
        if own:
            yield "\n".join([f"  {name}:", *own])


def texts() -> Iterator[tuple[str, str]]:
    """The name and text of every transcript: one a scenario."""
    for name in rulesets.names():
        rules = rulesets.load(name)
        for scenario in rules.scenarios():
            yield f"{name}-{scenario}.txt", "\n".join(transcript(rules, scenario)) + "\n"


WORDS = (
    # A question, an event, a throw and a modifier, each with its words between the groups.
    re.compile(r"(\d+\. \w+ [\w-]+):.*()"),
    re.compile(r"(    [\w-]+): (?!.* -> ).*?( \[[a-z][a-z0-9]*\.[^\[\]]*\])?"),
    re.compile(r"(      \w+ rolls) .*(: [\d ]+(?: \(before: .*\))?)"),
    re.compile(r"(      [+-]\d+) .*( \[[^\[\]]*\])"),
)


def wordless(text: str) -> str:
    """A transcript without what only people read: whatever else two of them differ in is no matter of words."""
    lines = []
    for line in text.splitlines():
        found = next((match for form in WORDS if (match := form.fullmatch(line))), None)
        lines.append(line if found is None else f"{found[1]}{found[2] or ''}")
    return "\n".join(lines) + "\n"


def differences(old: str, new: str, name: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), f"{name} kept", f"{name} now", lineterm="")
    return list(lines)[:MOST_DIFFERENCES]


def main(words: list[str]) -> int:
    if len(words) not in (1, 2) or words[0] not in ("write", "check", "compare"):
        print(USAGE, file=sys.stderr)
        return 2
    folder = Path(words[1] if len(words) == 2 else "tests/transcripts")
    found = 0
    if words[0] == "write":
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
    for name, text in texts():
        path = folder / name
        if words[0] == "write":
            path.write_text(text, encoding="utf-8")
            print(f"{path}: {len(text.encode()) / 1000:.0f} kB")
            continue
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        if words[0] == "compare":
            kept, text = wordless(kept), wordless(text)
        lines = differences(kept, text, name)
        found += bool(lines)
        print("\n".join([*lines, f"{path}: {'differs' if lines else 'as it was'}"]))
    return 1 if found else 0


if __name__ == "__main__":
    switch.finish()
    sys.exit(main(sys.argv[1:]))
