"""What the models of a policy have in common: closed, frozen, and the form of a code."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Code: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=80, pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")
]
"""A stable name of a decision: small words that dots join, such as ``legal.compensation``."""

Measure = Literal["record", "escalate", "block"]
"""What is done about a finding, from the loosest to the strictest."""

MEASURES: tuple[Measure, ...] = ("record", "escalate", "block")

EventsNeed = Literal["optional", "required"]
"""Whether a run goes on where its events cannot be kept."""

_DIGITS: Final = 12


class PolicyModel(BaseModel):
    """Base of every model of a policy: it cannot be changed, and knows no other fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(content: Any) -> str:
    """Return a short hash of plain values and sets, equal where they are."""
    written = json.dumps(content, sort_keys=True, default=_plain)
    return hashlib.sha256(written.encode()).hexdigest()[:_DIGITS]


def policy_digest(policy: PolicyModel) -> str:
    """Return the digest of a policy, equal where its limits are, however they were written down."""
    return digest(type(policy).model_validate(policy.model_dump(mode="json")).model_dump())


def _plain(value: Any) -> Any:
    # Sets have no order of their own, and must not lend it to the digest.
    return sorted(value) if isinstance(value, frozenset | set) else repr(value)
