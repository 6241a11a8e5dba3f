"""The runs of a session: scenarios by variants by samples, without those that the filters exclude."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redpen.errors import ConfigurationError, RedpenError
from redpen.text.suggestion import suggestion
from redpen_evals.errors import NoLibraryError
from redpen_evals.options import Options
from redpen_evals.scenario_library.layout import RESERVED_FOLDERS, Layout
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS

if TYPE_CHECKING:
    from redpen_evals.records import Record
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.scenario_library.loading import Case

Key = tuple[str, str, int]

_SCENARIO_FILTERS = ("--agent", "--tag", "--context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One run of the session.

    Attributes:
        scenario: its id.
        variant: label of the variant; empty for the base.
        sample: number of the independent answer, from 1.
    """

    scenario: str
    variant: str = ""
    sample: int = 1

    @property
    def key(self) -> Key:
        """The key of its result."""
        return self.scenario, self.variant, self.sample

    @property
    def test_id(self) -> str:
        """Its name between the test's brackets, so that ``-k '[scenario]'`` selects all of its runs."""
        parts = [self.scenario] * bool(self.scenario)
        parts += [self.variant] * bool(self.variant)
        parts += [f"#{self.sample}"] * (self.sample > 1)
        return "][".join(parts) or "base"


def plan(options: Options) -> tuple[Planned, ...]:
    """Return all runs that the options request, before any filter.

    Variants that differ only in knobs that a scenario's agent lacks are run once.

    Raises:
        ConfigurationError: there is no library, or a variant cannot run.
    """
    labels = {is_own: _labels_of(options, is_own=is_own) for is_own in (True, False)}
    return tuple(
        Planned(scenario=scenario, variant=label, sample=sample)
        for scenario in options.layout.scenario_ids()
        for label in labels[scenario.split("/", maxsplit=1)[0] not in BUILT_IN_AGENTS]
        for sample in range(1, options["--samples"] + 1)
    )


def nothing_found(layout: Layout) -> NoLibraryError:
    """Return the error for a library without a scenario."""
    folders = ", ".join(layout.folders()) or "it has none"
    return NoLibraryError(
        f"{layout.scenarios}: there is no scenario; looked for .yaml and .yml files below its folders "
        f"({folders}), {', '.join(RESERVED_FOLDERS)} apart"
    )


def plan_calls(options: Options) -> tuple[Planned, ...]:
    """Return the repetitions of a test that makes runs by itself; the test names its scenarios.

    Raises:
        ConfigurationError: a variant cannot run.
    """
    return tuple(
        Planned(scenario="", variant=label, sample=sample)
        for label in _labels_of(options, is_own=True)
        for sample in range(1, options["--samples"] + 1)
    )


def _labels_of(options: Options, *, is_own: bool) -> list[str]:
    return [variant.label for variant in options.variants_of(is_own=is_own)] if options.has_knobs else [""]


class Selection:
    """The runs that the filters of a session select.

    Args:
        options: of the session.
        earlier: record of the run that ``--only`` refers to.
    """

    def __init__(self, options: Options, earlier: Path | None) -> None:
        self._options = options
        self._earlier = earlier
        self.filters = any(options[name] for name in ("--only", *_SCENARIO_FILTERS))

    def wants(self, planned: Planned) -> bool:
        """Return whether a run is selected; raises RedpenError where a filter cannot be applied."""
        return (self._by_scenario is None or self._by_scenario(planned.scenario)) and (
            self._keys is None or planned.key in self._keys
        )

    def wants_call(self, planned: Planned) -> bool:
        """Return whether a test that makes runs by itself is selected."""
        if any(self._options[name] for name in _SCENARIO_FILTERS):
            return False
        return self._keys is None or planned.key in map(_call_key, self._keys)

    @functools.cached_property
    def _by_scenario(self) -> Callable[[str], bool] | None:
        return scenario_filter(self._options)

    @functools.cached_property
    def _keys(self) -> frozenset[Key] | None:
        """The keys that ``--only`` selects; None without it."""
        if self._earlier is None or not self._options["--only"]:
            return None
        earlier = [path for path in self._options.runs.files() if path != self._earlier]
        return keys_of(
            self._earlier, self._options["--only"], self._options.path("redpen_baseline"), earlier[::-1]
        )


