"""Readable, lossless encoding of bodies in a cassette.

A JSON body is written parsed. Inside it a string that is itself JSON text becomes `{"$json": value}` (with
`"$style"` for other separators or indentation), and a string that is long or has line breaks becomes
`{"$lines": [...]}`. A body that is not valid JSON, or JSON that a parser would change (repeated keys, NaN,
lone surrogates, numbers out of range), is written as `{"$text": ...}` or `{"$base64": ...}`. A long
instruction has a file of its own, `{"$prompt": name}`. Keys of a body that begin with `$` get a second `$`.
"""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from redpen.types import JsonValue
from redpen_evals.strict_json import (
    MAX_DEPTH,
    check_depth,
    check_texts,
    decode,
    parse_json,
    strict_decoder,
    unique,
)

LINE_LIMIT: Final = 100
MAX_JSON_IN_JSON: Final = 3
MAX_TEXT_CHARS: Final = 32_000_000
"""Limit on all JSON texts of a file: nesting doubles the escapes at each level."""

# A body begins four levels below the top of the file.
_MAX_FILE_DEPTH: Final = MAX_DEPTH + 8

_USUAL: Final = json.JSONEncoder(ensure_ascii=False)
_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
STYLES: Final = {
    "usual": _USUAL,
    "compact": _COMPACT,
    "ascii": json.JSONEncoder(),
    "compact-ascii": json.JSONEncoder(separators=(",", ":")),
    "indent-2": json.JSONEncoder(ensure_ascii=False, indent=2),
    "indent-4": json.JSONEncoder(ensure_ascii=False, indent=4),
}
_DEFAULT_STYLE: Final = "usual"

# Invisible characters are written as escapes, so that a reviewer sees what the model saw. Outside strings
# JSON is plain ASCII, so the replacement can run over the whole dumped text.
_INVISIBLE: Final = re.compile(
    "[\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;:]) ")


@dataclass(frozen=True, slots=True)
class JsonBody:
    """A body that is one JSON value which every parser reads the same way."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class RawBody:
    """A body that is kept byte for byte."""

    content: bytes


@dataclass(frozen=True, slots=True)
class TokensBesidePrompts:
    """A token count without the prompts that have files of their own."""

    count: int


Body: TypeAlias = JsonBody | RawBody


def parse_body(content: bytes) -> Body:
    """Parse a body as JSON if that is lossless, else keep its bytes."""
    try:
        return JsonBody(parse_json(content.decode("utf-8")))
    except ValueError:
        return RawBody(content)


def body_bytes(body: Body) -> bytes:
    """Return the bytes of a body; JSON is written compactly."""
    if isinstance(body, RawBody):
        return body.content
    return _COMPACT.encode(body.value).encode()


def encode_body(body: Body) -> JsonValue:
    """Encode a body as the JSON value that represents it in a file."""
    if isinstance(body, JsonBody):
        return _encode(body.value, MAX_JSON_IN_JSON)
    try:
        text = body.content.decode("utf-8")
    except UnicodeDecodeError:
        return {"$base64": base64.b64encode(body.content).decode("ascii")}
    return {"$text": encode_text(text)}


def encode_text(text: str) -> JsonValue:
    """Encode a text as a JSON string, or as `$lines` if it is long or has line breaks."""
    if len(text) <= LINE_LIMIT and "\n" not in text:
        return text
    pieces = [piece for line in re.findall(r"[^\n]*\n|[^\n]+", text) for piece in _wrap(line)]
    return {"$lines": list(pieces)} if len(pieces) > 1 else text


def to_body(decoded: object) -> Body:
    """Wrap a decoded value as a body."""
    return decoded if isinstance(decoded, RawBody) else JsonBody(cast("JsonValue", decoded))


def dump_file(value: JsonValue) -> str:
    """Serialize a file: two spaces per level, invisible characters escaped, one final newline."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _INVISIBLE.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"


def parse_file(text: str, *, prompt: Callable[[str], str] | None = None) -> object:
    """Parse the text of a file and resolve every `$` form.

    Args:
        text: the whole file.
        prompt: returns the text of a named prompt; None if the file may not refer to prompts.

    Returns:
        JSON values, with `RawBody` for a body written as text or base64, and `TokensBesidePrompts` for a
        count without prompts.

    Raises:
        json.JSONDecodeError: the text is invalid or truncated JSON.
        ValueError: a repeated key, NaN or infinity, a number out of range, a lone surrogate, an unknown or
            misused `$` form, or a limit is exceeded: levels, values, nested JSON texts.
    """
    value = decode(strict_decoder(_Reviver(prompt=prompt).revive), text)
    if text.count("[") + text.count("{") > _MAX_FILE_DEPTH:
        check_depth(value, _MAX_FILE_DEPTH)
    if _SURROGATE.search(text):
        check_texts(value)
    return value


