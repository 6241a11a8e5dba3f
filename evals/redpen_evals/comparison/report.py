"""A comparison report as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from redpen_evals.comparison.changes import Change, Comparison, compare
from redpen_evals.comparison.rows import UNLISTED
from redpen_evals.comparison.samples import SampleSummary, summarise_samples, total_samples
from redpen_evals.comparison.sides import (
    PairedStatistics,
    PromptChange,
    Side,
    changed_prompts,
    paired_statistics,
)
from redpen_evals.comparison.statistics import MeanDifference
from redpen_evals.records.model import display_id

REPORT_VERSION: Final = 1
"""Version of the JSON form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport:
    """Side A (`before`), side B (`after`), which is judged, and all reported differences.

    `samples` summarises those of both sides; None if no side has several.
    """

    before: Side
    after: Side
    prompts: tuple[PromptChange, ...]
    comparison: Comparison
    statistics: PairedStatistics
    samples: tuple[tuple[SampleSummary, ...], tuple[SampleSummary, ...]] | None

    def to_dict(self, *, with_same: bool = False) -> dict[str, Any]:
        """Return it as JSON values; unchanged results only if they are wanted."""
        return {
            "redpen_comparison": REPORT_VERSION,
            "a": _side(self.before),
            "b": _side(self.after),
            "prompts": [asdict(prompt) for prompt in self.prompts],
            "counts": dict(self.comparison.counts),
            "aspects": dict(self.comparison.aspects),
            "pairs": _pairs(self.statistics),
            "numbers": {name: _number(mean) for name, mean in self.statistics.numbers.items()},
            "samples": None
            if self.samples is None
            else dict(zip("ab", map(_samples, self.samples), strict=True)),
            "changes": [
                _change(change)
                for change in self.comparison.changes
                if with_same or change.kind not in UNLISTED
            ],
        }


def build_report(before: Side, after: Side) -> ComparisonReport:
    """Compare two sides in every reported aspect."""
    comparison = compare(before.behaviours, after.behaviours, not_run=(before.not_run, after.not_run))
    repeated = any(sample > 1 for side in (before, after) for _, _, sample in side.behaviours)
    return ComparisonReport(
        before=before,
        after=after,
        prompts=changed_prompts(before, after),
        comparison=comparison,
        statistics=paired_statistics(comparison),
        samples=(summarise_samples(before.behaviours), summarise_samples(after.behaviours))
        if repeated
        else None,
    )


def _side(side: Side) -> dict[str, Any]:
    start = side.record.start if side.record else None
    return {
        "name": side.name,
        "path": str(side.path),
        "run": start.id if start else None,
        "started": start.started if start else None,
        "model": side.model,
        "variant": side.variant,
        "policies": list(side.policies),
        "results": len(side.behaviours),
        "warnings": list(side.record.warnings if side.record else ()),
    }


def _pairs(statistics: PairedStatistics) -> dict[str, Any]:
    table = statistics.table
    return {
        "scenarios": table.pairs,
        "results": statistics.results,
        **asdict(table),
        "p_value": table.p_value if table.testable else None,
        "conclusion": table.conclusion,
    }


def _number(mean: MeanDifference) -> dict[str, Any]:
    return {
        "pairs": mean.pairs,
        "differing": mean.differing,
        "a": mean.before,
        "b": mean.after,
        "difference": mean.effect,
        "interval_95": None if mean.interval is None else list(mean.interval),
        "conclusion": mean.conclusion,
    }


def _samples(summaries: tuple[SampleSummary, ...]) -> dict[str, Any]:
    totals = total_samples(summaries)
    return {
        "totals": totals and asdict(totals),
        "scenarios": [{**asdict(summary), "pass_rate": summary.pass_rate} for summary in summaries],
    }


def _change(change: Change) -> dict[str, Any]:
    scenario, variant, sample = change.key
    return {
        "id": display_id(change.key),
        "scenario": scenario,
        "variant": variant,
        "sample": sample,
        "kind": change.kind,
        "aspect": change.aspect,
        "fields": list(change.fields),
        "before": change.before and asdict(change.before),
        "after": change.after and asdict(change.after),
    }
