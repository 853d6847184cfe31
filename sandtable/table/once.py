"""What is found out about a thing when somebody first asks, and then is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class once(Generic[V]):  # noqa: N801 - it is used as `cached_property` is
    """A property that is found out once. Unlike `functools.cached_property` up to Python 3.11 it takes no lock."""

    def __init__(self, find: Callable[[Any], V]) -> None:
        self.find = find
        self.name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, thing: Any, owner: type | None = None) -> V:
        found = thing.__dict__[self.name] = self.find(thing)
        return found
