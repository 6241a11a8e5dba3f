"""What the guards say of the texts that an agent of somebody's own publishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redpen.guards import check_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """The guards' verdict on the texts of a run.

    Attributes:
        violations: findings that block, as JSON values.
        concerns: findings worth a person's look.
    """

    violations: tuple[Mapping[str, Any], ...]
    concerns: tuple[Mapping[str, Any], ...]

    @property
    def unread(self) -> tuple[Mapping[str, Any], ...]:
        """The sentences that the guards did not judge, since they are not in English."""
        return tuple(item for item in self.concerns if item["code"] == "unread_language")


def ground(texts: Sequence[str], *, original: str | None, context: Mapping[str, Any] | None) -> Grounding:
    """Judge published texts.

    Args:
        texts: what a customer reads.
        original: the draft that they revise; None where the context alone is what is known.
        context: facts; None for none.
    """
    violations: list[Mapping[str, Any]] = []
    concerns: list[Mapping[str, Any]] = []
    for text in texts:
        report = check_revision(original=original or "", revised=text, context=context or {}).to_dict()
        violations += report["violations"]
        # Without an original every statement is new: that is no news. What was not read is.
        concerns += (item for item in report["concerns"] if original or item["code"] == "unread_language")
    return Grounding(violations=tuple(violations), concerns=tuple(concerns))
