"""Guards of any signature and any form of verdict: the parameters' names decide what they get."""

from __future__ import annotations

import functools
import shlex
import sys
from types import SimpleNamespace

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.guard_adapters.program import CommandGuard
from redpen_evals.guard_adapters.verdicts import how_to_ask
from redpen_evals.scorecard.guard_sets import GuardSet

CONTEXT = {"region": "US"}


class Validator:
    """As guardrails-ai has them."""

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
def test_the_names_of_the_parameters_decide(parameters, expected):
    given = [name.strip() for name in parameters.split(",") if name.strip().isidentifier()]
    plain = eval(f"lambda {parameters}: note({', '.join(given)})", {"note": lambda *seen: list(seen)})  # noqa: S307 - rows of this file
    for guard in (plain, awaited(plain)):
        answer = how_to_ask(guard)("before", "after", CONTEXT)
        assert answer == expected


def awaited(plain):
    """Return the same guard as an async one."""

    @functools.wraps(plain)
    async def guard(*args, **kwargs):
        return plain(*args, **kwargs)

    return guard


def test_what_takes_any_name_gets_all():
    assert how_to_ask(lambda **given: given)("a", "b", {}) == {"original": "a", "revised": "b", "context": {}}


def test_a_class_with_validate_is_made_and_asked():
    assert how_to_ask(Validator)("before", "after", CONTEXT) == ["after", CONTEXT]
    assert how_to_ask(Validator())("before", "after", CONTEXT) == ["after", CONTEXT]


def test_a_parameter_that_says_nothing_is_named():
    with pytest.raises(ConfigurationError, match="mine: what is 'strictness' to get"):
        GuardSet(name="mine", guards=lambda _text, strictness: strictness)
    with pytest.raises(ConfigurationError, match="no parameter for the text"):
        GuardSet(name="mine", guards=lambda context: context)


def test_a_guard_cannot_change_the_context_of_the_next():
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
        ("pass", False, ()),
        ("BLOCK", True, ()),
        ("no_refunds", True, ("no_refunds",)),
    ],
    ids=str,
)
def test_verdicts_of_any_form(answer, blocked, codes):
    judged = GuardSet(name="mine", guards=lambda _text: answer).judge(original="", revised="x", context={})
    assert (judged.blocked, judged.codes, judged.error) == (blocked, codes, None)


def test_a_dict_without_a_verdict_is_an_error():
    guard = GuardSet(name="mine", guards=lambda _text: {"score": 3})
    judged = guard.judge(original="", revised="x", context={})
    assert judged.error == "TypeError: guards answered a dict of 'score': no verdict"


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


def test_a_program_judges_line_by_line_and_is_started_again(program):
    def judge(revised):
        judged = program.judge(original="", revised=revised, context={"n": "\ud83d"})
        return judged.error or judged.blocked

    assert [judge("a refund"), judge("é\u2028\ud800"), judge("refund")] == [True, False, True]
    assert judge("noise").startswith("CommandGuardError: its line 'not json' is no JSON")
    assert judge("end") == (
        "CommandGuardError: it ended with status 1 instead of giving a verdict: out of words"
    )
    assert judge("a refund") is True


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "name a program"),
        ("'open", "No closing quotation"),
        ("./nowhere", "'./nowhere' cannot be started"),
    ],
)
def test_a_program_that_cannot_be_started(tmp_path, command, message):
    with pytest.raises(ConfigurationError, match=message):
        CommandGuard(command, folder=tmp_path)
