"""What all tests share: compiled kernels, and examples by chance that are the same in every run."""

from __future__ import annotations

from hypothesis import settings

from sandtable.table.compiled import switch

switch.finish()

# `pytest --hypothesis-profile search` looks further; what it finds becomes a test of its own.
settings.register_profile("search", deadline=None, derandomize=False)
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")
