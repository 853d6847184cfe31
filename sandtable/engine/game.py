"""The game loop: a ruleset's flow, its state, the dice door, the record of answers, and the way back.

A game is (set-up, seed, answers). The flow is a generator and cannot be copied, but at each checkpoint the state alone
says how it goes on; so a copy, an undo or a load is the state of some checkpoint plus the few answers since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from sandtable.engine.dice import Dice, ForkedDice, OtherDice, OutOfDice, Throw, TypedDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Event, Modifier, seen_by
from sandtable.engine.questions import Answer, Choices, Choose, EnterDice, Option, Question, Refusal
from sandtable.engine.ruleset import Ask, C, P, Result, Ruleset
from sandtable.engine.standing import Standing, ending, fits, only_answer
from sandtable.engine.tokens import plain

if TYPE_CHECKING:
    from sandtable.engine.ruleset import S
else:
    S = TypeVar("S")
T = TypeVar("T")
Flow = Generator[Ask, Any, T]

KEYFRAME_EVERY = 64
"""Checkpoints between two kept keyframes: a rewind replays at most this many."""

SNAPSHOT_EVERY = 32
"""Checkpoints between two snapshots in a game that nobody has looked ahead in yet; after that, every one is kept."""

STANDING, FORCED = "standing", "forced"
"""Who gave an answer, if not the seat itself: one that it left, or the rules, which left no other."""

ENCODER = msgspec.msgpack.Encoder()
"""Keeps the order of dictionaries: units are gone through in it, so it is part of the state."""


def choose_one(
    seat: str,
    topic: str,
    words: str,
    choices: Choices[T],
    *,
    rules: tuple[str, ...] = (),
    facts: Mapping[str, Any] | None = None,
    always: bool = False,
    checkpoint: bool = False,
    **more: Any,
) -> Flow[T]:
    """The thing that a seat chooses; a single one is not asked about, unless `always`. `more` is the question's."""
    if not always and len(choices.allowed()) == 1:
        return choices.things[choices.allowed()[0]]
    answer: str = yield Ask(seat, Choose(topic, words, choices, rules=rules, facts=facts or {}, **more), checkpoint)
    return choices.things[answer]


def decide(
    seat: str,
    topic: str,
    words: str,
    yes: Option,
    no: Option,
    *,
    rules: tuple[str, ...] = (),
    facts: Mapping[str, Any] | None = None,
    no_first: bool = False,
    **more: Any,
) -> Flow[bool]:
    """Whether a seat says yes; `no_first` is how the two are listed. `more` is the question's."""
    options = [no, yes] if no_first else [yes, no]
    answer: str = yield Ask(seat, Choose(topic, words, options, rules=rules, facts=facts or {}, **more))
    return answer == yes.id


def proposed(question: Question) -> Answer:
    """The answer that a question proposes first."""
    return question.candidates(1)[0]


def answered(flow: Flow[T], answer: Callable[[Question], Answer] = proposed) -> T:
    """What a flow comes to that throws no dice, its questions being answered at once: as they propose, or otherwise."""
    try:
        ask = next(flow)
        while True:
            ask = flow.send(answer(ask.question))
    except StopIteration as end:
        found: T = end.value
        return found


