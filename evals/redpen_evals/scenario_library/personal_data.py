"""Personal data in the files of a library, which are kept, shared and sent to models: no real person's."""

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
from redpen_evals.scenario_library.fictional import (
    BANK_ACCOUNTS,
    CARDS,
    DOMAINS,
    PHONES,
    SOCIAL_SECURITY_NUMBERS,
    Fictional,
)
from redpen_evals.scenario_library.layout import Layout, library_files

_MAX_WARNINGS = 50
_AT = re.compile(r"\s?(?:@|%40|\[at\]|\(at\))\s?", re.IGNORECASE)
_MAY_HOLD = re.compile(r"[@\d\[(]")
_UNSEEN = frozenset({"Cf", "Mn", "Me"})
_SOCIAL_SECURITY_SHAPE = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")


def _domain(text: str) -> str:
    return _AT.split(text)[-1].lower()


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal())


def _joined(text: str) -> str:
    return text.replace(" ", "").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sort:
    """One sort of personal data: its name, its bare form, what of it is nobody's, what to write instead."""

    name: str
    bare: Callable[[str], str]
    fictional: tuple[Fictional, ...]
    instead: str


_PHONE: Final = _Sort(
    name="a phone number",
    bare=_digits,
    fictional=PHONES,
    instead="one kept free for fiction, such as +1 202 555 0134",
)
_EMAIL: Final = _Sort(
    name="an e-mail address",
    bare=_domain,
    fictional=DOMAINS,
    instead="one of a domain kept free for examples, such as example.com",
)
_CARD: Final = _Sort(
    name="a card number",
    bare=_digits,
    fictional=CARDS,
    instead="a test number, such as 4111 1111 1111 1111",
)
_BANK_ACCOUNT: Final = _Sort(
    name="a bank account number",
    bare=_joined,
    fictional=BANK_ACCOUNTS,
    instead="the example of its country, such as DE89 3704 0044 0532 0130 00",
)
_SOCIAL_SECURITY: Final = _Sort(
    name="a social security number",
    bare=_digits,
    fictional=SOCIAL_SECURITY_NUMBERS,
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
    """Return a warning for every line of the library that may hold somebody's personal data.

    The data itself is never told. Files that cannot be read are left to the checks of the library.
    """
    return tuple(
        warning
        for folder in ("contexts", "plans", *layout.folders(), "drafts")
        for path in library_files(layout.scenarios / folder)
        for warning in _warnings_of(layout, path)
    )


def real_ones_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece of a text that may be somebody's personal data, as it stands, with its sort."""
    if not _MAY_HOLD.search(text):
        return
    found = [(_SORTS[name], match) for name, match in shapes_in(text) if name in _SORTS]
    longer = [match.span() for sort, match in found if sort in {_CARD, _BANK_ACCOUNT}]
    for sort, match in found:
        part = sort is _PHONE and any(match.start() < end and start < match.end() for start, end in longer)
        if not part and not _is_fictional(match.group(), sort):
            yield match.group(), sort.name
    for match in _SOCIAL_SECURITY_SHAPE.finditer(text):
        if not _is_fictional(match.group(), _SOCIAL_SECURITY):
            yield match.group(), _SOCIAL_SECURITY.name


def _warnings_of(layout: Layout, path: Path) -> tuple[Problem, ...]:
    try:
        text = read_text(layout.check_place(path))
    except FileError:
        return ()
    told = dict.fromkeys(
        (number, sort) for number, line in enumerate(text.split("\n"), start=1) for sort in _sorts_in(line)
    )
    warnings = [
        Problem(
            path=path,
            line=number,
            field="",
            text=f"warning: {sort.name}, maybe a real one; write {sort.instead}",
        )
        for number, sort in told
    ]
    return tuple(warnings[:_MAX_WARNINGS])


def _sorts_in(line: str) -> Iterator[_Sort]:
    if not _MAY_HOLD.search(line):
        return
    seen = "".join(char for char in line if unicodedata.category(char) not in _UNSEEN)
    seen = unicodedata.normalize("NFKC", seen)
    found = [(_SORTS[name], match) for name, match in shapes_in(seen) if name in _SORTS]
    # The groups of a longer number may look like a phone number.
    longer = [match.span() for sort, match in found if sort in {_CARD, _BANK_ACCOUNT}]
    for sort, match in found:
        part = sort is _PHONE and any(match.start() < end and start < match.end() for start, end in longer)
        if not part and not _is_fictional(match.group(), sort):
            yield sort
    for match in _SOCIAL_SECURITY_SHAPE.finditer(seen):
        if not _is_fictional(match.group(), _SOCIAL_SECURITY):
            yield _SOCIAL_SECURITY


def _is_fictional(text: str, sort: _Sort) -> bool:
    bare = sort.bare(text)
    return any(fictional.pattern.search(bare) for fictional in sort.fictional)
