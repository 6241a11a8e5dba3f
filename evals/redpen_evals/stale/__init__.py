"""What is stale: which changes made recordings unfit, and what it costs to record them again."""

from redpen_evals.stale.lines import stale_lines
from redpen_evals.stale.mapping import stale_map
from redpen_evals.stale.model import Recording, StaleChange, StaleMap

__all__ = ["Recording", "StaleChange", "StaleMap", "stale_lines", "stale_map"]
