"""What the long looks at the server share."""

from __future__ import annotations

import httpx
from websockets.exceptions import WebSocketException

from sandtable.server.limits import Limits
from tests.server.evening import RULESETS

__all__ = ["AWAY", "OFTEN", "RULESETS", "UNLIMITED"]

AWAY = (WebSocketException, OSError, httpx.HTTPError, TimeoutError)
"""What a client meets when its server is not there."""

OFTEN = (1e6, 1e6)
UNLIMITED = Limits(requests=OFTEN, new_games=OFTEN, messages=OFTEN, all_messages=OFTEN, sockets=10_000)
