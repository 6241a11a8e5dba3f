"""Why a pack decides as it does on an action or a text, with the file and line of each reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from redpen.agents.callbacks import Gate
from redpen.gateway.action_policy import Ruling
from redpen.gateway.gate import CustomGate, decide
from redpen.gateway.plan import read_action
from redpen.gateway.situation import Situation
from redpen.gateway.text_policy import with_policy
from redpen.guards import RevisionRules, check_revision
from redpen.guards.report import Finding
from redpen.guards.revision import check_floor
from redpen.policy.codes import PACK_CODES, TABLE_CODES
from redpen.policy.packs import BUILT_IN, PolicyPack, phrase_term
from redpen.screen import shown
from redpen_evals.tables import table_lines

_CONCERNS = frozenset({"new_statement", "unread_language"})
_TERMS_OF_TEXTS: Mapping[str, str] = {
    "too_long": "limits.max_answer_chars",
    "too_large_edit": "limits.min_patch_similarity",
    "length_increase_limit": "limits.max_length_increase_pct",
    "line_not_requested": "patch.mode",
    "too_many_changed_lines": "patch.max_changed_lines",
    "required_changes_not_applied": "semantic_changes",
}
"""Fields of a pack that cause findings other than phrases, facts and claims."""


def place_of_finding(pack: PolicyPack, finding: Mapping[str, Any]) -> str:
    """Return ``file:line`` of the rule that a finding of the guards breaks.

    Args:
        pack: the pack in force.
        finding: the finding, as JSON values.
    """
    code, family = str(finding.get("code")), str(finding.get("family"))
    if code == "missing_disclaimer":
        return pack.place_of(family)
    if code == "restricted_phrase":
        return pack.place_of(_matched_phrase(pack, family, str(finding.get("reading"))))
    if code in _CONCERNS:
        term = f"concerns.{code}"
        return pack.place_of(term if term in pack.places else "concerns")
    return pack.place_of(_TERMS_OF_TEXTS.get(code, "grounding"))


def _matched_phrase(pack: PolicyPack, code: str, reading: str) -> str:
    lists = [each.phrases for each in pack.self_critique.restricted_phrases if each.code == code]
    for phrase in (phrase for phrases in lists for phrase in phrases):
        if reading.endswith(f"= the phrase {phrase!r}"):
            return phrase_term(code, phrase)
    return code


_TERMS_OF_ACTIONS: Mapping[str, str] = {
    "policy.tool_not_allowed": "tools.allow",
    "execution.tool_denied": "tools.execute",
    "policy.risk": "risk.deny_at",
    "policy.gate": "gate",
    "policy.gate_error": "gate",
}
"""Fields of a pack that decide with a code other than their own."""
_GATE_CODES = frozenset(row.code for row in (*TABLE_CODES, *PACK_CODES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a pack decides on an action or a text.

    Attributes:
        passes: whether the action runs, or the text may be published, without a person.
        record: the decision and its reasons, as JSON values.
        lines: the same as lines for a terminal.
    """

    passes: bool
    record: dict[str, Any]
    lines: tuple[str, ...]


def explain_action(
    pack: PolicyPack, action: object, situation: Situation, *, gate: Gate | None = None
) -> Explanation:
    """Return how a pack decides on an action.

    Args:
        pack: the pack that decides.
        action: ``{"id", "tool", "args"}``, as a planner proposes it.
        situation: the knowledge and the past actions of the run.
        gate: the pack's own gate.

    Raises:
        Stop: it is not an action.
    """
    ask: CustomGate | None = None if gate is None else _unfailing(gate)
    ruling = decide(read_action(action), pack.guarded, situation, gate=ask)
    record = {
        **_record_of(pack),
        "decision": ruling.decision,
        "code": ruling.code,
        "reason": ruling.reason,
        "decided_by": _place_of_ruling(pack, ruling),
        "rules": [{"code": code, "place": pack.place_of(code)} for code in ruling.rules],
        "risk": None if ruling.risk is None else ruling.risk.to_dict(),
        "action": None if ruling.action is None else ruling.action.to_dict(),
    }
    passes = ruling.decision in {"allow", "rewrite"}
    return Explanation(passes=passes, record=record, lines=tuple(_lines_of_ruling(pack, ruling)))


def _record_of(pack: PolicyPack) -> dict[str, Any]:
    return {"pack": pack.name, "hash": pack.hash, "loosens": list(pack.loosened)}


def _place_of_ruling(pack: PolicyPack, ruling: Ruling) -> str:
    """Return ``file:line`` of what decides."""
    if ruling.code == "policy.risk" and ruling.decision == "escalate":
        return pack.place_of("risk.escalate_at")
    term = _TERMS_OF_ACTIONS.get(ruling.code, ruling.code)
    if term not in pack.places and pack.gate is not None and ruling.code not in _GATE_CODES:
        # A pack's own gate may use codes of its own.
        term = "gate"
    return pack.place_of(term)


