"""Policies: limits and allowlists of each agent, and the sections of a policy pack."""

from redpen.policy.conditions import Conditions
from redpen.policy.limits import (
    ALL_TOOLS,
    EXPORT,
    FETCH,
    HIGH_RISK_TYPES,
    SEND,
    TICKET,
    Decision,
    FindingType,
    GuardedPolicy,
    PolicyT,
    ReflectionPolicy,
    SelfCritiquePolicy,
    TextPolicy,
    load_policy,
)
from redpen.policy.rules import Risk, Rule
from redpen.policy.texts import (
    ConcernMeasures,
    Disclaimer,
    PatchPolicy,
    RestrictedPhrases,
    SeverityBudget,
)

__all__ = [
    "ALL_TOOLS",
    "EXPORT",
    "FETCH",
    "HIGH_RISK_TYPES",
    "SEND",
    "TICKET",
    "ConcernMeasures",
    "Conditions",
    "Decision",
    "Disclaimer",
    "FindingType",
    "GuardedPolicy",
    "PatchPolicy",
    "PolicyT",
    "ReflectionPolicy",
    "RestrictedPhrases",
    "Risk",
    "Rule",
    "SelfCritiquePolicy",
    "SeverityBudget",
    "TextPolicy",
    "load_policy",
]
