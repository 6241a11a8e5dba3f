"""Merges the limits and action rules of a pack with those of its parent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from redpen.policy.codes import PACK_CODES, RISK_CODES
from redpen.policy.limits import GuardedPolicy
from redpen.policy.pack_file import Limits
from redpen.policy.pack_terms import Terms, entries
from redpen.policy.packs import Place
from redpen.policy.rules import OUTCOMES, Risk, Rule
from redpen.text.suggestion import suggestion
from redpen.yaml_files.source import Location

_TIGHTER_WHEN_LARGER: Final = frozenset({"min_patch_similarity"})
"""Limits of which a larger value is stricter; of all others a smaller value is."""
_RESERVED_CODES: Final = RISK_CODES | {row.code for row in PACK_CODES}


def add_limits(terms: Terms) -> None:
    """Merge a pack's numeric limits; for each agent, the stricter value of pack and parent applies."""
    limits = terms.file.limits
    for name in Limits.model_fields:
        if (declared := getattr(limits, name)) is None:
            continue
        strictest = max if name in _TIGHTER_WHEN_LARGER else min
        affected = [
            (policy, changes)
            for policy, changes in zip(
                terms.parent.policies, (terms.critique, terms.review, terms.guarded), strict=True
            )
            if name in type(policy).model_fields
        ]
        inherited = [getattr(policy, name) for policy, _ in affected]
        looser = all(strictest(declared, value) != declared for value in inherited)
        term: str = f"limits.{name}"
        place: Location = ("limits", name)
        is_meant = terms.loosens(term, place, looser=looser, declared=declared, inherited=_listed(inherited))
        for policy, changes in affected:
            changes[name] = declared if is_meant else strictest(declared, getattr(policy, name))


def add_actions(terms: Terms) -> None:
    """Merge a pack's sections on actions: tools, templates, rules, risk, clock and gate."""
    file, inherited = terms.file, terms.parent.guarded
    for section, name, field_name in (
        ("tools", "allow", "allowed_tools"),
        ("tools", "execute", "executable_tools"),
        ("templates", "allowed", "allowed_templates"),
    ):
        given = getattr(getattr(file, section), name)
        if given is None:
            continue
        declared, allowed = frozenset(given), getattr(inherited, field_name)
        new = sorted(declared - allowed)
        is_meant = terms.loosens(
            f"{section}.{name}",
            (section, name, given.index(new[0])) if new else (section, name),
            looser=bool(new),
            declared=f"{new[0]!r}{suggestion(new[0], allowed)}" if new else "",
            inherited="the list",
        )
        terms.guarded[field_name] = declared if is_meant else declared & allowed
    _add_default_template(terms, inherited)
    _add_rules(terms, inherited)
    if file.risk is not None:
        _add_risk(terms, inherited, file.risk)
    if file.clock is not None:
        depends_on_clock = any(
            path.startswith("clock.") for rule in inherited.rules for path in rule.when.paths
        )
        looser = depends_on_clock and file.clock != inherited.clock
        zone, before = file.clock.zone, inherited.clock.zone
        if terms.applies("clock", ("clock",), looser=looser, declared=zone, inherited=before):
            terms.guarded["clock"] = file.clock
    if file.gate is not None:
        parent_gate = terms.parent.gate
        looser = parent_gate not in {None, file.gate}
        if terms.applies("gate", ("gate",), looser=looser, declared=file.gate, inherited=parent_gate):
            terms.gate = file.gate


def _add_default_template(terms: Terms, inherited: GuardedPolicy) -> None:
    allowed = terms.guarded.get("allowed_templates", inherited.allowed_templates)
    declared = terms.file.templates.default
    if declared is not None:
        terms.places["templates.default"] = Place(
            path=terms.source.path, line=terms.source.line_of(("templates", "default"))
        )
        terms.guarded["default_template"] = declared
    default = declared or inherited.default_template
    if default not in allowed:
        hint = suggestion(default, allowed)
        terms.problem(
            ("templates", "default"),
            f"{default!r} is not one of the allowed templates {', '.join(sorted(allowed))}{hint}",
        )


def _add_rules(terms: Terms, inherited: GuardedPolicy) -> None:
    first: dict[str, int] = {}
    for at, rule in enumerate(terms.file.rules):
        if rule.code in first:
            line = terms.source.line_of(("rules", first[rule.code]))
            terms.problem(("rules", at, "code"), f"{rule.code!r} is already defined in line {line}")
        first.setdefault(rule.code, at)
        if rule.code in _RESERVED_CODES:
            terms.problem(
                ("rules", at, "code"), f"{rule.code!r} is a built-in code of the gate: choose another one"
            )
    terms.guarded["rules"] = entries(terms, "rules", inherited.rules, terms.file.rules, _stricter_rule)


def _add_risk(terms: Terms, inherited: GuardedPolicy, risk: Risk) -> None:
    known_codes = RISK_CODES | {rule.code for rule in terms.guarded.get("rules", inherited.rules)}
    points = dict(inherited.risk.points)
    for code, declared in risk.points.items():
        place: Location = ("risk", "points", code)
        if code not in known_codes:
            terms.problem(place, f"there is no such code{suggestion(code, known_codes)}")
        before = points.get(code, 0)
        term = f"risk.points.{code}"
        if terms.applies(term, place, looser=declared < before, declared=declared, inherited=before):
            points[code] = declared
    changes: dict[str, Any] = {"points": points}
    for name in ("escalate_at", "deny_at"):
        if name not in risk.model_fields_set:
            continue
        declared_bound, bound = getattr(risk, name), getattr(inherited.risk, name)
        looser = bound is not None and (declared_bound is None or declared_bound > bound)
        term = f"risk.{name}"
        if terms.applies(term, ("risk", name), looser=looser, declared=declared_bound, inherited=bound):
            changes[name] = declared_bound
    terms.guarded["risk"] = inherited.risk.model_copy(update=changes)


def _stricter_rule(parent: Rule, own: Rule) -> Rule | None:
    stricter = OUTCOMES.index(own.then) > OUTCOMES.index(parent.then)
    return own if own.when == parent.when and stricter else None


def _listed(values: Iterable[object]) -> str:
    return " and ".join(dict.fromkeys(map(str, values)))
