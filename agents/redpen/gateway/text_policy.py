"""Translates the text rules of a policy into rules of the guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from redpen.guards import Report, RequiredPhrases, RevisionRules
from redpen.guards.changed_lines import ChangedLines, Instruction
from redpen.guards.disclaimers import RequiredText
from redpen.guards.restricted import Restricted
from redpen.guards.revision import check_floor
from redpen.policy import TextPolicy
from redpen.text.quotes import outside_quotes

WITHIN = ("incident",)
"""Keys of a context under which the paths of a disclaimer are also looked up."""


def with_phrases(rules: RevisionRules, policy: TextPolicy) -> RevisionRules:
    """Return rules with the restricted and allowed phrases of a policy."""
    restricted = tuple(
        Restricted(
            code=item.code,
            phrases=item.phrases,
            unless_approved=item.unless == "approved",
            always=item.when == "always",
            use=item.use,
        )
        for item in policy.restricted_phrases
    )
    return replace(rules, restricted=restricted, allowed=policy.allowed_phrases)


def with_policy(rules: RevisionRules, policy: TextPolicy, context: Mapping[str, Any]) -> RevisionRules:
    """Return rules with the phrases of a policy and the disclaimers that a context requires."""
    disclaimers = tuple(
        RequiredText(code=item.code, words=item.must_include)
        for item in policy.disclaimers
        if item.when.hold(context, within=WITHIN)
    )
    return replace(with_phrases(rules, policy), disclaimers=disclaimers)


def floor_findings(text: str, policy: TextPolicy, context: Mapping[str, Any]) -> Report:
    """Return the policy violations of a text that is to be published, regardless of its author.

    Args:
        text: the finished text.
        policy: restricted phrases and disclaimers.
        context: the incident context; its approved actions may allow a phrase.
    """
    return check_floor(text, context=context, rules=with_policy(RevisionRules(), policy, context))


def changed_lines(
    policy: TextPolicy,
    changes: Sequence[str],
    required_phrases: Callable[[tuple[str, ...]], RequiredPhrases],
) -> ChangedLines | None:
    """Return which change permits edits to which line of a draft; None if the policy does not count lines.

    Args:
        policy: how a revision may differ from its draft.
        changes: the changes that the judgement requests.
        required_phrases: returns the phrases that some of these changes enforce.
    """
    if policy.patch.mode == "text":
        return None
    asked = ((change, required_phrases((change,))) for change in changes)
    instructions = tuple(
        Instruction(include=phrases.include, remove=phrases.remove, words=outside_quotes(change))
        for change, phrases in asked
    )
    return ChangedLines(instructions=instructions, most=policy.patch.max_changed_lines)
