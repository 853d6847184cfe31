"""Processes of the server: each does one thing after the other and tells through a pipe what came of it."""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

LOG = logging.getLogger("sandtable.server")

READY = 300.0
"""Seconds that a process may take to start, and to bring itself up to date: a long game is played again, and
perhaps with plain kernels."""

Said = tuple[str, Any]


class Child:
    """A process, and the pipe to it. `work` is its life; the first thing that it says is "ready"."""

    def __init__(self, work: Callable[..., None], name: str) -> None:
        self.work = work
        self.name = name
        self.process: Any = None
        self.pipe: Connection | None = None
        self.fresh = True
        self.replaced = 0

    def start(self, *given: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=self.work, args=(theirs, *given), daemon=True, name=self.name)
        self.process.start()
        theirs.close()
        self.fresh = True

    def kill(self) -> None:
        """A thread that waits for its word then hears that it is gone."""
        if self.process is not None:
            self.process.kill()

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            assert self.pipe is not None
            self.pipe.close()
            self.process = None

    @property
    def alive(self) -> bool:
        """Whether it is there; one that has ended by itself is noted."""
        if self.process is None:
            return False
        if not self.process.is_alive():
            LOG.warning("the process %s has ended and is replaced", self.name)
            self.replaced += 1
            return False
        return True

    def replace(self) -> None:
        """It took too long, or broke down."""
        self.replaced += 1
        self.stop()

    def ready(self) -> bool:
        """Wait until it has started; False if it cannot."""
        if self.fresh and self.hear(READY)[0] != "ready":
            self.stop()
            return False
        self.fresh = False
        return True

    def send(self, message: Any) -> None:
        assert self.pipe is not None
        self.pipe.send(message)

    def hear(self, seconds: float) -> Said:
        """What it says next: "late" if that takes longer, "gone" if it is not there any more."""
        assert self.pipe is not None
        try:
            if not self.pipe.poll(seconds):
                return ("late", None)
            said: Said = self.pipe.recv()
        except (EOFError, OSError):
            return ("gone", None)
        return said
