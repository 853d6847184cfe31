"""Strangers who want much of a server: the largest battles that it takes, and pictures of them. For tests."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from multiprocessing.connection import Connection
from random import Random
from threading import Thread
from typing import Any

import httpx
import msgspec

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server import untrusted

CORNERS = untrusted.ALL_POINTS // untrusted.MOST_FEATURES
ALMOST = 0.98
"""Rounding must not make it more than is allowed."""


def largest_save(ruleset: str, scenario: str, seed: int) -> bytes:
    """A battle with as much terrain as may be, fought to its end."""
    rules = rulesets.load(ruleset)
    plain: dict[str, Any] = msgspec.to_builtins(rules.scenario(scenario))
    plain["terrain"] = woods(plain["table"]["width"], plain["table"]["depth"], Random(seed))
    setup = msgspec.convert(plain, rules.setup_type)
    assert not untrusted.too_large(setup)
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    random = Random(seed)
    while game.ask is not None and len(game.record) < untrusted.MOST_ANSWERS:
        game.accept(game.ask.question.sample(random))
    return b"\n".join(record.lines(game, reveal=True)) + b"\n"


def woods(width: float, depth: float, random: Random) -> list[dict[str, Any]]:
    """As many woods as there may be, each with as many corners, which cover the table as often as they may."""
    radius = math.sqrt(ALMOST * untrusted.MOST_GROUND * width * depth / untrusted.MOST_FEATURES) / 2
    found = []
    for number in range(untrusted.MOST_FEATURES):
        x, y = random.uniform(radius, width - radius), random.uniform(radius, depth - radius)
        turns = [corner * math.tau / CORNERS for corner in range(CORNERS)]
        points = [[round(x + radius * math.cos(t), 2), round(y + radius * math.sin(t), 2)] for t in turns]
        found.append({"id": f"wood-{number}", "kind": "wood", "points": points})
    return found


def visit(port: int, count: int, seconds: float, pipe: Connection) -> None:
    """Strangers from several addresses, each as fast as the server lets him; at the end what they got is sent back."""
    saves = [largest_save("hof", "hedgerow-village", 1), largest_save("tr14", "crossroads", 2)]
    ends = time.monotonic() + seconds
    told: Counter[str] = Counter()
    pipe.send("ready")
    threads = [Thread(target=one, args=(port, number, saves, ends, told)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send(dict(told))


def one(port: int, number: int, saves: list[bytes], ends: float, told: Counter[str]) -> None:
    """Imports a battle, fetches its picture, and that of a table that nobody has asked for before; and so on."""
    door = httpx.HTTPTransport(local_address=f"127.0.0.{2 + number}")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, transport=door) as http:
        for turn in itertools.count():
            if time.monotonic() > ends:
                return
            made = http.post("/api/games/import", content=saves[turn % len(saves)])
            told[f"import {made.status_code}"] += 1
            tables = [f"/api/rulesets/hof/scenarios/random:{1000 * number + turn}/picture.svg"]
            if made.status_code == 201:
                tables.append(f"/api/games/{made.json()['id']}/picture.svg")
            for table in tables:
                picture = http.get(table)
                told[f"picture {picture.status_code}"] += 1
                told["picture MB"] += len(picture.content) // 1_000_000
