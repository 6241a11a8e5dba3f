"""The table of exit codes, contexts given by name, and error messages that are short and not repeated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from redpen_evals import exit_codes
from redpen_evals.cli import main
from redpen_evals.exit_codes import EXIT_CODES

COMMANDS = Path(__file__).resolve().parents[2] / "evals" / "redpen_evals" / "commands"


def redpen(*args):
    return CliRunner().invoke(main, args, catch_exceptions=False)


def test_exit_codes_command_prints_table_and_help_mentions_it():
    done = redpen("exit-codes")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()[1:]] == [str(row.code) for row in EXIT_CODES]
    assert "redpen exit-codes" in redpen("--help").output


def test_exit_code_table_covers_plugin_and_commands():
    of_plugin = {
        value
        for name, value in vars(exit_codes).items()
        if name.startswith("EXIT_") and isinstance(value, int)
    }
    of_plugin |= {int(code) for code in pytest.ExitCode}
    # Older releases of pytest have no 6.
    assert of_plugin | {6} == {row.code for row in EXIT_CODES if row.plugin}
    of_commands = set()
    for path in COMMANDS.glob("*.py"):
        for message in re.findall(r"Exit code: ([^.]*)", path.read_text(encoding="utf-8")):
            of_commands |= {int(code) for code in re.findall(r"(?:^|, )(\d+) ", message)}
    assert of_commands <= {row.code for row in EXIT_CODES if row.command}


@pytest.fixture
def started(library, monkeypatch):
    """Give a library in the working folder; no key is set, so that no model is asked."""
    monkeypatch.chdir(library.root)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return library


def test_run_and_check_accept_context_by_name(started):
    started.write("contexts/orders.yaml", {"orders": [81]})
    done = redpen("run", "reflection", "--context", "orders")
    assert done.exit_code == 2
    # The context was found: what is missing is a key.
    assert "OPENAI_API_KEY is not set" in done.stderr
    done = redpen("run", "reflection", "--context", "order")
    assert (done.exit_code, "no context 'order'" in done.stderr) == (2, True)
    assert "did you mean `orders`?" in done.stderr
    text = started.root / "text.txt"
    text.write_text("Your order 81 is late.", encoding="utf-8")
    done = redpen("check", "--context", "orders", "--original", str(text), "--revised", str(text))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "args",
    [
        ("run", "x" * 5000),
        ("run", "reflection", "--context", "x" * 5000),
        ("run", "--scenario", "reflection/" + "x" * 5000),
        ("check", "--context", "x" * 5000, "--original", "-", "--revised", "x" * 5000),
        ("cassettes", "show", "x" * 5000),
        ("cassettes", "--model", "x" * 5000),
        ("cassettes", "--agent", "x" * 5000),
        ("scenarios", "--agent", "x" * 5000),
        ("scenarios", "--tag", "x" * 5000),
        ("compare", "x" * 5000, "last"),
        ("report", "x" * 5000, "-o", "a.md"),
        ("endpoint", "--scenario", "x" * 5000),
        ("x" * 5000,),
    ],
)
def test_long_arguments_are_truncated_and_errors_printed_once(started, args):
    started.add("self-critique/one", started.self_critique())
    done = redpen(*args)
    assert done.exit_code in {0, 1, 2, 10}
    assert len(done.output) < 2500, done.output[:300]
    lines = [line for line in done.output.splitlines() if line.strip()]
    assert len(lines) == len(set(lines))
