"""Merges the terms of a pack with those of its parent; a term that loosens its parent's must be declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from redpen.policy.model import MEASURES, PolicyModel
from redpen.policy.pack_file import PackFile
from redpen.policy.packs import Place, PolicyPack, phrase_term
from redpen.policy.rules import Rule
from redpen.policy.texts import ConcernMeasures, Disclaimer, PatchPolicy, RestrictedPhrases
from redpen.text.suggestion import suggestion
from redpen.yaml_files.parsing import field_of
from redpen.yaml_files.problem import Problem
from redpen.yaml_files.source import Location, Source

_MAX_SHOWN_CHARS = 80
_GROUNDING: Final = ("record", "enforce")
_EVENTS: Final = ("optional", "required")
_MODES: Final = ("text", "lines")
_Entry = TypeVar("_Entry", bound=RestrictedPhrases | Disclaimer | Rule)


@dataclass(slots=True, kw_only=True)
class Terms:
    """The terms of a pack while they are merged with those of its parent.

    Attributes:
        parent: the pack that this one extends.
        file: the parsed file of the pack.
        source: the source of the file, with its lines.
        shared: changed policy fields of both text agents.
        critique: changed policy fields of self-critique only.
        review: changed policy fields of reflection only.
        guarded: changed policy fields of guarded-policy.
        gate: the custom gate.
        places: file and line of each term, by code or field.
        problems: problems found so far.
        used: declared terms that do loosen the parent's.
        seen: all terms of the pack.
    """

    parent: PolicyPack
    file: PackFile
    source: Source
    shared: dict[str, Any] = field(default_factory=dict)
    critique: dict[str, Any] = field(default_factory=dict)
    review: dict[str, Any] = field(default_factory=dict)
    guarded: dict[str, Any] = field(default_factory=dict)
    gate: str | None = None
    places: dict[str, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def loosens(
        self, term: str, location: Location, *, looser: bool, declared: object, inherited: object
    ) -> bool:
        """Record a term, and return whether it loosens the parent's term as declared in ``loosens``.

        A term that loosens without a declaration is recorded as a problem.

        Args:
            term: code or field of the term.
            location: location of the term in the file.
            looser: whether the pack's value is looser than the parent's.
            declared: the pack's value.
            inherited: the parent's value.
        """
        self.seen.add(term)
        self.places[term] = Place(path=self.source.path, line=self.source.line_of(location))
        if not looser:
            return False
        if term in self.file.loosens:
            self.used.add(term)
            return True
        parent = self.parent
        # A section in its short form, a single word, sets all of its fields.
        inherited_term = term if term in parent.places else term.partition(".")[0]
        whose = f"of the pack {parent.name} ({parent.place_of(inherited_term)})"
        loosened = f"{_shorten(declared)} loosens {_shorten(inherited)} {whose}"
        self.problem(location, f"{loosened}: tighten it, or declare `loosens: [{term}]`")
        return False

    def applies(
        self, term: str, location: Location, *, looser: bool, declared: object, inherited: object
    ) -> bool:
        """Record a term, and return whether it takes effect; the arguments are those of ``loosens``."""
        is_meant = self.loosens(term, location, looser=looser, declared=declared, inherited=inherited)
        return is_meant or not looser

    def problem(self, location: Location, text: str) -> None:
        """Record a problem at a location in the file."""
        line = self.source.line_of(location)
        self.problems.append(Problem(path=self.source.path, line=line, field=field_of(location), text=text))

    def finish(self) -> tuple[PolicyPack, tuple[Problem, ...]]:
        """Return the merged pack, and its problems in the order of the file."""
        parent, file = self.parent, self.file
        for at, term in enumerate(file.loosens):
            if term not in self.used:
                terms = self.seen | {"allowed_phrases"}
                self.problem(
                    ("loosens", at), f"{term!r} is not loosened by this pack{suggestion(term, terms)}"
                )
        found = PolicyPack(
            name=file.pack,
            chain=(*parent.chain, file.pack),
            match=file.match,
            self_critique=parent.self_critique.model_copy(update=self.shared | self.critique),
            reflection=parent.reflection.model_copy(update=self.shared | self.review),
            guarded=parent.guarded.model_copy(update=self.guarded),
            gate=self.gate or parent.gate,
            loosened=tuple(dict.fromkeys((*parent.loosened, *file.loosens))),
            places={**parent.places, **self.places},
        )
        return found, tuple(sorted(self.problems, key=lambda problem: problem.line))


def add_texts(terms: Terms) -> None:
    """Merge a pack's sections on texts."""
    file, inherited = terms.file, terms.parent.self_critique
    terms.shared["restricted_phrases"] = entries(
        terms, "restricted_phrases", inherited.restricted_phrases, file.restricted_phrases, _resolve_phrases
    )
    for at, entry in enumerate(file.restricted_phrases):
        _place_phrases(terms, entry.code, entry.phrases, ("restricted_phrases", at, "phrases"))
    _place_phrases(terms, "allowed_phrases", file.allowed_phrases or (), ("allowed_phrases",))
    terms.shared["disclaimers"] = entries(
        terms, "disclaimers", inherited.disclaimers, file.disclaimers, lambda _one, _other: None
    )
    if file.allowed_phrases is not None:
        before = {phrase.casefold() for phrase in inherited.allowed_phrases}
        new = [phrase for phrase in file.allowed_phrases if phrase.casefold() not in before]
        kept = [phrase for phrase in file.allowed_phrases if phrase.casefold() in before]
        is_meant = terms.loosens(
            "allowed_phrases",
            ("allowed_phrases",),
            looser=bool(new),
            declared=repr(new[0]) if new else "",
            inherited="the allowed phrases",
        )
        terms.shared["allowed_phrases"] = file.allowed_phrases if is_meant else tuple(kept)
    if _applies(terms, "grounding", inherited.draft_grounding, _GROUNDING):
        terms.shared["draft_grounding"] = file.grounding
    if _applies(terms, "auto_revision", inherited.auto_revision, (True, False)):
        terms.critique["auto_revision"] = file.auto_revision
    if _applies(terms, "events", inherited.events, _EVENTS):
        terms.shared["events"] = terms.guarded["events"] = file.events
    if file.semantic_changes not in {None, inherited.semantic_changes} and terms.loosens(
        "semantic_changes",
        ("semantic_changes",),
        # Both changes loosen: `judge` accepts critiques that `off` rejects, and `off` accepts revisions that
        # the judge would reject.
        looser=True,
        declared=file.semantic_changes,
        inherited=inherited.semantic_changes,
    ):
        terms.shared["semantic_changes"] = file.semantic_changes
    for section in ("concerns", "severity_budget"):
        if (declared := getattr(file, section)) is not None:
            terms.shared[section] = _merge_section(terms, section, getattr(inherited, section), declared)
    if file.patch is not None:
        patch = _merge_section(terms, "patch", inherited.patch, file.patch)
        lines = patch.max_changed_lines if patch.mode == "lines" else None
        terms.shared["patch"] = PatchPolicy(mode=patch.mode, max_changed_lines=lines)


