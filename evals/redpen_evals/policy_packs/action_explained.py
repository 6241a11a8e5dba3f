"""Why a pack decides as it does of one action: each with the file and line that says so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from redpen.agents.consulting import Gate
from redpen.gateway.action_policy import Ruling
from redpen.gateway.gate import AskGate, decide
from redpen.gateway.plan import read_action
from redpen.gateway.situation import Situation
from redpen.policy.codes import PACK_CODES, TABLE_CODES
from redpen.policy.packs import PolicyPack
from redpen.screen import shown
from redpen_evals.policy_packs.telling import decided_by, indented
from redpen_evals.tables import table_lines

_TERMS: Mapping[str, str] = {
    "policy.tool_not_allowed": "tools.allow",
    "execution.tool_denied": "tools.execute",
    "policy.risk": "risk.deny_at",
    "policy.gate": "gate",
    "policy.gate_error": "gate",
}
"""Fields of a pack that decide under a code which is none of its own."""
_GATE_CODES = frozenset(row.code for row in (*TABLE_CODES, *PACK_CODES))


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionExplained:
    """What a pack makes of one action.

    Attributes:
        pack: that decides.
        ruling: what the gate says.
    """

    pack: PolicyPack
    ruling: Ruling

    @property
    def passes(self) -> bool:
        """Whether the action runs, as it is or rewritten, without a person."""
        return self.ruling.decision in {"allow", "rewrite"}

    @property
    def place(self) -> str:
        """``file:line`` of what decides."""
        code = self.ruling.code
        if code == "policy.risk" and self.ruling.decision == "escalate":
            return self.pack.place_of("risk.escalate_at")
        term = _TERMS.get(code, code)
        if term not in self.pack.places and self.pack.gate is not None and code not in _GATE_CODES:
            # A gate of the team's own calls its decisions as it likes.
            term = "gate"
        return self.pack.place_of(term)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        ruling, risk = self.ruling, self.ruling.risk
        return {
            "pack": self.pack.name,
            "hash": self.pack.hash,
            "loosens": list(self.pack.loosened),
            "decision": ruling.decision,
            "code": ruling.code,
            "reason": ruling.reason,
            "decided_by": self.place,
            "rules": [{"code": code, "place": self.pack.place_of(code)} for code in ruling.rules],
            "risk": None if risk is None else risk.to_dict(),
            "action": None if ruling.action is None else ruling.action.to_dict(),
        }

    def lines(self) -> Iterator[str]:
        """Yield it for people."""
        ruling = self.ruling
        yield f"{ruling.decision}: {ruling.code} ({shown(ruling.reason)})"
        yield decided_by(self.pack, self.place)
        if ruling.rules:
            yield "  rules that apply"
            known = {rule.code: rule for rule in self.pack.guarded.rules}
            rows = [
                (code, known[code].then, self.pack.place_of(code), known[code].reason)
                for code in ruling.rules
            ]
            yield from indented(table_lines(("code", "then", "from", "reason"), rows))
        if (risk := ruling.risk) is not None:
            yield f"  risk {risk.total}, {self._bounds()}"
            terms = [(code, str(points), self._place_of_points(code)) for code, points in risk.terms]
            if terms:
                yield from indented(table_lines(("term", "points", "from"), terms, right=frozenset({1})))
        if ruling.action is not None:
            asked = "a person is asked about" if ruling.decision == "escalate" else "runs"
            yield f"  {asked} {shown(json.dumps(ruling.action.to_dict(), ensure_ascii=False))}"

    def _bounds(self) -> str:
        risk = self.pack.guarded.risk
        bounds = {"escalates": risk.escalate_at, "denies": risk.deny_at}
        said = [f"{what} at {bound}" for what, bound in bounds.items() if bound is not None]
        return ", ".join(said) or "which decides nothing"

    def _place_of_points(self, code: str) -> str:
        return self.pack.place_of(f"risk.points.{code}")


def explain_action(
    pack: PolicyPack, action: object, situation: Situation, *, gate: Gate | None = None
) -> ActionExplained:
    """Return what a pack makes of an action.

    Args:
        pack: that decides.
        action: ``{"id", "tool", "args"}``, as a planner proposes it.
        situation: what the run knows and has done.
        gate: the pack's own.

    Raises:
        Stop: it is no action.
    """
    ask: AskGate | None = None if gate is None else _unfailing(gate)
    ruling = decide(read_action(action), pack.guarded, situation, gate=ask)
    return ActionExplained(pack=pack, ruling=ruling)


def _unfailing(gate: Gate) -> AskGate:
    def ask(action: Any, situation: Any) -> object:
        try:
            return gate(action, situation)
        except Exception:  # noqa: BLE001 - the gateway denies for a gate that fails, and so does this
            return None

    return ask
