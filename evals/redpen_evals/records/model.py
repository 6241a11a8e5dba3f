"""The lines of a run record: start, prompts, results, scorecards, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from redpen.screen import counted, shortened, shown
from redpen.text.json_values import objects
from redpen_evals.exit_codes import Outcome

RECORD_VERSION: Final = 1
"""Version of the lines; a reader refuses any other."""

BASE_VARIANT: Final = ""
"""Label of a run in which every knob has its default."""


_FINDING_LISTS: Final = ("violations", "ungrounded")
_MAX_FINDINGS: Final = 5
_MAX_FINDING_CHARS: Final = 300


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunStart(_Line):
    """The first line: the options and versions of the run.

    Attributes:
        redpen_record: version of the lines.
        id: of the run; also the stem of its file.
        number: of the run in its folder, from 1; 0 in records of older versions.
        started: UTC, ISO 8601.
        model: whose recordings were used; ``scripted`` is no real model.
        record: the recording mode.
        samples: answers per scenario and variant.
        variants: labels; the empty one is the base.
        prompts: the hash of every prompt by name, per variant label.
        versions: of redpen and the packages that shape a recording.
        resumed: id of the killed run that this one continues.
        events: address of the store of its runs' events; empty without one.
    """

    type: Literal["start"] = "start"
    redpen_record: int = RECORD_VERSION
    id: str
    number: int = Field(default=0, ge=0)
    started: str
    model: str
    record: Literal["none", "missing", "stale", "all"]
    samples: int = Field(ge=1)
    variants: tuple[str, ...]
    prompts: dict[str, dict[str, str]]
    versions: dict[str, str]
    resumed: str | None = None
    events: str = ""


class RecordedPrompt(_Line):
    """The text of a prompt that the run used, once for each text.

    `hash` are the first 12 hex digits of its SHA-256; version and notes are from its front matter.
    """

    type: Literal["prompt"] = "prompt"
    hash: str
    name: str
    phase: str
    version: str
    notes: str = ""
    text: str


LivePart = Literal["asked", "not asked"]
CallState = Literal["replayed", "recorded", "missed"]


class RecordedCall(_Line):
    """One model call of a run; tokens as the server counted them, None if it did not.

    Attributes:
        state: ``replayed`` from the cassette, ``recorded`` in this run, or ``missed``: no recording.
        latency_ms: of the recorded call, not of its replay; None for scripted recordings.
    """

    phase: str
    state: CallState
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None


class StaleCall(_Line):
    """One call that has to be recorded again; tokens of the old recording, None where unknown.

    Attributes:
        position: in the run, from 1.
        why: ``changed``: its own request differs; ``follows``: an earlier answer may change it;
            ``new``: nothing was recorded at its position.
        what: what changed, e.g. ``messages[0].content`` (empty for ``follows``).
        excerpt: the changed words, shortened (empty for ``follows``).
        origin: ``file:line`` of the changed words in the project; empty if they were not found.
    """

    position: int
    phase: str
    why: Literal["changed", "follows", "new"]
    what: str = ""
    excerpt: str = ""
    origin: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class StaleCalls(_Line):
    """The stale calls of a run.

    Attributes:
        calls: in order; empty if nothing was ever recorded.
        missing: whether there is no recording at all.
        model: of the recording: ``scripted``, ``live`` for what an agent chooses itself, or a model's name;
            empty in older records.
    """

    calls: tuple[StaleCall, ...]
    missing: bool = False
    model: str = ""


class PolicyInForce(_Line):
    """The policy pack that judged a run, the hash of its resolved content, and what it loosens on purpose."""

    pack: str
    hash: str
    loosens: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Its name in messages."""
        loosened = f", which loosens {', '.join(self.loosens)}" if self.loosens else ""
        return f"{self.pack} ({self.hash}){loosened}"


