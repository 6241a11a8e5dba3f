"""Statements of a good state by an adjective: healthy, normal, available, back, up, fine."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import clause_ends_after, following, has, head_of_subject
from redpen.guards.claims.content import is_content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words
from redpen.guards.claims.statements import Statement, state

_MAY_FOLLOW = frozenset("again now and once since as".split())
_AFTER_FINE = frozenset("again now and with once on here by today before within at".split())
_AFTER_UP = frozenset("again now and for online in already as after".split())
_OPEN_CLAUSE = frozenset("that how why what whether when if".split())
_AT_WORK = frozenset(("working", "running"))
_TASKS = frozenset(
    "restore import export backup copy job jobs script test tests check checks query investigation inquiry "
    "enquiry review probe analysis search hunt count recount audit inspection survey scan trace clock time "
    "timer deadline countdown comparison rehearsal trial work repair rebuild".split()
)
"""What runs while nothing is done yet."""
_AT_WORK_WELL = frozenset(
    "again now and normally smoothly properly correctly reliably perfectly well fine as since without for "
    "nicely cleanly flawlessly happily steadily once in like".split()
)
_COMES = frozenset("come comes go goes".split())
"""What is done as a rule in the simple present ("points come back after review")."""
_VAGUE = frozenset("well fine good great clear".split())
_WENT = frozenset("gone went going fallen fell".split())
"""Verbs of turning bad: only a trouble that has gone quiet is over."""
_ANY_ONE = frozenset("a an another".split())
"""Articles of what is offered besides the service ("a paper pass is available")."""
_FIRST_SIGNS = frozenset(("signs", "indications"))
"""What may be good without anything being so."""
_TURNS = frozenset("turn turns turned turning hold holds held hang hangs look looks".split())
"""Verbs that "back" does not bring to a good state ("trains turn back at the border")."""
_HELD = frozenset(
    "held backed tied piled clogged jammed bunched caught bound blocked gummed snarled queued banked mixed "
    "messed taken eaten stacked".split()
)
"""Participles of trouble that "up" belongs to."""
_BAD_WHEN_LOW = frozenset(
    "pressure supply supplies flow water signal battery batteries stock stocks power voltage "
    "fuel oil gas charge balance brightness sound coverage capacity bandwidth throughput "
    "turnout visibility resolution quality heat light speed speeds accuracy".split()
)
"""What there should be enough of."""
_SOME_OF_THEM = frozenset("one two three four five six seven eight nine ten dozen few couple".split())
"""What counts a part when it stands alone ("two are running")."""
_NEAR = 4
_ONLY_ANEW = frozenset(("possible",))
_OPEN_TO = frozenset(
    "all everyone everybody customers guests members visitors users the passengers pupils readers traffic "
    "anyone both every each".split()
)
_HOURS = frozenset("until till from around daily all every at day night on".split())
_CASES = frozenset(
    "ticket tickets case cases request requests question questions claim claims item items investigation "
    "matter matters incident incidents issue issues task tasks bug bugs reports call bridge".split()
)
"""What is open while it is not done."""


_FOLLOWED_BY = ((_AT_WORK, _AT_WORK_WELL), (_VAGUE, _AFTER_FINE), (frozenset(("up", "back")), _AFTER_UP))
"""What may follow some adjectives, when the clause does not end with them."""


def healthy(sentence: Sentence, index: int) -> Statement | None:
    """Read an adjective that says of anything that it is in good state."""
    before = index - 1
    while before >= 0 and sentence.tags[before] & t.ADVERB:
        before -= 1
    tag = sentence.tags[before] if before >= 0 else 0
    governed = tag & (t.PREPOSITION | t.DETERMINER) and not tag & t.PRONOUN
    if governed or _describes_object(sentence, index) or (index and sentence.words[index - 1] == "as"):
        return None
    common = sentence.words[index] in ("normal", "ordinary", "usual")
    if common and index + 1 < len(sentence.words) and _is_noun(sentence, index + 1):
        return None
    statement = state(sentence, index)
    if statement.group.finite and statement.group.mood != "bare":
        return statement
    if common:
        return statement if sentence.words[index - 1 : index] == ["all"] else None
    alone = clause_ends_after(sentence, index) or following(sentence, index) in _MAY_FOLLOW
    return statement if alone else None


def _is_noun(sentence: Sentence, at: int) -> bool:
    """Whether a word that says what is normal stands at ``at`` ("ordinary payouts"), and no service."""
    word = sentence.words[at]
    return is_content(word, sentence.tags[at]) and word not in ("service", "operation", "operations")


def fine(sentence: Sentence, index: int) -> Statement | None:
    """Read an adjective that says so of services, but is said of helpers, pages and people too."""
    word = sentence.words[index]
    after = following(sentence, index)
    if not _predicative(sentence, index, word, after):
        return None
    statement = state(sentence, index, at_work=True)
    start = statement.group.start
    if not statement.group.finite or start == index:
        return None
    if start == index - 1 and sentence.words[start] in _COMES:
        return None
    span = head_of_subject(sentence, start)
    went = sentence.words[index - 1] in _WENT and not has(sentence, span, t.PROBLEM)
    if went or _is_some_of(sentence, start) or _of_another_kind(sentence, word, span, index):
        return None
    lasting = any(
        item.startswith(("remain", "continu", "still", "keep", "kept"))
        for item in sentence.words[start:index]
    )
    return None if lasting or sentence.words[index - 1] == "as" else statement


def _is_some_of(sentence: Sentence, start: int) -> bool:
    """Whether the subject before ``start`` is a part of many ("two", "three out of five trains")."""
    begin, end = subject_words(sentence, start)
    if sentence.words[start - 1] in _SOME_OF_THEM and sentence.words[start - 2 : start - 1] != ["all"]:
        return True
    words = sentence.words[begin:end]
    return not _SOME_OF_THEM.isdisjoint(words[:1]) and "of" in words[1:3]


def _runs_low(sentence: Sentence, word: str, span: tuple[int, int], index: int) -> bool:
    """Whether it is bad to be low for the subject at ``span``, or for what "low" at ``index`` is said of."""
    if word != "low":
        return False
    near = (*sentence.words[slice(*span)], *sentence.words[index + 1 : index + _NEAR])
    return not _BAD_WHEN_LOW.isdisjoint(near)


def _of_another_kind(sentence: Sentence, word: str, span: tuple[int, int], index: int) -> bool:
    """Whether the subject at ``span`` is something of which the word says no good state of the service."""
    subject = sentence.words[slice(*span)]
    if not _FIRST_SIGNS.isdisjoint(subject) or _runs_low(sentence, word, span, index):
        return True
    if has(sentence, span, t.REMOTE | t.PROBLEM | t.PARTIAL) or not _ANY_ONE.isdisjoint(subject):
        return True
    if word in _AT_WORK:
        by_us = not subject or has(sentence, (max(0, index - 4), index), t.AGENT)
        return by_us or has(sentence, span, t.REPAIR | t.REMEDIES) or not _TASKS.isdisjoint(subject)
    if word == "open" and following(sentence, index) in _HOURS:
        return True
    if sentence.words[index + 1 : index + 3] == ["on", "request"]:
        return True
    return word == "open" and (has(sentence, span, t.NUMBER) or not _CASES.isdisjoint(subject))


def _describes_object(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` describes what something has ("rooms have had lagging live captions")."""
    words, tags = sentence.words, sentence.tags
    if index + 1 >= len(words) or not is_content(words[index + 1], tags[index + 1]):
        return False
    at = index - 1
    while at > 0 and not tags[at] & t.HAVE and (tags[at] & t.ADVERB or is_content(words[at], tags[at])):
        at -= 1
    return at < index - 1 and bool(tags[at] & t.HAVE)


