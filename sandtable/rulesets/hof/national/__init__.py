"""National characteristics: what the switch `national` changes for Units of some nations."""

from sandtable.rulesets.hof.activation import SPLITS
from sandtable.rulesets.hof.morale import WHEN_LOST
from sandtable.rulesets.hof.national import national
from sandtable.rulesets.hof.orders import EXTRA_POINTS
from sandtable.rulesets.hof.rfp_rally import STAND_FIRM, Firmness
from sandtable.rulesets.hof.turn import SPECIAL_CALLS, SpecialCall

EXTRA_POINTS.join(national.tactical_initiative)
SPLITS.join(national.refuse_split)
WHEN_LOST.join(national.when_lost)
STAND_FIRM.join(Firmness(national.may_stand_firm, national.stand_firm))
SPECIAL_CALLS.join(SpecialCall(national.calls, national.answer_call))
