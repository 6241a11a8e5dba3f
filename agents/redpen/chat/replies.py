"""Parses completions, and validates the replies of each phase."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictStr, ValidationError

from redpen.chat.failures import model_stop
from redpen.text.json_values import parse_json
from redpen.types import JsonObject

_LONG_KEY_CHARS = 16

Phase = Literal["draft", "shorten", "critique", "review", "revise", "check", "judge", "plan"]


class _Reply(BaseModel):
    # Unknown keys in a model's answer are ignored.
    model_config = ConfigDict(frozen=True, extra="ignore")


class DraftReply(_Reply):
    """Answer in the draft and shorten phases."""

    draft: StrictStr

    @property
    def text(self) -> str:
        """The draft, trimmed."""
        return self.draft.strip()


class RevisedReply(_Reply):
    """Answer in the revise phase."""

    revised_answer: StrictStr

    @property
    def text(self) -> str:
        """The revised text, trimmed."""
        return self.revised_answer.strip()


def read_text(kind: type[DraftReply] | type[RevisedReply], reply: Mapping[str, Any]) -> str:
    """Return the text of a reply, trimmed.

    Raises:
        Stop: ``llm_invalid_schema`` if it is missing or not a string, ``llm_empty`` if it is blank.
    """
    try:
        text = kind.model_validate(reply).text
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(str(part) for part in problem["loc"])
        raise model_stop("llm_invalid_schema", "InvalidSchema", f"{field}: {problem['msg']}") from error
    if not text:
        field = next(iter(kind.model_fields))
        raise model_stop("llm_empty", "EmptyReply", f"{field} is blank")
    return text


def read_completion(completion: object, *, secret: str = "") -> JsonObject:
    """Return the JSON object that a chat completion contains.

    Args:
        completion: the parsed response body, any JSON value.
        secret: the API key in use; it is redacted from error messages, and an answer that contains it is
            rejected, because it might be published.

    Returns:
        The object in the content of the first choice; ``{}`` if the content is null or empty.

    Raises:
        Stop: ``llm_no_choices``, ``llm_content_filtered``, ``llm_refused``, ``llm_truncated``,
            ``llm_invalid_json``, or ``llm_server_error`` if the answer contains the key.
    """
    choice = _first_choice(completion, secret)
    message = choice.get("message")
    refusal = message.get("refusal") if isinstance(message, dict) else None
    if choice.get("finish_reason") == "content_filter":
        raise model_stop("llm_content_filtered", "ContentFilter", "the content filter withheld the answer")
    if isinstance(refusal, str) and refusal:
        raise model_stop("llm_refused", "Refusal", refusal, secret=secret)
    if choice.get("finish_reason") == "length":
        raise model_stop("llm_truncated", "Truncated", "the answer was cut off at the token limit")
    if not isinstance(message, dict):
        raise model_stop("llm_no_choices", "NoChoices", "the first choice has no message")
    content = message.get("content")
    if content is None or content == "":
        return {}
    if not isinstance(content, str):
        raise model_stop("llm_invalid_json", "InvalidJson", f"content is of type {type(content).__name__}")
    answer = _object(content)
    if _contains_key(answer, secret):
        raise model_stop("llm_server_error", "KeyEchoed", "the answer contains the API key")
    return answer


def _first_choice(completion: object, secret: str) -> Mapping[str, Any]:
    match completion:
        case {"choices": [dict(choice), *_]}:
            return choice
        case {"error": dict(error)}:
            reported = str(error.get("message", "no choices"))
            raise model_stop("llm_no_choices", "NoChoices", reported, secret=secret)
        case _:
            raise model_stop("llm_no_choices", "NoChoices", "the response has no choices")


def _object(content: str) -> JsonObject:
    try:
        value = parse_json(content)
    except ValueError as error:
        raise model_stop("llm_invalid_json", "InvalidJson", str(error)) from error
    if not isinstance(value, dict):
        raise model_stop(
            "llm_invalid_json", "InvalidJson", f"the answer is a {type(value).__name__}, not an object"
        )
    return value


def _contains_key(answer: JsonObject, secret: str) -> bool:
    # A short key is a placeholder for a local server, and may be a word in the answer.
    return len(secret) >= _LONG_KEY_CHARS and json.dumps(secret)[1:-1] in json.dumps(answer)
