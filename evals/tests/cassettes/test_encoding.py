"""Encoding of bodies in cassette files and their round trip."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.cassettes.encoding import (
    LINE_LIMIT,
    STYLES,
    JsonBody,
    RawBody,
    body_bytes,
    dump_file,
    encode_body,
    parse_body,
    parse_file,
    to_body,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SPECIAL_KEYS = st.sampled_from(["$json", "$lines", "$style", "$text", "$base64", "$", "$$", "$$json"])


def _containers(children):
    return st.lists(children, max_size=4) | st.dictionaries(TEXTS | SPECIAL_KEYS, children, max_size=4)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
PLAIN = st.recursive(SCALARS, _containers, max_leaves=10)
JSON_TEXTS = st.builds(lambda value, style: STYLES[style].encode(value), PLAIN, st.sampled_from(list(STYLES)))
PROSE = st.lists(st.sampled_from(["word", " ", ". ", "\n", "\r\n", "  ", "x" * 120, "—", "\u200b"])).map(
    "".join
)
VALUES = st.recursive(SCALARS | JSON_TEXTS | PROSE, _containers, max_leaves=12)


def _there_and_back(body):
    return to_body(parse_file(dump_file(encode_body(body))))


@given(VALUES)
def test_json_body_round_trips(value):
    body = _there_and_back(JsonBody(value))
    assert isinstance(body, JsonBody)
    # repr distinguishes 1, 1.0 and True, and keeps the order of keys.
    assert repr(body.value) == repr(value)


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes_round_trip_exactly_or_as_equal_json(content):
    body = parse_body(content)
    assert _there_and_back(body) == body
    if isinstance(body, RawBody):
        assert body_bytes(body) == content
    else:
        assert json.loads(body_bytes(body)) == json.loads(content)


@given(VALUES)
def test_json_bytes_parse_to_same_value_after_round_trip(value):
    content = json.dumps(value).encode()
    assert json.loads(body_bytes(_there_and_back(parse_body(content)))) == value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no json",
        b'{"a": 1',
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b"[Infinity]",
        b"[1e999]",
        b'{"a": "\\ud800"}',
        b'\xef\xbb\xbf{"a": 1}',
        b"\xff\xfe\x00",
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 65 + b"]" * 65,
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_body_a_json_parser_would_change_is_kept_verbatim(content):
    body = parse_body(content)
    assert body == RawBody(content)
    assert _there_and_back(body) == body


@pytest.mark.parametrize("style", list(STYLES))
def test_json_in_string_is_stored_parsed_in_any_style(style):
    text = STYLES[style].encode({"draft": "Zahlungen gestört – ⚠", "items": [1, 2.5, None], "empty": []})
    encoded = encode_body(JsonBody({"content": text}))
    assert isinstance(encoded, dict)
    assert encoded["content"]["$json"]["items"] == [1, 2.5, None]
    assert encoded["content"].get("$style", "usual") == style
    assert _there_and_back(JsonBody({"content": text})) == JsonBody({"content": text})


@pytest.mark.parametrize(
    "text",
    ["27", '"quoted"', "null", " {}", '{"a":  1}', '{"a": 1, "a": 2}', '{"a": 1e5}', '["\\ud800"]', "{"],
)
def test_text_that_json_would_not_reproduce_stays_text(text):
    assert encode_body(JsonBody(text)) == text


def test_long_text_is_split_after_line_breaks_sentences_and_words():
    text = "First line.\n" + "A sentence of some length stands here. " * 4 + "word " * 30 + "\n\nlast"
    encoded = encode_body(JsonBody(text))
    assert isinstance(encoded, dict)
    lines = encoded["$lines"]
    assert "".join(lines) == text
    assert lines[0] == "First line.\n"
    assert lines[1] == "A sentence of some length stands here. "
    assert all(len(line) <= LINE_LIMIT for line in lines)


def test_only_invisible_characters_are_escaped():
    invisible = "\u200b\u202e\u00a0\u2028\ufeff\U000e0041"
    text = dump_file({"text": f"é{invisible}ж"})
    assert "é" in text
    assert "ж" in text
    assert not set(text) & set(invisible)
    assert json.loads(text)["text"] == f"é{invisible}ж"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"$jsn": 1}', r"\$jsn"),
        ('{"$json": {}, "more": 1}', r"\$json"),
        ('{"$json": "text"}', r"\$json"),
        ('{"$json": {}, "$style": "odd"}', "odd"),
        ('{"$json": {"a": {"$text": "x"}}}', "whole body"),
        ('{"$lines": "text"}', r"\$lines"),
        ('{"$lines": ["a", 1]}', r"\$lines"),
        ('{"$text": 1}', r"\$text"),
        ('{"$base64": "%%"}', "base64"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ('{"a": NaN}', "NaN"),
        ("[" * 100_000, "too deep"),
    ],
)
def test_invalid_encoded_form_is_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_file(text)
