"""Disguises of single characters: other letters that look alike, and characters that show nothing."""

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
"""Latin letters, and letters of Cyrillic, Greek, Armenian and phonetic script drawn the same."""

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
    # First capital, first small letter and first digit (where there is one) of a compatibility alphabet.
    (0xFF21, 0xFF41, 0xFF10),
    (0x1D400, 0x1D41A, 0x1D7CE),
    (0x1D5A0, 0x1D5BA, 0x1D7E2),
    (0x1D5D4, 0x1D5EE, 0x1D7EC),
    (0x1D670, 0x1D68A, 0x1D7F6),
    (0x24B6, 0x24D0, None),
)
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}

_WORD = re.compile(r"[A-Za-z0-9]{1,200}")
# Part of a name such as inc_a_1 would make it another name.
_LETTERS = re.compile(r"(?<!\w)[A-Za-z]{2,60}(?!\w)")


def look_alikes(text: str, rng: Random) -> str:
    """Put letters of other scripts for Latin ones."""
    return _some(text, rng, tuple(LOOK_ALIKES), lambda char: rng.choice(LOOK_ALIKES[char]))


def invisible(text: str, rng: Random) -> str:
    """Put characters without width between the characters of words."""
    return _between(text, rng, lambda: rng.choice(INVISIBLE))


def tags(text: str, rng: Random) -> str:
    """Put tag characters, which show nothing, between the characters of words."""
    return _between(text, rng, lambda: "".join(rng.choices(TAGS, k=rng.randint(1, 4))))


def direction(text: str, rng: Random) -> str:
    """Put direction controls into words, or write words backwards under an override that turns them."""

    def turned(match: re.Match[str]) -> str:
        word = match.group()
        match rng.randrange(3):
            case 0:
                # Without the mark after it two words in a row would be shown in the other order.
                return f"{_OVERRIDE}{word[::-1]}{_POP}{_LEFT_TO_RIGHT}"
            case 1:
                opening, closing = rng.choice(DIRECTION_PAIRS)
                return f"{opening}{word}{closing}"
            case _:
                # A mark for right to left beside a figure would move what stands around it.
                marks = DIRECTION_MARKS if word.isalpha() and len(word) > 1 else _LEFT_TO_RIGHT
                at = rng.randint(1, max(1, len(word) - 1))
                return word[:at] + rng.choice(marks) + word[at:]

    return _WORD.sub(turned, text)


def combining(text: str, rng: Random) -> str:
    """Put combining marks on letters."""
    return _some(text, rng, tuple(LOOK_ALIKES), lambda char: char + rng.choice(MARKS))


def compatibility(text: str, rng: Random) -> str:
    """Write in one of the alphabets that Unicode keeps for compatibility, ligatures included."""
    capital, small, zero = rng.choice(_ALPHABETS)

    def written(char: str) -> str:
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
    return "".join(map(written, text))


def case(text: str, rng: Random) -> str:
    """Write words in capitals, or in capitals and small letters mixed."""
    mixed = rng.random() < 0.5

    def shouted(match: re.Match[str]) -> str:
        word = match.group()
        # In capitals the pronoun would be a country.
        if word == "us":
            return word
        if mixed:
            return "".join(char.upper() if at % 2 else char.lower() for at, char in enumerate(word))
        return word.upper()

    return _LETTERS.sub(shouted, text)


def leetspeak(text: str, rng: Random) -> str:
    """Put digits and signs for letters of words of four letters or more."""

    def spelled(match: re.Match[str]) -> str:
        word = match.group()
        # Three letters and a digit may be a date: Jun3.
        last = len(word) - (len(word) == 4)
        places = [at for at, char in enumerate(word[:last]) if at and char in LEET]
        if len(word) < 4 or not places:
            return word
        chars = list(word)
        for at in rng.sample(places, k=min(len(places), rng.randint(1, 3))):
            chars[at] = rng.choice(LEET[chars[at]])
        return "".join(chars)

    return _LETTERS.sub(spelled, text)


def digits(text: str, rng: Random) -> str:
    """Write the digits in another script."""
    zero = ord(rng.choice(DIGIT_ZEROS))
    return text.translate({ord("0") + value: zero + value for value in range(10)})


def _some(text: str, rng: Random, held: Sequence[str], put: Callable[[str], str]) -> str:
    """Change about half of the characters that are held, and at least one."""
    places = [at for at, char in enumerate(text) if char in held]
    if not places:
        return text
    chosen = {rng.choice(places), *(at for at in places if rng.random() < 0.5)}
    return "".join(put(char) if at in chosen else char for at, char in enumerate(text))


def _between(text: str, rng: Random, put: Callable[[], str]) -> str:
    """Put something into every word of two characters or more, once at least."""

    def filled(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) == 1:
            return word
        must = rng.randrange(1, len(word))
        pieces = [word[0]]
        for at in range(1, len(word)):
            if at == must or rng.random() < 0.3:
                pieces.append(put())
            pieces.append(word[at])
        return "".join(pieces)

    return _WORD.sub(filled, text)
