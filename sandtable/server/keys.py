"""Keys: whoever shows one holds its seats. Only their fingerprints are kept."""

from __future__ import annotations

import hashlib
import secrets

KEY_BYTES = 24
"""192 bits: nobody guesses one."""

ID_BYTES = 9


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def new_id() -> str:
    """The public name of a game; one that begins with a letter or digit is easier to copy."""
    while (name := secrets.token_urlsafe(ID_BYTES))[0] in "-_":
        pass
    return name


def fingerprint(key: str) -> str:
    # A key is as random as its fingerprint is long: there is nothing to stretch or to salt.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
