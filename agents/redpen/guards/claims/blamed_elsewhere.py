"""Phrases of fault whose subject is not the writer: orders that fall short, guests who are not well."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import head_of_subject
from redpen.guards.claims.content import is_content
from redpen.guards.claims.other_senses import describes_thing
from redpen.guards.claims.patterns import Match
from redpen.guards.claims.phrases import Phrase
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.verbgroup import verb_group

_OURS = frozenset("we our us ours i my".split())
_STANDS_FOR_US = _OURS | frozenset(
    "this that it which service team response communication support checks planning testing staff".split()
)
_RELATIVE = frozenset("who that where how why when".split())
_RELATES = frozenset("who which that where".split())
_NEAR = 3
_FALL = "~fall short"
_FAIL = "we/our/team/monitoring"
_POOR = frozenset("poor lacking wanting insufficient inadequate weak flawed unready deficient bad".split())


def is_blamed_elsewhere(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether what a phrase of fault says is said of something else than the writer.

    Args:
        sentence: the sentence.
        match: a phrase of the family ``liability`` found in it.
    """
    if match.row.family != "liability":
        return False
    if describes_thing(sentence, match.start, match.head):
        return True
    if match.row.pattern.startswith(_FALL):
        begin, stop = head_of_subject(sentence, verb_group(sentence, match.start).start)
        begin = max((k + 1 for k in range(begin, stop) if sentence.words[k] in _RELATIVE), default=begin)
        ours = not _OURS.isdisjoint(sentence.words[match.end : match.end + _NEAR])
        return begin < stop and not ours and _STANDS_FOR_US.isdisjoint(sentence.words[begin:stop])
    return _beside(sentence, match) or _of_others(sentence, match) or _known_of_another(sentence, match)


def _beside(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether what is ours only stands beside the subject ("logins to our app failed on Monday")."""
    start = match.start
    if not match.row.pattern.startswith(_FAIL) or sentence.words[start] != "our" or not start:
        return False
    return bool(sentence.tags[start - 1] & (t.PREPOSITION | t.TO))


def _of_others(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a denial stands in a clause about others ("pupils who are not on the list")."""
    words, tags = sentence.words, sentence.tags
    if match.row.use != "always":
        return False
    denial = next((k for k in range(match.start, match.end) if tags[k] & t.NOT), -1)
    relative = next((k for k in range(denial - 1, match.start, -1) if words[k] in _RELATES), -1)
    if relative < 0 or not is_content(words[relative - 1], tags[relative - 1]):
        return False
    return not tags[relative - 1] & (t.COMPLEMENT | t.AGENT) and _OURS.isdisjoint(words[relative:denial])


def _known_of_another(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether we only know or say that something else is poor ("we know the timing is poor")."""
    words, tags = sentence.words, sentence.tags
    if words[match.start] not in ("we", "i") or _POOR.isdisjoint(words[match.start : match.end]):
        return False
    said = next((k for k in range(match.start + 1, match.end) if tags[k] & t.COMPLEMENT), match.end)
    return said < match.end and _OURS.isdisjoint(words[said : match.end])
