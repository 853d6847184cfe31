"""The WebSocket of a game: one client that looks through one seat, or watches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.exceptions import WebSocketDisconnect

from sandtable.engine.questions import Refusal
from sandtable.server import actions, changes, handing, outgoing
from sandtable.server.limits import Bucket
from sandtable.server.messages import Hello, Request
from sandtable.server.neighbours import Elsewhere, Neighbour

if TYPE_CHECKING:
    from litestar.connection import WebSocket

    from sandtable.server.changes import Frame
    from sandtable.server.hall import Hall
    from sandtable.server.room import Room

WRONG_KEY, NO_GAME, NO_HELLO, TOO_LARGE, TOO_OFTEN = 4403, 4404, 4408, 4413, 4429
FAILED, TRY_AGAIN = 1011, 1012

LOG = logging.getLogger("sandtable.server")

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class Closed(Exception):
    """The socket is to be closed, and why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Client:
    """One socket: what it knows already, and what waits to be sent."""

    def __init__(self, socket: WebSocket[Any, Any, Any], hall: Hall, room: Room, address: str) -> None:
        self.socket = socket
        self.hall = hall
        self.room = room
        self.address = address
        self.seat: str | None = None
        self.owned: list[str] = []
        self.known = 0
        self.rewinds = -1
        self.told: Frame | None = None
        self.replies: list[bytes] = []
        self.stale = True
        self.gone = False
        self.news = asyncio.Event()
        self.bucket = Bucket(*hall.limits.messages)

    # Called by the hall.

    def changed(self) -> None:
        """Something has changed: a state is due."""
        self.stale = True
        self.news.set()

    def leave(self) -> None:
        """The game must be read again from disk: the page comes back."""
        self.gone = True
        self.news.set()

    # Receiving.

    async def receive(self) -> bytes:
        data = await self.socket.receive_data("text")
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if len(raw) > self.hall.limits.message:
            raise Closed(TOO_LARGE, "the message is too large")
        if not self.bucket.take() or not self.hall.messages.allows(self.address):
            raise Closed(TOO_OFTEN, "too many messages")
        return raw

    async def greet(self) -> None:
        """The first message says who looks, and what he knows already."""
        try:
            raw = await asyncio.wait_for(self.receive(), self.hall.limits.hello_seconds)
            hello = msgspec.json.decode(raw, type=Hello)
        except TimeoutError:
            raise Closed(NO_HELLO, "no hello came in time") from None
        except UNREADABLE:
            raise Closed(NO_HELLO, "the first message must be a hello") from None
        self.owned = self.room.owned(hello.key)
        if hello.key is not None and not self.owned:
            raise Closed(WRONG_KEY, "this key opens no seat of this game")
        if hello.seat is not None and hello.seat not in self.owned:
            raise Closed(WRONG_KEY, "this key does not open that seat")
        self.seat = hello.seat or (self.owned[0] if self.owned else None)
        if hello.rewinds is not None and 0 <= hello.rewinds <= self.room.rewinds:
            self.known, self.rewinds = max(0, hello.events), hello.rewinds
        await self.arrive()
        self.replies.append(await self.read(lambda: outgoing.static(self.room, self.seat, self.owned)))

    async def arrive(self) -> None:
        """Whoever comes with the link of a seat has it from now on; nobody else may have its key changed."""
        if all(self.room.seats[seat].joined for seat in self.owned):
            return
        try:
            await self.hall.act(self.room, lambda: self.room.join(self.owned, ""))
        except Elsewhere:
            raise Closed(TRY_AGAIN, "connect again") from None

    async def read(self, make: Any) -> Any:
        """Make something from the game while nobody changes it."""
        async with self.room.lock:
            return await self.hall.run(make)

    async def serve(self) -> None:
        while True:
            raw = await self.receive()
            try:
                request = msgspec.json.decode(raw, type=Request)
            except UNREADABLE as error:
                self.reply(None, Refusal("malformed", f"The message cannot be read: {error}"[:300]))
                continue
            try:
                answer = await actions.serve(self.hall, self.room, self, request)
            except Closed:
                raise
            except Elsewhere:
                raise Closed(TRY_AGAIN, "connect again") from None
            except Exception:
                LOG.exception("%s failed in game %s", request.t, self.room.id)
                answer = Refusal("illegal", "This failed on the server. Nothing has changed.")
            self.reply(request.id, answer)

    def reply(self, name: Any, answer: dict[str, Any] | Refusal) -> None:
        if isinstance(answer, Refusal):
            message: dict[str, Any] = {"t": "refused", "id": name, "refusal": answer}
        else:
            message = {"t": "reply", "id": name, **answer}
        self.replies.append(changes.encode(message))
        self.news.set()

    def sit(self, seat: str) -> None:
        """From now on this socket sees that seat, from the beginning."""
        self.seat, self.known, self.rewinds, self.told = seat, 0, -1, None
        self.changed()

    # Sending.

    async def send(self) -> None:
        """Send whatever waits. States that were overtaken by a newer one are never made."""
        while True:
            replies, self.replies = self.replies, []
            for data in replies:
                await self.socket.send_data(data, "text")
            if self.gone:
                raise Closed(TRY_AGAIN, "connect again")
            if self.stale:
                self.stale = False
                await self.socket.send_data(await self.read(self._state), "text")
            elif not self.replies:
                self.news.clear()
                await self.news.wait()

    def _state(self) -> bytes:
        data, known, told = outgoing.state(self.room, self.seat, self.known, self.rewinds, self.told)
        self.known, self.rewinds, self.told = known, self.room.rewinds, told
        return data


