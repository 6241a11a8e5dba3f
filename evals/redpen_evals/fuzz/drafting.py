"""Drafts that state facts of a context, and what may be made of them without saying anything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.fuzz.breaching import Breach
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.facts import FactForm
from redpen_evals.fuzz.incidents import Incident
from redpen_evals.fuzz.sentences import BENIGN, benign_sentences
from redpen_evals.scenario_library.drafts import Family, Label

Edit = Literal["identical", "reordered", "bullets", "headings", "shortened"]
EDITS: Final[tuple[Edit, ...]] = ("identical", "reordered", "bullets", "headings", "shortened")
"""What may be done to a whole text and says nothing else."""

_HEADINGS: Final = ("Update", "Status", "What we know", "Current status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft that a context allows, sentence by sentence.

    Attributes:
        matter: the facts of its context.
        sentences: each whole, with its full stop.
    """

    matter: Incident
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return " ".join(self.sentences)

    @property
    def context(self) -> JsonObject:
        """The context."""
        return self.matter.context()


def drafts_of(matter: Incident, *, most: int = 2) -> st.SearchStrategy[Draft]:
    """Return a strategy of drafts with facts of a context, and at most so many sentences besides."""
    stated = st.lists(st.sampled_from(matter.forms), max_size=2, unique_by=lambda form: form.name)
    facts: st.SearchStrategy[tuple[str, ...]] = (
        stated.map(lambda forms: tuple(map(matter.sentence, forms))) if matter.forms else st.just(())
    )
    return st.builds(
        # A draft without a word would be none.
        lambda said, rest: Draft(matter=matter, sentences=(*said, *rest) or (BENIGN[4],)),
        facts,
        benign_sentences(most=most),
    )


def with_breach(draft: Draft, breach: Breach, place: int) -> tuple[str, tuple[str, ...]]:
    """Return the original that a breach needs, and the sentences of the revision, the breach among them."""
    before = list(draft.sentences)
    if breach.instead_of and breach.instead_of not in before:
        before.insert(0, breach.instead_of)
    after = list(before)
    if breach.instead_of:
        after[after.index(breach.instead_of)] = breach.sentence
    else:
        # The end is where a shrunk one stands.
        after.insert(len(after) - place % (len(after) + 1), breach.sentence)
    return " ".join(before), tuple(after)


def breach_case(draft: Draft, breach: Breach, place: int = 0, *, name: str = "") -> Case:
    """Return the case of a draft with a breach in its revision."""
    original, sentences = with_breach(draft, breach, place)
    return labelled(
        name or f"breach-{breach.family}",
        original,
        " ".join(sentences),
        draft.context,
        label="block",
        family=breach.family,
        codes=breach.codes,
        mark=breach.sentence,
    )


def labelled(
    name: str,
    original: str,
    revised: str,
    context: JsonObject,
    *,
    label: Label,
    family: Family,
    mark: str = "",
    **more: object,
) -> Case:
    """Return a case whose span is where ``mark`` stands in the revision."""
    at = revised.find(mark) if mark else -1
    span = (at, at + len(mark)) if at >= 0 else None
    return Case(
        name=name,
        original=original,
        revised=revised,
        context=context,
        label=label,
        family=family,
        span=span,
        **more,  # type: ignore[arg-type]
    )


def faithful_edit(draft: Draft, edit: Edit) -> st.SearchStrategy[Case]:
    """Return a strategy of revisions that say what the draft says, in another form."""
    return _EDITS[edit](draft.sentences).map(
        lambda revised: labelled(
            f"faithful-{edit}", draft.text, revised, draft.context, label="pass", family="rewrite"
        )
    )


def respelt(draft: Draft, form: FactForm) -> st.SearchStrategy[Case]:
    """Return a strategy of revisions that state a fact of the context in another spelling or sentence."""
    value = draft.matter.values[form.name]
    plain = draft.matter.sentence(form)
    others = tuple(sentence for sentence in draft.sentences if sentence != plain)

    def case(sentence: str, spelling: str) -> Case:
        said = sentence.format(spelling)
        return labelled(
            f"respelt-{form.family}",
            " ".join((plain, *others)),
            " ".join((said, *others)),
            draft.context,
            label="pass",
            family=form.family,
            mark=said,
        )

    return st.builds(case, st.sampled_from(form.sentences), st.sampled_from(form.spellings(value)))


def _reordered(sentences: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.permutations(sentences).map(" ".join)


def _bullets(sentences: tuple[str, ...]) -> st.SearchStrategy[str]:
    sign = st.sampled_from(("- ", "* ", "• "))
    return sign.map(lambda mark: "\n".join(f"{mark}{sentence}" for sentence in sentences))


def _headings(sentences: tuple[str, ...]) -> st.SearchStrategy[str]:
    form = st.sampled_from(("## {}\n\n{}", "{}\n\n{}", "**{}**\n\n{}", "{}:\n{}"))
    return st.builds(
        lambda shape, heading: shape.format(heading, " ".join(sentences)), form, st.sampled_from(_HEADINGS)
    )


def _shortened(sentences: tuple[str, ...]) -> st.SearchStrategy[str]:
    kept = st.sets(st.integers(0, len(sentences) - 1), min_size=1)
    return kept.map(lambda places: " ".join(sentences[at] for at in sorted(places)))


_EDITS: Final[Mapping[Edit, Callable[[tuple[str, ...]], st.SearchStrategy[str]]]] = {
    "identical": lambda sentences: st.just(" ".join(sentences)),
    "reordered": _reordered,
    "bullets": _bullets,
    "headings": _headings,
    "shortened": _shortened,
}
