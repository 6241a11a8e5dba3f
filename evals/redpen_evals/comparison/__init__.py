"""What changed: run against run, variant against variant, or a run against what was accepted."""

from redpen_evals.comparison.alike import summary_lines
from redpen_evals.comparison.baseline import Baseline, baseline_path, read_baseline
from redpen_evals.comparison.behaviours import Behaviour, Key, behaviour, display_id
from redpen_evals.comparison.changes import Aspect, Change, Comparison, Kind, compare
from redpen_evals.comparison.errors import BaselineError

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
    "compare",
    "display_id",
    "read_baseline",
    "summary_lines",
]
