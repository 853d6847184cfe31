"""The application: its routes, its errors, its headers."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
from litestar import Litestar, Request, Response, WebSocket, websocket
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath
from litestar.types import Message, Scope

from sandtable import __version__
from sandtable.server.asking import Refused, address_of
from sandtable.server.catalogue import NotPlayable
from sandtable.server.chores import ChoreFailed
from sandtable.server.doors import answers_to, may_open
from sandtable.server.fair import TooBusy
from sandtable.server.hall import Full, Hall
from sandtable.server.handing import away, believing, handed, handed_on
from sandtable.server.headers import HEADERS, KIND_OF_STATUS
from sandtable.server.limits import Gate
from sandtable.server.live import live
from sandtable.server.messages import ErrorBody, Problem, problem
from sandtable.server.neighbours import Elsewhere
from sandtable.server.operator_routes import OPERATOR_ROUTES
from sandtable.server.page import page_routes
from sandtable.server.routes import ROUTES
from sandtable.server.seat_routes import SEAT_ROUTES

LOG = logging.getLogger("sandtable.server")
BEGAN = "sandtable.began"
"""Where a request's scope keeps when it came."""

LONGEST_LOGGED = 200
STATUS = {"malformed": 400, "unknown": 404, "illegal": 409, "unasked": 409}


def said(status: int, body: ErrorBody) -> Response[ErrorBody]:
    return Response(body, status_code=status, media_type="application/json")


def on_refused(_: Request[Any, Any, Any], error: Refused) -> Response[ErrorBody]:
    return said(error.status or STATUS[error.refusal.kind], problem(error.refusal))


def on_not_playable(request: Request[Any, Any, Any], error: NotPlayable) -> Response[ErrorBody]:
    unknown = 404 if request.method == "GET" else 400
    return said({"unknown": unknown, "malformed": 400}.get(error.refusal.kind, 409), problem(error.refusal))


def on_full(_: Request[Any, Any, Any], error: Full) -> Response[ErrorBody]:
    return said(429, ErrorBody(Problem("full", "No more games are kept here. Finish one first.")))


def on_chore(_: Request[Any, Any, Any], error: ChoreFailed) -> Response[ErrorBody]:
    return said(409, ErrorBody(Problem("illegal", str(error))))


def on_busy(_: Request[Any, Any, Any], error: TooBusy) -> Response[ErrorBody]:
    return said(429, ErrorBody(Problem("often", "Too many requests wait for an answer. Wait a moment.")))


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[ErrorBody]:
    """What the framework refuses, in our form and without its inner words."""
    status = error.status_code
    message = error.detail
    extra = getattr(error, "extra", None)
    field = None
    if status == 400 and isinstance(extra, list) and extra and isinstance(extra[0], dict):
        message = str(extra[0].get("message", message))
        field = str(extra[0]["key"]) if "key" in extra[0] else None
    if status >= 500:
        message = "This failed on the server."
    return said(status, ErrorBody(Problem(KIND_OF_STATUS.get(status, "failed"), message[:300], field=field)))


def on_elsewhere(_: Request[Any, Any, Any], error: Elsewhere) -> Response[ErrorBody]:
    return away()


def on_too_deep(_: Request[Any, Any, Any], error: RecursionError) -> Response[ErrorBody]:
    return said(400, ErrorBody(Problem("malformed", "What was sent is nested too deeply.")))


def on_no_text(_: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[ErrorBody]:
    """In a field or a name of a body; the framework looks for other errors of decoding alone."""
    return said(400, ErrorBody(Problem("malformed", "What was sent is not text in UTF-8.")))


def on_failure(request: Request[Any, Any, Any], error: Exception) -> Response[ErrorBody]:
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return said(500, ErrorBody(Problem("failed", "This failed on the server.")))


async def with_headers(message: Message, _: Scope) -> None:
    """Every answer carries them, whoever made it."""
    if message["type"] == "http.response.start":
        message["headers"] = [*message["headers"], *HEADERS]


def build(hall: Hall, page: Path | None = None, log: Callable[[str], None] | None = None) -> Litestar:
    """The application over a hall of games. Each request is told to `log` in one line of JSON, without its key."""
    requests = Gate(hall.limits.requests)

    async def tally(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        hall.metrics.requests[message["status"]] += 1
        hall.metrics.failures += message["status"] >= 500
        if log is not None:
            client, plain = scope.get("client"), cast("dict[str, Any]", scope)
            took = time.monotonic() - plain.get(BEGAN, time.monotonic())
            line = {
                "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "address": client[0] if client else "",
                "method": plain["method"],
                "path": plain["path"][:LONGEST_LOGGED],
                "status": message["status"],
                "ms": round(1000 * took, 1),
            }
            log(msgspec.json.encode(line).decode())

    async def gate(request: Request[Any, Any, Any]) -> Response[Any] | None:
        cast("dict[str, Any]", request.scope)[BEGAN] = time.monotonic()
        if not handed(request) and not answers_to(request.headers.get("host", ""), hall.limits.hosts):
            return said(421, ErrorBody(Problem("malformed", "The server does not go by this name.")))
        if request.url.path.startswith("/api/") and not requests.allows(address_of(request)):
            return said(429, ErrorBody(Problem("often", "Too many requests. Wait a moment.")))
        game = request.path_params.get("game_id")
        if game is None or hall.neighbours is None or request.url.path == f"/api/games/{game}":
            # Lists and cards come out of the database.
            return None
        return await handed_on(request, hall, game, address_of(request))

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.hall = hall
        app.state.new_games = Gate(hall.limits.new_games)
        hall.start()
        try:
            yield
        finally:
            await hall.close()

    @websocket("/api/games/{game_id:str}/live")
    async def socket_of_game(socket: WebSocket[Any, Any, Any], game_id: FromPath[str]) -> None:
        host = socket.headers.get("host", "")
        known = answers_to(host, hall.limits.hosts) and may_open(
            socket.headers.get("origin"), host, hall.limits.origins
        )
        # What another server hands on, it has let in.
        if not known and not handed(socket):
            raise PermissionDeniedException("This page may not open sockets here.")
        await live(socket, hall, game_id)

    return Litestar(
        route_handlers=[*ROUTES, *SEAT_ROUTES, *OPERATOR_ROUTES, socket_of_game, *page_routes(page)],
        before_request=gate,
        middleware=[] if hall.neighbours is None else [believing(hall.neighbours)],
        lifespan=[lifespan],
        exception_handlers={
            Refused: on_refused,
            NotPlayable: on_not_playable,
            Full: on_full,
            ChoreFailed: on_chore,
            TooBusy: on_busy,
            Elsewhere: on_elsewhere,
            UnicodeDecodeError: on_no_text,
            RecursionError: on_too_deep,
            HTTPException: on_http,
            Exception: on_failure,
        },
        before_send=[with_headers, tally],
        request_max_body_size=hall.limits.body,
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version=__version__,
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        debug=False,
        logging_config=None,
    )
