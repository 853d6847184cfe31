"""The page: the files that `make web` built, compressed once and kept; what has a hash in its name lives for ever."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

FOLDER = Path(__file__).parent / "page"

MISSING = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandtable</title>
<p>The server runs, but its page has not been built. Run <code>make web</code>, then load this again.</p></html>"""

LASTING = "public, max-age=31536000, immutable"
COMPRESSIBLE = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/manifest+json")


LONGEST_PATH = 1_000
LONGEST_NAME = 255
"""Bytes of the name of a file, on every system that we know."""


class Asset:
    """A file in memory, plain and compressed."""

    def __init__(self, path: Path, lasting: bool) -> None:
        self.changed = path.stat().st_mtime_ns
        self.plain = path.read_bytes()
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.kind = "text/javascript" if kind == "application/javascript" else kind
        packed = gzip.compress(self.plain, 9, mtime=0) if self.kind.startswith(COMPRESSIBLE) else self.plain
        self.packed = packed if len(packed) < len(self.plain) else None
        self.mark = f'"{hashlib.blake2b(self.plain, digest_size=12).hexdigest()}"'
        self.cache = LASTING if lasting else "no-cache"


class Page:
    """The files of the built page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.assets: dict[Path, Asset] = {}

    def find(self, path: str) -> Asset | None:
        """The file of a path. A path without an ending, or to a rule, is one of the page's own places."""
        wanted = (self.folder / path.lstrip("/")).resolve()
        if not wanted.is_relative_to(self.folder):
            return None
        if not wanted.is_file():
            # The id of a rule has dots in it.
            if wanted.suffix and not path.startswith("/rules/"):
                return None
            wanted = self.folder / "index.html"
            if not wanted.is_file():
                return None
        asset = self.assets.get(wanted)
        if asset is None or asset.changed != wanted.stat().st_mtime_ns:
            asset = self.assets[wanted] = Asset(wanted, wanted.parent.name == "assets")
        return asset


def page_routes(folder: Path | None) -> list[Any]:
    page = Page(folder or FOLDER)

    async def serve(request: Request[Any, Any, Any], path: str) -> Response[bytes]:
        longest = max(len(name.encode("utf-8", "replace")) for name in path.split("/"))
        if path.startswith("/api/") or "\0" in path or len(path) > LONGEST_PATH or longest > LONGEST_NAME:
            raise NotFoundException("There is no such thing here.")
        asset = page.find(path)
        if asset is None:
            if page.find("/") is None and "." not in path:
                return Response(MISSING, media_type="text/html; charset=utf-8", status_code=503)
            raise NotFoundException("There is no such thing here.")
        headers = {"ETag": asset.mark, "Cache-Control": asset.cache, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == asset.mark:
            return Response(b"", status_code=304, headers=headers, media_type=asset.kind)
        body = asset.plain
        if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = asset.packed
            headers["Content-Encoding"] = "gzip"
        return Response(body, media_type=asset.kind, headers=headers)

    @get("/", include_in_schema=False)
    async def front(request: Request[Any, Any, Any]) -> Response[bytes]:
        return await serve(request, "/")

    @get("/{path:path}", include_in_schema=False)
    async def any_file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
        return await serve(request, path)

    return [front, any_file]