def fingerprint(state: Any, dice: int) -> str:
    digest = hashlib.blake2b(ENCODER.encode(state), digest_size=16)
    digest.update(dice.to_bytes(8, "big"))
    return digest.hexdigest()


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One answer of the record. `by` says who gave it: the seat itself, or "standing", "forced", "deadline"."""

    seat: str
    answer: Answer
    topic: str
    by: str = ""


class Snapshot(msgspec.Struct, frozen=True):
    """The game at a checkpoint: how many answers and events came before, how many dice, and the state."""

    entries: int
    events: int
    dice: int
    state: bytes


class Astray(SandtableError):
    """What a player imagined does not agree with what has happened since."""


class Observer:
    """Statistics hook in here; each method may be left as it is."""

    def before(self, game: Game[Any]) -> None: ...
    def asks(self, game: Game[Any]) -> None: ...
    def answered(self, game: Game[Any], entry: Entry) -> None: ...
    def happened(self, game: Game[Any], event: Event) -> None: ...
    def after(self, game: Game[Any]) -> None: ...


class Kin:
    """What a game and its copies share: the `scratch` that was made last in any of them, and what lasts beside it."""

    def __init__(self) -> None:
        self.scratch: Any = None
        self.lasting: dict[object, Any] = {}


class Game(Generic[S, C, P]):
    """One game under way, with its types of state, set-up and prepared table; the last two may be left out.

    `prepared` is what the ruleset compiled from the set-up (the terrain), shared by all copies of the game.
    `marks` says how many events had happened when each answer of the record was given. `scratch` belongs to the
    ruleset: anything derived from the state that is worth keeping between questions. It is
    dropped whenever the state is replaced, and is never saved. `spares` says of a question with one legal answer
    whether that is given for whoever is asked: people are spared, programs see every question. `holds` says whether
    what need not be asked waits for a while, so that nobody can tell. Copies share their `kin`.
    """

    if not TYPE_CHECKING:

        def __class_getitem__(cls, types):
            """Types are for a type checker alone, and it knows which of them may be left out."""
            return cls

    def __init__(
        self,
        rules: Ruleset[C, S, P],
        setup: C,
        dice: Dice,
        *,
        observers: tuple[Observer, ...] = (),
        state: S | None = None,
        prepared: P | None = None,
        kin: Kin | None = None,
    ) -> None:
        self.rules = rules
        self.setup = setup
        self.prepared: P = rules.prepare(setup) if prepared is None else prepared
        self.dice = dice
        self.observers = observers
        self.state: S = rules.begin(setup) if state is None else state
        self.scratch: Any = None
        self.kin = kin or Kin()
        self.events: list[Event] = []
        self.record: list[Entry] = []
        self.notes: list[tuple[int, str]] = []
        self.standing: list[Standing] = []
        self.spares: Callable[[Ask], bool] | None = None
        self.holds: Callable[[Ask], bool] | None = None
        self.undone: list[Entry] = []
        self.fallen: list[int] = []
        self.barriers: list[int] = []
        self.keyframes: list[Snapshot] = []
        self.checkpoint: Snapshot | None = None
        self.marks: list[int] = []
        self.looked_ahead = False
        self._since_snapshot = 0
        self._since_keyframe = 0
        self.ask: Ask | None = None
        for observer in observers:
            observer.before(self)
        self._flow: Flow[None] = rules.flow(self)
        self._await(next(self._flow, None))
        self.settle()

    # What a ruleset's flow calls.

    def throw(self, seat: str, number: int, why: str, sides: int = 6) -> Flow[Throw]:
        """Throw dice: `throw = yield from game.throw(seat, 3, "to hit")`."""
        try:
            values = self.dice.draw(number, sides) if number else []
        except OutOfDice as error:
            raise OutOfDice(f"{error} ({plain(why)})") from None
        if values is None:
            values = yield from self._typed(seat, number, why, sides)
        self.fallen += values
        return Throw(seat, why, values, sides)

    def reroll(self, throw: Throw, indexes: list[int]) -> Flow[None]:
        """Throw some dice again. A die that was re-rolled before keeps what it shows."""
        fresh = [index for index in indexes if throw.may_reroll(index)]
        if fresh:
            again = yield from self.throw(throw.seat, len(fresh), f"{throw.why}, again", throw.sides)
            before = dict(throw.before)
            for index, value in zip(fresh, again.values, strict=True):
                before[index] = throw.values[index]
                throw.values[index] = value
            throw.before = before

    def _typed(self, seat: str, number: int, why: str, sides: int) -> Flow[list[int]]:
        words = f"Roll {number}d{sides} for {why} and enter what they show."
        # A copy: dice may be re-rolled, but the answer in the record stays what was typed.
        values = list((yield Ask(seat, EnterDice("dice", words, number, sides))))
        self.dice.count += number
        return values

    def tell(
        self,
        kind: str,
        text: str,
        *rules: str,
        seat: str = "",
        dice: list[Throw] | None = None,
        modifiers: list[Modifier] | None = None,
        **data: Any,
    ) -> Event:
        """Something happened that everybody may know."""
        if self.rules.spoken is not None:
            text = self.rules.spoken(self, text)
        event = Event(kind, text, list(rules), seat, dice or [], modifiers or [], data)
        self.events.append(event)
        for observer in self.observers:
            observer.happened(self, event)
        return event

    def tell_event(self, event: Event) -> None:
        self.events.append(event)
        if event.reveals:
            self.barriers.append(len(self.record))
        for observer in self.observers:
            observer.happened(self, event)

    # What players and programs call.

    @property
    def over(self) -> bool:
        return self.ask is None

    @property
    def result(self) -> Result | None:
        """How it ended, with its score; None while it goes on."""
        found = self.rules.result(self.state)
        return None if found is None else found.scored(self.rules.score(self.state))

    def answer(self, raw: object, seat: str | None = None, by: str = "") -> Refusal | None:
        """Answer the question now asked. A refusal says why not, and then nothing has changed."""
        ask = self.ask
        if ask is None:
            return Refusal("unasked", "The game is over; nothing is asked.")
        if seat is not None and seat != ask.seat:
            return Refusal("unasked", f"It is {ask.seat} who is asked now.", field="seat")
        checked = ask.question.check(raw)
        if isinstance(checked, Refusal):
            return self._told(checked)
        self.accept(checked, by)
        self.settle()
        return None

    def _told(self, refusal: Refusal) -> Refusal:
        """A refusal in the words of this game."""
        spoken = self.rules.spoken
        if spoken is None:
            return refusal
        message, legal = spoken(self, refusal.message), spoken(self, refusal.legal)
        return msgspec.structs.replace(refusal, message=message, legal=legal)

    def accept(self, checked: Answer, by: str = "") -> None:
        """Go on with an answer that the question itself proposed or checked."""
        self.undone.clear()
        self._go_on(checked, by)

    def _go_on(self, checked: Answer, by: str) -> None:
        ask = self.ask
        assert ask is not None, "an answer needs a question"
        if not isinstance(checked, str):
            # A number out of an answer must never be the very object of a field's default: msgspec would leave it out
            # of the encoded state, but not in a replay, whose answers come from a file.
            checked = msgspec.msgpack.decode(ENCODER.encode(checked))
        entry = Entry(ask.seat, checked, ask.question.topic, by)
        thrown = self.dice.count
        self.record.append(entry)
        self.marks.append(len(self.events))
        try:
            following = self._flow.send(checked)
        except StopIteration:
            following = None
        if self.dice.count != thrown:
            self.barriers.append(len(self.record))
        for observer in self.observers:
            observer.answered(self, entry)
        self._await(following)

    def _await(self, ask: Ask | None) -> None:
        self.ask = ask
        for observer in self.observers:
            if ask is None:
                observer.after(self)
            else:
                observer.asks(self)
        if ask is not None and ask.checkpoint:
            self._since_snapshot += 1
            if self.looked_ahead or self.checkpoint is None or self._since_snapshot >= SNAPSHOT_EVERY:
                state = ENCODER.encode(self.state)
                self._keep(Snapshot(len(self.record), len(self.events), self.dice.count, state))

    def _keep(self, snapshot: Snapshot) -> None:
        self.fallen = []
        self.checkpoint = snapshot
        self._since_keyframe += self._since_snapshot
        self._since_snapshot = 0
        if not self.keyframes or self._since_keyframe >= KEYFRAME_EVERY:
            self.keyframes.append(snapshot)
            self._since_keyframe = 0

    # Answers that nobody has to give himself.

    def leave(self, standing: Standing) -> None:
        """A seat leaves an answer for a question that will come again."""
        self.standing.append(standing)
        habit = next((each for each in self.rules.habits if each.standing(standing.seat) == standing), None)
        words = standing.words() if habit is None else habit.words
        self.note(f"{standing.seat} leaves a standing answer: {words}")
        self.settle()

    def settle(self) -> None:
        """Give what need not be asked: the one legal answer to those who are spared, and what was left standing."""
        while self.ask is not None and not (self.holds is not None and self.holds(self.ask)):
            if not (self._force(self.ask) or self._stand_by(self.ask)):
                return

    def settles(self, ask: Ask) -> bool:
        """Whether a question need not be answered by whoever is asked."""
        if self.spares is not None and self.spares(ask) and only_answer(ask.question):
            return True
        return any(left.seat == ask.seat and fits(left, ask.question) for left in self.standing)

    def _force(self, ask: Ask) -> bool:
        only = only_answer(ask.question) if self.spares is not None and self.spares(ask) else []
        if only:
            self.accept(only[0], FORCED)
        return bool(only)

    def _stand_by(self, ask: Ask) -> bool:
        """Whether a standing answer was given, or has ended."""
        found = next((s for s in self.standing if s.seat == ask.seat and fits(s, ask.question)), None)
        if found is None:
            return False
        why = ending(found, ask.question, self.rules.turn(self.state))
        checked = ask.question.check(found.answer_to(ask.question)) if why is None else None
        if isinstance(checked, Refusal):
            why = f"it is not legal here: {checked.message}"
        if why is None:
            self.accept(checked, STANDING)
        else:
            self.standing.remove(found)
            self.note(f"{found.seat}'s standing answer ends: {why}")
        return True

    def note(self, words: str) -> None:
        """Something about the record rather than the battle: shown in the log, without effect on the game."""
        self.notes.append((len(self.record), words))

    # The way back.

    def may_undo(self, seat: str) -> Refusal | None:
        """Undo reaches back to the last die, revealed secret or answer of another player, and no further."""
        return self.may_undo_to(seat, self._last_own(seat))

    def may_undo_to(self, seat: str, to: int) -> Refusal | None:
        """Whether everything from a question on may be taken back."""
        if not 0 <= to < len(self.record):
            return Refusal("illegal", "There is nothing to take back.")
        if any(entry.seat != seat for entry in self.record[to:]):
            return Refusal("illegal", "The other player has answered since.")
        if self.barriers and self.barriers[-1] > to:
            return Refusal("illegal", "A die has fallen, or a secret has come out, since.")
        if self.record[to].by == FORCED:
            return Refusal("illegal", "There was nothing else to answer.")
        return None

    def _last_own(self, seat: str) -> int:
        """The last question that the seat answered itself; one left standing, if nothing before can be taken back."""
        reached = max([0, *self.barriers[-1:]])
        last = len(self.record) - 1
        found = last
        for number in range(last, reached - 1, -1):
            entry = self.record[number]
            if entry.seat != seat:
                break
            if entry.by not in (STANDING, FORCED):
                return number
            found = number if entry.by == STANDING else found
        return found

    def undo(self, seat: str) -> Refusal | None:
        """Take back the last answer that the seat gave itself, and those that followed from it."""
        refused = self.may_undo(seat)
        if refused is None:
            self._take_back(seat, self._last_own(seat))
        return refused

    def undo_to(self, seat: str, to: int) -> Refusal | None:
        """Take back all answers from a question on: it is put to the seat, whatever it has left standing."""
        refused = self.may_undo_to(seat, to)
        if refused is None:
            self._take_back(seat, to)
        return refused

    def _take_back(self, seat: str, to: int) -> None:
        entries = self.record[to:]
        self.rewind(to)
        self.undone += reversed(entries)
        self.note(f"{seat} takes back an answer ({entries[0].topic})")

    def redo(self, seat: str) -> Refusal | None:
        """Give again what was taken back last, and what followed from it by itself."""
        if not self.undone or self.undone[-1].seat != seat:
            return Refusal("illegal", "There is nothing to redo.")
        entry = self.undone.pop()
        self._go_on(entry.answer, entry.by)
        while self.undone and self.undone[-1].seat == seat and self.undone[-1].by in (STANDING, FORCED):
            following = self.undone.pop()
            self._go_on(following.answer, following.by)
        self.note(f"{seat} gives the answer again ({entry.topic})")
        return None

    def rewind(self, entries: int) -> None:
        """Go back to the moment when only so many answers had been given."""
        kept = [k for k in [*self.keyframes, self.checkpoint] if k is not None and k.entries <= entries]
        replayed = self.record[:entries]
        observers, self.observers = self.observers, ()
        self._restore(max(kept, key=lambda k: k.entries))
        for entry in replayed[len(self.record) :]:
            self._go_on(entry.answer, entry.by)
        self.observers = observers

    def _restore(self, snapshot: Snapshot) -> None:
        self.state = msgspec.msgpack.decode(snapshot.state, type=self.rules.state_type)
        self.scratch = None
        self.dice.count = snapshot.dice
        del self.record[snapshot.entries :]
        del self.marks[snapshot.entries :]
        del self.events[snapshot.events :]
        self.keyframes = [k for k in self.keyframes if k.entries <= snapshot.entries]
        self.barriers = [b for b in self.barriers if b <= snapshot.entries]
        self.checkpoint = snapshot
        self._since_keyframe = self._since_snapshot = 0
        self.fallen = []
        self._flow = self.rules.flow(self)
        self.ask = next(self._flow, None)

    def keep_checkpoints(self) -> None:
        """From now on every checkpoint is kept, and so is the last one: what a player imagines begins there.

        An older one would not do: the answers since, which a copy is given again, may hold another's secrets.
        """
        if not self.looked_ahead:
            self.looked_ahead = True
            self.rewind(len(self.record))

    def fork(self, seed: int, state: S | None = None, *, even: bool = False, followed: bool = False) -> Game[S, C, P]:
        """A copy for looking ahead: the same game up to now, other dice from here on, and a short memory.

        With a state (one that a player imagines from what he knows) the copy starts from it instead. It may turn out
        that the answers since could not have been given in that world: then it is `Astray`. `followed`: they have been
        given in that very world before, so nobody need see again whether they could be.
        """
        self.keep_checkpoints()
        snapshot = self.checkpoint
        assert snapshot is not None, "a game has a checkpoint from its first question on"
        copied = msgspec.msgpack.decode(snapshot.state, type=self.rules.state_type) if state is None else state
        twin: Game[S, C, P] = Game(
            self.rules,
            self.setup,
            ForkedDice(list(self.fallen), seed, even=even),
            state=copied,
            prepared=self.prepared,
            kin=self.kin,
        )
        typed = isinstance(self.dice, TypedDice)
        try:
            for entry in self.record[snapshot.entries :]:
                if not (typed and entry.topic == "dice"):
                    if state is not None and not followed:
                        twin.follow(entry)
                    twin.accept(entry.answer, entry.by)
        except OtherDice as error:
            raise Astray(str(error)) from None
        # Dice that were left over would be the next to fall.
        if twin.dice.count != len(self.fallen):
            raise Astray("the imagined game throws other dice")
        if state is not None and not self.asks_like(twin):
            raise Astray("the imagined game asks something else")
        return twin

    def let_go(self) -> None:
        """Nobody goes on with this copy: what it holds is freed at once, and not when memory is next swept."""
        self._flow.close()
        self.ask = self.scratch = None

    def asks_like(self, other: Game[S, C, P]) -> bool:
        """Whether another game asks the same seat about the same."""
        if self.ask is None or other.ask is None:
            return self.ask is other.ask
        return self.ask.seat == other.ask.seat and self.ask.question.topic == other.ask.question.topic

    def follow(self, entry: Entry) -> None:
        """See that an answer of another game could be given here as well."""
        ask = self.ask
        if ask is None or ask.seat != entry.seat or ask.question.topic != entry.topic:
            raise Astray(f"{entry.topic} is not asked in the imagined game")
        if isinstance(ask.question.check(entry.answer), Refusal):
            raise Astray(f"{entry.topic} is answered otherwise in the imagined game")

    # What may be known.

    def view(self, seat: str | None) -> dict[str, Any]:
        """All that a seat may know now: the ruleset's view, and the question if it is asked of this seat."""
        view: dict[str, Any] = {"ruleset": self.rules.name, "seat": seat, "table": self.rules.view(self, seat)}
        if self.ask is not None:
            mine = self.ask.seat == seat
            view["asked"] = {"seat": self.ask.seat, **(self.ask.question.describe() if mine else {})}
        result = self.result
        if result is not None:
            view["result"] = msgspec.to_builtins(result)
        return view

    def seen(self, seat: str | None, since: int = 0) -> list[Event]:
        """The events as a seat may know them."""
        forms = (seen_by(event, seat) for event in self.events[since:])
        return [event for event in forms if event is not None]

    def hash(self) -> str:
        """A fingerprint of the whole state and of how many dice have fallen."""
        return fingerprint(self.state, self.dice.count)
