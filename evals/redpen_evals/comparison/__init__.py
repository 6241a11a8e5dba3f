"""Comparison of runs, of variants, or of a run with its baseline."""

from redpen_evals.comparison.baseline import Baseline, baseline_path, read_baseline
from redpen_evals.comparison.changes import (
    Aspect,
    Behaviour,
    Change,
    Comparison,
    Key,
    Kind,
    behaviour,
    behaviours,
    compare,
    compare_run,
)
from redpen_evals.comparison.rows import summary_lines
from redpen_evals.errors import BaselineError
from redpen_evals.records.model import display_id

__all__ = [
    "Aspect",
    "Baseline",
    "BaselineError",
    "Behaviour",
    "Change",
    "Comparison",
    "Key",
    "Kind",
    "baseline_path",
    "behaviour",
    "behaviours",
    "compare",
    "compare_run",
    "display_id",
    "read_baseline",
    "summary_lines",
]
