"""Runs of users' own agents, with HTTP replayed from, or recorded into, the run's cassette."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from redpen.errors import ConfigurationError, RedpenError
from redpen.events import EventLog
from redpen.types import JsonObject
from redpen_evals.cassettes.cassette import TOOL_HEADERS, CallRules
from redpen_evals.cassettes.file import CallFailure, CallRequest
from redpen_evals.cassettes.matching import Volatile
from redpen_evals.cassettes.session import (
    RecordingSession,
    ReplaySession,
    empty_replay,
    open_recording,
    open_replay,
)
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.errors import TargetError
from redpen_evals.evaluation.observing import (
    Kept,
    Observed,
    compare_script,
    observe_recording,
    observe_replay,
)
from redpen_evals.evaluation.subject import Subject
from redpen_evals.model_calls.reading import dialect_of, read_calls
from redpen_evals.network import NetworkGuard, reaching_out
from redpen_evals.run_events import write_own_run
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.targets.binding import MODEL, Call, takes
from redpen_evals.targets.calling import TIMED_OUT
from redpen_evals.targets.dispatch import run_own_agent
from redpen_evals.targets.environment import (
    SECRETS,
    offline_environment,
    placeholder_keys,
    recorded_addresses,
)
from redpen_evals.targets.isolation import attributes_set, fresh_modules, isolated
from redpen_evals.targets.loading import load_callable
from redpen_evals.targets.run import Run
from redpen_evals.traffic.patching import PATCH
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import RunScope, ScriptedUpstream
from redpen_evals.variants import ARGUMENT

ADDRESSES = "addresses"
"""Key of a recording for the addresses of models."""

_REFUSED = frozenset({401, 403})
_UNANSWERED = frozenset({401, 403, 407, 408, 429})
_SERVER_ERRORS = range(500, 600)


Observe = Callable[[Run], tuple[Observed, Kept]]
"""Returns what was observed of a run that has ended, and its recorded calls that are still valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSettings:
    """A project's settings for its own agents.

    Attributes:
        names: short names of agents, mapped to ``module:callable``.
        paths: folders from which their modules are imported, including the project's root.
        volatile: what differs in requests from run to run.
        telemetry: services to which telemetry may be sent.
        secrets: values that must not appear in results and logs.
        model_variables: environment variables from which agents read the name of their model.
        redact: whether personal data in recordings of a live model is replaced.
        tools: ``module:factory`` of the tools of guarded-policy; empty for the canned ones.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()
    volatile: Volatile = field(default_factory=Volatile)
    telemetry: frozenset[str] = frozenset()
    secrets: tuple[str, ...] = ()
    model_variables: tuple[str, ...] = ()
    redact: bool = False
    tools: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRuns:
    """Runs users' own agents."""

    settings: OwnSettings
    root: Path | None
    events: EventLog | None = None

    def needs_recording(self, subject: Subject) -> bool:
        """Return whether there must be a recording; an agent in this process may make no call at all."""
        return subject.own is not None and subject.own.url is not None

    def replay(self, subject: Subject, source: CassetteLocation | None) -> tuple[Observed, Kept]:
        """Run without a network, answered from a recording; raises CassetteError if it cannot be loaded."""
        with self.replaying(subject, source) as (scope, observe):
            run = self._run(subject, scope)
        observed, kept = observe(run)
        return self._with_events(subject, observed), kept

    def record(self, subject: Subject, kept: Kept) -> Observed:
        """Run and record; raises RedpenError if nothing was saved."""
        with self.recording(subject, kept) as (scope, observe):
            run = self._run(subject, scope)
        return self._with_events(subject, observe(run)[0])

    def _with_events(self, subject: Subject, observed: Observed) -> Observed:
        if self.events is None:
            return observed
        return replace(observed, run_id=write_own_run(self.events, subject, observed.run, observed.made))

    @contextmanager
    def replaying(
        self, subject: Subject, source: CassetteLocation | None
    ) -> Iterator[tuple[RunScope, Observe]]:
        """Replay the calls of a block of code from a recording; ``observe`` is called after the block."""
        rules = call_rules(self.settings)
        location = source or subject.location
        session = open_replay(location, rules=rules) if source else empty_replay(location, rules=rules)
        scope = self._scope(subject, session)
        guard = NetworkGuard(one_run=True, allow=scope.passthrough)
        environment = offline_environment(addresses_in(session.recorded))

        def observe(run: Run) -> tuple[Observed, Kept]:
            if scope.problems:
                raise RedpenError("\n".join(scope.problems))
            phases = [call.phase for call in session.cassette.made]
            root = self.root or Path.cwd()
            observed, kept = observe_replay(
                subject, location, session, run, phases=phases, guard=guard, root=root
            )
            return _with_refused(observed, scope), kept

        with session, guard, self._active(scope, environment, subject):
            yield scope, observe

    @contextmanager
    def recording(self, subject: Subject, kept: Kept) -> Iterator[tuple[RunScope, Observe]]:
        """Record the calls of a block of code; ``observe`` raises RedpenError if nothing was saved."""
        scenario = _scenario(subject)
        session = open_recording(
            subject.location,
            base_url="",
            live_keys=SECRETS.note(),
            rules=call_rules(self.settings),
            kept=kept,
        )
        session = replace(session, redact=self.settings.redact)
        with ExitStack() as stack:
            script: ScriptedUpstream | None = None
            endpoint: ScriptedEndpoint | None = None
            environment: Mapping[str, str | None] = placeholder_keys()
            if session.location.kind == "scripted":

                def start() -> str:
                    nonlocal endpoint
                    # Calls that were reused from the older recording have used up their replies.
                    answered = compare_script(scenario.replies, session.cassette.calls).used
                    endpoint = stack.enter_context(ScriptedEndpoint(scenario.replies, skip=answered))
                    stack.callback(upstream.close)
                    return endpoint.base_url

                script = upstream = ScriptedUpstream(start)
                stack.callback(upstream.close)
                environment = offline_environment({})
            else:
                session.recorded[ADDRESSES] = dict(recorded_addresses())
            scope = self._scope(subject, session, script)

            def observe(run: Run) -> tuple[Observed, Kept]:
                self._save(subject, session, scope, run, refused=endpoint.refused_calls if endpoint else 0)
                phases = [call.phase for call in session.cassette.calls]
                left = 0
                if script is not None:
                    kept_only = compare_script(scenario.replies, session.cassette.calls).left
                    left = endpoint.remaining if endpoint else kept_only
                observed = observe_recording(session, run, phases=phases, replies_left=left)
                return _with_refused(observed, scope), ()

            with session, reaching_out(), self._active(scope, environment, subject):
                yield scope, observe

    def _save(
        self, subject: Subject, session: RecordingSession, scope: RunScope, run: Run, *, refused: int
    ) -> None:
        cassette = session.cassette
        problems = [*scope.problems]
        if refused:
            problems.append(
                f"the run made {len(cassette.calls)} calls and the scenario scripts "
                f"{subject.case.scripted_calls} replies"
            )
        if run.result["stop_reason"] == TIMED_OUT:
            problems.append(run.problem or TIMED_OUT)
        if session.location.kind == "live":
            problems += _unanswered(session) or self._other_model(subject, session)
        if problems:
            raise RedpenError("\n".join(f"nothing was saved: {problem}" for problem in problems))
        if cassette.calls or session.location.path.exists():
            # Includes keys that the agent has loaded itself, such as from a file ``.env``.
            replace(session, live_keys=SECRETS.note()).finish()

    def _other_model(self, subject: Subject, session: RecordingSession) -> list[str]:
        # The recording would be in the folder of a model that was never called.
        called = sorted({call.model for call in read_calls(session.cassette.calls) if call.model})
        agent = _scenario(subject).agent
        if subject.model is None or not called or subject.model in called:
            return []
        target = subject.target
        if target is None and agent is not None:
            target = load_callable(agent, self.settings.names, root=self.root)
        if target is not None and takes(target, MODEL):
            # The agent may map the name to another one.
            return []
        variables = ", ".join(self.settings.model_variables) or "now empty"
        problem = (
            f"the agent called {', '.join(called)}, not {subject.model}: give it a parameter `model`, or add "
            f"the variable from which it reads its model to the setting redpen_model_variables ({variables})"
        )
        if not subject.case.scenario.replies:
            problem += "; without --model its own choice is recorded, in cassettes/live"
        return [problem]

    def _scope(
        self,
        subject: Subject,
        session: ReplaySession | RecordingSession,
        script: ScriptedUpstream | None = None,
    ) -> RunScope:
        scenario = _scenario(subject)
        return RunScope(
            cassette=session.cassette,
            script=script,
            passthrough=frozenset(host.lower() for host in scenario.passthrough),
            telemetry=self.settings.telemetry,
            deadline_s=time.monotonic() + scenario.timeout_s,
        )

    @contextmanager
    def _active(
        self, scope: RunScope, environment: Mapping[str, str | None], subject: Subject
    ) -> Iterator[None]:
        paths, model = self.settings.paths, subject.model
        overrides = dict.fromkeys(self.settings.model_variables, model) if model else {}
        overrides |= subject.variant.environment
        reload_modules = overrides and subject.target is None
        with (
            isolated(paths=paths, environment={**environment, **overrides}),
            fresh_modules(paths) if reload_modules else nullcontext(),
            PATCH,
            ROUTER.running(scope),
            attributes_set(subject.variant.attributes, root=self.root),
        ):
            yield

    def _run(self, subject: Subject, scope: RunScope) -> Run:
        scenario = _scenario(subject)
        arguments: Mapping[str, Any] = scenario.input if subject.arguments is None else subject.arguments
        call = Call(
            scenario=scenario,
            target=subject.target,
            arguments={**arguments, **subject.variant.arguments},
            context=subject.case.subject,
            scope=scope,
            names=self.settings.names,
            root=self.root or Path.cwd(),
            model=subject.model,
        )
        try:
            return run_own_agent(call)
        except TargetError as error:
            # A knob's parameter comes from the command line, not from a scenario file.
            knobs = [name for name in subject.variant.arguments if f"no parameter {name!r}" in str(error)]
            if not knobs:
                raise
            raise ConfigurationError(f"--variants {ARGUMENT}{knobs[0]}: {error}") from None


