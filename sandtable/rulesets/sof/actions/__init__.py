"""Actions: what an activated unit may do (`acting`), its orders to move, mounting, Communicate and Inspired Advance."""

from sandtable.rulesets.sof.actions.acting import ACTIONS, activate
from sandtable.rulesets.sof.actions.communicate import EFFECTS, Effect