class ScenarioResult(_Line):
    """The result of one run of one scenario.

    Two runs of the same files give the same line on any machine, in any order, with any number of workers.

    Attributes:
        scenario: id, e.g. ``reflection/approve-direct``.
        agent: under test.
        title: of the scenario.
        context: name of its context or plan, if it has one.
        tags: labels of the scenario.
        variant: label of the variant, e.g. ``critique=v2``; empty for the base.
        sample: number of the independent answer, from 1.
        outcome: the harness's conclusion.
        reasons: for not passing.
        broken: names of the invariants and expectations that did not hold.
        command: the command that fixes it.
        status: ``ok`` or ``stopped``; None if the run did not finish.
        stop_reason: why the run ended.
        phase: in which it stopped.
        result: of a run that did not stop, e.g. ``revised_once``.
        decision: of critique or review; for guarded-policy ``a1:allow a2:deny …``.
        violations: codes of the guards' findings, in order.
        answer: the published text.
        refused: the model's unpublished text that has the violations.
        calls: the model calls in order.
        stale: the calls to record again; None unless the outcome is ``stale``.
        live: ``asked`` if a live model took part, ``not asked`` if the run calls no model; None if the script
            answers.
        warnings: problems of the recording, or of what was not checked, that a person should look at.
        telemetry: requests of frameworks' telemetry that were not sent, by service.
        canned: canned tools that were called and so did nothing.
        policy: the pack that judged the run; None for the built-in policy.
        detail: the agent's whole result (trace, history, audit …) without its random ``run_id``.
        test: node id of the test that made the run.
        runs: how many runs that test made.
        expected: whether the test passed although the run did not, since it expects that outcome.
        fingerprint: of all that the result depends on; empty if that is unknown.
        run_id: of the run in its events; empty without events, so that equal runs have equal lines.
    """

    type: Literal["result"] = "result"
    scenario: str
    agent: str
    title: str = ""
    context: str | None = None
    tags: tuple[str, ...] = ()
    variant: str = BASE_VARIANT
    sample: int = Field(default=1, ge=1)
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    command: str | None = None
    status: Literal["ok", "stopped"] | None = None
    stop_reason: str | None = None
    phase: str | None = None
    result: str | None = None
    decision: str | None = None
    violations: tuple[str, ...] = ()
    answer: str | None = None
    refused: str | None = None
    calls: tuple[RecordedCall, ...] = ()
    stale: StaleCalls | None = None
    live: LivePart | None = None
    warnings: tuple[str, ...] = ()
    telemetry: dict[str, int] = {}
    canned: tuple[str, ...] = ()
    policy: PolicyInForce | None = None
    detail: dict[str, Any] = {}
    test: str = ""
    runs: int = Field(default=1, ge=1)
    expected: bool = False
    fingerprint: str = ""
    run_id: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """Scenario, variant and sample, which identify the result."""
        return self.scenario, self.variant, self.sample

    @property
    def shown(self) -> str:
        """Its name in messages, e.g. ``reflection/approve-direct [critique=v2] #2``."""
        return display_id(self.key)

    @property
    def agent_shown(self) -> str:
        """Its agent and variant in tables, e.g. ``reflection [critique=v2]``."""
        return f"{self.agent} [{self.variant}]" if self.variant else self.agent

    @property
    def summary(self) -> str:
        """The first reason, on one line, and the guards' first finding unless the reason includes it."""
        if not self.reasons:
            return ""
        first = self.reasons[0].splitlines()[0]
        return f"{first}; found {self.findings[0]}" if self.findings else first

    @property
    def findings(self) -> tuple[str, ...]:
        """The first few findings of the guards in a failed run: code, reading and words.

        Empty if the reasons include them.
        """
        if self.outcome != "failed":
            return ()
        findings = [finding for name in _FINDING_LISTS for finding in objects(self.detail.get(name))]
        if findings and str(findings[0].get("reading")) in "\n".join(self.reasons):
            return ()
        more = [f"{len(findings) - _MAX_FINDINGS} more"] if len(findings) > _MAX_FINDINGS else []
        return (*map(_finding_line, findings[:_MAX_FINDINGS]), *more)

    @property
    def text(self) -> str:
        """The whole conclusion: outcome, reasons, findings and command."""
        lines = [f"{self.shown}: {self.outcome}"]
        lines += [f"  {line}" for reason in self.reasons for line in reason.splitlines()]
        lines += [f"  found {finding}" for finding in self.findings]
        if self.command:
            lines.append(f"  to fix it: {self.command}")
        return "\n".join(lines)

    @property
    def headed_text(self) -> str:
        """The same with the first reason in the first line."""
        head, *rest = self.text.splitlines()
        return "\n".join((f"{head}: {rest[0].strip()}", *rest[1:]) if self.reasons else (head, *rest))

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all requests; calls without a count add none."""
        return sum(call.prompt_tokens or 0 for call in self.calls)

    @property
    def completion_tokens(self) -> int:
        """Tokens of all answers."""
        return sum(call.completion_tokens or 0 for call in self.calls)

    @property
    def tokens(self) -> int:
        """Tokens of requests and answers."""
        return self.prompt_tokens + self.completion_tokens


def display_id(key: tuple[str, str, int]) -> str:
    """Return the display name of a result: ``a/b``, ``a/b [critique=v2]``, ``a/b [critique=v2] #2``."""
    scenario, variant, sample = key
    named = f"{scenario} [{variant}]" if variant else scenario
    return f"{named} #{sample}" if sample > 1 else named


