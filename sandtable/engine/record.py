"""A game as one text file: lines of JSON, readable with `less`, replayable without us.

The first line is the header (ruleset, rules version, dice), the second the set-up; then answers and events in the
order in which they came, keyframes of the whole state now and then, and at the end of the battle its hash. A file
without an `end` is a game under way. The last line counts the others and seals them, so that a file that was cut off
is known. `docs/saves.md` explains each line and `schema()` publishes their shape.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from sandtable.engine import rebuild
from sandtable.engine.dice import Dice, SealedDice, SeededDice, TypedDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Event
from sandtable.engine.game import Entry, Game, Snapshot, fingerprint
from sandtable.engine.numbers import Count
from sandtable.engine.ruleset import Result, Ruleset
from sandtable.engine.standing import Standing

FORMAT = "sandtable.game"
VERSION = 2
"""Files of version 1 had no last line; they are still read."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class SaveError(SandtableError):
    """A saved game that cannot be read, or does not hold what it says."""


class DiceLine(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    source: Literal["seeded", "typed", "sealed"]
    seed: int | None = None
    commitment: str | None = None
    secret: str | None = None


class Header(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    format: str
    version: Count
    ruleset: str
    rules_version: str
    dice: DiceLine


class Keyframe(msgspec.Struct, frozen=True):
    entries: Count
    dice: Count
    hash: str
    state: Any


class Note(msgspec.Struct, frozen=True):
    after: Count
    words: str


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    hash: str
    entries: Count
    result: Result | None = None


class Last(msgspec.Struct, frozen=True):
    """The last line of a file: how many lines came before it, and their BLAKE2b."""

    lines: Count
    hash: str


class Line(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Any line after the header: exactly one of these is there."""

    setup: Any = None
    answer: Entry | None = None
    event: Event | None = None
    keyframe: Keyframe | None = None
    note: Note | None = None
    standing: Standing | None = None
    end: End | None = None
    last: Last | None = None


class Saved(msgspec.Struct):
    """A saved game as read, before it is replayed. `damage` says what has happened to the file, if something has."""

    header: Header
    setup: Any
    entries: list[Entry] = []
    events: list[Event] = []
    keyframes: list[Keyframe] = []
    notes: list[Note] = []
    standing: list[Standing] = []
    end: End | None = None
    damage: str = ""


class Replay(msgspec.Struct):
    """A game played again from its record, and where it went another way than the file says."""

    game: Any
    differs: list[str] = []


def schema() -> dict[str, Any]:
    """The JSON schema of the lines of a saved game."""
    (header, line), components = msgspec.json.schema_components([Header, Line], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a saved Sandtable game: the header first, then lines of the other form",
        "anyOf": [header, line],
        "$defs": components,
    }


def dice_line(dice: Dice, reveal: bool) -> DiceLine:
    if isinstance(dice, SealedDice):
        return DiceLine("sealed", commitment=dice.commitment, secret=dice.secret.hex() if reveal else None)
    if isinstance(dice, TypedDice):
        return DiceLine("typed")
    if isinstance(dice, SeededDice):
        return DiceLine("seeded", seed=dice.seed)
    raise SaveError("only games with seeded, typed-in or sealed dice are saved")


def dice_of(line: DiceLine, secret: str | None = None) -> Dice:
    if line.source == "typed":
        return TypedDice()
    if line.source == "seeded" and line.seed is not None:
        return SeededDice(line.seed)
    secret = secret or line.secret
    if line.source == "sealed" and secret is not None:
        try:
            dice = SealedDice(bytes.fromhex(secret))
        except ValueError:
            raise SaveError("a secret is written in pairs of the digits 0 to 9 and a to f") from None
        if dice.commitment != line.commitment:
            raise SaveError("the secret does not match the commitment made before the game")
        return dice
    raise SaveError("the dice of this game are still sealed: it can be read but not replayed")


def lines(game: Game[Any], *, reveal: bool = True, events: bool = True) -> Iterator[bytes]:
    """The file, line by line. Without `reveal` the secret of sealed dice stays out of it.

    Without `events` only answers, notes, the last keyframe and the end are written; a replay has the rest.
    """
    seal, count = hashlib.blake2b(digest_size=16), 0
    for line in _lines(game, reveal, events):
        seal.update(line + b"\n")
        count += 1
        yield line
    yield msgspec.json.encode({"last": Last(count, seal.hexdigest())})


def _lines(game: Game[Any], reveal: bool, events: bool) -> Iterator[bytes]:
    encode = msgspec.json.encode
    header = Header(FORMAT, VERSION, game.rules.name, game.rules.version, dice_line(game.dice, reveal))
    yield encode(header)
    yield encode({"setup": game.setup})
    frames = {snapshot.entries: snapshot for snapshot in game.keyframes} if events else {}
    if game.checkpoint is not None:
        frames[game.checkpoint.entries] = game.checkpoint
    told = 0
    for number in range(len(game.record) + 1):
        upto = game.marks[number] if number < len(game.record) else len(game.events)
        for event in game.events[told:upto] if events else ():
            yield encode({"event": event})
        told = upto
        if number in frames:
            yield encode({"keyframe": _keyframe(game, frames[number])})
        for after, words in game.notes:
            if after == number:
                yield encode({"note": Note(after, words)})
        if number < len(game.record):
            yield encode({"answer": game.record[number]})
    for standing in game.standing:
        yield encode({"standing": standing})
    if game.over:
        yield encode({"end": End(game.hash(), len(game.record), game.rules.result(game.state))})


def _keyframe(game: Game[Any], snapshot: Snapshot) -> Keyframe:
    state = msgspec.msgpack.decode(snapshot.state, type=game.rules.state_type)
    return Keyframe(snapshot.entries, snapshot.dice, fingerprint(state, snapshot.dice), state)


def dumps(game: Game[Any], *, reveal: bool = True, events: bool = True) -> str:
    return b"\n".join(lines(game, reveal=reveal, events=events)).decode() + "\n"


def save(game: Game[Any], path: Path, *, reveal: bool = True, events: bool = True) -> None:
    """Write the whole file beside the old one and then swap them, so that a crash or a full disk leaves one of them."""
    beside = path.parent / f"{path.name}.part"
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(dumps(game, reveal=reveal, events=events))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        kept = "; what it held before is still there" if path.is_file() else ""
        raise SaveError(f"{path}: {error.strerror}{kept}") from None


def loads(text: str, name: str = "saved game") -> Saved:
    """Read a saved game; a mistake is reported by its line."""
    # Not `splitlines`, which also breaks at signs that may stand within a text.
    rows = text.split("\n")
    if not text.strip():
        raise SaveError(f"{name}: the file is empty")
    try:
        header = msgspec.json.decode(rows[0], type=Header)
    except UNREADABLE as error:
        raise SaveError(f"{name}:1: not the header of a saved game: {error}") from None
    if header.format != FORMAT or not 1 <= header.version <= VERSION:
        raise SaveError(f"{name}:1: format {header.format!r} version {header.version} is not one this program reads")
    decoder = msgspec.json.Decoder(Line)
    saved = Saved(header, None)
    seal, count, last = hashlib.blake2b(rows[0].encode() + b"\n", digest_size=16), 1, None
    for number, row in enumerate(rows[1:], 2):
        if not row.strip():
            continue
        try:
            line = decoder.decode(row)
        except UNREADABLE as error:
            raise SaveError(f"{name}:{number}: {error}") from None
        if last is not None or (saved.end is not None and line.last is None and header.version == 1):
            saved.damage = saved.damage or f"{name}:{number}: the file goes on after its end"
        if line.last is None:
            seal.update(row.encode() + b"\n")
            count += 1
        last = line.last or last
        _sort(line, saved)
    if saved.setup is None:
        raise SaveError(f"{name}: there is no set-up line")
    if header.version > 1:
        saved.damage = saved.damage or _damage(name, last, count, seal.hexdigest())
    return saved


def _damage(name: str, last: Last | None, count: int, seal: str) -> str:
    """What the last line of a file tells about the lines before it."""
    if last is None:
        return f"{name}: the file is cut off: its last line is missing"
    if last.lines != count:
        return f"{name}: the file had {last.lines} lines before its last one; now it has {count}"
    if last.hash != seal:
        return f"{name}: lines of the file were changed since it was written"
    return ""


def _sort(line: Line, saved: Saved) -> None:
    if line.setup is not None:
        saved.setup = line.setup
    if line.answer is not None:
        saved.entries.append(line.answer)
    if line.event is not None:
        saved.events.append(line.event)
    if line.keyframe is not None:
        saved.keyframes.append(line.keyframe)
    if line.note is not None:
        saved.notes.append(line.note)
    if line.standing is not None:
        saved.standing.append(line.standing)
    if line.end is not None:
        saved.end = line.end


def read(path: Path) -> Saved:
    try:
        return loads(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise SaveError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def replay(saved: Saved, find: Callable[[str], Ruleset], *, to: int | None = None, secret: str | None = None) -> Replay:
    """Play the answers again, up to `to` of them, and compare with every keyframe and the end."""
    rules = find(saved.header.ruleset)
    game = rebuild.begin(rules, _setup(saved, rules), dice_of(saved.header.dice, secret))
    wanted = saved.entries if to is None else saved.entries[:to]
    differs = list(rebuild.differences(game, wanted, {frame.entries: frame.hash for frame in saved.keyframes}))
    whole = len(wanted) == len(saved.entries)
    if saved.end is not None and not differs and whole:
        if (game.hash(), len(game.record)) != (saved.end.hash, saved.end.entries):
            differs.append("the final state is not the one recorded")
        elif game.rules.result(game.state) != saved.end.result:
            differs.append("the result is not the one recorded")
    game.notes = [(note.after, note.words) for note in saved.notes if note.after <= len(game.record)]
    game.standing = list(saved.standing) if whole else []
    return Replay(game, differs)


def _setup(saved: Saved, rules: Ruleset) -> Any:
    try:
        setup = msgspec.convert(saved.setup, rules.setup_type)
    except msgspec.ValidationError as error:
        raise SaveError(f"the set-up of this game cannot be read: {error}") from None
    for problem in rules.problems(setup):
        raise SaveError(f"the set-up of this game cannot be played: {problem}")
    return setup


def resume(saved: Saved, find: Callable[[str], Ruleset], *, secret: str | None = None) -> Replay:
    """Load a game to go on with it: from the last keyframe, if the rules have changed so that the replay differs."""
    replayed = replay(saved, find, secret=secret)
    if not replayed.differs or not saved.keyframes:
        return replayed
    frame = max(saved.keyframes, key=lambda each: each.entries)
    rules = find(saved.header.ruleset)
    start = rebuild.Start(frame.dice, msgspec.msgpack.encode(frame.state))
    try:
        game = rebuild.begin(rules, _setup(saved, rules), dice_of(saved.header.dice, secret), start)
    except rebuild.NotRebuilt as error:
        raise SaveError(f"the keyframe after {frame.entries} answers cannot be read: {error}") from None
    rebuild.give_all(game, saved.entries[frame.entries :])
    # The record begins anew at the keyframe; what was noted before it stands at its beginning.
    game.notes = [(max(0, note.after - frame.entries), note.words) for note in saved.notes]
    game.standing = list(saved.standing)
    game.note(f"The rules have changed since this game began: it goes on from answer {frame.entries}.")
    return Replay(game, replayed.differs)
