"""Guard sets: judgements, loading by name, and unique names."""

from __future__ import annotations

import os
import sys
from types import ModuleType, SimpleNamespace

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scorecard.guard_sets import (
    GuardSet,
    built_in_guard_sets,
    check_names,
    load_guard_set,
)


def judge(answer):
    guard_set = GuardSet(name="mine", guards=lambda **_: answer)
    return guard_set.judge(original="", revised="0123456789", context={})


def finding(code, span=None):
    return SimpleNamespace(code=code, span=span)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (True, Judgement(blocked=True)),
        (False, Judgement(blocked=False)),
        ("new_region", Judgement(blocked=True, codes=("new_region",))),
        ([], Judgement(blocked=False)),
        (["b", "a"], Judgement(blocked=True, codes=("b", "a"))),
        (dict.fromkeys("a").keys(), Judgement(blocked=True, codes=("a",))),
        (SimpleNamespace(violations=()), Judgement(blocked=False)),
        (SimpleNamespace(violations=(), concerns=["x"]), Judgement(blocked=False, concerned=True)),
        (
            SimpleNamespace(violations=[finding("a", (1, 3)), finding("b")]),
            Judgement(blocked=True, codes=("a", "b"), spans=((1, 3),)),
        ),
        # Spans outside the text and empty spans are ignored.
        (
            [finding("a", (3, 3)), finding("a", (5, 99)), finding("a", (-1, 2)), finding("a", "x")],
            Judgement(blocked=True, codes=("a", "a", "a", "a")),
        ),
        ([SimpleNamespace()], Judgement(blocked=True, codes=("unknown",))),
    ],
    ids=str,
)
def test_answer_is_read_as_judgement(answer, expected):
    assert judge(answer) == expected


@pytest.mark.parametrize("answer", [None, 3, SimpleNamespace(violations=None)], ids=str)
def test_answer_of_unknown_form_blocks(answer):
    judgement = judge(answer)
    assert judgement.blocked
    assert judgement.codes == ("guard_error",)
    assert judgement.error is not None
    assert judgement.error.startswith("TypeError: guards returned")


def test_guard_that_raises_blocks_with_error():
    def broken(**_):
        raise RuntimeError("first line\nsecond")

    judgement = GuardSet(name="mine", guards=broken).judge(original="", revised="x", context={})
    assert judgement == Judgement(blocked=True, codes=("guard_error",), error="RuntimeError: first line")


def test_reported_guard_error_is_error():
    crash = SimpleNamespace(code="guard_error", span=(0, 1), reading="the facts guard raised KeyError")
    assert judge(SimpleNamespace(violations=[crash])).error == "the facts guard raised KeyError"


def test_built_in_guard_sets_judge():
    redpen, regex = built_in_guard_sets()
    assert (redpen.name, redpen.recorded, regex.name, regex.recorded) == ("redpen", True, "regex", False)
    for guard_set in (redpen, regex):
        text = "Checkout is degraded for 27% of attempts."
        judgement = guard_set.judge(original=text, revised=text.replace("27", "91"), context={})
        assert judgement.codes == ("no_new_facts",)
        assert not guard_set.judge(original=text, revised=text, context={}).blocked


@pytest.fixture
def module(monkeypatch):
    module = ModuleType("some_guards")
    monkeypatch.setitem(sys.modules, "some_guards", module)
    module.check = lambda **_: []
    module.Shop = SimpleNamespace(check=module.check)
    module.number = 3
    return module


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize("place", ["some_guards:check", "some_guards:Shop.check"])
def test_guard_set_is_loaded_from_module_and_name(place):
    guard_set = load_guard_set(place)
    assert guard_set.name == place
    assert not guard_set.judge(original="", revised="", context={}).blocked


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("some_guards", "write module:name"),
        (":check", "write module:name"),
        ("some_guards:", "write module:name"),
        ("some_guards:chekc", "has no attribute 'chekc'"),
        ("some_guards:number", "int cannot be called"),
        ("nowhere_at_all:check", "No module named 'nowhere_at_all'; its folder has to be the project's"),
        ("nowhere_at_all.deeper:check", "has to be the project's, or on its `pythonpath`"),
        (".relative:check", "relative"),
    ],
)
def test_guard_set_that_cannot_be_loaded_is_refused(place, message):
    with pytest.raises(ConfigurationError, match=message):
        load_guard_set(place)


def test_duplicate_guard_set_name_is_refused():
    one = GuardSet(name="mine", guards=lambda **_: [])
    assert check_names([one]) == (one,)
    with pytest.raises(ConfigurationError, match="two guard sets are named 'mine'"):
        check_names([one, one])


def test_module_that_makes_a_client_needs_no_key(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "with_a_client.py").write_text(
        "import openai\nclient = openai.OpenAI()\ndef check(text):\n    return 'refund' in text\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    guards = load_guard_set("with_a_client:check")
    assert guards.judge(original="", revised="a refund", context={}).blocked
    assert "OPENAI_API_KEY" not in os.environ
