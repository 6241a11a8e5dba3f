"""From what was seen of a run to its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redpen.gateway.text_policy import floor_findings, with_phrases
from redpen.guards import RevisionRules, check_revision
from redpen.policy import ConcernMeasures, TextPolicy
from redpen.policy.packs import DEFAULT_PACK, PolicyPack
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.checks.expectation import check_expectation, check_live
from redpen_evals.checks.invariants import Evidence, check_invariants
from redpen_evals.checks.own_agents import OwnEvidence, check_own_agent
from redpen_evals.evaluation.observing import Observed
from redpen_evals.evaluation.subject import Subject
from redpen_evals.exit_codes import Outcome
from redpen_evals.policy_packs.explaining import place_of_finding
from redpen_evals.records.model import LivePart, PolicyInForce, RecordedCall, ScenarioResult, StaleCalls
from redpen_evals.scenario_library.fields import LiveRequirement
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario, OwnExpectation
from redpen_evals.scenario_library.review_script import decisions_of
from redpen_evals.scenario_library.scenario import AnyScenario, asks_model

_DISCLAIMER = "missing_disclaimer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """The guards' verdict on the texts of a run.

    Attributes:
        violations: findings that block, as JSON values.
        concerns: findings worth a person's look.
    """

    violations: tuple[Mapping[str, Any], ...]
    concerns: tuple[Mapping[str, Any], ...]

    @property
    def unread(self) -> tuple[Mapping[str, Any], ...]:
        """The sentences that the guards did not judge, since they are not in English."""
        return tuple(item for item in self.concerns if item["code"] == "unread_language")

    def blocking_findings(self, policy: TextPolicy) -> tuple[Mapping[str, Any], ...]:
        """Return the findings that a policy lets nobody publish without a person."""
        enforced = self.violations if policy.draft_grounding == "enforce" else ()
        return (*enforced, *(item for item in self.concerns if policy.concerns.of(item["code"]) != "record"))


def ground(
    texts: Sequence[str], *, original: str | None, context: Mapping[str, Any] | None, policy: TextPolicy
) -> Grounding:
    """Judge published texts.

    Args:
        texts: what a customer reads.
        original: the draft that they revise; None where the context alone is what is known.
        context: facts; None for none.
        policy: what is never a claim.
    """
    violations: list[Mapping[str, Any]] = []
    concerns: list[Mapping[str, Any]] = []
    rules = RevisionRules(allowed=policy.allowed_phrases)
    for text in texts:
        report = check_revision(
            original=original or "", revised=text, context=context or {}, rules=rules
        ).to_dict()
        violations += report["violations"]
        # Without an original every statement is new: that is no news. What was not read is.
        concerns += (item for item in report["concerns"] if original or item["code"] == "unread_language")
    return Grounding(violations=tuple(violations), concerns=tuple(concerns))


def floor(
    texts: Sequence[str], *, context: Mapping[str, Any] | None, policy: TextPolicy
) -> tuple[Mapping[str, Any], ...]:
    """Return what a policy has against published texts, whatever else allows them.

    A disclaimer is missing where none of the texts of a run says it.
    """
    if not texts or not (policy.restricted_phrases or policy.disclaimers):
        return ()
    reports = [floor_findings(text, policy, context or {}).to_dict()["violations"] for text in texts]
    missing = [{item["family"] for item in found if item["code"] == _DISCLAIMER} for found in reports]
    nowhere = set.intersection(*missing)
    restricted = [item for found in reports for item in found if item["code"] != _DISCLAIMER]
    absent = [item for item in reports[-1] if item["code"] == _DISCLAIMER and item["family"] in nowhere]
    return (*restricted, *absent)


def answer_rules(policy: TextPolicy) -> RevisionRules:
    """Return the rules that an answer is held to in a test."""
    return with_phrases(RevisionRules(), policy)


_RANDOM = frozenset({"run_id", "review_id"})


def describe(  # noqa: PLR0913 - what a record holds of a run, keyword by keyword
    case: Case,
    *,
    variant: str,
    sample: int,
    outcome: Outcome,
    reasons: Sequence[str] = (),
    broken: Sequence[str] = (),
    command: str | None = None,
    calls: Sequence[RecordedCall] = (),
    stale: StaleCalls | None = None,
    result: Mapping[str, Any] | None = None,
    last_text: str | None = None,
    live: LivePart | None = None,
    warnings: Sequence[str] = (),
    refused_telemetry: Iterable[tuple[str, int]] = (),
    canned: tuple[str, ...] = (),
    pack: PolicyPack = DEFAULT_PACK,
    run_id: str = "",
) -> ScenarioResult:
    """Return the result of one run of a scenario.

    Args:
        case: the scenario.
        variant: label of the variant.
        sample: number of the independent answer, from 1.
        outcome: the harness's conclusion.
        reasons: why it did not pass.
        broken: names of what did not hold.
        command: what mends it.
        calls: the model calls.
        stale: what has to be recorded again.
        result: what the agent returned; None where the run says nothing of the agent.
        last_text: the last draft or revision that the model gave.
        live: what part a live model had in the run.
        warnings: what a person should look at.
        refused_telemetry: requests of telemetry that were not sent, by service.
        canned: tools that were called and did nothing.
        pack: the policy pack that the run was held to.
        run_id: of the run in its events; empty where none are kept.
    """
    found = dict(result or {})
    return ScenarioResult(
        scenario=case.id,
        agent=case.agent,
        title=case.scenario.title,
        context=case.context_name,
        tags=tuple(case.scenario.tags),
        variant=variant,
        sample=sample,
        outcome=outcome,
        reasons=tuple(reasons),
        broken=tuple(dict.fromkeys(broken)),
        command=command,
        status=found.get("status"),
        stop_reason=found.get("stop_reason"),
        phase=found.get("phase"),
        result=found.get("outcome"),
        decision=_decision(found),
        violations=tuple(str(one.get("code")) for one in found.get("violations") or ()),
        answer=found.get("answer"),
        refused=last_text if last_text and _is_of(last_text, found) else None,
        calls=tuple(calls),
        stale=stale,
        live=live,
        warnings=tuple(warnings),
        telemetry=dict(refused_telemetry),
        canned=canned,
        policy=in_force(pack),
        run_id=run_id,
        detail=_without_random(found),
    )


def in_force(pack: PolicyPack) -> PolicyInForce | None:
    """Return what a record says of a pack; None for the built-in one."""
    if pack.name == DEFAULT_PACK.name:
        return None
    return PolicyInForce(pack=pack.name, hash=pack.hash, loosens=pack.loosened)


def live_part(scenario: AnyScenario, model: str) -> LivePart | None:
    """Return what part a live model has in a run of a scenario; None where its script answers."""
    if isinstance(scenario, OwnAgentScenario):
        return None if model == SCRIPTED_MODEL and scenario.replies else "asked"
    if model == SCRIPTED_MODEL:
        return None
    return "asked" if asks_model(scenario) else "not asked"


def _without_random(result: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in result.items() if name not in _RANDOM}
    if isinstance(reviews := kept.get("reviews"), list):
        kept["reviews"] = [
            {name: value for name, value in one.items() if name not in _RANDOM}
            if isinstance(one, Mapping)
            else one
            for one in reviews
        ]
    return kept


def _is_of(text: str, result: Mapping[str, Any]) -> bool:
    # Edits by hand come after the model's last text; violations of those are not of it.
    found = result.get("violations") or ()
    return bool(found) and all(
        text[slice(*one["span"])] == one["text"] for one in found if one.get("span") is not None
    )


def _decision(result: Mapping[str, Any]) -> str | None:
    for name in ("critique", "review"):
        judged = result.get(f"{name}_decision")
        if judged is None and isinstance(result.get(name), Mapping):
            judged = result[name].get("decision")
        if judged is None:
            judged = next(
                (entry.get("decision") for entry in result.get("trace", ()) if entry.get("phase") == name),
                None,
            )
        if judged is not None:
            return str(judged)
    actions = [
        f"{entry['action_id']}:{entry['policy_decision']}"
        for entry in result.get("trace", ())
        if "policy_decision" in entry
    ]
    return " ".join(actions) or None


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
        breaches = (*breaches, *(grounded.blocking_findings(policy) if enforces else ()))
        result |= {"violations": list(findings), "concerns": list(grounded.concerns)}
    if breaches:
        known = result.get("violations", [])
        result["violations"] = [*known, *(one for one in breaches if one not in known)]
    turns = observed.run.turns
    unmet: list[str] = []
    if subject.sets_script_aside:
        owed = scenario.live_requirement
        raises = scenario.expect.raises if isinstance(owed, LiveRequirement) and owed.may_stop else None
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
