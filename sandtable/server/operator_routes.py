"""For whoever runs the server: whether it lives, whether it can work, and its figures."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import MediaType, Response, get

from sandtable.engine.questions import Refusal
from sandtable.server.asking import Asked, Refused, address_of, hall_of


class Ready(msgspec.Struct):
    """Whether each part of the server works."""

    writer: bool
    database: bool
    workers: bool
    lease: bool

    @property
    def all(self) -> bool:
        return self.writer and self.database and self.workers and self.lease


@get("/health", include_in_schema=False)
async def health() -> dict[str, bool]:
    """The server answers at all."""
    return {"alive": True}


@get("/ready", include_in_schema=False)
async def ready(request: Asked) -> Response[Ready]:
    """Whether games can be played: 200, or 503 with the part that does not work."""
    hall = hall_of(request)
    found = Ready(hall.storage.writing, await hall.run(hall.storage.answers), hall.workers.serving, hall.lease_held())
    return Response(found, status_code=200 if found.all else 503, media_type=MediaType.JSON)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asked) -> Response[str]:
    """Figures for Prometheus; told to the addresses that the operator named."""
    hall = hall_of(request)
    if address_of(request) not in hall.limits.operators:
        raise Refused(Refusal("unknown", "There is no such thing here."), 404)
    return Response(await hall.run(hall.metrics.text, hall), media_type="text/plain; version=0.0.4")


OPERATOR_ROUTES: list[Any] = [health, ready, metrics]
