"""Writes the agents' events to the event stream of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from redpen.chat import Chat, ChatClient
from redpen.errors import Stop
from redpen.events import EventLog, EventSink, EventStream, as_log
from redpen.gateway.action_policy import Ruling
from redpen.gateway.plan import Action
from redpen.judges import Judge
from redpen.policy import GuardedPolicy, TextPolicy
from redpen.policy.model import digest, policy_digest
from redpen.prompts import PromptSet, base_prompts
from redpen.types import AgentName, JsonObject

Events = EventLog | EventSink
"""The ``events`` argument of an agent: a log from ``redpen.events.open_events``, or a user-defined sink."""


def open_stream(
    events: Events | None,
    *,
    agent: AgentName,
    policy: TextPolicy | GuardedPolicy,
    prompts: PromptSet | None,
    chat: Chat | None,
    run_id: str | None = None,
) -> EventStream:
    """Return the event stream of a run.

    Args:
        events: log or sink of the events; None for no events.
        agent: name of the agent.
        policy: policy of the run.
        prompts: prompts of the run; by default the base prompts.
        chat: the model, whose API key is redacted from the events; None if the run calls no model.
        run_id: id of a resumed run; None for a new one.
    """

    def hashes() -> tuple[str | None, str | None]:
        if chat is None:
            return policy_digest(policy), None
        hashed = [(prompt.name, prompt.hash) for prompt in prompts or base_prompts()]
        return policy_digest(policy), digest(hashed)

    return EventStream(
        as_log(events),
        agent=agent,
        hashes=hashes,
        redact=chat.redacted if isinstance(chat, ChatClient) else None,
        required=policy.events == "required",
        run_id=run_id,
    )


def write_findings(
    stream: EventStream,
    phase: str,
    level: Literal["violation", "concern", "ungrounded"],
    findings: Iterable[Mapping[str, Any]],
) -> None:
    """Write one event for each code among the findings; raises ``Stop`` as ``EventStream.write`` does."""
    if not stream.is_on:
        return
    by_code: dict[str, list[Mapping[str, Any]]] = {}
    for finding in findings:
        by_code.setdefault(str(finding["code"]), []).append(finding)
    for code, found in by_code.items():
        stream.write(
            "guard_found",
            phase=phase,
            level=level,
            code=code,
            findings=len(found),
            texts={"findings": found},
        )


def write_judgement(
    stream: EventStream, phase: str, judgement: JsonObject, *, severity: str | None, findings: int
) -> None:
    """Write the event of a model's judgement of a draft; raises ``Stop`` as ``EventStream.write`` does."""
    stream.write(
        "judged",
        phase=phase,
        by="model",
        decision=judgement["decision"],
        severity=severity,
        findings=findings,
        texts={phase: judgement},
    )


def write_judge(stream: EventStream, judge: Judge, *, violations: int, concerns: int) -> None:
    """Write the event of a judge's decision on a revision; raises ``Stop`` as ``EventStream.write`` does."""
    decision = "block" if violations else "concern" if concerns else "pass"
    stream.write(
        "judged",
        phase="judge",
        by=f"{judge.name}@{judge.version}",
        decision=decision,
        findings=violations + concerns,
    )


def write_ruling(stream: EventStream, action: Action, ruling: Ruling) -> None:
    """Write the event of the gate's ruling on an action; raises ``Stop`` as ``EventStream.write`` does."""
    if not stream.is_on:
        return
    stream.write(
        "gate_decided",
        phase="execute",
        action=action.id,
        tool=action.tool,
        decision=ruling.decision,
        code=ruling.code,
        rules=ruling.rules,
        risk=None if ruling.risk is None else ruling.risk.total,
        texts={
            "reason": ruling.reason,
            "proposed": action.to_dict(),
            "safe": None if ruling.action is None else ruling.action.to_dict(),
        },
    )


def write_stop(stream: EventStream, stop: Stop) -> None:
    """Write the events of a stop and its findings; raises ``Stop`` as ``EventStream.write`` does."""
    if not stream.is_on:
        return
    phase = stop.phase or "run"
    violations = stop.details.get("violations")
    if stop.phase == "finalize" and isinstance(violations, list):
        write_findings(stream, phase, "violation", violations)
    reason = stop.details.get("escalation_reason")
    if stop.reason == "policy_escalation":
        stream.write(
            "review_asked",
            phase=phase,
            code=stop.details.get("policy_code") or stop.reason,
            texts={"reason": reason},
        )
    texts = {name: value for name in ("error", "escalation_reason") if (value := stop.details.get(name))}
    stream.write("stopped", code=stop.reason, phase=stop.phase, texts=texts)
