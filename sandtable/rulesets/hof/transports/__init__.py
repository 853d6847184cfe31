"""Transports: loading, unloading, the rear, and bailing out."""
