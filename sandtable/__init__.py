"""Sandtable: the table, the umpire and the opponent for twentieth-century miniature battle games."""

__version__ = "0.1.0"
