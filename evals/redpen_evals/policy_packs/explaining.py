"""Why a pack decides as it does on an action or a text, with the file and line of each reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

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


def loosened(pack: PolicyPack) -> str:
    """Return a note on what a pack loosens on purpose; empty for nothing."""
    return f" (the pack {pack.name} loosens {', '.join(pack.loosened)})" if pack.loosened else ""


def decided_by(pack: PolicyPack, place: str) -> str:
    """Return the line that names what decides; ``place`` is ``file:line``, or ``BUILT_IN``."""
    return f"  decided by {'the built-in policy' if place == BUILT_IN else place}{loosened(pack)}"


def place_of_finding(pack: PolicyPack, finding: Mapping[str, Any]) -> str:
    """Return ``file:line`` of the rule that a finding of the guards breaks.

    Args:
        pack: that is in force.
        finding: as JSON values.
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


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines indented below another."""
    return (f"    {line}" for line in lines)


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
class ActionExplanation:
    """How a pack decides on one action.

    Attributes:
        pack: that decides.
        ruling: of the gate.
    """

    pack: PolicyPack
    ruling: Ruling

    @property
    def passes(self) -> bool:
        """Whether the action runs, as it is or rewritten, without a person."""
        return self.ruling.decision in {"allow", "rewrite"}

    @property
    def place(self) -> str:
        """``file:line`` of what decides."""
        code = self.ruling.code
        if code == "policy.risk" and self.ruling.decision == "escalate":
            return self.pack.place_of("risk.escalate_at")
        term = _TERMS_OF_ACTIONS.get(code, code)
        if term not in self.pack.places and self.pack.gate is not None and code not in _GATE_CODES:
            # A pack's own gate may use codes of its own.
            term = "gate"
        return self.pack.place_of(term)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        ruling, risk = self.ruling, self.ruling.risk
        return {
            "pack": self.pack.name,
            "hash": self.pack.hash,
            "loosens": list(self.pack.loosened),
            "decision": ruling.decision,
            "code": ruling.code,
            "reason": ruling.reason,
            "decided_by": self.place,
            "rules": [{"code": code, "place": self.pack.place_of(code)} for code in ruling.rules],
            "risk": None if risk is None else risk.to_dict(),
            "action": None if ruling.action is None else ruling.action.to_dict(),
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of a terminal."""
        ruling = self.ruling
        yield f"{ruling.decision}: {ruling.code} ({shown(ruling.reason)})"
        yield decided_by(self.pack, self.place)
        if ruling.rules:
            yield "  rules that apply"
            known = {rule.code: rule for rule in self.pack.guarded.rules}
            rows = [
                (code, known[code].then, self.pack.place_of(code), known[code].reason)
                for code in ruling.rules
            ]
            yield from indented(table_lines(("code", "then", "from", "reason"), rows))
        if (risk := ruling.risk) is not None:
            yield f"  risk {risk.total}, {self._bounds()}"
            terms = [
                (code, str(points), self.pack.place_of(f"risk.points.{code}")) for code, points in risk.terms
            ]
            if terms:
                yield from indented(table_lines(("term", "points", "from"), terms, right=frozenset({1})))
        if ruling.action is not None:
            fate = "a person is asked about" if ruling.decision == "escalate" else "runs"
            yield f"  {fate} {shown(json.dumps(ruling.action.to_dict(), ensure_ascii=False))}"

    def _bounds(self) -> str:
        risk = self.pack.guarded.risk
        bounds = {"escalates": risk.escalate_at, "denies": risk.deny_at}
        limits = [f"{what} at {bound}" for what, bound in bounds.items() if bound is not None]
        return ", ".join(limits) or "which decides nothing"


def explain_action(
    pack: PolicyPack, action: object, situation: Situation, *, gate: Gate | None = None
) -> ActionExplanation:
    """Return how a pack decides on an action.

    Args:
        pack: that decides.
        action: ``{"id", "tool", "args"}``, as a planner proposes it.
        situation: the knowledge and the past actions of the run.
        gate: the pack's own gate.

    Raises:
        Stop: it is not an action.
    """
    ask: CustomGate | None = None if gate is None else _unfailing(gate)
    ruling = decide(read_action(action), pack.guarded, situation, gate=ask)
    return ActionExplanation(pack=pack, ruling=ruling)


