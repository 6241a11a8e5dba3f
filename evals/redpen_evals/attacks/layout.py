"""Disguises by layout and markup: words taken apart, and what rendering takes away again."""

from __future__ import annotations

import re
from random import Random

# Inside an address a sign would make it another one.
_WORD = re.compile(r"(?<![\w.@/:])[A-Za-z]{3,60}(?![\w@]|[.:/]\w)")
_LONG_WORD = re.compile(r"(?<![\w.-])[A-Za-z]{5,60}(?![\w-])")
# What is markup already stays as it is.
_MARKED = re.compile(r"(?P<markup>&#?\w{1,10};|</?[A-Za-z!][^<>]{0,60}>)|(?P<word>[A-Za-z0-9]{2,200})")
# Inside a name such as inc_a_1, example.com or 4.5 a sign would be one of its characters.
_PLAIN = re.compile(r"(?<![\w.@/#&<*`\[])[A-Za-z0-9]{2,200}(?![\w@/*`\]]|\.\w)")
# A number with a stop or bracket would be read as the numbering of a list at the start of a line.
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
    """Write words with a blank or another sign after each letter, and wider gaps between the words."""
    gap = rng.choice((" ", "\u00a0", "\u2009", "_", "."))
    pieces = re.split(r"( )", text)
    spaced = [_WORD.sub(lambda match: gap.join(match.group()), piece) for piece in pieces]
    if spaced == pieces:
        return text
    return "".join("   " if piece == " " else piece for piece in spaced)


def hyphenation(text: str, rng: Random) -> str:
    """Write words with hyphens in them, or cut at the end of a line."""

    def hyphened(match: re.Match[str]) -> str:
        word = match.group()
        hyphen = rng.choice(_HYPHENS)
        match rng.randrange(3):
            case 0:
                return hyphen.join(word)
            case 1:
                at = rng.randint(2, len(word) - 2)
                return f"{word[:at]}-\n{word[at:]}"
            case _:
                at = rng.randint(2, len(word) - 2)
                return word[:at] + hyphen + word[at:]

    return _LONG_WORD.sub(hyphened, text)


def line_breaks(text: str, rng: Random) -> str:
    """Break the line between words."""
    kind = rng.choice(("\n", " \n", "\r\n", "\n "))
    return _GAP.sub(kind, text)


def entities(text: str, rng: Random) -> str:
    """Write characters of words as HTML entities, or put some between them that show nothing."""

    def encoded(word: str) -> str:
        if len(word) > 1 and rng.random() < 0.2:
            at = rng.randrange(1, len(word))
            return word[:at] + rng.choice(_UNSEEN) + word[at:]
        must = rng.randrange(len(word))
        return "".join(
            _entity(char, rng) if at == must or rng.random() < 0.4 else char for at, char in enumerate(word)
        )

    return _MARKED.sub(lambda match: match["markup"] or encoded(match["word"]), text)


def html(text: str, rng: Random) -> str:
    """Put HTML tags around words and into them."""

    def tagged(word: str) -> str:
        tag, at = rng.choice(_TAGS), rng.randint(1, len(word) - 1)
        match rng.randrange(3):
            case 0:
                return f"<{tag}>{word}</{tag}>"
            case 1:
                return f"{word[:at]}<{tag}>{word[at:]}</{tag}>"
            case _:
                return word[:at] + rng.choice(_FILLINGS) + word[at:]

    return _MARKED.sub(lambda match: match["markup"] or tagged(match["word"]), text)


def markdown(text: str, rng: Random) -> str:
    """Put Markdown emphasis around words and into them, code marks and links around them."""

    def emphasised(word: str) -> str:
        at, sign = rng.randint(1, len(word) - 1), rng.choice(_EMPHASIS)
        match rng.randrange(4):
            case 0:
                return f"[{word}](#)"
            case 1:
                return f"`{word}`"
            case 2:
                mark = rng.choice(_MARKS)
                return f"{mark}{word[:at]}{mark}{word[at:]}"
            case _:
                return f"{sign}{word}{sign}"

    return _PLAIN.sub(lambda match: emphasised(match.group()), text)


def _entity(char: str, rng: Random) -> str:
    return rng.choice((f"&#{ord(char)};", f"&#x{ord(char):x};", f"&#x{ord(char):04X};"))
