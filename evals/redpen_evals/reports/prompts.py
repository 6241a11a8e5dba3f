"""The prompts of a run: which version each variant used, and what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from redpen_evals.records import Record, RecordedPrompt
from redpen_evals.reports.marking import Piece, compared
from redpen_evals.reports.templating import variant_name

_KEPT_LINES = 2
_MAX_CHARS = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptUse:
    """One text of a prompt, and who used it.

    Attributes:
        name: of the prompt.
        hash: of its text.
        prompt: the text; None where the record does not hold it.
        variants: that asked with it, as people know them.
    """

    name: str
    hash: str
    prompt: RecordedPrompt | None
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """What differs between two texts of a prompt.

    Attributes:
        name: of the prompt.
        before: whose text is compared with, and its version.
        after: whose text it is, and its version.
        notes: of the text after.
        pieces: what changed, long stretches that did not cut.
    """

    name: str
    before: str
    after: str
    notes: str
    pieces: tuple[Piece, ...]


def prompt_uses(record: Record) -> tuple[PromptUse, ...]:
    """Return every text that a prompt had in the run, by name and then in the order of the variants."""
    users: dict[tuple[str, str], list[str]] = {}
    for variant, hashes in record.start.prompts.items():
        for name, digest in hashes.items():
            users.setdefault((name, digest), []).append(variant_name(variant))
    return tuple(
        PromptUse(name=name, hash=digest, prompt=record.prompts.get(digest), variants=tuple(variants))
        for (name, digest), variants in sorted(users.items(), key=lambda item: item[0][0])
    )


def prompt_changes(record: Record, previous: Record | None) -> tuple[PromptChange, ...]:
    """Return how prompts differ: from the previous run's, and each variant's from the first one's."""
    pairs: dict[tuple[str, str, str, str], list[str]] = {}
    uses = list(record.start.prompts.items())
    texts = dict(record.prompts)
    if previous is not None:
        texts = {**previous.prompts, **texts}
        for variant, hashes in uses:
            _pair(pairs, previous.start.prompts.get(variant, {}), hashes, f"run {previous.start.id}", variant)
    for variant, hashes in uses[1:]:
        _pair(pairs, uses[0][1], hashes, variant_name(uses[0][0]), variant)
    return tuple(
        PromptChange(
            name=name,
            before=f"{whose}, {texts[old].version}",
            after=f"{', '.join(variants)}, {texts[new].version}",
            notes=texts[new].notes,
            pieces=tuple(_shortened(compared(texts[old].text[:_MAX_CHARS], texts[new].text[:_MAX_CHARS]))),
        )
        for (name, whose, old, new), variants in pairs.items()
        if old in texts and new in texts
    )


def _pair(
    pairs: dict[tuple[str, str, str, str], list[str]],
    old: Mapping[str, str],
    new: Mapping[str, str],
    whose: str,
    variant: str,
) -> None:
    """Note the prompts of a variant that are not the ones before."""
    for name, digest in new.items():
        if name in old and old[name] != digest:
            pairs.setdefault((name, whose, old[name], digest), []).append(variant_name(variant))


def _shortened(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Yield the pieces with the middle of long stretches that did not change left out."""
    for at, piece in enumerate(pieces):
        lines = piece.text.split("\n")
        head = _KEPT_LINES if at else 0
        tail = _KEPT_LINES if at < len(pieces) - 1 else 0
        left_out = len(lines) - head - tail
        if piece.state != "same" or left_out <= 2:
            yield piece
            continue
        if head:
            yield replace(piece, text="\n".join(lines[:head]))
        yield Piece(text=f"{left_out}", state="left out")
        if tail:
            yield replace(piece, text="\n".join(lines[-tail:]))
