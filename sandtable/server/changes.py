"""A state as it is sent: whole at first, and from then on only what has changed since the one before.

A state is compared part by part. Lists of things that have ids (the pieces, features and bodies of a scene, the Units
of a roster) are compared thing by thing: a change names all `ids` in their order if that is another now, `put` holds
the things that are new, and `change` of those that are not as they were the members that differ, with the names of
those that they have no more in `less`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode

Part = bytes | dict[str, bytes]
"""One thing that a state tells, encoded; of a list with ids, each thing by its id."""

Parts = Mapping[str, Part]

LISTS = ("roster",)
SCENE_LISTS = ("pieces", "features", "bodies")


class Frame(msgspec.Struct):
    """All that a seat is told of a state, but for its events."""

    version: int
    state: dict[str, Part]
    scene: dict[str, Part]


def parts(told: Mapping[str, Any], lists: Iterable[str]) -> dict[str, Part]:
    """What is told, encoded part by part."""
    return {
        name: {each.id: encode(each) for each in value} if name in lists else encode(value)
        for name, value in told.items()
    }


def changed(now: Frame, before: Frame | None) -> bytes:
    """The members of a message that tells whoever knows the one state the other."""
    if now is before:
        return b""
    found = members(now.state, before.state if before else {})
    scene = members(now.scene, before.scene if before else {})
    return b",".join([*found, *([b'"scene":{%b}' % b",".join(scene)] if scene else [])])


def members(now: Parts, before: Parts) -> list[bytes]:
    found = []
    for name, part in now.items():
        value = part_change(part, before.get(name))
        if value is not None:
            found.append(b'"%b":%b' % (name.encode(), value))
    return found


def part_change(now: Part, before: Part | None) -> bytes | None:
    """What makes the one of the other; None if they are the same."""
    if isinstance(now, bytes):
        return None if now == before else now
    old = before if isinstance(before, dict) else {}
    put = [data for name, data in now.items() if name not in old]
    other = [difference(name, data, old[name]) for name, data in now.items() if name in old and old[name] != data]
    moved = before is None or list(now) != list(old)
    if not put and not other and not moved:
        return None
    found = [b'"ids":%b' % encode(list(now))] if moved else []
    found.append(b'"put":[%b]' % b",".join(put))
    found += [b'"change":[%b]' % b",".join(other)] if other else []
    return b"{%b}" % b",".join(found)


def difference(name: str, now: bytes, before: bytes) -> bytes:
    """What a thing has that it had not, or had otherwise, and what it has no more."""
    new, old = (members_of(thing) for thing in (now, before))
    found = [b'"id":%b' % encode(name)]
    found += [b"%b:%b" % (encode(key), bytes(value)) for key, value in new.items() if old.get(key) != value]
    gone = [key for key in old if key not in new]
    return b"{%b}" % b",".join([*found, *([b'"less":%b' % encode(gone)] if gone else [])])


members_of = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def merged(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The state that a message makes of the one before; of none, if it is the first."""
    scene = _renewed(state.get("scene", {}), message.get("scene", {}), SCENE_LISTS)
    return {**_renewed(state, message, LISTS), "scene": scene}


def _renewed(old: dict[str, Any], change: dict[str, Any], lists: Iterable[str]) -> dict[str, Any]:
    found = {**old, **change}
    for name in lists:
        if name in change:
            news = change[name]
            things = {thing["id"]: thing for thing in [*old.get(name, []), *news["put"]]}
            things |= {each["id"]: _changed(things[each["id"]], each) for each in news.get("change", [])}
            ids = change[name].get("ids", [thing["id"] for thing in old.get(name, [])])
            found[name] = [things[each] for each in ids]
    return found


def _changed(thing: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in thing.items() if name not in change.get("less", ())}
    return {**kept, **{name: value for name, value in change.items() if name != "less"}}
