"""The checks of a revised text, all of them, in the order in which they count."""

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
from redpen.guards.required_phrases import RequiredPhrases
from redpen.guards.severity_scale import find_new_labels, severity_of
from redpen.guards.standing import StandingText, in_both
from redpen.guards.text import read
from redpen.text.normal import reads_blank
from redpen.text.tokens import count_pieces
from redpen.text.views import View

if TYPE_CHECKING:
    # What only a policy asks for is loaded when it does.
    from redpen.guards.changed_lines import ChangedLines
    from redpen.guards.disclaimers import RequiredText
    from redpen.guards.restricted import Restricted

MAX_TEXT_CHARS = 4_000
"""Longest text that any guard reads; a longer revision is ``too_long`` and not read at all."""

MOST_PIECES = 1_300
"""Most words, numbers and marks of a text that is read; the densest that anybody writes has 1,140."""

_LONGEST_KEPT = 40_000
"""Characters of texts and context whose report is kept for the next time."""

ClaimRule = Literal["hint", "inherit"]

_NEWS_MARGINS = dict.fromkeys("quantifier time date duration count multiplier".split(), 0.0)
_NEWS_MARGINS |= {"party": 6.5, "region": 4.5}
"""Kinds of facts that small talk states too, where it states them without figures, and how sure it has to be
that it is small talk, in log odds beyond the bound of the detector."""
_UNRELATED = "neither the context nor the original has it, but its clause seems to be about something else"
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
        restricted: phrases that are a violation, whatever else allows them.
        allowed: phrases that are no claim, ``~word`` standing for any form of the word.
        disclaimers: what the revision has to say.
        lines: who may change which line; None where any line may change.
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


def check_floor(text: str, *, context: Mapping[str, Any], rules: RevisionRules) -> Report:
    """Judge a finished text by the restricted phrases and the disclaimers of some rules alone.

    Args:
        text: the text; one longer than ``MAX_TEXT_CHARS`` is ``too_long``.
        context: the incident context, any JSON object.
        rules: what the text is held to; only these two of them count.
    """
    if len(text) > MAX_TEXT_CHARS:
        reason = f"at most {MAX_TEXT_CHARS} are read"
        return Report(violations=(whole_text("too_long", text, f"{len(text)} characters", reason),))
    return Report(
        violations=(
            *_restricted(text, known_context(context), rules),
            *_disclaimers(text, rules),
        )
    )


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
            violations=(whole_text("empty", revised, "nothing to read", "a text has to say something"),)
        )
    chars = len(revised.strip())
    limit = min(rules.max_chars, MAX_TEXT_CHARS)
    edits: tuple[Finding, ...] = ()
    if chars > limit:
        edits = (whole_text("too_long", revised, f"{chars} characters", f"at most {limit} are allowed"),)
        if chars > MAX_TEXT_CHARS:
            return Report(violations=edits)
    edits += _edit(original, revised, rules)
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
        *_disclaimers(revised, rules),
    )
    concerns = (item for item in statements.concerns if rules.concerns or item.code == "unread_language")
    return Report(violations=violations, concerns=tuple(concerns))


def _edit(original: str, revised: str, rules: RevisionRules) -> tuple[Finding, ...]:
    return judge_edit(
        original,
        revised,
        must_differ=rules.must_differ,
        min_similarity=rules.min_similarity,
        max_length_increase_pct=rules.max_length_increase_pct,
    )


def _restricted(revised: str, context: KnownContext, rules: RevisionRules) -> tuple[Finding, ...]:
    if not rules.restricted:
        return ()
    from redpen.guards.restricted import find_restricted

    return _guarded(
        "restricted",
        revised,
        lambda: find_restricted(revised, rules.restricted, approved=context.prose[0]),
    )


def _disclaimers(revised: str, rules: RevisionRules) -> tuple[Finding, ...]:
    if not rules.disclaimers:
        return ()
    from redpen.guards.disclaimers import find_missing

    return _guarded("disclaimers", revised, lambda: find_missing(revised, rules.disclaimers))


def _changed_lines(revised: str, before: str, rules: RevisionRules) -> tuple[Finding, ...]:
    lines = rules.lines
    return () if lines is None else _guarded("lines", revised, lambda: lines.check(before, revised))


def _judge_statements(revised: str, before: str, context: KnownContext, rules: RevisionRules) -> Report:
    """Judge what a text states: its facts and its claims."""
    new, old = read(revised, before), read(before)
    unread = _guarded("language", revised, lambda: tuple(unread_findings(new)))
    if unread_is_known := not any(item.code == "guard_error" for item in unread):
        new, old = without_unread(new), without_unread(old)
    inherit = rules.claims == "inherit" or not avoids_guarantees(context.context)
    facts = _guarded("facts", revised, lambda: _facts(revised=new, original=old, context=context))
    claims = _guarded("claims", revised, lambda: _claims(new, old, context, rules, inherit=inherit))
    if not isinstance(claims, Claims):
        claims = Claims(claims)
    unrelated = [item for item in facts if _is_unrelated(item, claims.news)]
    facts = tuple(item for item in facts if item not in unrelated)
    spans = [item.span for item in facts]
    # A changed quantifier is told as the fact that it is.
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
    news = (replace(item, code="new_statement", reason=_UNRELATED) for item in unrelated)
    kept = (item for item in (*news, *claims.concerns) if not _lies_in(item.span, spans))
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


def _claims(new: View, old: View, context: KnownContext, rules: RevisionRules, *, inherit: bool) -> Claims:
    known = known_claims(old, context, inherit=inherit)
    found = find_claims(revised=new, known=known, detector=rules.detector)
    if not rules.allowed or not (found.violations or found.concerns):
        return found
    from redpen.guards.plain_phrases import without_phrases

    masked = without_phrases(new.given, rules.allowed)
    # What is said around a phrase that is no claim is one only in plain words.
    plain = find_claims(revised=read(masked, old.given), known=known, weigh=False)
    left = (*plain.violations, *plain.concerns)

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        beside = [item for item in findings if masked[slice(*item.span)] == item.text]
        others = (item for item in findings if item not in beside)
        return tuple(sorted((*beside, *in_both(others, left)), key=lambda item: item.span))

    return Claims(kept(found.violations), kept(found.concerns), found.news)


def _is_unrelated(finding: Finding, news: Iterable[tuple[tuple[int, int], float]]) -> bool:
    """Whether a new fact without figures stands in a clause that has nothing to do with the incident."""
    margin = _NEWS_MARGINS.get(finding.family)
    if margin is None or any(map(str.isdigit, finding.text)):
        return False
    return _lies_in(finding.span, [span for span, sureness in news if sureness >= margin])


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
