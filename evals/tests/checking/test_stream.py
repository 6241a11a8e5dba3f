"""`redpen check --jsonl`: verdicts in order, errors per line, streaming and bounded memory."""

from __future__ import annotations

import io
import itertools
import json
import os
import subprocess
import sys
import threading
import tracemalloc

import pytest

from redpen.guards import RevisionRules, check_revision
from redpen_evals.checking.inputs import MAX_BYTES, Contexts
from redpen_evals.checking.lines import judge_lines

ORIGINAL = "Checkout in the US is degraded for 27% of attempts. We are working on it."
BLOCKED = "Checkout in the US is degraded for 55% of attempts. We are working on it."
CONCERNING = f"{ORIGINAL} No action is needed on your side."


@pytest.fixture
def stream(redpen):
    """Give a function that checks lines from standard input; it returns the result and the verdicts."""

    def run(*lines, options=()):
        data = b"".join(item if isinstance(item, bytes) else item.encode() for item in lines)
        done = redpen("check", "--jsonl", "-", *options, stdin=data)
        return done, [json.loads(text) for text in done.stdout.splitlines()]

    return run


def test_each_line_gets_its_verdict_in_order(stream, line, library):
    done, verdicts = stream(
        line(id="first"), line(revised=BLOCKED, id=2), line(context=library.context(region="EU"))
    )
    assert (done.exit_code, done.stderr) == (1, "")
    assert [list(verdict)[:2] for verdict in verdicts] == [["line", "id"], ["line", "id"], ["line", "ok"]]
    assert [verdict["line"] for verdict in verdicts] == [1, 2, 3]
    assert [verdict.get("id") for verdict in verdicts] == ["first", 2, None]
    report = check_revision(original=ORIGINAL, revised=BLOCKED, context=library.context()).to_dict()
    assert verdicts[1] == {"line": 2, "id": 2, **json.loads(json.dumps(report))}
    assert [verdict["ok"] for verdict in verdicts[:2]] == [True, False]


def test_concerns_alone_exit_0(stream, line):
    done, (verdict,) = stream(line(revised=CONCERNING))
    assert done.exit_code == 0
    assert verdict["ok"]
    assert verdict["concerns"]


@pytest.mark.parametrize("text", ["", "\n  \n"], ids=["empty", "blank"])
def test_empty_input_exits_2(stream, text):
    done, verdicts = stream(text)
    assert (done.exit_code, verdicts) == (2, [])
    assert done.stderr == "redpen: standard input: has no line to judge\n"


def test_blank_lines_and_extra_keys_are_ignored(stream, line):
    done, verdicts = stream(b"\xef\xbb\xbf", line(label="pass"), "\n", " \r\n", line(id="é").rstrip())
    assert (done.exit_code, done.stderr) == (0, "")
    assert [(verdict["line"], verdict.get("id")) for verdict in verdicts] == [(1, None), (4, "é")]


def test_options_apply_to_every_line(stream, line):
    done, verdicts = stream(line(), line(), options=["--max-chars", "10"])
    assert done.exit_code == 1
    assert [[item["code"] for item in verdict["violations"]] for verdict in verdicts] == [["too_long"]] * 2


def _bad_lines(line):
    return {
        "invalid JSON: ": [
            "nonsense\n",
            '{"original": \n',
            "[" * 5000 + "]" * 5000 + "\n",
            '{"a": 1, "a": 2}\n',
            line(id="x").replace('"x"', '"\\ud800"'),
            line(id=0).replace('"id": 0', '"id": ' + "9" * 5000),
            b"\0\n",
        ],
        "not UTF-8 at byte 15": [b'{"original": "\xff"}\n'],
        "has to hold an object": ["[]\n", "null\n", "3\n"],
        "missing: context": [line(context=None)],
        "missing: original, revised, context": ["{}\n"],
        "original: ": [line(original=3)],
        "revised: ": [line(revised=["x"]), '{"original": "x", "revised": null, "context": {}}\n'],
        "id: ": [line(id=True), line(id=1.5), line(id=[])],
        "context: has to be": [line(context=3), line(context=[])],
        "context: no context": [
            line(context=""),
            line(context="../contexts/payments"),
            line(context="\x1b[1m"),
        ],
        "did you mean `payments`?": [line(context="paymnts")],
        f"longer than {MAX_BYTES} bytes": [line(id="x" * MAX_BYTES)],
    }


