"""Games as files: a record goes out when it may, and comes in as a game to look at or to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sandtable import rulesets
from sandtable.engine import rebuild, record
from sandtable.engine.questions import Refusal
from sandtable.engine.record import Saved, SaveError
from sandtable.engine.ruleset import Ruleset
from sandtable.server import loading, rows, untrusted
from sandtable.server.catalogue import NotPlayable
from sandtable.server.room import Film, Room
from sandtable.server.rows import DiceRow, RoomNote, SeatRow, Start
from sandtable.server.storage import Change

if TYPE_CHECKING:
    from sandtable.engine.game import Game

SECONDS = 20.0
"""How long it may take to read a file and play its game through."""


def exported(room: Room) -> bytes:
    """The record as a file; the secret of sealed dice is in it only when the game is over."""
    game = room.game
    if not room.over:
        # So that whoever goes on with it elsewhere, with other dice, loses little.
        game.keep_checkpoints()
    game.notes = [(note.after, note.words) for note in room.notes if not note.thinks]
    return b"\n".join(record.lines(game, reveal=room.over)) + b"\n"


class Imported(msgspec.Struct):
    """A game out of a file, ready to become a room."""

    rules: Any
    setup: Any
    dice: DiceRow
    base: Start | None
    game: Any
    film: Any
    notes: list[RoomNote]


class Newcomer(msgspec.Struct, frozen=True):
    """What a game out of a file is called here, who owns it (the fingerprint of his key), and a secret for new dice."""

    game: str
    owner: str
    secret: str


def unplayable(message: str) -> NotPlayable:
    return NotPlayable(Refusal("malformed", message[:300]))


def imported(data: bytes, newcomer: Newcomer) -> Change:
    """A chore: read a file, play it through, and make it what goes to disk."""
    return room_of(taken_up(data, newcomer.secret), newcomer).created()


def taken_up(data: bytes, secret: str) -> Imported:
    try:
        saved = record.loads(data.decode("utf-8"), "the file")
    except UnicodeDecodeError:
        raise unplayable("The file is not a saved game.") from None
    except SaveError as error:
        raise unplayable(str(error)) from None
    if saved.damage:
        raise unplayable(f"{saved.damage}.")
    if saved.header.ruleset not in rulesets.names():
        raise unplayable("The file is of a game that is not played here.")
    rules = rulesets.load(saved.header.ruleset)
    try:
        return _taken_up(saved, rules, secret)
    except (NotPlayable, SaveError, loading.LoadError) as error:
        raise error if isinstance(error, NotPlayable) else unplayable(str(error)) from None
    except Exception:
        # Whatever a stranger wrote into the file, its flow may fail in any way.
        raise unplayable("The game in this file cannot be played.") from None


def _taken_up(saved: Saved, rules: Ruleset, secret: str) -> Imported:
    try:
        setup = msgspec.convert(saved.setup, rules.setup_type)
    except msgspec.ValidationError as error:
        raise unplayable(f"The set-up in this file cannot be read: {error}") from None
    excess = untrusted.refuse(setup, saved)
    if excess is not None:
        raise NotPlayable(excess)
    for problem in rules.problems(setup):
        raise unplayable(f"The set-up in this file cannot be played: {problem}")
    notes = [RoomNote(note.after, note.words[:500]) for note in saved.notes]
    sealed = saved.header.dice.source == "sealed" and saved.header.dice.secret is None
    if not sealed:
        dice = _dice(saved, secret)
        game, film = loading.new_game(rules, setup, dice)
        if loading.replayed(game, saved.entries, None):
            game.standing = list(saved.standing)
            return Imported(rules, setup, dice, None, game, film, notes)
    else:
        dice = DiceRow("sealed", secret)
    return _from_keyframe(saved, rules, setup, dice, notes, sealed)


def _dice(saved: Saved, new: str) -> DiceRow:
    line = saved.header.dice
    # Checks the secret against the commitment.
    record.dice_of(line)
    secret = line.secret if line.source == "sealed" and line.secret else new
    return DiceRow(line.source, secret, line.seed)


def _from_keyframe(
    saved: Saved, rules: Ruleset, setup: Any, dice: DiceRow, notes: list[RoomNote], sealed: bool
) -> Imported:
    """Its dice are still sealed, or the rules have changed: it goes on from its last keyframe."""
    if not saved.keyframes:
        raise unplayable("The game in this file cannot be played again, and it holds no keyframe.")
    frame = max(saved.keyframes, key=lambda each: each.entries)
    try:
        state = msgspec.convert(frame.state, rules.state_type)
    except msgspec.ValidationError:
        raise unplayable("The keyframe in this file cannot be read.") from None
    base = Start(0 if sealed else frame.dice, msgspec.msgpack.encode(state))
    game, film = loading.new_game(rules, setup, dice, base)
    if not sealed:
        rebuild.give_all(game, saved.entries[frame.entries :])
    game.standing = list(saved.standing)
    notes = [RoomNote(max(0, note.after - frame.entries), note.words) for note in notes]
    why = "Its dice were still sealed: it has new ones and" if sealed else "The rules have changed: it"
    notes.append(RoomNote(0, f"{why} goes on from answer {frame.entries}."))
    return Imported(rules, setup, dice, base, game, film, notes)


def room_of(found: Imported, newcomer: Newcomer) -> Room:
    """All seats of a game out of a file are his who brought it."""
    game: Game[Any] = found.game
    film: Film = found.film
    setup = found.setup
    seats = {name: SeatRow(rows.PERSON, newcomer.owner, joined=True) for name in found.rules.seats}
    title = (setup.title or setup.name or found.rules.title)[:120]
    room = Room(newcomer.game, title, setup.name[:80], game, film, seats, found.dice)
    room.base = found.base
    room.notes = found.notes
    room.sent = [""] * room.number
    room.note("The game was taken up from a file.")
    return room
