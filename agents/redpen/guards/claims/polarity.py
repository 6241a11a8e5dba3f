"""Whether a clause affirms what it says, denies it or leaves it open: the only place that decides it.

What a phrase of the floor says counts where a reader would hold the writer to it. It does not where a word
before it denies it ("is not fixed"), asks, conditions or puts it off ("once it is fixed", "we hope to have it
fixed"), where a word after it does ("fixed? not yet", "is closed once payments hold"), where it is what
others
say and the writer takes back ("a post says it is fixed; it is not"), or in a question that is not answered.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from redpen.guards.claims.lead_ins import from_statement
from redpen.guards.data import word_set
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.claims.clauses import Clause, Sentence
    from redpen.guards.claims.phrases import Hit

DENYING = frozenset("not no never none nothing nobody neither nor without unable hardly".split())
"""Words that deny what their clause says."""
OPENING = word_set("polarity", "opening")
_CONDITIONS = word_set("polarity", "conditions")
_UNSETTLED = word_set("polarity", "unsettled")
_REFUSING = word_set("polarity", "refusing")
_NOT_DENYING = lazy_pattern(
    r"not only |not just |no longer |not least |no (?:later|sooner|fewer|less) than |not long "
)
"""Turns that hold a word of denial and deny nothing."""
_LEAVING_OPEN = lazy_pattern(
    r"(?:as soon as|work(?:ing)? (?:on|to|towards?|hard|with|flat|around|closely|through)"
    r"|far from|nowhere near|anything but|short of|yet to|too (?:soon|early)|instead of|rather than"
    r"|doubt (?:that|whether)|(?:false|untrue|incorrect) that"
    r"|other than|a way off|some way|as if|as though|in case|in the event|not sure|no word|more than"
    r"|(?:will|shall|must|(?<!happy )(?<!glad )(?<!pleased )(?<!able )(?<!delighted )to) "
    r"(?:then |also |only |always )?(?:confirm|announce|tell|write|know|say|report|post|update|let|notify"
    r"|inform|hear|read|see|call|declare|mark|close|share)) "
)
"""Turns before a phrase that leave it open; the last alternative: what is to be said at some later time."""
_AFTER = lazy_pattern(
    r"(?:(?:only |or not )?(?:once|if|unless|until|whether) |only (?:when|after) |as soon as "
    r"|(?:\S+ ){0,6}(?:is|are|was|were|would be|seems|remains) (?:still |also |simply |just |far )?"
    r"(?:not |wrong|false|premature|untrue|mistaken|incorrect|too early|too soon|far off|some way|a way"
    r"|nonsense|an open|open |more than|unknown|unclear|under )"
    r"|(?:\S+ ){0,2}yet $|(?:\S+ ){0,3}(?:cannot|can not|could not) be (?:confirmed|verified)"
    r"|is another matter)"
)
"""What comes after a phrase and takes it back in the same clause."""
_UNSAID = lazy_pattern(
    r"(?:not|nobody|cannot|never|no one|unable to|too early to|too soon to) (?:\S+ ){0,3}"
    r"(?:say|confirm|know|promise|tell|claim|assume|guarantee|confirmed|sure) (?:\S+ )?(?:that|whether|if) $"
)
"""What a clause begins with that says that the writer does not say what follows."""
_SURELY_OPEN = lazy_pattern(
    r"(?:^(?:once(?! again| more)|if|until|unless|whether)"
    r"|(?:not|nobody|cannot|never|no one) (?:\S+ ){0,2}(?:say|confirm|know|tell|claim|assume|true) that"
    r"|^(?:claims|reports|rumours|rumors|(?:we|i) doubt|it is (?:false|untrue|incorrect)) that) "
    r"(?:\S+ ){0,3}$"
)
"""Beginnings of a clause that leave open beyond doubt what follows within a few words."""
_TAKEN_BACK = lazy_pattern(
    r"^(?:but |yet |however |and |though |although |which )?"
    r"(?:this |that |it |they |we |which |neither |i )?"
    r"(?:is |are |has |have |was |were |does |do |can |could |did )(?:still |just |simply |as yet )?"
    r"(?:not |wrong |untrue |false |premature )"
    r"|^(?:but )?not (?:yet|so|true|quite)|^(?:but |yet )?(?:nothing of the sort|far from it|no such thing)"
)
"""A clause that takes back what the one before it said."""
_YES = frozenset("yes yep yeah indeed correct absolutely right affirmative".split())
_HARD_NOW = frozenset("now already".split())
_JOINS = frozenset(("and", "or", "nor"))
_HEDGES = frozenset("should may might could ought".split())
_EARLY = 2
_NEAR = 4
"""Clauses on either side of a clause that are looked at."""
_INVERTED = frozenset((("after",), ("had",), ("were",), ("should",)))
"""First words of a clause that make a condition of it, or put it off."""
_NOTHING = frozenset("nothing neither no nor little".split())
_VERBS = frozenset("is are was were be been will shall has have caused triggered".split())
_THINGS = frozenset("plan plans estimate check checks test request requests".split())
"""Words that leave something open as verbs, and are things after a phrase."""
_LIMITS = frozenset("until till before when once".split())
"""Words that say how long something is given, or when."""
_LINKS = frozenset("because due owing thanks".split())
"""First words of links between a cause and what it has brought about."""
_NEAR_LINK = 2
_KNOWING = frozenset(
    "know knows known established say says said tell confirm confirmed evidence proof sign signs indication"
    " clear unclear claim claims rumour rumours report reports reported think assume whether suggest suggests"
    " post posts".split()
)
"""Words of those who judge whether something is the cause."""
_CHECKING = frozenset(
    "investigate check checking checks verify verifying why wonder question suspect".split()
)
_WE = frozenset(("we", "i"))
_OURS = frozenset(("we", "i", "our", "my"))
_NOUNS = frozenset("guarantee guarantees guaranteed promise promises pledge".split())
_BEFORE_NOUNS = frozenset("a any the firm of such this another no our with".split())
_TOLD = word_set("polarity", "told")
_CONTRADICTING = word_set("polarity", "contradicting")
_DISOWNING = word_set("polarity", "disowning")
_JUDGED_AFTER = frozenset(("cause", "commitment"))
"""Families whose phrases are nouns as often as verbs, so that what is said of them comes after."""


def affirms(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether a sentence affirms a phrase of one of its clauses.

    Args:
        sentence: the sentence.
        place: which of its clauses, from 0.
        hit: the phrase in that clause.
        after: the sentence after, if there is one.
    """
    return not _is_label(sentence, sentence.clauses[place], hit) and is_said(sentence, place, hit, after)


