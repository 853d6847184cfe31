"""One game under way on the server: the engine's game, who sits where, and what of it must go to disk.

Nothing here waits for anything: the hall calls these methods in a thread, one at a time for each room, writes the
`change` that they leave, and only then lets anybody look.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine.dice import Dice, SealedDice, SeededDice, TypedDice
from sandtable.engine.game import FORCED, STANDING, Entry, Game, Observer, fingerprint
from sandtable.engine.lessons import Guide, GuideCard
from sandtable.engine.questions import Answer, EnterDice, Refusal
from sandtable.engine.ruleset import Ask, Result, Ruleset
from sandtable.engine.settled import Settled, settled, shapes_of
from sandtable.engine.standing import Standing, answer_words, as_proposed, deploy_the_rest
from sandtable.server import keys, rows
from sandtable.server.messages import Planned
from sandtable.server.rows import DiceRow, KeyframeRow, RoomNote, Seats, Start
from sandtable.server.storage import Change, StoredEntry, fingerprint_of
from sandtable.table.scene import Scene

if TYPE_CHECKING:
    from sandtable.engine.account import Account
    from sandtable.server.live import Client
    from sandtable.server.outgoing import SeatLog
    from sandtable.server.workers import Choice

KEYFRAME_EVERY = 40
"""Answers after which a newer keyframe goes to disk."""

MOST_STANDING = 40
"""Standing answers that a seat may leave."""

MOST_LINES = 6
"""Of the answers that were given by themselves so many are shown, the last."""

MOST_NOTES = 2_000
"""Notes that a game keeps; the oldest go first. Answers can be taken back and given again without end."""


class Beat(msgspec.Struct, frozen=True):
    """About an answer: whether it answered one of the large questions, whose it was, and the turn."""

    large: bool
    seat: str
    turn: int


class Film(Observer):
    """Remembers of each answer where it stood in the course of the game, and what was answered by itself.

    `guide` is who guides a seat through a lesson, if one does; he follows the game beside this.
    """

    def __init__(self, guide: Guide | None = None) -> None:
        self.guide = guide
        self.beats: list[Beat] = []
        self.settled: dict[int, Settled] = {}

    def answered(self, game: Game[Any], entry: Entry) -> None:
        # While observers hear of it the question that it answered still stands.
        assert game.ask is not None
        number = len(game.record) - 1
        del self.beats[number:]
        self.beats.append(Beat(game.ask.checkpoint, entry.seat, game.rules.turn(game.state)))
        self.settled.pop(number, None)
        if entry.by in (STANDING, FORCED) or shapes_of(game.ask.question):
            self.settled[number] = settled(game, entry)


class Takeback(msgspec.Struct):
    """A player's wish to go back, and those who have yet to agree."""

    seat: str
    to: int
    waiting: set[str]


HEARD = 60.0
"""Seconds for which somebody who plays without a socket counts as present after he has acted."""


def make_dice(row: DiceRow, count: int = 0) -> Dice:
    if row.source == "typed":
        return TypedDice(count)
    if row.source == "seeded" and row.seed is not None:
        return SeededDice(row.seed, count)
    return SealedDice(bytes.fromhex(row.secret), count)


def unasked(message: str, field: str | None = None) -> Refusal:
    return Refusal("unasked", message, field=field)


