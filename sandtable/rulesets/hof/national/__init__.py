"""National characteristics."""
