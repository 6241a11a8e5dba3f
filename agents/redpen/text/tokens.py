"""Splits a text into words, numbers and marks with their places, and into sentences.

The time is linear: the patterns of the lexer have possessive repeats only, so that they never backtrack.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from redpen.text.lazy_pattern import lazy_pattern

TokenKind = Literal["word", "number", "mark", "break"]


class Token(NamedTuple):
    """One token of a text.

    Attributes:
        kind: ``word`` (letters, with inner apostrophes), ``number`` (digits with their separators),
            ``mark`` (one punctuation character or symbol) or ``break`` (one or more line ends).
        text: the characters of the token.
        folded: ``text`` in lower case, with plain apostrophes.
        start: index of the first character.
        end: index after the last character.
    """

    kind: TokenKind
    text: str
    folded: str
    start: int
    end: int


class Tokens:
    """The tokens of a text in parallel lists; a ``Token`` is created on access.

    Attributes:
        raw: the characters of each token.
        folded: the same in lower case, with plain apostrophes.
        starts: index of the first character of each token.
        breaks: indices of the tokens that are line ends.
    """

    __slots__ = ("breaks", "folded", "raw", "starts")

    def __init__(self, raw: list[str], folded: list[str], starts: list[int], breaks: list[int]) -> None:
        self.raw = raw
        self.folded = folded
        self.starts = starts
        self.breaks = breaks

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.raw)

    def __getitem__(self, index: int) -> Token:
        """Return the token at an index."""
        raw, start = self.raw[index], self.starts[index]
        return Token(self.kind(index), raw, self.folded[index], start, start + len(raw))

    def kind(self, index: int) -> TokenKind:
        """Return the kind of the token at an index."""
        return kind_of(self.raw[index])


_SINGLE_NUMBERS = "¹²³¼-¾⁰⁴-⁹₀-₉⅐-ↂ①-⒛⓪-⓿❶-➓"
_SINGLE = lazy_pattern(f"[{_SINGLE_NUMBERS}]")
MARKS = frozenset(map(chr, range(0x300, 0x370)))
"""Combining marks, which count as letters of their word."""
BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""Characters that end a line."""
_LETTERS = rf"(?:(?![{_SINGLE_NUMBERS}])[^\W\d_]|[\u0300-\u036f])"
_LINE_ENDS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# Every character belongs to a match, so that the lengths of matches add up to places.
_CUT = lazy_pattern(
    r" |[A-Za-z]++(?![^\x00-&(-\x7f])"
    rf"|(?>{_LETTERS}+(?:['’ʼ＇]{_LETTERS}+)*)"
    rf"|\d++(?>(?:[.,'’_\u00a0\u2009\u202f]\d++)*)|[{_SINGLE_NUMBERS}]|[{_LINE_ENDS}]\s*+"
    rf"|[^\S{_LINE_ENDS}]++|\S|."
).findall
# The same for printable ASCII; each match includes a following blank, which halves their number.
_CUT_PLAIN = lazy_pattern(
    r"[A-Za-z]++(?>(?:'[A-Za-z]++)*) ?|[^A-Za-z0-9 ] ?|[0-9]++(?>(?:[.,'_][0-9]++)*) ?| ++"
).findall
_PIECES = lazy_pattern(
    rf"&#?\w{{1,8}};|</?[A-Za-z]{{1,9}}>|(?>(?:{_LETTERS}|\d)+)(?>(?:[.,:]\d++)?)|[{_SINGLE_NUMBERS}]|\n|\S"
).findall
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "＇": "'"})


def kind_of(piece: str) -> TokenKind:
    """Return the kind of a token by its first character."""
    first = piece[0]
    if first.isalpha() or first in MARKS:
        return "word"
    if first.isdecimal():
        return "number"
    if first in BREAKS:
        return "break"
    if first.isascii() or not first.isalnum():
        return "mark"
    return "number" if _SINGLE.match(first) else "word"


def count_pieces(text: str) -> int:
    """Return the number of words, numbers and marks of a text; an entity or a tag counts as one."""
    return len(_PIECES(text))


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
def tokenize(text: str) -> Tokens:
    """Split a text into words, numbers, marks and line breaks.

    Args:
        text: any text; white space other than line ends separates tokens and is dropped.

    Returns:
        The tokens in order. Their spans do not overlap, and every character that is not white space
        belongs to exactly one. Cached for the last few texts, because several guards read the same one.
    """
    return _tokenize_plain(text) if text.isascii() and text.isprintable() else _tokenize_any(text)


def _tokenize_plain(text: str) -> Tokens:
    pieces = _CUT_PLAIN(text)
    starts = list(accumulate(map(len, pieces), initial=0))
    starts.pop()
    raw = list(map(str.rstrip, pieces))
    if "  " in text or text[:1] == " ":
        starts = [start for start, piece in zip(starts, raw, strict=True) if piece]
        raw = [piece for piece in raw if piece]
    return Tokens(raw, list(map(str.lower, raw)), starts, [])


