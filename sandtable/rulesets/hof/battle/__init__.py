"""On to the battle: `zones`, `deployment`, `hidden` Teams, `recon`, `reserves` and their `seats`, `objectives`."""
