"""Converts the text rules of a policy into rules for the guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from redpen.guards import Report, RequiredPhrases, RevisionRules
from redpen.guards.changed_lines import ChangedLines, Instruction
from redpen.guards.required_phrases import RequiredText
from redpen.guards.restricted import Restricted
from redpen.guards.revision import check_floor
from redpen.policy import TextPolicy
from redpen.text.quotes import outside_quotes

# Keys of a context under which the paths of a disclaimer are also looked up.
_NESTED_UNDER = ("incident",)


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
        if item.when.matches(context, within=_NESTED_UNDER)
    )
    return replace(with_phrases(rules, policy), disclaimers=disclaimers)


def floor_findings(text: str, policy: TextPolicy, context: Mapping[str, Any]) -> Report:
    """Return the policy violations of a text to be published, whether a model or a reviewer wrote it.

    Args:
        text: the finished text.
        policy: restricted phrases and disclaimers.
        context: the incident context; its approved actions may permit a phrase.
    """
    return check_floor(text, context=context, rules=with_policy(RevisionRules(), policy, context))


def changed_lines(
    policy: TextPolicy,
    changes: Sequence[str],
    required_phrases: Callable[[tuple[str, ...]], RequiredPhrases],
) -> ChangedLines | None:
    """Return the limits on changed lines for a revision; None unless the policy's patch mode is ``lines``.

    Args:
        policy: how a revision may differ from its draft.
        changes: the changes that the judgement requests.
        required_phrases: returns the phrases that the given changes enforce.
    """
    if policy.patch.mode == "text":
        return None
    enforced = ((change, required_phrases((change,))) for change in changes)
    instructions = tuple(
        Instruction(include=phrases.include, remove=phrases.remove, words=outside_quotes(change))
        for change, phrases in enforced
    )
    return ChangedLines(instructions=instructions, most=policy.patch.max_changed_lines)
