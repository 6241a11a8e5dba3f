"""The turns of a conversation with an agent; a run without turns has a single one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from redpen_evals.model_calls.reading import read_calls, tool_calls_of
from redpen_evals.spellings import walk
from redpen_evals.targets.binding import MESSAGE, MESSAGES, Call
from redpen_evals.targets.run import Raised, Run, TurnRun
from redpen_evals.targets.values import UnpublishedError, published_texts, to_json

_BETWEEN_TEXTS = "\n\n"


def converse(call: Call, ask: Callable[[dict[str, Any]], Any]) -> Run:
    """Ask an agent, once or once per turn until it fails, and return the run.

    Args:
        ask: called with the arguments of a turn: the conversation so far, and the user's message; empty
            without turns. Returns the agent's answer, or a ``Raised``.

    Raises:
        UnshownResultError: an answer cannot be converted to JSON.
    """
    turns: list[TurnRun] = []
    returned: Any = None
    for turn in call.scenario.turns or (None,):
        before = len(call.scope.cassette.made)
        returned = ask({} if turn is None else {MESSAGES: _messages(turns, turn.user), MESSAGE: turn.user})
        value: Any = None
        texts: tuple[str, ...] = ()
        unpublished = ""
        if not isinstance(returned, Raised):
            value = to_json(returned)
            try:
                texts = published_texts(value, call.scenario.published_paths)
            except UnpublishedError as error:
                unpublished = f"turn {len(turns) + 1}: {error}" if turn is not None else str(error)
        made = read_calls(call.scope.cassette.made[before:])
        calls = [(_encodable(tool.name), walk(tool.args, _encodable)) for tool in tool_calls_of(made)]
        asked = sum(made_call.dialect is not None for made_call in made)
        done = TurnRun(
            value=value, texts=texts, tool_calls=tuple(calls), calls=asked, unpublished=unpublished
        )
        if turn is not None:
            done = replace(done, user=turn.user, expect=turn.expect, tools=turn.tools)
        turns.append(done)
        if isinstance(returned, Raised):
            break
    problem = _problem(returned) if isinstance(returned, Raised) else _unpublished(turns)
    return Run(
        result=_result(turns, returned), turns=tuple(turns), returned=returned, problem=problem or None
    )


def _unpublished(turns: Sequence[TurnRun]) -> str:
    return "\n".join(turn.unpublished for turn in turns if turn.unpublished)


def _messages(turns: Sequence[TurnRun], user: str) -> list[dict[str, str]]:
    """Return the conversation so far, and the user's next message, as role and content."""
    history = []
    for turn in turns:
        history.append({"role": "user", "content": turn.user or ""})
        history.append({"role": "assistant", "content": _as_text(turn)})
    return [*history, {"role": "user", "content": user}]


def _result(turns: Sequence[TurnRun], returned: Any) -> dict[str, Any]:
    last = turns[-1]
    result: dict[str, Any]
    if isinstance(returned, Raised):
        result = {"status": "stopped", "stop_reason": returned.stop_reason, "phase": "agent"}
        result["error"] = returned.to_dict()
    else:
        answer = _BETWEEN_TEXTS.join(last.texts) if last.texts else None
        result = {"status": "ok", "stop_reason": "success", "outcome": "answered", "answer": answer}
        result["value"] = last.value
    if last.user is not None:
        result["turns"] = [
            {"user": turn.user, "answer": _BETWEEN_TEXTS.join(turn.texts), "value": turn.value}
            for turn in turns
        ]
    result["tool_calls"] = [{"name": name, "args": args} for turn in turns for name, args in turn.tool_calls]
    return result


def _as_text(turn: TurnRun) -> str:
    if turn.texts:
        return _BETWEEN_TEXTS.join(turn.texts)
    return turn.value if isinstance(turn.value, str) else json.dumps(turn.value, ensure_ascii=False)


def _encodable(text: str) -> str:
    # Models sometimes write lone surrogates, which UTF-8 cannot encode.
    return text.encode("utf-8", "replace").decode()


def _problem(returned: Raised) -> str:
    kind, _, what = returned.stop_reason.partition(":")
    problem = f"{kind}: {returned.message}"
    if kind == "raised":
        problem = f"raised: the agent raised {what}: {returned.message}".rstrip(": ")
    elif kind == "exited":
        message = f": {returned.message}" if returned.message not in {"", what} else ""
        problem = f"exited: the agent ended the process with status {what}{message}"
    return "\n".join([problem, *(f"  {line}" for line in returned.lines)])
