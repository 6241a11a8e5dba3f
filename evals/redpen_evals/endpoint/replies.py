"""One scripted reply of the ``replies:`` list of a scenario.

A reply has one of nine forms, selected by its key: ``json``, ``content``, ``refusal``, ``tool_calls``,
``choices``, ``status``, ``body``, ``body_base64`` or ``fault``. Tool calls can be combined with a text or a
refusal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

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


def _validate_by_key(value: object, _handler: ValidatorFunctionWrapHandler) -> ReplyBase:
    """Validate a reply as the form of its key, so that errors only mention that form."""
    if isinstance(value, ReplyBase):
        return value
    if not isinstance(value, Mapping):
        raise PydanticCustomError("reply_form", f"a reply must be a mapping with one of {_listed(_FORMS)}")
    key = _form_key(value)
    allowed = _keys_of(_FORMS[key])
    unknown = [name for name in value if name not in allowed]
    if unknown:
        details = [
            InitErrorDetails(type=_key_error(name, key), loc=(str(name),), input=value[name])
            for name in unknown
        ]
        raise ValidationError.from_exception_data("reply", details)
    return _FORMS[key].model_validate(value)


def _form_key(value: Mapping[object, object]) -> str:
    given = [key for key in _FORMS if key in value]
    if "status" in given:
        given = [key for key in given if key not in {"body", "body_base64"}]
    # With another form `tool_calls` is one of its keys, or reported as unsupported there.
    if len(given) > 1:
        given = [key for key in given if key != "tool_calls"]
    if len(given) == 1:
        return given[0]
    if given:
        raise PydanticCustomError("reply_form", f"{_listed(given)} cannot be combined: give only one")
    all_keys = {key for model in _FORMS.values() for key in _keys_of(model)}
    hints = [suggestion(key, _FORMS) for key in value if key not in all_keys]
    raise PydanticCustomError(
        "reply_form", f"a reply needs one of {_listed(_FORMS)}{next(filter(None, hints), '')}"
    )


def _key_error(name: object, form: str) -> PydanticCustomError:
    supporting = [key for key, model in _FORMS.items() if name in _keys_of(model) and key != name]
    if supporting:
        message = f"`{name}` cannot be combined with `{form}`, only with {_listed(supporting)}"
    else:
        message = f"unknown key `{name}`{suggestion(name, _keys_of(_FORMS[form]))}"
    return PydanticCustomError("reply_key", message)


def _keys_of(model: type[ReplyBase]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


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
    WrapValidator(_validate_by_key),
]
"""One scripted reply; model fields of this type are validated from plain mappings."""


def parse_replies(values: object) -> tuple[ScriptedReply, ...]:
    """Parse scripted replies; raises ValidationError with index, key and problem of every invalid one."""
    return TypeAdapter(tuple[ScriptedReply, ...]).validate_python(values)
