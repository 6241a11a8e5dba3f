"""Personal data in the arguments of an action: fields by their name, values by their shape."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from redpen.types import JsonValue

MAX_CHARS = 20_000
"""A longer string is personal data until shown otherwise: it is not read."""

# What a field of personal data is called, as words. Around it may stand words that only say whose it
# is or in what form: `customer_email`, `emailAddresses` and `Card Number` name such fields, while
# `card_error_rate` and `external_email` do not.
_FIELDS: frozenset[tuple[str, ...]] = frozenset(
    tuple(name.split())
    for name in (
        "email", "emails", "mail address", "phone", "phones", "telephone", "mobile", "msisdn", "fax",
        "card", "cards", "credit card", "debit card", "pan", "cvv", "cvc", "iban", "bic", "last4",
        "account number", "account numbers", "account no", "bank account", "bank details",
        "routing number", "sort code", "ssn", "social security", "tax id", "passport", "national id",
        "date of birth", "birth date", "birthdate", "birthday", "dob", "first name", "last name",
        "full name", "given name", "family name", "surname", "customer name", "customer names",
        "user name", "holder name", "postal address", "home address", "street address",
        "billing address", "shipping address", "ip address",
    )
)  # fmt: skip
_WHOSE: frozenset[str] = frozenset(
    {"customer", "customers", "user", "users", "client", "contact", "recipient", "recipients", "owner"}
    | {"holder", "cardholder", "subscriber", "primary", "secondary", "personal", "private", "work"}
    | {"payment", "payments", "raw", "all", "billing", "bank", "sender", "employee", "member"}
)
_FORM: frozenset[str] = frozenset(
    {"number", "numbers", "no", "address", "addresses", "field", "value", "values", "list", "column"}
    | {"hash", "hashed", "plain", "raw", "digits"}
)
_MAX_FIELD_WORDS = 5
_E_MAIL = re.compile(r"e-mail", re.IGNORECASE)
_UNSEEN = frozenset({"Cf", "Mn", "Me"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORDS = re.compile(r"[a-z]+[0-9]*|[0-9]+|\W*[^\x00-\x7f]+")
_LIST_SEPARATOR = re.compile(r"[,;|\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One shape of personal data in a string.

    Attributes:
        name: what it is.
        pattern: finds it; every repeat is bounded.
        blocks: a string that it finds.
        passes: a like string that it does not.
    """

    name: str
    pattern: re.Pattern[str]
    blocks: str
    passes: str


SHAPES: tuple[Shape, ...] = (
    Shape(
        name="e-mail address",
        pattern=re.compile(r"[\w.+-]{1,64}\s?(?:@|\[at\]|\(at\))\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
        blocks="write to anna.k@example.com",
        passes="delivered @ 14:30",
    ),
    Shape(
        name="international phone number",
        pattern=re.compile(r"(?<!\w)(?:\+|00)[1-9](?:[ ().-]{0,2}\d){7,14}(?!\w)"),
        blocks="call +49 30 1234567",
        passes="up +12 percent",
    ),
    Shape(
        name="national phone number",
        pattern=re.compile(r"(?<!\w)(?:1[ .-])?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\w)"),
        blocks="(555) 123-4567",
        passes="2026-03-06",
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

_CARD = re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])")
_IBAN = re.compile(
    r"(?<!\w)[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}(?!\w)"
    r"|(?<!\w)[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?(?!\w)"
)


def find_personal_data(value: JsonValue) -> str | None:
    """Return what kind of personal data a JSON value holds, or None.

    Args:
        value: the arguments of an action, or a ticket's payload; keys, strings and whole numbers
            are looked at, at any depth.

    Returns:
        A label such as ``field 'email'`` or ``e-mail address``; never the data itself.
    """
    return next(_found(value), None)


def _found(value: JsonValue) -> Iterator[str]:
    match value:
        case dict():
            for key, item in value.items():
                if _names_field(key):
                    yield f"field {key[:40]!r}"
                yield from _found(item)
        case list():
            for item in value:
                yield from _found(item)
        case str():
            yield from _in_text(value)
        case bool() | None | float():
            return
        case int():
            if _is_card(str(value)):
                yield "card number"


def _in_text(text: str) -> Iterator[str]:
    if len(text) > MAX_CHARS:
        yield "text too long to read"
        return
    seen = "".join(char for char in text if unicodedata.category(char) not in _UNSEEN)
    text = unicodedata.normalize("NFKC", seen)
    for part in _LIST_SEPARATOR.split(text):
        if _names_field(part):
            yield f"field {part.strip()[:40]!r}"
    for shape in SHAPES:
        if shape.pattern.search(text):
            yield shape.name
    if any(_is_card(match.group()) for match in _CARD.finditer(text)):
        yield "card number"
    if any(_is_iban(match.group()) for match in _IBAN.finditer(text)):
        yield "bank account number"


def _names_field(name: str) -> bool:
    words = _WORDS.findall(_CAMEL.sub(" ", _E_MAIL.sub("email", name)).lower())
    if not words or len(words) > _MAX_FIELD_WORDS:
        return False
    return any(
        tuple(words[start:end]) in _FIELDS
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if _WHOSE.issuperset(words[:start]) and _FORM.issuperset(words[end:])
    )


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (digit * 2 if at % 2 else digit for at, digit in enumerate(reversed(digits)))
    return sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1
