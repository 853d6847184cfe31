"""Turns: a few work at a time, and those who wait come from every address in turn, however many one of them sends."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MOST_WAITING = 32
"""Requests of one address that may wait; one more is refused."""


class TooBusy(Exception):
    """One address asks for more than its share."""


class Turns:
    """So many at once, and of one address one at a time if others wait."""

    def __init__(self, at_once: int, most_waiting: int = MOST_WAITING) -> None:
        self.free = at_once
        self.most_waiting = most_waiting
        self.queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        return sum(len(queue) for queue in self.queues.values())

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Wait for one's turn, and hold it while the block lasts."""
        await self.take(address)
        try:
            yield
        finally:
            self.give_back()

    async def take(self, address: str) -> None:
        """Wait for one's turn; whoever takes it gives it back."""
        if self.free and not self.queues:
            self.free -= 1
            return
        queue = self.queues.setdefault(address, deque())
        if len(queue) >= self.most_waiting:
            raise TooBusy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # It had just been given the turn that it will not use.
                self.give_back()
            else:
                self._forget(address, turn)
            raise

    def _forget(self, address: str, turn: asyncio.Future[None]) -> None:
        queue = self.queues.get(address)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self.queues[address]

    def give_back(self) -> None:
        """The next address in the row comes; its own next request goes to the end of the row."""
        while self.queues:
            address, queue = self.queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self.queues[address] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
