"""`redpen check` on one text: output and exit codes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from redpen.guards import check_revision
from redpen.guards.revision import MAX_TEXT_CHARS
from redpen_evals.checking.inputs import MAX_BYTES

ORIGINAL = "Checkout in the US is degraded for 27% of attempts. We are working on it."
CLEAN = "Checkout in the US is degraded for about 27% of attempts. We are working on it."
BLOCKED = "Checkout in the US is degraded for 55% of attempts. We are working on it."
CLAIM = "Checkout in the US is fully resolved."
CONCERNING = f"{ORIGINAL} No action is needed on your side."


def test_clean_text_exits_0(check):
    done = check(CLEAN)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(CLEAN)


def test_violation_exits_1_and_is_marked_and_explained(check):
    done = check(BLOCKED)
    assert (done.exit_code, done.stderr) == (1, "")
    assert "degraded for [[55%]]{1} of attempts." in done.stdout
    assert "1. violation: no_new_facts (share)" in done.stdout
    assert "incident.affected_checkout_pct" in done.stdout
    assert "\x1b" not in done.stdout


def test_concern_alone_exits_0(check):
    done = check(CONCERNING)
    assert done.exit_code == 0
    assert "((" in done.stdout
    assert "1. concern: " in done.stdout


def test_json_output_is_only_the_report(check, library):
    for revised, code in ((CLEAN, 0), (BLOCKED, 1)):
        report = check_revision(original=ORIGINAL, revised=revised, context=library.context())
        done = check(revised, "--json")
        assert (done.exit_code, done.stderr) == (code, "")
        assert json.loads(done.stdout) == json.loads(json.dumps(report.to_dict()))


@pytest.mark.parametrize("side", ["--original", "--revised"])
def test_original_or_revised_is_read_from_stdin(redpen, write, side):
    texts = {"--original": ORIGINAL, "--revised": BLOCKED}
    other = next(name for name in texts if name != side)
    file = write("text.txt", texts[other])
    done = redpen("check", "--context", "payments", side, "-", other, file, stdin=texts[side])
    assert done.exit_code == 1
    assert "[[55%]]{1}" in done.stdout


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("context.json", '{"region": "US", "incident": {"slow_logins_pct": 55}}'),
        ("context.yaml", "region: US\nincident:\n  slow_logins_pct: 55\n"),
        ("context", "incident: {slow_logins_pct: 55}"),
    ],
)
def test_context_file_with_any_keys_is_accepted(redpen, write, name, content):
    added = f"{ORIGINAL} About 55% of logins are slow."
    original, revised = write("o.txt", ORIGINAL), write("r.txt", added)
    done = redpen("check", "--context", write(name, content), "--original", original, "--revised", revised)
    assert (done.exit_code, done.stderr) == (0, "")


def test_claims_option_inherits_claims_of_the_original(library, check):
    hints = {"avoid_absolute_guarantees": True}
    library.write("contexts/payments.yaml", library.context(policy_hints=hints))
    assert check(CLAIM, original=CLAIM).exit_code == 1
    assert check(CLAIM, "--claims", "hint", original=CLAIM).exit_code == 1
    assert check(CLAIM, "--claims", "inherit", original=CLAIM).exit_code == 0


def test_max_chars_and_min_similarity_options_apply(check):
    assert check(CLEAN, "--max-chars", "200", "--min-similarity", "0.5").exit_code == 0
    too_long = check(CLEAN, "--max-chars", "10", "--json")
    assert [item["code"] for item in json.loads(too_long.stdout)["violations"]] == ["too_long"]
    changed = check("Payments are slow.", "--min-similarity", "0.9")
    assert changed.exit_code == 1
    assert "too_large_edit (text), the whole text" in changed.stdout


@pytest.mark.parametrize("blank", ["", " \n"])
def test_blank_text_is_a_violation(check, blank):
    done = check(blank)
    assert done.exit_code == 1
    assert "1. violation: empty (text), the whole text" in done.stdout


def test_too_long_text_is_truncated_in_output(check):
    done = check("word " * 20_000)
    assert done.exit_code == 1
    assert "too_long" in done.stdout
    assert len(done.stdout) < 30_000


def test_control_characters_are_escaped_in_output(check):
    hostile = "\x1b]0;title\x07Checkout \x9b31m\u202eis\u2066 down\r\x00 for 55% of attempts.\x1b[2J"
    for options in ((), ("--json",)):
        done = check(hostile, *options)
        assert done.exit_code == 1
        assert {char for char in done.stdout if not char.isprintable()} <= {"\n"}


def test_crlf_line_ends_are_normalized(check):
    done = check(BLOCKED.replace(". ", ".\r\n"))
    assert "of attempts.\nWe are" in done.stdout


MISUSES = [
    ([], "--context, --original and --revised"),
    (["--context", "payments"], "--context, --original and --revised"),
    (["--context", "payments", "--original", "-", "--revised", "-"], "standard input"),
    (["--context", "payments", "--original", "gone.txt", "--revised", "-"], "gone.txt: cannot be read"),
    (["--context", "payments", "--original", ".", "--revised", "-"], "cannot be read"),
    (["--context", "paymnts", "--original", "o.txt", "--revised", "-"], "did you mean `payments`?"),
    (["--context", "x" * 5000, "--original", "o.txt", "--revised", "-"], "no context"),
    (["--context", "../contexts/payments", "--original", "o.txt", "--revised", "-"], "no context"),
    (["--context", "list.json", "--original", "o.txt", "--revised", "-"], "has to hold an object"),
    (["--context", "o.txt", "--original", "o.txt", "--revised", "-"], "has to hold an object"),
    (["--context", "payments", "--original", "latin.txt", "--revised", "-"], "latin.txt:2: not UTF-8"),
    (["--context", "payments", "--original", "huge.txt", "--revised", "-"], f"larger than {MAX_BYTES} bytes"),
    (["--jsonl", "-", "--context", "payments"], "--jsonl takes"),
    (["--jsonl", "-", "--original", "o.txt"], "--jsonl takes"),
    (["--jsonl", "gone.jsonl"], "gone.jsonl: cannot be read"),
    (["--jsonl", "."], "cannot be read"),
    (["--jsonl", "-", "--max-chars", "0"], "--max-chars"),
    (["--jsonl", "-", "--max-chars", str(MAX_TEXT_CHARS + 1)], "--max-chars"),
    (["--jsonl", "-", "--min-similarity", "nan"], "--min-similarity"),
    (["--jsonl", "-", "--min-similarity", "1.5"], "--min-similarity"),
    (["--jsonl", "-", "--claims", "none"], "--claims"),
]


@pytest.mark.parametrize(("args", "message"), MISUSES)
def test_usage_error_exits_2_with_message(redpen, write, args, message):
    write("o.txt", ORIGINAL)
    write("list.json", "[1]")
    write("latin.txt", b"one\ntwo \xe9\n")
    write("huge.txt", b"x" * (MAX_BYTES + 1))
    done = redpen("check", *args, stdin=BLOCKED)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def _on_a_terminal(checkout, folder, args, stdout=None, **environment):
    """Run the command on a pseudo-terminal and return its output."""
    paths = os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")])
    inside, outside = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", "from redpen_evals.cli import main; main()", *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1", "TERM": "xterm", **environment},
        stdin=subprocess.DEVNULL,
        stdout=stdout or outside,
        stderr=outside,
    ):
        os.close(outside)
        message = b""
        while chunk := _read(inside):
            message += chunk
    os.close(inside)
    return message.decode().replace("\r\n", "\n")


def _read(terminal):
    # On some systems, reading from a terminal whose other side was closed raises an error.
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.fixture
def on_a_terminal(checkout, library):
    """Give a function that runs the command on a pseudo-terminal in the library's folder."""
    return lambda args, **options: _on_a_terminal(checkout, library.root, args, **options)


