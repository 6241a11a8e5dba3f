"""Every claim of a revision: those of the floor, and those that the detector finds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from redpen.guards.claims import explain
from redpen.guards.claims.clauses import Known, sentences_of
from redpen.guards.claims.detector import Detector, Weighed, shipped_detector
from redpen.guards.claims.features import Bag, clause_features
from redpen.guards.claims.floor import judge_phrases
from redpen.guards.report import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.claims.clauses import Clause, Sentence
    from redpen.guards.claims.floor import Spoken, Verdict
    from redpen.text.views import View

MOST_CLAUSES = 120
"""Most changed clauses that are judged. A text that the guards read has fewer, unless it hides something."""
_MOST_FINDINGS = 30
"""More phrases of the floor than anybody reads; a text with so many is blocked whatever else it says."""
_UNSURE_MARGIN = 3.0
"""Log odds beyond the bound that block a clause whose plain phrase is denied or left open, or one of a text
without an original, which tells what is new."""
_MOST_EXPLAINED = 4
"""Findings whose most influential words are looked for; a text that has more is bad enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The claims of a revision that nothing known allows.

    Attributes:
        violations: those that are certain, in the order of the text.
        concerns: clauses that may be one.
    """

    violations: tuple[Finding, ...] = ()
    concerns: tuple[Finding, ...] = ()


def changed_clauses(
    sentences: tuple[Sentence, ...], known: Known, judged: Iterable[tuple[Spoken, Verdict]]
) -> list[tuple[Clause, list[Bag]]]:
    """Return the clauses that the original does not hold word by word, each with its features.

    Args:
        sentences: those of the revision.
        known: what the reader knows.
        judged: the phrases of the floor in it, each with what becomes of it.
    """
    phrases: dict[tuple[int, int], list[str]] = {}
    for item, verdict in judged:
        family = item.hit.phrase.family
        phrases.setdefault((item.sentence, item.clause), []).append(f"f{verdict}:{family}")
    found = []
    before = None
    for number, sentence in enumerate(sentences):
        for place, clause in enumerate(sentence.clauses):
            if not known.holds(clause):
                features = clause_features(sentence, place, before, known)
                said = phrases.get((number, place))
                found.append((clause, [*features, Bag("", said)] if said else features))
        before = sentence
    return found


def find_claims(
    *, revised: View, known: Known, detector: Detector | None = None, weigh: bool = True
) -> Claims:
    """Return the restricted claims of a revision.

    Args:
        revised: the text to judge.
        known: what its reader knows.
        detector: what weighs the clauses that the floor leaves; by default the one that the package ships.
        weigh: whether they are weighed at all; otherwise the floor alone speaks.
    """
    sentences = sentences_of(revised.text)
    violations: list[Finding] = []
    concerns: list[Finding] = []
    told: set[tuple[Clause, str]] = set()
    opened: set[tuple[Clause, str]] = set()
    if _count_changed(sentences, known) > MOST_CLAUSES:
        return Claims(violations=(_unread(revised),))
    judged = []
    for item, verdict in judge_phrases(sentences, known):
        judged.append((item, verdict))
        clause, phrase = sentences[item.sentence].clauses[item.clause], item.hit.phrase
        if verdict == "known" or item.disowned:
            told.add((clause, phrase.family))
        elif verdict == "open":
            opened.add((clause, phrase.family))
        elif verdict in ("new", "other"):
            finding = explain.of_phrase(revised, clause, item.hit)
            (concerns if phrase.doubtful or verdict == "other" else violations).append(finding)
            if len(violations) == _MOST_FINDINGS:
                return Claims(violations=_distinct(violations), concerns=_distinct(concerns, violations))
    changed = changed_clauses(sentences, known, judged) if weigh else []
    detector = detector or shipped_detector()
    alone = not known.stems_of_original
    for (clause, features), weighed in zip(changed, detector.weigh([f for _, f in changed]), strict=True):
        if (clause, weighed.family) in told or (alone and weighed.family == "scope"):
            # What a phrase of the floor claims is known, or said to be wrong: its words may be said. A text
            # without an original says nothing otherwise than it.
            continue
        margin = _UNSURE_MARGIN if alone or (clause, weighed.family) in opened else 0.0
        doubtful, certain = detector.bounds[weighed.family]
        sure = weighed.log_odds >= certain + margin
        if sure or weighed.log_odds >= doubtful:
            explained = len(violations) + len(concerns) < _MOST_EXPLAINED
            influence = detector.influence(features) if explained else []
            finding = explain.of_clause(revised, clause, weighed, influence, sure=sure)
            (violations if sure else concerns).append(finding)
    return Claims(violations=_distinct(violations), concerns=_distinct(concerns, violations))


def weigh_revision(*, revised: View, known: Known, detector: Detector) -> list[Weighed]:
    """Return what the detector makes of each changed clause of a revision.

    Args:
        revised: the text to judge.
        known: what its reader knows.
        detector: what weighs the clauses.
    """
    sentences = sentences_of(revised.text)
    changed = changed_clauses(sentences, known, judge_phrases(sentences, known))
    return detector.weigh([features for _, features in changed])


def _count_changed(sentences: tuple[Sentence, ...], known: Known) -> int:
    """Return how many clauses the original does not hold word by word."""
    clauses = chain.from_iterable(sentence.clauses for sentence in sentences)
    return sum(not known.holds(clause) for clause in clauses)


def _distinct(findings: list[Finding], others: list[Finding] | None = None) -> tuple[Finding, ...]:
    """Return findings in the order of the text, without those that overlap one before or others."""
    kept: list[Finding] = []
    for item in findings:
        if not any(
            item.span[0] < seen.span[1] and seen.span[0] < item.span[1] for seen in (*kept, *(others or ()))
        ):
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.span))


def _unread(revised: View) -> Finding:
    return Finding(
        code="restricted_claims",
        family="resolution",
        span=(0, len(revised.given)),
        text=revised.given,
        reading=f"more than {MOST_CLAUSES} clauses that the original does not have",
        reason="what cannot be weighed as a whole is blocked",
    )
