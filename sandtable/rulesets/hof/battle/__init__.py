"""On to the battle: deployment zones, setting up, hidden Teams, reserves."""
