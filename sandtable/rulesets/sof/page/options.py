"""A battle with just some of the rules that stand in the play charts alone."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.rulesets.sof.core.state import Options, Setup
from sandtable.rulesets.sof.forces import scenario
from sandtable.rulesets.sof.page.words import PAGE


def switched(name: str, chosen: frozenset[str]) -> Setup:
    return replace(scenario(name), options=Options(**{switch.id: switch.id in chosen for switch in PAGE.switches}))
