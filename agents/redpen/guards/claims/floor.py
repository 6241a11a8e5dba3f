"""Plain claims that a revision affirms and nothing known allows."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from redpen.guards.claims.clauses import Clause, Sentence, content_of, without_lead
from redpen.guards.claims.phrases import Family, Hit, floor
from redpen.guards.claims.polarity import DENYING, FINITE, OPENING, affirms, is_disowned, is_fragment
from redpen.guards.data import word_set
from redpen.guards.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.claims.clauses import Known, Piece

_STEPS = word_set("floor", "steps")
_INTRODUCING = frozenset(map(stem, word_set("floor", "introducing")))
_NO_SUBJECTS = _INTRODUCING | frozenset(map(stem, _STEPS))
_WHOLES = word_set("floor", "wholes")
_NAMED = frozenset("we service services system systems".split())
"""Words for the whole that a name makes a part of it."""
_INCIDENT = word_set("floor", "incident")
GENERAL = frozenset(map(stem, _WHOLES | _INCIDENT))
"""Stems of words for the incident, or for all of what it hit."""
_STATUS = frozenset(map(stem, ("status", "state", "resolution", "outcome")))
_UNENDED = word_set("floor", "unended")
_WORKING = word_set("floor", "working")
_NOT_HIT = frozenset(("not", "unaffected", "unharmed", "safe", "intact"))
"""Words with which a value of the context says, without a verb, that something is not affected."""
POINTING = frozenset(map(stem, word_set("floor", "pointing")))
_TRYING = frozenset(map(stem, "work try aim seek plan attempt prepare hope look continue".split()))
"""Content words of an action that is not done for certain."""
_STANDING = frozenset(("usual", "normal", "normally"))
"""Words of a phrase by which something was never hit, or no longer is."""
_ANTECEDENT = 3
"""Words before "which" that are read as its antecedent."""
_ARTICLES = frozenset("the a an your our their all any".split())
_DEFINITE = frozenset("the your these those this".split())
_LISTING = frozenset(("and", "or", "nor", "plus"))
_MOST_LISTED = 5
"""Longest clause, in words, that may continue the list of the clause before."""
_TOLD_AGAIN = 0.75
"""Least known share of the content of a clause that repeats a known statement."""
_SAME_SUBJECT = 0.4
"""Least share of the content of a clause that a known clause has to have to allow its claim."""
Told = Literal["known", "perhaps"] | None
Verdict = Literal["new", "reworded", "perhaps", "known", "open"]
"""Nothing known allows the phrase, so the detector may acquit it at most as a known partial recovery; it may
reword a known claim of its family, so the detector may acquit it; its content is known, so the detector
decides; it is known itself; it is denied or left open."""


class Spoken(NamedTuple):
    """A phrase of the floor in a text.

    Attributes:
        clause: its clause.
        hit: the phrase.
        affirmed: whether the clause affirms it; otherwise it denies it or leaves it open.
        disowned: whether it does so beyond doubt, see ``is_disowned``.
        before: the clauses before it in its sentence; if it is the first, those of the previous sentence.
        beside: the next clause of its sentence, if there is one.
    """

    clause: Clause
    hit: Hit
    affirmed: bool
    disowned: bool
    before: tuple[Clause, ...]
    beside: tuple[Clause, ...]


@lru_cache(maxsize=64)
def spoken(sentences: tuple[Sentence, ...]) -> tuple[Spoken, ...]:
    """Return the phrases of the floor in a text, in its order."""
    find = floor().find
    return tuple(
        Spoken(
            clause,
            hit,
            affirms(sentence, place, hit, after),
            is_disowned(sentence, place, hit, after),
            sentence.clauses[:place] or ended,
            sentence.clauses[place + 1 : place + 2],
        )
        for ended, sentence, after in zip(
            ((), *(sentence.clauses for sentence in sentences)),
            sentences,
            (*sentences[1:], None),
            strict=False,
        )
        for place, clause in enumerate(sentence.clauses)
        for hit in find(clause.words)
        # "No-claims discount" denies nothing.
        if clause.words[hit.start] != "no" or not clause.is_hyphenated(hit.start)
    )


def judge_phrases(sentences: tuple[Sentence, ...], known: Known) -> Iterator[tuple[Spoken, Verdict]]:
    """Yield the phrases of the floor in a text, each with its verdict.

    Args:
        sentences: those of the text.
        known: the statements of original and context, and whether their claims may be repeated.
    """
    for item in spoken(sentences):
        yield item, _verdict(item, known) if item.affirmed else "open"


def _verdict(item: Spoken, known: Known) -> Verdict:
    """Return the verdict on an affirmed phrase."""
    words, hit = _with_antecedent(item)
    also = _said_of_others(item.beside, known)
    # A step, a part or a scope may be repeated; a full recovery may not.
    again = not also and (known.inherit or hit.phrase.again != "never" or _is_part(words, hit))
    if again and without_lead(item.clause.words) in known.wordings:
        return "known"
    listed = (*_listed(words, hit), content_of(also))
    is_claimed = all(_is_claimed(stems - known.names, known, hit) for stems in listed)
    told = _told_of(item, words, hit, known) if is_claimed else None
    if told == "known":
        return told
    subject = content_of(words[: hit.start]) if hit.phrase.family == "resolution" else None
    if subject and any(subject <= piece.stems for piece in _unended(known)):
        return "new"
    if told and not _is_turned(words, known):
        return told
    return "reworded" if again and is_claimed else "new"


def subject_of(words: tuple[str, ...], hit: Hit) -> frozenset[str]:
    """Return the content of a clause besides a phrase and words that name no subject."""
    return content_of(words[: hit.start] + words[hit.end :]) - _NO_SUBJECTS


def said_of(item: Spoken, known: Known) -> frozenset[str]:
    """Return the known content of a clause besides its phrase; if it has none, that of the clauses beside it.

    The phrase of a resolution may name its subject itself.
    """
    words, hit = item.clause.words, item.hit
    own = content_of(words[: hit.start] + words[hit.end :]) - POINTING - GENERAL
    if not own and hit.phrase.family == "resolution":
        own = content_of(words) & known.stems - POINTING - GENERAL
    if own:
        return own & known.stems
    return frozenset().union(*(content_of(clause.words) for clause in (*item.before, *item.beside)))


def is_known_step(words: tuple[str, ...], hit: Hit, known: Known) -> bool:
    """Whether a phrase is no repair step, or one of something known."""
    is_step = not _STEPS.isdisjoint(words[hit.start : hit.end])
    return not is_step or content_of(words[: hit.start] + words[hit.end :]) <= known.stems | _NO_SUBJECTS


def is_of_whole(words: tuple[str, ...], hit: Hit, known: Known) -> bool:
    """Whether a claim may be that the incident is over, which the hint forbids, or has no original."""
    is_whole = names_whole(words, hit) or is_over(known)
    return not known.stems_of_original or (is_whole and not known.inherit)


def names_whole(words: tuple[str, ...], hit: Hit) -> bool:
    """Whether a claim names the incident, or all of what it hit; "we" and a service with a name do not."""
    named = (_INCIDENT | _WHOLES).intersection(words)
    return not named <= _NAMED or not (named <= {"we"} or subject_of(words, hit) - GENERAL)


@lru_cache(maxsize=64)
def is_over(known: Known) -> bool:
    """Whether a known clause claims a resolution of the incident, or of nothing that its sentence names."""
    return any(
        not _INCIDENT.isdisjoint(piece.words)
        or not known.sentence_stems(piece) - GENERAL - _STATUS - content_of(words)
        for piece in known.pieces
        for words in _resolving(piece)
    )


def _resolving(piece: Piece) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a resolution that a known clause affirms."""
    if "resolution" not in families_of(piece):
        return ()
    alone = Sentence((Clause(piece.words, ()),), piece.asks, False)
    hits = [item.hit for item in spoken((alone,)) if item.affirmed and item.hit.phrase.family == "resolution"]
    return tuple(piece.words[hit.start : hit.end] for hit in hits)


