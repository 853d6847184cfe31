"""Actions: what an activated unit may do (`acting`), its orders to move, and mounting."""

from sandtable.rulesets.sof.actions.acting import ACTIONS, Action, activate
