"""Evaluate runs: replay or record them, then judge them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from redpen.chat import ChatSettings
from redpen.errors import RedpenError
from redpen.events import EventLog
from redpen.policy.packs import DEFAULT_PACK, PolicyPack, PolicyPacks
from redpen_evals.cassettes.file import Call
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation, load
from redpen_evals.errors import CassetteError, TargetError
from redpen_evals.evaluation.built_in import BuiltInRuns, tools_of
from redpen_evals.evaluation.judging import describe, judge
from redpen_evals.evaluation.observing import Observed
from redpen_evals.evaluation.own import Observe, OwnRuns, OwnSettings
from redpen_evals.evaluation.subject import Subject, recorded_model
from redpen_evals.policy_packs.in_force import pack_in_force
from redpen_evals.records.model import ScenarioResult, StaleCalls
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.secrecy import redact_result, redacted_logs
from redpen_evals.targets.environment import SECRETS
from redpen_evals.targets.run import Run
from redpen_evals.traffic.scope import RunScope
from redpen_evals.variants import Variant, base_variant

RecordMode = Literal["none", "missing", "stale", "all"]


class StaleRecordingError(RedpenError):
    """A replayed run does not match its cassette."""


_BLOCK_RUN = Run(result={"status": "ok", "stop_reason": "success"})
"""A block of code, which answers nothing: it has no turns."""


@dataclass(slots=True, kw_only=True)
class EvaluatedBlock:
    """A block of code that is being recorded or replayed.

    Attributes:
        result: the result, once the block has ended.
        scope: its traffic; None if it could not be opened, so that the block must not run.
    """

    result: ScenarioResult
    scope: RunScope | None = None

    @property
    def is_open(self) -> bool:
        """Whether its calls are replayed or recorded."""
        return self.scope is not None

    @property
    def made(self) -> tuple[Call, ...]:
        """The calls made so far."""
        return self.scope.cassette.made if self.scope is not None else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates runs of one project.

    Attributes:
        model: ``scripted``, or the name of a live model, for runs without a variant.
        record: ``none`` replays; ``missing`` records runs without a cassette; ``stale`` also those with an
            outdated one, from its first stale call on; ``all`` everything.
        live: settings of a live model; needed to record a built-in agent with one.
        root: folder of the project; paths in results are relative to it, so that results do not depend on
            the machine. By default paths are those of the layout.
    """

    layout: Layout
    model: str = SCRIPTED_MODEL
    record: RecordMode = "none"
    live: ChatSettings | None = None
    root: Path | None = None
    own: OwnSettings = field(default_factory=OwnSettings)
    packs: PolicyPacks = field(default_factory=PolicyPacks)
    events: EventLog | None = None

    def evaluate(
        self, scenario_id: str, *, variant: Variant | None = None, sample: int = 1
    ) -> ScenarioResult:
        """Run a scenario and judge it.

        Args:
            sample: number of the independent answer, from 1.

        Returns:
            The result; errors in scenario, cassette or harness make it ``errored``.
        """
        chosen = variant or base_variant(self.model)
        case: Case | None = None
        try:
            case = load_case(self.layout, scenario_id)
            pack = self.pack_of(case, chosen)
            subject = Subject(case=case, variant=chosen, sample=sample, layout=self.layout, pack=pack)
        except Exception as error:  # noqa: BLE001 - an error of the library becomes a result
            return self.refused_call(error, case, chosen, sample, scenario_id=scenario_id)
        return self.evaluate_call(subject)[0]

    def pack_of(self, case: Case, variant: Variant) -> PolicyPack:
        """Return the policy pack of a run; raises ConfigurationError if it does not exist."""
        return pack_in_force(self.packs, case, asked=variant.pack)

    def evaluate_call(self, subject: Subject) -> tuple[ScenarioResult, Observed | None]:
        """Run and judge the subject of a test; the observation is None if the run did not finish."""
        with ExitStack() as stack:
            for secret in self._secrets():
                stack.enter_context(redacted_logs(secret))
            try:
                observed = self._evaluate(subject)
                return self._judged(subject, observed), observed
            except Exception as error:  # noqa: BLE001 - an error of the harness becomes a result
                return self.refused_call(error, subject.case, subject.variant, subject.sample), None

    @contextmanager
    def block(self, subject: Subject) -> Iterator[EvaluatedBlock]:
        """Record or replay the calls of a block of code; the result is set when the block ends.

        A block runs once: with ``stale`` it is recorded from its first call that differs.
        """
        case = subject.case
        pending = ScenarioResult(
            scenario=case.id, agent=case.agent, outcome="errored", reasons=("it did not end",)
        )
        evaluated = EvaluatedBlock(result=pending)
        raised: Exception | None = None
        try:
            with self._open_block(subject) as (evaluated.scope, observe):
                try:
                    yield evaluated
                except Exception as error:  # noqa: BLE001 - raised again after its calls were judged
                    raised = error
            observed, _ = observe(_BLOCK_RUN)
            if raised is not None:
                observed = replace(observed, replies_left=0)
            evaluated.result = self._judged(subject, observed)
        except Exception as error:  # noqa: BLE001 - a failure to open or to save becomes a result
            evaluated.result = self.refused_call(error, case, subject.variant, subject.sample)
            if not evaluated.is_open:
                yield evaluated
        if raised is not None:
            raise raised

    def _open_block(self, subject: Subject) -> AbstractContextManager[tuple[RunScope, Observe]]:
        location = subject.location
        exists = location.path.exists()
        if self.record == "all" or (self.record != "none" and not exists):
            return self._own.recording(subject, ())
        if self.record == "stale":
            return self._own.recording(subject, tuple((call, None) for call in load(location).calls))
        shared = subject.shared_locations
        return self._own.replaying(subject, location if exists else shared[0] if shared else None)

    def _judged(self, subject: Subject, observed: Observed) -> ScenarioResult:
        result = judge(subject, observed, paths=self.own.paths)
        warnings = tuple(map(self._relative, result.warnings))
        return self._redacted(result.model_copy(update={"warnings": warnings}))

    def _relative(self, text: str) -> str:
        return text if self.root is None else text.replace(f"{self.root}{os.sep}", "")

    def _secrets(self) -> list[str]:
        live = [] if self.live is None else [self.live.api_key.get_secret_value()]
        return list(dict.fromkeys([*live, *self.own.secrets, *SECRETS.seen]))

    def _redacted(self, result: ScenarioResult) -> ScenarioResult:
        for secret in self._secrets():
            result = redact_result(result, secret)
        return result

    def refused_call(
        self, error: Exception, case: Case | None, variant: Variant, sample: int, *, scenario_id: str = ""
    ) -> ScenarioResult:
        """Return the result of a run that cannot be started or finished.

        Without a case, its scenario could not be loaded, and only has an id.
        """
        is_missing, command = False, None
        model = recorded_model(case, variant) if case is not None else variant.model
        match error:
            case CassetteError():
                # A missing recording counts as stale.
                is_missing = error.kind == "missing"
                reason, command = f"{error.path}: {error.problem}", error.mend or None
            case TargetError() if case is not None:
                reason = f"{case.place(error.field)}: {error}"
            case RedpenError():
                reason = str(error)
            case _:
                reason = f"{type(error).__name__}: {error}"
        fields: Mapping[str, Any] = {
            "variant": variant.label,
            "sample": sample,
            "outcome": "stale" if is_missing else "errored",
            "reasons": (self._relative(reason),),
            "command": command,
            "stale": StaleCalls(calls=(), missing=True, model=model) if is_missing else None,
        }
        if case is not None:
            return self._redacted(describe(case, **fields))
        agent = scenario_id.split("/", maxsplit=1)[0]
        return self._redacted(ScenarioResult(scenario=scenario_id, agent=agent, **fields))

    def _evaluate(self, subject: Subject) -> Observed:
        runs = self.runs_of(subject)
        own = subject.location
        exists = own.path.exists()
        sources = (own,) if exists else subject.shared_locations
        if not sources and not runs.needs_recording(subject) and self.record in {"none", "stale"}:
            observed, _ = runs.replay(subject, None)
            has_ended = "error" in observed.run.result
            if not observed.missed and (has_ended or not observed.replies_left):
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
        problem = "there is no recording"
        if location.kind == "scripted" and location.sample > 1:
            problem += (
                "; the replies are scripted, so that all samples of the model are equal: samples need a live "
                "model (--model NAME), scripted ones only show whether the agent itself varies"
            )
        return CassetteError(location.path, problem, kind="missing", mend=location.record_command("missing"))

    def runs_of(self, subject: Subject) -> BuiltInRuns | OwnRuns:
        """Return what runs the agent of a subject."""
        if subject.own is not None:
            return self._own
        tools = tools_of(self.own, self.root)
        return BuiltInRuns(live=self.live, tools=tools, redact=self.own.redact, events=self.events)

    @property
    def _own(self) -> OwnRuns:
        return OwnRuns(settings=self.own, root=self.root, events=self.events)


