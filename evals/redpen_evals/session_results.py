"""The results of a pytest session: its record, comparison with the baseline, exit code and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from redpen.errors import ConfigurationError, RedpenError
from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_FAILED, EXIT_NOTHING, EXIT_OK, EXIT_STALE, exit_code
from redpen_evals.options import Options
from redpen_evals.report_contents import (
    NOT_ASKED_PROPERTY,
    SCORECARD_OF_REPORT,
    UNSCORED_REPORT,
    add_kept,
    mark_as_error,
    results_of,
)

if TYPE_CHECKING:
    from redpen_evals.comparison.changes import Comparison
    from redpen_evals.exit_codes import Outcome
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.run_recorder import Resumed, RunRecorder
    from redpen_evals.session_tests import SessionTests


_MAX_NAMED = 5


class SessionResults:
    """Collects the results of a session's tests; only the controller of a session has one.

    Args:
        options: of the session.
        resumed: the killed run that ``--resume`` continues.
        tests: the tests that the session collects.

    Raises:
        ReportError: there is no report with the suffix of a file.
    """

    def __init__(self, options: Options, resumed: Resumed | None, tests: SessionTests) -> None:
        self._options = options
        self._tests = tests
        self._resumed = resumed
        for name in options["--report"]:
            from redpen_evals.reports import check_suffix

            check_suffix(Path(name))
        self._recorder: RunRecorder | None = None
        self._scorecards: dict[str, dict[str, Any]] = {}
        self._failures: set[Outcome] = set()
        self._other_failures = False
        self._unscored = False
        self._problems: list[str] = []
        self._notes: list[str] = []
        self._not_asked = Counter[str]()
        self._warnings: list[str] = []
        self._comparison: Comparison | None = None
        self._gone: AbstractSet[str] = frozenset()
        self._not_run: AbstractSet[str] = frozenset()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a result as it comes in."""
        results = results_of(report)
        if report.skipped:
            # Properties of skipped tests of other plugins have other names.
            self._not_asked.update(
                str(value) for name, value in report.user_properties if name == NOT_ASKED_PROPERTY
            )
        if report.failed and {result.outcome for result in results} & {"stale", "errored"}:
            mark_as_error(self._options.config, report)
        for result in results:
            self._add(result)
        if report.failed and report.when == "teardown":
            self._drop_fingerprints(report.nodeid)
        if report.failed:
            # A test may expect a scenario to be stale: what counts is how the test itself ended.
            if outcomes := {result.outcome for result in results} - {"passed"}:
                self._failures |= outcomes
            elif unscored := getattr(report, UNSCORED_REPORT, None):
                self._failures.add(unscored)
                self._unscored = True
            else:
                self._other_failures = True
        scorecard = getattr(report, SCORECARD_OF_REPORT, None)
        if scorecard is not None:
            self._scorecards[report.nodeid] = scorecard
            self._record(lambda recorder: recorder.add_scorecard(report.nodeid, scorecard))

    def _drop_fingerprints(self, test: str) -> None:
        # Its results do not show the failed teardown, so a resumed run must not keep them.
        for result in [result for result in self._results.values() if result.test == test]:
            self._add(result.model_copy(update={"fingerprint": ""}))

    # Before pytest writes the JUnit report.
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Compare with the baseline, decide the exit code, end the record, write the reports."""
        if self._recorder is not None and self._options["--record"] != "none":
            self._attempt(self._flush_prompts)
        if self._resumed:
            # The results of the killed run count even if no test is left to run.
            self._record(lambda recorder: recorder.begin())
            add_kept(self._options.config, self._resumed.kept)
            self._notes.append(_resumed_note(self._resumed))
        if self._options["--update-scorecard"] and not self._scorecards:
            self._problems.append("--update-scorecard: no test scored guards, so no figure was recorded")
        session.exitstatus = (
            self._exit_without_results(exitstatus)
            if self._recorder is None
            else self._exit_with_results(exitstatus)
        )

    def _exit_without_results(self, exitstatus: int) -> int:
        if self._problems and exitstatus == EXIT_OK:
            return EXIT_ERRORED
        if self._not_asked and exitstatus == EXIT_OK:
            self._problems.append(
                f"nothing was tested: {self._not_asked.total()} scenarios require nothing of a live model"
            )
            return EXIT_ERRORED
        if self._unscored and exitstatus == EXIT_FAILED and not self._other_failures:
            return EXIT_STALE if self._failures == {"stale"} else EXIT_ERRORED
        if not self._options["--only"] or exitstatus != EXIT_NOTHING:
            return exitstatus
        if self._is_unreliable():
            self._problems.append(
                "nothing was run: the last run did not get to its end, or failed outside of its results; "
                "run the suite as a whole"
            )
            return EXIT_ERRORED
        return EXIT_OK

    def _is_unreliable(self) -> bool:
        """Whether the results of the last run do not show all that failed in it."""
        from redpen_evals.records import read_record

        record = read_record(self._options.runs.find("last"))
        outcomes = {result.outcome for result in record.results}
        failed = record.end is not None and record.end.exit_code == EXIT_FAILED
        return record.is_cut_short or (failed and "failed" not in outcomes)

    def _exit_with_results(self, exitstatus: int) -> int:
        self._attempt(self._warn_of_unread)
        self._attempt(self._warn_of_unused_knobs)
        self._attempt(self._compare)
        code = EXIT_OK if self._resumed and exitstatus == EXIT_NOTHING else exitstatus
        if self._resumed:
            failures = {result.outcome for result in self._resumed.kept if not result.expected}
            self._failures |= failures - {"passed"}
        code = exit_code(
            code,
            self._failures,
            other_failures=self._other_failures,
            regressed=self._comparison.counts["regressed"] if self._comparison else 0,
            fail_on=self._options["--fail-on"],
            gone=len(self._gone),
        )
        if self._problems and code == EXIT_OK:
            code = EXIT_ERRORED
        self._record(
            lambda recorder: recorder.finish(
                code, not_asked=self._not_asked, not_run=self._not_run, gone=self._gone
            )
        )
        self._attempt(self._write_reports)
        return EXIT_ERRORED if self._problems and code == EXIT_OK else code

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the summary of the session."""
        from redpen_evals.summary import write_conclusion

        if self._recorder is None and self._options["--only"] and not self._problems:
            outcomes = " or ".join(self._options["--only"])
            terminalreporter.write_line(f"nothing to run: no result of the last run was {outcomes}")
        if self._recorder is None and not self._problems:
            return
        write_conclusion(
            terminalreporter,
            self._options,
            results=sorted(self._results.values(), key=lambda result: result.key),
            comparison=self._comparison,
            notes=self._notes,
            problems=self._problems,
            warnings=(*self._warnings, *self._prompt_faults()),
            not_asked=self._not_asked,
        )
        if self._scorecards:
            from redpen_evals.scorecard.session import write_scorecard

            write_scorecard(
                terminalreporter,
                [value for _, value in sorted(self._scorecards.items(), reverse=True)],
                thresholds=self._options.path("redpen_scorecard"),
                judges=self._options.path("redpen_judges"),
                update=self._options["--update-scorecard"],
                in_full=terminalreporter.verbosity > 0 or self._options["--scorecard-dev"],
            )

    @property
    def _results(self) -> Mapping[tuple[str, str, int], ScenarioResult]:
        return self._recorder.results if self._recorder else {}

    def _prompt_faults(self) -> tuple[str, ...]:
        try:
            variants = self._options.variants()
        except RedpenError:
            # The session ended with this error and has reported it.
            return ()
        faults = (fault for variant in variants for fault in variant.prompts.left_out)
        return tuple(f"prompt left out: {fault}" for fault in dict.fromkeys(faults))

    def _warn_of_unread(self) -> None:
        from redpen_evals.scenario_library.listing import unread_places

        layout = self._options.layout
        known = set(layout.known_ids())
        if known.isdisjoint(key[0] for key in self._results):
            return
        if unread := [place for place in unread_places(layout) if place.is_fault]:
            named = [str(place) for place in unread[:_MAX_NAMED]]
            if len(unread) > _MAX_NAMED:
                named.append(f"… and {len(unread) - _MAX_NAMED} more; `redpen scenarios check`")
            self._warnings += [f"not run, nothing reads it: {place}" for place in named]

    def _warn_of_unused_knobs(self) -> None:
        from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS

        kinds = {result.agent not in BUILT_IN_AGENTS for result in self._results.values()}
        for variant in self._options.requested_variants:
            knobs = variant.label.split(",") if variant.label else []
            had = {knob for is_own in kinds for knob in variant.of_agent(is_own=is_own).label.split(",")}
            self._warnings += [
                f"--variants {knob}: no agent of this run has this knob, so it changed nothing"
                for knob in knobs
                if knob not in had
            ]

    def _flush_prompts(self) -> None:
        from redpen_evals.cassettes.store import settle

        settle(self._options.layout.cassettes)

    def _compare(self) -> None:
        from redpen_evals.comparison.baseline import baseline_path, load_baseline
        from redpen_evals.comparison.changes import behaviours, compare_run
        from redpen_evals.comparison.policies import changed_policies
        from redpen_evals.records.model import display_id

        if not self._results:
            return
        options = self._options
        path = baseline_path(options.path("redpen_baseline"), options["--model"])
        baseline = load_baseline(path, model=options["--model"])
        accepted = {} if baseline is None else baseline.accepted
        self._find_left_out({key[0] for key in accepted})
        if baseline is None:
            if options["--fail-on"] != "failed":
                raise ConfigurationError(
                    f"--fail-on {options['--fail-on']}: {path}: there is no baseline to compare with; "
                    "`redpen baseline accept` makes one of a run"
                )
            if "redpen_baseline" in options.values:
                self._warnings.append(
                    f"{path}: nothing was compared, this baseline (redpen_baseline) is missing; "
                    "`redpen baseline accept` makes it of this run"
                )
            return
        self._comparison = compare_run(accepted, behaviours(self._results.values()), self._gone)
        if left_out := sorted(self._not_run & {key[0] for key in accepted}):
            self._notes.append(f"in the baseline, but not run: {_counted(left_out)}")
        if options["--fail-on"] == "regressed" and self._comparison.counts["new"]:
            names = [display_id(change.key) for change in self._comparison.changes if change.kind == "new"]
            self._notes.append(f"not in the baseline, so they cannot have regressed: {_counted(names)}")
        if self._gone:
            self._warnings.append(
                f"in the baseline, but no longer in the project: {_counted(sorted(self._gone))}; restore "
                "them, or drop their outcomes: `redpen baseline accept --prune`"
            )
        if changed := changed_policies(baseline.policies, self._results.values(), options.packs):
            self._warnings.append(
                f"policy changed since the baseline: {changed}; `redpen baseline accept` accepts it"
            )

    def _find_left_out(self, accepted: AbstractSet[str]) -> None:
        """Find the scenarios and tests that are gone, and the existing ones that were not run."""
        from redpen_evals.comparison.existing import gone_ids

        layout = self._options.layout
        ran = {key[0] for key in self._results}
        library = layout.known_ids()
        lacking = set(filter(self._tests.lacks, accepted))
        root = Path(self._options.config.rootpath)
        self._gone = gone_ids(accepted - ran, layout=layout, root=root, lacking=lacking)
        self._not_run = ({*library, *self._tests.ids, *accepted}) - ran - self._gone

    def _write_reports(self) -> None:
        paths = [Path(name) for name in self._options["--report"]]
        if not paths or self._recorder is None:
            return
        if self._recorder.path is None:
            self._problems += [f"{path}: not written, there is no record to report" for path in paths]
            return
        from redpen_evals.records import read_record
        from redpen_evals.reports import Subject, write_report

        subject = Subject(
            read_record(self._recorder.path),
            comparison=self._comparison,
            prices=self._options.prices(),
            layout=self._options.layout,
            runs=self._options.runs,
        )
        for path in paths:
            write_report(subject, path)
            self._notes.append(f"report: {path}")

    def _record(self, work: Any) -> None:
        from redpen_evals.run_recorder import RunRecorder

        if self._recorder is None:
            self._recorder = RunRecorder(self._options, resumed=self._resumed)
        recorder = self._recorder
        self._attempt(lambda: work(recorder))

    def _add(self, result: ScenarioResult) -> None:
        self._record(lambda recorder: recorder.add(result))

    def _attempt(self, work: Any) -> None:
        # An error here is the harness's own: it is reported, and the results are kept.
        try:
            work()
        except (RedpenError, OSError) as error:
            if str(error) not in self._problems:
                self._problems.append(str(error))


def _counted(names: Sequence[str]) -> str:
    shown = ", ".join([*names[:_MAX_NAMED], *(["…"] if len(names) > _MAX_NAMED else [])])
    return f"{len(names)} ({shown})"


def _resumed_note(resumed: Resumed) -> str:
    note = f"resumed {resumed.path.stem}: {len(resumed.kept)} results kept"
    if not resumed.dropped:
        return note
    return f"{note}, {resumed.dropped} not: stale, errored, or what they depend on has changed"
