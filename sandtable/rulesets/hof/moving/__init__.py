"""Moving: Move orders, what is legal, how far a Team comes, and what it meets on its way."""
