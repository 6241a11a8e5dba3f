"""YAML files: restricted scalars, refused features, limits, and errors with their line."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from redpen.yaml_files.problem import FileError
from redpen.yaml_files.source import MAX_BYTES, MAX_DEPTH, MAX_VALUES, read_source


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Give a function that reads text or bytes as the file `file.yaml` of the working folder."""
    monkeypatch.chdir(tmp_path)

    def read_it(content):
        path = tmp_path / "file.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_source(path)

    return read_it


@pytest.fixture
def refused(read):
    """Give a function that returns the error message for text or bytes."""

    def message_of(content):
        with pytest.raises(FileError) as caught:
            read(content)
        assert len(caught.value.problems) == 1
        return str(caught.value)

    return message_of


SCALARS = {
    "no": "no",
    "No": "No",
    "yes": "yes",
    "on": "on",
    "Off": "Off",
    "y": "y",
    "true": True,
    "True": True,
    "FALSE": False,
    "null": None,
    "~": None,
    "": None,
    "2026-03-06": "2026-03-06",
    "2026-03-06 10:00:00": "2026-03-06 10:00:00",
    "12:30": "12:30",
    "1:30:15": "1:30:15",
    "190:20:30.15": "190:20:30.15",
    "0": 0,
    "-7": -7,
    "+1": 1,
    "27": 27,
    "017": "017",
    "0x1F": "0x1F",
    "0b11": "0b11",
    "0o17": "0o17",
    "1_000": "1_000",
    "0.034": 0.034,
    ".5": 0.5,
    "-1.5e+3": -1500.0,
    "1.2.3": "1.2.3",
    "=": "=",
    "<<": "<<",
    "!!str 5": "5",
    "'5'": "5",
    '"true"': "true",
}


@pytest.mark.parametrize(("text", "value"), SCALARS.items(), ids=list(map(repr, SCALARS)))
def test_scalars_follow_json_types(read, text, value):
    found = read(f"a: {text}").value["a"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("key", ["no", "2026-03-06", "12:30", "1", "true", "null", "<<", "="])
def test_keys_are_read_as_text(read, key):
    assert read(f"{key}: 1").value == {key: 1}


@pytest.mark.parametrize("number", [".nan", ".NaN", ".inf", "-.inf", "+.INF", "1.5e+999"])
def test_non_json_number_is_refused(refused, number):
    assert refused(f"b: 1\na: {number}") == (
        f"file.yaml:2: {number} is not a JSON number: put it in quotes to make it text"
    )


@pytest.mark.parametrize(
    ("tagged", "tag"),
    [
        ("!!binary aGk=", "!!binary"),
        ("!!set {x, y}", "!!set"),
        ("!!omap [x: 1]", "!!omap"),
        ("!!pairs [x: 1]", "!!pairs"),
        ("!!python/name:os.system", "!!python/name:os.system"),
        ("!!python/object/apply:os.getcwd []", "!!python/object/apply:os.getcwd"),
        ("!mine 5", "!mine"),
        ("!mine {x: 1}", "!mine"),
    ],
)
def test_tags_are_refused(refused, tagged, tag):
    assert refused(f"b: 1\na: {tagged}") == f"file.yaml:2: tag {tag} is not read: write a plain value"


@pytest.mark.parametrize(
    "text",
    [
        "a: &x one\nb: *x",
        "a: &x {k: 1}\nb: *x",
        "a: &x [1]\nb: {c: *x}",
        "a: &x {k: 1}\nb:\n  <<: *x",
        "a: &x [*x]",
        "a: &x one\n*x : two",
    ],
)
def test_aliases_are_refused(refused, text):
    assert "anchors and aliases are not read: write the value out" in refused(text)


def test_alias_bomb_is_refused_at_first_alias(refused):
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 20)]
    assert "anchors and aliases" in refused("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("a: 1\nb: 2\na: 3", 3, "a"),
        ("a:\n  b: 1\n  c: 2\n  b: 3", 4, "b"),
        ("- x: 1\n- {y: 1, y: 1}", 2, "y"),
        ("1: x\n'1': y", 2, "1"),
        ('a: 1\n"\\x61": 2', 2, "a"),
    ],
)
def test_duplicate_key_is_refused(refused, text, line, key):
    assert refused(text) == f"file.yaml:{line}: key {key!r} appears twice"


@pytest.mark.parametrize("text", ["? [a]\n: 1", "? {a: 1}\n: 1", "{[a]: 1}"])
def test_non_text_key_is_refused(refused, text):
    assert refused(text) == "file.yaml:1: a key has to be a plain text"


@pytest.mark.parametrize("text", ["", " \n\n", "# only a comment\n", b"\xef\xbb\xbf"])
def test_empty_file_is_refused(refused, text):
    assert refused(text) == "file.yaml:1: the file is empty"


