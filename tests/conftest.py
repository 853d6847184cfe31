"""What all tests share: examples by chance are the same in every run, unless a search is asked for."""

from __future__ import annotations

from hypothesis import settings

# `pytest --hypothesis-profile search` looks further; what it finds becomes a test of its own.
settings.register_profile("search", deadline=None, derandomize=False)
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")
