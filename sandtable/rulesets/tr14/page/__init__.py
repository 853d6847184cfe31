"""What players may know, and what a page shows them beside the picture."""
