"""What has been worked out of a board and is worth keeping beside it.

Every such thing has one owner and a type: the module that works it out holds a `Kept`, and nobody else can read or fill
what lies under it. A board, or a part of one, keeps the things themselves, so they are gone with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Keeper(Protocol):
    """Something that others keep what they found out about: `lasting` as long as it is there itself."""

    @property
    def lasting(self) -> dict[object, Any]: ...


class ChangingKeeper(Keeper, Protocol):
    """One that clears `passing` whenever anything on it changes."""

    @property
    def passing(self) -> dict[object, Any]: ...


class Kept(Generic[K, V]):
    """What its owner has found out, by key; it holds as long as the keeper is there.

    `most` is how much is kept, where there would be more and more of it: then all is forgotten.
    """

    __slots__ = ("most",)

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def of(self, keeper: Keeper) -> dict[K, V]:
        found: dict[K, V] | None = keeper.lasting.get(self)
        if found is None:
            found = keeper.lasting[self] = {}
        return found

    def once(self, keeper: Keeper, key: K, find: Callable[[], V]) -> V:
        """What is kept under a key, found out now if it is not."""
        known = self.of(keeper)
        if key not in known:
            if len(known) == self.most:
                known.clear()
            known[key] = find()
        return known[key]


class KeptOne(Generic[V]):
    """One thing that its owner has found out; it holds as long as the keeper is there."""

    __slots__ = ()

    def of(self, keeper: Keeper) -> V | None:
        found: V | None = keeper.lasting.get(self)
        return found

    def keep(self, keeper: Keeper, value: V) -> V:
        keeper.lasting[self] = value
        return value


class KeptUntilChange(Generic[K, V]):
    """What its owner has found out, by key; it holds until anything comes, goes or moves."""

    __slots__ = ()

    def of(self, keeper: ChangingKeeper) -> dict[K, V]:
        found: dict[K, V] | None = keeper.passing.get(self)
        if found is None:
            found = keeper.passing[self] = {}
        return found

    def once(self, keeper: ChangingKeeper, key: K, find: Callable[[], V]) -> V:
        """What is kept under a key, found out now if it is not."""
        known = self.of(keeper)
        if key not in known:
            known[key] = find()
        return known[key]
