"""Moving: what a Move allows, the ways that Teams take, and moves that may be proposed."""
