"""A few games while a stranger wants much; `make soak` plays a hundred, and holds the server to how soon it answers."""

from __future__ import annotations

from pathlib import Path

from tests.server.evening import evening


def test_everybody_is_answered_while_a_stranger_wants_much(tmp_path: Path) -> None:
    found = evening(tmp_path, games=4, guests=1, seconds=5.0, pace=(0.1, 0.4))
    assert len(found.waits) > 10
    # Whatever a stranger wants, he is served or told why not.
    assert {told.split()[1] for told in found.strangers} <= {"200", "201", "429", "MB"}
    assert found.strangers["import 201"] > 0
    # A busy machine makes all of it slow, but nobody waits for an import to be over.
    assert found.p99 < 2.0
