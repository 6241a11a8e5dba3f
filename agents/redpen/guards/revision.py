"""The checks of a revised text, all of them, in the order in which they count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeVar

from redpen.guards.claims import Claims, find_claims
from redpen.guards.claims.detector import Detector
from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import KnownContext, json_of, known_claims, known_context, known_json
from redpen.guards.language import UnreadRule, unread_findings, without_unread
from redpen.guards.report import Code, Finding, Report
from redpen.guards.required_phrases import RequiredPhrases
from redpen.guards.severity_scale import find_new_labels, severity_of
from redpen.guards.standing import StandingText
from redpen.guards.text import read
from redpen.text.normal import collapse, reads_blank
from redpen.text.similarity import length_increase_pct, similarity
from redpen.text.tokens import count_pieces
from redpen.text.views import View

MAX_TEXT_CHARS = 4_000
"""Longest text that any guard reads; a longer revision is ``too_long`` and not read at all."""

MOST_PIECES = 1_300
"""Most words, numbers and marks of a text that is read; the densest that anybody writes has 1,140."""

_LONGEST_KEPT = 40_000
"""Characters of texts and context whose report is kept for the next time."""

ClaimRule = Literal["hint", "inherit"]

_FACT_ORDER: tuple[Code, ...] = ("no_new_facts", "new_incident_id", "new_severity_label", "new_region")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRules:
    """What else than facts and claims a revision is held to.

    Attributes:
        max_chars: longest revision, in characters of the trimmed text.
        must_differ: whether a revision that changes white space at most is a violation.
        min_similarity: least similarity to the original, 0 to 1, by words.
        max_length_increase_pct: how much longer than the original the collapsed text may be, in percent.
        phrases: what the revision must hold and must not.
        concerns: whether what may be a claim, and is not certain to be one, is reported as well.
        detector: what weighs clauses for claims, such as one with weights of your own (``redpen teach``,
            ``read_detector``); by default the one that is shipped.
        unread_language: what a sentence is that is not mostly English: a ``concern``, or a violation
            (``block``). No guard judges more of it than its figures, money, identifiers and addresses.
        claims: ``hint`` follows the context's ``avoid_absolute_guarantees`` (set: no restricted claim
            at all; not set: as ``inherit``); ``inherit`` allows a claim that context or original makes.
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


_BY_DEFAULT = RevisionRules()