def test_terminal_output_is_coloured_unless_disabled(on_a_terminal, write):
    write("o.txt", ORIGINAL)
    write("r.txt", BLOCKED)
    args = ["check", "--context", "payments", "--original", "o.txt", "--revised", "r.txt"]
    coloured = on_a_terminal(args, NO_COLOR="")
    assert "\x1b[31m" in coloured
    assert "[[" not in coloured.replace("\x1b[", "")
    for plain in (on_a_terminal(args, NO_COLOR="1"), on_a_terminal(args, NO_COLOR="", TERM="dumb")):
        assert "[[55%]]{1}" in plain
        assert "\x1b" not in plain


def test_terminal_shows_progress_of_jsonl(on_a_terminal, write, line, tmp_path):
    write("lines.jsonl", line() * 3)
    with (tmp_path / "verdicts").open("wb") as verdicts:
        output = on_a_terminal(["check", "--jsonl", "lines.jsonl"], stdout=verdicts)
    assert "100%" in output
    assert len((tmp_path / "verdicts").read_text().splitlines()) == 3


def test_sentence_in_another_language_is_reported_as_not_judged(check):
    foreign = f"{ORIGINAL} Todo está resuelto y le reembolsaremos todo."
    done = check(foreign)
    assert done.exit_code == 0
    assert "unread_language" in done.stdout
    assert "1 sentence is not in English, and not judged" in done.stdout
    assert check(foreign, "--unread-language", "block").exit_code == 1
