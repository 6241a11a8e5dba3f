"""Headings with a state: what is affected before a mark, and after it that all is well ("Checkout: done")."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, mask_of
from redpen.guards.claims.told_states import affected
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.text.lazy_pattern import lazy_pattern

_OPEN = (
    t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO | t.WILL | t.BEING | t.NUMBER | t.PARTIAL
)
_MARKS = frozenset(":–—")
_STATE = lazy_pattern(
    r"^(?:(?:all|now|fully|completely|finally|once again|again|officially|at last|everything|yes|happily"
    r"|safely) ,? ?)*"
    r"(?:done(?: and dusted| with)?|dusted|over(?: and done with)?|finished|fixed|mended|repaired|solved"
    r"|resolved|sorted"
    r"|settled|cured|cleared|gone|history|past|closed|lifted|ended|averted|contained|undone|beaten|defused"
    r"|tamed"
    r"|(?:in the )?green|up(?: and (?:running|about|away))?(?! to\b| by\b| until\b)|running|flowing|moving"
    r"|humming|purring|ticking over|working"
    r"|back(?: (?:up|online|on|in|to|at|where|with|and) ?.*)?|online|live|on air|on the air|available"
    r"|open(?: for business)?"
    r"|on (?:time|schedule|track|form|song|its feet|their way|the mend|the move|board|stream|plan|course"
    r"|the dot)"
    r"|in (?:service|operation|action|order|good order|working order|full swing|good shape|good health|use"
    r"|full flow|place"
    r"|business|hand and done)|operational|functional|normal|as (?:normal|usual|before|planned|ever|always"
    r"|new)"
    r"|business as usual|healthy|stable|steady|solid|sound|restored|recovered|reconnected|resumed|reopened"
    r"|complete"
    r"|completed|delivered|shipped|sent|clear|all clear|ok|okay|fine|good|great|perfect|well|smooth"
    r"|ready(?: for use)?|usable"
    r"|safe|secure|intact|nominal|active|unaffected|undamaged|untouched|unharmed|full(?: speed ahead)?"
    r"|quick|fast|prompt"
    r"|instant|reliable|right|correct|accurate|current|up to date|to the minute|works?|accepted|unlocked"
    r"|unblocked|no more"
    r"|nothing to fear|none lost|nothing lost|a thing of the past|mission accomplished|job done"
    r"|case closed|problem solved)"
    r"(?: (?:and|,) .*)?(?: (?:again|now|once more|once again|everywhere|across|in|at|on|throughout|for"
    r"|since|today|to|with"
    r"|all|as|wherever|whenever|from|by)\b.*)?$"
)
_OFFERED = frozenset("available open online live active ready".split())
"""What is said of desks and ways round too."""
_ANEW = frozenset("again back once everywhere".split())
_NO_TOPIC = frozenset(
    "please update updates note notice news estimate contact reference region severity priority reminder tip "
    "dear sorry thanks next phone chat email helpline hotline support desk office counter counters "
    "workaround cause here this that it your we our you audience date time".split()
)
_OF_IT = frozenset("status state condition".split())
_LONGEST_TOPIC = 7
_LONGEST = 16


def find_headings(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where headings begin and end that put what is affected into a good state.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    words = sentence.words
    if sentence.question or not 2 < len(words) <= _LONGEST or _MARKS.isdisjoint(sentence.vocabulary):
        return
    mark = next(k for k, word in enumerate(words) if word in _MARKS)
    if not 0 < mark <= _LONGEST_TOPIC or not _NO_TOPIC.isdisjoint(words[:mark]):
        return
    if mask_of(sentence, mark + 1, len(words)) & _OPEN or mask_of(sentence, 0, mark) & (
        t.BE | t.HAVE | t.WILL
    ):
        return
    if not _STATE.search(" ".join(words[mark + 1 :])) or tells_trouble(sentence, mark + 1, len(words)):
        return
    topic = content(sentence, 0, mark)
    state = content(sentence, mark + 1, len(words))
    if any(topic <= told.stems and state <= told.fine for told in known.sentences):
        return
    hit = not topic.isdisjoint(affected(known)) or bool(mask_of(sentence, 0, mark) & t.PROBLEM)
    named = not topic.isdisjoint(known.all) or not _OF_IT.isdisjoint(words[:mark])
    plain = _OFFERED.isdisjoint(words[mark + 1 : mark + 2]) or not _ANEW.isdisjoint(words[mark:])
    if plain and (hit or named):
        yield 0, len(words)
