"""Assaults: who is in contact, how a fight goes, and how it ends."""