async def live(socket: WebSocket[Any, Any, Any], hall: Hall, game_id: str) -> None:
    """Serve one socket to its end."""
    await socket.accept()
    address = socket.client.host if socket.client is not None else "unknown"
    if hall.sockets[address] >= hall.limits.sockets:
        await socket.close(TOO_OFTEN, "too many connections from this address")
        return
    hall.sockets[address] += 1
    try:
        await at_the_game(socket, hall, game_id, address)
    except (Elsewhere, handing.Unreached):
        await socket.close(TRY_AGAIN, "connect again")
    finally:
        hall.sockets[address] -= 1
        if not hall.sockets[address]:
            del hall.sockets[address]


async def at_the_game(socket: WebSocket[Any, Any, Any], hall: Hall, game_id: str, address: str) -> None:
    """Serve the socket here, or carry it to where the game lives."""

    async def carry(server: Neighbour) -> bool:
        if handing.handed(socket):
            raise Elsewhere
        await handing.relayed(socket, hall, server, game_id, address)
        return True

    room = await handing.at_home(hall, game_id, carry)
    if room is None:
        await socket.close(NO_GAME, "there is no such game")
    elif not isinstance(room, bool):
        await attend(Client(socket, hall, room, address))


async def attend(client: Client) -> None:
    """One client of a game, from its hello to its end."""
    socket, hall, room = client.socket, client.hall, client.room
    tasks: list[asyncio.Task[None]] = []
    try:
        await client.greet()
        room.clients.add(client)
        if hall.rooms.get(room.id) is not room:
            # It was forgotten while the client said hello.
            client.leave()
        hall.changed(room)
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(client.send()), loop.create_task(client.serve())]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except Closed as closed:
        with contextlib.suppress(Exception):
            await socket.close(closed.code, closed.reason)
    except (WebSocketDisconnect, OSError):
        # Gone, perhaps in the midst of a message.
        pass
    except Exception:
        LOG.exception("a socket of game %s failed", room.id)
        with contextlib.suppress(Exception):
            await socket.close(FAILED, "this failed on the server")
    finally:
        for task in tasks:
            task.cancel()
        room.gone(client)
        hall.changed(room)
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
