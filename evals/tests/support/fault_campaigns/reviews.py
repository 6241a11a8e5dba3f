"""Runs that wait for a person, killed before their end and resumed in other processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fault_campaigns.forked import in_child
from fault_campaigns.review_runs import (
    DRAFT,
    Countdown,
    Outbox,
    act,
    comparable,
    criticise,
    critique_of,
    open_killing,
    reflect,
    review_of,
)
from fault_campaigns.tally import Tally
from redpen import decide_review, resume_run
from redpen.agents.run import AgentResult
from redpen.events import open_events
from redpen.events.address import find_store
from redpen.events.store import Damaged
from redpen.review import Decision, Override, Review, open_reviews

_KILLED: Final = -9
_UNKNOWN: Final = "tool_outcome_unknown:send_status_update"
_ANN: Final = Decision(kind="approve", by="ann")


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRun:
    """A run of guarded-policy that waits for a person, and is continued in other processes.

    Attributes:
        folder: of its own.
        address: of the database of reviews, and of events.
        keyed: whether its tools take an idempotency key.
        review_id: of its review.
    """

    folder: Path
    address: str
    keyed: bool
    review_id: str

    @classmethod
    def start(cls, folder: Path, address: str, *, keyed: bool) -> WaitingRun:
        """Start a run that stops for a person."""
        folder.mkdir()

        def work() -> None:
            tools = Outbox(folder / "sent.jsonl").tools(keyed=keyed)
            result = act(address, tools=tools, events=open_events(address))
            (folder / "id").write_text(str(result.review_id))

        _check(in_child(work))
        return cls(folder=folder, address=address, keyed=keyed, review_id=(folder / "id").read_text())

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The sent updates."""
        return Outbox(self.folder / "sent.jsonl").sent

    @property
    def is_decided(self) -> bool:
        """Whether the decision was reported as stored."""
        return (self.folder / "decided").exists()

    @property
    def result(self) -> dict[str, Any]:
        """The result of the run."""
        return dict(json.loads((self.folder / "result.json").read_text()))

    @property
    def points(self) -> int:
        """Number of points between its decision and its end."""
        return int((self.folder / "points").read_text())

    @property
    def events(self) -> list[tuple[int, str, str | None]]:
        """Number, kind and code of each of its events, in the order of the store."""
        store = find_store(self.address)
        run_id = _review(self.address, self.review_id).run_id
        try:
            contents = [entry.content for entry in store.read()]
        finally:
            store.close()
        return [
            (event.seq, event.kind, event.code)
            for event in contents
            if not isinstance(event, Damaged) and event.run_id == run_id
        ]

    def finish(self, kill_at: int = -1) -> int:
        """Decide and resume in a process, which is killed at a point; returns how it ended."""

        def work() -> None:
            countdown = Countdown(kill_at)
            queue = open_killing(self.address, countdown)
            decide_review(queue, self.review_id, _ANN)
            (self.folder / "decided").touch()
            outbox = Outbox(self.folder / "sent.jsonl", countdown)
            tools = outbox.tools(keyed=self.keyed)
            result = resume_run(queue, self.review_id, tools=tools, events=open_events(self.address))
            (self.folder / "result.json").write_text(json.dumps(result.to_dict()))
            (self.folder / "points").write_text(str(countdown.passed))

        return in_child(work)


