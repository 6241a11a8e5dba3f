"""Find the claims of a revision, by the floor and by the detector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

from redpen.guards.claims import explain
from redpen.guards.claims.clauses import Clause, Known, Sentence, content_of, items_of, sentences_of
from redpen.guards.claims.detector import Detector, Weighed, shipped_detector
from redpen.guards.claims.features import ASKING, TURNING, Feature, clause_features
from redpen.guards.claims.floor import (
    GENERAL,
    POINTING,
    families_of,
    is_known_step,
    is_of_whole,
    is_open,
    is_over,
    judge_phrases,
    names_whole,
    said_of,
    subject_of,
)
from redpen.guards.claims.polarity import DENYING, is_fragment, is_led_by_condition, mood_of, opposes
from redpen.guards.report import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.claims.clauses import Piece
    from redpen.guards.claims.detector import Detected
    from redpen.guards.claims.floor import Spoken, Verdict
    from redpen.guards.claims.phrases import Family, Hit
    from redpen.guards.report import Finding
    from redpen.text.views import View

MOST_CLAUSES = 120
"""Most changed clauses that are judged; ordinary texts have far fewer."""
_MOST_FINDINGS = 30
"""Plain claims beyond which a text is blocked without asking the detector."""
_UNSURE_MARGIN = 3.0
"""Extra log odds needed to block a clause that is supposed, or whose plain phrase is denied or left open, or
a text without an original."""
_TOLD_BOUND = 4.0
"""Log odds from which a known clause makes a claim in words that no phrase has."""
_NEWS_MARGIN = 1.5
"""Log odds above the news bound from which a plain claim is a concern, as unrelated news."""
_REWORDED_BOUND = -1.0
"""Log odds up to which a plain claim that may reword a known one is a concern."""
_CERTAIN_BOUND = -4.0
"""Log odds up to which a plain claim is a concern if any known one may be meant: that a part has recovered,
or of a subject without a known word ("the extra $84")."""
_HINTED_BOUNDS = {"resolution": -1.0, "liability": inf}
"""Log odds from which a known clause makes a claim of a family that a plain claim may reword; by default 0.

