"""A comparison as data: what changed, what may be chance, and a row a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from redpen_evals.cassettes.worddiff import word_diff
from redpen_evals.comparison.changes import Behaviour, Change, Comparison, Field, compare, display_id
from redpen_evals.comparison.samples import SampleSummary, SampleTotals, summarise_samples, total_samples
from redpen_evals.comparison.sides import (
    PairedStatistics,
    PromptChange,
    Side,
    changed_prompts,
    paired_statistics,
)
from redpen_evals.comparison.statistics import MeanDifference

COLUMNS: Final[Mapping[Field, str]] = {
    "outcome": "outcome",
    "status": "status",
    "stop_reason": "stop reason",
    "phase": "phase",
    "result": "result",
    "decision": "decision",
    "violations": "violations",
    "broken": "broken",
    "calls": "calls",
    "tokens": "tokens",
}
"""The columns of a table of changes; the words of an answer stand apart."""

LABELS: Final = ("regressed", "changed", "improved", "undecided", "new", "gone", "wording", "cost", "same")
"""What a row may be labelled, the weightiest first; ``changed`` is a change of behaviour."""

_NOTHING = "-"
_MOST_CHARS = 80


def label_of(change: Change) -> str:
    """Return the label of a change's row, one of ``LABELS``."""
    return change.aspect if change.aspect in {"wording", "cost"} else change.kind


def title_of(change: Change) -> str:
    """Return the display id of what changed."""
    return display_id(change.key)


def by_weight(changes: Iterable[Change], *, with_same: bool = False) -> list[Change]:
    """Return changes with the weightiest first, else in their order; the same ones only if asked for."""
    rank = {label: at for at, label in enumerate(LABELS)}
    listed = (change for change in changes if with_same or change.kind != "same")
    return sorted(listed, key=lambda change: rank[label_of(change)])


def cells_of(change: Change) -> dict[Field, str]:
    """Return the columns of a change that hold something: ``2 → 3``, ``+added -removed``."""
    before, after = change.before, change.after
    if before is None or after is None:
        held = before or after
        return {} if held is None else {"outcome": held.outcome}
    said: dict[Field, str] = {}
    for name in COLUMNS:
        # The class tells the outcome, and the stop reason the status.
        told = name == "outcome" and change.kind in {"improved", "regressed"}
        told |= name == "status" and "stop_reason" in change.fields
        if name in change.fields and not told:
            said[name] = _pair(name, before, after)
    return said


def wording_of(change: Change) -> str:
    """Return how the published text differs, as a word diff on one line; empty where it does not."""
    if change.before is None or change.after is None or "answer" not in change.fields:
        return ""
    return word_diff(change.before.answer or "", change.after.answer or "")


def counts_text(comparison: Comparison) -> str:
    """Return the numbers of every kind that occurs, on one line."""
    said = []
    for kind, count in comparison.counts.items():
        if not count:
            continue
        parts = [f"{aspect} {number}" for aspect, number in comparison.aspects.items() if number]
        said.append(f"{kind} {count}" + (f" ({', '.join(parts)})" if kind == "changed" else ""))
    return ", ".join(said) or "nothing to compare"


def _pair(name: Field, before: Behaviour, after: Behaviour) -> str:
    old, new = getattr(before, name), getattr(after, name)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return _listed(old, new)
    return f"{_value(old)} → {_value(new)}"


def _listed(old: Sequence[str], new: Sequence[str]) -> str:
    added = [f"+{_value(code)}" for code in new if code not in old]
    removed = [f"-{_value(code)}" for code in old if code not in new]
    # The same codes in another order or number.
    return " ".join((*added, *removed)) or f"{_codes(old)} → {_codes(new)}"


def _codes(codes: Sequence[str]) -> str:
    return " ".join(map(_value, codes)) or _NOTHING


def _value(value: object) -> str:
    text = _NOTHING if value is None else str(value)
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"


REPORT_VERSION: Final = 1
"""Version of the JSON form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport:
    """Two sides, and all that is told of their difference.

    Attributes:
        before: side A.
        after: side B, which is judged.
        prompts: that differ.
        comparison: result by result.
        statistics: of the pairs.
        samples: summaries of either side, A and B; None where no side has several samples.
    """

    before: Side
    after: Side
    prompts: tuple[PromptChange, ...]
    comparison: Comparison
    statistics: PairedStatistics
    samples: tuple[tuple[SampleSummary, ...], tuple[SampleSummary, ...]] | None

    @property
    def regressed(self) -> bool:
        """Whether a result passed before and fails now."""
        return self.comparison.counts["regressed"] > 0

    def to_dict(self, *, with_same: bool = False) -> dict[str, Any]:
        """Return it as JSON values.

        Args:
            with_same: whether the changes hold the same ones too.
        """
        return {
            "redpen_comparison": REPORT_VERSION,
            "a": _side(self.before),
            "b": _side(self.after),
            "prompts": [asdict(prompt) for prompt in self.prompts],
            "counts": dict(self.comparison.counts),
            "aspects": dict(self.comparison.aspects),
            "pairs": _table(self.statistics),
            "numbers": {name: _number(one) for name, one in self.statistics.numbers.items()},
            "samples": None
            if self.samples is None
            else dict(zip("ab", map(_samples, self.samples), strict=True)),
            "changes": [
                _change(change) for change in self.comparison.changes if with_same or change.kind != "same"
            ],
        }


def build_report(before: Side, after: Side) -> ComparisonReport:
    """Compare two sides in every way that is told."""
    comparison = compare(before.behaviours, after.behaviours)
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
    return {
        "name": side.name,
        "path": str(side.path),
        "run": side.run_id,
        "started": side.started,
        "model": side.model,
        "variant": side.variant,
        "policies": list(side.policies),
        "results": len(side.behaviours),
        "warnings": list(side.warnings),
    }


def _table(statistics: PairedStatistics) -> dict[str, Any]:
    table = statistics.table
    return {
        "scenarios": table.pairs,
        "results": statistics.results,
        "both_passed": table.both_passed,
        "regressed": table.regressed,
        "improved": table.improved,
        "both_failed": table.both_failed,
        "p_value": table.p_value if table.testable else None,
        "conclusion": table.conclusion,
    }


def _number(one: MeanDifference) -> dict[str, Any]:
    return {
        "pairs": one.pairs,
        "differing": one.differing,
        "a": one.before,
        "b": one.after,
        "difference": one.effect,
        "interval_95": None if one.interval is None else list(one.interval),
        "conclusion": one.conclusion,
    }


def _samples(summaries: tuple[SampleSummary, ...]) -> dict[str, Any]:
    totals: SampleTotals | None = total_samples(summaries)
    return {
        "totals": None if totals is None else asdict(totals),
        "scenarios": [{**asdict(one), "pass_rate": one.pass_rate} for one in summaries],
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
        "before": _behaviour(change.before),
        "after": _behaviour(change.after),
    }


def _behaviour(one: Behaviour | None) -> dict[str, Any] | None:
    return None if one is None else asdict(one)