def _is_for_readers(sentence: Sentence, at: int) -> bool:
    """Whether the words at ``at`` name whom something is open to, and no thing that it takes."""
    words = sentence.words[at : at + 1]
    return not _OPEN_TO.isdisjoint(words) or bool(at < len(sentence.tags) and sentence.tags[at] & t.PRONOUN)


def _predicative(sentence: Sentence, index: int, word: str, after: str) -> bool:
    """Whether the word at ``index`` can be what is said of the subject."""
    before = sentence.words[index - 1]
    particle = (word == "back" and before in _TURNS) or (word == "up" and before in _HELD)
    if particle or _describes_object(sentence, index):
        return False
    opens = bool(sentence.tags[index] & t.OFFERED and has(sentence, (index + 1, index + 2), t.DETERMINER))
    went_live = word == "live" and before == "went"
    received = word == "open" and after == "to" and not _is_for_readers(sentence, index + 2)
    if went_live or received:
        return False
    if opens or after in _OPEN_CLAUSE or (word == "current" and after == "as"):
        return False
    if word in _ONLY_ANEW:
        return after in _AFTER_FINE or sentence.words[index - 1] in ("now", "again")
    allowed = next((follow for words, follow in _FOLLOWED_BY if word in words), None)
    return allowed is None or after in allowed or clause_ends_after(sentence, index)
