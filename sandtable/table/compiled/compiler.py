"""Compiling a kernel, and what is kept of it.

A kernel is compiled from a twin of its function: the same code, whose names lead to compiled helpers instead of plain
ones. A helper is compiled for the one signature of its annotations, and without what Python would need to call it; the
kernel's file holds all the code that it needs.
"""

from __future__ import annotations

import importlib
import pickle
from types import FunctionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from sandtable.table.compiled import Kernel, plain_of


def tool(name: str) -> Any:
    """A module of the compiler, which is large: loaded when it is needed, and not before."""
    return importlib.import_module(name)


SCALARS = {float: "float64", int: "int64", bool: "boolean"}


def signature(kernel: Kernel) -> tuple[Any, ...]:
    """The numba types of a kernel's arguments."""
    types = tool("numba").types

    def of(hint: Any) -> Any:
        if hint in SCALARS:
            return getattr(types, SCALARS[hint])
        if isinstance(hint, type) and issubclass(hint, tuple):
            fields = [of(each) for each in get_type_hints(hint, include_extras=True).values()]
            if len(set(fields)) == 1:
                return types.NamedUniTuple(fields[0], len(fields), hint)
            return types.NamedTuple(fields, hint)
        assert get_origin(hint) is Annotated, f"{kernel.name}: {hint} is nothing that a kernel takes"
        _, kind, dimensions = get_args(hint)
        return types.Array(getattr(types, np.dtype(kind).name), dimensions, "C")

    return tuple(of(hint) for hint in kernel.arguments())


def holds_array(given: Any) -> bool:
    """Whether a type of numba is an array, or a tuple with one in it."""
    types = tool("numba").types
    return isinstance(given, types.Array) or (isinstance(given, types.BaseTuple) and any(map(holds_array, given)))


def processor() -> tuple[str, str]:
    """The processor for which code is made here, in the compiler's words."""
    binding = tool("llvmlite.binding")
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


class Compiler:
    """Compiled twins of kernels and of their helpers."""

    def __init__(self) -> None:
        self.names: dict[str, dict[str, Any]] = {}
        self.made: dict[Kernel, Any] = {}

    def compiled(self, kernel: Kernel) -> Any:
        """The compiled function, made together with all that it calls."""
        if kernel not in self.made:
            names = self.names.setdefault(kernel.module, dict(vars(kernel.home)))
            for each in kernel.helpers():
                helper = self.compiled(each)
                for name, value in vars(kernel.home).items():
                    if plain_of(value) is each.plain:
                        names[name] = helper
            twin = FunctionType(kernel.plain.__code__, names, kernel.name)
            # Counting who holds an array takes longer than most of what is done with it.
            options = {"forceinline": kernel.inlined, "_nrt": kernel.makes}
            if kernel.inner:
                options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            made = tool("numba").njit(**options)(twin)
            made.compile(signature(kernel))
            (found,) = made.overloads.values()
            assert kernel.makes or not holds_array(found.signature.return_type), f"{kernel.name} gives an array back"
            # Another signature is a mistake, and told as one; without this it would be compiled, too.
            made.disable_compile()
            self.made[kernel] = made
        return self.made[kernel]

    def packed(self, kernel: Kernel) -> bytes:
        """A compiled kernel as it is kept."""
        (found,) = self.compiled(kernel).overloads.values()
        packed: bytes = tool("numba.core.serialize").dumps((processor(), found._reduce()))
        return packed


def unpacked(kernel: Kernel, content: bytes) -> Any:
    """The compiled function of a kernel that was kept; None if it was compiled for another processor."""
    made_for, parts = pickle.loads(content)
    if made_for != processor():
        return None
    made = tool("numba").njit(kernel.plain)
    with tool("numba.core.compiler_lock").global_compiler_lock:
        made.targetctx.refresh()
        made.add_overload(tool("numba.core.compiler").CompileResult._rebuild(made.targetctx, *parts))
    made.disable_compile()
    return made
