"""Words, numbers and marks of a text, in order, each with its place; and where its sentences end.

One pass, each character is looked at a bounded number of times: the lexer below has possessive
repeats only, so it never goes back.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

TokenKind = Literal["word", "number", "mark", "break"]


class Token(NamedTuple):
    """One piece of a text.

    A named tuple and no dataclass because a text has hundreds of them and it is made in a fifth of the time.

    Attributes:
        kind: ``word`` (letters, with inner apostrophes), ``number`` (digits with their separators),
            ``mark`` (one punctuation character or symbol) or ``break`` (one or more line ends).
        text: the characters as they stand.
        folded: ``text`` in lower case, typographic apostrophes made plain.
        start: index of the first character.
        end: index after the last character.
    """

    kind: TokenKind
    text: str
    folded: str
    start: int
    end: int


_SINGLE_NUMBERS = "¹²³¼-¾⁰⁴-⁹₀-₉⅐-ↂ①-⒛⓪-⓿❶-➓"
_LETTERS = rf"(?:(?![{_SINGLE_NUMBERS}])[^\W\d_]|[\u0300-\u036f])"
_LEXER = re.compile(
    r"(?P<plain>[A-Za-z]++(?=[\x00-&(-\x7f]|\Z))"
    rf"|(?P<word>{_LETTERS}++(?:['’ʼ＇]{_LETTERS}++)*+)"
    r"|(?P<number>\d++(?:[.,'’_\u00a0\u2009\u202f]\d++)*+"
    rf"|[{_SINGLE_NUMBERS}])"
    r"|(?P<break>[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*+)"
    r"|(?P<mark>\S)"
)
_PLAIN = 1
"""Number of the group of the lexer that takes words of plain letters."""
_KINDS: tuple[TokenKind, ...] = ("mark", "word", "word", "number", "break", "mark")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "＇": "'"})

_CLOSERS = frozenset("\"'”’»›)]}*_`")
_OPENERS = frozenset("\"'“‘«‹([{*_`")
_ENDS = frozenset(".!?…。！？")
_LIST_MARKS = frozenset("-*•‣·–—#>|")
_ABBREVIATIONS = frozenset(
    "approx apr aug ca cf corp dec dept dr est et eg ex feb fig gen gov hr hrs ie inc jan jr jul jun ltd mar "
    "max min mins mr mrs ms mt nov oct pct prof qty ref resp sec secs sep sept sr st tel viz vol vs".split()
)
_STARTERS = frozenset(
    "a after all although an and as at because but by currently customers during each engineers "
    "every everyone "
    "everything for from he here however i if in it its many meanwhile most next no nothing now on once our "
    "payments please she since so some teams thank that the their there these they this those to today until "
    "we what when while with work you your".split()
)


@lru_cache(maxsize=32)
def tokenize(text: str) -> tuple[Token, ...]:
    """Cut a text into words, numbers, marks and line breaks.

    Args:
        text: any text; white space other than line ends separates and is dropped.

    Returns:
        The tokens in order. Their spans do not overlap, and every character that is not white space
        lies in exactly one. Kept for the last few texts, since several guards read the same one.
    """
    tokens: list[Token] = []
    append = tokens.append
    make = tuple.__new__
    for match in _LEXER.finditer(text):
        start, end = match.span()
        piece = text[start:end]
        if match.lastindex == _PLAIN:
            append(make(Token, ("word", piece, piece.lower(), start, end)))
            continue
        kind = _KINDS[match.lastindex or 0]
        folded = piece.lower() if kind == "word" else piece
        if not folded.isascii():
            folded = folded.lower().translate(_APOSTROPHES)
        append(make(Token, (kind, piece, folded, start, end)))
    return tuple(tokens)


def _dotted(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether the full stop at ``index`` closes single letters set with full stops (``U.S.``, ``a.m.``)."""
    return (
        index >= 3
        and len(tokens[index - 1].text) == 1
        and tokens[index - 1].kind == "word"
        and tokens[index - 2].text == "."
        and tokens[index - 2].end == tokens[index - 1].start
        and tokens[index - 3].kind == "word"
        and len(tokens[index - 3].text) == 1
    )


def _begins_anew(token: Token) -> bool:
    """Whether a token after an abbreviation looks like the first word of a sentence."""
    return token.kind == "word" and token.text[0].isupper() and token.folded in _STARTERS


def _stop_ends(tokens: tuple[Token, ...], index: int, begin: int) -> bool:
    """Whether the full stop at ``index`` ends the sentence that began at token ``begin``."""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or following.kind == "break":
        return True
    if index == begin:
        return False
    previous = tokens[index - 1]
    glued = following.start == tokens[index].end and following.text not in _CLOSERS | _ENDS
    if glued:
        # "3.example", "U.S", "file.txt" go on; but a new sentence may follow without its space ("fixed.All").
        words = previous.kind == following.kind == "word"
        return words and len(previous.text) > 1 and following.text[0].isupper()
    if previous.kind == "number":
        return index - 1 != begin
    if _dotted(tokens, index) or previous.folded in _ABBREVIATIONS:
        return _begins_anew(following)
    return previous.folded not in ("no", "nos") or following.kind != "number"


def _break_ends(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether the line break at ``index`` separates sentences, and does not merely wrap one."""
    if index + 1 >= len(tokens):
        return True
    following = tokens[index + 1]
    if following.kind == "word":
        return following.text[0].isupper()
    if following.kind == "number":
        after = tokens[index + 2] if index + 2 < len(tokens) else None
        return after is not None and after.text in (".", ")") and after.start == following.end
    return following.text in _LIST_MARKS or following.text in _OPENERS


def sentences(tokens: tuple[Token, ...]) -> tuple[tuple[int, int], ...]:
    """Return where the sentences of a tokenised text begin and end.

    Full stops in abbreviations (U.S., e.g., a.m.), decimals, addresses and list numbers end nothing; a line
    break ends a sentence when a capital or a list mark follows it.

    Args:
        tokens: what ``tokenize`` returned.

    Returns:
        Pairs of token indices, start and end (exclusive), in order; together they cover every token.
    """
    found: list[tuple[int, int]] = []
    begin = 0
    for index in [at for at, token in enumerate(tokens) if token[1] in _ENDS or token[0] == "break"]:
        if index >= begin and _ends(tokens, index, begin):
            after = _closing(tokens, index + 1)
            found.append((begin, after))
            begin = after
    if begin < len(tokens):
        found.append((begin, len(tokens)))
    return tuple(found)


def _ends(tokens: tuple[Token, ...], index: int, begin: int) -> bool:
    """Whether the token at ``index`` ends the sentence that began at token ``begin``."""
    token = tokens[index]
    if token.kind == "break":
        return _break_ends(tokens, index)
    if token.text == ".":
        return _stop_ends(tokens, index, begin)
    return token.text in _ENDS


def _closing(tokens: tuple[Token, ...], index: int) -> int:
    """Return the index after the further stops, closing quotes and line ends that belong to the sentence."""
    while index < len(tokens):
        token = tokens[index]
        closes = token.text in _CLOSERS and token.start == tokens[index - 1].end
        if not (closes or token.kind == "break" or token.text in _ENDS):
            break
        index += 1
    return index