def test_byte_order_mark_is_ignored(read):
    assert read(b"\xef\xbb\xbfa: 1").value == {"a": 1}


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("a: 1\nb: Grüße".encode("latin-1"), 2),
        ("a: 1".encode("utf-16"), 1),
        (b"a: 1\n\n\nb: \xed\xa0\x80", 4),
    ],
)
def test_other_encoding_is_refused_with_line(refused, data, line):
    assert refused(data) == f"file.yaml:{line}: not UTF-8: save the file in that encoding"


def test_nul_character_is_refused_with_line(refused):
    assert refused("a: 1\nb: 'x\0y'") == "file.yaml:2: holds a NUL character"


@pytest.mark.parametrize("text", ["a: \x07", "a: '\x1b[31m'"])
def test_control_characters_are_refused(refused, text):
    assert refused(text).startswith("file.yaml:1: not valid YAML: ")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a: 1\nb: [1, 2\n", 3, "while parsing a flow sequence, did not find expected ',' or ']'"),
        ("a: 1\nb: %2", 2, "found character that cannot start any token"),
        ("a: 1\nb: - c", 2, "block sequence entries are not allowed in this context"),
        ("a: 1\n---\nb: 2", 2, "expected a single document in the stream, but found another document"),
        ("%NO directive\n---\na: 1", 1, "found unknown directive name"),
    ],
)
def test_invalid_yaml_is_refused_with_line_and_cause(refused, text, line, expected):
    message = refused(text)
    assert message.startswith(f"file.yaml:{line}: not valid YAML: ")
    assert expected in message


def test_size_limit_is_inclusive(read, refused):
    text = "a: 1\n#".ljust(MAX_BYTES, "x")
    assert read(text).value == {"a": 1}
    assert refused(text + "x") == f"file.yaml:1: cannot be read: it is larger than {MAX_BYTES:,} bytes"


def test_nesting_limit_is_inclusive(read, refused):
    assert read("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).value
    assert refused("\n[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)).endswith(f"deeper than {MAX_DEPTH}")


@pytest.mark.parametrize("mark", ["[", "{a: ", "- ", "? ", "[{a: ", "!!seq ["])
def test_extremely_nested_file_is_refused(refused, mark):
    # Composing such a document would crash the process.
    assert refused(mark * (MAX_BYTES // len(mark))) == f"file.yaml:1: nested deeper than {MAX_DEPTH}"


def test_too_many_values_are_refused(refused):
    assert refused("[" + "1," * MAX_VALUES + "]") == f"file.yaml:1: more than {MAX_VALUES} values"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[" + "1," * 450_000 + "]", 1),
        ("".join(f"a{number}: 1\n" for number in range(90_000)), MAX_VALUES // 2),
        ("- 1\n" * 240_000, MAX_VALUES),
    ],
)
def test_value_limit_applies_before_values_are_built(refused, text, line):
    # Each value takes a thousand bytes of memory, so a whole file would take a gigabyte.
    assert refused(text) == f"file.yaml:{line}: more than {MAX_VALUES} values"


def test_too_many_directives_are_refused(refused):
    text = "".join(f"%TAG !a{number}! b\n" for number in range(60_000)) + "---\na: 1"
    assert refused(text) == "file.yaml:1: more than 100 directives"


def test_pipe_is_read_only_as_stream(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="cannot be read: it is a pipe, not a plain file"):
        read_source(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("a: 1",))
    writer.start()
    assert read_source(pipe, stream=True).value == {"a": 1}
    writer.join()


def test_endless_stream_is_refused_at_size_limit():
    with pytest.raises(FileError, match=f"cannot be read: it is larger than {MAX_BYTES:,} bytes"):
        read_source(Path("/dev/zero"), stream=True)


def test_long_flat_file_is_read(read):
    rows = [{"id": number, "at": "12:30"} for number in range(3000)]
    assert read("\n".join(f"- {{id: {row['id']}, at: 12:30}}" for row in rows)).value == rows


def test_every_value_has_its_line(read):
    source = read("# a comment\ntitle: x\nreplies:\n  - json:\n      draft: |\n        one\n  - {times: 2}\n")
    assert source.lines == {
        (): 2,
        ("title",): 2,
        ("replies",): 3,
        ("replies", 0): 4,
        ("replies", 0, "json"): 4,
        ("replies", 0, "json", "draft"): 5,
        ("replies", 1): 7,
        ("replies", 1, "times"): 7,
    }


def test_line_of_missing_path_is_that_of_nearest_parent(read):
    source = read("\na: 1\nb:\n  - c: 1\n  - d: 1\n")
    assert source.line_of(("b", 1, "no", "such")) == 5
    assert source.line_of(("b", 9)) == 3
    assert source.line_of(("z",)) == 2


def test_unreadable_file_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(FileError, match="cannot be read: ") as caught:
            read_source(path)
        assert caught.value.problems[0].path == path


def test_changed_file_of_same_size_and_time_is_reread(tmp_path):
    path = tmp_path / "file.yaml"
    for value in (1, 2):
        path.write_text(f"a: {value}\n")
        os.utime(path, ns=(1, 1))
        assert read_source(path).value == {"a": value}
