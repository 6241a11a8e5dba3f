"""What leads up to a statement, and takes nothing back of it: "we would like to inform you that …"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import Clause
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.claims.clauses import Sentence

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


def from_statement(sentence: Sentence, place: int, start: int) -> tuple[Sentence, int, int]:
    """Return a sentence from where the statement of one of its clauses begins.

    Args:
        sentence: the sentence.
        place: the clause, from 0.
        start: word of that clause before which the lead-in ends.

    Returns:
        The sentence without what leads up to the statement, the clause in it, and how many of the clause's
        words were left out.
    """
    if sentence.asks and sentence.clauses[0].words[0] == "why":
        # Whoever asks why it is so says that it is.
        sentence = sentence._replace(asks=False)
    clause = sentence.clauses[place]
    lead = (*sentence.clauses[place - 1].words, *clause.words[:1]) if place else ()
    if lead and _LEADING_UP.search(" ".join(lead) + " "):
        sentence, place = sentence._replace(clauses=sentence.clauses[place:]), 0
    ends = (
        [match.end() for match in _LEADING_UP.finditer(" ".join(clause.words[:start]) + " ")] if start else []
    )
    if not ends:
        return sentence, place, 0
    skipped = " ".join(clause.words).count(" ", 0, ends[-1])
    rest = Clause(clause.words[skipped:], clause.tokens[skipped:])
    return sentence._replace(clauses=(rest, *sentence.clauses[place + 1 :])), 0, skipped