def _unfailing(gate: Gate) -> CustomGate:
    def ask(action: Any, situation: Any) -> object:
        try:
            return gate(action, situation)
        except Exception:  # noqa: BLE001 - the gateway denies if a gate fails, and so does this
            return None

    return ask


Measure = Literal["blocks", "escalates", "recorded"]

_PHRASES = frozenset({"restricted_phrase", "missing_disclaimer"})
_MEASURES: Mapping[str, Measure] = {"record": "recorded", "escalate": "escalates", "block": "blocks"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """One finding in a text, and what the pack does about it.

    Attributes:
        measure: what the pack does.
        finding: of the guards.
        place: ``file:line`` of the rule.
    """

    measure: Measure
    finding: Finding
    place: str

    @property
    def read(self) -> str:
        """What was read; for a restricted phrase also the reason and the replacement."""
        finding = self.finding
        is_phrase = finding.code == "restricted_phrase"
        return f"{finding.reading}: {finding.reason}" if is_phrase else finding.reading


@dataclass(frozen=True, slots=True, kw_only=True)
class TextExplanation:
    """How a pack decides on one text.

    Attributes:
        pack: that decides.
        found: the findings, blocking ones first.
    """

    pack: PolicyPack
    found: tuple[Consequence, ...]

    @property
    def passes(self) -> bool:
        """Whether the text may be published without a person."""
        return all(each.measure == "recorded" for each in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "pack": self.pack.name,
            "hash": self.pack.hash,
            "loosens": list(self.pack.loosened),
            "passes": self.passes,
            "found": [
                {
                    "measure": each.measure,
                    "code": each.finding.code,
                    "family": each.finding.family,
                    "text": each.finding.text,
                    "reading": each.finding.reading,
                    "decided_by": each.place,
                }
                for each in self.found
            ],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of a terminal."""
        if self.passes:
            yield f"may be published{loosened(self.pack)}"
        else:
            first = self.found[0]
            yield f"{first.measure}: {first.finding.code} ({first.finding.family})"
            yield decided_by(self.pack, first.place)
        if self.found:
            rows = [
                (each.measure, f"{each.finding.code}: {each.finding.family}", each.place, each.read)
                for each in self.found
            ]
            yield from indented(table_lines(("measure", "finding", "from", "read"), rows))


def explain_text(
    pack: PolicyPack, text: str, *, original: str | None, context: Mapping[str, Any]
) -> TextExplanation:
    """Return how a pack decides on a text that is to be published.

    Args:
        pack: that decides.
        text: the text.
        original: the draft that it revises; None for a draft, which is checked against the context alone.
        context: the facts.
    """
    policy = pack.self_critique
    rules = with_policy(RevisionRules(max_chars=policy.max_answer_chars), policy, context)
    floor = check_floor(text, context=context, rules=rules).violations
    report = check_revision(original=original or "", revised=text, context=context, rules=rules)
    enforced = original is not None or policy.draft_grounding == "enforce"
    found = [Consequence(measure="blocks", finding=finding, place=_place(pack, finding)) for finding in floor]
    for finding in report.violations:
        if finding.code in _PHRASES:
            continue
        is_length = finding.code in {"too_long", "empty", "guard_error"}
        measure: Measure = "blocks" if enforced or is_length else "recorded"
        found.append(Consequence(measure=measure, finding=finding, place=_place(pack, finding)))
    for finding in report.concerns:
        if original is None and finding.code != "unread_language":
            # Without an original every statement is new.
            continue
        measure = _MEASURES[policy.concerns.of(finding.code)]
        found.append(Consequence(measure=measure, finding=finding, place=_place(pack, finding)))
    order: tuple[Measure, ...] = ("blocks", "escalates", "recorded")
    return TextExplanation(pack=pack, found=tuple(sorted(found, key=lambda each: order.index(each.measure))))


def _place(pack: PolicyPack, finding: Finding) -> str:
    return place_of_finding(pack, asdict(finding))