def _encode(value: JsonValue, json_levels: int) -> JsonValue:
    if isinstance(value, str):
        return _encode_string(value, json_levels)
    if isinstance(value, list):
        return [_encode(item, json_levels) for item in value]
    if isinstance(value, dict):
        return {
            f"${key}" if key.startswith("$") else key: _encode(item, json_levels)
            for key, item in value.items()
        }
    return value


def _encode_string(text: str, json_levels: int) -> JsonValue:
    if json_levels and text.startswith(("{", "[")):
        try:
            value = parse_json(text)
        except ValueError:
            return encode_text(text)
        for style, encoder in STYLES.items():
            if encoder.encode(value) == text:
                encoded: dict[str, JsonValue] = {"$json": _encode(value, json_levels - 1)}
                if style != _DEFAULT_STYLE:
                    encoded["$style"] = style
                return encoded
    return encode_text(text)


def _wrap(line: str) -> list[str]:
    # Break at sentences first: an edit then changes the lines of its own sentence only.
    if len(line) <= LINE_LIMIT:
        return [line]
    cuts = [0, *(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]
    pieces: list[str] = []
    for start, end in itertools.pairwise(cuts):
        position = start
        while end - position > LINE_LIMIT:
            cut = line.rfind(" ", position, position + LINE_LIMIT) + 1
            cut = cut or line.find(" ", position + LINE_LIMIT, end) + 1
            if not cut:
                break
            pieces.append(line[position:cut])
            position = cut
        if position < end:
            pieces.append(line[position:end])
    return pieces


@dataclass(slots=True)
class _Reviver:
    """Resolves the `$` forms of one file."""

    chars_left: int = MAX_TEXT_CHARS
    prompt: Callable[[str], str] | None = None

    def revive(self, pairs: list[tuple[str, JsonValue]]) -> object:
        value = dict(pairs)
        if len(value) != len(pairs):
            unique(pairs)
        for key in value:
            if key[:1] == "$":
                return self._special(value)
        return value

    def _special(self, value: dict[str, JsonValue]) -> object:
        first = next(iter(value))
        argument = value[first]
        if len(value) == 1:
            if first == "$lines" and isinstance(argument, list):
                return _joined(argument)
            if first in {"$text", "$base64"}:
                text = _text(argument, first)
                return RawBody(text.encode() if first == "$text" else _decoded(text))
            if first == "$prompt" and self.prompt is not None:
                return self._prompt(self.prompt(_text(argument, first)))
            if first == "$beside_prompts" and type(argument) is int and argument >= 0:
                return TokensBesidePrompts(argument)
        if value.keys() <= {"$json", "$style"} and isinstance(argument, (dict, list)):
            return self._json_text(argument, value.get("$style", _DEFAULT_STYLE))
        names = {key for key in value if key.startswith("$") and not key.startswith("$$")}
        if not names:
            return {key.removeprefix("$"): item for key, item in value.items()}
        raise ValueError(f"{', '.join(sorted(names))}: unknown form in a cassette")

    def _prompt(self, text: str) -> str:
        self.chars_left -= len(text)
        if self.chars_left < 0:
            raise ValueError(f"$prompt expands to over {MAX_TEXT_CHARS:,} characters")
        return text

    def _json_text(self, argument: JsonValue, style: JsonValue) -> str:
        if not isinstance(style, str) or style not in STYLES:
            raise ValueError(f"$style is {style!r}; it must be one of {', '.join(STYLES)}")
        encoder = STYLES[style]
        pieces: list[str] = []
        try:
            # Indentation can make a text a hundred times as long as its value.
            for piece in encoder.iterencode(argument) if encoder.indent else (encoder.encode(argument),):
                pieces.append(piece)
                self.chars_left -= len(piece)
                if self.chars_left < 0:
                    raise ValueError(f"$json expands to over {MAX_TEXT_CHARS:,} characters")
        except TypeError:
            raise ValueError("$text and $base64 are only allowed as a whole body, not inside $json") from None
        return "".join(pieces)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise ValueError("$base64 must hold base64") from None


def _joined(pieces: list[JsonValue]) -> str:
    try:
        return "".join(cast("list[str]", pieces))
    except TypeError:
        raise ValueError("$lines must hold a list of strings") from None


def _text(value: JsonValue, form: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{form} must hold a string")
    return value