def killed_reviews(root: Path, *, kills: int, address: str = "") -> Tally:
    """Kill processes at points between decision and end of a run, whose tools honour their key.

    Args:
        root: an empty folder.
        kills: number of kills; runs beyond the number of points are killed twice.
        address: of the database; by default one below the folder.
    """
    address = address or f"sqlite:///{root}/reviews.db"
    _warm_up()
    whole = _whole(root, address, keyed=True)
    broken: list[str] = []
    for number in range(kills):
        point, again = 1 + number * max(1, whole.points // kills) % whole.points, number // whole.points
        run = WaitingRun.start(root / str(number), address, keyed=True)
        problems = [] if run.finish(point) == _KILLED else ["was not killed"]
        status = _review(address, run.review_id).status
        if status not in ({"approved"} if run.is_decided else {"approved", "pending"}):
            problems.append(f"a decision was lost: {status}")
        if again:
            run.finish(point // 2 + again)
        if run.finish() != 0:
            problems.append("could not be resumed")
        else:
            problems += _problems(run, whole)
        if problems:
            broken.append(f"point {point}: {'; '.join(problems)}")
    return Tally(
        fault="`kill -9` between a reviewer's decision and the end of the run",
        claim="no update is sent twice, no decision is lost, the database opens, the result is the usual one",
        tried=kills,
        broken=tuple(broken),
    )


def killed_without_keys(root: Path, *, kills: int, address: str = "") -> Tally:
    """Kill processes as ``killed_reviews`` does, where the tool that sends takes no key."""
    address = address or f"sqlite:///{root}/reviews.db"
    _warm_up()
    whole = _whole(root, address, keyed=False)
    broken: list[str] = []
    unknown = 0
    for number in range(kills):
        # The calls are in the second half.
        point = whole.points - number * max(1, whole.points // (2 * kills)) % whole.points
        run = WaitingRun.start(root / str(number), address, keyed=False)
        was_killed = run.finish(point) == _KILLED
        before = len(run.sent)
        if not was_killed or run.finish() != 0:
            broken.append(f"point {point}: was not killed, or could not be resumed")
        elif run.result["stop_reason"] == _UNKNOWN:
            unknown += 1
            asked = _review(address, run.result["review_id"])
            if len(run.sent) != before or (asked.kind, asked.status) != ("call", "pending"):
                broken.append(f"point {point}: sent again, or no person is asked")
        elif (len(run.sent), run.result["stop_reason"]) != (2, "success"):
            broken.append(f"point {point}: {len(run.sent)} sent, {run.result['stop_reason']}")
    if not unknown:
        broken.append("no run was killed within a call")
    return Tally(
        fault="`kill -9` at such a point, where the tool takes no idempotency key",
        claim="no update is sent twice: a person decides if the outcome of a call is unknown",
        tried=kills,
        broken=tuple(broken),
    )


def resumed_runs(root: Path, *, runs: int, address: str = "") -> Tally:
    """Start runs in one process, decide in another and resume in a third; compare with uninterrupted ones.

    Args:
        root: an empty folder.
        runs: number of runs, of all agents and kinds of decisions.
        address: of the database; by default one below the folder.
    """
    address = address or f"sqlite:///{root}/reviews.db"
    file = root / "state.json"

    def start() -> None:
        results = [_start(number, address) for number in range(runs)]
        file.write_text(json.dumps([result.review_id for result in results]))

    def decide() -> None:
        for number, review_id in enumerate(json.loads(file.read_text())):
            decide_review(open_reviews(address), review_id, _decision(number))

    def resume() -> None:
        ids = json.loads(file.read_text())
        results = [resume_run(open_reviews(address), review_id).to_dict() for review_id in ids]
        file.write_text(json.dumps(results))

    for work in (start, decide, resume):
        _check(in_child(work))
    broken: list[str] = []
    for number, result in enumerate(json.loads(file.read_text())):
        # Decided at once, in the process of the run.
        whole = _start(number, lambda _question, number=number: _decision(number))
        expected, found = comparable(json.loads(json.dumps(whole.to_dict()))), comparable(result)
        if differing := [key for key in {*expected, *found} if expected.get(key) != found.get(key)]:
            broken.append(f"run {number} ({whole.stop_reason}): differs in {', '.join(sorted(differing))}")
    return Tally(
        fault="a restart between question, decision and resumption",
        claim="results are those of runs that were never interrupted, field by field",
        tried=runs,
        broken=tuple(broken),
    )


_NEW_FACT: Final = f"{DRAFT} We expect 90 minutes."
_ISSUE: Final = {"type": "missing_uncertainty", "note": "No word of regret."}
_DECISIONS: Final = ("approve", "edit", "override", "reject")
_RISKY: Final = {"policy": {"severity_budget": {"high": "escalate", "medium": "escalate"}}}
_CONCERNED: Final = {"policy": {"concerns": "escalate"}}


def _start(number: int, review: Any) -> AgentResult:
    """Start one of the runs, which differ by agent, reason for the review, and texts."""
    kinds: tuple[Callable[[], AgentResult], ...] = (
        lambda: act(review),
        lambda: reflect(review, replies=(_draft(number), review_of())),
        lambda: criticise(review, replies=(_draft(number), critique_of())),
        lambda: act(review, policy={"max_recipients_per_send": 1_000 + number}),
        lambda: criticise(
            review,
            replies=(_draft(number), critique_of("revise", required_changes=['ADD "For now."'])),
            **_RISKY,
        ),
        lambda: reflect(
            review,
            replies=(
                {"draft": DRAFT},
                review_of(
                    "revise",
                    issues=[_ISSUE],
                    fix_plan=['Add "El equipo trabaja en ello y pide disculpas a todos."'],
                ),
                {"revised_answer": f"{DRAFT} El equipo trabaja en ello y pide disculpas a todos."},
            ),
            **_CONCERNED,
        ),
    )
    return kinds[number % len(kinds)]()


def _draft(number: int) -> dict[str, Any]:
    return {"draft": f"{DRAFT} {'We work on it. ' * (number % 4)}".strip()}


def _decision(number: int) -> Decision:
    kind = _DECISIONS[number // 6 % len(_DECISIONS)]
    if kind in {"approve", "reject"}:
        return Decision.model_validate({"kind": kind, "by": "ann", "reason": "as agreed"})
    if number % 6 in {0, 3}:
        args = {"channel": "status_page", "audience_segment": "enterprise_active", "max_recipients": 12}
        action = {"id": "a3", "tool": "send_status_update", "args": {**args, "template_id": "incident_p2_v1"}}
        return Decision.model_validate({"kind": "edit", "by": "ann", "action": action})
    codes = ("no_new_facts", "required_changes_not_applied", "fix_plan_not_applied", "length_increase_limit")
    waived = tuple(Override(code=code, reason="said on the phone") for code in codes)
    if kind == "override":
        return Decision(kind="edit", by="ann", text=_NEW_FACT, overrides=waived)
    return Decision(kind="edit", by="ann", text=f"{DRAFT} For now.", overrides=waived[1:])


def _whole(root: Path, address: str, *, keyed: bool) -> WaitingRun:
    run = WaitingRun.start(root / "whole", address, keyed=keyed)
    _check(run.finish())
    return run


def _problems(run: WaitingRun, whole: WaitingRun) -> list[str]:
    problems = []
    if comparable(run.result) != comparable(whole.result):
        problems.append(f"has another result: {run.result['stop_reason']}")
    if (len(run.sent), len({item["key"] for item in run.sent})) != (2, 2):
        problems.append(f"sent {len(run.sent)} updates")
    if run.events != whole.events:
        problems.append("has other events")
    if run.address.startswith("sqlite:///"):
        connection = sqlite3.connect(run.address.removeprefix("sqlite:///"))
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            problems.append("the database is damaged")
        connection.close()
    return problems


def _review(address: str, review_id: str) -> Review:
    with closing(open_reviews(address)) as queue:
        return queue.get(review_id)


def _warm_up() -> None:
    # Forked children share the data that the guards load once per process.
    act(lambda _question: _ANN)


def _check(code: int) -> None:
    if code != 0:
        raise RuntimeError(f"a process that was not killed ended with {code}")
