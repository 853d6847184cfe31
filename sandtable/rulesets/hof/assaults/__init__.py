"""Assaults: how one goes (`assaults`), who is in `contact`, and `assault_checks`."""
