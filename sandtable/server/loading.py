"""From disk to a game under way: the record is played again; if the rules have changed, it goes on from a keyframe."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine import rebuild
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Entry, Game
from sandtable.engine.lessons import Guide
from sandtable.engine.rebuild import Start
from sandtable.engine.ruleset import Ruleset
from sandtable.server import rows
from sandtable.server.room import Film, Room, make_dice
from sandtable.server.rows import DiceRow, KeyframeRow, Seats
from sandtable.server.storage import StoredEntry


class LoadError(SandtableError):
    """A stored game that cannot be taken up."""


def guide_of(rules: Ruleset, seats: Seats) -> Guide | None:
    """Who guides one of the seats; nobody, if its lesson is not taught any more."""
    known = rules.lessons()
    return next((Guide(known[row.lesson]) for row in seats.values() if row.lesson in known), None)


def new_game(
    rules: Ruleset, setup: Any, dice: DiceRow, start: Start | None = None, guide: Guide | None = None
) -> tuple[Game[Any], Film]:
    film = Film(guide)
    watching = (film,) if guide is None else (film, guide)
    try:
        return rebuild.begin(rules, setup, make_dice(dice), start, watching), film
    except rebuild.NotRebuilt as error:
        raise LoadError(f"a stored state cannot be read by these rules: {error}") from None


def replayed(game: Game[Any], entries: list[Entry], keyframe: KeyframeRow | None) -> bool:
    """Play all answers again; False as soon as the game goes another way than it did."""
    hashes = {} if keyframe is None else {keyframe.entries: keyframe.hash}
    return next(rebuild.differences(game, entries, hashes), None) is None


def load(row: dict[str, Any], stored: list[StoredEntry]) -> Room:
    """A room as it was when its last answer was confirmed."""
    rules = rulesets.load(row["ruleset"])
    setup = msgspec.json.decode(row["setup"], type=rules.setup_type)
    dice, base, keyframe = rows.dice(row["dice"]), rows.base(row["base"]), rows.keyframe(row["keyframe"])
    entries = [each.entry for each in stored]
    seats = rows.seats(row["seats"])
    game, film = new_game(rules, setup, dice, base, guide_of(rules, seats))
    # A flow that meets another state than it was written for may fail in any way.
    same = False
    try:
        same = replayed(game, entries, keyframe)
    except Exception:
        if keyframe is None or row["rules_version"] == rules.version:
            raise
    room = Room(row["id"], row["title"], row["scenario"], game, film, seats, dice)
    room.base, room.keyframe = base, keyframe
    room.notes, room.ended = rows.notes(row["notes"]), None
    room.rewinds = row["rewinds"]
    room.sent = [each.sent for each in stored]
    room.stored = room.lowest = len(stored)
    room.on_disk = {name: row[name] for name in room.row()}
    if not same:
        from_keyframe(room, entries, keyframe)
    room.game.standing = rows.standing(row["standing"])
    if row["state"] == "finished" and not room.game.over:
        room.ended = rows.result(row["result"])
    return room


def from_keyframe(room: Room, entries: list[Entry], keyframe: KeyframeRow | None) -> None:
    """Go on from the last keyframe: the record begins anew there, and the log says so."""
    if keyframe is None:
        raise LoadError("the rules have changed since this game began, and it kept no keyframe")
    room.base = Start(keyframe.dice, keyframe.state)
    room.game, room.film = new_game(room.rules, room.game.setup, room.dice, room.base, guide_of(room.rules, room.seats))
    rebuild.give_all(room.game, entries[keyframe.entries :])
    room.keyframe = None
    room.sent = [""] * room.number
    room.lowest = 0
    room.rewinds += 1
    # What bots thought of answers that are not in the record any more is gone with them.
    kept = [note for note in room.notes if not note.thinks or note.after >= keyframe.entries]
    room.notes = [msgspec.structs.replace(note, after=max(0, note.after - keyframe.entries)) for note in kept]
    room.note(f"The rules have changed since this game began: it goes on from answer {keyframe.entries}.")
