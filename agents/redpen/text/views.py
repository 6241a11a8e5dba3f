"""What a reader sees of a text: the given characters with every disguise taken off.

Offsets lead back: a finding in the view is reported at its place in the text as given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.text import apart, markup
from redpen.text.folding import LOOK_ALIKES, fold_char, is_latin, is_mark, is_number_sign, is_raised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.text.markup import Edit

_ROUNDS = 8
_IDENTITY = tuple(range(8192))
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u2011": "-", "\u2010": "-"})
_PLAIN_SIGNS = re.compile(r"[^\x20-\x7e\n“”–—…•€£‰°©®™«»]")
_UNUSUAL = re.compile(r"[^\x20-\x7e\n\t]")
_MARKUP_SIGNS = str.maketrans(dict.fromkeys("&<>\\`*~[]_", " "))
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[A-Za-z]")
_OVERRIDE = "\u202e"
_TURNED = re.compile("\u202e(?P<shown>[^\u202a-\u202e\u2066-\u2069\n]*+)[\u202c\u2069]?")
_MIRRORED = str.maketrans("()[]{}<>", ")(][}{><")
_FLAG_OFFSET = 0x1F1E6 - ord("a")
_TAG_BASE = 0xE0000
_BLACK_FLAG = "\U0001f3f4"
_DRAWN_OVER = "*_`~"


@dataclass(frozen=True, slots=True)
class View:
    """A text as a reader reads it.

    Attributes:
        given: the text as it came.
        text: what a reader sees of it (disguises off; case and punctuation kept).
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
            # All of it was put in for one piece of markup: that piece is its place.
            return first, self.offsets[bisect_right(self.offsets, first)]
        while last > least and (self.given[last - 1] in _DRAWN_OVER or self.given[last - 1].isspace()):
            last -= 1
        return first, max(first, last)


@lru_cache(maxsize=64)
def read(text: str) -> View:
    """Return the view of a text.

    Args:
        text: any text, lone surrogates included.

    Returns:
        The text as read. Reading what was read changes nothing: ``read(read(x).text).text`` is
        ``read(x).text``. The time is linear in the length.
    """
    seen = text.translate(_TYPOGRAPHY)
    if not _PLAIN_SIGNS.search(seen) and not _disguised(seen):
        return View(text, seen, _identity(len(text)))
    seen, offsets = text, _identity(len(text))
    if _OVERRIDE in text:
        seen, offsets = _edited(seen, offsets, _turned_edits(text))
    for turn in range(2 * _ROUNDS):
        before = seen
        if turn == _ROUNDS:
            # Markup nested deeper than anybody writes: its signs alone are taken away.
            seen = seen.translate(_MARKUP_SIGNS)
        seen, offsets = _edited(seen, offsets, _folding_edits(seen))
        if markup.HINT.search(seen):
            seen, offsets = _edited(seen, offsets, markup.entity_edits(seen))
            seen, offsets = _edited(seen, offsets, markup.markup_edits(seen))
        seen, offsets = _edited(seen, offsets, apart.apart_edits(seen))
        if seen == before:
            break
    return View(text, seen, offsets)


def _turned_edits(text: str) -> Iterable[Edit]:
    """Yield the edits that set right what a direction override shows from its end."""
    for match in _TURNED.finditer(text):
        given = match["shown"]
        turned = given[::-1].translate(_MIRRORED)
        yield match.start(), match.end(), given if _legible(given) > _legible(turned) else turned


def _legible(text: str) -> int:
    """Return how many words of a piece read forwards: guarded ones, and those that begin with a capital."""
    words = _WORD.findall(text)
    return sum(apart.guarded(word) or (word[:1].isupper() and word[1:].islower()) for word in words)


def _identity(length: int) -> tuple[int, ...]:
    return _IDENTITY[: length + 1] if length < len(_IDENTITY) else tuple(range(length + 1))


