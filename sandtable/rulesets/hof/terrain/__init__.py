"""Cover and terrain: `concealment`, and `terrain_crossing`. What each kind of ground is stands in `core.terrain`."""
