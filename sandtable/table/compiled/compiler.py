"""Compiling a kernel, and what is kept of it.

A kernel is compiled from a twin of its function: the same code, whose names lead to compiled helpers instead of plain
ones. A helper is compiled for the one signature of its annotations, and without what Python would need to call it; the
kernel's file holds all the code that it needs.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
from types import FunctionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from sandtable.table.compiled import Kernel, plain_of


def tool(name: str) -> Any:
    """A module of the compiler, which is large: loaded when it is needed, and not before."""
    return importlib.import_module(name)


SCALARS = {float: "float64", int: "int64", bool: "boolean"}


def fields(hint: Any) -> list[Any] | None:
    """What the fields of a named tuple must be; None if an argument is none."""
    if isinstance(hint, type) and issubclass(hint, tuple):
        return list(get_type_hints(hint, include_extras=True).values())
    return None


def type_of(hint: Any) -> Any:
    """The numba type of what an argument must be."""
    types = tool("numba").types
    if hint in SCALARS:
        return getattr(types, SCALARS[hint])
    inner = fields(hint)
    if inner is not None:
        found = [type_of(each) for each in inner]
        if len(set(found)) == 1:
            return types.NamedUniTuple(found[0], len(found), hint)
        return types.NamedTuple(found, hint)
    assert get_origin(hint) is Annotated, f"{hint} is nothing that a kernel takes"
    _, kind, dimensions = get_args(hint)
    return types.Array(getattr(types, np.dtype(kind).name), dimensions, "C")


class Flat:
    """The arguments of a kernel one by one: to find out the type of a named tuple takes longer than of all its fields.

    `hints` are what each of them must be, and `tuples` the named tuples that they come from.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.hints: list[Any] = []
        self.tuples: dict[str, Any] = {}
        self.arguments = [self.add(hint) for hint in kernel.arguments()]
        self.names = ", ".join(f"a{number}" for number in range(len(self.hints)))

    def add(self, hint: Any) -> tuple[str, str]:
        """How an argument is taken apart, and put together again, as code."""
        inner = fields(hint)
        if inner is None:
            self.hints.append(hint)
            name = f"a{len(self.hints) - 1}"
            return name, name
        self.tuples[hint.__name__] = hint
        parts = [self.add(each) for each in inner]
        return f"({', '.join(part for part, _ in parts)})", f"{hint.__name__}({', '.join(part for _, part in parts)})"

    def put_together(self, known: dict[str, Any]) -> Any:
        """The kernel itself, but given them one by one: its own text, and first of all the named tuples are made."""
        tree = ast.parse(inspect.getsource(self.kernel.plain))
        (made,) = tree.body
        assert isinstance(made, ast.FunctionDef)
        given = [each.arg for each in made.args.args]
        built = [f"{name} = {built}" for name, (_, built) in zip(given, self.arguments, strict=True)]
        made.decorator_list, made.returns = [], None
        made.args.args = [ast.arg(f"a{number}") for number in range(len(self.hints))]
        made.body = ast.parse("\n".join(built)).body + made.body
        return self.function(ast.unparse(tree), known | self.tuples)

    def take_apart(self, called: Any) -> Any:
        """What Python calls: it is given named tuples, if any, and calls a compiled one that takes them one by one."""
        if not self.tuples:
            called.py_func = self.kernel.plain
            return called
        given = ", ".join(f"t{number}" for number in range(len(self.arguments)))
        taken = "".join(f"    {taken} = t{number}\n" for number, (taken, _) in enumerate(self.arguments))
        text = f"def {self.kernel.name}({given}):\n{taken}    return called({self.names})"
        made = self.function(text, {"called": called})
        made.py_func, made.signatures = self.kernel.plain, called.signatures
        return made

    def function(self, text: str, known: dict[str, Any]) -> Any:
        names = known | {"__name__": self.kernel.module}
        exec(text, names)
        return names[self.kernel.name]


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
        """The compiled function as other kernels call it, made together with all that it calls."""
        if kernel not in self.made:
            twin = FunctionType(kernel.plain.__code__, self.known_to(kernel), kernel.name)
            hints = kernel.arguments()
            options = {"forceinline": kernel.inlined}
            if kernel.inner or any(fields(hint) is not None for hint in hints):
                options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            self.made[kernel] = self.build(kernel, twin, hints, options)
        return self.made[kernel]

    def known_to(self, kernel: Kernel) -> dict[str, Any]:
        """The names that a kernel knows, with compiled helpers in the place of the plain ones."""
        names = self.names.setdefault(kernel.module, dict(vars(kernel.home)))
        for each in kernel.helpers():
            helper = self.compiled(each)
            for name, value in vars(kernel.home).items():
                if plain_of(value) is each.plain:
                    names[name] = helper
        return names

    def build(self, kernel: Kernel, twin: Any, hints: list[Any], options: dict[str, bool]) -> Any:
        # Counting who holds an array takes longer than most of what is done with it.
        made = tool("numba").njit(**options, _nrt=kernel.makes)(twin)
        made.compile(tuple(map(type_of, hints)))
        (found,) = made.overloads.values()
        assert kernel.makes or not holds_array(found.signature.return_type), f"{kernel.name} gives an array back"
        # Another signature is a mistake, and told as one; without this it would be compiled, too.
        made.disable_compile()
        return made

    def packed(self, kernel: Kernel) -> bytes:
        """A compiled kernel as it is kept: as Python calls it, with its arguments one by one."""
        flat = Flat(kernel)
        if flat.tuples:
            made = self.build(kernel, flat.put_together(self.known_to(kernel)), flat.hints, {})
        else:
            made = self.compiled(kernel)
        (found,) = made.overloads.values()
        packed: bytes = tool("numba.core.serialize").dumps((processor(), found._reduce()))
        return packed


def unpacked(kernel: Kernel, content: bytes) -> Any:
    """The compiled function of a kernel that was kept; None if it was compiled for another processor."""
    made_for, parts = pickle.loads(content)
    if made_for != processor():
        return None
    flat = Flat(kernel)
    made = tool("numba").njit(flat.function(f"def {kernel.name}({flat.names}): ...", {}))
    with tool("numba.core.compiler_lock").global_compiler_lock:
        made.targetctx.refresh()
        made.add_overload(tool("numba.core.compiler").CompileResult._rebuild(made.targetctx, *parts))
    made.disable_compile()
    return flat.take_apart(made)
