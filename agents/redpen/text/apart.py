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
    "work caus trigger becaus complet full total entire permanent instant impact affect clos finish end "
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
    "ation ational ized ised ity ful ts ty nal ness ence ent ible ibility ery eries th ths ish ely"
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
_MOST_PARTED = 12
_SMALL = frozenset(
    "a i is it the all now be been was were are has have had will we you your our by in on no not to of "
    "and for with this that can every any".split()
)
_DIGITS_HINT = re.compile(r"(?<!\w)\d \d(?!\w)")
_SPACED_DIGITS = re.compile(
    r"(?<![\w.,:/-])(?<!\d )(\d(?: \d){1,3})"
    r"(?= ?(?:%|percent|per cent|min|hour|second|day|week|dollar|euro|pound))",
    re.IGNORECASE,
)
_FRAGMENTS = frozenset(
    "acted alf althy anent ant antee arter ated ational aused bal bilized ble bled bursed cond conds "
    "cted  day ded dited dred ected ed eed een ence enty ered ers fected ffected gated gence ible "
    "ility ilized illion ing inutes ion ional ipled ird ise ised ited ixed ized ldwide lete letely "
    "ligence lion llion lly lthy lved ly mally ment ments mer mise morrow nal nday nded ndred nent "
    "nesday ning ntee nteed nty nute nutes obal olved omer omers omise onal ond onds ope ored ormal "
    "ormally ousand overed ozen pled plete pletely ponsible rd rday ring rldwide rmal rmally rope rrow "
    "rsed rty sand sday sed sibility solved sponsible stant stored tant tee teed tely ter thy tion "
    "tomer tomers tored ty uarter uble ubled ully und unded urs usand ute utes ved vered xed yment "
    "yments zen".split()
)
"""What a cut leaves at the end of a guarded word and is seldom a word of its own."""
_STOPS = str.maketrans(".,;:!?", "      ")
_ORDINARY = frozenset(
    "a able all an and any are as at back be body but by can care cent close credit cure custom day do "
    "down dozen end ended every fault fix for found full fund go half hear hour hours i if impact in is "
    "it itself line ling lion major me men mend minute month more most my night no nor normal not of "
    "off on one operation or our ours out over part per port pro quart rant read ready real red "
    "response rest restore ring sand secure ship so solved some store stored sun sure tant tee ten ter "
    "the thing tion to total tow under up us use used was we wide will with work world year".split()
)
_WHOLE_WORDS = frozenset("today online upend percent downed backs".split())
_TWO = re.compile(r"(?<![\w'-])(?P<first>[A-Za-z]{1,12}+) (?=(?P<second>[A-Za-z]{1,9}+)(?![\w'-]))")
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
    if not _FRAGMENTS.isdisjoint(text.lower().translate(_STOPS).split()):
        edits += _halved(text)
    if _DIGITS_HINT.search(text):
        edits += _digits(text)
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
        yield match.start(), match.end(), joined if guarded(joined) else _parted(joined)


def _parted(joined: str) -> str:
    """Put the spaces back between the words of letters that were all set apart alike.

    Args:
        joined: the letters without their gaps.

    Returns:
        Guarded and small words that make it up, the longest first; the letters as one word when they do not.
    """
    words: list[str] = []
    place = 0
    while place < len(joined) and len(words) < _MOST_PARTED:
        longest = min(len(joined), place + _LONGEST_PIECE)
        for end in range(longest, place, -1):
            word = joined[place:end]
            if word.isdecimal() or word.lower() in _SMALL or guarded(word):
                words.append(word)
                place = end
                break
        else:
            return joined
    return " ".join(words) if place == len(joined) else joined


def _halved(text: str) -> Iterator[Edit]:
    """Yield the edits that join a guarded word cut in two: resol ved, guaran teed."""
    for match in _TWO.finditer(text):
        first, second = match["first"].lower(), match["second"].lower()
        if second not in _FRAGMENTS or first + second in _WHOLE_WORDS or not guarded(first + second):
            continue
        if (guarded(first) or first in _ORDINARY) and (guarded(second) or second in _ORDINARY):
            continue
        yield match.start("first"), match.end("second"), match["first"] + match["second"]


def _digits(text: str) -> Iterator[Edit]:
    """Yield the edits that join the digits of a number before its unit: 9 0 minutes."""
    for match in _SPACED_DIGITS.finditer(text):
        yield match.start(1), match.end(1), match[1].replace(" ", "")


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
