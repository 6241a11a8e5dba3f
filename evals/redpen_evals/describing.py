"""From a run to the line that its record keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from redpen.policy.packs import DEFAULT_PACK, PolicyPack
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.outcome import Outcome
from redpen_evals.records.model import LivePart, PolicyInForce, RecordedCall, ScenarioResult, StaleCalls
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.scenario import AnyScenario, asks_model

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
