"""Evaluating one scenario: replay or record its run, then judge it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from redpen_evals.library.layout import Layout
from redpen_evals.library.loading import Case, load_case
from redpen_evals.network import NetworkGuard
from redpen_evals.outcome import Outcome, Verdict
from redpen_evals.runner import Run, run_case
from redpen_evals.scripting import outdated_calls

if TYPE_CHECKING:
    from redpen.chat.replies import Phase

RecordMode = Literal["none", "missing", "stale", "all"]

_REPLAY_KEY = "replay-needs-no-key"
_UNANSWERED = frozenset(
    {"llm_timeout", "llm_auth", "llm_bad_request", "llm_rate_limited", "llm_server_error"}
)


class StaleRecordingError(RedpenError):
    """A replayed run asked the model for something that its cassette does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates scenarios of one library against one model.

    Attributes:
        layout: where scenarios and cassettes are.
        model: ``scripted``, or the name of a live model.
        record: ``none`` replays; ``missing`` records what has no cassette; ``stale`` what has none or an
            outdated one; ``all`` everything.
        live: how to reach the live model; needed to record it.
    """

    layout: Layout
    model: str = SCRIPTED_MODEL
    record: RecordMode = "none"
    live: ChatSettings | None = None

    def evaluate(self, scenario_id: str) -> Verdict:
        """Run a scenario and judge it.

        Args:
            scenario_id: e.g. ``self-critique/approve-clean``.

        Returns:
            The verdict; what is broken in scenario, cassette or harness makes it ``errored``.
        """
        agent = scenario_id.split("/", maxsplit=1)[0]
        try:
            return self._evaluate(load_case(self.layout, scenario_id))
        except CassetteError as error:
            # A recording that was never made is as good as one that does not fit.
            outcome: Outcome = "stale" if error.kind == "missing" else "errored"
            return Verdict(
                scenario=scenario_id,
                agent=agent,
                outcome=outcome,
                reasons=(f"{error.path}: {error.problem}",),
                command=error.mend or None,
            )
        except RedpenError as error:
            return Verdict(scenario=scenario_id, agent=agent, outcome="errored", reasons=(str(error),))
        except Exception as error:  # noqa: BLE001 - a broken harness is an outcome of the scenario too
            reason = f"{type(error).__name__}: {error}"
            return Verdict(scenario=scenario_id, agent=agent, outcome="errored", reasons=(reason,))

    def _evaluate(self, case: Case) -> Verdict:
        location = CassetteLocation(root=self.layout.cassettes, model=self.model, scenario=case.id)
        if not case.asks_model:
            return self._offline(case)
        exists = location.path.exists()
        if self.record == "all" or (self.record in {"missing", "stale"} and not exists):
            return self._record(case, location)
        verdict = self._replay(case, location)
        if self.record == "stale" and verdict.outcome == "stale":
            return self._record(case, location)
        return verdict

    def _offline(self, case: Case) -> Verdict:
        with NetworkGuard() as guard:
            run = run_case(case, None)
        return self._judge(case, _Observed(run=run, attempts=_attempts(guard)))

    def _replay(self, case: Case, location: CassetteLocation) -> Verdict:
        with open_replay(location) as session, NetworkGuard() as guard:
            calls, run = _run(case, session, _offline_settings(case, session, self.model))
        command = location.record_command("stale")
        missed = tuple(miss.explain().text for miss in session.cassette.misses)
        if location.kind == "scripted" and not missed:
            missed = outdated_calls(case.scenario.replies, session.cassette.calls)
        unplayed = tuple(
            f"recorded call {call.index} ({call.phase}) was never made" for call in session.cassette.unplayed
        )
        observed = _Observed(
            run=run, calls=calls, attempts=_attempts(guard), missed=missed, unplayed=unplayed, command=command
        )
        return self._judge(case, observed)

    def _record(self, case: Case, location: CassetteLocation) -> Verdict:
        if location.kind == "scripted":
            return self._record_scripted(case, location)
        if self.live is None:
            raise RedpenError(f"recording {self.model} needs a key: set OPENAI_API_KEY")
        settings = self.live.model_copy(update={"model": self.model})
        session = open_recording(
            location,
            base_url=settings.base_url,
            upstream=SharedUpstream(),
            live_key=settings.api_key.get_secret_value(),
        )
        return self._recorded(case, session, settings)

    def _record_scripted(self, case: Case, location: CassetteLocation) -> Verdict:
        from redpen_evals.endpoint.server import ScriptedEndpoint

        with ScriptedEndpoint(case.scenario.replies) as endpoint:
            session = open_recording(location, upstream_url=endpoint.base_url)
            settings = _offline_settings(case, session, self.model)
            return self._recorded(case, session, settings, unscripted=lambda: endpoint.refused_calls)

    def _recorded(
        self,
        case: Case,
        session: RecordingSession,
        settings: ChatSettings,
        *,
        unscripted: Callable[[], int] = lambda: 0,
    ) -> Verdict:
        with session:
            calls, run = _run(case, session, settings)
            if unscripted():
                raise RedpenError(
                    f"nothing was saved, the run made {len(calls)} calls ({', '.join(calls)}) "
                    f"and the scenario scripts {case.scripted_calls} replies"
                )
            if session.location.kind == "live" and run.result["stop_reason"] in _UNANSWERED:
                # Kept, it would take the place of what a model said, and pass: such a run publishes nothing.
                said = f"{run.result['stop_reason']}: {run.result['error']['message']}"
                raise RedpenError(f"nothing was saved, {self.model} gave no answer: {said}")
            session.finish()
        return self._judge(case, _Observed(run=run, calls=calls))

    def _judge(self, case: Case, observed: _Observed) -> Verdict:
        def verdict(outcome: Outcome, reasons: Sequence[str] = (), command: str | None = None) -> Verdict:
            return Verdict(
                scenario=case.id, agent=case.agent, outcome=outcome, reasons=tuple(reasons), command=command
            )

        if observed.attempts:
            return verdict("failed", observed.attempts)
        if observed.missed:
            return verdict("stale", observed.missed, observed.command)
        evidence = Evidence(
            case=case,
            result=observed.run.result,
            calls=observed.calls,
            tool_calls=observed.run.tool_calls,
        )
        broken = [*observed.unplayed, *check_invariants(evidence)]
        if self.model == SCRIPTED_MODEL:
            broken += check_expectation(case, observed.run.result, observed.calls)
        return verdict("failed", broken) if broken else verdict("passed")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Observed:
    run: Run
    calls: tuple[str, ...] = ()
    attempts: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    command: str | None = None


def replay_result(layout: Layout, case: Case) -> dict[str, Any]:
    """Return the result of a scenario's run, replayed from its scripted cassette.

    Raises:
        CassetteError: there is no cassette that can be used.
        StaleRecordingError: the run asked for something that is not recorded.
    """
    location = CassetteLocation(root=layout.cassettes, model=SCRIPTED_MODEL, scenario=case.id)
    with open_replay(location) as session, NetworkGuard():
        _, run = _run(case, session, _offline_settings(case, session, SCRIPTED_MODEL))
    if session.cassette.misses:
        raise StaleRecordingError(
            f"{case.id}: {session.cassette.misses[0].explain().text}\n"
            f"  to mend it: {location.record_command('stale')}"
        )
    return run.result


def _offline_settings(case: Case, session: ReplaySession | RecordingSession, model: str) -> ChatSettings:
    return ChatSettings(
        api_key=SecretStr(_REPLAY_KEY),
        base_url=session.base_url,
        model=model,
        timeout_s=case.scenario.timeout_s,
        retries=0,
    )


def _run(
    case: Case, session: ReplaySession | RecordingSession, settings: ChatSettings
) -> tuple[tuple[str, ...], Run]:
    import httpx2

    phases: list[str] = []

    def note(phase: Phase) -> None:
        phases.append(phase)
        session.cassette.phase = phase

    with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
        run = run_case(case, ChatClient(settings, http_client=http_client, on_call=note))
    return tuple(phases), run


def _attempts(guard: NetworkGuard) -> tuple[str, ...]:
    return tuple(
        f"reached for the network: {attempt.event} to {attempt.target}" for attempt in guard.attempts
    )
