"""Handing on: whoever asks this server for a game that lives on another one is answered by that one, through this.

Until it is clear where a game lives (its server has died, and nobody has taken it over yet) the asker waits. What may
have been done already is never asked for twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import httpx
from litestar import Response
from litestar.exceptions import WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from sandtable.server.messages import ErrorBody, Problem
from sandtable.server.neighbours import DEAD, Elsewhere, Neighbour, Neighbours

if TYPE_CHECKING:
    from litestar import Request, WebSocket
    from litestar.types import ASGIApp, Receive, Scope, Send

    from sandtable.server.hall import Hall
    from sandtable.server.room import Room

PATIENCE = DEAD + 5.0
"""Seconds that somebody waits until a game has found its server."""

AGAIN = 0.2
"""Seconds between two looks at where it lives, as long as nobody has it."""

UNCHANGED = 1.0
"""Seconds between two, as long as the server that has it counts as living."""

LISTENED = 0.5
"""Seconds between two looks at whether the server that was asked still lives."""

REACHED = 2.0
"""Seconds within which a server that lives takes a connection."""

ANSWERED = 60.0
"""Seconds within which it answers; a long one may take its time."""

WORD, CLIENT, NOT_HERE = "sandtable-word", "sandtable-client", "sandtable-not-here"
"""Headers among servers: that one is, who asks, and that nothing was done because the game lives elsewhere."""

HANDED = "sandtable.handed"
"""Where a scope keeps that it was handed on: such a request is not handed on again."""

THERE = ("authorization", "content-type", "accept", "if-none-match")
BACK = ("content-type", "content-disposition", "cache-control", "etag")
GONE, LOST = 1006, 1012
"""A socket that ended without a word; what its client is told then: connect again."""

T = TypeVar("T")


class Unreached(Exception):
    """The other server has done nothing of it."""


class Broken(Exception):
    """The other server may have done it, and has not said so."""


def believing(neighbours: Neighbours) -> Callable[[ASGIApp], ASGIApp]:
    """Among servers, who asks is whom the other one names; from anybody else the headers mean nothing."""

    def wrapped(app: ASGIApp) -> ASGIApp:
        async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
            headers = dict(scope.get("headers", ()))
            if neighbours.knows(headers.get(WORD.encode(), b"").decode("latin-1")):
                plain = cast("dict[str, Any]", scope)
                plain["client"] = (headers.get(CLIENT.encode(), b"unknown").decode("latin-1"), 0)
                plain[HANDED] = True
            await app(scope, receive, send)

        return middleware

    return wrapped


def handed(connection: Request[Any, Any, Any] | WebSocket[Any, Any, Any]) -> bool:
    """Whether another server hands this on."""
    return HANDED in connection.scope


def away() -> Response[ErrorBody]:
    """Nobody can say anything about the game just now."""
    body = ErrorBody(Problem("away", "The game is being handed over to another server. Try again in a moment."))
    return Response(body, status_code=503, media_type="application/json", headers={NOT_HERE: "1"})


async def at_home(hall: Hall, game: str, ask: Callable[[Neighbour], Awaitable[T]]) -> Room | T | None:
    """The game itself if it lives here, or what its own server says; waits for a game that has none."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            return await hall.room(game)
        except Elsewhere as elsewhere:
            server = elsewhere.server
        if server is not None:
            with contextlib.suppress(Unreached):
                return await ask(server)
        if time.monotonic() > ends:
            raise Elsewhere
        await asyncio.sleep(AGAIN)
        if server is not None:
            await no_longer(hall, server)


async def no_longer(hall: Hall, server: Neighbour) -> None:
    """Wait until a server that could not be reached counts as dead, for a while; without a look into the database.

    When one dies many wait for its games: if all of them asked again and again, the others would only be slower.
    """
    assert hall.neighbours is not None
    ends = time.monotonic() + UNCHANGED
    while server.id in hall.neighbours.living and time.monotonic() < ends:
        await asyncio.sleep(AGAIN)


async def while_it_lives(hall: Hall, server: Neighbour, work: Awaitable[T]) -> T:
    """Wait for what another server does, but not for one that died over it."""
    assert hall.neighbours is not None
    began, task = time.monotonic(), asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LISTENED)
            if not task.done() and hall.neighbours.died(server, began):
                raise Broken
        return task.result()
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task


# HTTP.


def client() -> httpx.AsyncClient:
    # A connection that was not used for a while may be closed by the other side just when it is.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=50, keepalive_expiry=2.0)
    return httpx.AsyncClient(timeout=httpx.Timeout(ANSWERED, connect=REACHED), limits=limits, trust_env=False)


async def handed_on(request: Request[Any, Any, Any], hall: Hall, game: str, address: str) -> Response[Any] | None:
    """The answer of the server on which a game lives; none if that is this one, or there is no such game."""
    body = await request.body()

    async def ask(server: Neighbour) -> Response[Any]:
        headers = {name: request.headers[name] for name in THERE if name in request.headers}
        headers |= {WORD: server.word, CLIENT: address, "accept-encoding": "identity"}
        url = httpx.URL(server.address).copy_with(
            raw_path=request.scope["raw_path"].split(b"?")[0] + query(request.scope["query_string"])
        )
        assert hall.between is not None
        sent = hall.between.request(request.method, url, content=body, headers=headers)
        try:
            answer = await while_it_lives(hall, server, sent)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise Unreached from None
        except (Broken, httpx.HTTPError):
            if request.method == "GET":
                raise Unreached from None
            raise Broken from None
        if NOT_HERE in answer.headers:
            raise Unreached
        hall.metrics.handed_on += 1
        back = {name: answer.headers[name] for name in BACK if name in answer.headers}
        return Response(answer.content, status_code=answer.status_code, headers=back)

    try:
        if handed(request):
            await hall.room(game)
            return None
        found = await at_home(hall, game, ask)
    except (Elsewhere, Broken):
        return away()
    return found if isinstance(found, Response) else None


def query(string: bytes) -> bytes:
    return b"?" + string if string else b""


# Sockets.


async def relayed(socket: WebSocket[Any, Any, Any], hall: Hall, server: Neighbour, game: str, address: str) -> None:
    """Carry every message of a socket to the server on which its game lives, and back, until one of them ends."""
    url = f"{server.address.replace('http', 'ws', 1)}/api/games/{game}/live"
    try:
        other = await connect(
            url,
            additional_headers={WORD: server.word, CLIENT: address},
            open_timeout=REACHED,
            close_timeout=1.0,
            max_size=None,
            compression=None,
            proxy=None,
        )
    except (OSError, TimeoutError, WebSocketException):
        raise Unreached from None
    hall.metrics.handed_on += 1
    code, reason = LOST, "connect again"
    try:
        code, reason = await while_it_lives(hall, server, carried(socket, other))
    except (Broken, OSError):
        pass
    except WebSocketDisconnect:
        return
    finally:
        await other.close()
    with contextlib.suppress(Exception):
        await socket.close(code, reason)


async def carried(socket: WebSocket[Any, Any, Any], other: ClientConnection) -> tuple[int, str]:
    """Until one of them ends. Returns how the other one did."""

    async def there() -> None:
        while True:
            await other.send(as_text(await socket.receive_data("text")))

    async def back() -> None:
        async for message in other:
            await socket.send_data(message, "text")

    tasks = [asyncio.ensure_future(there()), asyncio.ensure_future(back())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            with contextlib.suppress(ConnectionClosed):
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    code = other.close_code
    return (LOST, "connect again") if code in (None, GONE) else (code, other.close_reason or "")


def as_text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "replace")
