"""The terms of a pack on limits and actions, on top of those of its parent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from redpen.policy.codes import PACK_CODES, RISK_CODES
from redpen.policy.limits import GuardedPolicy
from redpen.policy.pack_file import Limits
from redpen.policy.pack_terms import Terms, entries
from redpen.policy.packs import Place
from redpen.policy.rules import OUTCOMES, Rule
from redpen.text.suggestion import suggestion
from redpen.yaml_files.source import Location

_AtLeast: Final = frozenset({"min_patch_similarity"})
"""Limits that are tighter where they are larger; all others where they are smaller."""
_TAKEN: Final = RISK_CODES | {row.code for row in PACK_CODES}


def add_limits(terms: Terms) -> None:
    """Add the numbers of a pack: each agent that has one gets the tighter of both."""
    limits = terms.file.limits
    for name in Limits.model_fields:
        if (said := getattr(limits, name)) is None:
            continue
        strictest = max if name in _AtLeast else min
        holders = [
            (policy, changes)
            for policy, changes in zip(
                terms.parent.policies, (terms.critique, terms.review, terms.guarded), strict=True
            )
            if name in type(policy).model_fields
        ]
        known = [getattr(policy, name) for policy, _ in holders]
        looser = all(strictest(said, value) != said for value in known)
        term: str = f"limits.{name}"
        place: Location = ("limits", name)
        is_meant = terms.loosens(term, place, looser=looser, said=said, known=_listed(known))
        for policy, changes in holders:
            changes[name] = said if is_meant else strictest(said, getattr(policy, name))


def add_actions(terms: Terms, codes: frozenset[str]) -> None:
    """Add what a pack says of actions.

    Args:
        terms: of the pack.
        codes: that points of risk may be given to, besides those of rules.
    """
    file, known = terms.file, terms.parent.guarded
    for section, name, field_name in (
        ("tools", "allow", "allowed_tools"),
        ("tools", "execute", "executable_tools"),
        ("templates", "allowed", "allowed_templates"),
    ):
        given = getattr(getattr(file, section), name)
        if given is None:
            continue
        said, allowed = frozenset(given), getattr(known, field_name)
        new = sorted(said - allowed)
        is_meant = terms.loosens(
            f"{section}.{name}",
            (section, name, given.index(new[0])) if new else (section, name),
            looser=bool(new),
            said=f"{new[0]!r}{suggestion(new[0], allowed)}" if new else "",
            known="the list",
        )
        terms.guarded[field_name] = said if is_meant else said & allowed
    _default_template(terms, known)
    _rules(terms, known)
    if file.risk is not None:
        _risk(terms, known, codes)
    if file.clock is not None:
        timed = any(path.startswith("clock.") for rule in known.rules for path in rule.when.paths)
        looser = timed and file.clock != known.clock
        place: Location = ("clock",)
        if (
            terms.loosens("clock", place, looser=looser, said=file.clock.zone, known=known.clock.zone)
            or not looser
        ):
            terms.guarded["clock"] = file.clock
    if file.gate is not None:
        before = terms.parent.gate
        looser = before not in {None, file.gate}
        if terms.loosens("gate", ("gate",), looser=looser, said=file.gate, known=before) or not looser:
            terms.pack["gate"] = file.gate


def _default_template(terms: Terms, known: GuardedPolicy) -> None:
    allowed = terms.guarded.get("allowed_templates", known.allowed_templates)
    said = terms.file.templates.default
    if said is not None:
        terms.places["templates.default"] = Place(
            path=terms.source.path, line=terms.source.line_of(("templates", "default"))
        )
        terms.guarded["default_template"] = said
    default = said or known.default_template
    if default not in allowed:
        hint = suggestion(default, allowed)
        terms.problem(
            ("templates", "default"),
            f"{default!r} is not one of the allowed templates {', '.join(sorted(allowed))}{hint}",
        )


def _rules(terms: Terms, known: GuardedPolicy) -> None:
    first: dict[str, int] = {}
    for at, rule in enumerate(terms.file.rules):
        if rule.code in first:
            line = terms.source.line_of(("rules", first[rule.code]))
            terms.problem(("rules", at, "code"), f"{rule.code!r} stands in line {line} already")
        first.setdefault(rule.code, at)
        if rule.code in _TAKEN:
            terms.problem(("rules", at, "code"), f"{rule.code!r} is a code of the gate itself: take another")
    terms.guarded["rules"] = entries(terms, "rules", known.rules, terms.file.rules, _rule_stands)


def _risk(terms: Terms, known: GuardedPolicy, codes: frozenset[str]) -> None:
    risk = terms.file.risk
    if risk is None:
        return
    givers = codes | {rule.code for rule in terms.guarded.get("rules", known.rules)}
    points = dict(known.risk.points)
    for code, said in risk.points.items():
        place: Location = ("risk", "points", code)
        if code not in givers:
            terms.problem(place, f"no decision has this code{suggestion(code, givers)}")
        before = points.get(code, 0)
        term = f"risk.points.{code}"
        if terms.loosens(term, place, looser=said < before, said=said, known=before):
            points[code] = said
        points[code] = max(said, points.get(code, 0)) if term not in terms.used else said
    changes: dict[str, Any] = {"points": points}
    for name in ("escalate_at", "deny_at"):
        if name not in risk.model_fields_set:
            continue
        said_bound, bound = getattr(risk, name), getattr(known.risk, name)
        looser = bound is not None and (said_bound is None or said_bound > bound)
        term = f"risk.{name}"
        if terms.loosens(term, ("risk", name), looser=looser, said=said_bound, known=bound) or not looser:
            changes[name] = said_bound
    terms.guarded["risk"] = known.risk.model_copy(update=changes)


def _rule_stands(parent: Rule, own: Rule) -> Rule | None:
    stricter = OUTCOMES.index(own.then) > OUTCOMES.index(parent.then)
    return own if own.when == parent.when and stricter else None


def _listed(values: Iterable[object]) -> str:
    return " and ".join(dict.fromkeys(map(str, values)))
