"""The text that a reader sees: the given text with all disguises removed.

Offsets lead back, so that a finding in the view is reported at its place in the given text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redpen.text import hidden, markup, spelling, split_words
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.plain_characters import plain_edits, translated_at_once
from redpen.text.tokens import tokenize
from redpen.text.vocabulary import NO_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import ScannedWords, Vocabulary

_ROUNDS = 8
_MOST_TOGETHER = 16_000
_IDENTITY = tuple(range(8192))
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u2011": "-", "\u2010": "-"})
_PLAIN_SIGNS = lazy_pattern(r"[^\x20-\x7e\n“”–—…•€£‰°©®™«»]")
_MARKUP_SIGNS = str.maketrans(dict.fromkeys("&<>\\`*~[]_", " "))
_WORD = lazy_pattern(r"[^\W_]+")
_OVERRIDE = "\u202e"
_REVERSED = lazy_pattern("\u202e(?P<shown>[^\u202a-\u202e\u2066-\u2069\n]*+)[\u202c\u2069]?")
_MIRRORED = str.maketrans("()[]{}<>", ")(][}{><")
_DRAWN_OVER = "*_`~"


@dataclass(frozen=True, slots=True)
class View:
    """A text as a reader reads it.

    Attributes:
        given: the given text.
        text: the text without disguises; case and punctuation are kept.
        offsets: for each character of ``text`` the index in ``given`` where it starts, plus a last
            entry ``len(given)``; never decreasing.
    """

    given: str
    text: str
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in ``given`` that ``text[start:end]`` stands for."""
        first = self.offsets[start]
        if end <= start:
            return first, first
        last, least = self.offsets[end], self.offsets[end - 1] + 1
        if last <= first:
            # The whole span was inserted for one piece of markup, which is its place.
            place = bisect_right(self.offsets, first)
            return (first, self.offsets[place]) if place < len(self.offsets) else (first - 1, first)
        while last > least and (self.given[last - 1] in _DRAWN_OVER or self.given[last - 1].isspace()):
            last -= 1
        return first, max(first, last)


def view_of(text: str, words: Vocabulary) -> View:
    """Return the view of a text.

    Args:
        text: any text, lone surrogates included.
        words: the words by which disguised ones are recognised.

    Returns:
        The view, which is idempotent: ``view_of(view_of(x, w).text, w).text`` is ``view_of(x, w).text``. The
        time is linear in the length.
    """
    seen, offsets = text, _identity(len(text))
    if not text.isascii():
        plain = text.translate(_TYPOGRAPHY)
        if not _PLAIN_SIGNS.search(plain) and not _disguised(plain, words):
            return View(text, plain, offsets)
        if _OVERRIDE in text:
            seen, offsets = _edited(seen, offsets, _reversed_edits(text, words))
        seen, offsets = _edited(seen, offsets, hidden.crossed_out_edits(seen))
    settled = None
    for turn in range(2 * _ROUNDS):
        before = seen
        if turn == _ROUNDS:
            # The markup is nested too deeply to be parsed, so only its signs are removed.
            seen = seen.translate(_MARKUP_SIGNS)
        seen, offsets = _made_plain(seen, offsets)
        if seen == settled:
            break
        plain = seen
        if markup.may_hold_markup(seen):
            seen, offsets = _edited(seen, offsets, markup.entity_edits(seen))
            seen, offsets = _edited(seen, offsets, markup.markup_edits(seen))
        scanned, scanned_text = _scan(seen, words), seen
        seen, offsets = _edited(seen, offsets, split_words.split_word_edits(seen, words, scanned))
        scanned = scanned if seen == scanned_text else _scan(seen, words)
        seen, offsets = _edited(seen, offsets, spelling.spelling_edits(seen, words, scanned))
        if seen == before:
            break
        # If only characters were replaced, another round would find nothing new.
        settled = seen if seen == plain else None
    return View(text, seen, offsets)


def read_as_given(texts: list[str], words: Vocabulary) -> bool:
    """Whether one check of some texts together shows that the view of each is the text itself.

    Args:
        texts: any number of texts.
        words: the words by which disguised ones are recognised.

    Returns:
        False also if only a separate check of each text could show it.
    """
    # No rule matches across a semicolon, so a rule that matches none in the joined text matches in no text.
    together = " ; ".join(texts)
    if len(together) > _MOST_TOGETHER or not together.isascii() or next(plain_edits(together), None):
        return False
    # Only the rules for quoted lines and for names in capitals depend on more than adjacent characters.
    return not (">" in together or spelling.may_shout(together) or _disguised(together, words))


def _disguised(text: str, words: Vocabulary) -> bool:
    """Whether the view of a text of plain characters may differ from the text."""
    if (
        markup.may_hold_markup(text)
        or split_words.joint_edits(text, words)
        or spelling.sign_edits(text, words)
    ):
        return True
    return _may_hold_disguised_word(text, words)


def _scan(text: str, words: Vocabulary) -> ScannedWords:
    """Return the words of a text; none if its tokens show that no word is disguised."""
    if text.isascii() and not _may_hold_disguised_word(text, words):
        return NO_WORDS
    return words.scan(text)


def _may_hold_disguised_word(text: str, words: Vocabulary) -> bool:
    """Whether an unknown word of a text of plain characters may be a known one in disguise."""
    # The guards need the cached tokens later anyway.
    found = tokenize(text).folded
    unknown = words.unknown(found)
    return bool(unknown) and (
        split_words.may_hold_split_word(found, unknown, words) or spelling.may_hold_look_alike(unknown, words)
    )


def _reversed_edits(text: str, words: Vocabulary) -> Iterable[Edit]:
    """Yield the edits that put text that a direction override shows reversed into reading order."""
    for match in _REVERSED.finditer(text):
        given = match["shown"]
        reversed_text = given[::-1].translate(_MIRRORED)
        forwards = _legible_words(given, words) > _legible_words(reversed_text, words)
        yield match.start(), match.end(), given if forwards else reversed_text


def _legible_words(text: str, words: Vocabulary) -> int:
    """Return how many words of a piece are known or capitalised, which shows its reading direction."""
    return sum(
        words.is_word(word.lower()) or (word[:1].isupper() and word[1:].islower())
        for word in _WORD.findall(text)
    )


def _identity(length: int) -> tuple[int, ...]:
    return _IDENTITY[: length + 1] if length < len(_IDENTITY) else tuple(range(length + 1))


def _made_plain(text: str, offsets: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    if text.isascii() and text.isprintable():
        return text, offsets
    plain = translated_at_once(text)
    return _edited(text, offsets, plain_edits(text)) if plain is None else (plain, offsets)


def _edited(text: str, offsets: tuple[int, ...], edits: Iterable[Edit]) -> tuple[str, tuple[int, ...]]:
    """Apply edits; the offset of each inserted character is the start of its edit."""
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for start, end, replacement in edits:
        pieces += (text[last:start], replacement)
        places += offsets[last:start]
        places += [offsets[start]] * len(replacement)
        last = end
    if not pieces:
        return text, offsets
    pieces.append(text[last:])
    places += offsets[last:]
    return "".join(pieces), tuple(places)
