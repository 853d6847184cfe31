"""The page's types are those of the structures that the server sends."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from sandtable.testing import page_types


def test_the_page_s_types_are_current() -> None:
    written = page_types.FILE.read_text(encoding="utf-8")
    assert written == page_types.text(), "run: python -m sandtable.testing.page_types write"


class Crate(msgspec.Struct, omit_defaults=True):
    """A crate, and what is in it.

    More about crates.
    """

    name: str
    kind: Literal["wood", "steel"] = "wood"
    weight: float | None = None
    corners: list[tuple[float, float]] = []
    counts: dict[str, int] = {}


class Shed(msgspec.Struct):
    """ """

    crates: tuple[Crate, ...]
    keeper: str | None


def test_what_may_be_left_out_is_optional_and_never_null(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_types.interface("Crate", Crate).splitlines() == [
        "/** A crate, and what is in it. */",
        "export interface Crate {",
        "  name: string;",
        '  kind?: "steel" | "wood";',
        "  weight?: number;",
        "  corners?: [number, number][];",
        "  counts?: Record<string, number>;",
        "}",
    ]
    with pytest.raises(page_types.Untold, match="Crate"):
        page_types.interface("Shed", Shed)
    monkeypatch.setitem(page_types.NAMES, Crate, "Crate")
    assert "  crates: Crate[];\n  keeper: string | null;" in page_types.interface("Shed", Shed)
