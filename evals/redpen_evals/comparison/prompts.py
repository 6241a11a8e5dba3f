"""The prompts that differ between the two sides of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from redpen_evals.cassettes.worddiff import word_diff
from redpen_evals.comparison.sides import Side
from redpen_evals.records.model import RecordedPrompt


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """A prompt that is not the same on both sides.

    Attributes:
        name: of the prompt.
        variant: label that both sides ran it in; empty for the base, or where one was chosen.
        before: its version on the side before, else its hash; None where that side has no such prompt.
        after: likewise.
        diff: the change in words around its first place; empty where a text is not known.
    """

    name: str
    variant: str
    before: str | None
    after: str | None
    diff: str


def changed_prompts(before: Side, after: Side) -> tuple[PromptChange, ...]:
    """Return the prompts that differ, by name; none where a side is a baseline, which holds none.

    A change that several variants share is told once.
    """
    if before.variant is not None and after.variant is not None:
        labels = [(before.variant, after.variant, "")]
    else:
        labels = [(label, label, label) for label in sorted(before.prompts.keys() & after.prompts.keys())]
    found: dict[tuple[str, str | None, str | None], PromptChange] = {}
    for label, other_label, shown in labels:
        old, new = before.prompts.get(label, {}), after.prompts.get(other_label, {})
        if not old or not new:
            continue
        for name in sorted(old.keys() | new.keys()):
            hashes = old.get(name), new.get(name)
            if hashes[0] != hashes[1]:
                texts = before.texts.get(hashes[0] or ""), after.texts.get(hashes[1] or "")
                found.setdefault((name, *hashes), _change(name, shown, hashes, texts))
    return tuple(sorted(found.values(), key=lambda change: (change.name, change.variant)))


def _change(
    name: str,
    variant: str,
    hashes: tuple[str | None, str | None],
    texts: tuple[RecordedPrompt | None, RecordedPrompt | None],
) -> PromptChange:
    old, new = texts
    return PromptChange(
        name=name,
        variant=variant,
        before=old.version if old else hashes[0],
        after=new.version if new else hashes[1],
        diff=word_diff(old.text, new.text) if old and new else "",
    )
