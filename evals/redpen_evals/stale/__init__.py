"""Stale recordings: the changes that made them stale, and the cost to record them again."""

from redpen_evals.stale.mapping import Recording, StaleChange, StaleMap, stale_lines, stale_map

__all__ = ["Recording", "StaleChange", "StaleMap", "stale_lines", "stale_map"]