def _lines_of_ruling(pack: PolicyPack, ruling: Ruling) -> Iterator[str]:
    yield f"{ruling.decision}: {ruling.code} ({shown(ruling.reason)})"
    yield _decided_by(pack, _place_of_ruling(pack, ruling))
    if ruling.rules:
        yield "  rules that apply"
        known = {rule.code: rule for rule in pack.guarded.rules}
        rows = [(code, known[code].then, pack.place_of(code), known[code].reason) for code in ruling.rules]
        yield from _indented(table_lines(("code", "then", "from", "reason"), rows))
    if (risk := ruling.risk) is not None:
        limits = pack.guarded.risk
        bounds = {"escalates": limits.escalate_at, "denies": limits.deny_at}
        used = [f"{what} at {bound}" for what, bound in bounds.items() if bound is not None]
        yield f"  risk {risk.total}, {', '.join(used) or 'which decides nothing'}"
        terms = [(code, str(points), pack.place_of(f"risk.points.{code}")) for code, points in risk.terms]
        if terms:
            yield from _indented(table_lines(("term", "points", "from"), terms, right=frozenset({1})))
    if ruling.action is not None:
        fate = "a person is asked about" if ruling.decision == "escalate" else "runs"
        yield f"  {fate} {shown(json.dumps(ruling.action.to_dict(), ensure_ascii=False))}"


def _unfailing(gate: Gate) -> CustomGate:
    def ask(action: Any, situation: Any) -> object:
        try:
            return gate(action, situation)
        except Exception:  # noqa: BLE001 - the gateway denies if a gate fails, and so does this
            return None

    return ask


Measure = Literal["blocks", "escalates", "recorded"]
"""What a pack does about a finding, the strictest first."""

_PHRASES = frozenset({"restricted_phrase", "missing_disclaimer"})
_MEASURES: Mapping[str, Measure] = {"record": "recorded", "escalate": "escalates", "block": "blocks"}


def explain_text(
    pack: PolicyPack, text: str, *, original: str | None, context: Mapping[str, Any]
) -> Explanation:
    """Return how a pack decides on a text that is to be published.

    Args:
        pack: the pack that decides.
        text: the text.
        original: the draft that it revises; None for a draft, which is checked against the context alone.
        context: the facts.
    """
    policy = pack.self_critique
    rules = with_policy(RevisionRules(max_chars=policy.max_answer_chars), policy, context)
    floor = check_floor(text, context=context, rules=rules).violations
    report = check_revision(original=original or "", revised=text, context=context, rules=rules)
    enforced = original is not None or policy.draft_grounding == "enforce"
    found: list[tuple[Measure, Finding]] = [("blocks", finding) for finding in floor]
    for finding in report.violations:
        if finding.code not in _PHRASES:
            is_length = finding.code in {"too_long", "empty", "guard_error"}
            found.append(("blocks" if enforced or is_length else "recorded", finding))
    found += [
        (_MEASURES[policy.concerns.of(finding.code)], finding)
        for finding in report.concerns
        # Without an original every statement is new.
        if original is not None or finding.code == "unread_language"
    ]
    found.sort(key=lambda pair: get_args(Measure).index(pair[0]))
    rows = [(measure, finding, place_of_finding(pack, asdict(finding))) for measure, finding in found]
    passes = all(measure == "recorded" for measure, _ in found)
    listed = [
        {
            "measure": measure,
            "code": finding.code,
            "family": finding.family,
            "text": finding.text,
            "reading": finding.reading,
            "decided_by": place,
        }
        for measure, finding, place in rows
    ]
    if passes:
        lines = [f"may be published{_loosened(pack)}"]
    else:
        measure, finding, place = rows[0]
        lines = [f"{measure}: {finding.code} ({finding.family})", _decided_by(pack, place)]
    if rows:
        cells = [
            (measure, f"{finding.code}: {finding.family}", place, _read(finding))
            for measure, finding, place in rows
        ]
        lines += _indented(table_lines(("measure", "finding", "from", "read"), cells))
    record = {**_record_of(pack), "passes": passes, "found": listed}
    return Explanation(passes=passes, record=record, lines=tuple(lines))


def _read(finding: Finding) -> str:
    """Return what was read; for a restricted phrase also the reason and the replacement."""
    is_phrase = finding.code == "restricted_phrase"
    return f"{finding.reading}: {finding.reason}" if is_phrase else finding.reading


def _loosened(pack: PolicyPack) -> str:
    """Return a note on what a pack loosens on purpose; empty for nothing."""
    return f" (the pack {pack.name} loosens {', '.join(pack.loosened)})" if pack.loosened else ""


def _decided_by(pack: PolicyPack, place: str) -> str:
    """Return the line that names what decides; ``place`` is ``file:line``, or ``BUILT_IN``."""
    return f"  decided by {'the built-in policy' if place == BUILT_IN else place}{_loosened(pack)}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
