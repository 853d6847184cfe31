"""Firing, at foot and at Vehicles: weapons, lines of fire, Fire orders, and where the hits go."""
