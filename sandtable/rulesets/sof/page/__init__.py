"""What players may know, how a battle is drawn, and what a page shows beside the picture."""

from sandtable.rulesets.sof.page.display import DISPLAY
from sandtable.rulesets.sof.page.views import invariants, scene, score, summary, view
from sandtable.rulesets.sof.page.words import PAGE
from sandtable.rulesets.sof.page.worth import WORTH
