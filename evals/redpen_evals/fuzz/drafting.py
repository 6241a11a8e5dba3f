"""Drafts that state facts of a context, and what may be made of them without saying anything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, assert_never

from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.fuzz.breaching import Breach
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.drawing import in_order, pick, some_of
from redpen_evals.fuzz.facts import FactForm
from redpen_evals.fuzz.incidents import Incident
from redpen_evals.fuzz.sentences import BENIGN
from redpen_evals.scenario_library.drafts import Family, Label

Edit = Literal["identical", "reordered", "bullets", "headings", "shortened"]
EDITS: Final[tuple[Edit, ...]] = ("identical", "reordered", "bullets", "headings", "shortened")
"""What may be done to a whole text and says nothing else."""

PLAINEST: Final = "Our team is investigating."
"""A draft that states no fact."""

_BULLETS: Final = ("-", "*", "•")
_HEADED: Final = ("## {}\n\n{}", "{}\n\n{}", "**{}**\n\n{}", "{}:\n{}")
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


def draw_draft(draw: st.DrawFn, matter: Incident, *, most: int = 2) -> Draft:
    """Draw a draft with facts of a context, and at most so many sentences besides."""
    stated = tuple(map(matter.sentence, some_of(draw, matter.forms, most=2)))
    rest = some_of(draw, BENIGN, most=most)
    # A draft without a word would be none.
    return Draft(matter=matter, sentences=(*stated, *rest) or (PLAINEST,))


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


def faithful_edit(draw: st.DrawFn, draft: Draft, edit: Edit) -> Case:
    """Draw a revision that says what the draft says, in another form."""
    revised = _edited(draw, draft.sentences, edit)
    return labelled(f"faithful-{edit}", draft.text, revised, draft.context, label="pass", family="rewrite")


def respelt(draw: st.DrawFn, draft: Draft, form: FactForm) -> Case:
    """Draw a revision that states a fact of the context in another spelling or sentence."""
    plain = draft.matter.sentence(form)
    others = tuple(sentence for sentence in draft.sentences if sentence != plain)
    said = pick(draw, form.sentences).format(pick(draw, form.spellings(draft.matter.values[form.name])))
    return labelled(
        f"respelt-{form.family}",
        " ".join((plain, *others)),
        " ".join((said, *others)),
        draft.context,
        label="pass",
        family=form.family,
        mark=said,
    )


def _edited(draw: st.DrawFn, sentences: tuple[str, ...], edit: Edit) -> str:
    match edit:
        case "identical":
            return " ".join(sentences)
        case "reordered":
            return " ".join(in_order(draw, sentences))
        case "bullets":
            sign = pick(draw, _BULLETS)
            return "\n".join(f"{sign} {sentence}" for sentence in sentences)
        case "headings":
            return pick(draw, _HEADED).format(pick(draw, _HEADINGS), " ".join(sentences))
        case "shortened":
            gone = {sentence for sentence in sentences if draw(st.booleans())}
            return " ".join([one for one in sentences if one not in gone] or sentences[:1])
        case _:
            assert_never(edit)
