"""Finds personal data in the arguments of an action: fields by their name, values by their format."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from redpen.guards.data import word_set
from redpen.guards.text import read
from redpen.text.lazy_pattern import lazy_pattern
from redpen.types import JsonValue

MAX_CHARS = 20_000
"""Maximum length of a text; a longer one is not searched and counts as personal data."""

_INVISIBLE_CATEGORIES = frozenset({"Cf", "Mn", "Me"})
_WORD = lazy_pattern(r"[a-z]+|[0-9]+")
_CAMEL_BOUNDARY = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME = lazy_pattern(r"[^\W\d][\w-]{1,60}")
_CONNECTORS = frozenset({"and", "or", "plus", "with", "the", "all", "of", "select", "from", "customers"})
_LIST_SEPARATOR = lazy_pattern(r"[,;|/\n]")
# Words that may be part of a field name with spaces, such as `Contact Email` but not `check mail`.
_AROUND_NAMES = word_set("personal_data", "around_names")
_MAX_NAME_CHARS = 60
_ACCOUNT_WORDS = frozenset({"account", "acct", "contact", "customer", "iban", "konto"})
_ACCOUNT_DIGITS = 6

# Names of personal-data fields. Long names also match inside a longer name (`billingEmailAddr`), short
# names only as whole words (`card_no`).
_LONG_NAMES: tuple[str, ...] = (
    "email", "emailaddress", "mailaddress", "phone", "phonenumber", "telephone", "msisdn", "creditcard",
    "debitcard", "cardnumber", "cardholder", "accountnumber", "acctnumber", "bankaccount", "routingnumber",
    "sortcode", "iban", "socialsecurity", "nationalid", "passport", "dateofbirth", "birthdate", "birthday",
    "firstname", "lastname", "fullname", "givenname", "familyname", "surname", "customername", "username",
    "holdername", "postaladdress", "homeaddress", "streetaddress", "billingaddress", "shippingaddress",
    "ipaddress", "last4", "taxid",
)  # fmt: skip
_SHORT_NAMES = word_set("personal_data", "short_names")
_NUMBER_NAMES = frozenset(product(("account", "acct", "cc"), ("no", "nr", "num", "number")))
# Words of the names of metrics, channels and descriptions: `card_error_rate`, `external_email`.
_NON_PERSONAL_WORDS = word_set("personal_data", "about_something_else")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One format of personal data in a text.

    Attributes:
        name: label of this kind of data.
        pattern: regular expression; every repetition is bounded.
        blocks: example text that matches.
        passes: similar text that does not match.
    """

    name: str
    pattern: re.Pattern[str]
    blocks: str
    passes: str


SHAPES: tuple[Shape, ...] = (
    Shape(
        name="e-mail address",
        pattern=re.compile(
            r"[\w.+-]{1,64}\s?(?:@|%40|\[at\]|\(at\))\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", re.IGNORECASE
        ),
        blocks="write to anna.k@example.com",
        passes="delivered @ 14:30",
    ),
    Shape(
        name="international phone number",
        pattern=re.compile(r"(?<!\w)(?:\+|00[ ]?)[1-9](?:[ ().-]{0,2}\d){7,14}(?!\w)"),
        blocks="call +49 30 1234567",
        passes="up +12 percent",
    ),
    Shape(
        name="North American phone number",
        pattern=re.compile(r"(?<!\w)(?:1[ .-])?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\w)"),
        blocks="(555) 123-4567",
        passes="2026-03-06",
    ),
    Shape(
        name="North American phone number in one piece",
        pattern=re.compile(r"(?<![\w.,-])1?[2-9]\d{2}[2-9]\d{6}(?![\w.,-]\w)(?!\w)"),
        blocks="call 5552345678",
        passes="1767225600",
    ),
    Shape(
        name="card number in one piece",
        pattern=re.compile(r"(?<![\w.,-])[3-6]\d{15}(?!\w)"),
        blocks="4234567890123456",
        passes="20260306120000",
    ),
    Shape(
        name="national phone number",
        pattern=re.compile(r"(?<![\w.,:-])\(?0\d{2,4}\)?[ -]\d{3,8}(?:[ -]\d{3,5}){0,2}(?![\w.,:-]\d)"),
        blocks="020 7946 0958",
        passes="09:30 to 10:30",
    ),
    Shape(
        name="card number in groups",
        pattern=re.compile(r"(?<![\w-])\d{4}([ .-])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{5})(?![\w-])"),
        blocks="paid with 1234-5678-9012-3456",
        passes="builds 1234 and 5678",
    ),
    Shape(
        name="account number",
        pattern=re.compile(
            r"\b(?:account|acct|a/c|routing|sort code|konto)\b[\s:#.]{0,3}(?:number|no|nr)?[\s:#.]{0,3}"
            r"\d(?:[ -]?\d){5,20}",
            re.IGNORECASE,
        ),
        blocks="account no. 12345678",
        passes="account review 3",
    ),
)

