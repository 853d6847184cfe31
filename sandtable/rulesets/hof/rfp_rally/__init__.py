"""Received Fire Points (`rfp`), and suppression: how a Team comes by it and to itself again (`rally`)."""

from sandtable.rulesets.hof.rfp_rally.rfp import COVERS, MARKS, READY, STAND_FIRM, SUPPRESSED, Again, Firmness
