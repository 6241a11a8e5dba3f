"""What the models of a policy have in common: closed, frozen, and the form of a code."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Code: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=80, pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")
]
"""A stable name of a decision: small words that dots join, such as ``legal.compensation``."""

Measure = Literal["record", "escalate", "block"]
"""What is done about a finding, from the loosest to the strictest."""

MEASURES: tuple[Measure, ...] = ("record", "escalate", "block")


class PolicyModel(BaseModel):
    """Base of every model of a policy: it cannot be changed, and knows no other fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
