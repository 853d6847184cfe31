"""Laws of the house."""
