"""Bots think in processes of their own: the server never waits for one, and one that hangs is stopped.

Each worker keeps copies of the games that it plays in and is sent only the answers that it lacks. It plays on until
a person is asked or its turn is over, telling each choice as it is made. A game always goes to the same worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import os
import signal
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from sandtable.engine.game import Entry
from sandtable.engine.questions import Answer
from sandtable.server.children import READY, Child
from sandtable.server.rows import DiceRow, Start

TURN = 0.25
"""Seconds that a worker plays on in one game before it turns to the next."""

MOST_COPIES = 48
"""Games of which a worker keeps a copy."""


class Task(msgspec.Struct):
    """A game in which bots are to play on. Without a set-up the worker has a copy that lacks only `entries`."""

    game: str
    ruleset: str
    rewinds: int
    number: int
    bots: dict[str, str]
    dice: DiceRow
    entries: list[Entry]
    setup: bytes | None = None
    base: Start | None = None


class Choice(msgspec.Struct, frozen=True):
    """What a bot chose, and why, if it says so."""

    answer: Answer
    why: str = ""


class Thought(msgspec.Struct):
    """What came of a task: the choices made, and what went wrong, if something did."""

    choices: list[Choice]
    failed: str = ""


def bot_seed(secret: str, seat: str, number: int) -> int:
    """Each decision has its own chance, the same whenever it is thought over again."""
    digest = hashlib.blake2b(f"{secret} {seat} {number}".encode(), digest_size=8, person=b"bots")
    return int.from_bytes(digest.digest(), "big") >> 1


# In the worker.


def work(pipe: Connection, rulesets_to_warm: list[str]) -> None:
    """A worker's life. Told through the pipe: "ready", then for each task "begun", each choice, and "done"."""
    from sandtable.table.compiled import switch

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    switch.follow()
    for name in rulesets_to_warm:
        warm(name)
    copies: OrderedDict[str, tuple[int, Any]] = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(("ready", None))
        while True:
            task: Task = pipe.recv()
            play(pipe, copies, task)
            while len(copies) > MOST_COPIES:
                copies.popitem(last=False)


def warm(name: str) -> None:
    """Begin a game, so that nothing has to be read while somebody waits."""
    from sandtable import rulesets
    from sandtable.engine.dice import SeededDice
    from sandtable.engine.game import Game

    rules = rulesets.load(name)
    Game(rules, rules.scenario(rules.scenarios()[0]), SeededDice(1))


def copy_of(copies: OrderedDict[str, tuple[int, Any]], task: Task) -> Any:
    """The worker's copy of a game, brought up to date."""
    from sandtable import rulesets
    from sandtable.engine import rebuild
    from sandtable.server.room import make_dice

    if task.setup is not None:
        rules = rulesets.load(task.ruleset)
        setup = msgspec.json.decode(task.setup, type=rules.setup_type)
        copies[task.game] = (task.rewinds, rebuild.begin(rules, setup, make_dice(task.dice), task.base))
    _, game = copies[task.game]
    copies.move_to_end(task.game)
    rebuild.follow(game, task.entries)
    return game


def play(pipe: Connection, copies: OrderedDict[str, tuple[int, Any]], task: Task) -> None:
    from sandtable import bots
    from sandtable.engine.questions import EnterDice
    from sandtable.engine.seat import Seat

    game = copy_of(copies, task)
    seats = {name: Seat(game, name) for name in task.bots}
    ends = time.monotonic() + TURN
    pipe.send(("begun", None))
    while game.ask is not None and game.ask.seat in seats and not isinstance(game.ask.question, EnterDice):
        name = game.ask.seat
        bot = bots.make(task.bots[name], bot_seed(task.dice.secret, name, len(game.record)))
        answer = bot.choose(seats[name])
        game.accept(answer)
        pipe.send(("choice", Choice(answer, getattr(bot, "why", ""))))
        if time.monotonic() > ends:
            break
    pipe.send(("done", None))


