"""Adding a pack's terms to those of its parent: each may tighten, and none may loosen unless it says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from redpen.policy.model import MEASURES, PolicyModel
from redpen.policy.pack_file import PackFile
from redpen.policy.packs import Place, PolicyPack, phrase_term
from redpen.policy.rules import Rule
from redpen.policy.texts import Disclaimer, PatchPolicy, RestrictedPhrases
from redpen.text.suggestion import suggestion
from redpen.yaml_files.parsing import field_of
from redpen.yaml_files.problem import Problem
from redpen.yaml_files.source import Location, Source

_SHOWN_CHARS = 80
_GROUNDING: Final = ("record", "enforce")
_EVENTS: Final = ("optional", "required")
_MODES: Final = ("text", "lines")
_Entry = TypeVar("_Entry", bound=RestrictedPhrases | Disclaimer | Rule)


@dataclass(slots=True, kw_only=True)
class Terms:
    """The terms of a pack while they are collected, on top of its parent's.

    Attributes:
        parent: the pack that it extends.
        file: what its file says.
        source: that file, for its lines.
        shared: fields of every text agent's policy.
        critique: those of self-critique alone.
        review: those of reflection alone.
        guarded: those of guarded-policy.
        pack: fields of the pack itself.
        places: where each term stands, by code or field.
        problems: what is wrong with them.
        used: what the pack loosens on purpose.
        seen: every term that it gives.
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
        # A section that is one word says it of every field.
        whole = term if term in parent.places else term.partition(".")[0]
        whose = f"of the pack {parent.name} ({parent.place_of(whole)})"
        self.problem(
            location,
            f"{_shown(said)} loosens {_shown(known)} {whose}: tighten it, or say `loosens: [{term}]`",
        )
        return False

    def problem(self, location: Location, text: str) -> None:
        """Note what is wrong at a place of the file."""
        line = self.source.line_of(location)
        self.problems.append(Problem(path=self.source.path, line=line, field=field_of(location), text=text))

    def finish(self) -> tuple[PolicyPack, tuple[Problem, ...]]:
        """Return the pack, and what is wrong with its terms, in the order of the file."""
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


def add_texts(terms: Terms) -> None:
    """Add what a pack says of texts."""
    file, known = terms.file, terms.parent.self_critique
    terms.shared["restricted_phrases"] = entries(
        terms, "restricted_phrases", known.restricted_phrases, file.restricted_phrases, _phrases_stand
    )
    for at, entry in enumerate(file.restricted_phrases):
        _place_phrases(terms, entry.code, entry.phrases, ("restricted_phrases", at, "phrases"))
    _place_phrases(terms, "allowed_phrases", file.allowed_phrases or (), ("allowed_phrases",))
    terms.shared["disclaimers"] = entries(
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
    if _holds(terms, "events", known.events, _EVENTS):
        terms.shared["events"] = terms.guarded["events"] = file.events
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


def entries(
    terms: Terms,
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


def _place_phrases(terms: Terms, code: str, phrases: tuple[str, ...], location: Location) -> None:
    for at, phrase in enumerate(phrases):
        place = Place(path=terms.source.path, line=terms.source.line_of((*location, at)))
        terms.places.setdefault(phrase_term(code, phrase), place)


def _phrases_stand(parent: RestrictedPhrases, own: RestrictedPhrases) -> RestrictedPhrases | None:
    # Both hold, so that only an author who means the parent's to be weaker is mistaken.
    weaker = (own.unless and not parent.unless) or (own.when == "affirmed" and parent.when == "always")
    return None if weaker else parent


def _holds(terms: Terms, term: str, known: object, order: tuple[object, ...]) -> bool:
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
    terms: Terms,
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


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
