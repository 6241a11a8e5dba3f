"""What a phrase of certainty is about: news alone, or, in a second verb, what the first one leaves open."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS, Match
from redpen.guards.claims.phrases import Phrase
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.scope import subject_words

_TO_FOLLOW = frozenset(
    "follow see find check read track contact reach use view tell ask get keep let post share write "
    "update inform report include".split()
)
"""What readers may be sure or able to do, and we to do for them, without a claim."""
_READERS = frozenset("you everyone customers guests visitors members users".split())
_FATED = frozenset("bound sure certain destined".split())
"""Words of what something cannot but do."""
_VOWED = frozenset("pledge pledges pledged pledging vow vows vowed vowing swear swears swore sworn".split())
_PLANS = frozenset("planned scheduled due expected meant set hoped".split())
_SWEARS = frozenset("will 'll shall we i".split())
_PURPOSES = frozenset(("so", "in"))
_WHATEVER = frozenset("whatever whichever wherever whoever however".split())
_TIMES = frozenset("before after until till".split())
_CASES = t.CONDITION | t.HARD_CONDITION
SURELY = frozenset(
    "any each every either always never ever forever come take us word oath matter whatever whichever "
    "wherever however sure surely certain certainly doubt question fail exception heart what".split()
)
"""Words that swear, or leave no exception, and are no words of content."""


def is_of_news(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether what a phrase makes certain is only that readers find or get news, or do what is told them.

    Args:
        sentence: the sentence.
        match: where the phrase stands.
    """
    words = sentence.words
    after = words[match.end : match.end + 2]
    if not _VOWED.isdisjoint(words[match.start : match.end]):
        return False
    if match.row.pattern.endswith(" to"):
        ours = after[:1] == ["get"] and words[max(0, match.start - 1)] in ("we", "i")
        if not _FATED.isdisjoint(words[match.start : match.end]) and words[:3][-2:].count("that"):
            # "So that updates are sure to reach you" tells what is asked for.
            return words[0] in _PURPOSES
        fated = not _FATED.isdisjoint(words[match.start : match.end]) and not _is_of_reader(
            sentence, match.start
        )
        return not (ours or fated) and not _TO_FOLLOW.isdisjoint(after[:1])
    follows = after[:1] == ["to"] and not _TO_FOLLOW.isdisjoint(after[1:])
    return match.row.family == "guarantee" and follows


def _is_of_reader(sentence: Sentence, start: int) -> bool:
    """Whether readers are the subject of the verb at ``start`` ("you are sure to find the desk")."""
    begin, end = subject_words(sentence, start)
    return not _READERS.isdisjoint(sentence.words[begin:end])


def is_sworn_besides(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a guarantee stands in a second verb ("we are looking into it and will, without fail, ...").

    Args:
        sentence: the sentence.
        match: where the phrase stands.
    """
    words, start = sentence.words, match.start
    if match.row.family != "guarantee" or "and" not in words[:start]:
        return False
    after = words[start - words[start - 1 :: -1].index("and") : start]
    return not after or not _SWEARS.isdisjoint(after)


def is_planned(sentence: Sentence, index: int) -> bool:
    """Whether what is to be done at the latest by some time is said to be planned so.

    Args:
        sentence: the sentence.
        index: where the words for the latest time begin.
    """
    words, tags = sentence.words, sentence.tags
    for at in range(index - 1, -1, -1):
        if words[at] in _PLANS:
            return True
        if words[at] in CLAUSE_MARKS and not (words[at] == ":" and tags[at + 1] & t.NUMBER):
            return False
    return False


def is_only_timed(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether what is sworn to has no condition, but a time, or whatever happens ("before the bell").

    Args:
        sentence: the sentence.
        match: where the phrase stands.
    """
    if match.row.family != "guarantee":
        return False
    harmless = _WHATEVER | _TIMES if match.row.use == "always" else _WHATEVER
    cases = {
        word
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
        if tag & _CASES and not match.start <= sentence.words.index(word) < match.end
    }
    return bool(cases) and not sentence.question and "that" not in sentence.vocabulary and cases <= harmless


def swears_anew(claim: Claim, revised: str, original: str) -> bool:
    """Whether a claim swears in a word that the original does not hold ("will be sent in any case").

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
    """
    if claim.family != "guarantee":
        return False
    known = frozenset().union(*[sentence.vocabulary for sentence in read_sentences(original)])
    return any(
        not (
            SURELY.intersection(sentence.words[at] for at in sentence.within(claim.start, claim.end)) <= known
        )
        for sentence in read_sentences(revised)
        if sentence.span(0, -1)[0] <= claim.start < sentence.span(0, -1)[1]
    )