def is_open(subject: frozenset[str], known: Known) -> bool:
    """Whether a subject is unknown, or a known clause says of a part of it that it is not over."""
    if not subject:
        return False
    unended = any(not subject.isdisjoint(piece.stems) for piece in _unended(known))
    return unended or subject.isdisjoint(known.stems)


def _unended(known: Known) -> Iterator[Piece]:
    """Yield the known clauses that say of something that it is not over."""
    return (piece for piece in known.pieces if not _UNENDED.isdisjoint(piece.vocabulary))


def _told_of(item: Spoken, words: tuple[str, ...], hit: Hit, known: Known) -> Told:
    """Return how a known statement allows a claim about its own subject, or about what stands beside it."""
    lacks_subject = _lacks_subject(item, known)
    if lacks_subject and hit.phrase.again in ("scope", "always"):
        return _told_beside(item, known)
    told = _told_again(words, hit, known)
    if told or not (lacks_subject and known.inherit and _told_beside(item, known) == "known"):
        return told
    return "known"


def _with_antecedent(item: Spoken) -> tuple[tuple[str, ...], Hit]:
    """Return the words of a clause and its phrase, with what precedes it in place of "which"."""
    words, hit = item.clause.words, item.hit
    if words[0] != "which" or not item.before:
        return words, hit
    named = item.before[-1].words[-_ANTECEDENT:]
    moved = len(named) - 1
    return (*named, *words[1:]), hit._replace(start=hit.start + moved, end=hit.end + moved)


