"""Pictures of tables: drawn in processes of their own, kept as long as the table looks the same."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.server import history, loading
from sandtable.table import drawing
from sandtable.table.scene import Scene
from sandtable.table.thumbnail import thumbnail

if TYPE_CHECKING:
    from sandtable.server.chores import Chores
    from sandtable.server.storage import StoredEntry

SECONDS = 10.0
"""How long a picture may take."""

MOST_BYTES = 8_000_000
"""What is kept of pictures, about a hundred large ones or five hundred small; those not asked for longest go first."""


PICTURES: dict[str, Callable[[Scene], str]] = {"large": drawing.svg, "small": thumbnail, "card": drawing.bare}
"""With all that can be said; a thumbnail; the table alone."""


def draw(scene: bytes, size: str) -> str:
    """A chore: the picture of a scene."""
    return PICTURES[size](msgspec.msgpack.decode(scene, type=Scene))


def draw_stored(row: dict[str, Any], stored: list[StoredEntry], size: str) -> str:
    """A chore: the picture of a game that lies on disk, as everybody may see it."""
    return PICTURES[size](history.picture(loading.load(row, stored)))


class Pictures:
    """The pictures of a server. Two tables that look the same have one picture."""

    def __init__(self, chores: Chores) -> None:
        self.chores = chores
        self.kept: OrderedDict[bytes, str] = OrderedDict()
        self.size = 0

    async def of(self, scene: Scene, address: str, size: str) -> str:
        packed = msgspec.msgpack.encode(scene)
        return await self._kept(packed, size, lambda: self.chores.do(address, "draw", packed, size, seconds=SECONDS))

    async def of_stored(self, row: dict[str, Any], stored: list[StoredEntry], address: str, size: str) -> str:
        """The picture of a game that is not open: many of them in a list must not cost the server their opening."""
        name = f"{row['id']} {row['updated']}".encode()
        return await self._kept(
            name, size, lambda: self.chores.do(address, "draw-stored", row, stored, size, seconds=SECONDS)
        )

    async def _kept(self, shows: bytes, size: str, draw: Callable[[], Awaitable[str]]) -> str:
        name = hashlib.blake2b(shows, digest_size=16, salt=size.encode()).digest()
        found = self.kept.get(name)
        if found is None:
            found = await draw()
            if name not in self.kept:
                self.size += len(found)
            self.kept[name] = found
            while self.size > MOST_BYTES:
                _, old = self.kept.popitem(last=False)
                self.size -= len(old)
        else:
            self.kept.move_to_end(name)
        return found
