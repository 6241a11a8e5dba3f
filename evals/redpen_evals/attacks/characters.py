"""Disguises by characters: homoglyphs, invisible characters, marks, other alphabets and digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

LOOK_ALIKES = {
    "a": "\u0430\u0251",
    "c": "\u0441\u03f2",
    "d": "\u0501",
    "e": "\u0435",
    "g": "\u0261\u0581",
    "h": "\u04bb",
    "i": "\u0456",
    "j": "\u0458",
    "l": "\u04cf",
    "n": "\u0578",
    "o": "\u043e\u03bf\u0585",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455",
    "u": "\u057d\u03c5",
    "v": "\u03bd\u0475",
    "w": "\u051d",
    "x": "\u0445",
    "y": "\u0443",
    "z": "\u1d22",
    "A": "\u0410\u0391",
    "B": "\u0412\u0392",
    "C": "\u0421",
    "E": "\u0415\u0395",
    "H": "\u041d\u0397",
    "I": "\u0406\u0399",
    "J": "\u0408",
    "K": "\u041a\u039a",
    "M": "\u041c\u039c",
    "N": "\u039d",
    "O": "\u041e\u039f",
    "P": "\u0420\u03a1",
    "S": "\u0405",
    "T": "\u0422\u03a4",
    "X": "\u0425\u03a7",
    "Y": "\u04ae\u03a5",
    "Z": "\u0396",
}
"""Latin letters with their Cyrillic, Greek, Armenian and phonetic homoglyphs."""

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u2062\u2063\u180e\u034f\ufe0f"
"""Zero-width spaces and joiners, soft hyphen, invisible operators, grapheme joiner, selector."""

DIRECTION_MARKS = "\u200e\u200f\u061c"
DIRECTION_PAIRS = (("\u202a", "\u202c"), ("\u2066", "\u2069"), ("\u2068", "\u2069"), ("\u202d", "\u202c"))
_OVERRIDE, _POP, _LEFT_TO_RIGHT = "\u202e", "\u202c", "\u200e"

TAGS = "".join(map(chr, range(0xE0020, 0xE007F)))

MARKS = "\u0300\u0301\u0302\u0303\u0307\u0308\u030a\u0316\u0323\u0324\u0331\u0332\u0335\u0336\u0338\u033f"
"""Accents, dots, underlines and strokes that combine with the letter before."""

LEET = {
    "a": "4@",
    "b": "8",
    "e": "3",
    "g": "9",
    "i": "1!",
    "l": "1",
    "o": "0",
    "s": "5$",
    "t": "7",
    "z": "2",
}

DIGIT_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0b66\u0be6\u0c66\u0e50\u0ed0\u0f20\u1040\u17e0\uff10"
"""The digit zero of other scripts; one to nine follow it in each."""

_ALPHABETS = (
    # First upper-case letter, lower-case letter and digit (if any) of a compatibility alphabet.
    (0xFF21, 0xFF41, 0xFF10),
    (0x1D400, 0x1D41A, 0x1D7CE),
    (0x1D5A0, 0x1D5BA, 0x1D7E2),
    (0x1D5D4, 0x1D5EE, 0x1D7EC),
    (0x1D670, 0x1D68A, 0x1D7F6),
    (0x24B6, 0x24D0, None),
)
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}

_WORD = re.compile(r"[A-Za-z0-9]{1,200}")
# Not inside names such as inc_a_1, which would become other names.
_LETTERS = re.compile(r"(?<!\w)[A-Za-z]{2,60}(?!\w)")


def look_alikes(text: str, rng: Random) -> str:
    """Replace Latin letters with homoglyphs of other scripts."""
    return _some(text, rng, tuple(LOOK_ALIKES), lambda char: rng.choice(LOOK_ALIKES[char]))


def invisible(text: str, rng: Random) -> str:
    """Insert zero-width characters into words."""
    return _between(text, rng, lambda: rng.choice(INVISIBLE))


def tags(text: str, rng: Random) -> str:
    """Insert invisible tag characters into words."""
    return _between(text, rng, lambda: "".join(rng.choices(TAGS, k=rng.randint(1, 4))))


def direction(text: str, rng: Random) -> str:
    """Insert direction controls into words, or reverse words under a right-to-left override."""

    def turned(match: re.Match[str]) -> str:
        word = match.group()
        match rng.randrange(3):
            case 0:
                # Without the mark after it two words in a row would be displayed in reverse order.
                return f"{_OVERRIDE}{word[::-1]}{_POP}{_LEFT_TO_RIGHT}"
            case 1:
                opening, closing = rng.choice(DIRECTION_PAIRS)
                return f"{opening}{word}{closing}"
            case _:
                # A right-to-left mark next to a digit would reorder the text around it.
                marks = DIRECTION_MARKS if word.isalpha() and len(word) > 1 else _LEFT_TO_RIGHT
                position = rng.randint(1, max(1, len(word) - 1))
                return word[:position] + rng.choice(marks) + word[position:]

    return _WORD.sub(turned, text)


def combining(text: str, rng: Random) -> str:
    """Add combining marks to letters."""
    return _some(text, rng, tuple(LOOK_ALIKES), lambda char: char + rng.choice(MARKS))


def compatibility(text: str, rng: Random) -> str:
    """Write in one of Unicode's compatibility alphabets, with ligatures."""
    capital, small, zero = rng.choice(_ALPHABETS)

    def convert(char: str) -> str:
        if "A" <= char <= "Z":
            return chr(capital + ord(char) - ord("A"))
        if "a" <= char <= "z":
            return chr(small + ord(char) - ord("a"))
        if "0" <= char <= "9" and zero is not None:
            return chr(zero + ord(char) - ord("0"))
        return char

    if rng.random() < 0.3:
        for letters, ligature in _LIGATURES.items():
            text = text.replace(letters, ligature)
    return "".join(map(convert, text))


