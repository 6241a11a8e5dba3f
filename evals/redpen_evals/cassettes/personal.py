"""Personal data and organisation ids in what a live model answered: told, and replaced if asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from redpen.types import JsonValue
from redpen_evals.cassettes.encoding import Body, JsonBody, RawBody
from redpen_evals.cassettes.file import Call, CallResponse
from redpen_evals.scenario_library.personal_data import real_ones_in
from redpen_evals.spellings import walk

_ORGANISATION: Final = re.compile(r"(?<![\w-])(?:org|proj)[-_][A-Za-z0-9]{16,64}(?![\w-])")
_INSTEAD: Final[Mapping[str, str]] = {
    "an e-mail address": "someone@example.com",
    "a phone number": "+1 202 555 0134",
    "a card number": "4111 1111 1111 1111",
    "a bank account number": "DE89 3704 0044 0532 0130 00",
    "a social security number": "000-12-3456",
    "an organisation id": "org-redacted",
}


def personal_in_replies(calls: Sequence[Call]) -> dict[str, str]:
    """Return what replies say that may be somebody's, and that no request before said, with its sort.

    Args:
        calls: of one recording, in their order.
    """
    found: dict[str, str] = {}
    asked: list[str] = []
    for call in calls:
        asked += _texts(call.request.body)
        if not isinstance(call.response, CallResponse):
            continue
        for text in _texts(call.response.body):
            for written, sort in _found_in(text):
                if written not in found and not any(written in one for one in asked):
                    found[written] = sort
    return found


def told(found: Mapping[str, str], *, redacted: bool) -> tuple[str, ...]:
    """Return in words what was found, without saying it."""
    if not found:
        return ()
    sorts = ", ".join(sorted(set(found.values())))
    if redacted:
        return (f"replaced in the recording: {sorts}",)
    return (f"the recording holds {sorts}, maybe a real one; `redpen_redact = true` replaces it",)


def redacted(calls: Sequence[Call], found: Mapping[str, str]) -> tuple[Call, ...]:
    """Return calls with what was found replaced by what is nobody's, in requests and replies alike.

    A run that is replayed reads what stands in its place, and asks with that.
    """
    instead = {written: _INSTEAD[found[written]] for written in sorted(found, key=len, reverse=True)}

    def change(text: str) -> str:
        for written, other in instead.items():
            text = text.replace(written, other)
        return text

    return tuple(
        replace(
            call,
            request=replace(call.request, body=_changed(call.request.body, change)),
            response=replace(call.response, body=_changed(call.response.body, change))
            if isinstance(call.response, CallResponse)
            else call.response,
        )
        for call in calls
    )


def _found_in(text: str) -> Iterator[tuple[str, str]]:
    for match in _ORGANISATION.finditer(text):
        yield match.group(), "an organisation id"
    yield from real_ones_in(text)


def _texts(body: Body) -> list[str]:
    if isinstance(body, RawBody):
        return [body.content.decode("utf-8", "replace")]
    texts: list[str] = []

    def note(text: str) -> str:
        texts.append(text)
        return text

    walk(body.value, note)
    return texts


def _changed(body: Body, change: Callable[[str], str]) -> Body:
    if isinstance(body, JsonBody):
        value: JsonValue = walk(body.value, change)
        return JsonBody(value)
    try:
        return RawBody(change(body.content.decode("utf-8")).encode("utf-8"))
    except UnicodeDecodeError:
        return body
