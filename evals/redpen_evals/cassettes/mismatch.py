"""Explain why a request matches no recording: which call, which values changed, and how."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from rapidfuzz.distance import Indel

from redpen.screen import counted
from redpen.types import JsonValue
from redpen_evals.cassettes.encoding import Body, JsonBody
from redpen_evals.cassettes.file import Call, CallRequest
from redpen_evals.cassettes.matching import canonical, request_key
from redpen_evals.strict_json import parse_container
from redpen_evals.text_diff import replacement, word_diff

MismatchReason = Literal[
    "changed",  # the nearest unplayed recording differs in `changes`
    "new",  # no unplayed recording is of a similar address
    "repeated",  # the same request was recorded fewer times than it was made
    "extra",  # every recorded call has been played already
    "empty",  # the recording holds no call
]

_POSITION_BONUS: Final = 0.15
_SCORED_CHARS: Final = 20_000
_LOST_STOP: Final = "if the agent should have stopped before it, this is the bug; otherwise record it"
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class Absent:
    """Marks a value that one side does not have."""


ABSENT: Final = Absent()
Side: TypeAlias = "JsonValue | Absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value that differs.

    `path` is for example `messages[0].content`, or `messages[1].content → draft` inside JSON that is itself
    a string; `before` is the recorded value, `after` the live one; `excerpt` is a word-level diff.
    """

    path: str
    before: Side
    after: Side
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """A live request without a recording.

    Attributes:
        call: position of the live call in its run, from 1.
        total: number of recorded calls.
        phase: the phase of the live call, or of the recorded one if the run does not name it.
        request: method and URL of the live call.
        nearest: position of the recorded call compared with, from 1; None if there was none to compare.
        changes: the differing values, in the order of the request; empty unless the reason is `changed`.
    """

    reason: MismatchReason
    call: int
    total: int
    phase: str
    request: str
    nearest: int | None = None
    changes: tuple[Change, ...] = ()

    @property
    def path(self) -> str:
        """The path of the first change, or empty."""
        return self.changes[0].path if self.changes else ""

    @property
    def excerpt(self) -> str:
        """The word-level diff of the first change."""
        return self.changes[0].excerpt if self.changes else ""

    @property
    def text(self) -> str:
        """The whole explanation, one or two lines."""
        phase = f" ({self.phase})" if self.phase else ""
        head = f"call {self.call} of {self.total}{phase}: "
        if self.reason == "empty":
            return f"{head}the recording holds no call"
        if self.reason == "new":
            return f"{head}new call {self.request}"
        if self.reason == "extra":
            recorded = "the recorded call" if self.total == 1 else f"all {self.total} recorded calls"
            return f"call {self.call}{phase}: {self.request} comes after {recorded}\n  {_LOST_STOP}"
        if self.reason == "repeated":
            problem = "the same request was made again, and no further recording of it is unplayed"
            return f"{head}{problem}\n  {_LOST_STOP}"
        more = len(self.changes) - 1
        others = f" and {counted(more, 'more place')}" if more else ""
        compared = f" (compared with recorded call {self.nearest})" if self.nearest != self.call else ""
        return f"{head}{self.path} changed{others}{compared}\n  {self.excerpt}"


def explain(
    live: CallRequest, recorded: Sequence[Call], call: int, *, played: Collection[int] = (), phase: str = ""
) -> Mismatch:
    """Explain why a live request matches no recording.

    It is compared with the nearest unplayed call of a similar address; at equal distance, with the one at the
    same position.

    Args:
        live: the request made.
        recorded: every recorded call of the run, in order.
        call: position of the live call in its run, from 1.
        played: indexes, from 0, of the recorded calls that have been played.
        phase: the run's current phase, empty if it does not name one.
    """
    unplayed = [index for index in range(len(recorded)) if index not in played]
    key = request_key(live)
    repeated = any(request_key(call.request) == key for call in recorded)
    similar = [index for index in unplayed if _is_similar(live, recorded[index], phase)]
    request = f"{live.method} {live.url}"
    if repeated or not similar:
        reason: MismatchReason = (
            "empty" if not recorded else "repeated" if repeated else "new" if unplayed else "extra"
        )
        return Mismatch(reason=reason, call=call, total=len(recorded), phase=phase, request=request)
    nearest = max(similar, key=lambda index: _score(live, recorded[index], call - 1 == index, phase))
    return Mismatch(
        reason="changed",
        call=call,
        total=len(recorded),
        phase=phase or recorded[nearest].phase,
        request=request,
        nearest=nearest + 1,
        changes=tuple(_request_changes(recorded[nearest].request, live)),
    )


