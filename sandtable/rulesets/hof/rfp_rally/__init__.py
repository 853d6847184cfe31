"""Received Fire Points (`rfp`), `suppression`, and how a Team comes to itself again (`rally`)."""
