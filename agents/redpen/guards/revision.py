"""Run all checks of a revised text, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from redpen.guards.claims import Claims, find_claims
from redpen.guards.claims.detector import Detector
from redpen.guards.edit_size import judge_edit
from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import KnownContext, json_of, known_claims, known_context, known_json
from redpen.guards.language import UnreadRule, unread_findings, without_unread
from redpen.guards.report import Code, Finding, Report, part_of_text, whole_text
from redpen.guards.required_phrases import RequiredPhrases, RequiredText, find_missing
from redpen.guards.severity_scale import find_new_labels, severity_of
from redpen.guards.standing import StandingText, in_both
from redpen.guards.text import read
from redpen.text.normal import reads_blank
from redpen.text.tokens import count_pieces
from redpen.text.views import View

if TYPE_CHECKING:
    # Imported only when a policy needs them.
    from redpen.guards.changed_lines import ChangedLines
    from redpen.guards.restricted import Restricted

MAX_TEXT_CHARS = 4_000
"""Longest text that the guards read, in characters; a longer revision is only ``too_long``."""

MOST_PIECES = 1_300
"""Most tokens of a text; the densest realistic texts have 1,140."""

_LONGEST_KEPT = 40_000
"""Most characters of texts and context for which the report is cached."""

ClaimRule = Literal["hint", "inherit"]

_UNSURE_WORDS = {"time": 2.5, "quantifier": 3.5, "date": 0.0}
"""Kinds of facts that, without digits, are concerns in clauses that most likely state no new fact, each with
the least novelty of a clause in which they are violations."""
_UNSURE_IN_NEWS = frozenset("duration multiplier count number share region".split())
"""Kinds of facts that, without digits, are concerns in clauses that most likely are unrelated news."""
_FACTLESS = "context and original do not say this, but its clause seems to state no new fact of the incident"
_FACT_ORDER: tuple[Code, ...] = ("no_new_facts", "new_incident_id", "new_severity_label", "new_region")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRules:
    """Rules for a revision besides facts and claims.

    Attributes:
        max_chars: longest revision, in characters of the trimmed text.
        must_differ: whether a revision that changes at most white space is a violation.
        min_similarity: lowest word similarity to the original, 0 to 1.
        max_length_increase_pct: largest increase in length, white space collapsed, in percent.
        phrases: required and forbidden phrases.
        concerns: whether to report concerns.
        detector: the claim detector, e.g. with your own weights (``redpen teach``, ``read_detector``); by
            default the shipped one.
        unread_language: whether a sentence that is not mostly English is a ``concern`` or a violation
            (``block``). Only its figures, money, identifiers and addresses are judged.
        claims: ``hint`` follows the context's ``avoid_absolute_guarantees`` (set: no restricted claim
            at all; not set: as ``inherit``); ``inherit`` allows claims that context or original make.
        restricted: phrases that are always a violation when affirmed.
        allowed: phrases that are never a claim; ``~word`` matches any form of the word.
        disclaimers: texts that the revision has to contain.
        lines: which lines may change; None for any line.
    """

    max_chars: int = MAX_TEXT_CHARS
    must_differ: bool = False
    min_similarity: float | None = None
    max_length_increase_pct: float | None = None
    phrases: RequiredPhrases = field(default_factory=RequiredPhrases)
    concerns: bool = True
    detector: Detector | None = None
    unread_language: UnreadRule = "concern"
    claims: ClaimRule = "hint"
    restricted: tuple[Restricted, ...] = ()
    allowed: tuple[str, ...] = ()
    disclaimers: tuple[RequiredText, ...] = ()
    lines: ChangedLines | None = None


_BY_DEFAULT = RevisionRules()


def avoids_guarantees(context: Mapping[str, Any]) -> bool:
    """Whether the context's hint forbids all restricted claims; absent or null is off."""
    hints = context.get("policy_hints")
    return isinstance(hints, Mapping) and bool(hints.get("avoid_absolute_guarantees"))