def _finding_line(finding: dict[str, Any]) -> str:
    # A model's words are untrusted: one line, escaped and short.
    line = shown(f"{finding.get('code')}: {finding.get('reading')} in {finding.get('text')!r}")
    return shortened(line, _MAX_FINDING_CHARS)


class ScorecardResult(_Line):
    """One table of the guard scorecard.

    Attributes:
        name: node id of the test that made it.
        measured: the figures of each guard set, as the scorecard's gate reads them.
        lines: the table as text.
        breaches: thresholds that the figures miss.
        notes: on the figures, such as the cost of a judge.
    """

    type: Literal["scorecard"] = "scorecard"
    name: str
    measured: list[dict[str, Any]]
    lines: list[str]
    breaches: list[str] = []
    notes: list[str] = []


class RunEnd(_Line):
    """The last line of a run that was not killed.

    Attributes:
        exit_code: of the whole run.
        duration_s: wall time, in seconds.
        counts: results by outcome.
        not_asked: number of scenarios skipped since they require nothing of a live model, by agent.
        not_run: ids of existing scenarios and tests that the run left out.
        gone: ids of scenarios and tests with accepted outcomes that no longer exist.
    """

    type: Literal["end"] = "end"
    exit_code: int
    duration_s: float
    counts: dict[Outcome, int]
    not_asked: dict[str, int] = {}
    not_run: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


AnyLine: TypeAlias = RunStart | RecordedPrompt | ScenarioResult | ScorecardResult | RunEnd
LINE: TypeAdapter[AnyLine] = TypeAdapter(Annotated[AnyLine, Field(discriminator="type")])


def canned_note(results: Iterable[ScenarioResult]) -> str:
    """Return a note on how many runs called canned tools, and how to set real ones; empty for none."""
    runs = [result.canned for result in results if result.canned]
    if not runs:
        return ""
    names = ", ".join(sorted({name for canned in runs for name in canned}))
    return (
        f"{counted(len(runs), 'run')} of guarded-policy called canned tools ({names}): "
        "nothing was fetched or sent; `tools: module:factory` or redpen_tools puts yours in"
    )


def policy_note(results: Iterable[ScenarioResult]) -> str:
    """Return a note on how many runs each policy pack judged, and what these loosen; empty for none."""
    counts = Counter(result.policy.shown for result in results if result.policy is not None)
    return "; ".join(
        f"{counted(number, 'run')} under the policy pack {shown}" for shown, number in sorted(counts.items())
    )
