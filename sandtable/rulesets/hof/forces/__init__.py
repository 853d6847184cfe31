"""Building forces, comparing them, scenarios, and the random battle."""
