"""Kernels: functions over arrays that are plain Python at once, and compiled as soon as somebody has compiled them.

A function that Python calls is a `@kernel`; one that only kernels call is a `@helper`. Both remain what they are: a
module that holds them is imported in no time and needs no compiler. The annotations of the arguments are the one
signature for which a function is compiled, so that they say the dimensions of an array; arrays are contiguous, and may
be written to. What is compiled must do exactly what the plain function does (see CONTRIBUTING).

    compiler   compiles a kernel; the only module that knows the compiler from inside
    cache      where compiled kernels lie, and under which key
    __main__   compiles into the cache whatever is not there yet
    switch     puts compiled kernels in the place of the plain ones, and has them compiled if they are not there yet
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from types import ModuleType
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

Floats1 = Annotated[NDArray[np.float64], np.float64, 1]
Floats2 = Annotated[NDArray[np.float64], np.float64, 2]
Floats3 = Annotated[NDArray[np.float64], np.float64, 3]
Ints1 = Annotated[NDArray[np.int64], np.int64, 1]
Ints2 = Annotated[NDArray[np.int64], np.int64, 2]
Ints3 = Annotated[NDArray[np.int64], np.int64, 3]
Mask1 = Annotated[NDArray[np.bool_], np.bool_, 1]
Mask2 = Annotated[NDArray[np.bool_], np.bool_, 2]
Mask3 = Annotated[NDArray[np.bool_], np.bool_, 3]
Flags1 = Annotated[NDArray[np.int8], np.int8, 1]
Flags2 = Annotated[NDArray[np.int8], np.int8, 2]
Shorts1 = Annotated[NDArray[np.int16], np.int16, 1]

F = TypeVar("F", bound=Callable[..., Any])

MAKING = {"arange", "copy", "empty", "full", "ones", "zeros"}
"""What makes an array inside a kernel."""


class Kernel:
    """A function that can be compiled. `inner` if only kernels call it, `inlined` if its code goes into its callers."""

    def __init__(self, plain: Callable[..., Any], inner: bool, inlined: bool = False) -> None:
        self.plain = plain
        self.inner = inner
        self.inlined = inlined
        self.module: str = plain.__module__
        self.name: str = plain.__name__

    @property
    def home(self) -> ModuleType:
        return sys.modules[self.module]

    def arguments(self) -> list[Any]:
        """What each argument must be: float, int, bool, one of the arrays above, or a NamedTuple of such."""
        hints = get_type_hints(self.plain, include_extras=True)
        hints.pop("return", None)
        return list(hints.values())

    def helpers(self) -> list[Kernel]:
        """The kernels and helpers that it calls itself."""
        known = self.plain.__globals__
        return [REGISTER[found] for name in self.plain.__code__.co_names if (found := plain_of(known.get(name)))]

    @cached_property
    def makes(self) -> bool:
        """Whether it makes arrays, itself or by what it calls: only then must it count who still holds an array."""
        return not MAKING.isdisjoint(self.plain.__code__.co_names) or any(each.makes for each in self.helpers())


REGISTER: dict[Callable[..., Any], Kernel] = {}
"""All kernels and helpers of the modules that have been imported, by their plain functions."""


def kernel(plain: F) -> F:
    """A function that Python calls, compiled if that has been done."""
    REGISTER[plain] = Kernel(plain, inner=False)
    return plain


def helper(plain: F) -> F:
    """A function that only kernels call: compiled with them, and never by itself."""
    REGISTER[plain] = Kernel(plain, inner=True)
    return plain


def inlined(plain: F) -> F:
    """A helper whose code is put into its callers: a call would cost more than its arithmetic."""
    REGISTER[plain] = Kernel(plain, inner=True, inlined=True)
    return plain


def plain_of(found: Any) -> Callable[..., Any] | None:
    """The plain function that something is, or was compiled from; None if it is no kernel."""
    found = getattr(found, "py_func", found)
    try:
        return found if found in REGISTER else None
    except TypeError:
        return None


def entries() -> list[Kernel]:
    """The kernels that Python calls, of the modules that have been imported."""
    return [each for each in REGISTER.values() if not each.inner]
