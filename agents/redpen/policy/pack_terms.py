"""Adding a pack's terms to those of its parent: each may tighten, and none may loosen unless it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from redpen.policy.limits import GuardedPolicy
from redpen.policy.model import MEASURES, PolicyModel
from redpen.policy.pack_file import Limits, PackFile
from redpen.policy.packs import Place, PolicyPack
from redpen.policy.rules import OUTCOMES, Rule
from redpen.policy.texts import Disclaimer, PatchPolicy, RestrictedPhrases
from redpen.text.suggestion import suggestion
from redpen.yaml_files.parsing import field_of
from redpen.yaml_files.problem import Problem
from redpen.yaml_files.source import Location, Source

_SHOWN_CHARS = 80
_GROUNDING: Final = ("record", "enforce")
_MODES: Final = ("text", "lines")
_Entry = TypeVar("_Entry", bound=RestrictedPhrases | Disclaimer | Rule)

_AtLeast: Final = frozenset({"min_patch_similarity"})
"""Limits that are tighter where they are larger; all others where they are smaller."""


def add_terms(
    parent: PolicyPack, file: PackFile, source: Source, codes: frozenset[str]
) -> tuple[PolicyPack, tuple[Problem, ...]]:
    """Return a pack with the terms of its file on top of its parent's, and what is wrong with them.

    Args:
        parent: the pack that it extends.
        file: what its file says.
        source: that file, for its lines.
        codes: that points of risk may be given to, besides those of rules.

    Returns:
        The pack, and a problem for each term that loosens a term of the parent, each ``loosens`` that
        loosens nothing, and each part that does not fit the others.
    """
    terms = _Terms(parent=parent, file=file, source=source)
    _texts(terms)
    _limits(terms)
    _actions(terms, codes)
    return terms.finish()


@dataclass(slots=True, kw_only=True)
class _Terms:
    """The terms of a pack while they are collected.

    Attributes:
        shared: fields of every text agent's policy.
        critique: those of self-critique alone.
        review: those of reflection alone.
        guarded: those of guarded-policy.
        pack: fields of the pack itself.
    """

    parent: PolicyPack
    file: PackFile
    source: Source
    shared: dict[str, Any] = field(default_factory=dict)
    critique: dict[str, Any] = field(default_factory=dict)
    review: dict[str, Any] = field(default_factory=dict)
    guarded: dict[str, Any] = field(default_factory=dict)
    pack: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def loosens(self, term: str, location: Location, *, looser: bool, said: object, known: object) -> bool:
        """Note a term, and return whether it takes the place of the parent's, which it loosens on purpose.

        Args:
            term: its code or field.
            location: where it stands in the file.
            looser: whether it is looser than the parent's.
            said: what it says.
            known: what the parent says.
        """
        self.seen.add(term)
        self.places[term] = Place(path=self.source.path, line=self.source.line_of(location))
        if not looser:
            return False
        if term in self.file.loosens:
            self.used.add(term)
            return True
        parent = self.parent
        whose = f"of the pack {parent.name} ({parent.place_of(term)})"
        self.problem(
            location,
            f"{_shown(said)} loosens {_shown(known)} {whose}: tighten it, or say `loosens: [{term}]`",
        )
        return False

    def problem(self, location: Location, text: str) -> None:
        line = self.source.line_of(location)
        self.problems.append(Problem(path=self.source.path, line=line, field=field_of(location), text=text))

    def finish(self) -> tuple[PolicyPack, tuple[Problem, ...]]:
        parent, file = self.parent, self.file
        for at, term in enumerate(file.loosens):
            if term not in self.used:
                known = self.seen | {"allowed_phrases"}
                self.problem(("loosens", at), f"{term!r} loosens nothing here{suggestion(term, known)}")
        found = PolicyPack(
            name=file.pack,
            chain=(*parent.chain, file.pack),
            match=file.match,
            self_critique=parent.self_critique.model_copy(update=self.shared | self.critique),
            reflection=parent.reflection.model_copy(update=self.shared | self.review),
            guarded=parent.guarded.model_copy(update=self.guarded),
            gate=self.pack.get("gate", parent.gate),
            loosened=tuple(dict.fromkeys((*parent.loosened, *file.loosens))),
            places={**parent.places, **self.places},
        )
        return found, tuple(sorted(self.problems, key=lambda problem: problem.line))


def _texts(terms: _Terms) -> None:
    file, known = terms.file, terms.parent.self_critique
    terms.shared["restricted_phrases"] = _entries(
        terms, "restricted_phrases", known.restricted_phrases, file.restricted_phrases, _phrases_stand
    )
    terms.shared["disclaimers"] = _entries(
        terms, "disclaimers", known.disclaimers, file.disclaimers, lambda _one, _other: None
    )
    if file.allowed_phrases is not None:
        before = {phrase.casefold() for phrase in known.allowed_phrases}
        new = [phrase for phrase in file.allowed_phrases if phrase.casefold() not in before]
        kept = [phrase for phrase in file.allowed_phrases if phrase.casefold() in before]
        is_meant = terms.loosens(
            "allowed_phrases",
            ("allowed_phrases",),
            looser=bool(new),
            said=repr(new[0]) if new else "",
            known="the allowed phrases",
        )
        terms.shared["allowed_phrases"] = file.allowed_phrases if is_meant else tuple(kept)
    if _holds(terms, "grounding", known.draft_grounding, _GROUNDING):
        terms.shared["draft_grounding"] = file.grounding
    if _holds(terms, "auto_revision", known.auto_revision, (True, False)):
        terms.critique["auto_revision"] = file.auto_revision
    if file.semantic_changes not in {None, known.semantic_changes} and terms.loosens(
        "semantic_changes",
        ("semantic_changes",),
        # Asked, a model lets through critiques that are none without it; not asked, revisions that it stops.
        looser=True,
        said=file.semantic_changes,
        known=known.semantic_changes,
    ):
        terms.shared["semantic_changes"] = file.semantic_changes
    if file.concerns is not None:
        terms.shared["concerns"] = _part(
            terms, "concerns", known.concerns, file.concerns, _measured(known.concerns.of)
        )
    if file.severity_budget is not None:
        terms.shared["severity_budget"] = _part(
            terms,
            "severity_budget",
            known.severity_budget,
            file.severity_budget,
            _measured(lambda name: getattr(known.severity_budget, name)),
        )
    if file.patch is not None:
        patch = _part(terms, "patch", known.patch, file.patch, _patch_order(known.patch))
        lines = patch.max_changed_lines if patch.mode == "lines" else None
        terms.shared["patch"] = PatchPolicy(mode=patch.mode, max_changed_lines=lines)


def _limits(terms: _Terms) -> None:
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


def _actions(terms: _Terms, codes: frozenset[str]) -> None:
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


def _default_template(terms: _Terms, known: GuardedPolicy) -> None:
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


def _rules(terms: _Terms, known: GuardedPolicy) -> None:
    first: dict[str, int] = {}
    for at, rule in enumerate(terms.file.rules):
        if rule.code in first:
            line = terms.source.line_of(("rules", first[rule.code]))
            terms.problem(("rules", at, "code"), f"{rule.code!r} stands in line {line} already")
        first.setdefault(rule.code, at)
    terms.guarded["rules"] = _entries(terms, "rules", known.rules, terms.file.rules, _rule_stands)


def _risk(terms: _Terms, known: GuardedPolicy, codes: frozenset[str]) -> None:
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


def _entries(
    terms: _Terms,
    section: str,
    known: tuple[_Entry, ...],
    added: tuple[_Entry, ...],
    stands: Callable[[_Entry, _Entry], _Entry | None],
) -> tuple[_Entry, ...]:
    """Return the parent's entries and the pack's own; ``stands`` says what becomes of two of one code."""
    dropped = {entry.code for entry in known if entry.code in terms.file.loosens}
    terms.used |= dropped
    terms.seen |= {entry.code for entry in known}
    found = [entry for entry in known if entry.code not in dropped]
    own: list[_Entry] = []
    for at, entry in enumerate(added):
        place: Location = (section, at)
        twins = [other for other in found if other.code == entry.code]
        if entry in twins:
            continue
        for twin in twins:
            kept = stands(twin, entry)
            looser = kept is None
            terms.loosens(entry.code, place, looser=looser, said=entry.code, known=f"the {section} entry")
            if kept is not None and kept is not twin:
                found.remove(twin)
        terms.places.setdefault(entry.code, Place(path=terms.source.path, line=terms.source.line_of(place)))
        own.append(entry)
    return (*found, *own)


def _phrases_stand(parent: RestrictedPhrases, own: RestrictedPhrases) -> RestrictedPhrases | None:
    # Both hold, so that only an author who means the parent's to be weaker is mistaken.
    weaker = (own.unless and not parent.unless) or (own.when == "affirmed" and parent.when == "always")
    return None if weaker else parent


def _rule_stands(parent: Rule, own: Rule) -> Rule | None:
    stricter = OUTCOMES.index(own.then) > OUTCOMES.index(parent.then)
    return own if own.when == parent.when and stricter else None


def _holds(terms: _Terms, term: str, known: object, order: tuple[object, ...]) -> bool:
    """Return whether a pack gives a word of its own, which is tighter than its parent's, or meant to loosen.

    Args:
        terms: of the pack.
        term: key of the word.
        known: what the parent says.
        order: of the words, the loosest first.
    """
    said = getattr(terms.file, term)
    if said is None:
        return False
    looser = order.index(said) < order.index(known)
    return terms.loosens(term, (term,), looser=looser, said=said, known=known) or not looser


_Part = TypeVar("_Part", bound=PolicyModel)


def _part(
    terms: _Terms,
    section: str,
    known: _Part,
    said: _Part,
    order: Callable[[str, Any], tuple[bool, object]],
) -> _Part:
    """Return a section with the fields that the pack gives, those left out that loosen unasked.

    Args:
        terms: of the pack.
        section: its key.
        known: what the parent says.
        said: what the pack says.
        order: returns of a field and its value whether that loosens, and what the parent has there.
    """
    changes: dict[str, Any] = {}
    for name in type(said).model_fields:
        if name not in said.model_fields_set:
            continue
        value = getattr(said, name)
        looser, before = order(name, value)
        term = section if name == "default" else f"{section}.{name}"
        location: Location = (section, name) if (section, name) in terms.source.lines else (section,)
        if terms.loosens(term, location, looser=looser, said=value, known=before) or not looser:
            changes[name] = value
    return known.model_copy(update=changes)


def _measured(known: Callable[[str], Any]) -> Callable[[str, Any], tuple[bool, object]]:
    def order(name: str, value: Any) -> tuple[bool, object]:
        before = known(name)
        return value is None or MEASURES.index(value) < MEASURES.index(before), before

    return order


def _patch_order(known: Any) -> Callable[[str, Any], tuple[bool, object]]:
    def order(name: str, value: Any) -> tuple[bool, object]:
        before = getattr(known, name)
        if name == "mode":
            return _MODES.index(value) < _MODES.index(before), before
        return before is not None and (value is None or value > before), before

    return order


def _listed(values: Iterable[object]) -> str:
    return " and ".join(dict.fromkeys(map(str, values)))


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
