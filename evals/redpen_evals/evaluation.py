"""Evaluating one scenario: replay or record its run, then judge it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen.errors import RedpenError
from redpen_evals.cassettes.errors import CassetteError
from redpen_evals.cassettes.session import (
    RecordingSession,
    ReplaySession,
    open_recording,
    open_replay,
)
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation
from redpen_evals.cassettes.upstream import SharedUpstream
from redpen_evals.checks.expectation import check_expectation
from redpen_evals.checks.invariants import Evidence, check_invariants
from redpen_evals.describing import describe
from redpen_evals.network import NetworkGuard, reaching_out
from redpen_evals.records.model import CallState, RecordedCall, ScenarioResult, StaleCalls
from redpen_evals.runner import Run, run_case
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case, load_case
from redpen_evals.scripting import outdated_calls
from redpen_evals.secrecy import strike_from_result, struck_from_logs
from redpen_evals.stale.calls import last_text, recorded_calls, stale_calls
from redpen_evals.variants import Variant, base_variant

if TYPE_CHECKING:
    from redpen.chat.replies import Phase
    from redpen_evals.cassettes.file import Call

RecordMode = Literal["none", "missing", "stale", "all"]

_REPLAY_KEY = "replay-needs-no-key"
_UNANSWERED = frozenset(
    {"llm_timeout", "llm_auth", "llm_bad_request", "llm_rate_limited", "llm_server_error"}
)


class StaleRecordingError(RedpenError):
    """A replayed run asked the model for something that its cassette does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates scenarios of one library.

    Attributes:
        layout: where scenarios and cassettes are.
        model: ``scripted``, or the name of a live model; of runs without a variant.
        record: ``none`` replays; ``missing`` records what has no cassette; ``stale`` what has none or an
            outdated one, from its first stale call on; ``all`` everything.
        live: how to reach a live model; needed to record it.
        root: folder of the project, which results name files from; by default they name them as the layout
            does. A result is compared, reported and kept, and should not tell whose machine it comes from.
    """

    layout: Layout
    model: str = SCRIPTED_MODEL
    record: RecordMode = "none"
    live: ChatSettings | None = None
    root: Path | None = None

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
        if self.live is None:
            return self._result(scenario_id, turned, sample)
        secret = self.live.api_key.get_secret_value()
        with struck_from_logs(secret):
            return strike_from_result(self._result(scenario_id, turned, sample), secret)

    def _result(self, scenario_id: str, turned: Variant, sample: int) -> ScenarioResult:
        case: Case | None = None
        try:
            case = load_case(self.layout, scenario_id)
            return self._evaluate(_Subject(case=case, variant=turned, sample=sample, layout=self.layout))
        except CassetteError as error:
            # A recording that was never made is as good as one that does not fit.
            missing = error.kind == "missing"
            reason, command = f"{error.path}: {error.problem}", error.mend or None
            stale = StaleCalls(calls=(), missing=True) if missing else None
        except RedpenError as error:
            missing, reason, command, stale = False, str(error), None, None
        except Exception as error:  # noqa: BLE001 - a broken harness is an outcome of the scenario too
            missing, reason, command, stale = False, f"{type(error).__name__}: {error}", None, None
        if self.root is not None:
            reason = reason.replace(f"{self.root}{os.sep}", "")
        outcome: Literal["stale", "errored"] = "stale" if missing else "errored"
        if case is not None:
            return describe(
                case,
                variant=turned.label,
                sample=sample,
                outcome=outcome,
                reasons=(reason,),
                command=command,
                stale=stale,
            )
        return ScenarioResult(
            scenario=scenario_id,
            agent=scenario_id.split("/", maxsplit=1)[0],
            variant=turned.label,
            sample=sample,
            outcome=outcome,
            reasons=(reason,),
            command=command,
        )

    def _evaluate(self, subject: _Subject) -> ScenarioResult:
        if not subject.case.asks_model:
            return self._offline(subject)
        own = subject.location
        exists = own.path.exists()
        sources = (own,) if exists else subject.shared_locations
        if self.record == "all" or (self.record != "none" and not sources):
            return self._record(subject, ())
        if not sources:
            raise CassetteError(
                own.path, "there is no recording", kind="missing", mend=own.record_command("missing")
            )
        replayed = self._replay(subject, sources[0])
        for source in sources[1:]:
            if replayed.observed.stale is None:
                break
            other = self._replay(subject, source)
            replayed = other if other.observed.stale is None else replayed
        wanted = self.record == "stale" or (self.record == "missing" and not exists)
        if wanted and replayed.observed.stale:
            return self._record(subject, replayed.kept)
        return replayed.result

    def _offline(self, subject: _Subject) -> ScenarioResult:
        with NetworkGuard(one_run=True) as guard:
            run = run_case(subject.case, None, policy=subject.policy)
        return _judge(subject, _Observed(run=run, attempts=_attempts(guard)))

    def _replay(self, subject: _Subject, source: CassetteLocation) -> _Replayed:
        with open_replay(source) as session, NetworkGuard(one_run=True) as guard:
            phases, run = _run(subject, session, _offline_settings(subject, session))
        cassette = session.cassette
        mismatch = cassette.misses[0].explain() if cassette.misses else None
        missed = tuple(miss.explain().text for miss in cassette.misses[1:])
        changed: dict[int, str] = {}
        if mismatch is not None:
            missed = (mismatch.text, *missed)
        elif source.kind == "scripted":
            changed = outdated_calls(subject.case.scenario.replies, cassette.calls)
            missed = tuple(
                f"call {at} of {len(cassette.calls)} ({cassette.calls[at - 1].phase}): {what}"
                for at, what in changed.items()
            )
        stale = stale_calls(mismatch, changed, cassette.calls, subject.variant.prompts) if missed else None
        observed = _Observed(
            run=run,
            phases=phases,
            calls=recorded_calls(
                cassette.calls,
                states=["replayed"] * len(phases),
                latencies_ms=_latencies(session),
            ),
            last_text=last_text(cassette.calls),
            attempts=_attempts(guard),
            missed=missed,
            stale=stale,
            unplayed=tuple(
                f"recorded call {call.index} ({call.phase}) was never made" for call in cassette.unplayed
            ),
            command=subject.location.record_command("stale"),
        )
        first = stale.calls[0].position if stale and stale.calls else len(cassette.calls) + 1
        kept = tuple(zip(cassette.calls[: first - 1], _padded(_latencies(session), first - 1), strict=True))
        return _Replayed(
            result=_judge(subject, observed),
            observed=observed,
            kept=kept,
        )

    def _record(self, subject: _Subject, kept: Sequence[tuple[Call, float | None]]) -> ScenarioResult:
        location = subject.location
        if location.kind == "scripted":
            return self._record_scripted(subject, kept)
        if self.live is None:
            raise RedpenError(f"recording {location.model} needs a key: set OPENAI_API_KEY")
        settings = self.live.model_copy(
            update={"model": location.model, "temperature": subject.variant.temperature}
        )
        session = open_recording(
            location,
            base_url=settings.base_url,
            upstream=SharedUpstream(),
            live_key=settings.api_key.get_secret_value(),
            kept=kept,
        )
        return self._recorded(subject, session, settings)

    def _record_scripted(
        self, subject: _Subject, kept: Sequence[tuple[Call, float | None]]
    ) -> ScenarioResult:
        from redpen_evals.endpoint.server import ScriptedEndpoint

        with ScriptedEndpoint(subject.case.scenario.replies, skip=len(kept)) as endpoint:
            session = open_recording(subject.location, upstream_url=endpoint.base_url, kept=kept)
            settings = _offline_settings(subject, session)
            return self._recorded(subject, session, settings, unscripted=lambda: endpoint.refused_calls)

    def _recorded(
        self,
        subject: _Subject,
        session: RecordingSession,
        settings: ChatSettings,
        *,
        unscripted: Callable[[], int] = lambda: 0,
    ) -> ScenarioResult:
        with session, reaching_out():
            phases, run = _run(subject, session, settings)
            if unscripted():
                raise RedpenError(
                    f"nothing was saved, the run made {len(phases)} calls ({', '.join(phases)}) "
                    f"and the scenario scripts {subject.case.scripted_calls} replies"
                )
            if session.location.kind == "live" and run.result["stop_reason"] in _UNANSWERED:
                # Kept, it would take the place of what a model said, and pass: such a run publishes nothing.
                said = f"{run.result['stop_reason']}: {run.result['error']['message']}"
                raise RedpenError(f"nothing was saved, {session.location.model} gave no answer: {said}")
            session.finish()
        cassette = session.cassette
        states: list[CallState] = ["replayed"] * cassette.kept_calls
        states += ["recorded"] * (len(cassette.calls) - len(states))
        latencies = cassette.latencies_ms if session.location.kind == "live" else ()
        calls = recorded_calls(cassette.calls, states=states, latencies_ms=latencies)
        return _judge(
            subject, _Observed(run=run, phases=phases, calls=calls, last_text=last_text(cassette.calls))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What is evaluated: a scenario with its variant and sample."""

    case: Case
    variant: Variant
    sample: int
    layout: Layout

    @property
    def location(self) -> CassetteLocation:
        return CassetteLocation(
            root=self.layout.cassettes,
            model=self.variant.model,
            scenario=self.case.id,
            variant=self.variant.cassette_label,
            sample=self.sample,
        )

    @property
    def shared_locations(self) -> tuple[CassetteLocation, ...]:
        """Recordings with fewer knobs turned, the nearest first: a variant needs one of its own only where
        it asks otherwise.
        """
        own = self.location
        knobs = own.variant.split(",") if own.variant else []
        labels = [
            ",".join(left)
            for count in range(len(knobs) - 1, -1, -1)
            for left in itertools.combinations(knobs, count)
        ]
        found = (replace(own, variant=label) for label in labels)
        return tuple(location for location in found if location.path.exists())

    @property
    def policy(self) -> Any:
        return self.variant.policy_of(self.case.scenario.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Observed:
    run: Run
    phases: tuple[str, ...] = ()
    calls: tuple[RecordedCall, ...] = ()
    last_text: str | None = None
    attempts: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    stale: StaleCalls | None = None
    unplayed: tuple[str, ...] = ()
    command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replayed:
    result: ScenarioResult
    observed: _Observed
    kept: tuple[tuple[Call, float | None], ...] = field(default=())


def replay_result(layout: Layout, case: Case) -> dict[str, Any]:
    """Return the result of a scenario's run, replayed from its scripted cassette.

    Raises:
        CassetteError: there is no cassette that can be used.
        StaleRecordingError: the run asked for something that is not recorded.
    """
    subject = _Subject(case=case, variant=base_variant(SCRIPTED_MODEL), sample=1, layout=layout)
    with open_replay(subject.location) as session, NetworkGuard(one_run=True):
        _, run = _run(subject, session, _offline_settings(subject, session))
    if session.cassette.misses:
        raise StaleRecordingError(
            f"{case.id}: {session.cassette.misses[0].explain().text}\n"
            f"  to mend it: {subject.location.record_command('stale')}"
        )
    return run.result


def _judge(subject: _Subject, observed: _Observed) -> ScenarioResult:
    case, variant = subject.case, subject.variant
    result = observed.run.result
    broken: list[str] = []
    if observed.attempts:
        broken = ["network"]
        reasons = list(observed.attempts)
    elif observed.missed:
        return describe(
            case,
            variant=variant.label,
            sample=subject.sample,
            outcome="stale",
            reasons=observed.missed,
            command=observed.command,
            calls=_until_missed(observed),
            stale=observed.stale,
        )
    else:
        evidence = Evidence(
            case=case,
            result=result,
            calls=observed.phases,
            tool_calls=observed.run.tool_calls,
        )
        reasons = [*observed.unplayed, *check_invariants(evidence)]
        if variant.model == SCRIPTED_MODEL:
            reasons += check_expectation(case, result, observed.phases)
        broken = ["unplayed"] * bool(observed.unplayed)
        broken += [reason.split(":", maxsplit=1)[0] for reason in reasons[len(observed.unplayed) :]]
    return describe(
        case,
        variant=variant.label,
        sample=subject.sample,
        outcome="failed" if reasons else "passed",
        reasons=reasons,
        broken=broken,
        calls=observed.calls,
        result=result,
        last_text=observed.last_text,
    )


def _until_missed(observed: _Observed) -> tuple[RecordedCall, ...]:
    stale = observed.stale.calls if observed.stale else ()
    answered = observed.calls[: stale[0].position - 1] if stale else ()
    return (*answered, *(RecordedCall(phase=call.phase, state="missed") for call in stale[:1]))


def _latencies(session: ReplaySession) -> list[float | None]:
    found = session.recorded.get("latency_ms")
    if not isinstance(found, list):
        return []
    return [float(one) if isinstance(one, (int, float)) else None for one in found]


def _padded(latencies: list[float | None], count: int) -> list[float | None]:
    return (latencies + [None] * count)[:count]


def _offline_settings(subject: _Subject, session: ReplaySession | RecordingSession) -> ChatSettings:
    return ChatSettings(
        api_key=SecretStr(_REPLAY_KEY),
        base_url=session.base_url,
        model=subject.variant.model,
        timeout_s=subject.case.scenario.timeout_s,
        retries=0,
        temperature=subject.variant.temperature,
    )


def _run(
    subject: _Subject, session: ReplaySession | RecordingSession, settings: ChatSettings
) -> tuple[tuple[str, ...], Run]:
    import httpx2

    phases: list[str] = []

    def note(phase: Phase) -> None:
        phases.append(phase)
        session.cassette.phase = phase

    with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
        chat = ChatClient(settings, http_client=http_client, on_call=note)
        run = run_case(subject.case, chat, prompts=subject.variant.prompts, policy=subject.policy)
    return tuple(phases), run


def _attempts(guard: NetworkGuard) -> tuple[str, ...]:
    return tuple(
        f"reached for the network: {attempt.event} to {attempt.target}" for attempt in guard.attempts
    )
