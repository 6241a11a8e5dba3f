"""Kinds of callables as `agent:`, how they get their input, and how their results are stored."""

from __future__ import annotations

import sys
import textwrap

import pytest

from redpen_evals.evaluation import Evaluator
from redpen_evals.evaluation.own import OwnSettings

_MODULE = "kinds_of_agents"
_SOURCE = """
import asyncio, dataclasses, enum, functools, typing

def fn(ticket): return f"Hello {ticket}"
async def afn(ticket): return f"Hello {ticket}"
def gen(ticket):
    yield "Hello "
    yield ticket
async def agen(ticket):
    yield "Hello "
    await asyncio.sleep(0)
    yield ticket
class Agent:
    def __init__(self): self.turns = 0
    def __call__(self, message):
        self.turns += 1
        return f"{self.turns}: {message}"
    def method(self, ticket): return f"Hello {ticket}"
    @classmethod
    def made(cls, ticket): return f"Hello {ticket}"
    @staticmethod
    def static(ticket): return f"Hello {ticket}"
instance = Agent()
partial = functools.partial(lambda greeting, ticket: f"{greeting} {ticket}", "Hello")
def gap(a=1, b=2, /, c=3): return f"{a}{b}{c}"
def facts(context): return str(context["order"])
def both(message, messages): return f"{message} of {len(messages)}"
def anything(**given): return ",".join(sorted(given))

class Mood(enum.Enum):
    GOOD = "good"
class Reply(typing.NamedTuple):
    answer: str
    mood: Mood
class Attrs:
    def __init__(self): self.answer, self.n = "Hi.", 1
class _Field:
    def __init__(self, name): self.name = name
Attrs.__attrs_attrs__ = (_Field("answer"), _Field("n"))
class Raising:
    @property
    def answer(self): raise ValueError("boom")
@dataclasses.dataclass
class Framework:
    final_output: str
    client: object
def named(): return Reply("Hi.", Mood.GOOD)
def attrs(): return Attrs()
def framework(): return Framework("Hi.", object())
def keyed(): return {Mood.GOOD: 1, 2: 2, None: 3}
def twins(): return {1: "a", "1": "b"}
def raising(): return Raising()
def huge(): return 10 ** 5000
def half(): return "a\\ud800"
def circle():
    found = []
    found.append(found)
    return found
def content(): return b"Hi."
def email(): return {"email": {"subject": "S", "body": "B"}}
"""


@pytest.fixture
def run(library):
    """Give a function that writes a scenario for an agent of the module and evaluates it."""
    (library.root / f"{_MODULE}.py").write_text(textwrap.dedent(_SOURCE), encoding="utf-8")
    library.write("contexts/orders.yaml", {"order": 81})

    def evaluate(agent, **scenario):
        name = library.add("mine/one", {"agent": f"{_MODULE}:{agent}", "invariants": [], **scenario})
        own = OwnSettings(paths=(library.root,))
        return Evaluator(layout=library.layout, root=library.root, own=own).evaluate(name)

    yield evaluate
    sys.modules.pop(_MODULE, None)


@pytest.mark.parametrize(
    "agent",
    ["fn", "afn", "gen", "agen", "partial", "instance.method", "Agent.method", "Agent.made", "Agent.static"],
)
def test_every_kind_of_callable_is_an_agent(run, agent):
    result = run(agent, input={"ticket": "Bob"})
    assert (result.outcome, result.answer) == ("passed", "Hello Bob"), result.text


def test_omitted_positional_argument_gets_its_default(run):
    assert run("gap", input={"b": 7}).answer == "173"
    assert run("gap", input={"a": 7}).answer == "723"


def test_context_is_passed_to_parameter_named_context(run):
    assert run("facts", context="orders").answer == "81"
    assert run("facts", context="orders", input={"context": {"order": 5}}).answer == "5"


def test_class_instance_lasts_for_one_conversation(run):
    turns = [{"user": "One", "expect": {"contains": ["1: One"]}}, {"user": "Two"}]
    expect = {"contains": ["2: Two"]}
    for _ in range(2):
        result = run("Agent", turns=turns, expect=expect)
        assert result.outcome == "passed", result.text


def test_message_and_messages_are_passed_by_parameter_name(run):
    result = run("both", turns=[{"user": "One"}, {"user": "Two"}])
    assert [turn["answer"] for turn in result.detail["turns"]] == ["One of 1", "Two of 3"]
    assert run("anything", turns=[{"user": "One"}]).answer == "messages"


@pytest.mark.parametrize(
    ("agent", "value"),
    [
        ("named", {"answer": "Hi.", "mood": "good"}),
        ("attrs", {"answer": "Hi.", "n": 1}),
        ("framework", {"final_output": "Hi."}),
        ("keyed", {"good": 1, "2": 2, "null": 3}),
    ],
)
def test_results_are_stored_as_json(run, agent, value):
    result = run(agent)
    assert (result.outcome, result.detail["value"]) == ("passed", value), result.text


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("twins", "the result has two keys that are both '1' in JSON"),
        ("raising", "the result at answer raises ValueError: boom"),
        ("huge", "the result is a number of more than 308 digits"),
        ("half", r"the result contains '\ud800', half of a character"),
        ("circle", "the result nests deeper than 40, or in itself"),
        ("content", "the result is a bytes, which cannot be shown as JSON"),
    ],
)
def test_result_without_json_form_is_errored(run, agent, message):
    result = run(agent)
    assert result.outcome == "errored"
    assert result.reasons[0].startswith(f"scenarios/mine/one.yaml:2: {message}")


def test_missing_published_text_fails_with_suggestion(run):
    result = run("email", publishes=["email.subject", "email.bod"])
    assert (result.outcome, result.broken) == ("failed", ("publishes",))
    assert "email.bod leads to nothing (did you mean `email.body`?)" in result.text
