"""Disguises by layout and markup: words split up, and markup that rendering removes."""

from __future__ import annotations

import re
from random import Random

# Not inside addresses, which would become other ones.
_WORD = re.compile(r"(?<![\w.@/:])[A-Za-z]{3,60}(?![\w@]|[.:/]\w)")
_LONG_WORD = re.compile(r"(?<![\w.-])[A-Za-z]{5,60}(?![\w-])")
# Existing markup is not changed.
_MARKED = re.compile(r"(?P<markup>&#?\w{1,10};|</?[A-Za-z!][^<>]{0,60}>)|(?P<word>[A-Za-z0-9]{2,200})")
# Not inside names such as inc_a_1, example.com or 4.5, which would become other ones.
_PLAIN = re.compile(r"(?<![\w.@/#&<*`\[])[A-Za-z0-9]{2,200}(?![\w@/*`\]]|\.\w)")
# At the start of a line a number with a full stop or bracket would be a list item.
_GAP = re.compile(r"(?<=\S)[ ]{1,100}(?=\S)(?!\d{1,9}[.)](?:\s|\Z))(?![-*+#>])")
_HYPHENS = ("-", "\u2010", "\u2011")
_TAGS = ("b", "i", "em", "span", "strong", "u")
_FILLINGS = (
    "<!-- -->",
    "<!-- a > b -->",
    "<wbr>",
    "<b></b>",
    "<span></span>",
    "<span hidden>not</span>",
    '<i style="display: none">x</i>',
)
_EMPHASIS = ("**", "__", "*", "_")
_MARKS = ("**", "~~", "==")
_UNSEEN = ("&#8203;", "&shy;", "&zwnj;", "&NoBreak;")


def spacing(text: str, rng: Random) -> str:
    """Write words with a space or another sign after each letter, and wider gaps between words."""
    gap = rng.choice((" ", "\u00a0", "\u2009", "_", "."))
    pieces = re.split(r"( )", text)
    spaced = [_WORD.sub(lambda match: gap.join(match.group()), piece) for piece in pieces]
    if spaced == pieces:
        return text
    return "".join("   " if piece == " " else piece for piece in spaced)


def hyphenation(text: str, rng: Random) -> str:
    """Insert hyphens into words, or split them at the end of a line."""

    def hyphened(match: re.Match[str]) -> str:
        word = match.group()
        hyphen = rng.choice(_HYPHENS)
        match rng.randrange(3):
            case 0:
                return hyphen.join(word)
            case 1:
                position = rng.randint(2, len(word) - 2)
                return f"{word[:position]}-\n{word[position:]}"
            case _:
                position = rng.randint(2, len(word) - 2)
                return word[:position] + hyphen + word[position:]

    return _LONG_WORD.sub(hyphened, text)


def line_breaks(text: str, rng: Random) -> str:
    """Break the line between words."""
    kind = rng.choice(("\n", " \n", "\r\n", "\n "))
    return _GAP.sub(kind, text)


def entities(text: str, rng: Random) -> str:
    """Write characters of words as HTML entities, or insert invisible entities."""

    def encoded(word: str) -> str:
        if len(word) > 1 and rng.random() < 0.2:
            position = rng.randrange(1, len(word))
            return word[:position] + rng.choice(_UNSEEN) + word[position:]
        required = rng.randrange(len(word))
        return "".join(
            _entity(char, rng) if position == required or rng.random() < 0.4 else char
            for position, char in enumerate(word)
        )

    return _MARKED.sub(lambda match: match["markup"] or encoded(match["word"]), text)


def html(text: str, rng: Random) -> str:
    """Insert HTML tags around and into words."""

    def tagged(word: str) -> str:
        tag, position = rng.choice(_TAGS), rng.randint(1, len(word) - 1)
        match rng.randrange(3):
            case 0:
                return f"<{tag}>{word}</{tag}>"
            case 1:
                return f"{word[:position]}<{tag}>{word[position:]}</{tag}>"
            case _:
                return word[:position] + rng.choice(_FILLINGS) + word[position:]

    return _MARKED.sub(lambda match: match["markup"] or tagged(match["word"]), text)


def markdown(text: str, rng: Random) -> str:
    """Add Markdown emphasis around and into words, or make them code or links."""

    def emphasised(word: str) -> str:
        position, sign = rng.randint(1, len(word) - 1), rng.choice(_EMPHASIS)
        match rng.randrange(4):
            case 0:
                return f"[{word}](#)"
            case 1:
                return f"`{word}`"
            case 2:
                mark = rng.choice(_MARKS)
                return f"{mark}{word[:position]}{mark}{word[position:]}"
            case _:
                return f"{sign}{word}{sign}"

    return _PLAIN.sub(lambda match: emphasised(match.group()), text)


def _entity(char: str, rng: Random) -> str:
    return rng.choice((f"&#{ord(char)};", f"&#x{ord(char):x};", f"&#x{ord(char):04X};"))
