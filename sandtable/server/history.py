"""The past of a game: its steps in words, and the table as it was at any moment, for a seat or in full."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine import rebuild
from sandtable.engine.game import Entry, Game, Snapshot
from sandtable.engine.rebuild import Start
from sandtable.server.changes import encode
from sandtable.server.messages import BeatCard
from sandtable.server.outgoing import EVERYTHING, log_of
from sandtable.server.room import make_dice

if TYPE_CHECKING:
    from sandtable.engine.cards import Fact, UnitCard
    from sandtable.server.room import Room
    from sandtable.table.scene import Piece, Scene


def beats(room: Room, seat: str | None) -> list[BeatCard]:
    """The game in steps from one large question to the next; what a seat saw nothing of belongs to the step after."""
    log = log_of(room, seat)
    film = room.film.beats
    ends = [number for number in range(1, room.number) if film[number].large] + [room.number]
    found: list[BeatCard] = []
    start = first = 0
    for end in ends:
        last = bisect_right(log.afters, end)
        if last > first:
            beat = film[start] if start < len(film) else None
            turn = film[end - 1].turn if end else room.rules.turn(room.game.state)
            found.append(BeatCard(end, turn, beat.seat if beat is not None else "", log.texts[first], first))
            start, first = end, last
    return found


class Past(msgspec.Struct):
    """What is needed to play a game again up to a moment; taken while nobody changes it."""

    room: Any
    number: int
    asked: str
    snapshot: Snapshot | None
    entries: list[Entry]


def past(room: Room, number: int) -> Past:
    kept = [k for k in [*room.game.keyframes, room.game.checkpoint] if k is not None and k.entries <= number]
    snapshot = max(kept, key=lambda k: k.entries) if kept else None
    return Past(room, number, room.asked, snapshot, room.game.record[snapshot.entries if snapshot else 0 : number])


def at(wanted: Past, *, checkpoints: bool = False) -> Game[Any]:
    """A copy of the game as it was.

    It shares nothing with the game, which goes on meanwhile in another thread: not even the table, on which rulesets
    remember what they have seen.
    """
    room: Room = wanted.room
    kept = wanted.snapshot
    start = room.base if kept is None else Start(kept.dice, kept.state)
    game = rebuild.begin(room.rules, room.game.setup, make_dice(room.dice), start)
    # From here on every checkpoint is kept, if the moment is wanted as a situation.
    game.looked_ahead = checkpoints
    rebuild.follow(game, wanted.entries)
    return game


def moment(wanted: Past, seat: str | None, events: list[bytes], result: Any) -> bytes:
    """The table, status and roster as they were, and the log up to then."""
    game = at(wanted)
    rules = game.rules
    if seat == EVERYTHING:
        scene, status, roster = everything(game)
    else:
        scene = rules.scene(game, seat)
        status, roster = rules.display.status(game, seat), rules.display.roster(game, seat)
    shown = {
        "t": "moment",
        "number": wanted.number,
        "turn": rules.turn(game.state),
        "seat": seat,
        "status": status,
        "roster": roster,
        "rail": rules.display.rail(game, None if seat == EVERYTHING else seat),
        "asked": {"seat": game.ask.seat} if game.ask is not None and result is None else None,
        "result": result,
        "scene": scene,
    }
    return b'%b,"events":[%b]}' % (encode(shown)[:-1], b",".join(events))


def events_until(room: Room, seat: str | None, number: int) -> list[bytes]:
    log = log_of(room, seat)
    return log.lines[: bisect_right(log.afters, number)]


def everything(game: Game[Any]) -> tuple[Scene, list[Fact], list[UnitCard]]:
    """What all seats together see."""
    rules = game.rules
    scenes = [rules.scene(game, seat) for seat in rules.seats]
    pieces: dict[str, Piece] = {}
    for seat, scene in zip(rules.seats, scenes, strict=True):
        for piece in scene.pieces:
            if piece.side == seat or piece.id not in pieces:
                pieces[piece.id] = piece
    status: list[Fact] = []
    roster: list[UnitCard] = []
    for seat in rules.seats:
        status += [fact for fact in rules.display.status(game, seat) if fact not in status]
        roster += [card for card in rules.display.roster(game, seat) if card.side == seat]
    return msgspec.structs.replace(scenes[0], pieces=list(pieces.values())), status, roster


def picture(room: Room) -> Scene:
    """The table now, as everybody may see it."""
    return room.rules.scene(room.game, None)


def result_at(room: Room, number: int) -> Any:
    return room.result if number == room.number else None
