"""What players may know, how a battle is drawn, and what a page shows beside the picture."""

from sandtable.rulesets.tr14.core.names import PAGE
from sandtable.rulesets.tr14.page.display import DISPLAY
from sandtable.rulesets.tr14.page.worth import WORTH
