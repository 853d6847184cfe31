"""The words of this game on a page, which lie beside the other data."""

from __future__ import annotations

from pathlib import Path

from sandtable.engine import data
from sandtable.field.page_words import PageWords

PAGE = data.read(Path(__file__).parents[1] / "data" / "page.toml", PageWords)
