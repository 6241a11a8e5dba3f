"""Runs that need a person, and databases and tools that kill their own process at a given point."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redpen import (
    build_incident_context,
    build_request,
    run_guarded_policy_agent,
    run_reflection_agent,
    run_self_critique_agent,
)
from redpen.agents.run import AgentResult
from redpen.agents.tools import builtin_tools
from redpen.databases import Database, Result, Transaction, open_database
from redpen.gateway.execution import Tool
from redpen.policy import SEND
from redpen.review import ReviewQueue
from redpen.review.tables import TABLES

GOAL = "Tell customers."
DRAFT = "Payments in the US are degraded and about 27% of checkouts are affected."


class Model:
    """A chat object that returns scripted replies in order."""

    def __init__(self, *replies: dict[str, Any]) -> None:
        self._replies = iter(replies)
        self.asked: list[str] = []

    def complete(self, *, phase: str, prompt: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return the next reply."""
        del prompt, payload
        self.asked.append(phase)
        return next(self._replies)


def review_of(decision: str = "escalate", **changes: Any) -> dict[str, Any]:
    """Return a reply of reflection's review."""
    reason = "A person should look."
    return {"decision": decision, "issues": [], "fix_plan": [], "reason": reason, **changes}


def critique_of(decision: str = "escalate", **changes: Any) -> dict[str, Any]:
    """Return a reply of self-critique's critique."""
    rest = {"severity": "medium", "risks": [], "required_changes": [], "reason": "A person should look."}
    return {"decision": decision, **rest, **changes}


def reflect(review: Any, *, replies: tuple[Any, ...] = (), chat: Any = None, **means: Any) -> AgentResult:
    """Run reflection with a model that escalates, or gives these replies."""
    return run_reflection_agent(
        goal=GOAL,
        incident_context=build_incident_context(example="reflection"),
        chat=chat or Model(*(replies or ({"draft": DRAFT}, review_of()))),
        review=review,
        **means,
    )


def criticise(review: Any, *, replies: tuple[Any, ...] = (), chat: Any = None, **means: Any) -> AgentResult:
    """Run self-critique with a model that escalates, or gives these replies."""
    return run_self_critique_agent(
        goal=GOAL,
        incident_context=build_incident_context(),
        chat=chat or Model(*(replies or ({"draft": DRAFT}, critique_of()))),
        review=review,
        **means,
    )


def act(review: Any, **means: Any) -> AgentResult:
    """Run guarded-policy with its fixed plan, of which a mass broadcast escalates."""
    return run_guarded_policy_agent(goal=GOAL, request=build_request(), review=review, **means)


def kill() -> None:
    """Kill this process at once."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Countdown:
    """Kills the process at a point; each operation has two: before and after it."""

    left: int = -1
    passed: int = 0

    def point(self) -> None:
        """Count a point, and kill the process if it is the chosen one."""
        self.passed += 1
        if self.passed == self.left:
            kill()


@dataclass
class _Statements:
    """Counts a point before and after each statement."""

    inside: Transaction
    countdown: Countdown

    def execute(self, *args: Any, **options: Any) -> Result:
        """Run a statement."""
        self.countdown.point()
        found = self.inside.execute(*args, **options)
        self.countdown.point()
        return found


@dataclass
class KillingDatabase(_Statements):
    """A database that counts a point before and after each statement and each commit."""

    database: Database

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the database."""
        return getattr(self.database, name)

    @contextmanager
    def transaction(self) -> Iterator[_Statements]:
        """Open a transaction."""
        with self.database.transaction() as transaction:
            yield _Statements(transaction, self.countdown)
            self.countdown.point()
        self.countdown.point()


def open_killing(address: str, countdown: Countdown) -> ReviewQueue:
    """Return a queue whose database counts points."""
    database = open_database(address, TABLES)
    database.check()
    killing: Any = KillingDatabase(inside=database, countdown=countdown, database=database)
    return ReviewQueue(killing)


@dataclass
class Outbox:
    """The sent updates in a file, one line each; a kill leaves no partial line."""

    path: Path
    countdown: Countdown = field(default_factory=Countdown)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The sent updates, in order."""
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def keyed(self, *, idempotency_key: str = "", **args: Any) -> Mapping[str, Any]:
        """Send an update once per key."""
        self.countdown.point()
        if idempotency_key not in [item["key"] for item in self.sent]:
            self._write({"key": idempotency_key, **args})
        self.countdown.point()
        return builtin_tools()[SEND](**args)

    def plain(self, **args: Any) -> Mapping[str, Any]:
        """Send an update, whether it was sent before or not."""
        self.countdown.point()
        self._write(args)
        self.countdown.point()
        return builtin_tools()[SEND](**args)

    def tools(self, *, keyed: bool) -> dict[str, Tool]:
        """Return all tools, with one that takes an idempotency key or one that does not."""
        others = {name: _free_to_repeat(tool) for name, tool in builtin_tools().items() if name != SEND}
        return {**others, SEND: self.keyed if keyed else self.plain}

    def _write(self, line: dict[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(f"{json.dumps(line)}\n")


def _free_to_repeat(tool: Tool) -> Tool:
    def call(*, idempotency_key: str = "", **args: Any) -> Mapping[str, Any]:
        del idempotency_key
        return tool(**args)

    return call


def comparable(result: AgentResult | dict[str, Any]) -> dict[str, Any]:
    """Return a result without ids and times, which differ from run to run."""
    content = dict(result if isinstance(result, dict) else result.to_dict())
    del content["run_id"]
    reviews = [
        {key: value for key, value in item.items() if key not in {"review_id", "time"}}
        for item in content.get("reviews", [])
    ]
    return {**content, "reviews": reviews}
