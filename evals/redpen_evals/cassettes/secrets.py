"""What looks like a key, and whether a recording holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRule:
    """One kind of secret: its pattern, a text that it blocks and a similar one that it lets pass."""

    name: str
    pattern: re.Pattern[str]
    blocks: str
    passes: str


def _rule(name: str, pattern: str, *, blocks: str, passes: str) -> SecretRule:
    return SecretRule(name=name, pattern=re.compile(pattern), blocks=blocks, passes=passes)


# The examples are put together from pieces so that scanners of repositories do not take them for real.
SECRET_RULES: Final = (
    _rule(
        "an sk- key",
        r"(?<![A-Za-z0-9])(?:sk-|gsk_)[A-Za-z0-9_-]{8,}",
        blocks="use sk-" + "proj-a1B2c3D4e5F6g7H8",
        passes="the risk-assessment-of-payments, sk-SK and sk-learn",
    ),
    _rule(
        "a bearer token",
        r"(?i)\bbearer[ \t]+(?:[A-Za-z0-9._~+/-]{16,}|(?=[A-Za-z._~+/-]{0,15}[0-9])[A-Za-z0-9._~+/-]{8,15})",
        blocks="Authorization: Bearer " + "dG9rZW4tb2YtYS11c2Vy",
        passes="the bearer of this message, a Bearer token",
    ),
    _rule(
        "basic credentials",
        r"(?i)\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?basic\s{1,4}[A-Za-z0-9+/]{8,}",
        blocks="Authorization: Basic " + "dXNlcjpwYXNzd29yZA==",
        passes="authorization is a basic requirement",
    ),
    _rule(
        "an AWS key",
        r"(?<![A-Za-z0-9])A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])",
        blocks="AKIA" + "ABCDEFGH12345678",
        passes="AKIA is a prefix, AKIASHORT too",
    ),
    _rule(
        "a GitHub token",
        r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})",
        blocks="ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
        passes="ghp_token and github_pat_tern",
    ),
    _rule(
        "a GitLab token",
        r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}",
        blocks="glpat-" + "a1B2c3D4e5F6g7H8",
        passes="a glpat-prefix",
    ),
    _rule(
        "a Slack token",
        r"(?<![A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{8,}",
        blocks="xoxb-" + "123456789012-a1B2c3D4",
        passes="xoxo-hugs-and-kisses",
    ),
    _rule(
        "a Google key",
        r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}",
        blocks="AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        passes="AIzawa is a city",
    ),
    _rule(
        "a Stripe key",
        r"(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{8,}",
        blocks="sk_" + "live_a1B2c3D4e5F6",
        passes="disk_live_migration, sk_test_ed",
    ),
    _rule(
        "a Hugging Face token",
        r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{24,}",
        blocks="hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
        passes="hf_hub_download",
    ),
    _rule(
        "a private key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----",
        blocks="-----BEGIN RSA " + "PRIVATE KEY-----",
        passes="-----BEGIN PUBLIC KEY-----",
    ),
    _rule(
        "a JSON web token",
        # From the start of a word only: each of many starts in one word would read the whole of it.
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        blocks="eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NSJ9" + ".c2lnbmF0dXJlX2hlcmU",
        passes="eyJhbGciOi.short",
    ),
    _rule(
        "a password in a URL",
        r"[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']{0,80}:[^\s/@\"']{1,200}@",
        blocks="https://user:" + "hunter2@api.example.com/v1",
        passes="https://api.example.com:8443/v1 and mailto:help@example.com",
    ),
    _rule(
        "a key in a URL or setting",
        r"(?i)\b(?:api[-_]?key|access[-_]?token|client[-_]?secret)[\"']?\s{0,4}[:=]\s{0,4}[\"']?[A-Za-z0-9._~+/-]{12,}",
        blocks="https://api.example.com/v1?api_key=" + "a1B2c3D4e5F6g7H8",
        passes='the api_key: "none", access_token=<yours>',
    ),
)


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
