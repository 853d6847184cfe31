"""Firing: who may fire at what, the To Hit roll and what hits do, and fire in reaction to a move."""
