"""Received Fire Points, what they do to a Team when it acts, suppression, and rallying from it."""
