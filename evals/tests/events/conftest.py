"""Fixtures of the event tests: a scripted model, and sinks that store events or fail."""

from __future__ import annotations

import pytest

from redpen import build_incident_context, run_reflection_agent, run_self_critique_agent
from redpen.events import EVENT
from redpen_evals.evaluation import Evaluator
from redpen_evals.policy_packs.in_force import read_packs
from redpen_evals.scenario_library.layout import Layout

DRAFT = "Payments in the US are degraded and about 27% of checkouts are affected."
APPROVED = [
    {"draft": DRAFT},
    {"decision": "approve", "severity": "low", "risks": [], "required_changes": [], "reason": ""},
]
ESCALATED = [
    {"draft": DRAFT},
    {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "A person should look."},
]


class Model:
    """A chat object that returns the next scripted reply."""

    def __init__(self, replies):
        self._replies = iter(replies)

    def complete(self, *, phase, prompt, payload):
        del phase, prompt, payload
        return next(self._replies)


class MemorySink:
    """A sink that stores events in a list."""

    def __init__(self):
        self.events = []

    def write(self, event):
        self.events.append(event)

    @property
    def kinds(self):
        return [event.kind for event in self.events]


class FailingSink:
    """A sink that fails from the n-th event on."""

    def __init__(self, first=1, message="disk full"):
        self.written = 0
        self.first = first
        self.message = message

    def write(self, event):
        del event
        self.written += 1
        if self.written >= self.first:
            raise OSError(self.message)


def pytest_generate_tests(metafunc):
    if "address" in metafunc.fixturenames:
        asked = "postgres" in str(metafunc.config.getoption("-m"))
        on_server = [pytest.param("postgresql", marks=pytest.mark.postgres)] if asked else []
        metafunc.parametrize("address", ["jsonl", "sqlite", *on_server], indirect=True)


@pytest.fixture
def address(request, tmp_path):
    """Return the address of a store that does not exist yet, for each kind of store."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_server").new_database()
    return f"{request.param}:{'///' if request.param == 'sqlite' else ''}{tmp_path}/events"


@pytest.fixture
def kept():
    return MemorySink()


@pytest.fixture
def failing():
    return FailingSink


@pytest.fixture
def approve():
    """Return a function that runs self-critique with an approved draft."""

    def run(events, *, context=None, chat=None, replies=APPROVED, policy=None):
        return run_self_critique_agent(
            goal="Tell customers.",
            incident_context=context or build_incident_context(),
            chat=chat or Model(replies),
            policy=policy or {},
            events=events,
        )

    return run


@pytest.fixture
def escalate():
    """Return a function that runs reflection with an escalated draft."""

    def run(events):
        return run_reflection_agent(
            goal="Tell customers.",
            incident_context=build_incident_context(),
            chat=Model(ESCALATED),
            events=events,
        )

    return run


@pytest.fixture
def run_library(checkout):
    """Return a function that replays every n-th scenario of the library and returns the results."""
    layout = Layout(
        scenarios=checkout / "scenarios",
        cassettes=checkout / "cassettes",
        judges=checkout / "agents/redpen/judges",
    )
    packs = read_packs(checkout / "redpen.policy.yaml", is_given=False)

    def run(log, every):
        evaluator = Evaluator(layout=layout, events=log, packs=packs)
        found = []
        for agent in ("self-critique", "reflection", "guarded-policy"):
            names = sorted(path.stem for path in (layout.scenarios / agent).glob("*.yaml"))
            found += [evaluator.evaluate(f"{agent}/{name}") for name in names[::every]]
        return found

    return run


@pytest.fixture
def make_event():
    """Return a function that creates an event."""

    def make(seq=1, *, run_id="run-1", time="2026-03-06T12:00:00.000000Z", **fields):
        return EVENT.validate_python(
            {"kind": "stopped", "run_id": run_id, "seq": seq, "time": time, "agent": "reflection", **fields}
        )

    return make
