"""Errors that a person can cause and can mend: each is one sentence for that person."""


class SandtableError(Exception):
    """Anything wrong with what a user gave us. The command line prints it and exits with 2."""
