"""Words set apart or spelt with digits, put together as a reader does: r e s o l v e d, res0lved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit

_STEMS = (
    "resolv resolut restor recover repair fix mitigat remediat guarant promis definit certain assur refund "
    "reimburs compensat credit waiv liab neglig secur safe normal operat operational stabl stabiliz healthy "
    "work caus trigger becaus complet fully total entire permanent instant impact affect clos finish end "
    "customer payment minut hour second percent percentag half halv quarter third dozen hundred thousand "
    "million "
    "billion twice doubl tripl worldwide global europ canad america german franc brit japan australi "
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety today tomorrow yesterday "
    "tonight "
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december most major everyone nobod fault respons down up running online back"
).split()
_ENDINGS = (
    "e ed es s d ing ion ions able ability ly ally ment y ies ied ee ees eed eeing ance tee teed tees teeing "
    "ation ational ized ised ity ful ts ty nal ness ence ent able ible ibility ery eries th ths ish an ans"
).split()
_GUARDED = re.compile(rf"(?:{'|'.join(_STEMS)})(?:{'|'.join(_ENDINGS)})?", re.IGNORECASE)

_SPACED_HINT = re.compile(r"[ \t\-._·•|/+~\n]\w[ \t\-._·•|/+~]{1,3}\w[ \t\-._·•|/+~]")
_FIGURE_HINT = re.compile(r"[0-9@$!][A-Za-z]|[a-z][0-9@$]")
_SPACED = re.compile(
    r"(?<![^\W_])(?<!')[^\W_](?P<gap>[ \t]{1,3}|[\-._·•|/+~])[^\W_](?![^\W_])"
    r"(?:(?P=gap)[^\W_](?![^\W_']))++"
)
_HYPHENED = re.compile(r"(?<![\w-])[A-Za-z]{1,20}+(?:-[A-Za-z]{1,20}+){1,12}+(?![\w-])")
_LONGEST_PIECE = 20
_WRAPPED_HYPHEN = re.compile(r"(?<=\w)-[ \t]{0,8}\n[ \t]{0,8}(?=[a-z])")
_WRAPPED = re.compile(r"(?<=[\w,;])[ \t]{0,8}\n[ \t]{0,8}(?=[a-z][\w']*+(?![\w.)]))")
_MIXED = re.compile(r"(?<![\w./:@#$-])[A-Za-z0-9@$!|]{3,30}+(?![\w/:@#-]|\.\w)")
_INSIDE = re.compile(r"[a-z]{1,20}(?:[0134578][a-z]{1,20}){1,6}", re.IGNORECASE)
_FIGURES = str.maketrans("034578@$!|", "oeastbasil")


def guarded(word: str) -> bool:
    """Whether the word is one that guards look for, so that its pieces are worth joining."""
    return _GUARDED.fullmatch(word) is not None


def apart_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that put words together, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
    """
    edits: list[Edit] = []
    if _SPACED_HINT.search(text) or _SPACED_HINT.search(f"\n{text[:8]}"):
        edits += _spaced(text)
    if "-" in text:
        edits += _hyphened(text)
    if "\n" in text:
        edits += ((m.start(), m.end(), "-") for m in _WRAPPED_HYPHEN.finditer(text))
        edits += ((m.start(), m.end(), " ") for m in _WRAPPED.finditer(text))
    if _FIGURE_HINT.search(text):
        edits += _figures(text)
    edits.sort()
    last = 0
    for start, end, instead in edits:
        if start >= last:
            yield start, end, instead
            last = end


def _spaced(text: str) -> Iterator[Edit]:
    for match in _SPACED.finditer(text):
        gap = match["gap"]
        joined = match.group().replace(gap, "")
        digits = sum(char.isdigit() for char in joined)
        # 1.2.3, 4/5/6 and 1-2-3 are versions, dates and ranges; the letters decide what was spaced.
        if digits and (gap.strip() or (digits == len(joined) and digits > 3)):
            continue
        if not guarded(joined) and joined[0] in "aAI" and guarded(joined[1:]):
            joined = f"{joined[0]} {joined[1:]}"
        yield match.start(), match.end(), joined


def _hyphened(text: str) -> Iterator[Edit]:
    place = text.find("-")
    done = 0
    while place >= 0:
        start = place
        while start > done and place - start < _LONGEST_PIECE and text[start - 1].isalpha():
            start -= 1
        match = _HYPHENED.match(text, start)
        place = text.find("-", match.end() if match else place + 1)
        if match is None:
            continue
        done = match.end()
        pieces = match.group().split("-")
        joined = "".join(pieces)
        prefixed = len(pieces) == 2 and pieces[0].lower() == "re" and len(pieces[1]) > 3
        if prefixed or (guarded(joined) and not all(len(piece) > 1 and guarded(piece) for piece in pieces)):
            yield match.start(), match.end(), joined


def _figures(text: str) -> Iterator[Edit]:
    for match in _MIXED.finditer(text):
        piece = match.group().rstrip("!|")
        if piece.isalpha() or not any(char.isalpha() for char in piece):
            continue
        spelt = _spelt(piece)
        if spelt is not None:
            yield match.start(), match.start() + len(piece), spelt


def _spelt(piece: str) -> str | None:
    """Return the word that digits were put into; None when the digits may be digits."""
    plain = piece.translate(_FIGURES)
    for one in "il":
        word = plain.replace("1", one)
        if word.isalpha() and sum(char.isalpha() for char in piece) > 1 and guarded(word):
            return word
    if _INSIDE.fullmatch(piece) and sum(char.isalpha() for char in piece) > 3:
        return plain.replace("1", "i")
    return None