class Room:
    """A game and its seats."""

    def __init__(
        self, game_id: str, title: str, scenario: str, game: Game[Any], film: Film, seats: Seats, dice: DiceRow
    ) -> None:
        self.id = game_id
        self.title = title
        self.scenario = scenario
        self.film = film
        self.seats = seats
        self.dice = dice
        self.released = -1
        self.game = game
        self.base: Start | None = None
        self.account: Account | None = None
        """What decided it, once it is over and somebody has asked."""
        self.notes: list[RoomNote] = []
        self.ended: Result | None = None
        self.rewinds = 0
        self.sent: list[str] = []
        self.takeback: Takeback | None = None
        self.thinking = ""
        # What lies on disk, and the name under which this server writes there.
        self.owner: str | None = None
        self.stored = 0
        self.lowest = 0
        self.keyframe: KeyframeRow | None = None
        self.on_disk: dict[str, Any] = {}
        # Who looks on.
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.used = time.monotonic()
        self.last_seen = dict.fromkeys(seats, time.monotonic())
        self.last_act: dict[str, float] = {}
        self.version = 0
        self.logs: dict[str | None, SeatLog] = {}
        self.frames: dict[str | None, Any] = {}
        self.scenes: dict[str | None, tuple[int, Scene]] = {}

    # What is so.

    @property
    def game(self) -> Game[Any]:
        return self._game

    @game.setter
    def game(self, game: Game[Any]) -> None:
        self._game = game
        game.spares, game.holds = self.spares, self.holds

    def spares(self, ask: Ask) -> bool:
        """People are not asked what has one answer; bots see every question."""
        return not self.seats[ask.seat].bot and not isinstance(ask.question, EnterDice)

    def holds(self, ask: Ask) -> bool:
        """Whether what need not be asked waits a while: how soon it is answered must tell another person nothing."""
        row = self.seats[ask.seat]
        if row.bot or not ask.question.veiled or self.released == len(self.game.record):
            return False
        # Whoever left his seat to a bot may look on.
        return any(other.key and other.key != row.key for other in self.seats.values())

    @property
    def pausing(self) -> bool:
        """Whether the question now asked is answered by itself in a while."""
        ask = self.game.ask
        return not self.over and ask is not None and self.holds(ask) and self.game.settles(ask)

    def release(self, number: int) -> None:
        """The while is over."""
        if number == self.number and self.pausing:
            self.released = number
            self.settle()

    def settle(self) -> None:
        """Give what need not be asked."""
        before, noted, number = list(self.game.standing), len(self.game.notes), self.number
        self.game.settle()
        self.sent += [""] * (self.number - number)
        self._hear(before, noted)

    @property
    def rules(self) -> Ruleset:
        return self.game.rules

    def scene(self, seat: str | None) -> Scene:
        """What a seat sees of the table now, made once: a unit that is dragged over it asks again and again."""
        version, made = self.scenes.get(seat, (-1, None))
        if made is None or version != self.version:
            made = self.rules.scene(self.game, seat)
            self.scenes[seat] = self.version, made
        return made

    @property
    def number(self) -> int:
        return len(self.game.record)

    @property
    def over(self) -> bool:
        return self.ended is not None or self.game.over

    @property
    def result(self) -> Result | None:
        return self.ended or (self.game.result if self.game.over else None)

    @property
    def asked(self) -> str:
        """The seat that is asked now, or nothing when the game is over."""
        return "" if self.over or self.game.ask is None else self.game.ask.seat

    @property
    def bot_asked(self) -> str:
        """The seat of a bot that must think now, or nothing. Real dice are a person's to throw."""
        asked = self.asked
        if not asked or not self.seats[asked].bot or self.throwing:
            return ""
        return asked

    @property
    def throwing(self) -> bool:
        """Whether real dice are asked for."""
        return self.game.ask is not None and isinstance(self.game.ask.question, EnterDice)

    def people(self) -> list[str]:
        return [seat for seat, row in self.seats.items() if not row.bot]

    def owned(self, key: str | None) -> list[str]:
        """The seats that a key opens: its owner sees what they see, even while a bot plays them for him."""
        if not key:
            return []
        shown = keys.fingerprint(key)
        return [seat for seat, row in self.seats.items() if row.key and keys.same(row.key, shown)]

    def held(self, key: str | None) -> list[str]:
        """The seats that the owner of a key plays himself."""
        return [seat for seat in self.owned(key) if not self.seats[seat].bot]

    def may_answer(self, seat: str | None) -> bool:
        """Whether the question now asked is this seat's to answer; people throw the dice of bots."""
        asked = self.asked
        if not asked or seat is None or self.seats[seat].bot or self.pausing:
            return False
        return seat == asked or (self.throwing and bool(self.seats[asked].bot))

    def left_to_bot(self, seat: str) -> Refusal | None:
        """Whoever leaves his seat to a bot looks on, and does nothing there until he takes it back."""
        return unasked("A bot plays this seat for you. Play it yourself first.") if self.seats[seat].bot else None

    # What players do. Each returns a refusal, and then nothing has changed.

    def check(self, seat: str, number: int, raw: object) -> Refusal | None:
        refused = self._not_asked(seat, number)
        if refused is not None:
            return refused
        assert self.game.ask is not None
        checked = self.game.ask.question.check(raw)
        return checked if isinstance(checked, Refusal) else None

    def _not_asked(self, seat: str, number: int) -> Refusal | None:
        if self.over:
            return unasked("The game is over; nothing is asked.")
        if number != self.number:
            return unasked("That question is not asked any more.", "number")
        if not self.may_answer(seat):
            return unasked(f"It is {self.asked} who is asked now.", "seat")
        return None

    def answer(self, seat: str, number: int, raw: Answer) -> Refusal | None:
        """Answer the question of this number; the same answer sent again is taken as given."""
        token = fingerprint_of(raw)
        if number < self.number and self.sent[number] == token and self.game.record[number].seat == seat:
            return None
        refused = self._not_asked(seat, number)
        if refused is None:
            refused = self._give(raw, "", token)
        return refused

    def answer_all(self, seat: str, number: int, plan: list[Planned], outcome: dict[str, Any]) -> Refusal | None:
        """Give several answers one by one, as long as what is asked is what was expected; `outcome` says how many.

        The first must be taken; after that a refusal, or another question, ends it and is told.
        """
        if not plan:
            return Refusal("malformed", "A plan has at least one answer.", field="answers")
        repeated = number < self.number
        refused = self._unexpected(seat, plan[0]) if not repeated else None
        refused = refused or self.answer(seat, number, plan[0].answer)
        if refused is not None:
            return refused
        outcome.update(given=1, stopped="")
        for each in plan[1:] if not repeated else ():
            refused = self._unexpected(seat, each) or self.answer(seat, self.number, each.answer)
            if refused is not None:
                outcome["stopped"] = refused.message
                break
            outcome["given"] += 1
        return None

    def _unexpected(self, seat: str, planned: Planned) -> Refusal | None:
        """Why an answer of a plan does not fit what is asked now."""
        ask = self.game.ask
        if self.over or ask is None:
            return unasked("The game is over.")
        if not self.may_answer(seat):
            return unasked(f"It is {self.asked} who is asked now.")
        if ask.question.topic != planned.topic:
            return unasked(f"Something else is asked: {ask.question.words}")
        return None

    def bot_answers(self, number: int, rewinds: int, choices: list[Choice]) -> bool:
        """Take what a bot chose; False if the game is elsewhere by now, or does not take it."""
        for offset, choice in enumerate(choices):
            seat = self.bot_asked
            if self.rewinds != rewinds or self.number != number + offset or not seat:
                return False
            if self._give(choice.answer, "", "") is not None:
                return False
            if choice.why:
                self._keep_note(RoomNote(number + offset, choice.why, thinks=seat))
        return True

    def reasons(self, seat: str | None) -> list[RoomNote]:
        """Why bots chose as they did, as far as a seat or a watcher may know.

        What a bot thinks is as secret as its hand: while a battle lasts only he reads it who left it his seat. All is
        told when the battle is over, and at once where no seat has ever been anybody's.
        """
        open_to_all = self.over or not any(row.key for row in self.seats.values())
        found = [note for note in self.notes if note.thinks and note.after < self.number]
        return [note for note in found if open_to_all or note.thinks == seat]

    def bot_failed(self, number: int, rewinds: int, why: str) -> None:
        """A bot that did not answer: the first candidate is taken, and the log says so."""
        seat = self.bot_asked
        if not seat or self.number != number or self.rewinds != rewinds:
            return
        assert self.game.ask is not None
        self.note(f"{seat}: {why} The first legal choice is taken.")
        self._give(self.game.ask.question.candidates(1)[0], "deadline", "")

    def _give(self, raw: Answer, by: str, token: str) -> Refusal | None:
        before, noted, number = list(self.game.standing), len(self.game.notes), self.number
        refused = self.game.answer(raw, by=by)
        if refused is None:
            self.sent += [token] + [""] * (self.number - number - 1)
            self._hear(before, noted)
            self.takeback = None
        return refused

    def _hear(self, before: list[Standing], noted: int) -> None:
        """What the engine noted of standing answers that ended is for their own seats alone."""
        ended = [standing for standing in before if standing not in self.game.standing]
        for standing, (after, words) in zip(ended, self.game.notes[noted:], strict=False):
            self._keep_note(RoomNote(after, words, standing.seat))
        # They are kept here.
        self.game.notes.clear()

    def note(self, words: str, seat: str = "") -> None:
        self._keep_note(RoomNote(self.number, words, seat))

    def _keep_note(self, note: RoomNote) -> None:
        if note.thinks:
            # What was thought of a choice that has been taken back is thought no more.
            self.notes = [each for each in self.notes if not (each.thinks and each.after >= note.after)]
        self.notes.append(note)
        del self.notes[:-MOST_NOTES]

    def _back(self) -> None:
        """The game went back: what is stored or shown beyond this point holds no more."""
        self.lowest = min(self.lowest, self.number)
        del self.sent[self.number :]
        self.takeback = None
        self.rewinds += 1
        # Whoever went back to a question wants to see it.
        self.released = self.number

    def may_undo(self, seat: str) -> Refusal | None:
        return unasked("The game is over.") if self.over else self.left_to_bot(seat) or self.game.may_undo(seat)

    def undo(self, seat: str) -> Refusal | None:
        refused = self.may_undo(seat)
        if refused is None:
            refused = self.game.undo(seat)
        if refused is None:
            self._back()
            self.game.notes.clear()
            self.note(f"{seat} takes back an answer.")
        return refused

    def put_again(self, seat: str, to: int) -> Refusal | None:
        """Go back to a question that was answered by itself, and have it put."""
        refused = unasked("The game is over.") if self.over else self.game.undo_to(seat, to)
        if refused is None:
            self._back()
            self.note(f"{seat} takes back an answer.")
        return refused

    def settled(self, seat: str | None) -> list[Settled]:
        """What has been answered by itself since a seat's last own answer, and whether it can be changed.

        How one wanted a Unit to stand is kept beside it until the next answer.
        """
        found: list[Settled] = []
        for number in range(self.number - 1, -1, -1):
            entry = self.game.record[number]
            if entry.seat == seat:
                line = self.film.settled.get(number)
                if line is None or len(found) == MOST_LINES:
                    break
                changes = not self.over and self.game.may_undo_to(entry.seat, number) is None
                found.append(msgspec.structs.replace(line, changes=changes))
                if not line.by:
                    break
        return found[::-1]

    def guidance(self, seat: str | None) -> GuideCard | None:
        """What a guide says to a seat now: at its own question, and when all is over."""
        guide = self.film.guide
        if guide is None or seat != guide.lesson.seat:
            return None
        if self.over:
            return guide.farewell()
        return guide.card(self.game) if self.may_answer(seat) else None

    def may_redo(self, seat: str) -> Refusal | None:
        if self.over or not self.game.undone or self.game.undone[-1].seat != seat:
            return Refusal("illegal", "There is nothing to give again.")
        return None

    def redo(self, seat: str) -> Refusal | None:
        refused = self.may_redo(seat)
        if refused is None:
            refused = self.game.redo(seat)
        if refused is None:
            self.sent += [""] * (self.number - len(self.sent))
            self.game.notes.clear()
            self.note(f"{seat} gives the answer again.")
        return refused

    def ask_back(self, seat: str, to: int) -> Refusal | None:
        """A player asks to go back to an earlier question; the other people must agree."""
        if self.over:
            return unasked("The game is over.")
        if not 0 <= to < self.number:
            return Refusal("illegal", "There is no such earlier question.", field="to")
        if self.takeback is not None:
            return unasked("Another wish to go back waits for an answer.")
        same_key = self.seats[seat].key
        others = {name for name in self.people() if name != seat and self.seats[name].key != same_key}
        self.takeback = Takeback(seat, to, others)
        if others:
            self.note(f"{seat} asks to go back to an earlier choice.")
        else:
            self._go_back()
        return None

    def agree(self, seat: str, yes: bool) -> Refusal | None:
        wish = self.takeback
        if wish is None or (seat not in wish.waiting and not (seat == wish.seat and not yes)):
            return unasked("Nobody asked this seat to go back.")
        if not yes:
            self.takeback = None
            self.note(f"{seat} does not agree to go back.")
            return None
        wish.waiting -= {name for name in self.people() if self.seats[name].key == self.seats[seat].key}
        if not wish.waiting:
            self._go_back()
        return None

    def _go_back(self) -> None:
        wish = self.takeback
        assert wish is not None
        self.game.rewind(wish.to)
        self.game.undone.clear()
        self._back()
        self.note(f"The game goes back to an earlier choice, as {wish.seat} asked.")

    # Standing answers.

    def take_up(self, seat: str, habit_id: str) -> Refusal | None:
        """Take up a habit of the game, or drop it."""
        habit = next((each for each in self.rules.habits if each.id == habit_id), None)
        if habit is None:
            return Refusal("unknown", "There is no such habit in this game.", field="habit")
        standing = habit.standing(seat)
        if standing in self.game.standing:
            self.game.standing.remove(standing)
            self.note(f"{seat} drops a habit: {habit.words}", seat)
            return None
        return self.leave(standing, f"{seat} takes up a habit: {habit.words}")

    def deploy_the_rest(self, seat: str) -> Refusal | None:
        """Set up whatever is left as proposed."""
        ask = self.game.ask
        if self.over or ask is None or ask.seat != seat or ask.question.step != "deploy":
            return unasked("You are not asked to deploy anything.")
        return self.leave(deploy_the_rest(seat), f"{seat} has the rest deployed as proposed.")

    def as_proposed(self, seat: str) -> Refusal | None:
        """Go on as proposed to the end of the turn."""
        if self.over or self.asked != seat or self.pausing:
            return unasked("You are not asked anything.")
        return self.leave(
            as_proposed(seat, self.rules.turn(self.game.state)), f"{seat} goes on as proposed to the end of the turn."
        )

    def leave(self, standing: Standing, words: str = "") -> Refusal | None:
        if self.over:
            return unasked("The game is over.")
        if not words:
            standing = self._worded(standing)
        if standing in self.game.standing:
            return Refusal("illegal", "This standing answer is left already.")
        if sum(each.seat == standing.seat for each in self.game.standing) >= MOST_STANDING:
            return Refusal("illegal", f"A seat leaves at most {MOST_STANDING} standing answers.")
        before, noted, number = [*self.game.standing, standing], len(self.game.notes), self.number
        self.game.leave(standing)
        self._keep_note(RoomNote(number, words or self.game.notes[noted][1], standing.seat))
        self.sent += [""] * (self.number - number)
        self._hear(before, noted + 1)
        return None

    def _worded(self, standing: Standing) -> Standing:
        """A standing answer with the words of the question at which it is left, if it is an answer to that."""
        ask = self.game.ask
        if ask is None or ask.seat != standing.seat or ask.question.topic != standing.topic:
            return standing
        checked = ask.question.check(standing.answer)
        if isinstance(checked, Refusal):
            return standing
        return msgspec.structs.replace(standing, said=answer_words(ask.question, checked))

    def drop(self, seat: str, index: int) -> Refusal | None:
        if not 0 <= index < len(self.game.standing) or self.game.standing[index].seat != seat:
            return Refusal("unknown", "There is no such standing answer.", field="drop")
        standing = self.game.standing.pop(index)
        self.note(f"{seat} drops a standing answer: {standing.words()}", seat)
        return None

    def usual_habits(self) -> None:
        """People begin with the habits that most would choose."""
        for seat in self.people():
            for habit in self.rules.habits:
                if habit.usual and habit.standing(seat) not in self.game.standing:
                    self.take_up(seat, habit.id)
        self.settle()

    # Seats.

    def resign(self, seat: str) -> Refusal | None:
        if self.over:
            return unasked("The game is over.")
        others = [name for name in self.seats if name != seat]
        self.ended = Result(others[0] if len(others) == 1 else None, f"{seat} resigns.")
        self.takeback = None
        self.note(f"{seat} resigns.")
        return None

    def join(self, seats: list[str], name: str) -> None:
        """Never refused: whoever holds a key may sit down."""
        for seat in seats:
            self.seats[seat].joined = True
            self.seats[seat].name = name or self.seats[seat].name

    def gone(self, client: Client) -> None:
        """Somebody has left."""
        self.clients.discard(client)
        self.used = time.monotonic()
        for seat in client.owned:
            self.last_seen[seat] = time.monotonic()

    def acted(self, seat: str) -> None:
        """Somebody without a socket has done something: he is here, and has come for his seat."""
        self.seats[seat].joined = True
        self.last_seen[seat] = self.last_act[seat] = time.monotonic()

    def present(self, seat: str) -> bool:
        """Whether the person of a seat is connected, or was heard of a moment ago."""
        if any(seat in client.owned for client in self.clients):
            return True
        return time.monotonic() - self.last_act.get(seat, -HEARD) < HEARD

    def deserted(self, seat: str, seconds: float) -> bool:
        """Whether the person of a seat has been away for so long."""
        if self.seats[seat].bot or any(seat in client.owned for client in self.clients):
            return False
        return time.monotonic() - self.last_seen[seat] >= seconds

    def may_renew(self, key: str | None, seat: str) -> bool:
        """Whether the owner of a key may have a seat's key changed: his own, or one that nobody has come for yet."""
        owned = self.owned(key)
        return seat in owned or bool(owned and not self.seats[seat].bot and not self.seats[seat].joined)

    def renew(self, seat: str, fingerprint: str) -> list[str]:
        """A new key for a seat and those that shared its key. Whoever came with the old one is sent away."""
        old = self.seats[seat].key
        renewed = [name for name, row in self.seats.items() if row.key and keys.same(row.key, old)]
        for name in renewed:
            self.seats[name].key = fingerprint
        for client in list(self.clients):
            if set(renewed).intersection(client.owned):
                client.leave()
        return renewed

    def hand_to_bot(self, seat: str, bot: str) -> Refusal | None:
        if self.over:
            return unasked("The game is over.")
        if self.dice.source == "typed" and self.people() == [seat]:
            return Refusal("illegal", "Somebody must throw the dice: the last person stays.")
        self.seats[seat].holder = f"{rows.BOT}{bot}"
        self.note(f"A bot ({bot}) plays {seat} from here on.")
        return None

    def take_from_bot(self, seat: str, key: str) -> Refusal | None:
        """A person takes a bot's seat. One that another person handed over is his alone to take back."""
        row = self.seats[seat]
        shown = keys.fingerprint(key)
        if not row.bot:
            return Refusal("illegal", "A person sits there.", field="seat")
        if self.over:
            return unasked("The game is over.")
        if row.key and not keys.same(row.key, shown):
            return Refusal("illegal", "Another player left this seat to the bot.", field="seat")
        others = [name for name in self.people() if not keys.same(self.seats[name].key, shown)]
        if not row.key and others:
            return Refusal("illegal", "With two people at the table the bot keeps its seat.", field="seat")
        if not row.key:
            # His page comes back, and learns that this seat is his too.
            for client in list(self.clients):
                if any(keys.same(self.seats[mine].key, shown) for mine in client.owned):
                    client.leave()
        row.holder, row.key, row.joined = rows.PERSON, shown, True
        self.note(f"A person plays {seat} from here on.")
        self.settle()
        return None

    # To disk.

    def row(self) -> dict[str, Any]:
        """The columns of the game as they should be."""
        return {
            "rules_version": self.rules.version,
            "state": "finished" if self.over else "running",
            "turn": self.rules.turn(self.game.state),
            "asked": self.asked,
            "rewinds": self.rewinds,
            "seats": rows.pack(self.seats),
            "standing": rows.pack(self.game.standing),
            "notes": rows.pack(self.notes),
            "result": rows.pack(self.result),
            "base": rows.pack(self.base),
            "keyframe": rows.pack(self._newest_keyframe()),
        }

    def _newest_keyframe(self) -> KeyframeRow | None:
        kept, newest = self.keyframe, self.game.checkpoint
        stale = kept is None or kept.entries > self.number
        if newest is not None and (stale or newest.entries - kept.entries >= KEYFRAME_EVERY):  # type: ignore[union-attr]
            state = msgspec.msgpack.decode(newest.state, type=self.rules.state_type)
            self.keyframe = KeyframeRow(newest.entries, newest.dice, fingerprint(state, newest.dice), newest.state)
        return self.keyframe

    def change(self) -> Change:
        """What has to go to disk now."""
        row = self.row()
        values = {name: value for name, value in row.items() if self.on_disk.get(name) != value}
        keep = min(self.lowest, self.stored)
        entries = [StoredEntry(self.game.record[n], self.sent[n]) for n in range(keep, self.number)]
        return Change(self.id, values, keep, self.stored > keep, entries, owner=self.owner)

    def created(self) -> Change:
        """The game as it goes to disk for the first time."""
        change = self.change()
        change.create = True
        change.values |= {
            "ruleset": self.rules.name,
            "scenario": self.scenario,
            "title": self.title,
            "setup": rows.pack(self.game.setup),
            "dice": rows.pack(self.dice),
        }
        return change

    def written(self, change: Change) -> None:
        """The change lies on disk."""
        self.on_disk |= change.values
        self.stored = self.lowest = change.keep + len(change.entries)
