"""Order Points and Hero Points: how a side comes by them, and what they pay for."""
