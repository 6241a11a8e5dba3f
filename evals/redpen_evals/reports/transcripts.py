"""The conversation of a run: messages, answers and tool calls, from the recording that it replayed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen.errors import RedpenError
from redpen_evals.cassettes.file import Call, CallFailure
from redpen_evals.cassettes.store import AGENTS_OWN_MODEL, CassetteLocation, load
from redpen_evals.evaluation.subject import with_fewer_knobs
from redpen_evals.model_calls.reading import read_call
from redpen_evals.records import Record, RecordedCall, RecordedPrompt, ScenarioResult
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.strict_json import parse_container
from redpen_evals.text_diff import common_prefix
from redpen_evals.variants import split_model

_MAX_CALLS: Final = 60
_MAX_KNOBS: Final = 6
_INSTRUCTING: Final = frozenset({"system", "developer", "instructions"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message.

    Attributes:
        text: of the message; other values as JSON.
        folded: whether only its head is shown at first, since it is long or the same in every run.
        prompt: name of the record's prompt that it equals, whose text is left out; empty for others.
    """

    role: str
    text: str
    folded: bool = False
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One call of a model, or another request.

    Attributes:
        title: method and address of a request to something other than a model; else empty.
        repeated: number of its first messages that an earlier call has shown.
        asked: the other messages.
        tools: name and arguments of the tools that the model calls.
        failure: how the call failed, if it did.
    """

    number: int
    phase: str
    title: str
    repeated: int
    asked: tuple[Message, ...]
    answer: Message | None
    tools: tuple[tuple[str, str], ...]
    failure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The calls of a run in order.

    `facts` is the context that the guards judged by, as JSON; `note` says why there is no conversation.
    """

    exchanges: tuple[Exchange, ...] = ()
    facts: str = ""
    note: str = ""


class Transcripts:
    """Finds the conversations of the results of a run in the folders of recordings and scenarios."""

    def __init__(self, layout: Layout, record: Record) -> None:
        self._layout = layout
        self._model = record.start.model
        self._prompts = {prompt.text: prompt for prompt in record.prompts.values()}

    def of(self, result: ScenarioResult) -> Transcript:
        """Return the conversation of a result, unless its recording has been replaced since."""
        made = [call for call in result.calls if call.state != "missed"]
        facts = self._facts(result)
        if not made:
            return Transcript(facts=facts)
        for calls in self._recordings(result):
            if len(calls) >= len(made) and all(map(_is_recording_of, calls, made)):
                exchanges = tuple(_exchanges(calls[: min(len(made), _MAX_CALLS)], self._prompts))
                return Transcript(exchanges=exchanges, facts=facts)
        return Transcript(facts=facts, note="The recording of this run was deleted or replaced.")

    def _recordings(self, result: ScenarioResult) -> Iterator[tuple[Call, ...]]:
        named, label = split_model(",".join(result.variant.split(",")[:_MAX_KNOBS]))
        for model in filter(None, (named, self._model, AGENTS_OWN_MODEL)):
            with contextlib.suppress(RedpenError):
                location = CassetteLocation(
                    root=self._layout.cassettes,
                    model=model,
                    scenario=result.scenario,
                    variant=label,
                    sample=result.sample,
                )
                for nearest in (location, *with_fewer_knobs(location)):
                    with contextlib.suppress(RedpenError):
                        yield load(nearest).calls

    def _facts(self, result: ScenarioResult) -> str:
        from redpen_evals.scenario_library.loading import load_case

        try:
            subject = load_case(self._layout, result.scenario).subject
        except (RedpenError, OSError):
            return ""
        return "" if subject is None else _json(subject)


def _is_recording_of(call: Call, made: RecordedCall) -> bool:
    read = read_call(call)
    recording = (call.phase, read.prompt_tokens, read.completion_tokens)
    return recording == (made.phase, made.prompt_tokens, made.completion_tokens)


def _exchanges(calls: Sequence[Call], prompts: Mapping[str, RecordedPrompt]) -> Iterator[Exchange]:
    before: list[Message] = []
    for number, call in enumerate(calls, start=1):
        read = read_call(call)
        messages = [_replace_prompt(message, prompts) for message in _messages(read.request)]
        # Each request repeats the conversation from its beginning.
        repeated = common_prefix(messages, before)
        text = _message("answer", read.text) if read.text else None
        failure = ""
        if isinstance(call.response, CallFailure):
            failure = f"{call.response.failure}: {call.response.message}"
        elif read.dialect is None or (text is None and not read.tool_calls):
            text = _message(f"answer {call.response.status}", _json(read.response))
        yield Exchange(
            number=number,
            phase=call.phase,
            title="" if read.dialect else f"{read.method} {read.url}",
            repeated=repeated,
            asked=tuple(messages[repeated:]),
            answer=text,
            tools=tuple((tool.name, _json(tool.args)) for tool in read.tool_calls),
            failure=failure,
        )
        before = messages


def _replace_prompt(message: Message, prompts: Mapping[str, RecordedPrompt]) -> Message:
    prompt = prompts.get(message.text) if message.folded else None
    if prompt is None:
        return message
    return Message(role=message.role, text="", prompt=f"{prompt.name} {prompt.version}".strip())


def _messages(request: object) -> Iterator[Message]:
    if not isinstance(request, dict):
        yield _message("request", _json(request))
        return
    is_empty = True
    for name in ("system", "instructions", "messages", "input"):
        value = request.get(name)
        if value is None:
            continue
        is_empty = False
        if not isinstance(value, list) or name == "system":
            yield _message("system" if name == "instructions" else name, _content(value))
            continue
        for item in value:
            yield from _message_parts(item)
    if is_empty:
        yield _message("request", _json(request))


def _message_parts(item: object) -> Iterator[Message]:
    if not isinstance(item, dict):
        yield _message("message", _json(item))
        return
    role = str(item.get("role") or item.get("type") or "message")
    content = item.get("content", item.get("output"))
    if content is not None:
        yield _message(role, _content(content))
    for tool in item.get("tool_calls") or ():
        yield _message(f"{role} asks for a tool", _json(tool))
    if content is None and not item.get("tool_calls"):
        yield _message(role, _json(item))


def _content(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(_content(part) for part in value)
    if isinstance(value, dict):
        text = value.get("text")
        return text if isinstance(text, str) else _json(value)
    return value if isinstance(value, str) else _json(value)


def _message(role: str, text: str) -> Message:
    if role not in _INSTRUCTING and (value := parse_container(text)) is not None:
        text = _json(value)
    return Message(role=role, text=text, folded=role in _INSTRUCTING)


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)