def call_label(request: CallRequest) -> str:
    """Return the label of a call in results: the API of a model call, else the HTTP method."""
    dialect = dialect_of(request.url) if request.method == "POST" else None
    return dialect.name if dialect else request.method.lower()


def _scenario(subject: Subject) -> OwnAgentScenario:
    if subject.own is None:
        raise TypeError(f"{subject.case.id} is a scenario of a built-in agent")
    return subject.own


def call_rules(settings: OwnSettings) -> CallRules:
    """Return how calls of a project's own agents and guards are labelled, compared and stored."""
    volatile = settings.volatile
    return CallRules(label=call_label, volatile=volatile, headers=TOOL_HEADERS - volatile.headers)


def addresses_in(recorded: JsonObject) -> dict[str, str]:
    """Return the addresses of models that a recording was made with."""
    addresses = recorded.get(ADDRESSES)
    return {name: str(value) for name, value in addresses.items()} if isinstance(addresses, dict) else {}


def _unanswered(session: RecordingSession) -> list[str]:
    # A saved error would be replayed instead of a model's answer.
    failures = []
    for call in session.cassette.calls:
        if dialect_of(call.request.url) is None:
            continue
        if isinstance(call.response, CallFailure):
            hint = " (no key is set; a scenario with `replies` needs none)" if placeholder_keys() else ""
            failures.append(f"{call.request.url} gave no answer: {call.response.failure}{hint}")
        elif call.response.status in _UNANSWERED or call.response.status in _SERVER_ERRORS:
            hint = " (no key is set)" if placeholder_keys() and call.response.status in _REFUSED else ""
            failures.append(f"{call.request.url} gave no answer: status {call.response.status}{hint}")
    return failures


def _with_refused(observed: Observed, scope: RunScope) -> Observed:
    return replace(observed, refused=tuple(sorted(scope.refused.items())))
