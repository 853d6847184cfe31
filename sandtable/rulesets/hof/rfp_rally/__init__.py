"""Received Fire Points (`rfp`), `suppression`, and how a Team comes to itself again (`rally`)."""

from sandtable.rulesets.hof.rfp_rally.rfp import COVERS, MARKS, READY, STAND_FIRM, SUPPRESSED, Again, Firmness
