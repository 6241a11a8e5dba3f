"""What looks like a key, and whether a recording holds one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from redpen.text.keys import SECRET_RULES
from redpen_evals.cassettes.encoding import Body, JsonBody, RawBody, body_bytes
from redpen_evals.cassettes.file import CallFailure
from redpen_evals.spellings import holds
from redpen_evals.strict_json import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.types import JsonValue
    from redpen_evals.cassettes.file import CassetteFile

_LONG_KEY: Final = 8
_MAX_JSON_IN_JSON: Final = 6


def find_secrets(cassette: CassetteFile, *, live_keys: Iterable[str] = ()) -> list[str]:
    """Look for secrets in everything that a cassette would write.

    Args:
        cassette: what is about to be saved.
        live_keys: keys in use; one under 8 characters counts as a whole word only.

    Returns:
        Rule and place of each hit, such as `an sk- key in calls[0].response.body`; empty for none.
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
        # A body is looked at as it was sent too, where the letters of a plain key may be escaped.
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
    # The bytes as a whole and each string by itself: the one shows what spans several strings, the
    # other what escapes hide.
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
            # Name and value together, so that a setting is seen as one.
            if isinstance(item, str):
                yield f"{key}: {item}"
            yield from _strings(item, json_levels)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, json_levels)
