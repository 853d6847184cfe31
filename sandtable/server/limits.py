"""Bounds on what strangers may send: how much, and how often."""

from __future__ import annotations

import time
from collections import OrderedDict

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Sizes in bytes; rates as (a second, at once).

    `messages` is the rate of one socket, `all_messages` that of all sockets of an address, and `sockets` how many those
    may be. After `absent_seconds` a bot may be seated for one who is away. `operators` are the addresses that are told
    the figures of the server. `hosts` are the names that the server answers to (none named: to any), `origins` the
    pages besides its own that may open sockets. A game that nobody has touched for `archive_after` seconds is put away
    until one of its players comes back (0: never); beyond `games_running` the one that was idle longest is. Of those
    that are over, `games_kept` are kept. `held` are the seconds, at least and at most, after which an answer is given
    that tells by its haste what another may not know.
    """

    body: int = 1_000_000
    imported: int = 20_000_000
    message: int = 65_536
    requests: tuple[float, float] = (50.0, 400.0)
    new_games: tuple[float, float] = (2.0, 100.0)
    messages: tuple[float, float] = (30.0, 120.0)
    all_messages: tuple[float, float] = (200.0, 800.0)
    sockets: int = 100
    hello_seconds: float = 10.0
    absent_seconds: float = 60.0
    operators: tuple[str, ...] = ("127.0.0.1", "::1")
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    archive_after: float = 30 * 86_400.0
    games_running: int = 5_000
    games_kept: int = 20_000
    rooms_open: int = 400
    held: tuple[float, float] = (1.5, 5.0)


class Bucket:
    """So many tokens a second flow in, up to a store; each use takes one."""

    __slots__ = ("rate", "store", "then", "tokens")

    def __init__(self, rate: float, store: float) -> None:
        self.rate = rate
        self.store = store
        self.tokens = store
        self.then = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.tokens = min(self.store, self.tokens + (now - self.then) * self.rate)
        self.then = now
        if self.tokens < 1.0:
            return False
        self.tokens -= 1.0
        return True


class Gate:
    """A bucket for every address; those longest unheard of are forgotten."""

    def __init__(self, rate: tuple[float, float], most: int = 10_000) -> None:
        self.rate = rate
        self.most = most
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, address: str) -> bool:
        bucket = self.buckets.get(address)
        if bucket is None:
            bucket = self.buckets[address] = Bucket(*self.rate)
            if len(self.buckets) > self.most:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(address)
        return bucket.take()
