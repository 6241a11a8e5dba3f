"""Whether a clause affirms what it says, denies it or leaves it open: the only place that decides it.

What a phrase of the floor says counts where a reader would hold the writer to it. It does not where a word
before it denies it ("is not fixed"), asks, conditions or puts it off ("once it is fixed", "we hope to have it
fixed"), where a word after it does ("fixed? not yet", "is closed once payments hold"), where it is what others
say and the writer takes back ("a post says it is fixed; it is not"), or in a question that is not answered.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.claims.clauses import Clause, Sentence
    from redpen.guards.claims.phrases import Hit

DENYING = frozenset("not no never none nothing nobody neither nor without unable hardly".split())
"""Words that deny what their clause says."""
OPENING = frozenset(
    "if once until till unless when whether before may might could should would expect expects expected hope "
    "hopes hoping aim try trying working checking investigating looking whoever wherever".split()
)
"""Words that leave open what their clause says."""
_CONDITIONS = frozenset(
    "if once until till unless when whenever whether before provided assuming should supposing".split()
)
"""Words that make a condition of a clause, and of the one that "and" or "or" adds to it."""
_UNSETTLED = frozenset(
    "may might could should would expect expects expected expecting hope hopes hoping hoped aim aims aiming "
    "plan plans planned planning intend intends intended try tries trying tried attempt attempts attempting "
    "await awaiting awaits wait waiting ask asks asking wonder wondering unclear unknown unconfirmed uncertain "
    "unsure estimate estimates estimated estimating possible possibly perhaps maybe likely unlikely early soon "
    "need needs want wants seek seeking check checks checking verify verifying investigate investigating "
    "investigation look looking watch test testing sure prepare preparing decide deciding decided rumour rumours rumor suggested suggests alleged allegedly supposedly claims claimed said sought being mystery "
    "rumors how what who why pending under request requests requested question questions wish imagine "
    "pretend premature anticipate anticipated anticipating goal target eager keen far away toward towards".split()
)
_REFUSING = frozenset(
    "beyond disregard refuse refuses decline declines avoid refrain cannot stop stops deny denies dispute".split()
)
_NOT_DENYING = lazy_pattern(
    r"not only |not just |no longer |not least |no (?:later|sooner|fewer|less) than |not long "
)
"""Turns that hold a word of denial and deny nothing."""
_LEAVING_OPEN = lazy_pattern(
    r"(?:as soon as|working (?:on|to|towards|toward|hard|with|flat|around|closely|through)|work (?:on|to|towards|hard)"
    r"|far from|nowhere near|anything but|short of|yet to|too (?:soon|early)|instead of|rather than|other than"
    r"|a way off|some way|as if|as though|(?:will|shall|please|must|(?<!happy )(?<!glad )(?<!pleased )(?<!able )(?<!delighted )to) (?:then |also |only |always )?(?:confirm|announce|tell"
    r"|write|know|say|report|post|update|let|notify|inform|hear|read|see|call|declare|mark|close|share)"
    r"|in case|in the event|not sure|no word|more than) "
)
_AFTER = lazy_pattern(
    r"(?:(?:only |or not )?(?:once|if|unless|until|whether) |only (?:when|after) |as soon as "
    r"|(?:\S+ ){0,6}(?:is|are|was|were|would be|seems|remains) (?:still |also |simply |just |far )?(?:not |wrong|false|premature"
    r"|untrue|mistaken|incorrect|too early|too soon|far off|some way|a way|nonsense|an open|open |more than|unknown|unclear|under )"
    r"|(?:\S+ ){0,2}yet $|(?:\S+ ){0,3}(?:cannot|can not|could not) be (?:confirmed|verified)|is another matter)"
)
_TAKEN_BACK = lazy_pattern(
    r"^(?:but |yet |however |and |though |although |which )?(?:this |that |it |they |we |which |neither |i )?(?:is |are |has |have "
    r"|was |were |does |do |can |could |did )(?:still |just |simply |as yet )?(?:not |wrong |untrue |false |premature )|^(?:but )?not (?:yet|so|true|quite)"
    r"|^(?:but |yet )?(?:nothing of the sort|far from it|no such thing)"
)
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
_WE = frozenset(("we", "i"))
_NOUNS = frozenset("guarantee guarantees guaranteed promise promises pledge".split())
_BEFORE_NOUNS = frozenset("a any the firm of such this another no our with".split())
_TOLD = frozenset(
    "say says said saying write writes wrote writing written tell tells told telling hear hears heard report reports "
    "reported post posts posted message messages notice notices note notes rumour rumours rumor word claim claims "
    "gossip circulated circular circulars asserting remark poster column forum read claiming "
    "claimed shout shouted call calls called stating states stated suggest suggests announced".split()
)
"""Words by which others are quoted."""
_CONTRADICTING = frozenset("contradict contradicts contradicted untrue disregard ignore deny denies denied".split())
_DISOWNING = frozenset(
    "inaccurate hearsay fiction otherwise misreading error fake gossip wish guess different elsewhere turned wrong wrongly incorrect incorrectly untrue false falsely mistaken mistake premature early misunderstood "
    "misunderstanding lie lies rumour disregard ignore nonsense deny withdraw unfortunately sadly however".split()
)
"""Words by which the writer says that others are wrong."""
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
    if sentence.asks and not _is_answered(after):
        return False
    clause = sentence.clauses[place]
    words = clause.words
    if (
        sentence.is_label
        and hit.phrase.family in _JUDGED_AFTER
        and _VERBS.isdisjoint(words[hit.start : hit.end])
    ):
        return False
    if hit.end - hit.start == 1 and (
        (sentence.is_label and words[hit.start] in _NOUNS and words[max(0, hit.start - 1)] not in _WE)
        or _is_name(clause, hit.start, is_label=sentence.is_label)
    ):
        return False
    inside = () if hit.phrase.own else words[hit.start : hit.end]
    before = (*words[: hit.start], *inside)
    if _is_barred(before) or (hit.phrase.past and not _is_past(words, hit)):
        return False
    if _is_led_open(sentence, place, hit) or _is_barred_after(sentence, place, hit):
        return False
    if _is_disowned(sentence, place, hit, after):
        return False
    return not (hit.phrase.family == "cause" and words[hit.end : hit.end + 1] in (("this",), ("these",)))


def _is_name(clause: Clause, at: int, *, is_label: bool) -> bool:
    """Whether a word is part of a name: a capital inside a sentence, in a label or beside another one."""
    capitals = clause.capitals
    return at in capitals and (is_label or at - 1 in capitals or at + 1 in capitals)


def _is_disowned(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether others are quoted with a phrase, and the writer says at once that they are wrong."""
    words = sentence.clauses[place].words
    lead = (
        *chain.from_iterable(clause.words for clause in sentence.clauses[max(0, place - _NEAR) : place]),
        *words[: hit.end - 1],
    )
    if _TOLD.isdisjoint(lead):
        return False
    if not _CONTRADICTING.isdisjoint(lead):
        return True
    rest = [*words[hit.end :], *chain.from_iterable(clause.words for clause in sentence.clauses[place + 1 : place + 1 + _NEAR])]
    if after is not None:
        if after.asks:
            return True
        rest += after.clauses[0].words
    return not (DENYING | _DISOWNING).isdisjoint(rest)


def _is_barred(before: tuple[str, ...]) -> bool:
    """Whether words before a phrase deny it or leave it open."""
    found = frozenset(before)
    if not found.isdisjoint(_REFUSING) or before[:1] in _INVERTED or {"will", "after"} <= found:
        return True
    text = " ".join(before) + " "
    if not found.isdisjoint(DENYING) and not DENYING.isdisjoint(_NOT_DENYING.sub("", text).split()):
        return True
    open_words = (found & (_CONDITIONS | _UNSETTLED)) - (_HEDGES if found & _HARD_NOW else frozenset())
    return bool(open_words) or _LEAVING_OPEN.search(text) is not None


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
    if joined and hit.start <= _EARLY and _is_barred(lead):
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
    if _AFTER.match(text) or (hit.phrase.family in _JUDGED_AFTER and _is_barred(words[hit.end :])):
        return True
    for clause in sentence.clauses[place + 1 : place + 1 + _NEAR]:
        if _TAKEN_BACK.match(" ".join(clause.words) + " "):
            return True
    return False


def _is_answered(after: Sentence | None) -> bool:
    """Whether the sentence after a question says yes to it."""
    return after is not None and after.clauses[0].words[0] in _YES