def check_revision(
    *,
    original: str,
    revised: str,
    context: Mapping[str, Any],
    rules: RevisionRules | None = None,
) -> Report:
    """Judge a revised text against its original and the incident context.

    Args:
        original: the text before the revision; its facts are allowed.
        revised: the text to judge.
        context: the incident context, any JSON object; its facts are allowed. Two keys are not facts:
            ``standing`` (texts that are never findings: lists under ``greetings``, ``sign_offs``,
            ``headings``, ``links``, ``product_names``) and ``severities`` (the labels of the project's
            severity scale).
        rules: further rules; by default only facts and claims are judged.

    Returns:
        All violations, in the order of the checks, then of the text, and all concerns. A guard that
        crashes adds a violation ``guard_error``. No text and no JSON context makes this function raise.
    """
    rules = rules or _BY_DEFAULT
    as_json = json_of(context)
    if as_json is not None and len(original) + len(revised) + len(as_json) <= _LONGEST_KEPT:
        try:
            hash(rules)
            return _kept(original, revised, as_json, rules)
        except _CrashedError as crashed:
            return crashed.report
        except TypeError:
            # Rules may contain lists instead of tuples, which cannot be hashed.
            pass
    return _judge(original, revised, known_context(context), rules)


def check_floor(text: str, *, context: Mapping[str, Any], rules: RevisionRules) -> Report:
    """Judge a text only by the restricted phrases and the disclaimers of some rules.

    Args:
        text: the text; one longer than ``MAX_TEXT_CHARS`` is ``too_long``.
        context: the incident context, any JSON object.
        rules: all other rules are ignored.
    """
    if len(text) > MAX_TEXT_CHARS:
        reason = f"at most {MAX_TEXT_CHARS} are read"
        return Report(violations=(whole_text("too_long", text, f"{len(text)} characters", reason),))
    return Report(
        violations=(
            *_restricted(text, known_context(context), rules),
            *_guarded("disclaimers", text, lambda: find_missing(text, rules.disclaimers)),
        )
    )


class _CrashedError(Exception):
    """A guard crashed; the report is not cached."""

    def __init__(self, report: Report) -> None:
        self.report = report


@lru_cache(maxsize=128)
def _kept(original: str, revised: str, context: str, rules: RevisionRules) -> Report:
    """Judge a revision with its context as JSON; cached."""
    report = _judge(original, revised, known_json(context), rules)
    if any(item.code == "guard_error" for item in report.violations):
        raise _CrashedError(report)
    return report


def _judge(original: str, revised: str, context: KnownContext, rules: RevisionRules) -> Report:
    if reads_blank(revised):
        return Report(
            violations=(whole_text("empty", revised, "nothing to read", "a text has to say something"),)
        )
    chars = len(revised.strip())
    limit = min(rules.max_chars, MAX_TEXT_CHARS)
    edits: tuple[Finding, ...] = ()
    if chars > limit:
        edits = (whole_text("too_long", revised, f"{chars} characters", f"at most {limit} are allowed"),)
        if chars > MAX_TEXT_CHARS:
            return Report(violations=edits)
    edits += judge_edit(original, revised, rules)
    before = original[:MAX_TEXT_CHARS]
    if revised != original and chars > MOST_PIECES and (count := count_pieces(revised)) > MOST_PIECES:
        reading = f"{count:,} words, numbers and marks"
        reason = f"at most {MOST_PIECES:,} are read, and what is not read is blocked"
        unread = whole_text("no_new_facts", revised, reading, reason, family="residue")
        return Report(violations=(*edits, unread, *_phrases(revised, rules.phrases)))
    statements = _judge_statements(revised, before, context, rules)
    if context.standing is not None:
        standing = StandingText(context.standing)
        if standing.spans(revised):
            masked = _judge_statements(standing.masked(revised), standing.masked(before), context, rules)
            statements = standing.of_both(statements, masked)
    violations = (
        *edits,
        *_changed_lines(revised, before, rules),
        *_restricted(revised, context, rules),
        *statements.violations,
        *_phrases(revised, rules.phrases),
        *_guarded("disclaimers", revised, lambda: find_missing(revised, rules.disclaimers)),
    )
    concerns = (item for item in statements.concerns if rules.concerns or item.code == "unread_language")
    return Report(violations=violations, concerns=tuple(concerns))


def _restricted(revised: str, context: KnownContext, rules: RevisionRules) -> tuple[Finding, ...]:
    if not rules.restricted:
        return ()
    from redpen.guards.restricted import find_restricted

    return _guarded(
        "restricted",
        revised,
        lambda: find_restricted(revised, rules.restricted, approved=context.prose[0]),
    )


def _changed_lines(revised: str, before: str, rules: RevisionRules) -> tuple[Finding, ...]:
    lines = rules.lines
    return () if lines is None else _guarded("lines", revised, lambda: lines.check(before, revised))


