"""Platoon Leaders: their `abilities`, their `replacement`, and where they stand (`placing`)."""
