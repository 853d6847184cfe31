"""Moments at which other rules take part, as `field.moments` has them."""

from sandtable.field.moments import Moment as Moment
