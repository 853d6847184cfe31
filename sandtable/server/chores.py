"""Chores: what takes long or comes from strangers is done in processes of their own, with limits on time and memory.

A process that takes too long, or too much, is stopped, and another takes its place; the server itself never waits
for one with anything in its hands. Chores of one address wait for one another, those of different addresses take
turns.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from sandtable.server.catalogue import NotPlayable
from sandtable.server.children import Child
from sandtable.server.fair import Turns
from sandtable.table.compiled import switch

LOG = logging.getLogger("sandtable.server")

MEMORY = 1 << 30
"""Bytes that a chore may take beyond what its process has when it is ready."""


NICE = 5
"""How far the process steps back behind the server and the bots."""


class ChoreFailed(Exception):
    """A chore that could not be done, in a sentence for whoever wanted it."""


# In the process.


def work(pipe: Connection, warm: bool) -> None:
    """Do one chore after the other: each is a function of the table below with what it is given."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Who plays comes first, also where there are few cores.
    os.nice(NICE)
    if warm:
        chores()
    # What takes memory in any case does not count: the compiler is loaded before the limit is set.
    import numba  # noqa: F401

    limit_memory()
    switch.follow()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(("ready", None))
        while True:
            name, given = pipe.recv()
            pipe.send(done(name, given))


def limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def done(name: str, given: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", chores()[name](*given)
    except MemoryError:
        return "failed", "This takes more memory than it may."
    except Exception as error:
        if isinstance(error, NotPlayable):
            return "refused", error.refusal
        LOG.exception("the chore %s failed", name)
        return "failed", "This failed on the server."


def chores() -> dict[str, Callable[..., Any]]:
    """What may be asked for."""
    from sandtable.server import files, pictures

    return {"import": files.imported, "draw": pictures.draw, "draw-stored": pictures.draw_stored}


# In the server.


def have_done(child: Child, name: str, given: tuple[Any, ...], seconds: float) -> Any:
    """Give a process a chore and wait for what comes of it; runs in a thread of its own."""
    if not child.alive:
        child.stop()
        child.start(False)
    if not child.ready():
        raise ChoreFailed("This failed on the server.")
    try:
        child.send((name, given))
        word, said = child.hear(seconds)
    except OSError:
        word, said = "gone", None
    if word in ("late", "gone"):
        child.replace()
        raise ChoreFailed("This takes too long." if word == "late" else "This takes more memory than it may.")
    if word == "refused":
        raise NotPlayable(said)
    if word == "failed":
        raise ChoreFailed(said)
    return said


class Chores:
    """The processes, and who waits for one. Unless they are `eager`, each starts when it is first needed."""

    def __init__(self, count: int = 1, eager: bool = True) -> None:
        self.eager = eager
        self.children = [Child(work, "sandtable-chores") for _ in range(count)]
        self.idle = list(self.children)
        self.turns = Turns(count)
        self.threads = ThreadPoolExecutor(count, thread_name_prefix="chores")

    @property
    def waiting(self) -> int:
        return self.turns.waiting

    def start(self) -> None:
        if self.eager:
            for child in self.children:
                child.start(True)

    def stop(self) -> None:
        # First the processes: a thread that waits for one then hears that it is gone.
        for child in self.children:
            child.stop()
        self.threads.shutdown(wait=False, cancel_futures=True)

    async def do(self, address: str, name: str, *given: Any, seconds: float) -> Any:
        """Have a chore done for somebody, when it is his turn."""
        await self.turns.take(address)
        child = self.idle.pop()
        working = asyncio.get_running_loop().run_in_executor(self.threads, have_done, child, name, given, seconds)

        def free(_: Any) -> None:
            self.idle.append(child)
            self.turns.give_back()

        # Whoever wanted it may go away; the process is free only when its work has ended.
        working.add_done_callback(free)
        return await asyncio.shield(working)