def entries(
    terms: Terms,
    section: str,
    inherited: tuple[_Entry, ...],
    added: tuple[_Entry, ...],
    resolve: Callable[[_Entry, _Entry], _Entry | None],
) -> tuple[_Entry, ...]:
    """Return the merged entries of a section: the parent's, followed by the pack's.

    Args:
        terms: the terms of the pack.
        section: name of the section.
        inherited: the parent's entries.
        added: the pack's entries.
        resolve: takes the parent's and the pack's entry with the same code, and returns the entry that
            replaces the parent's, or None if the pack's entry loosens it.
    """
    dropped = {entry.code for entry in inherited if entry.code in terms.file.loosens}
    terms.used |= dropped
    terms.seen |= {entry.code for entry in inherited}
    found = [entry for entry in inherited if entry.code not in dropped]
    own: list[_Entry] = []
    for at, entry in enumerate(added):
        place: Location = (section, at)
        twins = [other for other in found if other.code == entry.code]
        if entry in twins:
            continue
        for twin in twins:
            kept = resolve(twin, entry)
            looser = kept is None
            terms.loosens(
                entry.code, place, looser=looser, declared=entry.code, inherited=f"the {section} entry"
            )
            if kept is not None and kept is not twin:
                found.remove(twin)
        terms.places.setdefault(entry.code, Place(path=terms.source.path, line=terms.source.line_of(place)))
        own.append(entry)
    return (*found, *own)


def _place_phrases(terms: Terms, code: str, phrases: tuple[str, ...], location: Location) -> None:
    for at, phrase in enumerate(phrases):
        place = Place(path=terms.source.path, line=terms.source.line_of((*location, at)))
        terms.places.setdefault(phrase_term(code, phrase), place)


def _resolve_phrases(parent: RestrictedPhrases, own: RestrictedPhrases) -> RestrictedPhrases | None:
    # Both entries apply, so a weaker one would have no effect, which its author probably does not expect.
    weaker = (own.unless and not parent.unless) or (own.when == "affirmed" and parent.when == "always")
    return None if weaker else parent


def _applies(terms: Terms, term: str, inherited: object, order: tuple[object, ...]) -> bool:
    """Record a setting of a pack, and return whether it takes effect.

    Args:
        terms: the terms of the pack.
        term: key of the setting.
        inherited: the parent's value.
        order: the possible values, from the loosest to the strictest.
    """
    declared = getattr(terms.file, term)
    if declared is None:
        return False
    looser = order.index(declared) < order.index(inherited)
    return terms.applies(term, (term,), looser=looser, declared=declared, inherited=inherited)


_Part = TypeVar("_Part", bound=PolicyModel)


def _merge_section(terms: Terms, section: str, inherited: _Part, declared: _Part) -> _Part:
    """Return the parent's section, updated with the pack's fields that take effect."""
    changes: dict[str, Any] = {}
    for name in type(declared).model_fields:
        if name not in declared.model_fields_set:
            continue
        value = getattr(declared, name)
        before = inherited.of(name) if isinstance(inherited, ConcernMeasures) else getattr(inherited, name)
        looser = _is_looser(name, value, before)
        term = section if name == "default" else f"{section}.{name}"
        location: Location = (section, name) if (section, name) in terms.source.lines else (section,)
        if terms.applies(term, location, looser=looser, declared=value, inherited=before):
            changes[name] = value
    return inherited.model_copy(update=changes)


def _is_looser(name: str, value: Any, before: Any) -> bool:
    if name == "max_changed_lines":
        return before is not None and (value is None or value > before)
    order: tuple[str, ...] = _MODES if name == "mode" else MEASURES
    return value is None or order.index(value) < order.index(before)


def _shorten(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"