def _lacks_subject(item: Spoken, known: Known) -> bool:
    """Whether a claim names no subject: "so it is not affected"."""
    words, hit = item.clause.words, item.hit
    own = content_of(words) - content_of(words[hit.start : hit.end]) - known.names - POINTING
    return not own


def _told_beside(item: Spoken, known: Known) -> Told:
    """Return how a known statement allows a claim about what the clauses beside it name."""
    words, hit = item.clause.words, item.hit
    claimed = content_of(words[hit.start : hit.end])
    near = frozenset().union(*(content_of(clause.words) for clause in (*item.before, *item.beside)))
    told: Told = None
    for piece in known.pieces:
        is_claim, is_worded = _claims(piece, hit), claimed <= piece.stems
        if is_claim or is_worded:
            about = piece.stems - claimed or known.sentence_stems(piece) - claimed
            shared = len(about & near)
            is_told = is_claim or piece.source == "a"
            if is_told and 0 < min(len(about), len(near)) <= 2 * shared:
                return "known"
            told = "perhaps" if shared or not near else told
    return told


def _told_again(words: tuple[str, ...], hit: Hit, known: Known) -> Told:
    """Return how a known statement allows a claim; None if none does."""
    part, family, again = _is_part(words, hit), hit.phrase.family, hit.phrase.again
    claimed = content_of(words[hit.start : hit.end])
    about = content_of(words)
    if family == "cause":
        # The cause has to be known, not its effect.
        about = content_of(words[hit.end :]) or about
    subject = content_of(words[: hit.start])
    holding = [piece for piece in known.pieces if subject <= piece.stems] if subject else []
    is_worded = family != "resolution" or not claimed.isdisjoint(known.stems)
    if again == "scope" and is_worded and any(_is_claimed_of(piece, known, hit) for piece in holding):
        return "known"
    retold = len(about & known.stems) >= _TOLD_AGAIN * len(about)
    # What the original is about, such as vouchers that no till takes.
    is_mentioned = hit.end - hit.start == 1 and words[hit.start - 1] in _DEFINITE
    is_of_one = (known.inherit or part) and any(_is_whole(piece, about) for piece in known.pieces)
    is_retold = retold and (again != "never" or is_of_one)
    if family == "commitment":
        is_retold = is_retold and claimed <= known.stems
        is_retold = is_retold or (is_mentioned and claimed <= known.stems_of_original)
    if is_retold:
        return "perhaps"
    is_unchanged = not _STANDING.isdisjoint(words[hit.start : hit.end])
    is_step_or_scope = part or again == "scope" or is_unchanged
    if is_step_or_scope and subject and any(_is_well(piece, subject) for piece in known.pieces):
        return "perhaps"
    if family == "cause":
        return None
    # The words of the phrase are not its subject.
    about = about - claimed - known.names or about
    either = known.inherit or part or again != "never"
    if any(_allows(piece, hit, about, claimed, either) for piece in known.pieces):
        return "known"
    claiming = (it for it in known.pieces if _claims(it, hit) or (claimed and _is_whole(it, claimed)))
    is_arranged_anew = either and retold and any(not about.isdisjoint(piece.stems) for piece in claiming)
    return "perhaps" if is_arranged_anew else None


def _allows(piece: Piece, hit: Hit, about: frozenset[str], claimed: frozenset[str], either: bool) -> bool:
    """Whether a known clause makes a claim about a similar subject; an approved promise need only name it."""
    of_action = piece.source == "a"
    enough = _SAME_SUBJECT * len(about) / (1 if hit.phrase.again == "never" else 2)
    if not (of_action or either) or len(about & piece.stems) < enough:
        return False
    is_named = of_action and hit.phrase.family != "resolution" and bool(claimed) and claimed <= piece.stems
    if hit.phrase.family == "guarantee":
        # "Correct the bills" promises it, "work to restore them" does not.
        is_named = is_named and _TRYING.isdisjoint(piece.stems)
    return is_named or _claims(piece, hit)


def _is_turned(words: tuple[str, ...], known: Known) -> bool:
    """Whether the nearest known clause has the same content but the opposite polarity, or asks."""
    stems = content_of(words)
    _, _, piece = known.nearest(frozenset(words), stems)
    if piece is None or piece.stems != stems:
        return False
    return piece.asks or DENYING.isdisjoint(words) != DENYING.isdisjoint(piece.vocabulary)


