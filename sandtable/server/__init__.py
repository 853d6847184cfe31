"""The server: games over HTTP and WebSocket, their seats and their storage. `docs/server.md` is its interface."""
