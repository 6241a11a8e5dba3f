"""From what was seen of a run to its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from redpen.policy import ConcernMeasures
from redpen.policy.packs import PolicyPack
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.checks.expectation import check_expectation
from redpen_evals.checks.invariants import Evidence, check_invariants
from redpen_evals.checks.live import check_live
from redpen_evals.checks.own_agents import OwnEvidence, check_own_agent
from redpen_evals.describing import describe, live_part
from redpen_evals.evaluation.grounding import floor, ground
from redpen_evals.evaluation.observing import Observed
from redpen_evals.evaluation.subject import Subject
from redpen_evals.policy_packs.telling import place_of_finding
from redpen_evals.records.model import RecordedCall, ScenarioResult
from redpen_evals.scenario_library.live import LiveOwes
from redpen_evals.scenario_library.own_agent import OwnExpectation
from redpen_evals.scenario_library.review_script import decisions_of
from redpen_evals.scenario_library.scenario import asks_model

_GROUNDING = frozenset({"grounded_in_context", "in_english"})


def judge(subject: Subject, observed: Observed) -> ScenarioResult:
    """Return the result of a run."""
    case, variant = subject.case, subject.variant
    if observed.missed and not observed.attempts:
        return describe(
            case,
            variant=variant.label,
            sample=subject.sample,
            outcome="stale",
            reasons=observed.missed,
            command=observed.command,
            calls=_until_missed(observed),
            stale=observed.stale,
            pack=subject.pack,
            run_id=observed.run_id,
        )
    result: Mapping[str, Any] = observed.run.result
    broken: list[str] = []
    if observed.attempts:
        broken = ["network"]
        reasons = list(observed.attempts)
    else:
        if subject.own is not None:
            result, found = _judge_own(subject, observed)
        else:
            found = _judge_built_in(subject, observed)
        reasons = [*observed.unplayed, *found]
        broken = ["unplayed"] * bool(observed.unplayed)
        broken += [reason.split(":", maxsplit=1)[0] for reason in found]
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
        warnings=observed.warnings,
        live=live_part(subject.case.scenario, subject.variant.model),
        refused_telemetry=observed.refused,
        canned=observed.run.canned,
        pack=subject.pack,
        run_id=observed.run_id,
    )


def _judge_built_in(subject: Subject, observed: Observed) -> list[str]:
    evidence = Evidence(
        case=subject.case,
        result=observed.run.result,
        calls=observed.phases,
        tool_calls=observed.run.tool_calls,
        limits=subject.limits,
    )
    reasons = list(check_invariants(evidence))
    if subject.variant.model == SCRIPTED_MODEL or not asks_model(subject.case.built_in):
        reasons += check_expectation(subject.case, observed.run.result, observed.phases)
        reasons += _unasked(subject, observed)
    else:
        reasons += check_live(subject.case.built_in, observed.run.result)
    return reasons


def _unasked(subject: Subject, observed: Observed) -> list[str]:
    """Return what is wrong where a person was asked less often than the scenario decides."""
    left, scripted = observed.run.decisions_left, len(decisions_of(subject.case.scenario.review))
    if not left:
        return []
    return [f"review: the scenario has {scripted} decisions, and the run asked for {scripted - left}"]


def _judge_own(subject: Subject, observed: Observed) -> tuple[dict[str, Any], list[str]]:
    scenario = subject.own
    if scenario is None:
        raise TypeError("the scenario is of a built-in agent")
    result = dict(observed.run.result)
    texts = tuple(text for turn in observed.run.turns for text in turn.texts)
    findings: tuple[Mapping[str, Any], ...] = ()
    unread: tuple[Mapping[str, Any], ...] = ()
    policy, context = subject.pack.self_critique, subject.case.subject
    breaches = floor(texts, context=context, policy=policy)
    knows = context is not None or scenario.original is not None
    enforces = knows and (policy.draft_grounding == "enforce" or policy.concerns != ConcernMeasures())
    if texts and (enforces or not _GROUNDING.isdisjoint(scenario.held_invariants)):
        grounded = ground(texts, original=scenario.original, context=context, policy=policy)
        findings, unread = grounded.violations, grounded.unread
        breaches = (*breaches, *(grounded.held_to(policy) if enforces else ()))
        result |= {"violations": list(findings), "concerns": list(grounded.concerns)}
    if breaches:
        known = result.get("violations", [])
        result["violations"] = [*known, *(one for one in breaches if one not in known)]
    turns = observed.run.turns
    unmet: list[str] = []
    if subject.sets_script_aside:
        owed = scenario.owed_live
        raises = scenario.expect.raises if isinstance(owed, LiveOwes) and owed.may_stop else None
        if raises is not None and observed.run.result.get("error") is None:
            # To answer is as good as to raise.
            raises = None
        published = scenario.expect.contains or scenario.expect.matches
        if published and observed.run.result.get("error") is None and not any(map(str.strip, texts)):
            unmet = ["live: a live model owes a published text, got none"]
        nothing: dict[str, Any] = {"expect": OwnExpectation(raises=raises), "tools": None}
        scenario = scenario.model_copy(update=nothing)
        of_turns: dict[str, Any] = {"expect": OwnExpectation(), "tools": None}
        turns = tuple(replace(turn, **of_turns) for turn in turns)
    else:
        unmet = _unasked(subject, observed)
    evidence = OwnEvidence(
        scenario=scenario,
        turns=turns,
        value=observed.run.result.get("value"),
        error=observed.run.result.get("error"),
        raised=observed.run.raised_names,
        problem=observed.run.problem,
        context=subject.case.subject,
        findings=findings,
        unread=unread,
        breaches=tuple((one, _place(subject.pack, one)) for one in breaches),
    )
    return result, [*unmet, *check_own_agent(evidence)]


def _place(pack: PolicyPack, found: Mapping[str, Any]) -> str:
    """Return where the pack says what a finding breaks."""
    return f"{pack.name}, {place_of_finding(pack, found)}"


def _until_missed(observed: Observed) -> tuple[RecordedCall, ...]:
    stale = observed.stale.calls if observed.stale else ()
    answered = observed.calls[: stale[0].position - 1] if stale else ()
    return (*answered, *(RecordedCall(phase=call.phase, state="missed") for call in stale[:1]))
