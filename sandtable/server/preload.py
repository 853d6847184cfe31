"""What must be done once, before any thread starts.

Msgspec works out how a type is read when it first meets it, and two threads that do so at once for the same type
crash the process. So every type is met here, by one thread.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Iterator

import msgspec

from sandtable import rulesets


def preload() -> None:
    for module in pkgutil.walk_packages(rulesets.__path__, f"{rulesets.__name__}."):
        importlib.import_module(module.name)
    for name in rulesets.names():
        rules = rulesets.load(name)
        rules.begin(rules.scenario(rules.scenarios()[0]))
    for kind in structures(msgspec.Struct):
        # Some are never read, and cannot be.
        with contextlib.suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)


def structures(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from structures(each)
