"""Runs that need a person, and databases and tools that kill their own process at a point of choice."""

from __future__ import annotations

import json
import os
import signal
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from redpen import (
    build_incident_context,
    build_request,
    run_guarded_policy_agent,
    run_reflection_agent,
    run_self_critique_agent,
)
from redpen.agents.tools import builtin_tools
from redpen.databases import open_database
from redpen.policy import SEND
from redpen.review import ReviewQueue
from redpen.review.tables import TABLES

GOAL = "Tell customers."
DRAFT = "Payments in the US are degraded and about 27% of checkouts are affected."
EDITED = "Payments in the US are still degraded and about 27% of checkouts are affected."
CHANGED = "Payments in the US are degraded, and about 27% of checkouts are affected for now."


class Model:
    """A chat object that gives the next reply."""

    def __init__(self, *replies):
        self._replies = iter(replies)
        self.asked = []

    def complete(self, *, phase, prompt, payload):
        del prompt, payload
        self.asked.append(phase)
        return next(self._replies)


def review_of(decision="escalate", **changes):
    """Return a reply of reflection's review."""
    reason = "A person should look."
    return {"decision": decision, "issues": [], "fix_plan": [], "reason": reason, **changes}


def critique_of(decision="escalate", **changes):
    """Return a reply of self-critique's critique."""
    rest = {"severity": "medium", "risks": [], "required_changes": [], "reason": "A person should look."}
    return {"decision": decision, **rest, **changes}


def reflect(review, *, replies=None, chat=None, **means):
    """Run reflection with a model that escalates, or gives these replies."""
    return run_reflection_agent(
        goal=GOAL,
        incident_context=build_incident_context(example="reflection"),
        chat=chat or Model(*(replies or ({"draft": DRAFT}, review_of()))),
        review=review,
        **means,
    )


def criticise(review, *, replies=None, chat=None, **means):
    """Run self-critique with a model that escalates, or gives these replies."""
    return run_self_critique_agent(
        goal=GOAL,
        incident_context=build_incident_context(),
        chat=chat or Model(*(replies or ({"draft": DRAFT}, critique_of()))),
        review=review,
        **means,
    )


def act(review, **means):
    """Run guarded-policy with its fixed plan, of which a mass broadcast escalates."""
    return run_guarded_policy_agent(goal=GOAL, request=build_request(), review=review, **means)


def kill():
    """End this process as nothing else does: at once, whatever it is at."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Countdown:
    """Kills the process at a point, of which each operation has two: before it, and after it."""

    left: int = -1
    passed: int = 0

    def point(self):
        """Come to a point."""
        self.passed += 1
        if self.passed == self.left:
            kill()


@dataclass
class KillingDatabase:
    """A database that comes to a point before and after each statement, commits included."""

    database: object
    countdown: Countdown

    def __getattr__(self, name):
        return getattr(self.database, name)

    def execute(self, *args, **options):
        self.countdown.point()
        found = self.database.execute(*args, **options)
        self.countdown.point()
        return found

    @contextmanager
    def transaction(self):
        with self.database.transaction() as transaction:
            yield KillingDatabase(transaction, self.countdown)
            self.countdown.point()
        self.countdown.point()


def open_killing(address, countdown):
    """Return a queue whose database comes to the points of a countdown."""
    database = open_database(address, TABLES)
    database.check()
    return ReviewQueue(KillingDatabase(database, countdown))


@dataclass
class Outbox:
    """Updates that were sent, a line each in a file; a line is there or not, whatever is killed."""

    path: Path
    countdown: Countdown = field(default_factory=Countdown)

    @property
    def sent(self):
        """What was sent, in order."""
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def keyed(self, *, channel, template_id, audience_segment, max_recipients, idempotency_key=None):
        """Send an update once for a key."""
        self.countdown.point()
        args = {"channel": channel, "template_id": template_id, "audience_segment": audience_segment}
        args["max_recipients"] = max_recipients
        if idempotency_key not in [one["key"] for one in self.sent]:
            self._write({"key": idempotency_key, **args})
        self.countdown.point()
        return builtin_tools()[SEND](**args)

    def plain(self, *, channel, template_id, audience_segment, max_recipients):
        """Send an update, whether it was sent before or not."""
        self.countdown.point()
        args = {"channel": channel, "template_id": template_id, "audience_segment": audience_segment}
        args["max_recipients"] = max_recipients
        self._write(args)
        self.countdown.point()
        return builtin_tools()[SEND](**args)

    def tools(self, *, keyed):
        """Return all tools, with one that takes an idempotency key or one that does not."""
        others = {name: _free_to_repeat(tool) for name, tool in builtin_tools().items() if name != SEND}
        return {**others, SEND: self.keyed if keyed else self.plain}

    def _write(self, line):
        with self.path.open("a") as file:
            file.write(f"{json.dumps(line)}\n")


def _free_to_repeat(tool):
    def call(*, idempotency_key=None, **args):
        del idempotency_key
        return tool(**args)

    return call


def comparable(result):
    """Return a result without what differs from run to run: ids and times."""
    content = dict(result if isinstance(result, dict) else result.to_dict())
    del content["run_id"]
    reviews = [
        {key: value for key, value in one.items() if key not in {"review_id", "time"}}
        for one in content.get("reviews", [])
    ]
    return {**content, "reviews": reviews}
