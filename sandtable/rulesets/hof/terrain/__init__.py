"""Cover and terrain: `concealment`, and `terrain_crossing`. What each kind of ground is stands in `core.terrain`."""

from sandtable.rulesets.hof.terrain.concealment import CONCEALED, CONCEALERS, Concealer, behind, behind_front, flags
