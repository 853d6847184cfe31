"""National characteristics: what the switch `national` changes for Units of some nations."""

from sandtable.rulesets.hof.activation.order_menu import SPLITS
from sandtable.rulesets.hof.morale.morale import WHEN_LOST
from sandtable.rulesets.hof.national import national
from sandtable.rulesets.hof.turn.turns import EXTRA_POINTS, SPECIAL_CALLS, SpecialCall

EXTRA_POINTS.join(national.tactical_initiative)
SPLITS.join(national.refuse_split)
WHEN_LOST.join(national.when_lost)
SPECIAL_CALLS.join(SpecialCall(national.calls, national.answer_call))
