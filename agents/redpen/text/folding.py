"""Maps characters to plain forms: compatibility forms, look-alikes, invisible ones, foreign digits."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from types import MappingProxyType

_NAMED = {
    **dict.fromkeys("’‘ʼʹʻ′´", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2212\u02d7\u2043", "-"),
    **dict.fromkeys("\u2044\u2215\u29f8", "/"),
    **dict.fromkeys("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\u066a", "%"),
    "\u066b": ".",
    "\u066c": ",",
    "\u00d7": "x",
    "\u2715": "x",
    "\u2716": "x",
    "\u2800": " ",
    "ø": "o",
    "Ø": "O",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "ł": "l",
    "Ł": "L",
    "ħ": "h",
    "ı": "i",
    "ß": "ss",
    "ẞ": "SS",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "Þ": "Th",
    "ŋ": "n",
    "ƒ": "f",
    "ɑ": "a",
    "ɡ": "g",
    "ɩ": "i",
    "ɪ": "i",
    "ɴ": "n",
    "ʀ": "r",
    "ʏ": "y",
    "ʜ": "h",
    "ʟ": "l",
    "ʙ": "b",
    "ɢ": "g",
    "ᴀ": "a",
    "ᴄ": "c",
    "ᴅ": "d",
    "ᴇ": "e",
    "ᴊ": "j",
    "ᴋ": "k",
    "ᴍ": "m",
    "ᴏ": "o",
    "ᴘ": "p",
    "ꜰ": "f",
    "ꜱ": "s",
    "ᴛ": "t",
    "ᴜ": "u",
    "ᴠ": "v",
    "ᴡ": "w",
    "ᴢ": "z",
}

LOOK_ALIKES: MappingProxyType[str, str] = MappingProxyType(
    dict(
        zip(
            "аӓвгԁеёһіїјкӏмнорԛсѕтуѵԝхүАВЕЁНІЇЈКМОРСЅТУХҮԌԚԜЬѴӀ"
            "αβγεηικνορτυχωϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
            "ոսօցհքԼՏՍՕ"
            "ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ",
            "aabrdeehiijklmhopqcstyvwxyABEEHIIJKMOPCSTYXYGQWbVI"
            "aByenikvoptuxwcjABEZHIKMNOPTYX"
            "nuoghpLSUO"
            "ABCDEHJKLMPRSTVWZ",
            strict=True,
        )
    )
)
"""Letters of Cyrillic, Greek, Armenian and Cherokee that look like a Latin letter."""

_INVISIBLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)

_BOXED_BASES = ((0x1F110, "A"), (0x1F130, "A"), (0x1F150, "A"), (0x1F170, "A"), (0x249C, "a"))
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def _plain_number(char: str) -> str:
    """Return the number of a number sign (``½``, ``②``, ``⑽``) in ASCII; empty for other characters."""
    value = unicodedata.numeric(char, -1.0)
    if value < 0:
        return ""
    spelt = unicodedata.normalize("NFKD", char)
    if "\u2044" in spelt:
        return spelt.replace("\u2044", "/").strip()
    if not value.is_integer() or value >= 1_000_000:
        return ""
    return str(int(value))


@lru_cache(maxsize=4096)
def fold_char(char: str) -> str:
    """Return the plain form of one character.

    Args:
        char: one character.

    Returns:
        Empty for an invisible character; ASCII if there is a plain form, also for a number sign (see
        ``is_number_sign``); else the character itself. Look-alikes are kept, because whether a letter is
        one depends on its word.
    """
    code = ord(char)
    category = unicodedata.category(char)
    unseen = category in ("Cc", "Cf") and char not in "\n\t"
    if char in _NAMED:
        plain = _NAMED[char]
    elif unseen or any(low <= code <= high for low, high in _INVISIBLE):
        plain = ""
    elif char.isascii():
        plain = char
    elif category == "Nd":
        plain = str(unicodedata.digit(char))
    elif category == "No":
        plain = _plain_number(char) or char
    else:
        plain = " " if category == "Zs" else _boxed(code) or _decomposed(char, category)
    return plain


def _boxed(code: int) -> str:
    """Return the letter of a character that shows it in a circle, box or brackets; empty for others."""
    return "".join(chr(ord(first) + code - base) for base, first in _BOXED_BASES if base <= code < base + 26)


def roman_value(numeral: str) -> int:
    """Return the value of a Roman numeral in capitals."""
    values = [_ROMAN[letter] for letter in numeral]
    return sum(
        -value if any(value < later for later in values[at + 1 : at + 2]) else value
        for at, value in enumerate(values)
    )


def _decomposed(char: str, category: str) -> str:
    spelt = unicodedata.normalize("NFKD", char)
    if spelt[0].isascii() and category in ("Lu", "Ll", "Lt", "Lm", "Lo", "So", "Nl"):
        return "".join(_NAMED.get(part, part) for part in spelt if not unicodedata.combining(part))
    compatible = unicodedata.normalize("NFKC", char)
    if not any(part.isascii() and not part.isspace() for part in compatible):
        # No guard reads the compatibility form, and some forms have eighteen characters.
        return " " if compatible.isspace() else char
    return "".join(_NAMED.get(part, part) for part in compatible if not is_mark(part))


@lru_cache(maxsize=1024)
def is_number_sign(char: str) -> bool:
    """Whether the character is a number by itself (``²``, ``½``, ``①``), separate from adjacent digits."""
    return not char.isascii() and unicodedata.category(char) == "No" and bool(_plain_number(char))


@lru_cache(maxsize=1024)
def is_roman(char: str) -> bool:
    """Whether the character is a Roman numeral by itself (``Ⅻ``), which may also be used as letters."""
    return "\u2160" <= char <= "\u217f"


@lru_cache(maxsize=1024)
def is_raised(char: str) -> bool:
    """Whether the character is a raised or lowered digit."""
    return unicodedata.decomposition(char).startswith(("<super>", "<sub>"))


@lru_cache(maxsize=1024)
def is_mark(char: str) -> bool:
    """Whether the character is a mark over or around the previous one."""
    return unicodedata.category(char) in ("Mn", "Me")


@lru_cache(maxsize=1024)
def is_latin(char: str) -> bool:
    """Whether the character is a letter of the Latin script."""
    return char.isalpha() and (char.isascii() or unicodedata.name(char, "").startswith("LATIN"))