def is_said(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether a sentence says a phrase of one of its clauses as its own, be it only as a name or a label.

    Args:
        sentence: the sentence.
        place: which of its clauses, from 0.
        hit: the phrase in that clause.
        after: the sentence after, if there is one.
    """
    sentence, place, skipped = from_statement(sentence, place, hit.start)
    hit = hit._replace(start=hit.start - skipped, end=hit.end - skipped)
    if sentence.asks and not _is_answered(after):
        return False
    words = sentence.clauses[place].words
    inside = () if hit.phrase.own else words[hit.start : hit.end]
    barred = _is_cause_open if words[hit.start] in _LINKS else _is_barred
    if barred((*words[: hit.start], *inside)) or (hit.phrase.past and not _is_past(words, hit)):
        return False
    return not (
        _is_led_open(sentence, place, hit)
        or _is_barred_after(sentence, place, hit)
        or is_disowned(sentence, place, hit, after)
    )


def _is_label(sentence: Sentence, clause: Clause, hit: Hit) -> bool:
    """Whether a phrase only names something: in a heading without a verb, or as a part of a name."""
    words = clause.words
    if sentence.is_label and hit.phrase.family in _JUDGED_AFTER:
        return _VERBS.isdisjoint(words[hit.start : hit.end])
    if hit.end - hit.start > 1:
        return False
    if sentence.is_label and words[hit.start] in _NOUNS and words[max(0, hit.start - 1)] not in _WE:
        return True
    return _is_name(clause, hit.start, is_label=sentence.is_label)


def _is_name(clause: Clause, at: int, *, is_label: bool) -> bool:
    """Whether a word is part of a name: a capital inside a sentence, in a label or beside another one."""
    capitals = clause.capitals
    return at in capitals and (is_label or at - 1 in capitals or at + 1 in capitals)


def is_disowned(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether others are quoted with a phrase, and the writer says at once that they are wrong.

    Args:
        sentence: the sentence.
        place: which of its clauses, from 0.
        hit: the phrase in that clause.
        after: the sentence after, if there is one.
    """
    words = sentence.clauses[place].words
    lead = (
        *chain.from_iterable(clause.words for clause in sentence.clauses[max(0, place - _NEAR) : place]),
        *words[: hit.end - 1],
    )
    before = lead[: len(lead) - (hit.end - 1 - hit.start)]
    if _UNSAID.search(" ".join(before) + " "):
        return True
    # What the writers themselves tell is no hearsay.
    if _TOLD.isdisjoint(lead) or not _OURS.isdisjoint(before):
        return False
    if not _CONTRADICTING.isdisjoint(lead):
        return True
    rest = [
        *words[hit.end :],
        *chain.from_iterable(clause.words for clause in sentence.clauses[place + 1 : place + 1 + _NEAR]),
    ]
    if after is not None:
        if after.asks:
            return True
        rest += after.clauses[0].words if after.clauses[0].words[0] not in _OURS else ()
    return not (DENYING | _DISOWNING).isdisjoint(rest)


def is_surely_open(words: tuple[str, ...], hit: Hit) -> bool:
    """Whether what stands right before a phrase takes it back beyond doubt: "once", "it is not true that"."""
    return _SURELY_OPEN.search(" ".join(words[: hit.start]) + " ") is not None


def _is_cause_open(before: tuple[str, ...]) -> bool:
    """Whether a cause that a link names is denied or left open; a hedged one is not.

    What is said before the link is of what it has brought about: "labels do not print because of a fault".
    """
    found = frozenset(before)
    if not _KNOWING.isdisjoint(found):
        return _is_barred(before)
    near = frozenset(before[-_NEAR_LINK:])
    return not (near.isdisjoint(DENYING) and found.isdisjoint(_CONDITIONS | _CHECKING))


def _is_barred(before: tuple[str, ...]) -> bool:
    """Whether words before a phrase deny it or leave it open."""
    found = frozenset(before)
    if "when" in found or "once" in found:
        found = frozenset(word for word, then in pairwise((*before, "")) if not _is_no_condition(word, then))
    if not found.isdisjoint(_REFUSING) or before[:1] in _INVERTED or {"will", "after"} <= found:
        return True
    text = " ".join(before) + " "
    if not found.isdisjoint(DENYING) and not DENYING.isdisjoint(_NOT_DENYING.sub("", text).split()):
        return True
    open_words = (found & (_CONDITIONS | _UNSETTLED)) - (_HEDGES if found & _HARD_NOW else frozenset())
    return bool(open_words) or _LEAVING_OPEN.search(text) is not None


def _is_no_condition(word: str, then: str) -> bool:
    """Whether a word only looks like one: "once again", "the errors that came up when uploading"."""
    return (word == "once" and then in ("again", "more")) or (word == "when" and then.endswith("ing"))


def _is_past(words: tuple[str, ...], hit: Hit) -> bool:
    """Whether the verb of a phrase stands in the past, or after "have"."""
    return words[hit.start].endswith(("ed", "t")) and "to" not in words[max(0, hit.start - 1) : hit.start]


def _is_led_open(sentence: Sentence, place: int, hit: Hit) -> bool:
    """Whether the clause before governs this one: a condition, or a verb whose object goes on here."""
    if not place:
        return False
    words, lead = sentence.clauses[place].words, sentence.clauses[place - 1].words
    joined = words[0] in _JOINS
    if hit.phrase.family == "guarantee" and (lead[0] in _CONDITIONS or lead[:3] == ("as", "soon", "as")):
        return True
    if lead[-1] in DENYING:
        return True
    if joined and not _CONDITIONS.isdisjoint(lead) and not _is_own_statement(words):
        return True
    if joined and hit.start <= _EARLY and _is_barred(lead) and not _is_own_statement(words):
        return True
    # "We cannot say, as things stand, that it is fixed."
    return words[0] in ("that", "whether", "if") and _is_barred((*lead, words[0]))


def _is_own_statement(words: tuple[str, ...]) -> bool:
    """Whether a clause after "and" begins a statement of the writer's own ("and we have fixed it")."""
    return words[1:2] in (("we",), ("i",))


def _is_barred_after(sentence: Sentence, place: int, hit: Hit) -> bool:
    words = sentence.clauses[place].words
    text = " ".join(words[hit.end :]) + " "
    if hit.phrase.family == "guarantee" and not _NOTHING.isdisjoint(words[hit.end : hit.end + 3]):
        return True
    noun = words[hit.end - 1] in _NOUNS and (hit.end < 2 or words[hit.end - 2] in _BEFORE_NOUNS)
    later = chain.from_iterable(clause.words for clause in sentence.clauses[place + 1 : place + 1 + _NEAR])
    if noun and _is_barred((*words[hit.end :], *later)):
        return True
    ignored = _THINGS | _LIMITS if hit.phrase.family == "commitment" else _THINGS
    if _AFTER.match(text) or (
        hit.phrase.family in _JUDGED_AFTER
        and _is_barred(tuple(word for word in words[hit.end :] if word not in ignored))
    ):
        return True
    for clause in sentence.clauses[place + 1 : place + 1 + _NEAR]:
        if _TAKEN_BACK.match(" ".join(clause.words) + " "):
            return True
    return False


def _is_answered(after: Sentence | None) -> bool:
    """Whether the sentence after a question says yes to it."""
    return after is not None and after.clauses[0].words[0] in _YES
