"""Connections that are opened and left, or send a request drop by drop, are closed after a while."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 20.0
"""How long a whole request may take to arrive."""

CHECK_SECONDS = 2.0


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with an end to waiting."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.waiting_since = self.loop.time()
        self.next_check = self.loop.call_later(CHECK_SECONDS, self.check)

    def connection_lost(self, exc: Exception | None) -> None:
        self.next_check.cancel()
        super().connection_lost(exc)

    def check(self) -> None:
        """Whether a request is half here for too long; one that is being answered may take its time."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            # Closed, or it has become a WebSocket.
            return
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self.waiting_since = self.loop.time()
        elif self.loop.time() - self.waiting_since > REQUEST_SECONDS:
            self.transport.close()
            return
        self.next_check = self.loop.call_later(CHECK_SECONDS, self.check)

    def on_response_complete(self) -> None:
        self.waiting_since = self.loop.time()
        super().on_response_complete()