_CARD = lazy_pattern(r"(?<![\w-])\d(?:[ .-]?\d){12,18}(?![\w-])")
_IBAN = lazy_pattern(
    r"(?<!\w)[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}(?!\w)"
    r"|(?<!\w)[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?(?!\w)"
)


def find_personal_data(value: JsonValue, *, names: bool = True) -> str | None:
    """Return the kind of personal data that a JSON value contains, or None.

    Args:
        value: arguments of an action, or a ticket's payload; keys, texts and numbers are searched at any
            depth.
        names: whether the name of a personal-data field (``email``, ``card_number``) counts as well.

    Returns:
        A label such as ``field 'email'`` or ``e-mail address``; never the data itself.
    """
    return next(_labels_in(value, names), None)


def shapes_in(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the label and the match of each piece of personal data in a text.

    Args:
        text: NFKC-normalised, without invisible characters; the caller has to limit its length.
    """
    for shape in SHAPES:
        for match in shape.pattern.finditer(text):
            yield shape.name, match
    for match in _CARD.finditer(text):
        if _is_card(match.group()):
            yield "card number", match
    for match in _IBAN.finditer(text):
        if _is_iban(match.group()):
            yield "bank account number", match


def is_personal_field_name(name: str) -> bool:
    """Whether a name denotes a field of personal data, e.g. ``customerEmail``."""
    if len(name) > _MAX_NAME_CHARS:
        return False
    words = _WORD.findall(_CAMEL_BOUNDARY.sub(" ", name).lower())
    if not words or _NON_PERSONAL_WORDS.intersection(words):
        return False
    joined = "".join(words)
    return (
        any(long in joined for long in _LONG_NAMES)
        or not _SHORT_NAMES.isdisjoint(words)
        or any(pair in _NUMBER_NAMES for pair in pairwise(words))
    )


def _labels_in(value: JsonValue, names: bool) -> Iterator[str]:
    match value:
        case dict():
            for key, item in value.items():
                yield from _labels_in_text(key, names)
                if names and _is_numbered_account(key, item):
                    yield "account number"
                yield from _labels_in(item, names)
        case list():
            for item in value:
                yield from _labels_in(item, names)
        case str():
            yield from _labels_in_text(value, names)
        case bool() | None:
            return
        case int() | float():
            if _is_card(f"{value:.0f}" if isinstance(value, float) else _short_digits(value)):
                yield "card number"


def _labels_in_text(text: str, names: bool) -> Iterator[str]:
    if len(text) > MAX_CHARS:
        yield "text too long to search"
        return
    plain = "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE_CATEGORIES)
    plain = unicodedata.normalize("NFKC", plain)
    for seen in dict.fromkeys((plain, read(text).text)):
        yield from _labels_in_plain_text(seen, names)


def _labels_in_plain_text(text: str, names: bool) -> Iterator[str]:
    if names and (field := _field_name_in(text)):
        yield f"field {field!r}"
    for name, _ in shapes_in(text):
        yield name


def _field_name_in(text: str) -> str | None:
    # Prose may mention e-mail and cards; an identifier or a list of field names requests the data.
    found = [match.group() for match in _NAME.finditer(text)]
    named = [name for name in found if is_personal_field_name(name)]
    for name in named:
        if "_" in name or _CAMEL_BOUNDARY.search(name):
            return name
    if named and all(name in named or name.lower() in _CONNECTORS for name in found):
        return named[0]
    return next((part.strip() for part in _LIST_SEPARATOR.split(text) if _is_spaced_name(part)), None)


def _is_spaced_name(text: str) -> bool:
    words = text.lower().split()
    if len(text) > _MAX_NAME_CHARS or not is_personal_field_name(text):
        return False
    return all(word in _AROUND_NAMES or is_personal_field_name(word) for word in words)


def _is_numbered_account(key: str, value: JsonValue) -> bool:
    words = _WORD.findall(_CAMEL_BOUNDARY.sub(" ", key[:_MAX_NAME_CHARS]).lower())
    if not _ACCOUNT_WORDS.intersection(words) or isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = value if isinstance(value, str) else _short_digits(value)
    return sum(char.isdigit() for char in text) >= _ACCOUNT_DIGITS


def _short_digits(number: int) -> str:
    return str(number) if abs(number) < 10**20 else ""


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isascii() and char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (digit * 2 if at % 2 else digit for at, digit in enumerate(reversed(digits)))
    return sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1
