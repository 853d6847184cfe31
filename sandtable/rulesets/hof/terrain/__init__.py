"""Cover and terrain: `concealment`, and `terrain_crossing`. What each kind of ground is stands in `core.terrain`."""

from sandtable.rulesets.hof.terrain.concealment import CONCEALED, CONCEALERS, Concealer, behind, behind_front, flags
from sandtable.rulesets.hof.terrain.terrain_crossing import Path, length_of, point_at

__all__ = ["CONCEALED", "CONCEALERS", "Concealer", "Path", "behind", "behind_front", "flags", "length_of", "point_at"]
