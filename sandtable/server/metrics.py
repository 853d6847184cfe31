"""What an operator watches, in the text form that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.server.hall import Hall

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds: the upper ends of the boxes into which answers are sorted by how long they took."""


class Histogram:
    """How long something took, sorted into boxes."""

    def __init__(self) -> None:
        self.boxes = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def took(self, seconds: float) -> None:
        self.boxes[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def lines(self, name: str) -> list[str]:
        count, lines = 0, []
        for bound, number in zip((*BOUNDS, "+Inf"), self.boxes, strict=True):
            count += number
            lines.append(f'{name}_bucket{{le="{bound}"}} {count}')
        return [*lines, f"{name}_sum {self.seconds:.6f}", f"{name}_count {count}"]


class Metrics:
    """What has been counted since the server started."""

    def __init__(self) -> None:
        self.answers = Histogram()
        self.requests: Counter[int] = Counter()
        self.failures = 0
        self.handed_on = 0

    def text(self, hall: Hall) -> str:
        """All figures, those of this moment read from the hall."""
        games = hall.storage.count_by_state()
        queues = {
            "storage": hall.storage.waiting,
            "bots": sum(worker.tasks.qsize() for worker in hall.workers.all),
            "chores": hall.chores.waiting,
            "long": hall.turns.waiting,
        }
        replaced = {
            "bots": sum(worker.child.replaced for worker in hall.workers.all),
            "chores": sum(child.replaced for child in hall.chores.children),
        }
        parts: list[tuple[str, str, str, list[str]]] = [
            ("sandtable_games", "gauge", "games on disk", labelled("sandtable_games", "state", games)),
            ("sandtable_rooms_open", "gauge", "games in memory", [f"sandtable_rooms_open {len(hall.rooms)}"]),
            (
                "sandtable_sockets",
                "gauge",
                "people and watchers connected",
                [f"sandtable_sockets {hall.sockets.total()}"],
            ),
            ("sandtable_queue", "gauge", "what waits", labelled("sandtable_queue", "of", queues)),
            (
                "sandtable_requests_total",
                "counter",
                "HTTP requests by status",
                labelled("sandtable_requests_total", "status", self.requests),
            ),
            (
                "sandtable_failures_total",
                "counter",
                "things that failed on the server",
                [f"sandtable_failures_total {self.failures}"],
            ),
            (
                "sandtable_servers",
                "gauge",
                "servers that share the database and live",
                [f"sandtable_servers {1 if hall.neighbours is None else len(hall.neighbours.living)}"],
            ),
            (
                "sandtable_handed_on_total",
                "counter",
                "requests and sockets handed on to another server",
                [f"sandtable_handed_on_total {self.handed_on}"],
            ),
            (
                "sandtable_replaced_total",
                "counter",
                "processes that ended and were replaced",
                labelled("sandtable_replaced_total", "of", replaced),
            ),
            (
                "sandtable_answer_seconds",
                "histogram",
                "from an answer's arrival until it lies on disk",
                self.answers.lines("sandtable_answer_seconds"),
            ),
        ]
        lines: list[str] = []
        for name, kind, about, figures in parts:
            lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *figures]
        return "\n".join(lines) + "\n"


def labelled(name: str, label: str, figures: Counter[int] | dict[str, int]) -> list[str]:
    return [f'{name}{{{label}="{key}"}} {number}' for key, number in sorted(figures.items(), key=str)]
