"""One scripted reply of the ``replies:`` list of a scenario.

A reply has one of nine forms, told apart by the key that is given: ``json``, ``content``, ``refusal``,
``tool_calls``, ``choices``, ``status``, ``body``, ``body_base64`` or ``fault``. Tool calls also go with a
text or a refusal.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import TypeAdapter, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import InitErrorDetails, PydanticCustomError

from redpen.text.suggestion import suggestion
from redpen_evals.endpoint.forms import (
    BodyReply,
    BytesReply,
    ChoicesReply,
    ContentReply,
    FaultReply,
    JsonReply,
    RefusalReply,
    ReplyBase,
    StatusReply,
    ToolCallsReply,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


_FORMS: Final[Mapping[str, type[ReplyBase]]] = {
    "json": JsonReply,
    "content": ContentReply,
    "refusal": RefusalReply,
    "tool_calls": ToolCallsReply,
    "choices": ChoicesReply,
    "status": StatusReply,
    "body": BodyReply,
    "body_base64": BytesReply,
    "fault": FaultReply,
}


def _by_its_key(value: object, _handler: ValidatorFunctionWrapHandler) -> ReplyBase:
    """Validate a reply as the form whose key it has, so that errors speak of that form alone."""
    if isinstance(value, ReplyBase):
        return value
    if not isinstance(value, Mapping):
        raise PydanticCustomError("reply_form", f"a reply is a mapping with one of {_listed(_FORMS)}")
    key = _form_key(value)
    known = _keys_of(_FORMS[key])
    unfit = [given for given in value if given not in known]
    if unfit:
        raise ValidationError.from_exception_data(
            "reply",
            [
                InitErrorDetails(type=_unfit(given, key), loc=(str(given),), input=value[given])
                for given in unfit
            ],
        )
    return _FORMS[key].model_validate(value)


def _form_key(value: Mapping[object, object]) -> str:
    given = [key for key in _FORMS if key in value]
    if "status" in given:
        given = [key for key in given if key not in {"body", "body_base64"}]
    # Beside another form they are a part of it, or what does not go with it.
    if len(given) > 1:
        given = [key for key in given if key != "tool_calls"]
    if len(given) == 1:
        return given[0]
    if given:
        raise PydanticCustomError("reply_form", f"{_listed(given)} exclude one another: give only one")
    hints = [suggestion(key, _FORMS) for key in value if key not in _all_keys()]
    raise PydanticCustomError(
        "reply_form", f"a reply needs one of {_listed(_FORMS)}{next(filter(None, hints), '')}"
    )


def _unfit(given: object, form: str) -> PydanticCustomError:
    homes = [key for key, model in _FORMS.items() if given in _keys_of(model) and key != given]
    if homes:
        message = f"`{given}` does not go with `{form}`; it goes with {_listed(homes)}"
    else:
        message = f"unknown key `{given}`{suggestion(given, _keys_of(_FORMS[form]))}"
    return PydanticCustomError("reply_key", message)


def _keys_of(model: type[ReplyBase]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _all_keys() -> list[str]:
    return [key for model in _FORMS.values() for key in _keys_of(model)]


def _listed(keys: Mapping[str, object] | Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


ScriptedReply = Annotated[
    JsonReply
    | ContentReply
    | RefusalReply
    | ToolCallsReply
    | ChoicesReply
    | StatusReply
    | BodyReply
    | BytesReply
    | FaultReply,
    WrapValidator(_by_its_key),
]
"""One scripted reply; a model that has a field of this type reads it from plain mappings."""


def parse_replies(values: object) -> tuple[ScriptedReply, ...]:
    """Return scripted replies from plain values.

    Args:
        values: a list of mappings, as the ``replies:`` list of a scenario holds them.

    Raises:
        ValidationError: naming index, key and problem of every reply that is not understood.
    """
    return TypeAdapter(tuple[ScriptedReply, ...]).validate_python(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One served reply.

    Attributes:
        call: number of the call that it answers, from 1.
        reply: the reply.
    """

    call: int
    reply: ScriptedReply


class Script:
    """Replies that are served strictly in order, each as often as it says. Thread-safe."""

    def __init__(self, replies: Sequence[ScriptedReply], *, loop: bool = False, skip: int = 0) -> None:
        """Start at the first reply.

        Args:
            replies: in the order of the calls; may be empty.
            loop: start again when all are served.
            skip: how many calls count as answered already.
        """
        self._replies = tuple(reply for reply in replies for _ in range(reply.times))
        self._loop = loop
        self._served = min(skip, len(self._replies))
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many calls the script answers in one round."""
        return len(self._replies)

    @property
    def remaining(self) -> int:
        """How many calls are left, in a looping script in this round."""
        with self._lock:
            if self._loop and self._replies:
                return len(self._replies) - self._served % len(self._replies)
            return len(self._replies) - self._served

    def take(self) -> Turn | None:
        """Return the next turn, or None when the script is used up."""
        with self._lock:
            position = self._served
            if self._loop and self._replies:
                position %= len(self._replies)
            if position >= len(self._replies):
                return None
            self._served += 1
            return Turn(call=self._served, reply=self._replies[position])
