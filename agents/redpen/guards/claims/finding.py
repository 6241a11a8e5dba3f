"""Find the claims of a revision, by the floor and by the detector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.claims import explain
from redpen.guards.claims.clauses import Clause, Known, Sentence, content_of, items_of, sentences_of
from redpen.guards.claims.detector import Detector, Weighed, shipped_detector
from redpen.guards.claims.features import ASKING, TURNING, Feature, clause_features
from redpen.guards.claims.floor import families_of, is_fragment, judge_phrases, subject_of
from redpen.guards.claims.polarity import DENYING, is_led_by_condition, mood_of, opposes
from redpen.guards.report import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.claims.clauses import Piece
    from redpen.guards.claims.detector import Detected
    from redpen.guards.claims.phrases import Family, Hit
    from redpen.guards.report import Finding
    from redpen.text.views import View

MOST_CLAUSES = 120
"""Most changed clauses that are judged; ordinary texts have far fewer."""
_MOST_FINDINGS = 30
"""Plain claims beyond which a text is blocked without asking the detector."""
_UNSURE_MARGIN = 2.0
"""Extra log odds needed to block a clause that is a fragment or whose plain phrase is denied or left open, or
a text without an original."""
_TOLD_BOUND = 4.0
"""Log odds from which a known clause makes a claim in words that no phrase has."""
_NEWS_MARGIN = 1.5
"""Log odds above the news bound from which a plain claim is a concern, as unrelated news."""
_REWORDED_BOUND = -2.0
"""Log odds up to which a plain claim that may reword a known one is a concern."""
_UNRELATED_BOUND = 4.0
"""Log odds of unrelated news from which a new name, or a new number in words, is a concern."""
_NEWS_SHARE = 0.4
"""Share of the log odds of unrelated news that counts against a new fact."""
_RETOLD: tuple[Family, ...] = ("resolution", "reassurance", "guarantee", "liability")
"""Families whose known claims may be made again in other words, if guarantees need not be avoided."""
_ADDING = frozenset("also too well either both all every".split())
"""Words that extend a claim to more than is known ("as well")."""
_WIDENING = frozenset("all both each every most none only".split())
"""Words by which a known statement is made of more, or of all."""
_IDLE = frozenset("the a an and but so since then still".split())
"""Words that add nothing to a known clause."""
_MOST_EXPLAINED = 4
"""Findings for which the most influential words are computed."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a revision that nothing known allows.

    Attributes:
        violations: in the order of the text.
        concerns: possible claims, in the order of the text.
        factless: spans of clauses that most likely neither make a claim nor state a new fact of the incident.
        unrelated: those of them that are most likely unrelated to the incident.
    """

    violations: tuple[Finding, ...] = ()
    concerns: tuple[Finding, ...] = ()
    factless: tuple[tuple[int, int], ...] = ()
    unrelated: tuple[tuple[int, int], ...] = ()


def changed_clauses(sentences: tuple[Sentence, ...], known: Known) -> list[tuple[Clause, list[Feature]]]:
    """Return the clauses that the original does not contain verbatim, each with its features.

    Args:
        sentences: those of the revision.
        known: the statements of original and context.
    """
    return [
        (clause, clause_features(sentence, place, before, known))
        for before, sentence in zip((None, *sentences), sentences, strict=False)
        for place, clause in enumerate(sentence.clauses)
        if not known.holds(clause)
    ]


def find_claims(
    *, revised: View, known: Known, detector: Detector | None = None, weigh: bool = True
) -> Claims:
    """Return the restricted claims of a revision.

    Args:
        revised: the text to judge.
        known: the statements of original and context.
        detector: by default the shipped one.
        weigh: whether to ask the detector as well; otherwise only the floor is used.
    """
    sentences = sentences_of(revised.text)
    if sum(not known.holds(clause) for item in sentences for clause in item.clauses) > MOST_CLAUSES:
        reading = f"more than {MOST_CLAUSES} clauses that the original does not have"
        reason = "what cannot be weighed as a whole is blocked"
        unread = whole_text("restricted_claims", revised.given, reading, reason, family="resolution")
        return Claims((unread,))
    detector = detector or shipped_detector()
    phrases = list(judge_phrases(sentences, known))
    weigh = weigh and sum(verdict in ("new", "reworded") for _, verdict in phrases) < _MOST_FINDINGS
    changed = changed_clauses(sentences, known) if weigh else []
    judged = detector.weigh([features for _, features in changed])
    # A text without an original has no news, and cannot change the scope of a statement.
    alone = not known.stems_of_original
    scores = {clause: weighed for (clause, _), weighed in zip(changed, judged, strict=True)}
    news = {} if alone else {clause: it.news - detector.news_bound for clause, it in scores.items()}
    violations: list[Finding] = []
    concerns: list[Finding] = []
    allowed: set[tuple[Clause, Detected]] = set()
    left_open: set[tuple[Clause, Detected]] = set()
    disowned: set[Clause] = {
        clause
        for sentence in sentences
        for place, clause in enumerate(sentence.clauses)
        if is_led_by_condition(sentence, place)
    }
    for (clause, hit, _, is_disowned, *_), verdict in phrases:
        claim: tuple[Clause, Detected] = (clause, hit.phrase.family)
        if verdict == "open":
            left_open.add(claim)
            if is_disowned:
                disowned.add(clause)
        elif verdict == "known" or (
            verdict != "perhaps" and known.inherit and _is_retold(clause, hit, known, detector)
        ):
            allowed.add(claim)
        elif verdict != "perhaps":
            is_light = clause in scores and scores[clause].log_odds <= _REWORDED_BOUND
            unsure = hit.phrase.doubtful or (verdict == "reworded" and is_light)
            sure = not unsure and news.get(clause, 0.0) < _NEWS_MARGIN
            (violations if sure else concerns).append(explain.of_phrase(revised, clause, hit, sure=sure))
    violations += (
        explain.of_opposite(revised, clause)
        for clause, features in changed
        if _is_opposite(clause, features, known)
    )
    for clause, features in changed:
        weighed = scores[clause]
        claim = (clause, weighed.family)
        is_scope = weighed.family == "scope"
        is_kept = (is_scope and alone) or _repeats_known(clause, known, strict=not is_scope)
        if claim in allowed or clause in disowned or is_kept:
            continue
        is_bare = weighed.family != "scope" and is_fragment(clause.words)
        log_odds = weighed.log_odds - (_UNSURE_MARGIN if is_bare else 0.0)
        margin = _UNSURE_MARGIN if alone or claim in left_open else 0.0
        doubtful, certain = detector.bounds[weighed.family]
        sure = log_odds >= certain + margin
        if sure or log_odds >= doubtful:
            explained = len(violations) + len(concerns) < _MOST_EXPLAINED
            influence = detector.influence(features) if explained else {}
            finding = explain.of_clause(revised, clause, weighed, influence, sure=sure)
            (violations if sure else concerns).append(finding)
    light = {
        explain.span_of(revised, clause): it.news >= _UNRELATED_BOUND
        for clause, it in scores.items()
        if not alone and it.fact - _NEWS_SHARE * it.news < detector.fact_bound
    }
    unrelated = tuple(span for span, is_news in light.items() if is_news)
    return Claims(_distinct(violations), _distinct(concerns, violations), tuple(light), unrelated)


def weigh_revision(*, revised: View, known: Known, detector: Detector) -> list[Weighed]:
    """Return the scores of each changed clause of a revision.

    Args:
        revised: the text to judge.
        known: the statements of original and context.
        detector: the detector to ask.
    """
    changed = changed_clauses(sentences_of(revised.text), known)
    return detector.weigh([features for _, features in changed])


def _repeats_known(clause: Clause, known: Known, *, strict: bool) -> bool:
    """Whether a clause has the content of a known clause in its order, and says it of no more.

    ``strict``: whether it also has its words, but for words without a meaning of their own.
    """
    _, _, piece = known.nearest(frozenset(clause.words), content_of(clause.words))
    if piece is None or piece.asks or mood_of(clause.words) != mood_of(piece.words):
        return False
    new = set(clause.words) - piece.vocabulary
    told, own = (
        items_of(tuple(word for word in it.words if word not in _ADDING), it.numbers)
        for it in (piece, clause)
    )
    return own == told and (new <= _IDLE if strict else new.isdisjoint(_WIDENING))


def _is_opposite(clause: Clause, features: list[Feature], known: Known) -> bool:
    """Whether a clause states the opposite of the known clause that is nearest to it."""
    if ASKING in features or all(feature[0] != TURNING for feature in features):
        return False
    _, _, piece = known.nearest(frozenset(clause.words), content_of(clause.words))
    if piece is None or piece.asks:
        return False
    # Whether a value of the context, or a subject before "and", is denied does not show in its own words.
    is_part = is_fragment(piece.words) and DENYING.isdisjoint(piece.words)
    return not is_part and opposes(clause.words, piece.words)


def _is_retold(clause: Clause, hit: Hit, known: Known, detector: Detector) -> bool:
    """Whether a clause makes a claim of the known statements again, of the same subject, in other words."""
    family = hit.phrase.family
    if family not in _RETOLD or not _ADDING.isdisjoint(clause.words):
        return False
    subject, content = subject_of(clause.words, hit), content_of(clause.words)
    for piece in _claiming(known, detector).get(family, ()):
        if family == "liability" or content <= piece.stems or (subject and subject <= piece.stems):
            return True
    return False


@lru_cache(maxsize=64)
def _claiming(known: Known, detector: Detector) -> dict[Detected, list[Piece]]:
    """Return the known clauses that make a claim, by its family, whether in plain or in other words."""
    nothing = Known("", (), (), inherit=False)
    own = [Sentence((Clause(piece.words, ()),), piece.asks, False) for piece in known.pieces]
    features = [clause_features(sentence, 0, None, nothing) for sentence in own]
    found: dict[Detected, list[Piece]] = {}
    for piece, weighed in zip(known.pieces, detector.weigh(features), strict=True):
        # A step is not done, and nothing is caused, by being approved.
        is_only_approved = piece.source == "a" and weighed.family in ("resolution", "cause")
        if weighed.log_odds >= _TOLD_BOUND and not piece.asks and not is_only_approved:
            found.setdefault(weighed.family, []).append(piece)
    for piece in known.pieces:
        for family in families_of(piece):
            found.setdefault(family, []).append(piece)
    return found


def _distinct(findings: list[Finding], others: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Return findings in the order of the text, without those that overlap an earlier one or ``others``."""
    kept: list[Finding] = []
    for item in findings:
        start, end = item.span
        if not any(start < seen.span[1] and seen.span[0] < end for seen in (*kept, *others)):
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.span))
