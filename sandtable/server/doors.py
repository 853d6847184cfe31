"""Who may come in: the names that the server answers to, and the pages that may open its sockets."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
"""Names of the machine for itself: its operator's tools use them, and no stranger's name can lead to them."""


def name_of(host: str) -> str:
    """The name in a Host header, without its port."""
    return (urlsplit(f"//{host}").hostname or "") if host.isprintable() else ""


def answers_to(host: str, names: Collection[str]) -> bool:
    """Whether the server goes by the name that it was called by; if it was given none, by any."""
    return not names or name_of(host) in (*names, *THIS_MACHINE)


def may_open(origin: str | None, host: str, allowed: Collection[str]) -> bool:
    """Whether a page may open a socket: one of the server's own, or one that the operator named. Programs send none."""
    if origin is None:
        return True
    return urlsplit(origin).netloc == host or origin in allowed
