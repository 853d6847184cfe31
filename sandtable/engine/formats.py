"""Data files of many kinds, told apart by the `format` that each names in its first lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from sandtable.engine.data import DataError, mistake, parse_toml, problems_in, read_text


def formats_of(*structures: type[Any]) -> dict[str, type[Any]]:
    """Structures by the one `format` that each of them takes."""
    return {get_args(get_type_hints(each)["format"])[0]: each for each in structures}


def check_as(path: str, known: Mapping[str, type[Any]]) -> list[DataError]:
    """Every mistake of a data file of one of the known formats, each given with the structure that reads it."""
    try:
        text = read_text(path)
        data = parse_toml(text, path)
    except DataError as error:
        return [error]
    format_ = data.get("format")
    listed = ", ".join(sorted(known))
    if format_ is None:
        return [mistake(text, path, "", f"the key `format` is missing; known formats: {listed}")]
    if not isinstance(format_, str) or format_ not in known:
        said = msgspec.json.encode(format_).decode()
        return [mistake(text, path, "format", f"{said} is not a known format; known formats: {listed}")]
    return problems_in(text, known[format_], path)