def case(text: str, rng: Random) -> str:
    """Write words in upper case or mixed case."""
    mixed = rng.random() < 0.5

    def change_case(match: re.Match[str]) -> str:
        word = match.group()
        # In upper case the pronoun would be a country.
        if word == "us":
            return word
        if mixed:
            return "".join(char.upper() if index % 2 else char.lower() for index, char in enumerate(word))
        return word.upper()

    return _LETTERS.sub(change_case, text)


def leetspeak(text: str, rng: Random) -> str:
    """Replace letters with digits and signs in words of four letters or more."""

    def substitute(match: re.Match[str]) -> str:
        word = match.group()
        # Three letters and a digit may be a date: Jun3.
        last = len(word) - (len(word) == 4)
        positions = [index for index, char in enumerate(word[:last]) if index and char in LEET]
        if len(word) < 4 or not positions:
            return word
        chars = list(word)
        for index in rng.sample(positions, k=min(len(positions), rng.randint(1, 3))):
            chars[index] = rng.choice(LEET[chars[index]])
        return "".join(chars)

    return _LETTERS.sub(substitute, text)


def digits(text: str, rng: Random) -> str:
    """Write the digits in another script."""
    zero = ord(rng.choice(DIGIT_ZEROS))
    return text.translate({ord("0") + value: zero + value for value in range(10)})


def _some(text: str, rng: Random, candidates: Sequence[str], change: Callable[[str], str]) -> str:
    """Change about half of the candidate characters, and at least one."""
    positions = [index for index, char in enumerate(text) if char in candidates]
    if not positions:
        return text
    chosen = {rng.choice(positions), *(index for index in positions if rng.random() < 0.5)}
    return "".join(change(char) if index in chosen else char for index, char in enumerate(text))


def _between(text: str, rng: Random, make: Callable[[], str]) -> str:
    """Insert something into every word of two characters or more, at least once."""

    def filled(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) == 1:
            return word
        required = rng.randrange(1, len(word))
        pieces = [word[0]]
        for index in range(1, len(word)):
            if index == required or rng.random() < 0.3:
                pieces.append(make())
            pieces.append(word[index])
        return "".join(pieces)

    return _WORD.sub(filled, text)
