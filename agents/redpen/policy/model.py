"""Base class and shared types of the policy models, and their digest."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Code: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=80, pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")
]
"""A stable code of a decision: lower-case words separated by dots, such as ``legal.compensation``."""

Measure = Literal["record", "escalate", "block"]
"""A reaction to a finding, from the most permissive to the strictest."""

MEASURES: tuple[Measure, ...] = ("record", "escalate", "block")

EventsMode = Literal["optional", "required"]
"""Whether a run may continue if an event cannot be stored."""

_DIGITS: Final = 12


class PolicyModel(BaseModel):
    """Base class of the policy models: immutable, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(content: Any) -> str:
    """Return a short hash of JSON values and sets, 12 hex digits; equal values have equal hashes."""
    written = json.dumps(content, sort_keys=True, default=_plain)
    return hashlib.sha256(written.encode()).hexdigest()[:_DIGITS]


def policy_digest(policy: PolicyModel) -> str:
    """Return the digest of a policy, which depends on its values, not on how they were written."""
    return digest(type(policy).model_validate(policy.model_dump(mode="json")).model_dump())


def _plain(value: Any) -> Any:
    # The iteration order of a set must not change the digest.
    return sorted(value) if isinstance(value, frozenset | set) else repr(value)