def _tokenize_any(text: str) -> Tokens:
    raw: list[str] = []
    starts: list[int] = []
    at = 0
    for piece in _CUT(text):
        if piece == " ":
            at += 1
            continue
        raw.append(piece)
        starts.append(at)
        at += len(piece)
    breaks: list[int] = []
    if not text.isprintable():
        kept = [index for index, piece in enumerate(raw) if piece[0] in BREAKS or not piece.isspace()]
        raw = [raw[index] for index in kept]
        starts = [starts[index] for index in kept]
        breaks = [index for index, piece in enumerate(raw) if piece[0] in BREAKS]
    folded = [piece.lower() for piece in raw]
    if not text.isascii():
        folded = [piece if piece.isascii() else piece.translate(_APOSTROPHES) for piece in folded]
    return Tokens(raw, folded, starts, breaks)


def _is_letter(tokens: Tokens, index: int) -> bool:
    return len(tokens.raw[index]) == 1 and tokens.kind(index) == "word"


def _dotted(tokens: Tokens, index: int) -> bool:
    """Whether the full stop at ``index`` ends an abbreviation of single letters (``U.S.``, ``a.m.``)."""
    raw = tokens.raw
    return (
        index >= 3
        and _is_letter(tokens, index - 1)
        and raw[index - 2] == "."
        and tokens.starts[index - 1] == tokens.starts[index - 2] + 1
        and _is_letter(tokens, index - 3)
    )


def _starts_sentence(tokens: Tokens, index: int) -> bool:
    """Whether a token after an abbreviation is probably the first word of a sentence."""
    return tokens.raw[index][0].isupper() and tokens.folded[index] in _STARTERS


def _stop_ends(tokens: Tokens, index: int, begin: int) -> bool:
    """Whether the full stop at ``index`` ends the sentence that began at token ``begin``."""
    raw, starts = tokens.raw, tokens.starts
    if index + 1 >= len(raw) or raw[index + 1][0] in BREAKS:
        return True
    if index == begin:
        return False
    previous, following = raw[index - 1], raw[index + 1]
    if starts[index + 1] == starts[index] + 1 and following not in _CLOSERS and following not in _ENDS:
        # "3.example", "U.S", "file.txt" continue; a new sentence may follow without a space ("fixed.All").
        words = tokens.kind(index - 1) == tokens.kind(index + 1) == "word"
        return words and len(previous) > 1 and following[0].isupper()
    if tokens.kind(index - 1) == "number":
        return index - 1 != begin
    if _dotted(tokens, index) or tokens.folded[index - 1] in _ABBREVIATIONS:
        return _starts_sentence(tokens, index + 1)
    return tokens.folded[index - 1] not in ("no", "nos") or tokens.kind(index + 1) != "number"


def _break_ends(tokens: Tokens, index: int) -> bool:
    """Whether the line break at ``index`` separates sentences, rather than wrapping one."""
    raw = tokens.raw
    if index + 1 >= len(raw):
        return True
    following, kind = raw[index + 1], tokens.kind(index + 1)
    if kind == "word":
        return following[0].isupper()
    if kind == "number":
        after = index + 2
        glued = after < len(raw) and tokens.starts[after] == tokens.starts[index + 1] + len(following)
        return glued and raw[after] in (".", ")")
    return following in _LIST_MARKS or following in _OPENERS


def sentences(tokens: Tokens) -> tuple[tuple[int, int], ...]:
    """Return the starts and ends of the sentences of a tokenised text.

    Full stops in abbreviations (U.S., e.g., a.m.), decimals, addresses and list numbers do not end a
    sentence; a line break does if a capital or a list mark follows it.

    Args:
        tokens: the tokens that ``tokenize`` returned.

    Returns:
        Pairs of token indices, start and end (exclusive), in order; together they cover every token.
    """
    found: list[tuple[int, int]] = []
    begin = 0
    ends = [at for at, piece in enumerate(tokens.raw) if piece in _ENDS]
    for index in sorted((*ends, *tokens.breaks)) if tokens.breaks else ends:
        if index >= begin and _ends(tokens, index, begin):
            after = _closing(tokens, index + 1)
            found.append((begin, after))
            begin = after
    if begin < len(tokens.raw):
        found.append((begin, len(tokens.raw)))
    return tuple(found)


def _ends(tokens: Tokens, index: int, begin: int) -> bool:
    """Whether the token at ``index`` ends the sentence that began at token ``begin``."""
    piece = tokens.raw[index]
    if piece == ".":
        return _stop_ends(tokens, index, begin)
    return piece in _ENDS or _break_ends(tokens, index)


def _closing(tokens: Tokens, index: int) -> int:
    """Return the index after further stops, closing quotes and line ends of the sentence."""
    raw, starts = tokens.raw, tokens.starts
    while index < len(raw):
        piece = raw[index]
        closes = piece in _CLOSERS and starts[index] == starts[index - 1] + len(raw[index - 1])
        if not (closes or piece in _ENDS or piece[0] in BREAKS):
            break
        index += 1
    return index
