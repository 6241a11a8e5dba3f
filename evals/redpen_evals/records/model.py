"""The lines of a run record: start, prompts, results, scorecards, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from redpen.screen import shown
from redpen_evals.exit_codes import Outcome

RECORD_VERSION: Final = 1
"""Version of the lines; a reader refuses any other."""

BASE_VARIANT: Final = ""
"""Label of a run with every knob as it stands: no variant."""


_FOUND: Final = ("violations", "ungrounded")
_MAX_FINDINGS: Final = 5
_MAX_FINDING_CHARS: Final = 300


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunStart(_Line):
    """The first line: what was run, and with what.

    Attributes:
        redpen_record: version of the lines.
        id: of the run; also the stem of its file.
        number: of the run in its folder, from 1; 0 in records that were written before there was one.
        started: UTC, ISO 8601.
        model: whose recordings were used; ``scripted`` is no real model.
        record: mode of recording.
        samples: answers a scenario and variant.
        variants: labels; the empty one is the base.
        prompts: per variant label the hash of every prompt, by name.
        versions: of redpen and what shapes a recording.
        resumed: id of the killed run that this one goes on with.
        events: where the events of its runs are found; empty where none are kept.
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

    Attributes:
        hash: first 12 hex digits of the text's SHA-256.
        name: of the prompt, e.g. ``critique`` or ``revise_strict``.
        phase: of the run that asks with it.
        version: as its front matter says.
        notes: as its front matter says.
        text: the system message.
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
    """One model call of a run.

    Attributes:
        phase: what it was for.
        state: ``replayed`` from the cassette, ``recorded`` in this run, or ``missed``: no recording.
        prompt_tokens: as the server counted; None where it did not say.
        completion_tokens: likewise.
        latency_ms: of the call when it was recorded; None for scripted recordings. Never the replay's.
    """

    phase: str
    state: CallState
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None


