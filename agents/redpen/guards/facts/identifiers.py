"""Read addresses, phone numbers and identifiers, before the numbers that they contain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading, fact_in
from redpen.guards.facts.quantities.numbers import is_year
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

_CONTACT = lazy_pattern(
    r"(?P<url>\b(?:https?|ftp|mailto|tel|sms|slack|tg)://?[^\s<>\"'()\[\]{}|\\^`]{1,500}+)"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,6})"
    rf"|(?P<host>(?<![\w@./-])(?:[A-Za-z0-9-]{{1,63}}+\.){{1,6}}(?:{'|'.join(sorted(vocab.top_level))}|[a-z]{{2,12}}(?=/[\w-]))(?![\w.-]{{0,64}}\w)"
    r"(?:/[^\s<>\"'()\[\]]{0,300}+)?)"
    r"|(?P<handle>(?<![\w.@/])@[A-Za-z]\w{1,38}+(?![\w@]))"
    r"|(?P<channel>(?<![\w&/#])#(?!(?-i:[A-Z][a-z]))[A-Za-z][\w-]{1,60}+)",
    re.IGNORECASE,
)
_SIGNED = lazy_pattern(r"(?<!\S)[^\s@:#.]*+(?>(?:[@:#.](?![\w/])[^\s@:#.]*+)*)[@:#.]\S*")
"""A run of non-blank characters that may be an address."""
_SPELT = lazy_pattern(
    r"(?<!\w)[\w.+-]{1,64}+ ?[\[({] ?at ?[\])}] ?[\w-]{1,63}+"
    r"(?: ?(?:[\[({] ?dot ?[\])}]|\.) ?[\w-]{1,63}+){1,4}"
    r"|(?<![\w.])[\w-]{2,63}+ dot (?:com|net|org|io|dev|app|co)(?!\w)",
    re.IGNORECASE,
)
_SIGNS = frozenset("@#.:_[({")
_AT_SIGN = lazy_pattern(r"[\[({] ?at ?[\])}]", re.IGNORECASE)
_DATE_FIRST = lazy_pattern(r"(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)")
_PHONE = lazy_pattern(
    r"\+\d{7,15}(?!\d)|(?<!\w)1-8\d\d-[A-Z0-9]{3,10}(?:-[A-Z0-9]{3,10})?(?!\w)"
    # The number of a region may be a single digit after a country code: +353 1 555 0199.
    r"|(?<![\w.,:/$€£-])(?:\+\d{1,3}[ .-]\d[ .-]|(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|0?\d{2,4}[ .-]))"
    r"(?:\d{2,4}[ .-]){0,4}\d{2,4}(?![\w%])"
)
_PHONE_SIGN = lazy_pattern(r"\d\d(?:[ .-]|\)[ .-]?)\d\d|\+\d|1-8")
"""A part that every phone number contains."""

_LOWER = r"[a-z]{2,6}+-(?:\d{2,6}-)?\d{3,8}"
_IN_LOWER = lazy_pattern(_LOWER)
_CODE = lazy_pattern(
    r"(?<![\w@./-])(?=[A-Za-z]*+[\d_-])(?:"
    r"(?P<snake>[A-Za-z0-9]{1,40}+(?:_[A-Za-z0-9]{1,40}+){1,12})"
    r"|(?P<dashed>[A-Z][A-Za-z0-9]{1,11}+(?:-[A-Za-z0-9]{0,20}?\d[A-Za-z0-9]{0,20}){1,4}(?:-[A-Za-z0-9]{1,20}){0,4})"
    rf"|(?P<lower>{_LOWER})"
    r"|(?P<joined>(?:INC|OPS|CHG|PRB|TKT|REQ|CASE|RFC|JIRA|ERR|BUG|SR|CS)\d{2,15})"
    r"|(?P<hex>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64})"
    r"|(?P<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
    r")(?![\w])"
)
_TERMS = tuple("sev p- utf- sha- aes- iso- tls- ipv covid- utc- gmt- us- eu-".split())
"""Beginnings of codes with a dash that are severities or technical terms."""
_CODE_SIGN = lazy_pattern(r"\d(?:[^\W\d_]|\d{7}|(?<=[^\W\d_]\d)|(?<=-\d))")
"""A part that every identifier without underscores contains."""
_GROUPS = lazy_pattern(r"\d+(?:-\d+)*")
_LEAST_DIRECT = 3
_LEAST_GROUPED = 5


def may_hold_code(text: str) -> bool:
    """Whether a text shows any sign of an address, an identifier or foreign letters."""
    return not (text.isascii() and _SIGNS.isdisjoint(text)) or " dot " in text


def addresses(text: str) -> Iterator[Fact]:
    """Yield the addresses of a text: URLs, hosts, e-mail, handles, channels.

    Values are lower case, without scheme, ``www.`` and closing marks.
    """
    for signed in _SIGNED.finditer(text):
        for match in _CONTACT.finditer(text, *signed.span()):
            piece = match.group().rstrip(".,;:!?/-_")
            if match.lastgroup != "host" or _is_host(piece):
                value = re.sub(r"^(?:[a-z]+:/{0,2})?(?:www\.)?", "", piece.lower())
                yield fact_in(text, match.start(), match.start() + len(piece), "contact", value)
    if not (" dot " in text.lower() or _AT_SIGN.search(text)):
        return
    for match in _SPELT.finditer(text):
        value = re.sub(r" ?[\[({] ?at ?[\])}] ?", "@", match.group().lower())
        value = re.sub(r" ?(?:[\[({] ?dot ?[\])}]|\.) ?| dot ", ".", value)
        yield fact_in(text, *match.span(), "contact", value)


def phones(text: str) -> Iterator[Fact]:
    """Yield the phone numbers of a text; their values are their digits."""
    if not _PHONE_SIGN.search(text):
        return
    for match in _PHONE.finditer(text):
        digits = re.sub(r"[^0-9A-Z]", "", match.group())
        if 7 <= len(digits) <= 15 and not _is_dated(match.group()):
            yield fact_in(text, *match.span(), "contact", digits)


def _is_host(piece: str) -> bool:
    """Whether words with dots are an address, not sentences without a space between them ("fixed.It")."""
    host, _, path = piece.partition("/")
    labels = host.split(".")
    return bool(path or len(labels) > 2 or labels[-1].lower() not in vocab.domains_and_words)


def _is_dated(piece: str) -> bool:
    """Whether groups of digits are a date or thousands rather than a phone number."""
    groups = re.findall(r"\d+", piece)
    if "+" in piece or "(" in piece:
        return False
    # The hour of a timestamp looks like another group ("2026-09-12 22").
    dated = _DATE_FIRST.match(piece) is not None or [*map(len, groups)] == [2, 2, 4]
    dated = dated or all(map(is_year, groups))
    spaced = " " in piece and len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    return dated or spaced or len(groups) < 2


def codes(text: str) -> Iterator[Fact]:
    """Yield the identifiers that their form shows: inc_other_1, INC-4412, OPS-12, CVE-2026-1234.

    ``unit`` of the reading is ``incident`` for ids of incidents and tickets, else ``code``.
    """
    if not ("_" in text or _CODE_SIGN.search(text)):
        return
    for match in _CODE.finditer(text):
        piece = match.group()
        kind = match.lastgroup
        low = piece.lower()
        if kind == "snake" and not (any(map(str.isdecimal, piece)) or low.startswith(("inc_", "incident_"))):
            continue
        if not piece[:2].isupper() and low.partition("-")[0] in vocab.before_number:
            continue
        shown = piece[:2].isupper() or _IN_LOWER.fullmatch(low)
        if kind == "dashed" and (not shown or low.startswith(_TERMS)):
            continue
        code = kind in ("hex", "uuid") or low.startswith(("cve", "err", "cwe", "http"))
        unit = "code" if code else "incident"
        yield fact_in(text, *match.span(), "identifier", low.replace("-", "_"), unit=unit)


def labelled(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the identifiers that follow an announcing word: ticket 4412, case 88-1043, error 5012."""
    for index in at:
        place = pieces.past(index + 1, vocab.between_label, 3)
        is_joined = pieces.glued(place) and pieces.is_word[place + 1]
        if not pieces.low[place].isdecimal() or is_joined:
            continue
        match = _GROUPS.match(pieces.text, pieces.starts[place])
        groups = match[0].split("-") if match else []
        if _announces(pieces, index, place) or (pieces.low[index] in vocab.id_labels and _is_number(groups)):
            unit = "code" if pieces.low[index] in vocab.error_words else "incident"
            value = "_".join(groups)
            end = place + 2 * len(groups) - 1
            yield pieces.fact(place, end, Reading(kind="identifier", value=value, unit=unit))


def _is_number(groups: list[str]) -> bool:
    """Whether two groups of digits are one number, not a range or a date."""
    return len(groups) == 2 and sum(map(len, groups)) >= _LEAST_GROUPED and not any(map(is_year, groups))


def _announces(pieces: Pieces, index: int, place: int) -> bool:
    """Whether the word at ``index`` announces the number at ``place``, which then does not count anything."""
    low = pieces.low
    word, number, following = low[index], low[place], low[place + 1]
    if word == "#" and (pieces.opens_line(index) or low[index - 1] == "#"):
        return False
    if following in vocab.percent or low[pieces.past_hyphen(place + 1)] in vocab.TIME:
        return False
    if pieces.glued(place) and pieces.digits(place + 2) and not pieces.is_word[place + 1]:
        return False
    if place == index + 1 and word != "#":
        return len(number) >= _LEAST_DIRECT and word not in ("issue", "change", "request")
    if word.endswith("s") and len(number) < _LEAST_DIRECT:
        # "Tickets: 15".
        return False
    counted = pieces.is_word[place + 1] and following not in vocab.after_label
    return not counted or low[place - 1] in ("#", "number", "no", "nr", "id")
