"""The first start on a new machine: nobody waits for a compiler."""

from __future__ import annotations

import pytest

from sandtable.lab.bench import first_start


@pytest.mark.soak
def test_the_first_start_is_soon_over() -> None:
    figures = first_start(0.0)
    print(*(f"{name}: {figure.value:.1f} {figure.unit}" for name, figure in figures.items()), sep="\n")
    assert figures["cold_page"].value <= 5.0
    assert figures["cold_question"].value <= 2.0
    assert figures["cold_compiling"].value <= 60.0
