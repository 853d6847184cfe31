"""A seat held by a program: one JSON a line, the view and the question in, an answer out, within a deadline.

We write `{"hello": 1, "seat": …, "ruleset": …}` once, then for each question `{"number": n, "view": …,
"question": …, "candidates": […], "events": […], "deadline": seconds}`. The program writes `{"answer": …}`, and
better `{"number": n, "answer": …}`, so that an answer that comes too late is not taken for one to the next
question. A refused answer comes back as `{"refused": {…}}` and may be mended while the deadline lasts. Past it,
or when the program has ended, the question's first candidate is taken, and the record says so. At the end we
write `{"over": {…}}`.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from typing import Any

import msgspec

from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.questions import Answer, Refusal
from sandtable.engine.seat import Seat

LONGEST_LINE = 1_000_000
"""A program that writes a longer line is not answering a question."""

ENDED = b""
"""What a queue of lines gives when there will be no more."""


class ProgramError(SandtableError):
    """A seat's program cannot be started."""


class ProgramSeat:
    """A player that is another process. It sees its own view and nothing else; `late` says that time ran out."""

    def __init__(self, command: str, deadline: float = 5.0) -> None:
        self.command = command
        self.deadline = deadline
        self.told = 0
        self.asked = 0
        self.greeted = False
        self.late = False
        try:
            self.process = subprocess.Popen(
                shlex.split(command) or [""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError) as error:
            raise ProgramError(f"the program {command!r} cannot be started: {error}") from None
        # Reading and writing each have a thread: a program that does neither must not hold up the game.
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.mail: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._send, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        with stream:
            while line := stream.readline(LONGEST_LINE):
                self.lines.put(line)
        self.lines.put(ENDED)

    def _send(self) -> None:
        stream = self.process.stdin
        assert stream is not None
        # A program that has died reads no more; that is noticed where its answer is awaited.
        with contextlib.suppress(OSError), stream:
            while (line := self.mail.get()) != ENDED:
                stream.write(line)

    def _write(self, message: dict[str, Any]) -> None:
        self.mail.put(msgspec.json.encode(message) + b"\n")

    def _line(self, ends: float) -> bytes | None:
        """The program's next line; None when there is none in time or there will be no more."""
        try:
            line = self.lines.get(timeout=max(0.0, ends - time.monotonic()))
        except queue.Empty:
            return None
        if line == ENDED:
            self.lines.put(ENDED)
            return None
        return line

    def choose(self, seat: Seat) -> Answer:
        """The program's answer, or the first candidate when it gives none in time."""
        question = seat.question
        if not self.greeted:
            self._write({"hello": 1, "seat": seat.name, "ruleset": seat.ruleset})
            self.greeted = True
        events, self.told = seat.events(self.told), seat.event_count
        self.asked += 1
        self._write(
            {
                "number": self.asked,
                "view": seat.view(),
                "question": question.describe(),
                "candidates": question.candidates(8),
                "events": events,
                "deadline": self.deadline,
            }
        )
        self.late = False
        ends = time.monotonic() + self.deadline
        while (line := self._line(ends)) is not None:
            try:
                message = msgspec.json.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                message = None
            if not isinstance(message, dict) or "answer" not in message:
                self._write({"refused": {"kind": "malformed", "message": 'expected {"answer": …} on one line'}})
                continue
            if message.get("number", self.asked) != self.asked:
                continue
            checked = question.check(message["answer"])
            if not isinstance(checked, Refusal):
                return checked
            self._write({"refused": msgspec.to_builtins(checked)})
        self.late = True
        return question.candidates(1)[0]

    def close(self, game: Game[Any]) -> None:
        self._write({"over": msgspec.to_builtins(game.result)})
        self.mail.put(ENDED)
        try:
            self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
