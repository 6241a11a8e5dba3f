"""Warnings about real persons' data in a library, whose files are shared and sent to models."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redpen.gateway.personal_data import shapes_in
from redpen.yaml_files.problem import FileError, Problem
from redpen.yaml_files.source import read_text
from redpen_evals.scenario_library.layout import Layout, library_files

# What belongs to nobody, by the registry that reserves it or its purpose. Each pattern is searched in the
# bare form of a piece: the domain of an address, the digits of a number, an account number without blanks.
_RESERVED_DOMAIN: Final = re.compile(
    r"""
    \.(?:example|test|invalid|localhost)$           # RFC 2606 and 6761: top-level domains
    | (?:^|\.)example(?:\.[a-z]{2,3})?\.[a-z]{2,3}$  # RFC 2606, and its likes in other countries
    """,
    re.VERBOSE,
)
_RESERVED_PHONE: Final = re.compile(
    r"""
    55501\d\d  # NANPA: 555-0100 to 555-0199, also with codes of other countries, where it is unlikely too
    | (?:1(?:1[345678]|[23456]1)4960|2079460|1914980|2896496|2920180)\d{3}$  # Ofcom: cities
    | (?:1632960|7700900|8081570|9098790|3069990)\d{3}$  # Ofcom: no city, mobile, free and premium
    | (?:3023125|6990009|4066969|2214710|8999998)\d{3}$  # Bundesnetzagentur: cities
    | (?:176040690|17139200)\d\d$                        # Bundesnetzagentur: mobile
    | (?:19900|26191|35301|46571|53649|63998)\d{4}$      # Arcep
    | (?:[2378](?:5550|7010)\d|491570)\d{3}$             # ACMA
    """,
    re.VERBOSE,
)
_TEST_CARD: Final = re.compile(  # of payment services
    r"""^(?:
    4111111111111111 | 4242424242424242 | 4000000000000002 | 4012888888881881 | 5555555555554444
    | 5105105105105100 | 2223003122003222 | 378282246310005 | 371449635398431 | 6011111111111117
    | 6011000990139424 | 3056930009020004 | 3566002020360505
    )$""",
    re.VERBOSE,
)
_EXAMPLE_IBAN: Final = re.compile(  # of the IBAN registry
    r"""^(?:
    AT611904300234573201 | BE68539007547034 | CH9300762011623852957 | DE89370400440532013000
    | DK5000400440116243 | ES9121000418450200051332 | FI2112345600000785 | FR1420041010050500013M02606
    | GB29NWBK60161331926819 | GB82WEST12345698765432 | IE29AIBK93115212345678 | NL91ABNA0417164300
    | IT60X0542811101000000123456 | NO9386011117947 | PL61109010140000071219812874
    | PT50000201231234567890154 | SE4550000000058398257466
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_UNUSED_SOCIAL_SECURITY: Final = re.compile(
    r"""
    ^(?:000|666|9\d\d) | ^\d{3}00 | 0000$  # never given out
    | ^(?:078051120|219099999)$            # used in advertising
    """,
    re.VERBOSE,
)

_MAX_WARNINGS = 50
_AT = re.compile(r"\s?(?:@|%40|\[at\]|\(at\))\s?", re.IGNORECASE)
_MAY_CONTAIN = re.compile(r"[@\d\[(]")
_INVISIBLE = frozenset({"Cf", "Mn", "Me"})
_SOCIAL_SECURITY_SHAPE = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")


def _domain(text: str) -> str:
    return _AT.split(text)[-1].lower()


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal())


def _joined(text: str) -> str:
    return text.replace(" ", "").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sort:
    """One sort of personal data: its name, bare form, fictional ranges in it, and what to write instead."""

    name: str
    bare: Callable[[str], str]
    fictional: re.Pattern[str]
    instead: str


_PHONE: Final = _Sort(
    name="a phone number",
    bare=_digits,
    fictional=_RESERVED_PHONE,
    instead="one kept free for fiction, such as +1 202 555 0134",
)
_EMAIL: Final = _Sort(
    name="an e-mail address",
    bare=_domain,
    fictional=_RESERVED_DOMAIN,
    instead="one of a domain kept free for examples, such as example.com",
)
_CARD: Final = _Sort(
    name="a card number",
    bare=_digits,
    fictional=_TEST_CARD,
    instead="a test number, such as 4111 1111 1111 1111",
)
_BANK_ACCOUNT: Final = _Sort(
    name="a bank account number",
    bare=_joined,
    fictional=_EXAMPLE_IBAN,
    instead="the example of its country, such as DE89 3704 0044 0532 0130 00",
)
_SOCIAL_SECURITY: Final = _Sort(
    name="a social security number",
    bare=_digits,
    fictional=_UNUSED_SOCIAL_SECURITY,
    instead="one that is never given out, such as 000-12-3456",
)
_SORTS: Final[Mapping[str, _Sort]] = {
    "e-mail address": _EMAIL,
    "international phone number": _PHONE,
    "North American phone number": _PHONE,
    "North American phone number in one piece": _PHONE,
    "national phone number": _PHONE,
    "card number": _CARD,
    "bank account number": _BANK_ACCOUNT,
}


def personal_data_warnings(layout: Layout) -> tuple[Problem, ...]:
    """Return a warning for every line of the library that may contain real personal data.

    Warnings never contain the data itself. The checks of the library report unreadable files.
    """
    return tuple(
        warning
        for folder in ("contexts", "plans", *layout.folders(), "drafts")
        for path in library_files(layout.scenarios / folder)
        for warning in _warnings_of(layout, path)
    )


def real_ones_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece of a text that may be real personal data, with the name of its sort."""
    return ((piece, sort.name) for piece, sort in _real_data(text))


def _real_data(text: str) -> Iterator[tuple[str, _Sort]]:
    if not _MAY_CONTAIN.search(text):
        return
    matches = [(_SORTS[name], match) for name, match in shapes_in(text) if name in _SORTS]
    matches += [(_SOCIAL_SECURITY, match) for match in _SOCIAL_SECURITY_SHAPE.finditer(text)]
    # The groups of a longer number may look like a phone number.
    longer = [match.span() for sort, match in matches if sort in {_CARD, _BANK_ACCOUNT}]
    for sort, match in matches:
        part = sort is _PHONE and any(match.start() < end and start < match.end() for start, end in longer)
        if not part and not sort.fictional.search(sort.bare(match.group())):
            yield match.group(), sort


def _warnings_of(layout: Layout, path: Path) -> tuple[Problem, ...]:
    try:
        text = read_text(layout.check_place(path))
    except FileError:
        return ()
    lines_and_sorts: dict[tuple[int, _Sort], None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if _MAY_CONTAIN.search(line):
            visible = "".join(char for char in line if unicodedata.category(char) not in _INVISIBLE)
            found = _real_data(unicodedata.normalize("NFKC", visible))
            lines_and_sorts |= dict.fromkeys((number, sort) for _, sort in found)
    warnings = [
        Problem(
            path=path,
            line=number,
            field="",
            text=f"warning: {sort.name}, maybe a real one; write {sort.instead}",
        )
        for number, sort in lines_and_sorts
    ]
    return tuple(warnings[:_MAX_WARNINGS])