def avoids_guarantees(context: Mapping[str, Any]) -> bool:
    """Whether the context's hint forbids restricted claims wherever they stand; absent or null is off."""
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
        original: the text that was to be revised; its facts are allowed.
        revised: the text to judge.
        context: the incident context, any JSON object; its facts are allowed, whatever its keys. Two keys
            hold no facts: ``standing`` (text whose words are never findings: lists of texts under
            ``greetings``, ``sign_offs``, ``headings``, ``links``, ``product_names``) and ``severities`` (the
            labels of the project's scale, of which the incident has one).
        rules: what else the revision is held to; by default facts and claims alone.

    Returns:
        Every violation, in the order of the checks, then of the text; and every concern. A guard that
        crashes is a violation ``guard_error``. Nothing raises for any text and any JSON context.
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
            # Rules with lists for tuples are judged all the same.
            pass
    return _judge(original, revised, known_context(context), rules)


class _CrashedError(Exception):
    """A guard crashed, which it may not do the next time: such a report is not kept."""

    def __init__(self, report: Report) -> None:
        self.report = report


@lru_cache(maxsize=128)
def _kept(original: str, revised: str, context: str, rules: RevisionRules) -> Report:
    """Judge a revision beside a context in JSON; the same one again is one look-up."""
    report = _judge(original, revised, known_json(context), rules)
    if any(item.code == "guard_error" for item in report.violations):
        raise _CrashedError(report)
    return report


def _judge(original: str, revised: str, context: KnownContext, rules: RevisionRules) -> Report:
    if reads_blank(revised):
        return Report(
            violations=(_whole("empty", revised, "nothing to read", "a text has to say something"),)
        )
    chars = len(revised.strip())
    if chars > min(rules.max_chars, MAX_TEXT_CHARS):
        limit = min(rules.max_chars, MAX_TEXT_CHARS)
        too_long = _whole("too_long", revised, f"{chars} characters", f"at most {limit} are allowed")
        if chars > MAX_TEXT_CHARS:
            return Report(violations=(too_long,))
        edits: tuple[Finding, ...] = (too_long, *_edit_size(original, revised, rules))
    else:
        edits = _edit_size(original, revised, rules)
    before = original[:MAX_TEXT_CHARS]
    if revised != original and chars > MOST_PIECES and (count := count_pieces(revised)) > MOST_PIECES:
        reading = f"{count:,} words, numbers and marks"
        reason = f"at most {MOST_PIECES:,} are read, and what is not read is blocked"
        unread = _whole("no_new_facts", revised, reading, reason, family="residue")
        return Report(violations=(*edits, unread, *_phrases(revised, rules.phrases)))
    statements = _judge_statements(revised, before, context, rules)
    if context.standing is not None:
        standing = StandingText(context.standing)
        if standing.spans(revised):
            masked = _judge_statements(standing.masked(revised), standing.masked(before), context, rules)
            statements = standing.of_both(statements, masked)
    violations = (*edits, *statements.violations, *_phrases(revised, rules.phrases))
    concerns = (item for item in statements.concerns if rules.concerns or item.code == "unread_language")
    return Report(violations=violations, concerns=tuple(concerns))


def _judge_statements(revised: str, before: str, context: KnownContext, rules: RevisionRules) -> Report:
    """Judge what a text states: its facts and its claims."""
    new, old = read(revised, before), read(before)
    unread = _guarded("language", new, lambda: tuple(unread_findings(new)))
    if unread_is_known := not any(item.code == "guard_error" for item in unread):
        new, old = without_unread(new), without_unread(old)
    inherit = rules.claims == "inherit" or not avoids_guarantees(context.context)
    facts = _guarded("facts", new, lambda: _facts(revised=new, original=old, context=context))
    claims = _guarded(
        "claims",
        new,
        lambda: find_claims(
            revised=new, known=known_claims(old, context, inherit=inherit), detector=rules.detector
        ),
    )
    of_claims, concerns = (claims.violations, claims.concerns) if isinstance(claims, Claims) else (claims, ())
    blocks_unread = rules.unread_language == "block" or not unread_is_known
    violations = (
        *(facts if isinstance(facts, tuple) else ()),
        *of_claims,
        *(unread if blocks_unread else ()),
    )
    spans = [item.span for item in violations]
    kept = (item for item in concerns if not _lies_in(item.span, spans))
    return Report(
        violations=violations,
        # What no guard read is said whatever else was found in it.
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


def _lies_in(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


_T = TypeVar("_T")


def _guarded(guard: str, view: View, find: Callable[[], _T]) -> _T | tuple[Finding, ...]:
    try:
        return find()
    except Exception as error:  # noqa: BLE001 - a guard that crashes blocks, whatever the crash
        reading = f"the {guard} guard raised {type(error).__name__}"
        return (
            _whole("guard_error", view.given, reading, "what could not be judged is blocked", family=guard),
        )


def _in_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda item: (_FACT_ORDER.index(item.code), item.span)))


def _edit_size(original: str, revised: str, rules: RevisionRules) -> tuple[Finding, ...]:
    if not rules.must_differ and rules.min_similarity is None and rules.max_length_increase_pct is None:
        return ()
    before, after = collapse(original), collapse(revised)
    found = []
    if rules.must_differ and before == after:
        found.append(_whole("no_changes", revised, "the text of the original", "a revision has to differ"))
    if rules.min_similarity is not None:
        share = similarity(before, after)
        if share < rules.min_similarity:
            reading = f"similarity {share:.3f}"
            found.append(
                _whole("too_large_edit", revised, reading, f"at least {rules.min_similarity} is asked")
            )
    if rules.max_length_increase_pct is not None:
        increase = length_increase_pct(before, after)
        # Compared without a division: 7 characters more on 100 are 7 percent, not a hair over it.
        if (len(after) - len(before)) * 100 > rules.max_length_increase_pct * len(before):
            reading = f"{increase:.2f} % longer"
            reason = f"at most {rules.max_length_increase_pct:g} % is allowed"
            found.append(_whole("length_increase_limit", revised, reading, reason))
    return tuple(found)


def _phrases(revised: str, phrases: RequiredPhrases) -> tuple[Finding, ...]:
    end = len(revised)
    missing = (
        Finding(
            code="required_changes_not_applied",
            family="phrase",
            span=(end, end),
            text="",
            reading=f"{phrase!r} is missing",
            reason="the judgement asks for this phrase",
        )
        for phrase in phrases.missing(revised)
    )
    left = (
        Finding(
            code="required_changes_not_applied",
            family="phrase",
            span=span,
            text=revised[span[0] : span[1]],
            reading=f"{phrase!r} still stands",
            reason="the judgement asks to remove this phrase",
        )
        for phrase, span in phrases.left(revised)
    )
    return (*missing, *left)


def _whole(code: Code, text: str, reading: str, reason: str, *, family: str = "text") -> Finding:
    return Finding(code=code, family=family, span=(0, len(text)), text=text, reading=reading, reason=reason)
