"""An incident context as its file has it."""

from __future__ import annotations

import datetime
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import InitErrorDetails

from redpen.context import SEVERITIES, Incident, IncidentContext, Labels, PolicyHints, Standing
from redpen.text.suggestion import suggestion


def _iso_date(text: str) -> str:
    # Python reads other forms of a date too, the agents' texts do not.
    if datetime.date.fromisoformat(text).isoformat() != text:
        raise ValueError("a date is written YYYY-MM-DD")
    return text


_CONTEXT_KEYS = tuple(IncidentContext.model_fields)


class ContextFile(IncidentContext):
    """An incident context of the library; any further key, here or in the incident, is a fact too."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    report_date: Annotated[str, AfterValidator(_iso_date)] = Field(description="ISO date of the report.")
    region: str = Field(min_length=1, description="Where the incident is.")
    incident: Incident = Field(description="The facts; any key may be added.")
    policy_hints: PolicyHints = Field(default=PolicyHints(), description="What the text has to respect.")
    approved_actions: list[str] = Field(  # type: ignore[assignment]
        default_factory=list, description="What the team does, in prose."
    )
    severities: Labels = Field(
        default=SEVERITIES, description="The project's scale of severities, where it is not P0 to P5."
    )
    standing: Standing = Field(
        default=Standing(), description="Text of the project whose words are never findings."
    )

    @model_validator(mode="before")
    @classmethod
    def _is_not_misspelt(cls, value: object) -> object:
        # Any name may be that of a fact, but hardly one that is nearly that of a key left out.
        if isinstance(value, dict):
            left_out = [key for key in _CONTEXT_KEYS if key not in value]
            near = [key for key in value if key not in _CONTEXT_KEYS and suggestion(key, left_out)]
            if near:
                lines = [
                    InitErrorDetails(type="extra_forbidden", loc=(key,), input=value[key]) for key in near
                ]
                raise ValidationError.from_exception_data(cls.__name__, lines)
        return value


CONTEXT: TypeAdapter[ContextFile] = TypeAdapter(ContextFile)
