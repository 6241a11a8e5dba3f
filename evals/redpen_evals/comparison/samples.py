"""Several answers to one scenario: how often it passes, how far answers spread, what broke in which."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from redpen_evals.comparison.changes import Behaviour, Key, display_id
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far a number goes over the samples of a scenario.

    Attributes:
        low: least.
        median: the one in the middle.
        high: most.
    """

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSummary:
    """The samples of one scenario and variant.

    Attributes:
        scenario: its id.
        variant: its label.
        samples: how many were judged.
        passed: how many of those passed.
        undecided: how many more are stale or errored; they count for nothing.
        broken: numbers of the samples by what they broke, invariant or expectation, the most frequent first.
        answers: number of different texts published.
        chars: of the texts published; None where none was.
        calls: of the samples judged; None where none was.
        tokens: likewise; None where no server counted.
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
        """Share of the samples that passed, 0 to 1; None where none was judged."""
        return self.passed / self.samples if self.samples else None

    @property
    def flaky(self) -> bool:
        """Whether some passed and some failed."""
        return 0 < self.passed < self.samples


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTotals:
    """The samples of all scenarios of one side.

    Attributes:
        scenarios: how many scenarios and variants have a sample that was judged.
        steady: how many pass in every sample; one whose samples were not all judged is none of these.
        flaky: how many pass in some.
        failing: how many pass in none.
        partial: how many pass in every sample that was judged, while others were not.
        missing: samples that were not judged, stale or errored, of all scenarios.
        pass_rate: mean of their pass rates.
        rate_sd: standard deviation of their pass rates; None of fewer than two.
        k: most samples that each of them has.
        pass_at: for k from 1, the mean chance that one of k answers passes.
        pass_all: for k from 1, the mean chance that all of k answers pass.
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
    """Return the chance that at least one of k answers passes: pass@k.

    Args:
        samples: how many answers were judged.
        passed: how many of them passed, 0 to ``samples``.
        k: 1 to ``samples``.

    Returns:
        The unbiased estimate 1 - C(n-c, k) / C(n, k).

    Raises:
        ValueError: a number is out of its bounds.

    Source: M. Chen et al., "Evaluating large language models trained on code" (2021), arXiv:2107.03374.
    """
    _check(samples, passed, k)
    return 1 - math.comb(samples - passed, k) / math.comb(samples, k)


def pass_all_k(samples: int, passed: int, k: int) -> float:
    """Return the chance that all of k answers pass: pass^k.

    Args:
        samples: how many answers were judged.
        passed: how many of them passed, 0 to ``samples``.
        k: 1 to ``samples``.

    Returns:
        The unbiased estimate C(c, k) / C(n, k).

    Raises:
        ValueError: a number is out of its bounds.

    Source: S. Yao et al., "τ-bench: a benchmark for tool-agent-user interaction in real-world domains"
    (2024), arXiv:2406.12045.
    """
    _check(samples, passed, k)
    return math.comb(passed, k) / math.comb(samples, k)


def summarise_samples(behaviours: Mapping[Key, Behaviour]) -> tuple[SampleSummary, ...]:
    """Return a summary for each scenario and variant, sorted; one sample makes one too.

    Args:
        behaviours: by scenario, variant and sample.
    """
    groups: dict[tuple[str, str], dict[int, Behaviour]] = defaultdict(dict)
    for scenario, variant, sample in sorted(behaviours):
        groups[scenario, variant][sample] = behaviours[scenario, variant, sample]
    return tuple(_summary(*group, samples) for group, samples in groups.items())


def total_samples(summaries: Sequence[SampleSummary]) -> SampleTotals | None:
    """Return the figures over all scenarios; None where no sample was judged.

    Args:
        summaries: as ``summarise_samples`` gives them.
    """
    judged = [summary for summary in summaries if summary.samples]
    if not judged:
        return None
    rates = [summary.passed / summary.samples for summary in judged]
    # A larger k would leave out the scenarios with fewer samples, and compare different sets.
    most = min(summary.samples for summary in judged)
    return SampleTotals(
        scenarios=len(judged),
        steady=sum(one.passed == one.samples and not one.undecided for one in judged),
        flaky=sum(summary.flaky for summary in judged),
        failing=sum(not summary.passed for summary in judged),
        partial=sum(one.passed == one.samples and one.undecided > 0 for one in judged),
        missing=sum(summary.undecided for summary in summaries),
        pass_rate=statistics.fmean(rates),
        rate_sd=statistics.stdev(rates) if len(rates) > 1 else None,
        k=most,
        pass_at=tuple(
            statistics.fmean(pass_at_k(one.samples, one.passed, k) for one in judged)
            for k in range(1, most + 1)
        ),
        pass_all=tuple(
            statistics.fmean(pass_all_k(one.samples, one.passed, k) for one in judged)
            for k in range(1, most + 1)
        ),
    )


def sample_lines(summaries: Sequence[SampleSummary], limit: int = 20, *, screen: Screen = PLAIN) -> list[str]:
    """Return the figures over all scenarios, and a table of those that do not always pass.

    Args:
        summaries: as ``summarise_samples`` gives them.
        limit: most scenarios that are listed; the worst come first.
        screen: where the lines are shown.
    """
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
            f"pass in all that were; the figures are of those judged, at least n = {totals.k} a scenario"
        )
    if totals.k > 1:
        header = ["k", *(str(k) for k in range(1, totals.k + 1))]
        rows = [
            ["pass@k", *map(_percent, totals.pass_at)],
            ["pass^k", *map(_percent, totals.pass_all)],
        ]
        lines += table_lines(header, rows, right=frozenset(range(1, totals.k + 1)), screen=screen)
    unsteady = sorted(
        (one for one in summaries if one.samples and one.passed < one.samples),
        key=lambda one: (one.passed / one.samples, one.scenario, one.variant),
    )
    if unsteady:
        header = ["scenario", "passed", "answers", "chars", "broken in samples"]
        rows = [
            [
                display_id((one.scenario, one.variant, 1)),
                f"{one.passed}/{one.samples}",
                str(one.answers or ""),
                _range(one.chars),
                broken_text(one.broken),
            ]
            for one in unsteady[:limit]
        ]
        lines += ["", *table_lines(header, rows, right=frozenset({1, 2, 3}), screen=screen)]
    if len(unsteady) > limit:
        lines.append(f"… and {len(unsteady) - limit} more")
    return lines


def broken_text(broken: Mapping[str, Sequence[int]]) -> str:
    """Return what broke in which samples on one line: ``name #1 #3, other #2``."""
    return ", ".join(f"{name} {' '.join(f'#{at}' for at in samples)}" for name, samples in broken.items())


def _summary(scenario: str, variant: str, samples: Mapping[int, Behaviour]) -> SampleSummary:
    judged = {number: one for number, one in samples.items() if one.decided}
    broken: dict[str, list[int]] = defaultdict(list)
    for number, one in judged.items():
        for name in dict.fromkeys(one.broken):
            broken[name].append(number)
    answers = [one.answer for one in judged.values() if one.answer is not None]
    return SampleSummary(
        scenario=scenario,
        variant=variant,
        samples=len(judged),
        passed=sum(one.outcome == "passed" for one in judged.values()),
        undecided=len(samples) - len(judged),
        broken={
            name: tuple(numbers)
            for name, numbers in sorted(broken.items(), key=lambda item: (-len(item[1]), item[0]))
        },
        answers=len(set(answers)),
        chars=_spread(map(len, answers)),
        calls=_spread(one.calls for one in judged.values()),
        tokens=_spread(one.tokens for one in judged.values() if one.tokens is not None),
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
