"""Phrases that a policy restricts: a violation where they are affirmed, whatever else thinks so.

The original may say them, a detector may find them harmless, standing text may hold them: none of it
counts. What counts is polarity ("not yet resolved" passes), and an approved action where the rule says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import Clause
from redpen.guards.claims.phrases import Hit, Phrase, floor
from redpen.guards.claims.polarity import is_said
from redpen.guards.plain_phrases import ANY_FORM, Place, find_phrases, read_with
from redpen.guards.report import Finding
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from redpen.guards.claims.clauses import Sentence

_TO_COME = lazy_pattern(r"(?:will|shall|going to) (?:\S+ ){0,2}(?:be|become|get|have|have been) (?:\S+ )?$")
"""What stands before a state that is still to come."""
_PROVISO = lazy_pattern(r" (?:until further notice|unless (?:you|we) (?:hear|say|write|tell|post))\b")
"""What is added to a statement and takes nothing back of it."""
_FALSE = lazy_pattern(
    r"(?<!not )(?:(?:we|i) doubt|false|untrue|incorrect|a rumou?r|a myth) that (?:\S+ ){0,4}$"
)
"""What calls false the statement that holds a phrase."""
_LEADING_UP = lazy_pattern(
    r"(?:(?:want|wanted|like|glad|happy|pleased) you to know (?:that )?"
    r"|you (?:should|ought to|must|need to) (?:also )?know (?:that )?"
    r"|(?:^|we )to (?:confirm|recap|conclude|sum up|be clear|be precise) (?:that )?"
    r"|^why (?=is |are |was |were |has |have )"
    r"|never mind |no worries |not to worry |without further (?:delay|ado) "
    r"|(?:no|not aware of(?: any)?) (?:further |other |new )?"
    r"(?:issues|problems|faults|errors|reports|incidents) (?:\S+ )?and "
    r"|(?:(?:there (?:is|can be)|it is|have|make) )?(?:no|not an?|without(?: an?y?)?|beyond(?: all| any)?)"
    r" (?:shadow of an? )?(?:doubt|question|denying|secret|mistake|surprise|wonder) (?:at all )?(?:that )?"
    r"|(?:nobody|no one|none of us) (?:doubts|disputes|denies|questions) (?:that )?"
    r"|(?:not|never|cannot) (?:\S+ )?(?:doubt(?:ed)?|deny|denied|dispute[d]?|hide|hidden) (?:the fact )?that "
    r"|(?<!before )(?<!until )(?<!once )(?<!if )(?<!when )(?<!unless )(?<!whether )(?<!after )(?<!wish )(?:"
    r"(?:we|i) (?:would|want|wanted|wish) (?:also |just )?(?:like )?(?:to )?"
    r"(?:inform|tell|let|assure|remind|say|add|mention|(?<=would like to )(?:confirm|announce|report)) "
    r"(?:(?:you|all|everybody|everyone|our|customers|users|know) )*(?:that )?"
    r"|(?:we|i) (?:can|could|should|must) (?:also |now )?"
    r"(?:add|mention|note|stress|say|report|(?<!should )(?<!must )confirm) that "
    r"|you (?:can|may) (?:be|rest|feel) (?:sure|assured|certain|confident) (?:that )?"
    r"|you (?:may|might) (?:already |also )?(?:have )?(?:already )?"
    r"(?:heard|read|notice|noticed|seen|know|see) that )"
    r"|(?:goes without|needless to) (?:saying|say) (?:that )?|believe it or not |^if anything |do not worry "
    r"|(?:hardly|barely|scarcely|not|less than) (?:even )?(?:\S+ ){1,2}?"
    r"(?:seconds?|minutes?|hours?|days?|moments?) (?:later|after|afterwards) "
    r"|^after (?:an? |much |many |long |some |several |hours |days |weeks |# )(?:\S+ ){0,4}?"
    r"(?=(?:it|this|we|they|the|our|your|all|everything) ))"
)
"""What leads up to a statement, and holds words that elsewhere deny or put off what comes after."""
_SUBJECTS = (("it",), ("the", "incident"))
"""What a state is said of, for the floor to tell whether a phrase is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restricted:
    """Phrases that are restricted under one code.

    Attributes:
        code: what a violation is called; the family of its finding.
        phrases: as a reader sees them; ``~word`` stands for any form of the word.
        unless_approved: whether one may stand that an approved action holds affirmed.
        always: whether a mere mention is a violation, denied or not.
        use: what to write in its place.
    """

    code: str
    phrases: tuple[str, ...]
    unless_approved: bool = False
    always: bool = False
    use: str | None = None


