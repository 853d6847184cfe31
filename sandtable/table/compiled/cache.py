"""Where compiled kernels lie: one file a kernel, in a folder for each key, in the user's cache folder.

The key tells apart whatever would compile to something else: the text of all kernels, the versions of Python and of the
compiler, and the processor. So nothing in the cache is ever out of date. A file is written beside its place and then
renamed, and holds its own checksum: it is whole, or it counts as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sandtable.table.compiled import Kernel, entries

PACKAGE = Path(__file__).parent.parent.parent
KERNELS = ("table/*_kernels.py", "rulesets/*/kernels/*_kernels.py")
SOURCES = (*KERNELS, "table/hairs.py", "table/compiled/__init__.py", "table/compiled/compiler.py")
"""All text that ends up in a compiled kernel: a test sees that kernels know no name from anywhere else."""

NEED = (
    "room_kernels",
    "free_place_kernels",
    "base_kernels",
    "neighbour_kernels",
    "ground_kernels",
    "path_kernels",
    "move_kernels",
    "march_kernels",
    "passage_kernels",
    "ground_sight_kernels",
    "fire_kernels",
)
"""Modules whose kernels are needed first in a game; the others follow."""

COMPILER = ("numba", "numpy", "llvmlite")
MARK = b"sandtable kernel 1\n"
CHECKSUM = 32  # bytes

KEPT_DAYS = 14.0
MOST_KEPT = 6
"""Keys that were not used for so long are removed, and of the others all but the last used."""

LOCK = ".lock"


class NoCache(Exception):
    """Nothing compiled can be kept, or there is nothing to compile with; why, in a sentence."""


# The key.


def sources() -> list[Path]:
    return sorted({path for pattern in SOURCES for path in PACKAGE.glob(pattern)})


def modules() -> list[str]:
    """The modules that hold kernels."""
    found = sorted({path.relative_to(PACKAGE.parent) for pattern in KERNELS for path in PACKAGE.glob(pattern)})
    return [".".join(path.with_suffix("").parts) for path in found]


@cache
def key() -> str:
    """What compiled kernels are good for; computed once, for the text that this process has imported."""
    from importlib import metadata

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise NoCache("NUMBA_DISABLE_JIT is set")
    digest = hashlib.blake2b(digest_size=16)
    try:
        words = [f"{name} {metadata.version(name)}" for name in COMPILER]
    except metadata.PackageNotFoundError as missing:
        raise NoCache(f"{missing.name} is not installed") from None
    words += [sys.version, sys.platform, platform.machine(), processor()]
    words += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    for word in words:
        digest.update(word.encode() + b"\0")
    for path in sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def processor() -> str:
    """What the system tells of the processor without asking the compiler, which takes long to load."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        telling = ("model name", "cpu model", "cpu part", "cpu variant", "flags", "features", "isa")
        return "\n".join(sorted({line for line in lines if line.lower().startswith(telling)}))
    return platform.processor()


# The folder.


def home() -> Path:
    """The folder of all keys."""
    named = os.environ.get("SANDTABLE_CACHE")
    if named:
        return Path(named) / "kernels"
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "sandtable" / "kernels"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "sandtable" / "kernels"
        given = Path(os.environ.get("XDG_CACHE_HOME", ""))
        return (given if given.is_absolute() else Path.home() / ".cache") / "sandtable" / "kernels"
    except RuntimeError:
        raise NoCache("there is no home folder, and SANDTABLE_CACHE names no other") from None


def folder() -> Path:
    """Where the kernels of this key lie, or would."""
    return home() / key()


def make_folder() -> Path:
    """The same, and it can be written to."""
    try:
        made = folder()
        made.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=made):
            return made
    except OSError as error:
        raise NoCache(f"{error.filename or home()} cannot be written to ({error.strerror})") from None


# The files.


def in_order() -> list[Kernel]:
    """All kernels that Python calls, in the order of need: setting up, moving, looking, firing, and whatever else."""
    for module in modules():
        importlib.import_module(module)
    places = {name: number for number, name in enumerate(NEED)}
    return sorted(entries(), key=lambda kernel: places.get(kernel.module.rpartition(".")[2], len(NEED)))


def file_of(kernel: Kernel) -> str:
    return f"{kernel.module}.{kernel.name}"


def names() -> set[str]:
    """What lies there for this key, whole or not."""
    try:
        return {each.name for each in os.scandir(folder()) if not each.name.startswith(".")}
    except OSError:
        return set()


def read(name: str) -> bytes | None:
    """What was written under this name; None if there is nothing whole."""
    path = folder() / name
    try:
        text = path.read_bytes()
    except OSError:
        return None
    start = len(MARK) + CHECKSUM
    if text[: len(MARK)] == MARK and text[len(MARK) : start] == checksum(text[start:]):
        return text[start:]
    return None


def write(name: str, content: bytes) -> None:
    made = make_folder()
    handle, beside = tempfile.mkstemp(prefix=".new-", dir=made)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MARK + checksum(content) + content)
        os.replace(beside, made / name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM).digest()


def remove(name: str) -> None:
    with contextlib.suppress(OSError):
        (folder() / name).unlink()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Only one process at a time compiles for a key. Who comes second waits; who is killed lets the next one in."""
    made = make_folder()
    with open(made / LOCK, "ab") as file:
        with contextlib.suppress(ImportError, OSError):
            # Where the system has no such lock, two may do the same work, and both do it well.
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def busy() -> bool:
    """Is some process compiling for this key?"""
    try:
        import fcntl

        with open(folder() / LOCK, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except (ImportError, OSError):
        return False


# What is old.


def used() -> None:
    """Note that the kernels of our key are of use."""
    with contextlib.suppress(OSError):
        os.utime(folder())


def tidy(now: float | None = None) -> None:
    """Remove keys that nobody has used for long, and what a killed process has left behind in ours."""
    now = time.time() if now is None else now
    used()
    with contextlib.suppress(OSError):
        others = sorted((each for each in home().iterdir() if each.is_dir()), key=lambda each: -each.stat().st_mtime)
        for number, each in enumerate(others):
            if each != folder() and (number >= MOST_KEPT or now - each.stat().st_mtime > KEPT_DAYS * 86_400):
                shutil.rmtree(each, ignore_errors=True)
        for left in folder().glob(".new-*"):
            if now - left.stat().st_mtime > 3600:
                left.unlink()