class StaleCall(_Line):
    """One recorded call that has to be recorded again.

    Attributes:
        position: in the run, from 1.
        phase: what it was for.
        why: ``changed``: its own request differs; ``follows``: an earlier answer may change it;
            ``new``: nothing was recorded in its place.
        what: what changed, e.g. ``messages[0].content`` (empty for ``follows``).
        excerpt: the change in words, shortened (empty for ``follows``).
        origin: ``file:line`` of the project where the changed words stand; empty where they were not found.
        prompt_tokens: of the old recording; None where unknown.
        completion_tokens: likewise.
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
    """Which calls of a run are stale.

    Attributes:
        calls: in their order; empty where nothing was ever recorded.
        missing: whether there is no recording at all.
        model: whose recording it is: ``scripted``, ``live`` for what an agent chooses itself, or a model's
            name; empty in records that do not say it.
    """

    calls: tuple[StaleCall, ...]
    missing: bool = False
    model: str = ""


class PolicyInForce(_Line):
    """The policy pack that a run was held to.

    Attributes:
        pack: its name.
        hash: of all that it comes to.
        loosens: what it loosens on purpose, by code or field.
    """

    pack: str
    hash: str
    loosens: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """How it is named to people."""
        loosened = f", which loosens {', '.join(self.loosens)}" if self.loosens else ""
        return f"{self.pack} ({self.hash}){loosened}"


class ScenarioResult(_Line):
    """What came of one run of one scenario.

    Two runs of the same files give the same line, whatever the machine, order or number of workers.

    Attributes:
        scenario: id, e.g. ``reflection/approve-direct``.
        agent: under test.
        title: what the scenario shows.
        context: name of its context or plan; None where it names none.
        tags: labels of the scenario.
        variant: label of the variant, e.g. ``critique=v2``; empty for the base.
        sample: number of the independent answer, from 1.
        outcome: the harness's conclusion.
        reasons: why it did not pass.
        broken: names of the invariants and expectations that did not hold.
        command: what mends it.
        status: ``ok`` or ``stopped``; None where no run was finished.
        stop_reason: why the run ended.
        phase: that stopped.
        result: what came of a run that did not stop, e.g. ``revised_once``.
        decision: of critique or review; of guarded-policy ``a1:allow a2:deny …``.
        violations: codes of what the guards found, in order.
        answer: the published text.
        refused: the model's text that the violations were found in, and that was not published.
        calls: the model calls in order.
        stale: what has to be recorded again; None unless the outcome is ``stale``.
        live: what part a live model had: ``asked``, or ``not asked`` where the run asks none; None where the
            script answers.
        warnings: what a person should look at in the recording that was made.
        telemetry: requests of frameworks' telemetry that were not sent, by service.
        canned: tools that were called and did nothing, for they are canned.
        policy: the pack that the run was held to; None for the built-in one.
        detail: the agent's whole result (trace, history, audit …) without its random ``run_id``.
        test: node id of the test that made the run.
        runs: how many runs that test made.
        expected: whether the test passed although the run did not: it asks for that outcome.
        fingerprint: of all that the result depends on; empty where it cannot be told.
        run_id: of the run in its events; empty where none are kept, so that equal runs have equal lines.
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
        """Scenario, variant and sample: what a result is of."""
        return self.scenario, self.variant, self.sample

    @property
    def shown(self) -> str:
        """How it is named to people, e.g. ``reflection/approve-direct [critique=v2] #2``."""
        variant = f" [{self.variant}]" if self.variant else ""
        return f"{self.scenario}{variant}{f' #{self.sample}' if self.sample > 1 else ''}"

    @property
    def summary(self) -> str:
        """The first reason, on one line, and what the guards found first where it does not say that."""
        if not self.reasons:
            return ""
        first = self.reasons[0].splitlines()[0]
        return f"{first}; found {self.findings[0]}" if self.findings else first

    @property
    def findings(self) -> tuple[str, ...]:
        """What the guards found in the texts of a run that failed: code, reading and words, the first few.

        Empty where the reasons say it already.
        """
        if self.outcome != "failed":
            return ()
        found = [one for name in _FOUND for one in _objects(self.detail.get(name))]
        lines = [_finding(one) for one in found[:_MAX_FINDINGS]]
        message = "\n".join(self.reasons)
        left = [f"{len(found) - _MAX_FINDINGS} more"] if len(found) > _MAX_FINDINGS else []
        return () if lines and str(found[0].get("reading")) in message else (*lines, *left)

    @property
    def text(self) -> str:
        """The whole conclusion: outcome, reasons, findings and command."""
        lines = [f"{self.shown}: {self.outcome}"]
        lines += [f"  {line}" for reason in self.reasons for line in reason.splitlines()]
        lines += [f"  found {finding}" for finding in self.findings]
        if self.command:
            lines.append(f"  to mend it: {self.command}")
        return "\n".join(lines)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all requests; calls whose server did not count add none."""
        return sum(call.prompt_tokens or 0 for call in self.calls)

    @property
    def completion_tokens(self) -> int:
        """Tokens of all answers."""
        return sum(call.completion_tokens or 0 for call in self.calls)

    @property
    def tokens(self) -> int:
        """Tokens of requests and answers."""
        return self.prompt_tokens + self.completion_tokens


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _finding(found: dict[str, Any]) -> str:
    # The words of a model, and so of anybody: one line, safe to show, no longer than is read.
    message = shown(f"{found.get('code')}: {found.get('reading')} in {found.get('text')!r}")
    return message if len(message) <= _MAX_FINDING_CHARS else f"{message[:_MAX_FINDING_CHARS]}…"


class ScorecardResult(_Line):
    """One table of the guard scorecard.

    Attributes:
        name: node id of the test that made it.
        measured: per guard set its figures, as the scorecard's gate reads them.
        lines: the table as text.
        breaches: what the gate holds against it.
        notes: what has to be known of the figures, such as what a judge cost.
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
        not_asked: scenarios that were left out since a live model owes nothing in them, by agent.
    """

    type: Literal["end"] = "end"
    exit_code: int
    duration_s: float
    counts: dict[Outcome, int]
    not_asked: dict[str, int] = {}


Line: TypeAlias = Annotated[
    RunStart | RecordedPrompt | ScenarioResult | ScorecardResult | RunEnd, Field(discriminator="type")
]
LINE: TypeAdapter[RunStart | RecordedPrompt | ScenarioResult | ScorecardResult | RunEnd] = TypeAdapter(Line)


def canned_note(results: Iterable[ScenarioResult]) -> str:
    """Say how many runs called tools that are canned, and how real ones are put in; empty for none."""
    runs = [result.canned for result in results if result.canned]
    if not runs:
        return ""
    names = ", ".join(sorted({name for canned in runs for name in canned}))
    count = f"{len(runs):,} run{'' if len(runs) == 1 else 's'}"
    return (
        f"{count} of guarded-policy called canned tools ({names}): nothing was fetched or sent; "
        "`tools: module:factory` or redpen_tools puts yours in"
    )


def policy_note(results: Iterable[ScenarioResult]) -> str:
    """Say how many runs were held to which policy packs, and what these loosen; empty for none."""
    counts = Counter(result.policy.shown for result in results if result.policy is not None)
    return "; ".join(
        f"{number:,} run{'' if number == 1 else 's'} held to the policy pack {shown}"
        for shown, number in sorted(counts.items())
    )
