"""Application of policy packs to the verdicts on rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from redpen.gateway.text_policy import floor_findings, with_policy
from redpen.guards import RevisionRules
from redpen.policy.packs import PolicyPack, PolicyPacks
from redpen_evals.policy_packs.in_force import situation_of

_OWN_RULES: Final = frozenset({"restricted_phrase", "missing_disclaimer"})
"""Codes of findings whose family is a code of the pack."""
_LIMIT: Final = "limits.max_answer_chars"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPolicy:
    """The policy packs for the rows: the named one, else that for tenant and role of each context."""

    packs: PolicyPacks
    name: str | None = None

    @property
    def all(self) -> tuple[PolicyPack, ...]:
        """The packs that may be in force; raises ConfigurationError if the named one does not exist."""
        names = self.packs.names if self.name is None else (self.name,)
        return tuple(self.packs.named(name) for name in names)

    @property
    def hash(self) -> str:
        """Digest of the packs."""
        if self.name is not None:
            return self.packs.named(self.name).hash
        hashes = " ".join([self.packs.hash, *(f"{pack.name}={pack.hash}" for pack in self.all)])
        return hashlib.sha256(hashes.encode()).hexdigest()[:12]

    @property
    def loosened(self) -> tuple[str, ...]:
        """Codes and fields that these packs loosen on purpose."""
        return tuple(dict.fromkeys(code for pack in self.all for code in pack.loosened))

    def pack(self, context: Mapping[str, Any]) -> PolicyPack:
        """Return the pack that applies to a context."""
        if self.name is not None:
            return self.packs.named(self.name)
        return self.packs.matching(situation_of(context))


def rules_under(pack: PolicyPack, rules: RevisionRules, context: Mapping[str, Any]) -> RevisionRules:
    """Return rules with the text rules of a pack for a context."""
    policy = pack.self_critique
    # The default limit of agents does not apply to other texts, only a limit that the pack sets.
    limit = policy.max_answer_chars if _LIMIT in pack.places else rules.max_chars
    return with_policy(replace(rules, max_chars=min(limit, rules.max_chars)), policy, context)


def with_floor(
    pack: PolicyPack, verdict: Mapping[str, Any], *, revised: str, context: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the verdict of guards without policy support, with the violations of a pack added."""
    if "error" in verdict:
        return verdict
    violations = floor_findings(revised, pack.self_critique, context).to_dict()["violations"]
    limit = pack.self_critique.max_answer_chars
    if _LIMIT in pack.places and (length := len(revised.strip())) > limit:
        reading = f"{length} characters, at most {limit}"
        too_long = {"code": "too_long", "family": "text", "span": (0, len(revised)), "reading": reading}
        violations = [*(finding for finding in violations if finding["code"] != "too_long"), too_long]
    return {**verdict, "violations": [*verdict["violations"], *violations]}


def under_pack(pack: PolicyPack, verdict: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a verdict with the rules of a pack; concerns that it does not accept become violations.

    Args:
        verdict: the verdict of the guards, under ``rules_under`` or ``with_floor``.

    Returns:
        The verdict with ``pack``; a finding of a rule of the pack has ``rule``, and a concern that needs a
        person is a violation with ``measure``: ``escalate`` or ``block``.
    """
    if "error" in verdict:
        return {**verdict, "pack": pack.name}
    violations = [_with_rule(pack, finding) for finding in verdict["violations"]]
    concerns = []
    for finding in verdict["concerns"]:
        measure = pack.self_critique.concerns.of(finding["code"])
        if measure == "record":
            concerns.append(finding)
        else:
            term = f"concerns.{finding['code']}"
            rule = term if term in pack.places else "concerns"
            violations.append({**finding, "rule": rule, "measure": measure})
    return {"ok": not violations, "violations": violations, "concerns": concerns, "pack": pack.name}


def _with_rule(pack: PolicyPack, finding: Mapping[str, Any]) -> dict[str, Any]:
    code = finding["code"]
    if code in _OWN_RULES:
        return {**finding, "rule": finding["family"]}
    if code == "too_long" and _LIMIT in pack.places:
        return {**finding, "rule": _LIMIT}
    return dict(finding)
