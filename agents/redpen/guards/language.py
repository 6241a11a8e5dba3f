"""Detect sentences that are not mostly English, which the other guards cannot read.

The decision uses function words and the share of known words. In a sentence that is not English, the other
guards read only figures, money, identifiers and addresses.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from redpen.guards.data import read_words, word_set
from redpen.guards.report import Finding, part_of_text
from redpen.guards.text import name_words, prose_words
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UnreadRule = Literal["concern", "block"]
"""Whether a sentence that is not mostly English is a concern or a violation."""

_LEAST_WORDS = 4
"""Fewest words of a sentence that is decided alone; shorter ones are decided with their neighbours."""
_LEAST_UNKNOWN = 6
"""Fewest lower-case words of a sentence that is decided without function words."""
_FEW_KNOWN = 0.34
_SOME_KNOWN = 0.7
_HARDLY_KNOWN = 0.25
_LEAST_STRANGE = 2
"""Fewest unknown words of a text whose sentences are checked one by one."""
_CROWD = 4
"""Sentences are checked if this many of twice as many consecutive words are unknown, or if this many
consecutive words include a foreign but no English function word."""
_LEAST_PIECE = 4
"""Fewest words of an English part of a foreign sentence that the other guards read."""

_SENTENCE = lazy_pattern(r"(?:[^.!?…\n。！？।؟]|[.!?…](?![\s\"'”’»)]|$))+[.!?…。！？।؟\"'”’»)]*")
_WORD = lazy_pattern(
    r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0d7f'’-](?=\w|[\u0300-\u036f\u0900-\u0d7f]))*"
)
_NEUTRAL = lazy_pattern(
    r"```.{0,2000}?```|`[^`\n]{1,200}`"
    r"|\b(?:https?://|www\.)\S{1,500}|[\w.+-]{1,64}@[\w.-]{1,200}"
    r"|[\w-]{1,64}(?:[/._\\:][\w-]{1,64})+|[^\W\d_]{0,20}\d\w{0,40}(?:[-.,:/]\d\w{0,40}){0,6}"
    r"|[^\W\d_]{1,40}\((?=[^)]{0,80}\))|\b[a-z]{1,40}[A-Z]\w{0,40}|[@#][\w-]{1,64}",
    re.DOTALL,
)
_JOINTS = frozenset("./\\:_@")
_SIGNS = str.maketrans(dict.fromkeys(',;!?()[]{}"|-…—–“”«»0123456789%$€£', " "))
_DECIMAL_COMMA = lazy_pattern(r"(?<=\d),(?=\d{1,2}(?!\d))")
_GROUPING_POINT = lazy_pattern(r"(?<=\d)\.(?=\d{3}(?!\d))")


_MONEY = word_set("language", "money")
_PARTICLES = word_set("language", "particles")
_WIDE = word_set("language", "scripts_without_spaces")


class _FunctionWords(NamedTuple):
    english: frozenset[str]
    shared: frozenset[str]
    others: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class _Sentence:
    """A sentence with counts of its words; several short sentences may be counted as one.

    Attributes:
        counts: of the words that are ``lower``, ``counted``, ``known``, ``english``, ``shared`` or of an
            ``other_script``.
        foreign: of the function words of each other language.
    """

    start: int
    end: int
    counts: Counter[str]
    foreign: Counter[str]

    def told(self) -> bool | None:
        """Return whether it is English; None if it has too few words."""
        counts, strongest = self.counts, max(self.foreign.values(), default=0)
        counted, known, english, shared = (counts[it] for it in ("counted", "known", "english", "shared"))
        if counts["other_script"] >= _LEAST_STRANGE and counts["other_script"] > counted:
            return False
        if counted < _LEAST_WORDS:
            return None
        share = known / counted
        own = max(known - shared, 0) / max(counted - shared, 1)
        if strongest > english:
            few = share <= _SOME_KNOWN if strongest >= _LEAST_STRANGE else own <= _HARDLY_KNOWN
            if few:
                return False
        return counts["lower"] < _LEAST_UNKNOWN or share >= _FEW_KNOWN or english * 8 >= counts["lower"]

    @property
    def language(self) -> str:
        """The language of its function words, if it is clear."""
        (likeliest, count), (_, next_count) = (*self.foreign.most_common(2), ("", 0), ("", 0))[:2]
        return likeliest if count >= _LEAST_STRANGE and count > next_count else ""

    @property
    def strange(self) -> bool:
        """Whether it is foreign if its neighbour is: fewer than half of its words are known."""
        counts = self.counts
        return counts["counted"] > 0 and not counts["english"] and counts["known"] * 2 < counts["counted"]


class Unread(NamedTuple):
    """A sentence that is not mostly English: its span and its likely language, if known."""

    start: int
    end: int
    language: str


@lru_cache(maxsize=1)
def _function_words() -> _FunctionWords:
    rows = (row.partition(":") for row in read_words("function_words"))
    by_language = {name: frozenset(_without_accents(words).split()) for name, _, words in rows}
    shared = by_language.pop("shared")
    english = by_language.pop("English") - shared
    others: dict[str, tuple[str, ...]] = {}
    for language, words in by_language.items():
        # Without accents, a word may be an English word.
        for word in words - english - shared:
            others[word] = (*others.get(word, ()), language)
    return _FunctionWords(english, shared, others)


@lru_cache(maxsize=1)
def _plain_words() -> frozenset[str]:
    """Return the English words that are not function words of another language."""
    words = _function_words()
    return (prose_words() | words.english | words.shared).difference(words.others)


def _without_accents(words: str) -> str:
    """Return words without accents, as in the view of a text."""
    letters = unicodedata.normalize("NFD", words)
    return "".join(char for char in letters if unicodedata.category(char) != "Mn")


@lru_cache(maxsize=64)
def unread_sentences(text: str) -> tuple[Unread, ...]:
    """Return the sentences that are not mostly English.

    Names, code, addresses, numbers and isolated words are ignored.

    Args:
        text: what a reader sees (``View.text``); the time is linear in its length.
    """
    if _is_plainly_english(text):
        return ()
    plain = _NEUTRAL.sub(_blank, text)
    sentences = [_read(plain, *match.span()) for match in _SENTENCE.finditer(plain)]
    found = []
    for item, english in zip(sentences, _told(sentences), strict=True):
        if english is False:
            start, end = item.start, item.end
            while start < end and text[start].isspace():
                start += 1
            found.append(Unread(start, end, item.language))
    return tuple(found)


def without_unread(view: View) -> View:
    """Return a view in which the words of sentences that are not English are blanked out.

    Offsets do not change. Figures, money, identifiers, addresses and English parts are kept.
    """
    unread = unread_sentences(view.text)
    if not unread:
        return view
    text = view.text
    pieces: list[str] = []
    last = 0
    for item in unread:
        pieces += (text[last : item.start], _masked(text[item.start : item.end]))
        last = item.end
    pieces.append(text[last:])
    return View(view.given, "".join(pieces), view.offsets)


def unread_findings(revised: View) -> Iterator[Finding]:
    """Yield a finding for each sentence that is not mostly English, even if the original has it."""
    for item in unread_sentences(revised.text):
        span = revised.span(item.start, item.end)
        reading = f"not mostly English{f', perhaps {item.language}' if item.language else ''}"
        reason = "nothing but its figures, money, identifiers and addresses was judged"
        yield part_of_text("unread_language", revised.given, span, reading, reason, family="language")


def _is_plainly_english(text: str) -> bool:
    """Fast check that no sentence is in another language; true for most texts."""
    if not text.isascii() and any(ord(char) > 0x2FF and char.isalpha() for char in text):
        return False
    known = _plain_words()
    found = f"{text} ".translate(_SIGNS).replace(". ", " ").replace(": ", " ").split()
    # Decides most texts, so only sets are used; file names and addresses are ignored.
    strange = {word for word in set(found).difference(known) if _JOINTS.isdisjoint(word)}
    if len(strange) < _LEAST_STRANGE:
        return True
    others, english = _function_words().others, _function_words().english
    # Capitalized words are names, except foreign function words and words in all capitals.
    strange = {
        word
        for word in strange
        if word[0].islower() or word.lower() in others or (word.isupper() and word.lower() not in known)
    }
    words = [word for word in found if word[0].islower() or word in strange]
    places = [at for at, word in enumerate(words) if word in strange]
    if any(last - first < 2 * _CROWD for first, last in zip(places, places[_CROWD - 1 :], strict=False)):
        return False
    return not any(
        english.isdisjoint(words[begin : begin + _CROWD])
        and sum(begin <= other < begin + _CROWD for other in places) >= _LEAST_STRANGE
        for at in places
        if words[at].lower() in others
        for begin in range(max(0, at - _CROWD + 1), min(at, len(words) - _CROWD) + 1)
    )


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _read(text: str, start: int, end: int) -> _Sentence:
    """Count the words of the sentence at a span."""
    function_words, known, names = _function_words(), prose_words(), name_words()
    counts, foreign = Counter[str](), Counter[str]()
    words = [match.group() for match in _WORD.finditer(text, start, end)]
    shouted = sum(word.isupper() for word in words) * 2 > len(words)
    for place, word in enumerate(words):
        script = _script(word)
        if script is not None:
            counts["other_script"] += len(word) // 2 if script in _WIDE else 1
            continue
        if not (place == 0 or shouted or word[0].islower()) or _is_particle(words, place):
            continue
        low = word.lower().replace("’", "'")
        languages = function_words.others.get(low, ())
        if place == 0 and not shouted and word[0].isupper() and not (languages or low in known):
            # Probably a name.
            continue
        counts["counted"] += 1
        counts["lower"] += word[0].islower() or shouted
        counts["english"] += low in function_words.english
        counts["known"] += low in known or low in names or low in function_words.english
        counts["shared"] += low in function_words.shared
        foreign.update(languages)
    return _Sentence(start, end, counts, foreign)


def _is_particle(words: Sequence[str], place: int) -> bool:
    """Whether a word is a particle of a name: Carmen de la Cruz."""
    return words[place] in _PARTICLES and any(word[0].isupper() for word in words[place + 1 : place + 3])


def _told(sentences: Sequence[_Sentence]) -> list[bool | None]:
    """Return whether each sentence is English; short ones are decided together or by their neighbours."""
    told = [item.told() for item in sentences]
    start = 0
    while start < len(sentences):
        if told[start] is not None:
            start += 1
            continue
        end = start
        while end < len(sentences) and told[end] is None:
            end += 1
        run = sentences[start:end]
        verdict = _together(run).told()
        beside = [told[at] for at in (start - 1, end) if 0 <= at < len(sentences)]
        for at in range(start, end):
            if verdict is False or False in beside:
                told[at] = not sentences[at].strange
        start = end
    return told


def _together(run: Sequence[_Sentence]) -> _Sentence:
    counts = sum((item.counts for item in run), Counter[str]())
    # Lines with only names are not sentences, so only function words count.
    del counts["lower"]
    return _Sentence(run[0].start, run[-1].end, counts, sum((item.foreign for item in run), Counter[str]()))


@lru_cache(maxsize=1024)
def _script(word: str) -> str | None:
    """Return the script of a word; None for Latin."""
    if word.isascii():
        return None
    for char in word:
        if ord(char) > 0x2FF and char.isalpha():
            script = unicodedata.name(char, "LATIN").split()[0]
            if script != "LATIN" and not script.startswith("MODIFIER"):
                return "CJK" if script.startswith("CJK") else script
    return None


def _masked(sentence: str) -> str:
    """Blank out a sentence except money and English parts; write figures in English notation."""
    function_words, known = _function_words(), prose_words()
    plain = _NEUTRAL.sub(_blank, sentence)
    kept = list(sentence)
    words = list(_WORD.finditer(plain))
    piece: list[re.Match[str]] = []
    for word in (*words, None):
        low = word.group().lower() if word is not None else ""
        if word is not None and low in known and low not in function_words.others:
            piece.append(word)
            continue
        if not _is_english_piece(piece, function_words):
            for item in piece:
                _erase(kept, item)
        piece = []
        if word is not None:
            _erase(kept, word)
    text = "".join(
        " " if ord(char) > 0x2FF and unicodedata.category(char)[0] in "LM" else char for char in kept
    )
    return _GROUPING_POINT.sub(",", _DECIMAL_COMMA.sub(".", text))


def _is_english_piece(piece: Sequence[re.Match[str]], function_words: _FunctionWords) -> bool:
    said = [item.group().lower() for item in piece]
    return len(said) >= _LEAST_PIECE and any(word in function_words.english for word in said)


def _erase(kept: list[str], word: re.Match[str]) -> None:
    if word.group().lower() not in _MONEY:
        kept[word.start() : word.end()] = " " * (word.end() - word.start())
