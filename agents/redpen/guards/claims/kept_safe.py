"""Statements read by their parts that what readers have, or they themselves, are safe, whole or still "
"there."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.asides import is_asserted, without_aside
from redpen.guards.claims.found import Claim
from redpen.guards.claims.harmless import PEOPLE, THINGS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import clauses, mask_of
from redpen.guards.claims.told_verbs import main_verb
from redpen.text.lazy_pattern import lazy_pattern

_SAYS = "what readers have is safe"
_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO | t.PARTIAL | t.BEING
_ADVERBS = (
    r"(?:(?:all|very|quite|well|safely|securely|fully|completely|entirely|perfectly|strictly|still|always"
    r"|just"
    r"|absolutely|totally|as|every bit|every inch|now|also|remarkably|thoroughly|reliably|properly) )*"
)
_STAYS = (
    r"(?:is|are|'s|has been|have been|remains?|stays?|stayed|sits?|rests?|lies?|is (?:being )?kept"
    r"|are (?:being )?kept"
    r"|is (?:sitting|lying|resting|waiting)|are (?:sitting|lying|resting|waiting)|is held|are held|is stored"
    r"|are stored|keeps?|travels?|gets?)"
)
_STRONG = (
    r"(?:untouchable|untouched|unharmed|unhurt|unmolested|unimpaired|invulnerable|immune|inviolate"
    r"|impregnable|uncompromised|incorruptible|well guarded|guarded|walled off|sealed off"
    r"|locked away"
    r"|in safe hands|in good hands|in safe ?keeping|out of harm 's way|out of danger"
    r"|out of (?:\w+ )?reach|beyond reach|out of the woods|safe and sound|for your eyes only|for you alone"
    r"|(?:kept|hidden|well|far|safely) away from prying eyes|away from prying eyes|hidden from others"
    r"|in one piece|in perfect order|in no danger|as safe(?:ly)? as|as secure(?:ly)? as|securely (?:stored"
    r"|kept)"
    r"|safely (?:stored|kept|in|at|with)|in our books|in our safe|secret\b|tamper ?proof|leak ?proof"
    r"|as good as new|none the worse|hale and hearty|safe from|secure from|protected (?:from|against|by)"
    r"|completely safe|perfectly safe|entirely safe|totally safe|absolutely safe|perfectly secure"
    r"|every bit as (?:safe|secure))"
)
"""What is said of nothing that is in danger or damaged."""
_WHOLE = (
    r"(?:(?:accurate|correct|complete|whole|intact|preserved|maintained|respected|honoured|unchanged"
    r"|unaltered"
    r"|fresh|sound|edible|drinkable|usable|confidential|private|anonymous|encrypted|backed up|in order"
    r"|on record|on our books|there|retained"
    r"|in place|accounted for|good)$)"
)
"""What is said of what is as it was, where it ends the clause."""
_SURVIVES = lazy_pattern(
    r"\b(?:come out of (?:this|it) un|keeps? (?:its|their) "
    r"(?:quality|value|worth|freshness|places?|validity|strength|effect)"
    r"|stayed (?:cold|cool|fresh|frozen|dry|safe|private|intact|put|sealed|locked|in place)"
    r"|stays? (?:cold|cool|fresh|frozen|dry|private|sealed))\b"
)
_UNSCATHED = lazy_pattern(
    r"^(?!.*\b(?:not|may|might|if|unless|some|most)\b).*\b(?:came|come|comes|got|emerged|went) (?:out"
    r"|through|away|off)\b"
    r".*\bwithout (?:a|any) (?:scratch|dent|mark|blemish|loss|harm|damage|bruise|trace)"
)
_SURVIVED = lazy_pattern(
    r"^[^,;:]*\b(?:that|which) [^,;:]*survived$|\b(?:has|have) been (?:safely |all )?kept$"
)
"""What is said to have survived by whoever tells what was done with it, or to have been kept."""
_SAFELY = lazy_pattern(rf"\b{_STAYS} {_ADVERBS}{_STRONG}")
_AS_IT_WAS = lazy_pattern(rf"\b{_STAYS} {_ADVERBS}{_WHOLE}")
SAFETY_CUES = frozenset(
    "scratch dent mark blemish loss bruise trace untouchable untouched unharmed unhurt unscathed unmolested "
    "unimpaired invulnerable immune inviolate impregnable uncompromised incorruptible guarded shielded "
    "walled sealed lock hands safekeeping keeping harm danger reach eyes piece order safe safely secure "
    "securely books secret tamperproof tamper leakproof new worse hale protected accurate correct complete "
    "whole intact preserved maintained respected honoured unchanged unaltered valid fresh sound edible "
    "drinkable usable confidential private anonymous encrypted backed record file booked reserved confirmed "
    "there yours kept retained recorded registered place accounted good survived came keep keeps stayed stay "
    "stays locked alone woods".split()
)
_READERS = frozenset("your yours".split())
_NO_SUBJECT = frozenset(
    "you it this that there here what which who we i please so if how to ensure make check see keep store "
    "leave".split()
)
_THINGS_KEPT = THINGS | frozenset(
    "boxes box food meal meals ingredients collection collections luggage bag bags vehicles vehicle cars "
    "luggage valuables integrity confidentiality secrecy privacy data drafts assignments arrivals stock "
    "medicines vaccines exhibits artworks paintings dental works treasures coverage policy policies cover "
    "benefits credits signature signatures votes claims prescriptions place places spot spots slot slots "
    "position seat".split()
)
_VALUED = _READERS | PEOPLE | _THINGS_KEPT


def find_kept_safe(sentence: Sentence) -> Iterator[Claim]:
    """Find the statements of a sentence that what readers have is safe, whole or still there.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``reassurance``.
    """
    if sentence.question:
        return
    sentence, _ = without_aside(sentence)
    words = sentence.words
    for start, end in clauses(sentence):
        if mask_of(sentence, start, end) & _OPEN and not _UNSCATHED.search(" ".join(words[start:end])):
            continue
        if words[start] in _NO_SUBJECT:
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb <= start or any(tag & t.AGENT for tag in sentence.tags[start:verb]):
            continue
        if not is_asserted(sentence, verb):
            continue
        if _is_kept(words, start, end) and (tense != "pluperfect" or words[end - 1] == "survived"):
            yield Claim("reassurance", *sentence.span(start, end - 1), _SAYS)


def _is_kept(words: list[str], start: int, end: int) -> bool:
    if _VALUED.isdisjoint(words[start:end]):
        return False
    told = " ".join(words[start:end])
    return bool(
        _SURVIVED.search(told)
        or _UNSCATHED.search(told)
        or _SAFELY.search(told)
        or _AS_IT_WAS.search(told)
        or _SURVIVES.search(told)
    )