def _call_key(key: Key) -> Key:
    from redpen_evals.fixtures.naming import test_of_run

    scenario, variant, sample = key
    return test_of_run(scenario), variant, sample


def scenario_filter(options: Options) -> Callable[[str], bool] | None:
    """Return the predicate of ``--agent``, ``--tag`` and ``--context`` on scenario ids; None without them.

    Raises:
        ConfigurationError: nothing in the library has the name of a filter.
    """
    agents, tags, contexts = (frozenset(options[f"--{name}"]) for name in ("agent", "tag", "context"))
    if not (agents or tags or contexts):
        return None
    cases = _cases(options.layout)
    _check_names(agents, {*BUILT_IN_AGENTS, *(case.agent for case in cases.values())}, "--agent")
    _check_names(tags, {tag for case in cases.values() for tag in case.scenario.tags}, "--tag")
    _check_names(contexts, {case.context_name for case in cases.values() if case.context_name}, "--context")

    def wanted(scenario: str) -> bool:
        if (case := cases.get(scenario)) is None:
            # An unreadable file must not be left out silently.
            return not agents or scenario.split("/", maxsplit=1)[0] in agents
        return (
            (not agents or case.agent in agents)
            and (not tags or not tags.isdisjoint(case.scenario.tags))
            and (not contexts or case.context_name in contexts)
        )

    return wanted


def keys_of(
    record: Path, kinds: Iterable[str], baseline: Path, earlier: Iterable[Path] = ()
) -> frozenset[Key]:
    """Return the keys of results that were ``failed``, ``stale``, ``changed`` or ``regressed`` in a run.

    Args:
        record: of that run.
        kinds: any of the four.
        baseline: folder of the accepted outcomes, which decide the last two.
        earlier: records of the runs before it, the latest first; their results count for what it left out.

    Raises:
        RecordError: the record cannot be read.
        ConfigurationError: there is no baseline to compare with.
    """
    from redpen_evals.comparison.baseline import baseline_path, read_baseline
    from redpen_evals.comparison.changes import behaviours, compare
    from redpen_evals.records import read_record

    run = read_record(record)
    wanted = set(kinds)
    outcomes_of = {"failed": {"failed", "errored"}, "stale": {"stale"}}
    outcomes = {outcome for kind in wanted for outcome in outcomes_of.get(kind, ())}
    results = _latest_results(run, earlier)
    keys = {result.key for result in results if result.outcome in outcomes}
    if compared := wanted & {"changed", "regressed"}:
        path = baseline_path(baseline, run.start.model)
        if not path.is_file():
            raise ConfigurationError(f"{path}: there is no baseline; `redpen baseline accept` makes one")
        after = behaviours(results)
        changes = compare(read_baseline(path), after).changes
        keys |= {change.key for change in changes if change.kind in compared}
    return frozenset(keys)


def _latest_results(run: Record, earlier: Iterable[Path]) -> Collection[ScenarioResult]:
    """Return the results of a run, and for what it left out those of the latest run that has them."""
    from redpen_evals.errors import RecordError
    from redpen_evals.records import read_record

    results = {result.key: result for result in run.results}
    model, end = run.start.model, run.end
    for path in earlier:
        if end is not None and not end.not_run:
            break
        with suppress(RecordError):
            before = read_record(path)
            if before.start.model == model:
                results = {result.key: result for result in before.results} | results
                end = before.end
    return results.values()


def _cases(layout: Layout) -> Mapping[str, Case]:
    """Return the readable scenarios of the library."""
    from redpen_evals.scenario_library.loading import load_case

    cases = {}
    for scenario in layout.scenario_ids():
        with suppress(RedpenError):
            cases[scenario] = load_case(layout, scenario)
    return cases


def _check_names(names: Iterable[str], known: Iterable[str], option: str) -> None:
    known = sorted(known)
    for name in names:
        if name not in known:
            raise ConfigurationError(f"{option}: nothing has the name {name!r}{suggestion(name, known)}")
