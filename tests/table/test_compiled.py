"""Kernels: plain at once, compiled by and by, and the same either way."""

from __future__ import annotations

import ast
import gc
import importlib
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandtable
from sandtable import bots, rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.seat import drive
from sandtable.table import base_kernels, ground_kernels, move_kernels
from sandtable.table.compiled import REGISTER, Floats2, Kernel, cache, compiler, entries, switch
from sandtable.table.ground_kernels import GroundArrays

ROOT = Path(sandtable.__file__).parent
COMPILE = [sys.executable, "-m", "sandtable.table.compiled"]
PLAIN_IMPORTS = {"math", "numpy", "__future__"}


def kernel_called(name: str) -> Kernel:
    (found,) = [each for each in entries() if each.name == name]
    return found


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path))
    return tmp_path


def wait_until(true: Any, seconds: float = 60.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "this takes too long"
        time.sleep(0.05)


# What kernels are.


def test_a_kernel_needs_no_compiler_to_be_imported() -> None:
    code = "import sys, sandtable.table.sight, sandtable.table.moves; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_game_is_begun_without_the_compiler() -> None:
    code = """
import sys
from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
for name in rulesets.names():
    rules = rulesets.load(name)
    Game(rules, rules.scenario("patrol"), SeededDice(1))
sys.exit('numba' in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_kernels_know_nothing_that_the_key_does_not_cover() -> None:
    # Whatever a kernel can name comes from text that is in the key: a change there compiles everything anew.
    covered = {path.resolve() for path in cache.sources()}
    for module in cache.modules():
        home = importlib.import_module(module)
        assert home.__file__ is not None
        tree = ast.parse(Path(home.__file__).read_text(encoding="utf-8"))
        used = {name for each in REGISTER.values() if each.module == module for name in each.plain.__code__.co_names}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {each.name for each in node.names} <= PLAIN_IMPORTS
            if isinstance(node, ast.ImportFrom) and node.module not in PLAIN_IMPORTS:
                source = importlib.import_module(str(node.module)).__file__
                named = {each.asname or each.name for each in node.names} & used
                assert not named or Path(str(source)).resolve() in covered, f"{module} uses {named} of {node.module}"


def test_python_calls_no_helper() -> None:
    # A helper is never switched: Python would call it plain, and slowly, for ever.
    modules = set(cache.modules())
    helpers = {(each.module, each.name) for each in REGISTER.values() if each.inner}
    for path in ROOT.rglob("*.py"):
        if path in cache.sources():
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for each in node.names:
                    whole = f"{node.module}.{each.name}"
                    if whole in modules:
                        names[each.asname or each.name] = whole
                    # A name that was imported by itself would not be switched.
                    assert (node.module, each.name) not in {(one.module, one.name) for one in REGISTER.values()}, path
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
                assert (names[node.value.id], node.attr) not in helpers, f"{path} calls {node.attr}"


def test_arithmetic_that_differs_is_not_used() -> None:
    # Powers, `hypot` and `round` give other last bits, or other types, when they are compiled.
    for path in cache.sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if path.stem.endswith("kernels"):
                assert not isinstance(node, ast.Pow | ast.FloorDiv), path
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                    called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    assert called not in ("round", "hypot", "pow", "dist", "sum", "mean", "dot"), (path, called)


# What is compiled.


def test_all_that_python_calls_is_compiled_and_nothing_else() -> None:
    assert switch.take()
    for each in REGISTER.values():
        found = getattr(each.home, each.name)
        assert (found is each.plain) == each.inner, each.name
        if not each.inner:
            # One signature, and no other can be added.
            assert len(found.signatures) == 1
            with pytest.raises(TypeError):
                found(*(object() for _ in each.arguments()))


def test_a_wrong_array_is_an_error_and_compiles_nothing() -> None:
    rows = np.zeros((3, 8))
    with pytest.raises(TypeError, match="No matching definition"):
        base_kernels.all_distances(rows[:, ::-1], rows)
    with switch.plain():
        assert base_kernels.all_distances(rows[:, ::-1], rows).shape == (3, 3)


def test_a_wrong_array_in_a_named_tuple_is_an_error() -> None:
    edges, table, rows = np.zeros((3, 4)), np.zeros((1, 9)), np.zeros((2, 8))
    assert ground_kernels.centres_inside(GroundArrays(edges, table), rows).shape == (2, 1)
    with pytest.raises(TypeError, match="No matching definition"):
        ground_kernels.centres_inside(GroundArrays(edges[:, ::-1], table), rows)


def given_back(rows: Floats2) -> Any:
    return rows


def test_what_makes_no_array_gives_none_back() -> None:
    # It does not count who holds an array: what it gives back would be let go once too often.
    with pytest.raises(AssertionError, match="given_back gives an array back"):
        compiler.Compiler().compiled(Kernel(given_back, inner=True))


@pytest.mark.parametrize("name", rulesets.names())
def test_kernels_leave_nothing_behind(name: str) -> None:
    assert switch.finish()
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    rules = rulesets.load(name)
    setup = rules.scenario(rules.scenarios()[0])
    prepared = rules.prepare(setup)

    def play() -> tuple[int, int]:
        """How many arrays a battle makes, and how many it lets go."""
        before = rtsys.get_allocation_stats()
        game: Game[Any] = Game(rules, setup, SeededDice(1), prepared=prepared)
        drive(game, {"red": bots.make("random", 1), "blue": bots.make("random", 2)}, 200)
        del game
        gc.collect()
        after = rtsys.get_allocation_stats()
        return after.alloc - before.alloc, after.free - before.free

    # The first one leaves what is remembered of the table for the next battle on the same.
    play()
    made, gone = play()
    assert made == gone > 0


def test_plain_and_back() -> None:
    row = np.array((1.0, 2.0, 3.0, 0.0, 1.0, 0.5, 0.5, 0.0))
    compiled = base_kernels.base_distance
    with switch.plain():
        assert base_kernels.base_distance is not compiled
        assert base_kernels.base_distance(row, row) == 0.0
    assert base_kernels.base_distance is compiled


# The cache.


def test_a_kernel_is_kept_and_comes_back(empty_cache: Path) -> None:
    kernel = kernel_called("base_distance")
    cache.write("kept", compiler.Compiler().packed(kernel))
    content = cache.read("kept")
    assert content is not None
    again = compiler.unpacked(kernel, content)
    a, b = np.array((1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0)), np.array((1.0, 9.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0))
    assert again(a, b) == kernel.plain(a, b) == 7.0


@pytest.mark.parametrize("harm", [lambda text: text[:-7], lambda text: b"", lambda text: text[:60] + b"!" + text[61:]])
def test_a_file_that_is_not_whole_counts_as_not_there(empty_cache: Path, harm: Any) -> None:
    cache.write("kept", b"of some use" * 9)
    path = cache.folder() / "kept"
    assert cache.read("kept") is not None
    path.write_bytes(harm(path.read_bytes()))
    assert cache.read("kept") is None


def test_a_kernel_of_another_processor_is_not_used(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_called("base_distance")
    packed = compiler.Compiler().packed(kernel)
    monkeypatch.setattr(compiler, "processor", lambda: ("i486", ""))
    assert compiler.unpacked(kernel, packed) is None


def test_the_key_follows_whatever_compiles_differently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def key() -> str:
        return cache.key.__wrapped__()

    shutil.copytree(ROOT / "table", tmp_path / "table", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    before = key()
    assert before == key()
    # A helper that other files call, the smallest number, the compiler itself: each makes another key.
    for changed in ("table/ground_kernels.py", "table/hairs.py", "table/compiled/compiler.py"):
        text = (tmp_path / changed).read_text(encoding="utf-8")
        (tmp_path / changed).write_text(text + "\n# another\n", encoding="utf-8")
        assert key() != before
        (tmp_path / changed).write_text(text, encoding="utf-8")
        os.utime(tmp_path / changed)
        assert key() == before
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert key() != before


def test_keys_that_nobody_uses_are_removed(empty_cache: Path) -> None:
    now = time.time()
    for days, name in enumerate(("a", "b", "c", "d", "e", "f", "g", "h")):
        other = cache.home() / name
        other.mkdir(parents=True)
        (other / "kernel").write_bytes(b"")
        os.utime(other, (now - days * 86_400, now - days * 86_400))
    long_ago = cache.home() / "old"
    long_ago.mkdir()
    os.utime(long_ago, (now - 60 * 86_400,) * 2)
    cache.write("kept", b"ours")
    cache.tidy(now)
    assert {each.name for each in cache.home().iterdir()} == {"a", "b", "c", "d", "e", cache.key()}
    assert cache.read("kept") == b"ours"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"SANDTABLE_CACHE": "/there"}, Path("/there/kernels")),
        ({"XDG_CACHE_HOME": "/cache"}, Path("/cache/sandtable/kernels")),
        ({"XDG_CACHE_HOME": "not/absolute", "HOME": "/home/me"}, Path("/home/me/.cache/sandtable/kernels")),
    ],
)
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have folders of their own")
def test_where_it_lies(given: dict[str, str], expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SANDTABLE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert cache.home() == expected


# Switching.


def test_where_nothing_can_be_written_it_is_compiled_for_this_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path / "file"))
    told: list[str] = []
    switch.place(told.append)
    (sentence,) = told
    assert sentence.startswith("Compiled geometry is kept for this run only: ")
    assert str(tmp_path / "file") in sentence
    # Processes that are started from here find the same folder.
    assert os.environ["SANDTABLE_CACHE"] != str(tmp_path / "file")
    cache.make_folder()
    shutil.rmtree(os.environ["SANDTABLE_CACHE"])


def test_what_is_compiled_already_needs_no_folder_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert switch.finish()

    def refuse() -> Path:
        raise cache.NoCache("the folder cannot be written to")

    monkeypatch.setattr(cache, "make_folder", refuse)
    told: list[str] = []
    switch.place(told.append)
    assert not told


def test_where_nothing_can_be_written_at_all_kernels_stay_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    told: list[str] = []
    assert switch.begin(told.append) is None
    assert not told[0].startswith("Traceback")
    assert told[0].startswith("Geometry stays uncompiled, and everything takes longer: ")
    assert len(told) == 1


def test_a_compiler_that_is_killed_leaves_only_what_is_whole(empty_cache: Path) -> None:
    first = subprocess.Popen(COMPILE, stdout=subprocess.DEVNULL)
    wait_until(lambda: len(cache.names()) >= 2)
    assert cache.busy()
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert not cache.busy()
    done = cache.names()
    assert all(cache.read(name) is not None for name in done)
    # The next one goes on from there, and two at a time do not hinder each other.
    both = [subprocess.Popen(COMPILE, stdout=subprocess.DEVNULL) for _ in range(2)]
    wait_until(lambda: len(cache.names()) > len(done))
    for each in both:
        each.kill()
        each.wait()
    assert done < cache.names()


def test_a_process_that_plays_switches_as_kernels_come(empty_cache: Path) -> None:
    # Given a process with an empty cache that waits for kernels,
    code = """
import sys, time
from sandtable.table import base_kernels
from sandtable.table.compiled import switch
switch.follow()
print("plain", hasattr(base_kernels.base_distance, "signatures"), "numba" in sys.modules, flush=True)
while not hasattr(base_kernels.base_distance, "signatures"):
    time.sleep(0.05)
print("compiled", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "plain False False\n"
        # when another process compiles one, then it is used, and the process ends in order.
        kernel = kernel_called("base_distance")
        cache.write(cache.file_of(kernel), compiler.Compiler().packed(kernel))
        assert process.stdout.readline() == "compiled\n"
    assert process.returncode == 0


def test_a_compiler_that_always_fails_is_told_once(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "start", lambda *_: subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"]))
    told: list[str] = []
    thread = switch.begin(told.append)
    assert isinstance(thread, threading.Thread)
    thread.join(30)
    assert told == [
        "Geometry stays uncompiled, and everything takes longer: the compiler has ended before it had finished."
    ]


def test_rounding_is_the_same_at_halves() -> None:
    stored = REGISTER[move_kernels.stored]
    made = compiler.Compiler().compiled(Kernel(stored.plain, inner=False))
    for value in (0.005, -0.005, 1.115, 2.675, 71.985, -0.0, 1e-9):
        assert made(value) == stored.plain(value)
        assert math.copysign(1, made(value)) == math.copysign(1, stored.plain(value))