def replay_result(
    layout: Layout,
    case: Case,
    *,
    own: OwnSettings | None = None,
    root: Path | None = None,
    pack: PolicyPack = DEFAULT_PACK,
    events: EventLog | None = None,
) -> dict[str, Any]:
    """Return the result of a scenario's run, replayed from its cassette.

    Args:
        root: folder of the project; the working folder by default.

    Raises:
        CassetteError: the cassette is missing or cannot be loaded.
        StaleRecordingError: the run made calls that are not recorded, left out recorded ones, or its script
            has changed since.
    """
    subject = Subject(case=case, variant=base_variant(SCRIPTED_MODEL), sample=1, layout=layout, pack=pack)
    evaluator = Evaluator(layout=layout, own=own or OwnSettings(), root=root, events=events)
    runs = evaluator.runs_of(subject)
    is_recorded = runs.needs_recording(subject) or subject.location.path.exists()
    observed, _ = runs.replay(subject, subject.location if is_recorded else None)
    if mismatches := (*observed.missed, *observed.unplayed):
        raise StaleRecordingError(
            f"{case.id}: {mismatches[0]}\n  to fix it: {subject.location.record_command('stale')}"
        )
    return observed.run.result


def live_result(
    layout: Layout,
    case: Case,
    *,
    own: OwnSettings,
    root: Path | None = None,
    events: EventLog | None = None,
) -> dict[str, Any]:
    """Return the result of a run of a user's own agent with its model, without saving a recording.

    It raises RedpenError if a model gave no answer, or the run cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="redpen-") as folder:
        temporary = replace(layout, cassettes=Path(folder))
        # Without a script the agent calls the model that it chooses itself.
        unscripted = case.scenario.model_copy(update={"replies": []})
        live_case = replace(case, scenario=unscripted)
        subject = Subject(case=live_case, variant=base_variant(SCRIPTED_MODEL), sample=1, layout=temporary)
        runs = OwnRuns(settings=own, root=root, events=events)
        return runs.record(subject, ()).run.result
