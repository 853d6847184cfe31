"""All games of a server: taken up from disk when somebody asks for them, written before anybody hears of a change."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sandtable.engine.questions import Refusal
from sandtable.server import handing, loading, rows
from sandtable.server.chores import Chores
from sandtable.server.fair import Turns
from sandtable.server.lease import FileLease
from sandtable.server.limits import Gate, Limits
from sandtable.server.metrics import Metrics
from sandtable.server.neighbours import Elsewhere, Neighbours
from sandtable.server.pictures import Pictures
from sandtable.server.preload import preload
from sandtable.server.room import Room
from sandtable.server.storage import Change, Storage, Taken
from sandtable.server.workers import Task, Thought, Worker, Workers

LOG = logging.getLogger("sandtable.server")
THREADS = 4
LONG = 2
OPENERS = 2
AT_ONCE = 4
"""Games of bots alone that are taken up from disk at the same time."""

LAST_STEP = 2.0
"""Seconds that a step under way is waited for when the server ends."""

TIDY = 600.0
"""Seconds between two looks for games that were abandoned."""

AT_A_TIME = 200
"""Abandoned games that are put away in one such look."""

YOUNG = 3600.0
"""A game that was played within so many seconds is never put away to make space."""

IDLE = 600.0
"""Seconds after which a game that nobody looks at leaves the memory; it lies on disk."""

CLOSE_IDLE = 30.0
"""Seconds between two looks for those."""

CHECK_OWNERS = 0.5
"""Seconds between two checks of whether the games are still ours, and whether other servers have left some."""

LINGER = 5.0
"""Seconds that the bots of a game play on, after a start, before the next is taken up."""

PAUSE = 1.0
"""Seconds until bots try again after something on the server went wrong."""

T = TypeVar("T")


class Hall:
    """The games, the threads in which their rules run, and the bots' processes."""

    def __init__(
        self,
        storage: Storage,
        workers: Workers,
        limits: Limits | None = None,
        lease: FileLease | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        preload()
        self.storage = storage
        self.workers = workers
        self.chores = Chores(eager=workers.eager)
        self.pictures = Pictures(self.chores)
        self.turns = Turns(LONG)
        self.sockets: Counter[str] = Counter()
        self.metrics = Metrics()
        self.lease = lease
        self.neighbours = neighbours
        self.between = None if neighbours is None else handing.client()
        self.limits = limits or Limits()
        self.messages = Gate(self.limits.all_messages)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self.opening: dict[str, asyncio.Task[Room | None]] = {}
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.holding: dict[str, asyncio.Task[None]] = {}
        self.background: set[asyncio.Task[Any]] = set()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="rules")
        self.long = ThreadPoolExecutor(LONG, thread_name_prefix="long")
        self.openers = ThreadPoolExecutor(OPENERS, thread_name_prefix="opening")
        self.pools = (self.threads, self.long, self.openers, self.chores.threads)
        self.closing = False

    async def run(self, job: Callable[..., T], *given: Any) -> T:
        """Run something that takes a while, away from the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, job, *given)

    async def run_long(self, address: str, job: Callable[..., T], *given: Any) -> T:
        """Run something long for an address, when it is its turn, so that no answer and no other address waits long."""
        async with self.turns.of(address):
            return await asyncio.get_running_loop().run_in_executor(self.long, job, *given)

    # Opening and closing.

    def start(self) -> None:
        self.workers.start()
        self.chores.start()
        if self.neighbours is None:
            self._aside(self._take_up_all())
        else:
            self._aside(self._forget_lost())
            self._aside(self._adopt(self.neighbours))
        self._aside(self._tidy())
        self._aside(self._close_idle())

    async def close(self) -> None:
        self.closing = True
        busy = [*self.background, *self.playing.values(), *self.holding.values(), *self.opening.values()]
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        await self.workers.stop()
        self.chores.stop()
        for room in list(self.rooms.values()):
            # Whoever is in the midst of a step finishes it.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_STEP), room.lock:
                    pass
        for pool in self.pools:
            pool.shutdown(wait=False, cancel_futures=True)
        if self.between is not None:
            await self.between.aclose()
        await asyncio.to_thread(self.storage.close)
        if self.lease is not None:
            self.lease.release()
        if self.neighbours is not None:
            await asyncio.to_thread(self.neighbours.leave)

    def lease_held(self) -> bool:
        """Whether the games that are open here are still this server's."""
        return (self.lease is None or self.lease.held()) and (self.neighbours is None or self.neighbours.held())

    def _ours(self, room: Room) -> bool:
        """Whether nobody else can have taken a game since it was taken up here."""
        return self.neighbours is None or (room.owner == self.neighbours.id and self.neighbours.held())

    async def _forget_lost(self) -> None:
        """Games that others may have taken over are forgotten, whether anybody asks for them or not."""
        while True:
            for room in [room for room in self.rooms.values() if not self._ours(room)]:
                self.forget(room)
            await asyncio.sleep(CHECK_OWNERS)

    async def _adopt(self, neighbours: Neighbours) -> None:
        """Whenever a server has come or gone, bots go on with the games that live nowhere, until there are none."""
        known: set[str] = set()
        while True:
            living = set(neighbours.living)
            if living != known and neighbours.held():
                try:
                    found = [name for name, seats in await self.run(neighbours.orphans) if _has_bots(seats)]
                    await self._take_up(found, 0.0)
                    known = known if found else living
                except Exception:
                    LOG.exception("games without a server could not be looked for")
            await asyncio.sleep(CHECK_OWNERS)

    def still_computing(self) -> bool:
        """Whether a thread is still at work after the end."""
        threads = [thread for pool in self.pools for thread in pool._threads]
        for thread in threads:
            thread.join(0.1)
        return any(thread.is_alive() for thread in threads)

    def _aside(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    async def _take_up_all(self) -> None:
        """After a start, bots go on with every game in which one of them is asked."""
        found = [name for name, seats in await self.run(self.storage.running) if _has_bots(seats)]
        await self._take_up(found, LINGER)

    async def _take_up(self, waiting: list[str], linger: float) -> None:
        """Take up games in which bots sit, a few at a time."""
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(name: str) -> None:
            async with turn:
                try:
                    await self.room(name)
                    playing = self.playing.get(name)
                    if playing is not None and linger:
                        await asyncio.wait([playing], timeout=linger)
                except Elsewhere:
                    # Another server was quicker.
                    pass
                except Exception:
                    LOG.exception("game %s could not be taken up", name)

        await asyncio.gather(*(one(name) for name in waiting))

    def opened(self, game_id: str) -> Room | None:
        """A game by its id, if it is open here."""
        room = self.rooms.get(game_id)
        if room is not None and self._ours(room):
            self.rooms.move_to_end(game_id)
            room.used = time.monotonic()
            return room
        if room is not None:
            self.forget(room)
        return None

    async def room(self, game_id: str) -> Room | None:
        """A game by its id, taken up from disk if it is not open; None if there is none.

        If it lives on another server, that is raised.
        """
        room = self.opened(game_id)
        if room is not None:
            return room
        opening = self.opening.get(game_id)
        if opening is None:
            opening = asyncio.get_running_loop().create_task(self._open(game_id))
            self.opening[game_id] = opening
            opening.add_done_callback(lambda _: self.opening.pop(game_id, None))
        return await asyncio.shield(opening)

    async def _claim(self, game_id: str) -> str | None:
        """Make sure that a game is this server's. Returns the name under which it writes to it, if it needs one."""
        if self.neighbours is None:
            return None
        me = self._name(self.neighbours)
        await self.run(self.neighbours.claim, game_id, me)
        return me

    def _name(self, neighbours: Neighbours) -> str:
        me = neighbours.id
        if not neighbours.held() or self.closing:
            raise Elsewhere
        return me

    async def _open(self, game_id: str) -> Room | None:
        owner = await self._claim(game_id)
        row = await self.run(self.storage.game, game_id)
        if row is None:
            return None
        stored = await self.run(self.storage.entries, game_id)
        # In threads of their own: however many and large the games are that are opened, answers do not wait for them.
        room = await asyncio.get_running_loop().run_in_executor(self.openers, loading.load, row, stored)
        room.owner = owner
        if room.lowest < room.stored:
            await self._write(room)
        self._keep(room)
        self.wake(room)
        return room

    def _keep(self, room: Room) -> None:
        self.rooms[room.id] = room
        for old in self._idle()[: max(0, len(self.rooms) - self.limits.rooms_open)]:
            if old is not room:
                del self.rooms[old.id]

    def _idle(self) -> list[Room]:
        """Games in memory in which nothing goes on, those first that were not asked for longest."""
        return [r for r in self.rooms.values() if not r.clients and r.id not in self.playing and not r.lock.locked()]

    def close_idle(self, seconds: float) -> None:
        """Let go of what nobody has asked for in so many seconds. A wish to go back, or forth again, is only here."""
        before = time.monotonic() - seconds
        for room in self._idle():
            if room.used < before and room.takeback is None and not room.game.undone:
                del self.rooms[room.id]

    async def _close_idle(self) -> None:
        while True:
            await asyncio.sleep(CLOSE_IDLE)
            self.close_idle(IDLE)

    def forget(self, room: Room) -> None:
        """What is in memory may not be what is on disk: throw it away. Pages connect again and see the latter."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
        for client in list(room.clients):
            client.leave()

    # Making a game.

    async def create(self, make: Callable[[], Room]) -> Room:
        """A new game, on disk when this returns."""
        await self._make_space()
        room = await self.run(make)
        room.owner = None if self.neighbours is None else self._name(self.neighbours)
        await self._write(room, room.created())
        self._keep(room)
        self.wake(room)
        return room

    async def admit(self, change: Change) -> None:
        """A game that was made elsewhere comes to disk here. It is opened when somebody comes to play it."""
        await self._make_space()
        change.owner = None if self.neighbours is None else self._name(self.neighbours)
        await asyncio.wrap_future(self.storage.write(change))

    async def _make_space(self) -> None:
        """Beyond the numbers of games kept, the oldest finished ones go and the longest idle ones are put away."""
        counts = await self.run(self.storage.count_by_state)
        if counts.get("finished", 0) >= self.limits.games_kept:
            for name in await self.run(self.storage.oldest_finished, max(1, self.limits.games_kept // 100)):
                await asyncio.wrap_future(self.storage.write(Change(name, {}, delete=True)))
                self.rooms.pop(name, None)
        if counts.get("running", 0) >= self.limits.games_running:
            share = max(1, self.limits.games_running // 100)
            if not await self._put_away(time.time() - YOUNG, share):
                raise Full

    async def _put_away(self, before: float, most: int) -> int:
        """Archive games that nobody has touched since a time. Returns how many."""
        found = 0
        others = [] if self.neighbours is None else self.neighbours.others()
        for name in await self.run(self.storage.idle, before, most, others):
            room = self.rooms.get(name)
            if room is not None and (room.clients or room.lock.locked() or name in self.playing):
                continue
            self.rooms.pop(name, None)
            with contextlib.suppress(Elsewhere, Taken):
                away = Change(name, {"state": "archived"}, untouched=True, owner=await self._claim(name))
                await asyncio.wrap_future(self.storage.write(away))
                found += 1
        return found

    async def _tidy(self) -> None:
        """Put away, now and then, what was abandoned."""
        while self.limits.archive_after > 0:
            try:
                await self._put_away(time.time() - self.limits.archive_after, AT_A_TIME)
            except Exception:
                LOG.exception("abandoned games could not be put away")
            await asyncio.sleep(TIDY)

    # Playing.

    async def act(self, room: Room, step: Callable[[], Refusal | None]) -> Refusal | None:
        """Do something in a game and write it down. Whoever leaves meanwhile does not stop it half-way."""
        return await asyncio.shield(asyncio.get_running_loop().create_task(self._act(room, step)))

    async def _act(self, room: Room, step: Callable[[], Refusal | None]) -> Refusal | None:
        began = time.monotonic()
        async with room.lock:
            if self.rooms.get(room.id) is not room or not self._ours(room):
                self.forget(room)
                raise Elsewhere
            try:
                refused = await self.run(step)
            except Exception:
                LOG.exception("game %s failed; it is read again from disk", room.id)
                self.forget(room)
                raise
            if refused is not None:
                return refused
            await self._write(room)
        self.metrics.answers.took(time.monotonic() - began)
        self.changed(room)
        self.wake(room)
        return None

    async def _write(self, room: Room, change: Change | None = None) -> None:
        change = change or room.change()
        if not (change.values or change.entries or change.drops or change.create):
            return
        try:
            await asyncio.wrap_future(self.storage.write(change))
        except Taken:
            self.forget(room)
            raise Elsewhere from None
        except Exception:
            LOG.exception("game %s could not be written; it is read again from disk", room.id)
            self.forget(room)
            raise
        room.written(change)

    def changed(self, room: Room) -> None:
        """Everybody who looks on is told."""
        room.version += 1
        for client in room.clients:
            client.changed()

    # Bots.

    def wake(self, room: Room) -> None:
        """If a bot is asked and does not think yet, it begins; what is answered by itself in a while comes then."""
        if room.pausing and room.id not in self.holding and not self.closing:
            task = asyncio.get_running_loop().create_task(self._hold(room))
            self.holding[room.id] = task
            task.add_done_callback(lambda _: self.holding.pop(room.id, None))
        if room.bot_asked and room.id not in self.playing and not self.closing:
            task = asyncio.get_running_loop().create_task(self._bots(room))
            self.playing[room.id] = task
            task.add_done_callback(lambda _: self._thought(room))

    async def _hold(self, room: Room) -> None:
        """Give what need not be asked after about as long as a person would take."""
        with contextlib.suppress(Elsewhere):
            while room.pausing and self.rooms.get(room.id) is room:
                number = room.number
                await asyncio.sleep(secrets.SystemRandom().uniform(*self.limits.held))
                await self.act(room, lambda number=number: room.release(number))  # type: ignore[misc]

    def _thought(self, room: Room) -> None:
        self.playing.pop(room.id, None)
        if self.rooms.get(room.id) is room:
            # Perhaps a bot was asked again while the last thought was put away.
            self.wake(room)

    async def _bots(self, room: Room) -> None:
        try:
            while room.bot_asked and self.rooms.get(room.id) is room:
                await self._one_thought(room)
        except Elsewhere:
            # They go on where it lives now.
            pass
        except Exception:
            LOG.exception("bots cannot go on with game %s for now", room.id)
            await asyncio.sleep(PAUSE)
            if room.id not in self.rooms and not self.closing:
                # It was forgotten: nobody else would wake them.
                self._aside(self._take_up([room.id], 0.0))
        finally:
            if room.thinking:
                room.thinking = ""
                self.changed(room)

    async def _one_thought(self, room: Room) -> None:
        started = (0, 0)

        async def make(worker: Worker) -> Task | None:
            nonlocal started
            async with room.lock:
                started = (room.number, room.rewinds)
                return task_of(room, worker) if room.bot_asked else None

        if room.thinking != room.bot_asked:
            room.thinking = room.bot_asked
            self.changed(room)
        thought = await self.workers.think(room.id, make, bool(room.people()) or bool(room.clients))
        try:
            if thought.choices or thought.failed:
                await self.act(room, lambda: self._take(room, thought, *started))
        finally:
            if self.rooms.get(room.id) is not room:
                # The worker's copy may hold answers that were never written.
                self.workers.of(room.id).known.pop(room.id, None)

    def _take(self, room: Room, thought: Thought, number: int, rewinds: int) -> Refusal | None:
        if not room.bot_answers(number, rewinds, thought.choices):
            # The worker's copy holds answers that were not taken.
            self.workers.of(room.id).known.pop(room.id, None)
        elif thought.failed:
            room.bot_failed(number + len(thought.choices), rewinds, thought.failed)
        return None


class Full(Exception):
    """No more games are kept here."""


def _has_bots(seats: bytes) -> bool:
    return any(row.bot for row in rows.seats(seats).values())


def task_of(room: Room, worker: Worker) -> Task:
    """What a worker must know to play on: all of the game, or only what it lacks."""
    bots = {seat: row.bot for seat, row in room.seats.items() if row.bot}
    known = worker.known.get(room.id)
    task = Task(room.id, room.rules.name, room.rewinds, room.number, bots, room.dice, list(room.game.record))
    if known is not None and known[0] == room.rewinds and known[1] <= room.number:
        task.entries = task.entries[known[1] :]
    else:
        task.setup, task.base = rows.pack(room.game.setup), room.base
    return task


def new_secret() -> str:
    return secrets.token_hex(32)
