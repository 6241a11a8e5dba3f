"""OpenAI's chat completions: ``POST …/chat/completions``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from redpen_evals.endpoint.answer import CREATED, Answer, Event, Tokens, split_text, tokens_of, values_of
from redpen_evals.endpoint.dialects.dialect import Dialect, check_messages
from redpen_evals.endpoint.forms import ChoicesReply, ErrorObject

_COUNTED: Final = ("content", "refusal", "tool_calls")
_END: Final = Event(data="[DONE]")


class ChatCompletions(Dialect):
    """The dialect of ``POST …/chat/completions``."""

    name = "chat completions"

    def find_problem(self, body: Mapping[str, Any]) -> ErrorObject | None:
        """Return the error in a request, or None."""
        return check_messages(body.get("messages"))

    def prompt(self, body: Mapping[str, Any]) -> list[object]:
        """Return the contents of a request's messages."""
        return values_of(body.get("messages"), _COUNTED)

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the completion object of an answer."""
        return Completion.of_answer(answer).whole()

    def events(self, answer: Answer, body: Mapping[str, Any]) -> Iterator[Event]:
        """Return the chunks of an answer."""
        return Completion.of_answer(answer).events(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A completion with the choices of a script."""

    call: int
    model: str
    choices: Sequence[object] | None
    tokens: Tokens

    @classmethod
    def of_answer(cls, answer: Answer) -> Self:
        """Return the completion of an answer, with one choice."""
        message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
        if answer.tool_uses:
            message["tool_calls"] = [use.in_chat() for use in answer.tool_uses]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": answer.finish_reason}
        return cls(call=answer.call, model=answer.model, choices=[choice], tokens=answer.tokens)

    @classmethod
    def of_choices(cls, reply: ChoicesReply, *, call: int, model: str, prompt: Sequence[object]) -> Self:
        """Return the completion of a reply with raw choices."""
        messages = [_message_of(choice) or choice for choice in reply.choices or ()]
        tokens = tokens_of(reply.usage, prompt=prompt, completion=values_of(messages, _COUNTED))
        return cls(call=call, model=model, choices=reply.choices, tokens=tokens)

    def whole(self) -> dict[str, Any]:
        """Return the JSON object of a completion that is not streamed."""
        return {**self._head("chat.completion"), "choices": self.choices, "usage": self._usage()}

    def events(self, body: Mapping[str, Any]) -> Iterator[Event]:
        """Return the chunks of a streamed completion, with the options of the request."""
        options = body.get("stream_options")
        head = self._head("chat.completion.chunk")
        asks_usage = isinstance(options, dict) and options.get("include_usage") is True
        no_usage = {"usage": None} if asks_usage else {}
        if self.choices is None:
            yield Event.of_json({**head, "choices": None, **no_usage})
        for choice in self.choices or ():
            for part in _parts(choice):
                yield Event.of_json({**head, "choices": [part], **no_usage})
        if asks_usage:
            yield Event.of_json({**head, "choices": [], "usage": self._usage()})
        yield _END

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-scripted-{self.call}",
            "object": kind,
            "created": CREATED,
            "model": self.model,
            "system_fingerprint": "scripted",
        }

    def _usage(self) -> dict[str, int]:
        return {
            "prompt_tokens": self.tokens.prompt,
            "completion_tokens": self.tokens.completion,
            "total_tokens": self.tokens.prompt + self.tokens.completion,
        }


def _message_of(choice: object) -> dict[str, Any] | None:
    message = choice.get("message") if isinstance(choice, dict) else None
    return message if isinstance(message, dict) else None


def _parts(choice: Any) -> Iterator[object]:
    """Return the chunks of one choice; a choice without a message is one chunk, unchanged."""
    message = _message_of(choice)
    if message is None:
        yield choice
        return
    rest = {key: value for key, value in choice.items() if key != "message"}
    for delta in _deltas(message):
        yield {**rest, "delta": delta, "logprobs": None, "finish_reason": None}
    yield {**rest, "delta": {}}


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the deltas from which a client assembles a message."""
    calls = message.get("tool_calls")
    split = [key for key in ("content", "refusal") if isinstance(message.get(key), str)]
    first = {key: value for key, value in message.items() if key not in {*split, "tool_calls"}}
    if "content" in split:
        first["content"] = ""
    yield first if isinstance(calls, list) or "tool_calls" not in message else {**first, "tool_calls": calls}
    for key in split:
        for piece in split_text(message[key]):
            yield {key: piece}
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        for part in _call_parts(call, index):
            yield {"tool_calls": [part]}


def _call_parts(call: object, index: int) -> Iterator[object]:
    function = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(arguments, str):
        yield {**call, "index": index} if isinstance(call, dict) else call
        return
    yield {**call, "index": index, "function": {**function, "arguments": ""}}
    for piece in split_text(arguments):
        yield {"index": index, "function": {"arguments": piece}}
