"""From plain kernels to compiled ones, while a game is being played.

A process begins with plain kernels. As soon as a compiled one lies in the cache, its name in its module is set to it;
who calls it next gets the same answer, faster. Compiling is done by a process of its own that gives way to all others.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from sandtable.table.compiled import Kernel, cache, entries

POLL = 0.25
"""Seconds between two looks at the cache while something is missing there."""

SELDOM = 5.0
PATIENCE = 600.0
"""After so many seconds a process looks only seldom: nobody seems to compile what it waits for."""

TRIES = 2
"""How often a process is started to compile, should it end before it has finished."""

STAYS_PLAIN = "Geometry stays uncompiled, and everything takes longer: {}."

Tell = Callable[[str], None]

_switching = threading.Lock()
_compiled: dict[Kernel, Any] = {}
_ending = threading.Event()


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def take() -> bool:
    """Switch to every kernel that lies in the cache. Whether all are compiled now."""
    there = cache.names()
    if not there:
        return False
    # Only here does a process that plays load the compiler.
    from sandtable.table.compiled import compiler

    with _switching:
        todo = [kernel for kernel in cache.in_order() if kernel not in _compiled]
        for kernel in todo:
            name = cache.file_of(kernel)
            if name not in there or _ending.is_set():
                continue
            content = cache.read(name)
            made = None if content is None else compiler.unpacked(kernel, content)
            if made is None:
                cache.remove(name)
                continue
            _compiled[kernel] = made
            setattr(kernel.home, kernel.name, made)
        done = all(kernel in _compiled for kernel in todo)
    if done:
        cache.used()
    return done


@contextmanager
def plain() -> Iterator[None]:
    """Play with plain kernels for a while."""
    with _switching:
        for kernel in entries():
            setattr(kernel.home, kernel.name, kernel.plain)
    try:
        yield
    finally:
        with _switching:
            for kernel, made in _compiled.items():
                setattr(kernel.home, kernel.name, made)


# In the background.


def begin(tell: Tell = say) -> threading.Thread | None:
    """Have compiled whatever is not compiled yet, and switch to it as it comes. What cannot be done is told once."""
    try:
        place(tell)
    except cache.NoCache as reason:
        tell(STAYS_PLAIN.format(reason))
        return None
    compiling: list[subprocess.Popen[str]] = []

    def step() -> bool:
        if take():
            return True
        if (not compiling or compiling[-1].poll() is not None) and not cache.busy():
            if len(compiling) == TRIES:
                raise cache.NoCache("the compiler has ended before it had finished")
            compiling.append(start("--nice"))
        return False

    return _aside(step, tell)


def follow(tell: Tell = say) -> threading.Thread:
    """Switch to what another process has compiled, as it comes."""
    return _aside(take, tell)


def _aside(step: Callable[[], bool], tell: Tell) -> threading.Thread:
    """Repeat a step in a thread until it is the last, or the process ends."""

    def repeat() -> None:
        began = time.monotonic()
        try:
            while not step() and not _ending.wait(POLL if time.monotonic() - began < PATIENCE else SELDOM):
                pass
        except Exception as reason:
            tell(STAYS_PLAIN.format(reason))

    def end() -> None:
        # Not in the midst of a kernel: the compiler's own code would meet an interpreter that is gone.
        _ending.set()
        thread.join()

    thread = threading.Thread(target=repeat, name="kernels", daemon=True)
    thread.start()
    atexit.register(end)
    return thread


def place(tell: Tell) -> None:
    """See that compiled kernels can be kept: in the user's cache folder, or else in one for this run alone."""
    try:
        cache.make_folder()
    except cache.NoCache as reason:
        if cache.names().issuperset(map(cache.file_of, cache.in_order())):
            # Nothing has to be written.
            return
        try:
            # Processes that we start find it by the same name.
            os.environ["SANDTABLE_CACHE"] = made = tempfile.mkdtemp(prefix="sandtable-")
        except OSError:
            raise reason from None
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        tell(f"Compiled geometry is kept for this run only: {reason}. SANDTABLE_CACHE may name another folder.")


def start(*words: str, output: int | IO[Any] = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """The process that compiles, out of reach of what the terminal sends to us. It ends soon after we do."""
    command = [sys.executable, "-m", "sandtable.table.compiled", *words]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )


# At once.


def finish(tell: Tell = say) -> bool:
    """Compile all that is missing, switch to it, and only then return; tells how long it will take.

    False if that cannot be done: then kernels stay plain.
    """
    try:
        if _compiled and len(_compiled) == len(entries()):
            return True
        place(tell)
        if take():
            return True
        began = time.monotonic()
        tell("Compiling the geometry for this machine, once: about a minute.")
        compiling = start(output=subprocess.PIPE)
        assert compiling.stdout is not None
        told = 0.0
        for line in compiling.stdout:
            share, gone = float(line), time.monotonic() - began
            if gone - told >= 5.0 and share < 1.0:
                told = gone
                tell(f"Compiling the geometry: about {max(1.0, gone / share - gone):.0f} s left.")
        compiling.wait()
        if take():
            return True
        raise cache.NoCache("the compiler has ended before it had finished")
    except Exception as reason:
        # Whatever may be wrong with a compiler, games go on without it.
        tell(STAYS_PLAIN.format(reason))
        return False
