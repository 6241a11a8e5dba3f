"""What is stale: which changes made recordings unfit, and what it costs to record them again."""

from redpen_evals.stale.mapping import Recording, StaleChange, StaleMap, stale_lines, stale_map

__all__ = ["Recording", "StaleChange", "StaleMap", "stale_lines", "stale_map"]
