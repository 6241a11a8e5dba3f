"""Tables: alignment in a pipe, width of the terminal, colours, and escaping of cells."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from redpen_evals.tables import table_lines
from redpen_evals.terminal import Screen

HEADER = ("scenario", "passed", "broken", "empty")
RIGHT = frozenset({1})
ROWS = [
    ["support/refund", "2", "no_personal_data and a good many other invariants", ""],
    ["日本/a", "12", "", ""],
]
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def test_plain_table_has_one_line_per_row():
    assert table_lines(HEADER, ROWS, right=RIGHT) == [
        "scenario        passed  broken",
        "support/refund       2  no_personal_data and a good many other invariants",
        "日本/a              12",
    ]


def test_table_without_header_has_only_rows():
    assert table_lines((), [["a", "1"], ["bb", "2"]]) == ["a   1", "bb  2"]
    assert table_lines((), []) == []


@pytest.mark.parametrize("width", [40, 55, 80])
def test_table_fits_terminal_width(width):
    lines = table_lines(HEADER, ROWS, right=RIGHT, screen=Screen(width=width))
    assert max(map(len, lines)) <= width
    output = "".join("".join(lines).split())
    assert all(word in output for word in "12 many other".split())


@pytest.mark.parametrize("row", [0, 1])
def test_note_follows_all_lines_of_its_row(row):
    below = ["a note" if at == row else "" for at in range(2)]
    plain = table_lines(HEADER, ROWS, right=RIGHT, screen=Screen(width=45))
    lines = table_lines(HEADER, ROWS, right=RIGHT, screen=Screen(width=45), below=below)
    assert lines == [*plain[: len(plain) - 1 + row], "    a note", *plain[len(plain) - 1 + row :]]
    assert len(plain) > 3
    assert plain[-1].split() == ["日本/a", "12"]


def test_colour_does_not_change_the_text():
    plain = table_lines(HEADER, ROWS, right=RIGHT, screen=Screen(width=60))
    coloured = table_lines(
        HEADER, ROWS, right=RIGHT, screen=Screen(width=60, colour=True), styles={"日本/a": "red"}
    )
    assert [ESCAPES.sub("", line).rstrip() for line in coloured] == plain
    assert any("\x1b[31m日本/a" in line for line in coloured)


def test_markup_and_control_characters_in_cells_are_escaped():
    hostile = "[bold]x[/] :smile: \x1b[2J\x9b\u202e\u2028\r\nend"
    for screen in (Screen(), Screen(width=200), Screen(width=200, colour=True)):
        (line,) = table_lines(("name",), [[hostile]], screen=screen)[1:]
        assert "[bold]x[/] :smile:" in line
        assert ESCAPES.sub("", line).isprintable()


def test_rich_is_imported_only_for_the_first_table():
    code = (
        "import sys; import redpen_evals.tables, redpen_evals.summary, redpen_evals.cli; "
        "assert 'rich' not in sys.modules; redpen_evals.tables.table_lines((), [['x']]); "
        "assert 'rich' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - this interpreter
