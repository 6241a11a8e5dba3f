"""Reading of TOML files: content, size limits, and errors with their line."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.toml_file import MAX_BYTES, MAX_LINE_CHARS, read_toml


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Give a function that writes the file `a.toml` of the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.toml"

    def write(content):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path.relative_to(tmp_path)

    return write


def test_read_toml_returns_text_and_tables(file):
    text = "a = 1.5\n[b]\nc = ['x']\n"
    assert read_toml(file(text)) == (text, {"a": 1.5, "b": {"c": ["x"]}})
    assert read_toml(file(text), parse_float=str)[1]["a"] == "1.5"
    assert read_toml(file(b"\xef\xbb\xbfa = 1"))[1] == {"a": 1}


def test_missing_file_raises_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_toml(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a =", "a.toml:1: is not valid TOML: Invalid value"),
        ("a = 1\nb = 2\na = 3", "a.toml:3: is not valid TOML: Cannot overwrite a value"),
        ("\n\na = '\0'", "a.toml:3: is not valid TOML: "),
        (b"a = '\xfc'", "a.toml: is not valid UTF-8 at byte 5"),
        ("a = " + "[\n" * 20_000, "a.toml: is not valid TOML: nested too deep"),
        ("a = " + "1" * 900 + "\nb = \n", "a.toml:2: is not valid TOML: Invalid value"),
        ("a = " + "1" * MAX_LINE_CHARS, f"a.toml:1: longer than {MAX_LINE_CHARS:,} characters"),
        ("\n" + ".".join("a" * 90_000) + " = 1", f"a.toml:2: longer than {MAX_LINE_CHARS:,} characters"),
        ("#\n" * (MAX_BYTES // 2 + 1), f"a.toml: cannot be read: it is larger than {MAX_BYTES:,} bytes"),
    ],
)
def test_invalid_file_raises_with_line(file, content, message):
    with pytest.raises(ConfigurationError) as caught:
        read_toml(file(content))
    assert str(caught.value).startswith(message)


def test_number_refused_by_parse_float_raises(file):
    def refuse(text):
        raise ValueError(f"{text} is odd")

    with pytest.raises(ConfigurationError, match=r"a\.toml: is not valid TOML: 1\.5 is odd"):
        read_toml(file("a = 1.5"), parse_float=refuse)
