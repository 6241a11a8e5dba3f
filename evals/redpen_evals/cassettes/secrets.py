"""Find what a recording must not hold: keys, and personal data in a live model's replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from redpen.text.keys import SECRET_RULES
from redpen.types import JsonValue
from redpen_evals.cassettes.encoding import Body, JsonBody, RawBody, body_bytes
from redpen_evals.cassettes.file import Call, CallFailure, CallResponse, CassetteFile
from redpen_evals.scenario_library.personal_data import real_ones_in
from redpen_evals.spellings import holds, strings_in, walk
from redpen_evals.strict_json import parse_json

_LONG_KEY: Final = 8
_MAX_JSON_IN_JSON: Final = 6


def find_secrets(cassette: CassetteFile, *, live_keys: Iterable[str] = ()) -> list[str]:
    """Find secrets in everything that a cassette would write.

    A key in use of under 8 characters only matches as a whole word.

    Returns:
        Rule and path of each match, such as `an sk- key in calls[0].response.body`; empty for none.
    """
    keys = {key: _live_pattern(key) for key in live_keys if key}
    patterns = [(rule.name, rule.pattern) for rule in SECRET_RULES]
    patterns += [("the key in use", pattern) for pattern in keys.values()]
    found: dict[str, None] = {}
    texts = list(_texts(cassette))
    for place, text in texts:
        for name, pattern in patterns:
            if pattern.search(text):
                found[f"{name} in {place}"] = None
    for place, text in texts:
        # In a raw body the letters of a key may be escaped.
        if f"the key in use in {place}" not in found and any(holds(text, key) for key in keys):
            found[f"the key in use, in another spelling, in {place}"] = None
    return list(found)


def _live_pattern(key: str) -> re.Pattern[str]:
    escaped = re.escape(key)
    return re.compile(escaped if len(key) >= _LONG_KEY else rf"(?<!\w){escaped}(?!\w)")


def _texts(cassette: CassetteFile) -> Iterator[tuple[str, str]]:
    for field in ("scenario", "model", "base_url"):
        yield field, str(getattr(cassette, field))
    for text in _strings(cassette.recorded, _MAX_JSON_IN_JSON):
        yield "recorded", text
    for index, call in enumerate(cassette.calls):
        here = f"calls[{index}]"
        yield f"{here}.phase", call.phase
        yield f"{here}.request.method", call.request.method
        yield f"{here}.request.url", call.request.url
        yield from _body_texts(f"{here}.request.body", call.request.body)
        if isinstance(call.response, CallFailure):
            yield f"{here}.response.message", call.response.message
            continue
        for name, values in call.response.headers.items():
            yield f"{here}.response.headers", name
            for value in values:
                yield f"{here}.response.headers.{name}", f"{name}: {value}"
        yield from _body_texts(f"{here}.response.body", call.response.body)


def _body_texts(place: str, body: Body) -> Iterator[tuple[str, str]]:
    # Whole bytes find what spans several strings; single strings find what escapes hide.
    content = body_bytes(body)
    yield place, content.decode("utf-8", "replace")
    if isinstance(body, JsonBody):
        for text in _strings(body.value, _MAX_JSON_IN_JSON):
            yield place, text
    elif isinstance(body, RawBody) and b"\0" in content:
        yield place, content.replace(b"\0", b"").decode("utf-8", "replace")


def _strings(value: JsonValue, json_levels: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if json_levels and value.lstrip().startswith(("{", "[", '"')):
            try:
                inner = parse_json(value)
            except ValueError:
                return
            yield from _strings(inner, json_levels - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key, 0)
            # Some rules match a name with its value.
            if isinstance(item, str):
                yield f"{key}: {item}"
            yield from _strings(item, json_levels)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, json_levels)


_ORGANISATION: Final = re.compile(r"(?<![\w-])(?:org|proj)[-_][A-Za-z0-9]{16,64}(?![\w-])")
_REPLACEMENTS: Final[Mapping[str, str]] = {
    "an e-mail address": "someone@example.com",
    "a phone number": "+1 202 555 0134",
    "a card number": "4111 1111 1111 1111",
    "a bank account number": "DE89 3704 0044 0532 0130 00",
    "a social security number": "000-12-3456",
    "an organisation id": "org-redacted",
}


def personal_in_replies(calls: Sequence[Call]) -> dict[str, str]:
    """Return possible personal data of replies that no earlier request held, mapped to its kind."""
    found: dict[str, str] = {}
    requested: list[str] = []
    for call in calls:
        requested += _strings_of(call.request.body)
        if not isinstance(call.response, CallResponse):
            continue
        for text in _strings_of(call.response.body):
            for value, kind in _personal_data(text):
                if value not in found and not any(value in request for request in requested):
                    found[value] = kind
    return found


def personal_data_warnings(found: Mapping[str, str], *, redacted: bool) -> tuple[str, ...]:
    """Describe the kinds of personal data found, without the values."""
    if not found:
        return ()
    kinds = ", ".join(sorted(set(found.values())))
    if redacted:
        return (f"replaced in the recording: {kinds}",)
    return (f"the recording holds {kinds}, maybe a real one; `redpen_redact = true` replaces it",)


def redacted(calls: Sequence[Call], found: Mapping[str, str]) -> tuple[Call, ...]:
    """Return calls with the personal data found replaced by fictitious values, in requests and replies alike.

    A replayed run reads the replacements in replies and sends them in its requests.
    """
    replacements = {value: _REPLACEMENTS[found[value]] for value in sorted(found, key=len, reverse=True)}

    def change(text: str) -> str:
        for value, replacement in replacements.items():
            text = text.replace(value, replacement)
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


def _personal_data(text: str) -> Iterator[tuple[str, str]]:
    for match in _ORGANISATION.finditer(text):
        yield match.group(), "an organisation id"
    yield from real_ones_in(text)


def _strings_of(body: Body) -> list[str]:
    if isinstance(body, RawBody):
        return [body.content.decode("utf-8", "replace")]
    return list(strings_in(body.value))


def _changed(body: Body, change: Callable[[str], str]) -> Body:
    if isinstance(body, JsonBody):
        value: JsonValue = walk(body.value, change)
        return JsonBody(value)
    try:
        return RawBody(change(body.content.decode("utf-8")).encode("utf-8"))
    except UnicodeDecodeError:
        return body
