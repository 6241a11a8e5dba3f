"""Evaluating one run: replay or record it, then judge it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from redpen.chat import ChatSettings
from redpen.errors import RedpenError
from redpen_evals.cassettes.errors import CassetteError
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation
from redpen_evals.describing import describe
from redpen_evals.evaluation.built_in import BuiltInRuns
from redpen_evals.evaluation.judging import judge
from redpen_evals.evaluation.observing import Kept, Observed
from redpen_evals.evaluation.own import OwnRuns, OwnSettings
from redpen_evals.evaluation.subject import Subject
from redpen_evals.records.model import ScenarioResult, StaleCalls
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.secrecy import strike_from_result, struck_from_logs
from redpen_evals.targets.environment import secret_values
from redpen_evals.targets.errors import TargetError
from redpen_evals.variants import Variant, base_variant

RecordMode = Literal["none", "missing", "stale", "all"]


class StaleRecordingError(RedpenError):
    """A replayed run asked the model for something that its cassette does not hold."""


class Runs(Protocol):
    """How the runs of one kind of agent are made."""

    def needs_recording(self, subject: Subject) -> bool:
        """Return whether a run cannot be replayed without a recording."""

    def replay(self, subject: Subject, source: CassetteLocation | None) -> tuple[Observed, Kept]:
        """Run without reaching a network, answered from a recording; None for none at all."""

    def record(self, subject: Subject, kept: Kept) -> Observed:
        """Run and record, from the calls on that are still good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates runs of one project.

    Attributes:
        layout: where scenarios and cassettes are.
        model: ``scripted``, or the name of a live model; of runs without a variant.
        record: ``none`` replays; ``missing`` records what has no cassette; ``stale`` what has none or an
            outdated one, from its first stale call on; ``all`` everything.
        live: how to reach a live model; needed to record a built-in agent with one.
        root: folder of the project, which results name files from; by default they name them as the layout
            does. A result is compared, reported and kept, and should not tell whose machine it comes from.
        own: what the project says of its own agents.
    """

    layout: Layout
    model: str = SCRIPTED_MODEL
    record: RecordMode = "none"
    live: ChatSettings | None = None
    root: Path | None = None
    own: OwnSettings = field(default_factory=OwnSettings)

    def evaluate(
        self, scenario_id: str, *, variant: Variant | None = None, sample: int = 1
    ) -> ScenarioResult:
        """Run a scenario and judge it.

        Args:
            scenario_id: e.g. ``self-critique/approve-clean``.
            variant: what the run is done with; by default everything as it stands.
            sample: number of the independent answer, from 1.

        Returns:
            The result; what is broken in scenario, cassette or harness makes it ``errored``.
        """
        turned = variant or base_variant(self.model)

        def subject() -> Subject:
            case = load_case(self.layout, scenario_id)
            return Subject(case=case, variant=turned, sample=sample, layout=self.layout)

        return self._guarded(subject, scenario_id, turned, sample)[0]

    def evaluate_call(self, subject: Subject) -> tuple[ScenarioResult, Observed | None]:
        """Run what a test hands over and judge it; without an observation where no run was finished."""
        return self._guarded(lambda: subject, subject.case.id, subject.variant, subject.sample)

    def _guarded(
        self, load: Callable[[], Subject], scenario_id: str, variant: Variant, sample: int
    ) -> tuple[ScenarioResult, Observed | None]:
        secrets = [*secret_values()]
        if self.live is not None:
            secrets.insert(0, self.live.api_key.get_secret_value())
        with ExitStack() as stack:
            for secret in secrets:
                stack.enter_context(struck_from_logs(secret))
            result, observed = self._result(load, scenario_id, variant, sample)
        for secret in secrets:
            result = strike_from_result(result, secret)
        return result, observed

    def _result(
        self, load: Callable[[], Subject], scenario_id: str, variant: Variant, sample: int
    ) -> tuple[ScenarioResult, Observed | None]:
        case: Case | None = None
        missing, command = False, None
        try:
            subject = load()
            case = subject.case
            observed = self._evaluate(subject)
            return judge(subject, observed), observed
        except CassetteError as error:
            # A recording that was never made is as good as one that does not fit.
            missing = error.kind == "missing"
            reason, command = f"{error.path}: {error.problem}", error.mend or None
        except TargetError as error:
            reason = f"{case.place(error.field)}: {error}" if case is not None else str(error)
        except RedpenError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a broken harness is an outcome of the scenario too
            reason = f"{type(error).__name__}: {error}"
        if self.root is not None:
            reason = reason.replace(f"{self.root}{os.sep}", "")
        outcome: Literal["stale", "errored"] = "stale" if missing else "errored"
        stale = StaleCalls(calls=(), missing=True) if missing else None
        about: Mapping[str, Any] = {
            "variant": variant.label,
            "sample": sample,
            "outcome": outcome,
            "reasons": (reason,),
            "command": command,
            "stale": stale,
        }
        if case is not None:
            return describe(case, **about), None
        agent = scenario_id.split("/", maxsplit=1)[0]
        return ScenarioResult(scenario=scenario_id, agent=agent, **about), None

    def _evaluate(self, subject: Subject) -> Observed:
        runs: Runs = self._built_in if subject.own is None else self._own
        own = subject.location
        exists = own.path.exists()
        sources = (own,) if exists else subject.shared_locations
        if not sources and not runs.needs_recording(subject) and self.record in {"none", "stale"}:
            observed, _ = runs.replay(subject, None)
            if not observed.missed:
                return observed
            if self.record == "none":
                raise self._missing(own)
            return runs.record(subject, ())
        if self.record == "all" or (self.record != "none" and not sources):
            return runs.record(subject, ())
        if not sources:
            raise self._missing(own)
        observed, kept = runs.replay(subject, sources[0])
        for source in sources[1:]:
            if observed.stale is None:
                break
            other, other_kept = runs.replay(subject, source)
            if other.stale is None:
                observed, kept = other, other_kept
        wanted = self.record == "stale" or (self.record == "missing" and not exists)
        return runs.record(subject, kept) if wanted and observed.stale else observed

    def _missing(self, location: CassetteLocation) -> CassetteError:
        return CassetteError(
            location.path, "there is no recording", kind="missing", mend=location.record_command("missing")
        )

    @property
    def _built_in(self) -> BuiltInRuns:
        return BuiltInRuns(live=self.live)

    @property
    def _own(self) -> OwnRuns:
        return OwnRuns(settings=self.own, layout=self.layout, root=self.root)


def replay_result(layout: Layout, case: Case, *, own: OwnSettings | None = None) -> dict[str, Any]:
    """Return the result of a scenario's run, replayed from its cassette.

    Raises:
        CassetteError: there is no cassette that can be used.
        StaleRecordingError: the run asked for something that is not recorded.
    """
    subject = Subject(case=case, variant=base_variant(SCRIPTED_MODEL), sample=1, layout=layout)
    runs: Runs = BuiltInRuns(live=None)
    if subject.own is not None:
        runs = OwnRuns(settings=own or OwnSettings(), layout=layout, root=None)
    source: CassetteLocation | None = subject.location
    if not runs.needs_recording(subject) and not subject.location.path.exists():
        source = None
    observed, _ = runs.replay(subject, source)
    if observed.missed:
        raise StaleRecordingError(
            f"{case.id}: {observed.missed[0]}\n"
            f"  to mend it: {subject.location.record_command('stale')}"
        )
    return observed.run.result