# In the server.


class Worker:
    """One worker process. Its tasks wait in a queue; those of games with people in them come first."""

    def __init__(self, deadline: float, warm: list[str]) -> None:
        self.deadline = deadline
        self.warm = warm
        self.child = Child(work, "sandtable-bots")
        self.known: dict[str, tuple[int, int]] = {}
        self.tasks: asyncio.PriorityQueue[tuple[int, int, Any, asyncio.Future[Thought]]] = asyncio.PriorityQueue()
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="worker")
        self.loop_task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.child.start(self.warm)
        self.known = {}

    def think(self, task: Task) -> Thought:
        """Give the worker a task and collect what it chooses; runs in this worker's own thread."""
        if not self.child.alive:
            self.child.stop()
            self.start()
            # A new process knows no game: its task must come in full.
            return Thought([], "again")
        if not self.child.ready():
            return Thought([], "Its program could not start.")
        thought = Thought([])
        word, patience = "", READY
        try:
            self.child.send(task)
            while word != "done":
                word, said = self.child.hear(patience)
                patience = self.deadline
                if word == "choice":
                    thought.choices.append(said)
                elif word in ("late", "gone"):
                    thought.failed = "The bot did not answer in time." if word == "late" else "The bot broke down."
                    break
        except OSError:
            thought.failed = "The bot broke down."
        if thought.failed:
            self.child.replace()
            self.start()
        else:
            # Last in the row, as the worker itself keeps its copies.
            self.known.pop(task.game, None)
            self.known[task.game] = (task.rewinds, task.number + len(thought.choices))
            if len(self.known) > MOST_COPIES:
                self.known.pop(next(iter(self.known)))
        return thought


class Workers:
    """All worker processes. Unless they are `eager`, each starts when it is first needed."""

    def __init__(self, count: int, deadline: float = 10.0, warm: list[str] | None = None, eager: bool = True) -> None:
        self.eager = eager
        self.all = [Worker(deadline, warm or []) for _ in range(max(1, count))]
        self.order = itertools.count()

    def start(self) -> None:
        for worker in self.all:
            if self.eager:
                worker.start()
            worker.loop_task = asyncio.get_running_loop().create_task(self._serve(worker))

    async def stop(self) -> None:
        for worker in self.all:
            if worker.loop_task is not None:
                worker.loop_task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await worker.loop_task
            # First the process: a thread that waits for its word then hears that it is gone.
            worker.child.kill()
            worker.thread.shutdown(wait=True)
            worker.child.stop()

    @property
    def serving(self) -> bool:
        """Whether somebody attends to the tasks of every worker; a process that has ended is started with its next."""
        return all(worker.loop_task is not None and not worker.loop_task.done() for worker in self.all)

    def of(self, game_id: str) -> Worker:
        place = int.from_bytes(hashlib.blake2b(game_id.encode(), digest_size=4).digest(), "big")
        return self.all[place % len(self.all)]

    async def _serve(self, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            _, _, make, answered = await worker.tasks.get()
            try:
                thought = Thought([], "again")
                while thought.failed == "again" and not thought.choices:
                    task: Task | None = await make(worker)
                    if task is None:
                        thought = Thought([])
                        break
                    thought = await loop.run_in_executor(worker.thread, worker.think, task)
                if not answered.done():
                    answered.set_result(thought)
            except Exception as error:
                if not answered.done():
                    answered.set_exception(error)

    async def think(self, game_id: str, make: Any, urgent: bool) -> Thought:
        """Have a task done. `make(worker)` builds it when its turn has come, or None if it is not wanted any more."""
        answered: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        worker = self.of(game_id)
        worker.tasks.put_nowait((0 if urgent else 1, next(self.order), make, answered))
        return await answered


def usual_count() -> int:
    """One core is left to the server."""
    return max(1, min(8, (os.cpu_count() or 2) - 1))
