"""Statistics of several answers to one scenario: pass rates, spread, broken checks by sample."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from redpen_evals.comparison.changes import Behaviour, Key
from redpen_evals.records.model import display_id
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The range of a number over the samples of a scenario."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSummary:
    """The samples of one scenario and variant.

    Attributes:
        samples: how many were judged.
        undecided: number of stale or errored samples, which are not judged.
        broken: sample numbers by broken invariant or expectation, the most frequent first.
        answers: number of different texts published.
        chars: length of the texts published; None if none was.
        calls: of the judged samples; None if there are none.
        tokens: likewise; None if no server counted them.
    """

    scenario: str
    variant: str
    samples: int
    passed: int
    undecided: int = 0
    broken: Mapping[str, tuple[int, ...]]
    answers: int = 0
    chars: Spread | None = None
    calls: Spread | None = None
    tokens: Spread | None = None

    @property
    def pass_rate(self) -> float | None:
        """Share of the judged samples that passed, 0 to 1; None if none was judged."""
        return self.passed / self.samples if self.samples else None

    @property
    def flaky(self) -> bool:
        """Whether some passed and some failed."""
        return 0 < self.passed < self.samples


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTotals:
    """The samples of all scenarios of one side.

    Attributes:
        scenarios: number of scenarios and variants with a judged sample; the next four are parts of it.
        steady: all samples were judged and passed.
        partial: all judged samples passed, others were not judged.
        missing: number of stale or errored samples of all scenarios.
        pass_rate: mean pass rate of the scenarios.
        rate_sd: standard deviation of the pass rates; None for fewer than two.
        k: smallest number of judged samples of a scenario.
        pass_at: for k from 1, the mean probability that at least one of k answers passes.
        pass_all: for k from 1, the mean probability that all of k answers pass.
    """

    scenarios: int
    steady: int
    flaky: int
    failing: int
    partial: int
    missing: int
    pass_rate: float
    rate_sd: float | None
    k: int
    pass_at: tuple[float, ...]
    pass_all: tuple[float, ...]


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Return the unbiased estimate of pass@k, that at least one of k answers passes: 1 - C(n-c, k) / C(n, k).

    Raises:
        ValueError: unless 0 <= passed <= samples and 1 <= k <= samples.

    Source: M. Chen et al., "Evaluating large language models trained on code" (2021), arXiv:2107.03374.
    """
    _check(samples, passed, k)
    return 1 - math.comb(samples - passed, k) / math.comb(samples, k)


def pass_all_k(samples: int, passed: int, k: int) -> float:
    """Return the unbiased estimate of pass^k, that all of k answers pass: C(c, k) / C(n, k).

    Raises ValueError as ``pass_at_k``. Source: S. Yao et al., "τ-bench: a benchmark for tool-agent-user
    interaction in real-world domains" (2024), arXiv:2406.12045.
    """
    _check(samples, passed, k)
    return math.comb(passed, k) / math.comb(samples, k)


def summarise_samples(behaviours: Mapping[Key, Behaviour]) -> tuple[SampleSummary, ...]:
    """Return a summary for each scenario and variant, sorted."""
    groups: dict[tuple[str, str], dict[int, Behaviour]] = defaultdict(dict)
    for scenario, variant, sample in sorted(behaviours):
        groups[scenario, variant][sample] = behaviours[scenario, variant, sample]
    return tuple(_summary(*group, samples) for group, samples in groups.items())


def total_samples(summaries: Sequence[SampleSummary]) -> SampleTotals | None:
    """Return the totals over all scenarios; None if no sample was judged."""
    judged = [summary for summary in summaries if summary.samples]
    if not judged:
        return None
    rates = [summary.passed / summary.samples for summary in judged]
    # A larger k would exclude the scenarios with fewer samples.
    max_k = min(summary.samples for summary in judged)

    def means(estimate: Callable[[int, int, int], float]) -> tuple[float, ...]:
        return tuple(
            statistics.fmean(estimate(summary.samples, summary.passed, k) for summary in judged)
            for k in range(1, max_k + 1)
        )

    return SampleTotals(
        scenarios=len(judged),
        steady=sum(summary.passed == summary.samples and not summary.undecided for summary in judged),
        flaky=sum(summary.flaky for summary in judged),
        failing=sum(not summary.passed for summary in judged),
        partial=sum(summary.passed == summary.samples and summary.undecided > 0 for summary in judged),
        missing=sum(summary.undecided for summary in summaries),
        pass_rate=statistics.fmean(rates),
        rate_sd=statistics.stdev(rates) if len(rates) > 1 else None,
        k=max_k,
        pass_at=means(pass_at_k),
        pass_all=means(pass_all_k),
    )