def test_bad_line_is_reported_and_other_lines_are_judged(stream, line):
    for output, lines in _bad_lines(line).items():
        for bad in lines:
            done, verdicts = stream(line(), bad, line(revised=BLOCKED))
            assert done.exit_code == 2, output
            assert [verdict["line"] for verdict in verdicts] == [1, 2, 3], output
            assert list(verdicts[1]) == ["line", "error"]
            assert output in verdicts[1]["error"]
            assert verdicts[0]["ok"]
            assert not verdicts[2]["ok"]
            (message,) = done.stderr.splitlines()
            assert message.startswith("redpen: standard input:2: ")
            assert "\x1b" not in done.stdout + done.stderr


def test_broken_context_file_fails_only_lines_that_name_it(library, stream, line):
    library.write("contexts/broken.yaml", "region: [\n")
    done, verdicts = stream(line(context="broken"), line())
    assert done.exit_code == 2
    assert "broken.yaml" in verdicts[0]["error"]
    assert verdicts[1]["ok"]


def test_line_length_limit_is_inclusive(stream, line):
    padding = MAX_BYTES - len(line(id="").rstrip())
    done, verdicts = stream(line(id="x" * padding), line(id="x" * (padding + 1)), line())
    assert done.exit_code == 2
    assert ["error" in verdict for verdict in verdicts] == [False, True, False]


def test_file_is_read_like_standard_input(redpen, write, line):
    path = write("lines.jsonl", line() + "nonsense\n")
    done = redpen("check", "--jsonl", path)
    assert done.exit_code == 2
    assert [json.loads(text)["line"] for text in done.stdout.splitlines()] == [1, 2]
    assert "lines.jsonl:2: invalid JSON" in done.stderr


def test_hidden_characters_are_escaped_and_letters_kept(stream, line):
    done, (verdict,) = stream(line(id="支払い\x9b\u202e"))
    assert "支払い\\u009b\\u202e" in done.stdout
    assert verdict["id"] == "支払い\x9b\u202e"


class _Endless(io.RawIOBase):
    """A file that never ends and counts the bytes read."""

    def __init__(self, chunk):
        super().__init__()
        self.chunk = chunk
        self.taken = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(len(buffer), len(self.chunk))
        buffer[:size] = self.chunk[:size]
        self.taken += size
        return size


def test_verdict_is_given_before_next_lines_are_read(library, line):
    text = line().encode()
    endless = _Endless(text)
    verdicts = judge_lines(
        io.BufferedReader(endless, len(text)), rules=RevisionRules(), contexts=Contexts(layout=library.layout)
    )
    for number, verdict in enumerate(itertools.islice(verdicts, 100), start=1):
        assert (verdict.line, verdict.ok, verdict.end) == (number, True, number * len(text))
        assert endless.taken <= (number + 1) * len(text)


class _Long(_Endless):
    """One line of many megabytes, then an end."""

    def readinto(self, buffer):
        return 0 if self.taken >= 40 * MAX_BYTES else super().readinto(buffer)


def test_oversized_line_uses_bounded_memory(library):
    long = io.BufferedReader(_Long(b"x" * 8192))
    contexts = Contexts(layout=library.layout)
    tracemalloc.start()
    try:
        (verdict,) = judge_lines(long, rules=RevisionRules(), contexts=contexts)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert verdict.error.startswith("longer than")
    assert verdict.end >= 40 * MAX_BYTES
    assert peak < 8 * MAX_BYTES


def _redpen_process(checkout, folder, *args, **streams):
    paths = os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")])
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", "from redpen_evals.cli import main; main()", *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
        **streams,
    )


def test_endless_pipe_is_judged_until_output_is_closed(checkout, library, line):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with _redpen_process(checkout, library.root, "check", "--jsonl", "-", **pipes) as process:

        def feed():
            try:
                for number in itertools.count():
                    process.stdin.write(line(id=number).encode())
            except BrokenPipeError:
                return

        feeder = threading.Thread(target=feed)
        feeder.start()
        verdicts = [json.loads(process.stdout.readline()) for _ in range(300)]
        process.stdout.close()
        complaints = process.stderr.read()
        process.wait(timeout=60)
        feeder.join(timeout=60)
        _discard(process)
    assert [verdict["id"] for verdict in verdicts] == list(range(300))
    assert complaints == b""


def _discard(process):
    # Closing flushes unsent data into a pipe that nobody reads.
    try:
        process.stdin.close()
    except BrokenPipeError:
        return


def test_verdict_is_flushed_before_next_line(checkout, library, line):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with _redpen_process(checkout, library.root, "check", "--jsonl", "-", **pipes) as process:
        for text, ok in ((line(), True), (line(revised=BLOCKED), False)):
            process.stdin.write(text.encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"] is ok
        rest, complaints = process.communicate(timeout=60)
    assert (process.returncode, rest, complaints) == (1, b"", b"")
