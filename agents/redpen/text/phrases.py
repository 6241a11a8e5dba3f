"""Finds, deletes and adds phrases, by whole words.

Two phrases are equal if their words are: case, white space, punctuation and the form of apostrophes do not
count. A word is a run of characters that are neither white space nor punctuation, in any script; an
apostrophe or an underscore between two such runs belongs to the word.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from redpen.text.folding import LOOK_ALIKES
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.markup import entity_edits, markup_edits
from redpen.text.normal import collapse

_APOSTROPHES = "'’ʼ´`"
_INNER = _APOSTROPHES + "_"
_UNITS = "%‰°"
_JOINTS = "-‐‑/"
_DASHES = "-–—"
_LIST_MARKS = "-*•–"
# Symbols that separate words, besides punctuation: <, >, |, ~, =, ` and similar ones.
_BETWEEN_WORDS = frozenset({"Sm", "Sk"})
_UNSEEN = frozenset({"Cf", "Cc"})
_LATIN_LETTER = lazy_pattern(r"[A-Za-z]")
_SENTENCE_ENDS = ".!?"
_PAUSES = ",;:"
_BRACKETS = {"(": ")", "[": "]", '"': '"', "“": "”"}


@dataclass(frozen=True, slots=True)
class _Word:
    value: str
    start: int
    end: int


def phrase_key(phrase: str) -> tuple[str, ...]:
    """Return a key that equal phrases share."""
    words = tuple(word.value for word in _words(phrase))
    return words or (collapse(phrase),)


def occurrences(text: str, phrase: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the occurrences of a phrase, from left to right, without overlaps.

    A phrase without any word (``"..."``) is searched for literally.
    """
    wanted = [word.value for word in _words(phrase)]
    if not wanted:
        at = text.find(phrase) if phrase else -1
        return ((at, at + len(phrase)),) if at >= 0 else ()
    words = _words(text)
    spans, at, count = [], 0, len(wanted)
    while at + count <= len(words):
        found = [word.value for word in words[at : at + count]] if words[at].value == wanted[0] else []
        if found == wanted and not _is_part_of_compound(text, words[at].start, words[at + count - 1].end):
            spans.append((words[at].start, words[at + count - 1].end))
            at += count
        else:
            at += 1
    return tuple(spans)


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether the text contains the phrase as whole words."""
    return bool(occurrences(text, phrase))


def mentions(text: str, phrase: str) -> bool:
    """Whether a reader of the text finds the phrase in it, be it as a part of longer words.

    Case, white space, invisible characters, the form of apostrophes, and markup, also within words, do not
    count; nor does punctuation of the text between the words of a phrase.
    """
    forms = (text, _without_markup(text))
    if any(phrase.casefold() in form.casefold() for form in forms):
        return True
    words = _words(phrase)
    if len(words) == 1 and words[0].end - words[0].start < len(phrase.strip()):
        # The word of `#1` or of `C++` alone is another phrase.
        return False
    return bool(words) and any(_joined(words) in _joined(_words(form)) for form in forms)


def _joined(words: tuple[_Word, ...]) -> str:
    """Return words as they are compared, with a space before each."""
    return "".join(f" {word.value}" for word in words)


def _without_markup(text: str) -> str:
    for edits in (entity_edits, markup_edits):
        for start, end, plain in reversed(list(edits(text))):
            text = text[:start] + plain + text[end:]
    return text


def delete_phrase(text: str, phrase: str) -> str:
    """Return the text without the phrase, with the gap closed.

    Final punctuation of the phrase is deleted too if the text has it. A sentence that becomes empty loses its
    end mark; one that loses its first word starts with a capital again.
    """
    while spans := occurrences(text, phrase):
        start, end = spans[0]
        for mark in _trailing_punctuation(phrase):
            if text[end : end + 1] == mark:
                end += 1
        text = _close_gap(text, start, end)
    return text


def append_phrase(text: str, phrase: str) -> str:
    """Return the text with the unchanged phrase as its last sentence.

    A text that does not end in a full stop, exclamation or question mark gets a full stop; in a text with a
    blank line the phrase becomes a new paragraph.
    """
    text = text.rstrip()
    if not text:
        return phrase
    if text[-1] not in _SENTENCE_ENDS:
        text += "."
    has_blank_line = any(not line.strip() for line in text.splitlines())
    return text + ("\n\n" if has_blank_line else " ") + phrase


@lru_cache(maxsize=256)
def _words(text: str) -> tuple[_Word, ...]:
    words: list[_Word] = []
    start: int | None = None
    for at, character in enumerate(text):
        if (
            _in_word(character)
            or (start is not None and character in _INNER and at + 1 < len(text) and _in_word(text[at + 1]))
            or (start is not None and character in _UNITS and text[at - 1].isdigit())
        ):
            start = at if start is None else start
        elif start is not None:
            words.append(_word(text, start, at))
            start = None
    if start is not None:
        words.append(_word(text, start, len(text)))
    return tuple(word for word in words if word.value)


def _word(text: str, start: int, end: int) -> _Word:
    visible = "".join(char for char in text[start:end] if unicodedata.category(char) not in _UNSEEN)
    if not visible.isascii() and _LATIN_LETTER.search(visible):
        # A Latin word with look-alike letters of another script equals the Latin word.
        visible = "".join(LOOK_ALIKES.get(char, char) for char in visible)
    for apostrophe in _APOSTROPHES[1:]:
        visible = visible.replace(apostrophe, "'")
    return _Word(unicodedata.normalize("NFKC", visible).casefold(), start, end)


def _in_word(character: str) -> bool:
    if character.isalnum():
        return True
    category = unicodedata.category(character)
    return not (character.isspace() or category.startswith("P") or category in _BETWEEN_WORDS)


def _is_part_of_compound(text: str, start: int, end: int) -> bool:
    # One half of `rate-limited` or `and/or` is not a whole word.
    before, after = text[:start][-2:], text[end : end + 2]
    return (len(before) == 2 and before[1] in _JOINTS and _in_word(before[0])) or (
        len(after) == 2 and after[0] in _JOINTS and _in_word(after[1])
    )


def _trailing_punctuation(phrase: str) -> str:
    words = _words(phrase)
    return phrase[words[-1].end :].strip() if words else ""


def _close_gap(text: str, start: int, end: int) -> str:
    left, right = text[:start].rstrip(), text[end:].lstrip()
    gaps = [text[len(left) : start], text[end : len(text) - len(right)]]
    starts_sentence = not left or left[-1] in _SENTENCE_ENDS or "\n" in gaps[0]
    left, right, dropped = _without_leftovers(left, right, ends_line=not right or "\n" in gaps[1])
    gaps += dropped
    if starts_sentence:
        stripped = right.lstrip(_PAUSES + _SENTENCE_ENDS)
        if stripped != right:
            right = stripped.lstrip()
            gaps += [" ", stripped[: len(stripped) - len(right)]]
        if text[start : start + 1].isupper():
            right = right[:1].upper() + right[1:]
    else:
        left, right = _one_mark(left, right)
    if not left or not right or right[0] in _SENTENCE_ENDS + _PAUSES + ")]":
        return left + right
    return left + _separator(gaps, left[-1]) + right


def _one_mark(left: str, right: str) -> tuple[str, str]:
    """Return both sides with one mark if the deletion left two adjacent ones."""
    if right[:1] in tuple(_SENTENCE_ENDS):
        return left.rstrip(_PAUSES).rstrip(), right
    if right[:1] in tuple(_PAUSES) and left[-1] in _PAUSES:
        return left, right[1:].lstrip()
    return left, right


def _without_leftovers(left: str, right: str, *, ends_line: bool) -> tuple[str, str, list[str]]:
    """Return both sides without marks around the deleted phrase: brackets, a list mark, a second dash."""
    if left and right and _BRACKETS.get(left[-1]) == right[0]:
        return left[:-1].rstrip(), right[1:].lstrip(), [" "]
    if ends_line and left.rpartition("\n")[2].strip() in {*_LIST_MARKS}:
        return left[:-1].rstrip(), right, []
    if left and right and left[-1] in _DASHES and right[0] in _DASHES:
        return left, right[1:].lstrip(), []
    return left, right, []


def _separator(gaps: list[str], before: str) -> str:
    breaks = max(gap.count("\n") for gap in gaps)
    if breaks:
        return "\n" * min(breaks, 2)
    return "" if before in "([" or not any(gaps) else " "
