"""What the guards and the policy say of the texts that an agent of somebody's own publishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redpen.gateway.text_policy import floor_findings, with_phrases
from redpen.guards import RevisionRules, check_revision
from redpen.policy import TextPolicy

_DISCLAIMER = "missing_disclaimer"


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

    def held_to(self, policy: TextPolicy) -> tuple[Mapping[str, Any], ...]:
        """Return the findings that a policy lets nobody publish without a person."""
        enforced = self.violations if policy.draft_grounding == "enforce" else ()
        return (*enforced, *(item for item in self.concerns if policy.concerns.of(item["code"]) != "record"))


def ground(
    texts: Sequence[str], *, original: str | None, context: Mapping[str, Any] | None, policy: TextPolicy
) -> Grounding:
    """Judge published texts.

    Args:
        texts: what a customer reads.
        original: the draft that they revise; None where the context alone is what is known.
        context: facts; None for none.
        policy: what is never a claim.
    """
    violations: list[Mapping[str, Any]] = []
    concerns: list[Mapping[str, Any]] = []
    rules = RevisionRules(allowed=policy.allowed_phrases)
    for text in texts:
        report = check_revision(
            original=original or "", revised=text, context=context or {}, rules=rules
        ).to_dict()
        violations += report["violations"]
        # Without an original every statement is new: that is no news. What was not read is.
        concerns += (item for item in report["concerns"] if original or item["code"] == "unread_language")
    return Grounding(violations=tuple(violations), concerns=tuple(concerns))


def floor(
    texts: Sequence[str], *, context: Mapping[str, Any] | None, policy: TextPolicy
) -> tuple[Mapping[str, Any], ...]:
    """Return what a policy has against published texts, whatever else allows them.

    A disclaimer is missing where none of the texts of a run says it.
    """
    if not texts or not (policy.restricted_phrases or policy.disclaimers):
        return ()
    reports = [floor_findings(text, policy, context or {}).to_dict()["violations"] for text in texts]
    missing = [{item["family"] for item in found if item["code"] == _DISCLAIMER} for found in reports]
    nowhere = set.intersection(*missing)
    restricted = [item for found in reports for item in found if item["code"] != _DISCLAIMER]
    absent = [item for item in reports[-1] if item["code"] == _DISCLAIMER and item["family"] in nowhere]
    return (*restricted, *absent)


def answer_rules(policy: TextPolicy) -> RevisionRules:
    """Return the rules that an answer is held to in a test."""
    return with_phrases(RevisionRules(), policy)