def _disguised(text: str) -> bool:
    return markup.HINT.search(text) is not None or next(iter(apart.apart_edits(text)), None) is not None


def _edited(text: str, offsets: tuple[int, ...], edits: Iterable[Edit]) -> tuple[str, tuple[int, ...]]:
    """Apply edits; each character put in stands where its edit begins."""
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for start, end, instead in edits:
        pieces += (text[last:start], instead)
        places += offsets[last:start]
        places += [offsets[start]] * len(instead)
        last = end
    if not pieces:
        return text, offsets
    pieces.append(text[last:])
    places += offsets[last:]
    return "".join(pieces), tuple(places)


def _folding_edits(text: str) -> Iterable[Edit]:
    """Yield the edits that make characters plain, in order and without overlap."""
    if text.isascii() and text.isprintable():
        return
    spared = {} if text.isascii() else _look_alike_words(text, _mostly_latin(text))
    base = ""
    last = 0
    for match in _UNUSUAL.finditer(text):
        index, char = match.start(), match.group()
        if index < last:
            continue
        if index > last:
            base = text[index - 1]
        last = index + 1
        if char == _BLACK_FLAG:
            last, instead = _flag(text, index)
        elif is_mark(char):
            # Over a Latin letter, a digit or a space a mark is decoration; other scripts need theirs.
            keep = base != "" and not base.isascii() and base.isalpha() and not is_latin(base)
            instead = char if keep else ""
        elif is_number_sign(char):
            instead = _number_sign(text, index, base)
            base = instead[-1]
        else:
            # A carriage return and the line feed after it are one line end.
            ends_line = char == "\r" and text.startswith("\n", index + 1)
            instead = "" if ends_line else spared.get(index) or fold_char(char)
            if instead:
                base = instead[-1]
        if instead != char:
            yield index, last, instead


def _number_sign(text: str, index: int, base: str) -> str:
    """Set a number sign off from the digits beside it: 10² is not 102, 5½ is five and a half."""
    char = text[index]
    plain = fold_char(char)
    follows_sign = index > 0 and is_number_sign(text[index - 1]) and "/" not in plain
    if follows_sign:
        return plain
    if is_raised(char) and base.isalnum():
        return f"^{plain}"
    before = " " if base.isdigit() else ""
    following = text[index + 1 : index + 2]
    after = " " if following.isascii() and following.isdigit() else ""
    return f"{before}{plain}{after}"


def _flag(text: str, index: int) -> tuple[int, str]:
    """Return the end of a flag spelt in tag characters and the two-letter flag of its country."""
    end = index + 1
    letters = ""
    while end < len(text) and end <= index + 8 and _TAG_BASE < ord(text[end]) < _TAG_BASE + 0x80:
        letters += chr(ord(text[end]) - _TAG_BASE)
        end += 1
    if len(letters) < 2 or not letters[:2].isalpha():
        return index + 1, _BLACK_FLAG
    return end, "".join(chr(_FLAG_OFFSET + ord(letter)) for letter in letters[:2].lower())


def _mostly_latin(text: str) -> bool:
    others = sum(1 for char in text if not char.isascii() and char.isalpha() and char not in LOOK_ALIKES)
    return others * 3 < len(_LATIN.findall(text))


def _look_alike_words(text: str, latin: bool) -> dict[int, str]:
    """Return, by place, the Latin letters that look-alikes stand for.

    A word takes part when it holds a Latin letter or a digit beside them, or when all of it looks Latin
    and the text around does too; a word of another script stays as it is.
    """
    found: dict[int, str] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii():
            continue
        places = [place for place, char in enumerate(word) if char in LOOK_ALIKES]
        if not places:
            continue
        foreign = sum(1 for char in word if not char.isascii() and char.isalpha() and not is_latin(char))
        mixed = any(fold_char(char).isascii() and char.isalnum() for char in word)
        if mixed or (latin and foreign == len(places)):
            found.update((match.start() + place, LOOK_ALIKES[word[place]]) for place in places)
    return found
