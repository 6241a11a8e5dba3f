"""Guard signatures and verdict forms; parameter names decide which arguments a guard gets."""

from __future__ import annotations

import functools
import shlex
import sys
from types import SimpleNamespace

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.guard_adapters.program import CommandGuard
from redpen_evals.guard_adapters.verdicts import adapt_guard
from redpen_evals.scorecard.guard_sets import GuardSet

CONTEXT = {"region": "US"}


class Validator:
    """A validator in the form of guardrails-ai."""

    def validate(self, value, metadata):
        return [value, metadata]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("original, revised, context", ["before", "after", CONTEXT]),
        ("text", ["after"]),
        ("draft", ["after"]),
        ("x", ["after"]),
        ("text, context", ["after", CONTEXT]),
        ("draft, answer", ["before", "after"]),
        ("facts, output_text, *, strict=False", [CONTEXT, "after"]),
        ("text, /, metadata", ["after", CONTEXT]),
    ],
)
def test_parameter_names_decide_arguments(parameters, expected):
    given = [name.strip() for name in parameters.split(",") if name.strip().isidentifier()]
    plain = eval(f"lambda {parameters}: note({', '.join(given)})", {"note": lambda *seen: list(seen)})  # noqa: S307 - rows of this file
    for guard in (plain, awaited(plain)):
        answer = adapt_guard(guard)("before", "after", CONTEXT)
        assert answer == expected


def awaited(plain):
    """Return the same guard as an async one."""

    @functools.wraps(plain)
    async def guard(*args, **kwargs):
        return plain(*args, **kwargs)

    return guard


def test_guard_with_keyword_varargs_gets_all_arguments():
    assert adapt_guard(lambda **given: given)("a", "b", {}) == {
        "original": "a",
        "revised": "b",
        "context": {},
    }


def test_class_with_validate_is_instantiated_and_called():
    assert adapt_guard(Validator)("before", "after", CONTEXT) == ["after", CONTEXT]
    assert adapt_guard(Validator())("before", "after", CONTEXT) == ["after", CONTEXT]


def test_unknown_parameter_is_refused():
    with pytest.raises(ConfigurationError, match="mine: unknown parameter 'strictness'"):
        GuardSet(name="mine", guards=lambda _text, strictness: strictness)
    with pytest.raises(ConfigurationError, match="no parameter for the text"):
        GuardSet(name="mine", guards=lambda context: context)


def test_guard_cannot_modify_context():
    context = {"incident": {"severity": "P1"}}
    guard = GuardSet(name="mine", guards=lambda _text, context: context["incident"].clear())
    guard.judge(original="", revised="x", context=context)
    assert context == {"incident": {"severity": "P1"}}


@pytest.mark.parametrize(
    ("answer", "blocked", "codes"),
    [
        ({"violations": [{"code": "a"}, "b"]}, True, ("a", "b")),
        ({"violations": []}, False, ()),
        ({"blocked": True}, True, ()),
        ({"passed": True, "violations": ["only a concern"]}, False, ()),
        ({"ok": False, "issues": ["tone"]}, True, ("tone",)),
        ({"is_safe": False}, True, ()),
        ({"verdict": "block"}, True, ()),
        ({"outcome": "pass"}, False, ()),
        (SimpleNamespace(outcome="fail"), True, ()),
        (SimpleNamespace(validation_passed=True), False, ()),
        ({"ok": True, "allowed": True, "decision": "pass"}, False, ()),
        ({"ok": True, "allowed": False}, True, ()),
        ({"valid": True, "safe": False}, True, ()),
        ({"blocked": False, "ok": False}, True, ()),
        ({"blocked": False, "flagged": True}, True, ()),
        ({"ok": True, "verdict": "deny"}, True, ()),
        ({"verdict": "pass", "action": "block"}, True, ()),
        (SimpleNamespace(passed=False, ok=True), True, ()),
        ({"violations": [], "findings": ["tone"]}, True, ("tone",)),
        ({"violations": ["a"], "issues": ["b"], "findings": None}, True, ("a", "b")),
        ({"ok": False, "violations": [], "error": None}, True, ()),
        ({"violations": [], "error": ""}, False, ()),
        ("pass", False, ()),
        ("BLOCK", True, ()),
        ("no_refunds", True, ("no_refunds",)),
    ],
    ids=str,
)
def test_verdict_forms_are_read(answer, blocked, codes):
    judged = GuardSet(name="mine", guards=lambda _text: answer).judge(original="", revised="x", context={})
    assert (judged.blocked, judged.codes, judged.error) == (blocked, codes, None)


def test_dict_without_verdict_is_error():
    guard = GuardSet(name="mine", guards=lambda _text: {"score": 3})
    judged = guard.judge(original="", revised="x", context={})
    assert judged.error == "TypeError: guards returned a dict of 'score': no verdict"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            {"violations": [], "error": "classifier unreachable"},
            "guards returned an error instead of a verdict: 'classifier unreachable'",
        ),
        (
            SimpleNamespace(ok=True, error=OSError("down")),
            "guards returned an error instead of a verdict: OSError('down')",
        ),
        (b"", "guards returned bytes: no violations, no codes, no bool"),
        (bytearray(b"pass"), "guards returned bytearray: no violations, no codes, no bool"),
        ({"violations": b""}, "guards returned dict: no violations, no codes, no bool"),
    ],
    ids=str,
)
def test_answer_that_is_no_verdict_is_error(answer, message):
    judged = GuardSet(name="mine", guards=lambda _text: answer).judge(original="", revised="x", context={})
    assert (judged.blocked, judged.error) == (True, f"TypeError: {message}")


PROGRAM = """
import json, sys
print("started", file=sys.stderr)
for line in sys.stdin:
    asked = json.loads(line)
    if "end" in asked["revised"]:
        sys.exit("out of words")
    if "noise" in asked["revised"]:
        print("not json", flush=True)
    elif "sleep" not in asked["revised"]:
        print(json.dumps({"blocked": "refund" in asked["revised"], "pid": 1}), flush=True)
"""


@pytest.fixture
def program(tmp_path):
    """Give a guard that is a program, asked through a guard set."""
    (tmp_path / "guard.py").write_text(PROGRAM, encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} -S guard.py"
    with CommandGuard(command, folder=tmp_path, timeout_s=5) as guard:
        yield GuardSet(name="program", guards=guard)


def test_command_guard_judges_lines_and_restarts_after_exit(program):
    def judge(revised):
        judged = program.judge(original="", revised=revised, context={"n": "\ud83d"})
        return judged.error or judged.blocked

    assert [judge("a refund"), judge("é\u2028\ud800"), judge("refund")] == [True, False, True]
    assert judge("noise").startswith("CommandGuardError: its line 'not json' is not valid JSON")
    assert judge("end") == (
        "CommandGuardError: it ended with status 1 instead of giving a verdict: out of words"
    )
    assert judge("a refund") is True


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "give a program"),
        ("'open", "No closing quotation"),
        ("./nowhere", "'./nowhere' cannot be started"),
    ],
)
def test_command_guard_that_cannot_start_is_refused(tmp_path, command, message):
    with pytest.raises(ConfigurationError, match=message):
        CommandGuard(command, folder=tmp_path)