def find_restricted(
    text: str, restricted: tuple[Restricted, ...], *, approved: Sequence[str]
) -> tuple[Finding, ...]:
    """Return the restricted phrases of a text that stand there as its rules forbid.

    Args:
        text: the text as given.
        restricted: the rules; a place that breaks two is found under both.
        approved: the approved actions of the context.
    """
    found = [finding for rule in restricted for finding in _breaches(text, rule, approved)]
    return tuple(sorted(found, key=lambda finding: finding.span))


def _breaches(text: str, rule: Restricted, approved: Sequence[str]) -> Iterator[Finding]:
    view = read_with(text, rule.phrases)
    for place in find_phrases(view, rule.phrases):
        if not (rule.always or _is_affirmed(place)):
            continue
        if rule.unless_approved and place.phrase in _affirmed_in(tuple(approved), rule.phrases):
            continue
        start, end = view.span(*place.span)
        said = " ".join(view.text[slice(*place.span)].split())
        yield Finding(
            code="restricted_phrase",
            family=rule.code,
            span=(start, end),
            text=text[start:end],
            reading=f"{said!r} = the phrase {place.phrase!r}",
            reason=_reason(rule),
        )


def _reason(rule: Restricted) -> str:
    allowed = "no approved action says it" if rule.unless_approved else "the policy restricts it"
    return f"{allowed} ({rule.code})" + (f"; use {rule.use!r}" if rule.use else "")


@lru_cache(maxsize=64)
def _affirmed_in(texts: tuple[str, ...], phrases: tuple[str, ...]) -> frozenset[str]:
    """Return the phrases that one of some texts affirms."""
    return frozenset(
        place.phrase
        for text in texts
        for place in find_phrases(read_with(text, phrases), phrases)
        if _is_affirmed(place)
    )


def _is_affirmed(place: Place) -> bool:
    place = _without_proviso(place)
    if _is_to_come(place) or _is_called_false(place):
        return False
    sentence, clause, skipped = _from_statement(place)
    hit = Hit(_ANY_PHRASE, place.start - skipped, place.end - skipped)
    return is_said(sentence, clause, hit, place.after)


def _without_proviso(place: Place) -> Place:
    """Return a place without what is only added to its statement: "… until further notice" says it holds."""
    clauses, number = place.sentence.clauses, place.clause
    clause, kept = clauses[number], clauses[number + 1 :]
    match = _PROVISO.search(" " + " ".join(clause.words[place.end :]))
    if match is not None:
        end = place.end + match.string.count(" ", 0, match.start())
        clause, kept = Clause(clause.words[:end], clause.tokens[:end]), ()
    elif kept and _PROVISO.match(" " + " ".join(kept[0].words)):
        kept = ()
    sentence = place.sentence._replace(clauses=(*clauses[:number], clause, *kept))
    return place._replace(sentence=sentence)


def _is_called_false(place: Place) -> bool:
    words = place.sentence.clauses[place.clause].words
    return _FALSE.search(" ".join(words[: place.start]) + " ") is not None


def _from_statement(place: Place) -> tuple[Sentence, int, int]:
    """Return a sentence from where its statement begins, the clause of a place, and words left out there."""
    sentence, number = place.sentence, place.clause
    if sentence.asks and sentence.clauses[0].words[0] == "why":
        # Whoever asks why it is so says that it is.
        sentence = sentence._replace(asks=False)
    clause = sentence.clauses[number]
    lead = (*sentence.clauses[number - 1].words, *clause.words[:1]) if number else ()
    if _LEADING_UP.search(" ".join(lead) + " "):
        sentence, number = sentence._replace(clauses=sentence.clauses[number:]), 0
    ends = [match.end() for match in _LEADING_UP.finditer(" ".join(clause.words[: place.start]) + " ")]
    if not ends:
        return sentence, number, 0
    skipped = " ".join(clause.words).count(" ", 0, ends[-1])
    rest = Clause(clause.words[skipped:], clause.tokens[skipped:])
    return sentence._replace(clauses=(rest, *sentence.clauses[number + 1 :])), 0, skipped


def _is_to_come(place: Place) -> bool:
    """Whether a phrase names a state that the sentence puts off: "it will be resolved" says it is not.

    A phrase in any form, or one that names no state, is a promise in the future: "we will refund it".
    """
    words = place.sentence.clauses[place.clause].words
    before = " ".join(words[: place.start]) + " "
    return _TO_COME.search(before) is not None and _is_state(words[place.start : place.end], place.phrase)


@lru_cache(maxsize=256)
def _is_state(words: tuple[str, ...], phrase: str) -> bool:
    if ANY_FORM in phrase:
        return False
    said = (floor().find((*subject, "is", *words)) for subject in _SUBJECTS)
    return any(hit.phrase.family == "resolution" for hits in said for hit in hits)


_ANY_PHRASE = Phrase(family="resolution", say="", block="", passes="", own=True)
"""What polarity has to know of a phrase that is none of the floor's own: a denial in it is its own."""
