"""Safe output of every command: invisible and control characters are escaped."""

from __future__ import annotations

import io
import sys

import pytest

from redpen_evals.commands.output import safe, safe_output

HOSTILE = ["\x9b31m", "\u202e", "\u2028", "\u200b", "\x1b]0;title\x07", "\ud800", "\U000e0041", "\x00"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("codes", [True, False])
def test_control_and_hidden_characters_are_escaped(text, codes):
    output = safe(f"a {text} b", codes=codes)
    assert not {char for char in text if not " " <= char <= "~"} & set(output)
    assert output.startswith("a \\")
    assert output.endswith(" b")


@pytest.mark.parametrize(
    "text", ["Plain.\n\tIndented", "Größe, Żółć, 価格", "a \u2068\u05d0\u2069 b", "👩‍🚒 ✓"]
)
def test_letters_of_every_script_are_unchanged(text):
    assert safe(text) == text


def test_colour_codes_pass_only_on_a_terminal():
    assert safe("\r\x1b[K\x1b[31mred\x1b[0m", codes=True) == "\r\x1b[K\x1b[31mred\x1b[0m"
    assert safe("\x1b[31mred") == "\\u001b[31mred"


def test_safe_output_wraps_and_restores_both_streams(monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with safe_output():
        sys.stdout.write("\u202e")
        sys.stderr.writelines(["\x9b", "x"])
    assert (out.getvalue(), err.getvalue()) == ("\\u202e", "\\u009bx")
    assert (sys.stdout, sys.stderr) == (out, err)