def _listed(words: tuple[str, ...], hit: Hit) -> Iterator[frozenset[str]]:
    """Yield the content of each part of the list that a phrase is about; nothing without a list.

    A part with a verb before the last "and" is its own statement: "it was split and the incident is closed".
    """
    is_followed = hit.phrase.family in ("cause", "commitment")
    side = words[hit.end :] if is_followed else without_lead(words[: hit.start] or ("",))
    joints = [at for at, word in enumerate(side) if word in _LISTING]
    if joints:
        parts = [side[start + 1 : end] for start, end in pairwise((-1, *joints, len(side)))]
        yield from (content_of(part) for part in parts if part is parts[-1] or FINITE.isdisjoint(part))


def _said_of_others(after: tuple[Clause, ...], known: Known) -> tuple[str, ...]:
    """Return the words by which the next clause adds a subject of its own: "and the groceries"."""
    words = after[0].words if after else ()
    is_list = words[:1] in (("and",), ("but",)) and not _ARTICLES.isdisjoint(words[1:2])
    is_short = len(words) <= _MOST_LISTED and FINITE.isdisjoint(words)
    return words[1:] if is_list and is_short and words[1:] not in known.wordings else ()


def _is_claimed(stems: frozenset[str], known: Known, hit: Hit) -> bool:
    """Whether a known clause makes the same claim about one part of a list, or is that part."""
    return not stems or any(
        not stems.isdisjoint(piece.stems)
        and (piece.source == "a" or _is_claimed_of(piece, known, hit) or stems == piece.stems)
        for piece in known.pieces
    )


def _is_claimed_of(piece: Piece, known: Known, hit: Hit) -> bool:
    """Whether a known clause affirms a phrase of the same family, or names things of which the next one does.

    "The shop and the app are not affected" has two clauses.
    """
    if not is_fragment(piece.words):
        return _claims(piece, hit)
    place = (piece.source, piece.sentence)
    return any((it.source, it.sentence) == place and _claims(it, hit) for it in known.pieces)


def _is_part(words: tuple[str, ...], hit: Hit) -> bool:
    """Whether a clause reports a step or a partial recovery, not a full one."""
    if hit.phrase.family != "resolution":
        return False
    if not _STEPS.isdisjoint(words[hit.start : hit.end]):
        # "We" take the step, and a service with a name is no more than a part.
        of_part = content_of(words) - _NO_SUBJECTS
        return bool(of_part) and _WHOLES.isdisjoint(set(words) - ({"we"} if of_part <= GENERAL else _NAMED))
    # A single subject is all that was hit.
    besides = content_of(words[: hit.start] + words[hit.end :]) - _INTRODUCING
    return _WHOLES.isdisjoint(words) and len(besides) > 1


def _is_well(piece: Piece, subject: frozenset[str]) -> bool:
    """Whether a known clause says that a subject works."""
    shared = len(subject & piece.stems)
    is_said = (DENYING | OPENING).isdisjoint(piece.vocabulary)
    return is_said and 2 * shared > len(subject) and not _WORKING.isdisjoint(piece.vocabulary)


def _is_whole(piece: Piece, about: frozenset[str]) -> bool:
    """Whether a known clause states all of a content, neither denied nor left open nor under way."""
    if piece.asks or not about <= piece.stems or not (DENYING | OPENING).isdisjoint(piece.vocabulary):
        return False
    return not any(word.endswith("ing") and stem(word) in about for word in piece.vocabulary)


def _claims(piece: Piece, hit: Hit) -> bool:
    """Whether a known clause affirms a phrase of the same family; a repair step is no recovery."""
    if hit.phrase.family not in families_of(piece):
        return False
    is_recovery = hit.phrase.again == "scope" and hit.phrase.family == "resolution"
    return not is_recovery or _STEPS.isdisjoint(piece.words)


@lru_cache(maxsize=1024)
def families_of(piece: Piece) -> frozenset[Family]:
    """Return the families of the phrases that a known clause affirms beyond doubt."""
    wordings = (piece.words, _with_verb(piece.words)) if piece.source == "x" else (piece.words,)
    alone = [Sentence((Clause(words, ()),), piece.asks, False) for words in wordings if floor().find(words)]
    said = (item.hit.phrase for sentence in alone for item in spoken((sentence,)) if item.affirmed)
    return frozenset(phrase.family for phrase in said if not phrase.doubtful)


def _with_verb(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a value of the context with a verb: "not affected: cinema"."""
    at = next((at for at, word in enumerate(words) if word in _NOT_HIT), None)
    return words if at is None or not FINITE.isdisjoint(words) else (*words[:at], "is", *words[at:])