def _is_similar(live: CallRequest, recorded: Call, phase: str) -> bool:
    before, after = urlsplit(recorded.request.url), urlsplit(live.url)
    has_same_host = before.netloc == after.netloc and phase in {"", recorded.phase}
    return recorded.request.method == live.method and (before.path == after.path or has_same_host)


def _score(live: CallRequest, recorded: Call, same_position: bool, phase: str) -> float:
    texts = [_comparable(body)[:_SCORED_CHARS] for body in (live.body, recorded.request.body)]
    score = float(Indel.normalized_similarity(*texts))
    score += _POSITION_BONUS * same_position
    return score + _POSITION_BONUS * (bool(phase) and phase == recorded.phase)


def _comparable(body: Body) -> str:
    text = canonical(body)
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def _request_changes(recorded: CallRequest, live: CallRequest) -> Iterator[Change]:
    for name in ("method", "url"):
        before, after = getattr(recorded, name), getattr(live, name)
        if before != after:
            yield _change(f"({name})", before, after)
    yield from body_changes(recorded.body, live.body)


def body_changes(before: Body, after: Body) -> Iterator[Change]:
    """Yield the values that differ between two bodies."""
    if isinstance(before, JsonBody) and isinstance(after, JsonBody):
        yield from _changes("", before.value, after.value)
    elif before != after:
        yield _change("(body)", _comparable(before), _comparable(after))


def _changes(path: str, before: Side, after: Side) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from _changes(_member_path(path, key), before.get(key, ABSENT), after.get(key, ABSENT))
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(max(len(before), len(after))):
            sides = (side[index] if index < len(side) else ABSENT for side in (before, after))
            yield from _changes(f"{path}[{index}]", *sides)
    elif isinstance(before, str) and isinstance(after, str):
        if before != after:
            yield from _text_changes(path, before, after)
    elif not _same(before, after):
        yield _change(path or "(body)", before, after)


def _text_changes(path: str, before: str, after: str) -> Iterator[Change]:
    old, new = parse_container(before), parse_container(after)
    inner = [] if old is None or new is None else list(_changes(f"{path} → ", old, new))
    # JSON texts that differ only in spacing or key order have no inner change.
    yield from inner or [_change(path or "(body)", before, after)]


def _same(before: Side, after: Side) -> bool:
    if isinstance(before, Absent) or isinstance(after, Absent):
        return before is after
    return canonical(JsonBody(before)) == canonical(JsonBody(after))


def _member_path(path: str, key: str) -> str:
    if not _PLAIN_KEY.fullmatch(key):
        return f"{path}[{json.dumps(key, ensure_ascii=False)}]"
    return f"{path}{key}" if not path or path.endswith("→ ") else f"{path}.{key}"


def _change(path: str, before: Side, after: Side) -> Change:
    if isinstance(before, str) and isinstance(after, str):
        excerpt = word_diff(before, after)
    elif isinstance(before, (list, dict)) and isinstance(after, (list, dict)):
        excerpt = word_diff(_shown(before), _shown(after))
    else:
        # Scalars, and values of different types, have no common part to show.
        excerpt = replacement(_shown(before), _shown(after))
    return Change(path=path, before=before, after=after, excerpt=excerpt)


def _shown(side: Side) -> str:
    return "" if isinstance(side, Absent) else json.dumps(side, ensure_ascii=False)
