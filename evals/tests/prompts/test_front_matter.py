"""Front matter of prompts: keys with plain values."""

from __future__ import annotations

import pytest

from redpen.prompts.front_matter import FrontMatterError, read_mapping


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        ("phase: draft\nversion: v2\n", {"phase": "draft", "version": "v2"}),
        ("{phase: draft, 'version': \"v2\"}", {"phase": "draft", "version": "v2"}),
        ("notes: >-\n  two\n  lines\n", {"notes": "two lines"}),
        ("a: '2'\nb: !!str 2\n", {"a": "2", "b": "2"}),
        ("a: 2\nb: 1.5\nc: true\nd:\ne: 2026-03-06\nf: 2026-99-99\n", dict.fromkeys("abcdef")),
        ("a: " + "1" * 10_000, {"a": None}),
        ("<<: x", {"<<": "x"}),
    ],
)
def test_read_mapping_returns_texts_and_none_for_other_values(text, value):
    assert read_mapping(text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("text", 1),
        ("- a", 1),
        ("a: 1\nb: [x]", 2),
        ("a: {b: c}", 1),
        ("? [a]\n: b", 1),
        ("a: &x y\nb: *x", 1),
        ("a: b\n<<: {c: d}", 2),
        ("a: b\n--- # again\nc: d", 3),
        ("!!python/object:os.system {a: b}", 1),
        ("%YAML 1.1\n---\na: b", 1),
        ("a: " + "[" * 100_000, 1),
        ("a: " + "{b: " * 30_000, 1),
    ],
)
def test_other_yaml_is_refused_with_line(text, line):
    with pytest.raises(FrontMatterError) as caught:
        read_mapping(text)
    assert (caught.value.line, caught.value.problem) == (
        line,
        "it holds keys with a plain value each, such as `version: v2`",
    )


def test_duplicate_key_is_refused():
    with pytest.raises(FrontMatterError) as caught:
        read_mapping("a: b\nc: d\na: e")
    assert (caught.value.line, caught.value.problem) == (3, "key 'a' appears twice")


@pytest.mark.parametrize("text", ["a: 'b", "a: \x07", "a: b\n c: d", "\ta: b"])
def test_invalid_yaml_is_refused(text):
    with pytest.raises(FrontMatterError):
        read_mapping(text)
