"""Which calls of a run have to be recorded again, and what explains it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from redpen.prompts import PromptSet
from redpen.text.json_values import parse_json
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallResponse
from redpen_evals.cassettes.mismatch import Change, Mismatch
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.records.model import CallState, RecordedCall, StaleCall, StaleCalls

_EXCERPT_CHARS = 400
_SYSTEM = "messages[0].content"


def stale_calls(
    miss: Mismatch | None,
    changed_replies: Mapping[int, str],
    recorded: Sequence[Call],
    prompts: PromptSet,
    *,
    origin: str = "",
    model: str = "",
) -> StaleCalls:
    """Return the stale calls of a run that was replayed.

    Args:
        miss: how the first request that no recording answers differs.
        changed_replies: of scripted recordings, what changed in the script, by position from 1.
        recorded: the recorded calls.
        prompts: what the model is asked with now.
        origin: where in the project the changed words of the first request stand.
        model: whose recordings they are.

    Returns:
        The first stale call, and all that come after it: an earlier answer may change them.
    """
    positions = [*([miss.call] if miss else []), *changed_replies]
    if not positions:
        return StaleCalls(calls=())
    first = min(positions)
    calls = []
    if miss and (miss.call > len(recorded) or miss.phase != recorded[miss.call - 1].phase):
        calls.append(StaleCall(position=miss.call, phase=miss.phase, why="new"))
        miss = None
    for position, call in enumerate(recorded[first - 1 :], start=first):
        what, excerpt = "", ""
        if miss and position == miss.call:
            what, excerpt = miss.path or miss.reason, miss.excerpt[:_EXCERPT_CHARS]
        elif position in changed_replies:
            what = changed_replies[position]
        elif _asks_otherwise(call, prompts):
            what = _SYSTEM
        asked, answered = tokens_of(call)
        calls.append(
            StaleCall(
                position=position,
                phase=call.phase,
                why="changed" if what else "follows",
                what=what,
                excerpt=excerpt,
                origin=origin if miss and position == miss.call else "",
                prompt_tokens=asked,
                completion_tokens=answered,
            )
        )
    return StaleCalls(calls=tuple(calls), model=model)


def recorded_calls(
    calls: Iterable[Call], *, states: Iterable[CallState], latencies_ms: Sequence[float | None] = ()
) -> tuple[RecordedCall, ...]:
    """Return what a run record says of the calls of a run."""
    made = []
    for at, (call, state) in enumerate(zip(calls, states, strict=False)):
        asked, answered = tokens_of(call)
        made.append(
            RecordedCall(
                phase=call.phase,
                state=state,
                prompt_tokens=asked,
                completion_tokens=answered,
                latency_ms=latencies_ms[at] if at < len(latencies_ms) else None,
            )
        )
    return tuple(made)


def last_text(calls: Sequence[Call]) -> str | None:
    """Return the last draft or revision that the model gave, trimmed; None where it gave none."""
    for call in reversed(calls):
        match call.response:
            case CallResponse(body=JsonBody(value={"choices": [{"message": {"content": str(content)}}, *_]})):
                try:
                    reply = parse_json(content)
                except ValueError:
                    continue
                for name in ("revised_answer", "draft"):
                    if isinstance(reply, dict) and isinstance(text := reply.get(name), str):
                        return text.strip()
    return None


def _asks_otherwise(call: Call, prompts: PromptSet) -> bool:
    match call.request.body:
        case JsonBody(value={"messages": [{"role": "system", "content": str(asked)}, *_]}):
            now = {prompt.text for prompt in prompts if prompt.phase == call.phase}
            return bool(now) and asked not in now
        case _:
            return False


_MADE_ANEW: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<![0-9A-Za-z])[0-9a-f]{16,128}(?![0-9A-Za-z])"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*")
_MAX_CHARS: Final = 500


def volatile_hint(mismatch: Mismatch) -> str:
    """Return a line that says which setting passes over what differs; empty where it is no id or time.

    Args:
        mismatch: how a request differs from its recording.
    """
    if not mismatch.changes or not all(map(_is_made_anew, mismatch.changes)):
        return ""
    places = dict.fromkeys(re.sub(r"\[\d+\]", "[*]", f"$.{change.path}") for change in mismatch.changes)
    return f"if every run has another value there: redpen_volatile = {', '.join(places)}"


def _is_made_anew(change: Change) -> bool:
    before, after = change.before, change.after
    if not (isinstance(before, str) and isinstance(after, str) and _PLACE.fullmatch(change.path)):
        return False
    # In a text that a model reads, the setting would pass over all the rest of it too.
    if max(len(before), len(after)) > _MAX_CHARS or re.search(r"\s", before + after):
        return False
    return bool(_MADE_ANEW.search(after)) and _MADE_ANEW.sub("", before) == _MADE_ANEW.sub("", after)
