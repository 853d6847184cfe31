"""What leaves the server: every message about a game is made here, for one seat, from what that seat may know.

A seat of None is a watcher's. The parts that cost something are encoded once for each seat and joined as bytes.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine.events import Event, seen_by
from sandtable.server.changes import LISTS, SCENE_LISTS, Frame, changed, encode, parts

if TYPE_CHECKING:
    from sandtable.engine.game import Game
    from sandtable.engine.ruleset import Ruleset
    from sandtable.server.room import Room
    from sandtable.server.rows import DiceRow

CANDIDATES = 6
"""How many good answers the asked seat is shown."""

EVERYTHING = "*"
"""Stands for all seats together: nobody looks so before a game is over."""


def as_seen(event: Event, seat: str | None) -> Event | None:
    return msgspec.structs.replace(event, only=None, others=None) if seat == EVERYTHING else seen_by(event, seat)


class SeatLog:
    """The events as one seat may know them, encoded, and numbered by what it sees: a gap would tell of something."""

    def __init__(self, seat: str | None) -> None:
        self.seat = seat
        self.indexes: list[int] = []
        self.lines: list[bytes] = []
        self.afters: list[int] = []
        self.texts: list[str] = []
        self.read = 0
        self.rewinds = 0
        self.shortened: list[tuple[int, int]] = []

    def follow(self, game: Game[Any], rewinds: int) -> None:
        """Take in what has happened since, and forget what was taken back."""
        if rewinds != self.rewinds:
            # Everything after the earliest moment that the game went back to may read otherwise now.
            self.shorten(game)
            self.rewinds = rewinds
        for index in range(self.read, len(game.events)):
            event = as_seen(game.events[index], self.seat)
            if event is None:
                continue
            after = bisect_right(game.marks, index)
            place = b'{"n":%d,"after":%d,' % (len(self.lines), after)
            self.indexes.append(index)
            self.afters.append(after)
            self.texts.append(event.text)
            self.lines.append(place + encode(event)[1:])
        self.read = len(game.events)

    def shorten(self, game: Game[Any]) -> None:
        keep = 0
        for index, line in zip(self.indexes, self.lines, strict=True):
            event = as_seen(game.events[index], self.seat) if index < len(game.events) else None
            if event is None:
                break
            place = b'{"n":%d,"after":%d,' % (keep, bisect_right(game.marks, index))
            if place + encode(event)[1:] != line:
                break
            keep += 1
        del self.indexes[keep:], self.lines[keep:], self.afters[keep:], self.texts[keep:]
        self.read = self.indexes[-1] + 1 if self.indexes else 0
        # Whoever must forget as much for an earlier rewind learns so by this one.
        while self.shortened and self.shortened[-1][1] >= keep:
            self.shortened.pop()
        self.shortened.append((self.rewinds, keep))

    def since(self, known: int, rewinds: int) -> int:
        """How much of what somebody knows, who last looked after so many rewinds, still holds."""
        return min([known, len(self.lines), *(keep for before, keep in self.shortened if before >= rewinds)])


def log_of(room: Room, seat: str | None) -> SeatLog:
    log = room.logs.get(seat)
    if log is None:
        log = room.logs[seat] = SeatLog(seat)
        log.rewinds = room.rewinds
        # How far it went back before it was read from disk nobody knows: who was here before then begins anew.
        log.shortened.append((room.rewinds - 1, 0))
    log.follow(room.game, room.rewinds)
    return log


def frame(room: Room, seat: str | None) -> Frame:
    kept: Frame | None = room.frames.get(seat)
    if kept is None or kept.version != room.version:
        scene = msgspec.structs.asdict(room.scene(seat))
        kept = Frame(room.version, parts(facts(room, seat), LISTS), parts(scene, SCENE_LISTS))
        room.frames[seat] = kept
    return kept


def facts(room: Room, seat: str | None) -> dict[str, Any]:
    """All of a state but its number, scene and events."""
    game, rules = room.game, room.rules
    undo = room.may_undo(seat) if seat is not None else None
    redo = room.may_redo(seat) if seat is not None else None
    return {
        "turn": rules.turn(game.state),
        "status": rules.display.status(game, seat),
        "roster": rules.display.roster(game, seat),
        "asked": asked(room, seat),
        "notes": [{"after": n.after, "words": n.words} for n in room.notes if n.seat in ("", seat) and not n.thinks],
        "standing": standing(room, seat),
        "settled": room.settled(seat),
        "guide": room.guidance(seat),
        "guards": rules.guards(game, seat) if seat is not None and not room.over else [],
        "may_undo": "A watcher takes nothing back." if seat is None else undo.message if undo else True,
        "may_redo": "A watcher takes nothing back." if seat is None else redo.message if redo else True,
        "takeback": {"seat": room.takeback.seat, "to": room.takeback.to} if room.takeback else None,
        "present": present(room),
        "seats": {name: row.shown for name, row in room.seats.items()},
        "names": {name: row.name for name, row in room.seats.items() if row.name},
        "result": room.result,
        "secret": room.dice.secret if room.over and room.dice.source == "sealed" else None,
        "thinking": room.bot_asked or None if room.thinking else None,
    }


def asked(room: Room, seat: str | None) -> dict[str, Any] | None:
    """The question, to him who answers it; to all others only whose it is."""
    if not room.asked:
        return None
    ask = room.game.ask
    assert ask is not None
    if not room.may_answer(seat):
        return {"seat": ask.seat, "held": True} if room.pausing and seat == ask.seat else {"seat": ask.seat}
    question = ask.question
    found = {"seat": ask.seat, **question.describe(), "candidates": question.candidates(CANDIDATES)}
    if question.areas is not None:
        found["areas"] = question.areas()
    return found


def standing(room: Room, seat: str | None) -> list[dict[str, Any]]:
    found = []
    for index, each in enumerate(room.game.standing):
        if each.seat == seat:
            habit = next((habit for habit in room.rules.habits if habit.standing(each.seat) == each), None)
            words = habit.words if habit is not None else each.words()
            found.append({"index": index, "words": words, **({"habit": habit.id} if habit is not None else {})})
    return found


def present(room: Room) -> dict[str, bool]:
    return {seat: bool(row.bot) or room.present(seat) for seat, row in room.seats.items()}


def state(room: Room, seat: str | None, known: int, rewinds: int, told: Frame | None) -> tuple[bytes, int, Frame]:
    """The message for a client that knows some events and was told a state before; what it knows then."""
    log = log_of(room, seat)
    made = frame(room, seat)
    start = log.since(known, rewinds)
    members = [b'{"t":"state","number":%d,"rewinds":%d' % (room.number, room.rewinds)]
    if change := changed(made, told):
        members.append(change)
    if start < known:
        members.append(b'"from":%d' % start)
    members.append(b'"events":[%b]}' % b",".join(log.lines[start:]))
    return b",".join(members), len(log.lines), made


def static(room: Room, seat: str | None, held: list[str]) -> bytes:
    """What never changes while a game lasts."""
    rules, setup = room.rules, room.game.setup
    scene = rules.scene(room.game, seat)
    return encode(
        {
            "t": "static",
            "ruleset": rules.name,
            "rules_title": rules.title,
            "title": room.title,
            "scenario": room.scenario,
            "about": about(rules, room.scenario),
            "briefing": rules.display.briefing(room.game, seat),
            "you": held,
            "seat": seat,
            "seats": {name: row.shown for name, row in room.seats.items()},
            "profiles": rules.display.profiles(room.game),
            "terrain": rules.display.terrain(),
            "legend": rules.display.legend,
            "habits": habits(rules),
            "switches": [switch for switch in rules.switches if in_force(setup, switch.id)],
            "dice": public_dice(room.dice, room.over),
            "table": {"width": scene.width, "depth": scene.depth},
        }
    )


def about(rules: Ruleset, name: str) -> str:
    """What a battle says of itself: a scenario, or a lesson."""
    if name in rules.scenarios():
        return rules.display.about(name)
    lessons = rules.lessons()
    return lessons[name].about if name in lessons else ""


def habits(rules: Ruleset) -> list[dict[str, Any]]:
    return [{"id": h.id, "words": h.words, "topic": h.topic, "usual": h.usual} for h in rules.habits]


def in_force(setup: Any, switch: str) -> bool:
    """Whether an optional rule is part of a set-up; rulesets with switches keep them as options of its name."""
    return bool(getattr(getattr(setup, "options", None), switch, False))


def public_dice(row: DiceRow, over: bool) -> dict[str, Any]:
    """What everybody may know of the dice: the commitment now, the secret when the game is over."""
    if row.source != "sealed":
        return {"source": row.source}
    secret = bytes.fromhex(row.secret)
    found = {"source": "sealed", "commitment": hashlib.sha256(secret).hexdigest()}
    return {**found, "secret": row.secret} if over else found
