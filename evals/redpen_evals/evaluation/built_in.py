"""Runs of the built-in agents, whose client gets the transport of the run's cassette."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen.chat.replies import Phase
from redpen.errors import ConfigurationError, RedpenError
from redpen.events import EventLog
from redpen.judges import Judge, load_judge
from redpen_evals.cassettes.session import RecordingSession, ReplaySession, open_recording, open_replay
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.cassettes.transport import SharedUpstream
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.evaluation.observing import Kept, Observed, attempts, observe_recording, observe_replay
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.evaluation.subject import Subject
from redpen_evals.network import NetworkGuard, reaching_out
from redpen_evals.run_events import log_about
from redpen_evals.targets.builtin import run_built_in
from redpen_evals.targets.run import Run
from redpen_evals.targets.tools import ToolSettings
from redpen_evals.traffic.scope import unrecorded

_REPLAY_KEY = "replay-needs-no-key"
_UNANSWERED = frozenset(
    {"llm_timeout", "llm_auth", "llm_bad_request", "llm_rate_limited", "llm_server_error"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltInRuns:
    """Runs the built-in agents; ``redact`` replaces personal data in recordings of a live model."""

    live: ChatSettings | None
    tools: ToolSettings
    redact: bool = False
    events: EventLog | None = None

    def needs_recording(self, subject: Subject) -> bool:
        """Return whether the run calls a model."""
        return subject.case.asks_model

    def replay(self, subject: Subject, source: CassetteLocation | None) -> tuple[Observed, Kept]:
        """Run without a network, answered from a recording; raises CassetteError if it cannot be loaded."""
        if source is None:
            with NetworkGuard(one_run=True) as guard, unrecorded():
                run = self._run(subject, None)
            return self._with_run_id(Observed(run=run, attempts=attempts(guard))), ()
        with open_replay(source) as session, NetworkGuard(one_run=True) as guard, unrecorded():
            phases, run = self._run_with_model(subject, session, _offline_settings(subject, session))
        observed, kept = observe_replay(subject, source, session, run, phases=phases, guard=guard)
        return self._with_run_id(observed), kept

    def record(self, subject: Subject, kept: Kept) -> Observed:
        """Run and record; raises RedpenError if nothing was saved."""
        if not subject.case.asks_model:
            return self.replay(subject, None)[0]
        location = subject.location
        with ExitStack() as stack:
            endpoint: ScriptedEndpoint | None = None
            if location.kind == "scripted":
                replies = subject.case.scenario.replies
                endpoint = stack.enter_context(ScriptedEndpoint(replies, skip=len(kept)))
                session = open_recording(location, upstream_url=endpoint.base_url, kept=kept)
                settings = _offline_settings(subject, session)
            else:
                session, settings = self._live_session(subject, kept)
            for scope in (session, reaching_out(), unrecorded()):
                stack.enter_context(scope)
            phases, run = self._run_with_model(subject, session, settings)
            if endpoint is not None and endpoint.refused_calls:
                raise RedpenError(
                    f"nothing was saved, the run made {len(phases)} calls ({', '.join(phases)}) "
                    f"and the scenario scripts {subject.case.scripted_calls} replies"
                )
            if endpoint is None and run.result["stop_reason"] in _UNANSWERED:
                # A saved error would be replayed instead of an answer, and pass, as it publishes nothing.
                message = f"{run.result['stop_reason']}: {run.result['error']['message']}"
                raise RedpenError(f"nothing was saved, {location.model} gave no answer: {message}")
            session.finish()
        return self._with_run_id(observe_recording(session, run, phases=phases))

    def _live_session(self, subject: Subject, kept: Kept) -> tuple[RecordingSession, ChatSettings]:
        location = subject.location
        if self.live is None:
            raise RedpenError(f"recording {location.model} needs a key: set OPENAI_API_KEY")
        update = {"model": location.model, "temperature": subject.variant.temperature}
        settings = self.live.model_copy(update=update)
        session = open_recording(
            location,
            base_url=settings.base_url,
            upstream=SharedUpstream(),
            live_keys=(settings.api_key.get_secret_value(),),
            kept=kept,
        )
        return replace(session, redact=self.redact), settings

    def _with_run_id(self, observed: Observed) -> Observed:
        if self.events is None:
            return observed
        return replace(observed, run_id=str(observed.run.result.get("run_id", "")))

    def _run_with_model(
        self, subject: Subject, session: ReplaySession | RecordingSession, settings: ChatSettings
    ) -> tuple[tuple[str, ...], Run]:
        import httpx2

        phases: list[str] = []

        def set_phase(phase: Phase) -> None:
            phases.append(phase)
            session.cassette.phase = phase

        with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
            run = self._run(subject, ChatClient(settings, http_client=http_client, on_call=set_phase))
        return tuple(phases), run

    def _run(self, subject: Subject, chat: ChatClient | None) -> Run:
        return run_built_in(
            subject.case,
            chat,
            prompts=subject.variant.prompts,
            policy=subject.limits,
            tools=self.tools,
            pack=subject.pack,
            judge=_judge(subject),
            events=None if self.events is None else log_about(self.events, subject),
        )


def tools_of(own: OwnSettings, root: Path | None) -> ToolSettings:
    """Return the source of the tools of guarded-policy in a project's settings."""
    return ToolSettings(factory=own.tools, paths=own.paths, root=root)


def _judge(subject: Subject) -> Judge | None:
    name: str | None = getattr(subject.case.built_in, "judge", None)
    if name is None:
        return None
    try:
        return load_judge(name, folder=subject.layout.judges, model=subject.variant.model)
    except ConfigurationError as error:
        raise ConfigurationError(f"{subject.case.place('judge')}: judge: {error}") from error


def _offline_settings(subject: Subject, session: ReplaySession | RecordingSession) -> ChatSettings:
    return ChatSettings(
        api_key=SecretStr(_REPLAY_KEY),
        base_url=session.base_url,
        model=subject.variant.model,
        timeout_s=subject.case.built_in.timeout_s,
        retries=0,
        temperature=subject.variant.temperature,
    )
