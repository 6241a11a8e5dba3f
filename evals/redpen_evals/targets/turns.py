"""The turns of a conversation with an agent; a run without turns has a single one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from redpen_evals.model_calls.reading import read_calls, tool_calls_of
from redpen_evals.scenario_library.own_agent import UserTurn
from redpen_evals.targets.binding import MESSAGE, MESSAGES, Call
from redpen_evals.targets.run import Raised, Run, TurnRun
from redpen_evals.targets.values import UnpublishedError, published_texts, to_json

_BETWEEN_TEXTS = "\n\n"


class Conversation:
    """Provides the user's messages, and collects the agent's answers.

    Args:
        call: the run.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._turns: list[TurnRun] = []
        self._turn: UserTurn | None = None
        self._returned: Any = None
        self._calls_before = 0
        self._unpublished: list[str] = []

    def questions(self) -> Iterator[str | None]:
        """Yield the user's message of each turn until the agent fails; None without turns."""
        scenario = self._call.scenario
        for turn in scenario.turns or (None,):
            self._turn = turn
            self._calls_before = len(self._call.scope.cassette.made)
            yield None if turn is None else turn.user
            if isinstance(self._returned, Raised):
                return

    def messages(self, user: str) -> list[dict[str, str]]:
        """Return the conversation so far, and the user's next message, as role and content."""
        history = []
        for turn in self._turns:
            history.append({"role": "user", "content": turn.user or ""})
            history.append({"role": "assistant", "content": _as_text(turn)})
        return [*history, {"role": "user", "content": user}]

    def arguments(self, user: str | None) -> dict[str, Any]:
        """Return the input of a run, with the user's message, if any, and the conversation so far."""
        given = dict(self._call.arguments)
        return given if user is None else given | {MESSAGES: self.messages(user), MESSAGE: user}

    def answered(self, returned: Any) -> None:
        """Add the agent's answer, or its failure.

        Raises:
            UnshownResultError: the answer cannot be converted to JSON.
        """
        self._returned = returned
        has_failed = isinstance(returned, Raised)
        value = None if has_failed else to_json(returned)
        made = read_calls(self._call.scope.cassette.made[self._calls_before :])
        expectation: dict[str, Any] = {}
        if self._turn is not None:
            expectation = {"user": self._turn.user, "expect": self._turn.expect, "tools": self._turn.tools}
        turn = TurnRun(
            value=value,
            texts=() if has_failed else self._published(value),
            tool_calls=tuple((_whole(tool.name), _whole(tool.args)) for tool in tool_calls_of(made)),
            calls=sum(call.dialect is not None for call in made),
            **expectation,
        )
        self._turns.append(turn)

    def _published(self, value: Any) -> tuple[str, ...]:
        try:
            return published_texts(value, self._call.scenario.published_paths)
        except UnpublishedError as error:
            where = f"turn {len(self._turns) + 1}: " if self._turn is not None else ""
            self._unpublished.append(f"{where}{error}")
            return ()

    def run(self) -> Run:
        """Return the result of the run."""
        turns, last = tuple(self._turns), self._turns[-1]
        result: dict[str, Any]
        problem = "\n".join(self._unpublished) or None
        if isinstance(self._returned, Raised):
            result = {
                "status": "stopped",
                "stop_reason": self._returned.stop_reason,
                "phase": "agent",
                "error": self._returned.to_dict(),
            }
            problem = "\n".join([_problem(self._returned), *(f"  {line}" for line in self._returned.lines)])
        else:
            answer = _BETWEEN_TEXTS.join(last.texts) if last.texts else None
            result = {"status": "ok", "stop_reason": "success", "outcome": "answered", "answer": answer}
            result["value"] = last.value
        if last.user is not None:
            result["turns"] = [
                {"user": turn.user, "answer": _BETWEEN_TEXTS.join(turn.texts), "value": turn.value}
                for turn in turns
            ]
        result["tool_calls"] = [
            {"name": name, "args": args} for turn in turns for name, args in turn.tool_calls
        ]
        return Run(result=result, turns=turns, returned=self._returned, problem=problem)


def _as_text(turn: TurnRun) -> str:
    if turn.texts:
        return _BETWEEN_TEXTS.join(turn.texts)
    return turn.value if isinstance(turn.value, str) else json.dumps(turn.value, ensure_ascii=False)


def _whole(value: Any) -> Any:
    # Models sometimes write lone surrogates, which UTF-8 cannot encode.
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _problem(returned: Raised) -> str:
    kind, _, what = returned.stop_reason.partition(":")
    if kind == "raised":
        return f"raised: the agent raised {what}: {returned.message}".rstrip(": ")
    if kind == "exited":
        message = f": {returned.message}" if returned.message not in {"", what} else ""
        return f"exited: the agent ended the process with status {what}{message}"
    return f"{kind}: {returned.message}"
