"""What a reader sees of a text: the given characters with every disguise taken off.

Offsets lead back: a finding in the view is reported at its place in the text as given.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redpen.text import apart, markup, spelt, unseen
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.plain import plain_at_once, plain_edits
from redpen.text.tokens import tokenize
from redpen.text.vocabulary import NOTHING_LOOSE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.text.markup import Edit
    from redpen.text.vocabulary import Loose, Vocabulary

_ROUNDS = 8
_MOST_TOGETHER = 16_000
_IDENTITY = tuple(range(8192))
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u2011": "-", "\u2010": "-"})
_PLAIN_SIGNS = lazy_pattern(r"[^\x20-\x7e\n“”–—…•€£‰°©®™«»]")
_MARKUP_SIGNS = str.maketrans(dict.fromkeys("&<>\\`*~[]_", " "))
_WORD = lazy_pattern(r"[^\W_]+")
_OVERRIDE = "\u202e"
_TURNED = lazy_pattern("\u202e(?P<shown>[^\u202a-\u202e\u2066-\u2069\n]*+)[\u202c\u2069]?")
_MIRRORED = str.maketrans("()[]{}<>", ")(][}{><")
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
            place = bisect_right(self.offsets, first)
            return (first, self.offsets[place]) if place < len(self.offsets) else (first - 1, first)
        while last > least and (self.given[last - 1] in _DRAWN_OVER or self.given[last - 1].isspace()):
            last -= 1
        return first, max(first, last)


def view_of(text: str, words: Vocabulary) -> View:
    """Return the view of a text.

    Args:
        text: any text, lone surrogates included.
        words: the words by which one in disguise is recognised.

    Returns:
        The text as read. What was read reads as it stands: ``view_of(view_of(x, w).text, w).text`` is
        ``view_of(x, w).text``. The time is linear in the length.
    """
    seen, offsets = text, _identity(len(text))
    if not text.isascii():
        plain = text.translate(_TYPOGRAPHY)
        if not _PLAIN_SIGNS.search(plain) and not _disguised(plain, words):
            return View(text, plain, offsets)
        if _OVERRIDE in text:
            seen, offsets = _edited(seen, offsets, _turned_edits(text, words))
        seen, offsets = _edited(seen, offsets, unseen.crossed_out_edits(seen))
    settled = None
    for turn in range(2 * _ROUNDS):
        before = seen
        if turn == _ROUNDS:
            # Markup nested deeper than anybody writes: its signs alone are taken away.
            seen = seen.translate(_MARKUP_SIGNS)
        seen, offsets = _made_plain(seen, offsets)
        if seen == settled:
            break
        plain = seen
        if markup.may_hold_markup(seen):
            seen, offsets = _edited(seen, offsets, markup.entity_edits(seen))
            seen, offsets = _edited(seen, offsets, markup.markup_edits(seen))
        loose, of_loose = _loose(seen, words), seen
        seen, offsets = _edited(seen, offsets, apart.apart_edits(seen, words, loose))
        loose = loose if seen == of_loose else _loose(seen, words)
        seen, offsets = _edited(seen, offsets, spelt.spelt_edits(seen, words, loose))
        if seen == before:
            break
        # Where nothing but its characters was edited, the rest need not be looked for once more.
        settled = seen if seen == plain else None
    return View(text, seen, offsets)


def read_as_given(texts: list[str], words: Vocabulary) -> bool:
    """Whether one look at some texts together shows that each reads as it stands.

    Args:
        texts: texts of any number.
        words: the words by which one in disguise is recognised.

    Returns:
        False also where only a look at each would show it.
    """
    # No rule reads across a semicolon, so that what none finds in all of them none finds in one.
    together = " ; ".join(texts)
    if len(together) > _MOST_TOGETHER or not together.isascii() or next(plain_edits(together), None):
        return False
    # Only the rules of quoted lines and of shouted names ask for more than the characters around.
    return not (">" in together or spelt.may_shout(together) or _disguised(together, words))


def _disguised(text: str, words: Vocabulary) -> bool:
    """Whether a text of plain signs may read otherwise than it stands."""
    if markup.may_hold_markup(text) or apart.joint_edits(text, words) or spelt.sign_edits(text, words):
        return True
    return _may_hold_loose(text, words)


def _loose(text: str, words: Vocabulary) -> Loose:
    """Return the unknown words of a text; none when its tokens show that they are what they are."""
    if text.isascii() and not _may_hold_loose(text, words):
        return NOTHING_LOOSE
    return words.loose(text)


def _may_hold_loose(text: str, words: Vocabulary) -> bool:
    """Whether an unknown word of a text of plain signs may be a known one in disguise.

    The tokens are of use later on: most texts read as they stand.
    """
    found = tokenize(text).folded
    strange = words.strange(found)
    return bool(strange) and (apart.may_be_cut(found, strange, words) or spelt.may_look(strange, words))


def _turned_edits(text: str, words: Vocabulary) -> Iterable[Edit]:
    """Yield the edits that set right what a direction override shows from its end."""
    for match in _TURNED.finditer(text):
        given = match["shown"]
        turned = given[::-1].translate(_MIRRORED)
        forwards = _legible(given, words) > _legible(turned, words)
        yield match.start(), match.end(), given if forwards else turned


def _legible(text: str, words: Vocabulary) -> int:
    """Return how many words of a piece read forwards: known ones, and those that begin with a capital."""
    return sum(
        words.whole(word.lower()) or (word[:1].isupper() and word[1:].islower())
        for word in _WORD.findall(text)
    )


def _identity(length: int) -> tuple[int, ...]:
    return _IDENTITY[: length + 1] if length < len(_IDENTITY) else tuple(range(length + 1))


def _made_plain(text: str, offsets: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    if text.isascii() and text.isprintable():
        return text, offsets
    plain = plain_at_once(text)
    return _edited(text, offsets, plain_edits(text)) if plain is None else (plain, offsets)


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