Only a plain admission admits liability: systems fail too.
"""
_UNRELATED_BOUND = 3.5
"""Log odds of unrelated news from which a new number or place in words is a concern."""
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
_MOST_FREE = 1
"""Most new content words of a sentence that says again that all is over; one more if it names what."""
_MOST_EXPLAINED = 4
"""Findings for which the most influential words are computed."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a revision that nothing known allows.

    Attributes:
        violations: in the order of the text.
        concerns: possible claims, in the order of the text.
        novelty: the spans of the changed clauses, each with the log odds that it makes a claim or states a
            new fact of the incident, less a share of those of unrelated news and the bound of the detector.
        unrelated: the spans of those below the bound that are most likely unrelated to the incident.
    """

    violations: tuple[Finding, ...] = ()
    concerns: tuple[Finding, ...] = ()
    novelty: tuple[tuple[tuple[int, int], float], ...] = ()
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
    # A text without an original has no news, and cannot change the scope of a statement.
    alone = not known.stems_of_original
    judged = detector.weigh([features for _, features in changed])
    scores = dict(zip((clause for clause, _ in changed), judged, strict=True))
    news = {} if alone else {clause: it.news - detector.news_bound for clause, it in scores.items()}
    violations: list[Finding] = []
    concerns: list[Finding] = []
    allowed: set[tuple[Clause, Detected]] = set()
    left_open: set[tuple[Clause, Detected]] = set()
    placed = {
        clause: (sentence, place) for sentence in sentences for place, clause in enumerate(sentence.clauses)
    }
    disowned = set(_disowned(placed, phrases))
    for item, verdict in phrases:
        clause, hit, *_ = item
        claim: tuple[Clause, Detected] = (clause, hit.phrase.family)
        if verdict == "open":
            left_open.add(claim)
        elif verdict == "known" or (
            verdict != "perhaps" and known.inherit and _is_retold(clause, hit, known, detector)
        ):
            allowed.add(claim)
        elif verdict != "perhaps":
            is_reworded = _rewords(scores.get(clause), item, verdict, known, detector)
            sure = not (hit.phrase.doubtful or is_reworded) and news.get(clause, 0.0) < _NEWS_MARGIN
            (violations if sure else concerns).append(explain.of_phrase(revised, clause, hit, sure=sure))
    violations += (
        explain.of_opposite(revised, clause)
        for clause, features in changed
        if _is_opposite(clause, features, known)
    )
    for clause, features in changed:
        weighed = scores[clause]
        claim = (clause, weighed.family)
        is_kept = claim in allowed or clause in disowned or (weighed.family == "scope" and alone)
        if is_kept or _is_told_again(clause, weighed, placed[clause][0], known):
            continue
        is_supposed = weighed.family == "scope" and "O" in mood_of(clause.words)
        margin = _UNSURE_MARGIN if alone or is_supposed or claim in left_open else 0.0
        doubtful, certain = detector.bounds[weighed.family]
        sure = weighed.log_odds >= certain + margin
        if sure or weighed.log_odds >= doubtful:
            explained = len(violations) + len(concerns) < _MOST_EXPLAINED
            influence = detector.influence(features) if explained else {}
            finding = explain.of_clause(revised, clause, weighed, influence, sure=sure)
            (violations if sure else concerns).append(finding)
    spans = {} if alone else {explain.span_of(revised, clause): it for clause, it in scores.items()}
    novelty = {span: it.fact - _NEWS_SHARE * it.news - detector.fact_bound for span, it in spans.items()}
    unrelated = tuple(span for span in spans if novelty[span] < 0 and spans[span].news >= _UNRELATED_BOUND)
    return Claims(_distinct(violations), _distinct(concerns, violations), tuple(novelty.items()), unrelated)


def _disowned(
    placed: dict[Clause, tuple[Sentence, int]], phrases: list[tuple[Spoken, Verdict]]
) -> Iterator[Clause]:
    """Yield the clauses that make no claim beyond doubt: conditions, rejected hearsay, and questions."""
    yield from (clause for clause, place in placed.items() if is_led_by_condition(*place))
    for item, verdict in phrases:
        # The answer to a question is judged by itself.
        if verdict == "open" and (item.disowned or placed[item.clause][0].asks):
            yield item.clause


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
    if family == "resolution" and is_over(known):
        before = content_of(clause.words[: hit.start]) - GENERAL
        return not is_open(before, known) and is_known_step(clause.words, hit, known)
    subject, content = subject_of(clause.words, hit), content_of(clause.words)
    for odds, piece in _claiming(known, detector).get(family, ()):
        if odds >= _TOLD_BOUND and (
            family == "liability" or content <= piece.stems or (subject and subject <= piece.stems)
        ):
            return True
    return False


def _rewords(
    weighed: Weighed | None, item: Spoken, verdict: Verdict, known: Known, detector: Detector
) -> bool:
    """Whether the detector takes a plain claim for a known one of its family in other words."""
    family, words = item.hit.phrase.family, item.clause.words
    if weighed is None or weighed.log_odds > _REWORDED_BOUND:
        return False
    is_new = verdict == "new" and (family != "resolution" or is_of_whole(words, item.hit, known))
    if is_new or (family == "resolution" and not _ADDING.isdisjoint(words)):
        return False
    # Without an original, the odds say little of what is known.
    least = _HINTED_BOUNDS.get(family, 0.0) if known.stems_of_original else _TOLD_BOUND
    told = [piece for odds, piece in _claiming(known, detector).get(family, ()) if odds >= least]
    if family == "commitment":
        told += (piece for piece in known.pieces if piece.source == "a")
    if family == "resolution" and weighed.log_odds <= _CERTAIN_BOUND and not names_whole(words, item.hit):
        return bool(told)
    named = subject_of(words, item.hit) - GENERAL - POINTING
    if named and named.isdisjoint(known.stems):
        return weighed.log_odds <= _CERTAIN_BOUND and bool(told)
    about = said_of(item, known)
    if family == "resolution" and (is_open(about, known) or is_open(named, known)):
        return False
    return any(not (about and about.isdisjoint(known.sentence_stems(piece))) for piece in told)


def _is_told_again(clause: Clause, weighed: Weighed, sentence: Sentence, known: Known) -> bool:
    """Whether a clause repeats a known one, or says in free words again that the incident is over."""
    if _repeats_known(clause, known, strict=weighed.family != "scope"):
        return True
    if weighed.family != "resolution" or not (known.inherit and is_over(known)):
        return False
    content = frozenset().union(*(content_of(item.words) for item in sentence.clauses)) - GENERAL
    said = content_of(clause.words) & known.stems - GENERAL
    return len(content - known.stems) <= _MOST_FREE + bool(said) and not is_open(said, known)


@lru_cache(maxsize=64)
def _claiming(known: Known, detector: Detector) -> dict[Detected, list[tuple[float, Piece]]]:
    """Return the known clauses that may make a claim, by its family, each with its log odds.

    Those of plain claims are infinite.
    """
    nothing = Known("", (), (), inherit=False)
    own = [Sentence((Clause(piece.words, ()),), piece.asks, False) for piece in known.pieces]
    features = [clause_features(sentence, 0, None, nothing) for sentence in own]
    found: dict[Detected, list[tuple[float, Piece]]] = {}
    for piece, weighed in zip(known.pieces, detector.weigh(features), strict=True):
        if not piece.asks:
            found.setdefault(weighed.family, []).append((weighed.log_odds, piece))
    for piece in known.pieces:
        for family in families_of(piece):
            found.setdefault(family, []).append((inf, piece))
    return found


def _distinct(findings: list[Finding], others: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Return findings in the order of the text, without those that overlap an earlier one or ``others``."""
    kept: list[Finding] = []
    for item in findings:
        start, end = item.span
        if not any(start < seen.span[1] and seen.span[0] < end for seen in (*kept, *others)):
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.span))