def sample_lines(summaries: Sequence[SampleSummary], limit: int = 20, *, screen: Screen = PLAIN) -> list[str]:
    """Return the totals over all scenarios, and a table of the `limit` worst that do not always pass."""
    totals = total_samples(summaries)
    if totals is None:
        return []
    lines = [
        (
            f"{totals.scenarios} scenarios: {totals.steady} pass in every sample, {totals.flaky} in some, "
            f"{totals.failing} in none; mean pass rate {_percent(totals.pass_rate)}"
            + (f" (sd {_percent(totals.rate_sd)})" if totals.rate_sd else "")
        )
    ]
    if totals.missing:
        lines.append(
            f"{totals.missing} samples were not judged (stale or errored), and {totals.partial} scenarios "
            f"passed all that were; the figures cover judged samples, at least n = {totals.k} per scenario"
        )
    if totals.k > 1:
        header = ["k", *(str(k) for k in range(1, totals.k + 1))]
        rows = [
            ["pass@k", *map(_percent, totals.pass_at)],
            ["pass^k", *map(_percent, totals.pass_all)],
        ]
        lines += table_lines(header, rows, right=frozenset(range(1, totals.k + 1)), screen=screen)
    unsteady = sorted(
        (summary for summary in summaries if summary.samples and summary.passed < summary.samples),
        key=lambda summary: (summary.passed / summary.samples, summary.scenario, summary.variant),
    )
    if unsteady:
        header = ["scenario", "passed", "answers", "chars", "broken in samples"]
        rows = [
            [
                display_id((summary.scenario, summary.variant, 1)),
                f"{summary.passed}/{summary.samples}",
                str(summary.answers or ""),
                _range(summary.chars),
                broken_text(summary.broken),
            ]
            for summary in unsteady[:limit]
        ]
        lines += ["", *table_lines(header, rows, right=frozenset({1, 2, 3}), screen=screen)]
    if len(unsteady) > limit:
        lines.append(f"… and {len(unsteady) - limit} more")
    return lines


def broken_text(broken: Mapping[str, Sequence[int]]) -> str:
    """Format broken checks with their samples: ``name #1 #3, other #2``."""
    return ", ".join(
        f"{name} {' '.join(f'#{number}' for number in samples)}" for name, samples in broken.items()
    )


def _summary(scenario: str, variant: str, samples: Mapping[int, Behaviour]) -> SampleSummary:
    judged = {number: result for number, result in samples.items() if result.decided}
    broken: dict[str, list[int]] = defaultdict(list)
    for number, result in judged.items():
        for name in dict.fromkeys(result.broken):
            broken[name].append(number)
    answers = [result.answer for result in judged.values() if result.answer is not None]
    return SampleSummary(
        scenario=scenario,
        variant=variant,
        samples=len(judged),
        passed=sum(result.outcome == "passed" for result in judged.values()),
        undecided=len(samples) - len(judged),
        broken={
            name: tuple(numbers)
            for name, numbers in sorted(broken.items(), key=lambda item: (-len(item[1]), item[0]))
        },
        answers=len(set(answers)),
        chars=_spread(map(len, answers)),
        calls=_spread(result.calls for result in judged.values()),
        tokens=_spread(result.tokens for result in judged.values() if result.tokens is not None),
    )


def _spread(values: Iterable[int]) -> Spread | None:
    numbers = list(values)
    if not numbers:
        return None
    return Spread(low=min(numbers), median=statistics.median(numbers), high=max(numbers))


def _range(spread: Spread | None) -> str:
    if spread is None:
        return ""
    return f"{spread.low}" if spread.low == spread.high else f"{spread.low}-{spread.high}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _check(samples: int, passed: int, k: int) -> None:
    if not 0 <= passed <= samples or not 1 <= k <= samples:
        raise ValueError(f"{passed} of {samples} passed, k = {k}: k is from 1 to the number of samples")
