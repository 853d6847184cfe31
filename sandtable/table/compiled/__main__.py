"""Compile into the cache whatever is not there yet: `python -m sandtable.table.compiled`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from sandtable.table.compiled import Kernel, cache
from sandtable.table.compiled.cache import file_of, in_order
from sandtable.table.compiled.compiler import Compiler


def missing() -> list[Kernel]:
    """What has not been compiled, or is not whole."""
    return [kernel for kernel in in_order() if cache.read(file_of(kernel)) is None]


def work(kernel: Kernel, counted: set[Kernel]) -> int:
    """About how much there is to do: all code that ends up in the kernel, three times if it is compiled first here."""
    total, seen, left = 0, set(), [kernel]
    while left:
        each = left.pop()
        if each in seen:
            continue
        seen.add(each)
        total += len(each.plain.__code__.co_code) * (1 if each in counted else 3)
        left += each.helpers()
    counted |= seen
    return total


def compile_missing(tell: Callable[[float], None] = lambda share: None) -> None:
    """Compile into the cache whatever is not there; `tell` hears which share of the work is done."""
    with cache.alone():
        todo = missing()
        counted: set[Kernel] = set()
        sizes = [work(kernel, counted) for kernel in todo]
        compiler, parent = Compiler(), os.getppid()
        for number, kernel in enumerate(todo):
            if os.getppid() != parent:
                # Who wanted it is gone; what is done is kept, and the next one goes on from here.
                return
            cache.write(file_of(kernel), compiler.packed(kernel))
            tell(sum(sizes[: number + 1]) / sum(sizes))
        cache.tidy()


def main(words: list[str]) -> int:
    """Compile; `--nice` gives way to all other work; `--check` only tells by its status if something is missing."""
    try:
        if "--check" in words:
            return 1 if missing() else 0
        if "--nice" in words and hasattr(os, "nice"):
            os.nice(19)
        compile_missing(lambda share: print(f"{share:.3f}", flush=True))
    except cache.NoCache as error:
        print(f"Nothing is compiled: {error}.", file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
