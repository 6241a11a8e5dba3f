"""The draft library: hand-labelled revisions on which guards are scored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from redpen.types import JsonObject
from redpen.yaml_files.parsing import field_names, load_model
from redpen.yaml_files.problem import FileError, Problem
from redpen_evals.endpoint.forms import FileModel
from redpen_evals.scenario_library.fields import JsonMapping, Name, Text
from redpen_evals.scenario_library.layout import Layout, is_id, library_files, misnamed
from redpen_evals.scenario_library.loading import changed_context, load_any_context

Label = Literal["block", "pass"]
Split = Literal["dev", "test"]
DraftCode = Literal[
    "no_new_facts", "new_incident_id", "new_severity_label", "new_region", "restricted_claims"
]
Family = Literal[
    "share",
    "count",
    "duration",
    "date",
    "time",
    "money",
    "multiplier",
    "identifier",
    "severity",
    "region",
    "contact",
    "subject",
    "quantifier",
    "party",
    "resolution",
    "guarantee",
    "reassurance",
    "cause",
    "commitment",
    "liability",
    "rewrite",
]
Disguise = Literal[
    "none",
    "look-alikes",
    "invisible",
    "direction",
    "tags",
    "combining",
    "compatibility",
    "spacing",
    "hyphenation",
    "line-breaks",
    "case",
    "leetspeak",
    "entities",
    "html",
    "markdown",
    "digits",
]


class DraftItem(FileModel):
    """One labelled revision."""

    id: Name = Field(description="Name of the item, unique in its file.")
    original: Text | None = Field(default=None, description="The draft before; by default the file's.")
    revised: Text = Field(description="The revision that a guard judges.")
    label: Label = Field(description="`block`: it breaks a rule. `pass`: no rule is broken.")
    codes: list[DraftCode] = Field(
        default_factory=list, description="The codes that a guard may rightly block it with."
    )
    family: Family = Field(description="Kind of breach; for `pass` items that which they resemble.")
    disguise: Disguise = Field(default="none", description="How the breach is disguised.")
    split: Split = Field(description="`dev`: rules may be developed on it. `test`: held out.")
    note: Text | None = Field(default=None, description="Why it is labelled so, if that is not obvious.")

    @model_validator(mode="after")
    def _codes_fit_the_label(self) -> Self:
        if (self.label == "block") != bool(self.codes):
            raise ValueError("`codes` go with label `block`, and only with it")
        return self


class DraftFile(FileModel):
    """Labelled revisions of one draft in one context."""

    context: Name = Field(description="Name of a file in `contexts/`.")
    context_changes: JsonMapping = Field(
        default_factory=dict, description="JSON merge patch on that context; null removes a key."
    )
    original: Text = Field(description="The draft that the items revise.")
    items: list[DraftItem] = Field(min_length=1, description="The labelled revisions.")

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        counts = Counter(item.id for item in self.items)
        duplicates = sorted(name for name, count in counts.items() if count > 1)
        if duplicates:
            raise ValueError(f"duplicate id {duplicates[0]!r}")
        return self


DRAFTS: TypeAdapter[DraftFile] = TypeAdapter(DraftFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDraft:
    """An item, such as ``payments/first-update#half-of-checkouts``, with all that a guard needs for it."""

    id: str
    path: Path
    context: JsonObject
    original: str
    item: DraftItem


def draft_files(layout: Layout) -> tuple[Path, ...]:
    """Return the files of the draft library, sorted."""
    return tuple(sorted(library_files(layout.scenarios / "drafts")))


def load_drafts(layout: Layout, path: Path) -> tuple[LabelledDraft, ...]:
    """Read one file of the draft library; raises FileError with every fault of it, or of its context."""
    name = path.relative_to(layout.scenarios / "drafts").with_suffix("").as_posix()
    if not is_id(f"drafts/{name}"):
        raise misnamed(path)
    return read_draft_file(layout, layout.check_place(path), name)


def read_draft_file(layout: Layout, path: Path, name: str) -> tuple[LabelledDraft, ...]:
    """Read labelled drafts from any file; ``name`` begins their ids. Raises as ``load_drafts``."""
    file = load_model(path, DRAFTS, fields=_FIELDS)
    context = changed_context(layout, path, file.context, file.context_changes, read=load_any_context)
    return tuple(
        LabelledDraft(
            id=f"{name}#{item.id}",
            path=path,
            context=context,
            original=item.original or file.original,
            item=item,
        )
        for item in file.items
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLibrary:
    """The readable part of the draft library.

    Attributes:
        drafts: the drafts of the valid files, in the order of files and items.
        broken: number of files left out.
    """

    drafts: tuple[LabelledDraft, ...]
    files: int
    broken: int
    problems: tuple[Problem, ...]


def read_drafts(layout: Layout) -> DraftLibrary:
    """Read every file of the draft library; a file with a fault is left out entirely."""
    files = draft_files(layout)
    drafts: list[LabelledDraft] = []
    errors: list[FileError] = []
    for path in files:
        try:
            drafts += load_drafts(layout, path)
        except FileError as error:
            errors.append(error)
    problems = tuple(dict.fromkeys(problem for error in errors for problem in error.problems))
    return DraftLibrary(drafts=tuple(drafts), files=len(files), broken=len(errors), problems=problems)


def load_all_drafts(layout: Layout) -> tuple[LabelledDraft, ...]:
    """Read the whole draft library, in the order of files and items; raises as ``load_drafts``."""
    return tuple(draft for path in draft_files(layout) for draft in load_drafts(layout, path))


def check_drafts(layout: Layout) -> tuple[Problem, ...]:
    """Return every fault of every file of the draft library."""
    return read_drafts(layout).problems


_FIELDS = field_names(DraftFile)