def _judge_statements(revised: str, before: str, context: KnownContext, rules: RevisionRules) -> Report:
    """Judge the facts and claims of a text."""
    new, old = read(revised, before), read(before)
    unread = _guarded("language", revised, lambda: tuple(unread_findings(new)))
    if unread_is_known := not any(item.code == "guard_error" for item in unread):
        new, old = without_unread(new), without_unread(old)
    inherit = rules.claims == "inherit" or not avoids_guarantees(context.context)
    facts = _guarded("facts", revised, lambda: _facts(revised=new, original=old, context=context))
    claims = _guarded("claims", revised, lambda: _claims(new, old, context, rules, inherit=inherit))
    if not isinstance(claims, Claims):
        claims = Claims(claims)
    unsure = [item for item in facts if _is_unsure(item, claims)]
    facts = tuple(item for item in facts if item not in unsure)
    spans = [item.span for item in facts]
    # A changed quantifier is reported once, as a fact.
    of_claims = (
        item for item in claims.violations if item.family != "scope" or not _lies_in(item.span, spans)
    )
    blocks_unread = rules.unread_language == "block" or not unread_is_known
    violations = (
        *facts,
        *of_claims,
        *(unread if blocks_unread else ()),
    )
    spans = [item.span for item in violations]
    doubts = (replace(item, code="new_statement", reason=_FACTLESS) for item in unsure)
    kept = (item for item in (*doubts, *claims.concerns) if not _lies_in(item.span, spans))
    return Report(
        violations=violations,
        # An unread sentence is reported even if it has other findings.
        concerns=(*(() if blocks_unread else unread), *kept),
    )


def _facts(*, revised: View, original: View, context: KnownContext) -> tuple[Finding, ...]:
    found = find_new_facts(revised=revised, original=original, context=context)
    if context.scale:
        severity = severity_of(context.context)
        labels = find_new_labels(revised=revised, original=original, scale=context.scale, severity=severity)
        spans = [item.span for item in labels]
        found = (*labels, *(item for item in found if not _lies_in(item.span, spans)))
    return _in_order(found)


def _claims(new: View, old: View, context: KnownContext, rules: RevisionRules, *, inherit: bool) -> Claims:
    known = known_claims(old, context, inherit=inherit)
    found = find_claims(revised=new, known=known, detector=rules.detector)
    if not rules.allowed or not (found.violations or found.concerns):
        return found
    from redpen.guards.plain_phrases import without_phrases

    masked = without_phrases(new.given, rules.allowed)
    # Around allowed phrases, only plain claims count.
    plain = find_claims(revised=read(masked, old.given), known=known, weigh=False)
    left = (*plain.violations, *plain.concerns)

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        beside = [item for item in findings if masked[slice(*item.span)] == item.text]
        others = (item for item in findings if item not in beside)
        return tuple(sorted((*beside, *in_both(others, left)), key=lambda item: item.span))

    return Claims(kept(found.violations), kept(found.concerns), found.novelty, found.unrelated)


def _is_unsure(finding: Finding, claims: Claims) -> bool:
    """Whether a new fact without digits is part of a clause that most likely states none."""
    if any(map(str.isnumeric, finding.text)):
        return False
    if finding.family in _UNSURE_IN_NEWS and _lies_in(finding.span, claims.unrelated):
        return True
    bound = _UNSURE_WORDS.get(finding.family)
    return bound is not None and _lies_in(finding.span, [span for span, new in claims.novelty if new < bound])


def _lies_in(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


_T = TypeVar("_T")


def _guarded(guard: str, text: str, find: Callable[[], _T]) -> _T | tuple[Finding, ...]:
    try:
        return find()
    except Exception as error:  # noqa: BLE001 - a guard that crashes blocks, whatever the crash
        reading = f"the {guard} guard raised {type(error).__name__}"
        return (
            whole_text("guard_error", text, reading, "what could not be judged is blocked", family=guard),
        )


def _in_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda item: (_FACT_ORDER.index(item.code), item.span)))


def _phrases(revised: str, phrases: RequiredPhrases) -> tuple[Finding, ...]:
    end = (len(revised), len(revised))
    asked = (
        *(
            (end, f"{phrase!r} is missing", "the judgement asks for this phrase")
            for phrase in phrases.missing(revised)
        ),
        *(
            (span, f"{phrase!r} still stands", "the judgement asks to remove this phrase")
            for phrase, span in phrases.left(revised)
        ),
    )
    return tuple(
        part_of_text("required_changes_not_applied", revised, span, reading, reason, family="phrase")
        for span, reading, reason in asked
    )
