"""Front matter is a few keys with a plain value each."""

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
def test_keys_and_texts_are_returned_and_other_values_are_none(text, value):
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
def test_anything_else_is_refused_with_its_line(text, line):
    with pytest.raises(FrontMatterError) as caught:
        read_mapping(text)
    assert (caught.value.line, caught.value.problem) == (
        line,
        "it holds keys with a plain value each, such as `version: v2`",
    )


def test_a_key_that_stands_twice_is_named():
    with pytest.raises(FrontMatterError) as caught:
        read_mapping("a: b\nc: d\na: e")
    assert (caught.value.line, caught.value.problem) == (3, "key 'a' stands twice")


@pytest.mark.parametrize("text", ["a: 'b", "a: \x07", "a: b\n c: d", "\ta: b"])
def test_what_is_no_yaml_is_refused(text):
    with pytest.raises(FrontMatterError):
        read_mapping(text)
