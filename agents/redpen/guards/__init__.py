"""Guards: deterministic judges of one text or one action."""

from redpen.guards.report import AllowedFact, Finding, Report
from redpen.guards.required_phrases import RequiredPhrases
from redpen.guards.revision import RevisionRules, check_revision

__all__ = ["AllowedFact", "Finding", "Report", "RequiredPhrases", "RevisionRules", "check_revision"]
