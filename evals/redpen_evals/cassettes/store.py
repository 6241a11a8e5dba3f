"""The paths of cassettes, and how one is loaded and saved."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote, unquote

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out
from redpen_evals.atomic_write import locked_folder, replace_file
from redpen_evals.cassettes import file
from redpen_evals.cassettes.digest import UNPROTECTED, is_unprotected, was_edited
from redpen_evals.cassettes.file import CassetteFile, CassetteKind
from redpen_evals.cassettes.prompts import (
    FOLDER,
    keep_prompt,
    same_but_prompts,
    settle_prompts,
    with_prompt_names,
)
from redpen_evals.cassettes.secrets import find_secrets
from redpen_evals.errors import CassetteError, CassetteProblem, SecretFound
from redpen_evals.folders import walk

SCRIPTED_MODEL: Final = "scripted"
AGENTS_OWN_MODEL: Final = "live"
"""The model name of recordings of users' own agents, which choose their models themselves."""

JUDGED_DRAFTS: Final = "judged-drafts"
"""First part of the ids under which judges' answers about labelled drafts are recorded."""

SUFFIX: Final = ".json"
_MAX_NAME: Final = 240
_SCENARIO_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")


def model_file_name(model: str) -> str:
    """Return the name of a model with characters that a file name cannot hold percent-escaped.

    Raises:
        ConfigurationError: the name is too long or not UTF-8.
    """
    name = _escaped(model, safe=" ")
    if len(name) > _MAX_NAME:
        raise ConfigurationError(f"{model[:40]!r}… is too long for a file name")
    return f"%2E{name[1:]}" if name.startswith(".") else name


@dataclass(frozen=True, slots=True, kw_only=True)
class CassetteLocation:
    """The location of one cassette.

    Args:
        root: the folder of all cassettes.
        model: `scripted`, or the name of a live model.
        scenario: scenario id, parts joined by `/`.
        variant: label of the variant, such as `critique=v2`; empty for the base prompts.
        sample: number of the independent answer, from 1.
        test: node id of the test that starts the run itself; empty for the run of a scenario.

    Raises:
        ConfigurationError: the model has no name, or the id cannot be a path below the root.
    """

    root: Path
    model: str
    scenario: str
    variant: str = ""
    sample: int = 1
    test: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Validate the parts of the path."""
        if not self.model.strip():
            raise ConfigurationError("the model name is empty")
        if self.sample < 1:
            raise ConfigurationError("samples are numbered from 1")
        if not _SCENARIO_ID.fullmatch(self.scenario):
            raise ConfigurationError(
                f"{self.scenario!r} is not a scenario id: it may hold A-Z, a-z, 0-9, '.', '_', '-' and '/'"
            )

    @property
    def folder(self) -> Path:
        """The folder of the model; characters that a file name cannot hold are percent-escaped."""
        name = model_file_name(self.model)
        if self.variant:
            # A plus in the model's name is escaped, so this one is unambiguous.
            name += f"+{_escaped(self.variant, safe=' =,')}"
        if len(name) > _MAX_NAME:
            raise ConfigurationError(f"{name[:40]!r}… is too long for a folder name")
        return self.root / name

    @property
    def path(self) -> Path:
        """The file."""
        sample = f"~{self.sample}" if self.sample > 1 else ""
        return self.folder / f"{self.scenario}{sample}{SUFFIX}"

    @property
    def kind(self) -> CassetteKind:
        """Whether the file must hold scripted or live traffic."""
        return "scripted" if self.model == SCRIPTED_MODEL else "live"

    def record_command(self, mode: Literal["missing", "stale", "all"] = "all") -> str:
        """Return the command that records only this cassette."""
        is_named = self.model not in {SCRIPTED_MODEL, AGENTS_OWN_MODEL}
        options = f" --model {shlex.quote(self.model)}" if is_named else ""
        options += "".join(f" --variants {shlex.quote(knob)}" for knob in self.variant.split(",") if knob)
        options += f" --samples {self.sample}" if self.sample > 1 else ""
        if self.test:
            return f"pytest --record={mode}{options} {shlex.quote(self.test)}"
        first, _, rest = self.scenario.partition("/")
        if first == JUDGED_DRAFTS:
            judge = shlex.quote(f"judge:{rest.partition('/')[0]}")
            return f"pytest --record={mode}{options} -k scorecard --guards {judge}"
        return f"pytest --record={mode}{options} -k '[{self.scenario}]'"


def _escaped(name: str, *, safe: str) -> str:
    try:
        return quote(name, safe=safe)
    except UnicodeEncodeError:
        raise ConfigurationError(f"{name!a} is not UTF-8") from None


def list_locations(root: Path) -> list[CassetteLocation]:
    """List the cassettes below a folder, sorted, without temporary files and files with other names.

    Links to folders are not followed. The folder need not exist.
    """
    locations = []
    for path in sorted(
        path for path, kind in walk(root) if kind in {"file", "link"} and path.suffix == SUFFIX
    ):
        folder, *parts = path.relative_to(root).parts
        model, _, variant = folder.partition("+")
        scenario, _, sample = "/".join(parts).removesuffix(SUFFIX).partition("~")
        with contextlib.suppress(ConfigurationError, ValueError):
            location = CassetteLocation(
                root=root,
                model=unquote(model),
                scenario=scenario,
                variant=unquote(variant),
                sample=int(sample or 1),
            )
            if location.path == path:
                locations.append(location)
    return locations


def load(location: CassetteLocation) -> CassetteFile:
    """Read a cassette and check that it belongs to its location and was not edited.

    Raises:
        CassetteError: the file cannot be read, is outside the folder, belongs to another location, or was
            edited since it was recorded.
    """
    path = location.path
    command = location.record_command()
    if leads_out(path, location.root):
        raise CassetteError(path, _outside(location), kind="unreadable")
    try:
        cassette = file.read(path, mend=command)
    except CassetteError as error:
        if error.kind == "prompt":
            # A file that was moved here lacks its prompts; the wrong location is the better message.
            _check_location(location, file.read(path, mend=command, without_prompts=True))
        raise
    _check_location(location, cassette)
    if was_edited(cassette):
        problem = "was edited after it was recorded: restore it (git restore), or record it again"
        raise CassetteError(path, problem, kind="edited", mend=command)
    return cassette


def unprotected_warning(location: CassetteLocation, cassette: CassetteFile) -> str:
    """Return a warning that an edit of a loaded cassette would not be noticed; empty if it would be."""
    if not is_unprotected(cassette):
        return ""
    return f"{location.path} {UNPROTECTED}; to record it again: {location.record_command()}"


def _check_location(location: CassetteLocation, cassette: CassetteFile) -> None:
    kind: CassetteProblem
    if cassette.kind != location.kind:
        kind = "kind"
        problem = f"holds {cassette.kind} traffic in the folder of {location.kind} traffic"
    elif cassette.model != location.model:
        kind = "model"
        problem = f"belongs to model {cassette.model!r}, its path says {location.model!r}"
    elif cassette.scenario != location.scenario:
        kind = "scenario"
        problem = f"belongs to scenario {cassette.scenario!r}, its path says {location.scenario!r}"
    elif (cassette.variant, cassette.sample) != (location.variant, location.sample):
        kind = "scenario"
        found, named = (f"variant {one.variant!r}, sample {one.sample}" for one in (cassette, location))
        problem = f"belongs to {found}, its path says {named}"
    else:
        return
    raise CassetteError(location.path, problem, kind=kind, mend=location.record_command())


def _outside(location: CassetteLocation) -> str:
    return f"is a link that leads out of {location.root}; replace it with the file"


def save(location: CassetteLocation, cassette: CassetteFile, *, live_keys: Sequence[str] = ()) -> Path:
    """Save a cassette atomically, without keys in use; returns the path written.

    Raises:
        SecretFound: the content holds a key in use or something like one; nothing was written.
        CassetteError: it cannot be written, is too large to be read again, or a link leads out of the
            folder.
    """
    path = location.path
    content = file.dump(cassette)
    # Checked first: the search for secrets takes time in proportion to the size.
    if len(content.encode("utf-8")) > file.MAX_BYTES:
        problem = f"nothing was saved: the recording is larger than {file.MAX_BYTES:,} bytes"
        raise CassetteError(path, problem, kind="unwritable")
    findings = find_secrets(cassette, live_keys=live_keys)
    if findings:
        raise SecretFound(path, findings)
    # A link at the path itself is replaced; a link above it would be followed.
    if leads_out(path.parent, location.root):
        raise CassetteError(path, _outside(location), kind="unwritable")
    with _writing(location):
        replace_file(path, _serialize_for_save(location, cassette))
    return path


def rewrite(location: CassetteLocation) -> bool:
    """Rewrite a cassette in this release's form with the same content; returns whether the file changed.

    Raises:
        CassetteError: it cannot be loaded or written.
    """
    cassette = load(location)
    with _writing(location):
        before = location.path.read_text(encoding="utf-8")
        content = _serialize(location, cassette)
        if content != before:
            replace_file(location.path, content.encode())
    return content != before


@contextlib.contextmanager
def _writing(location: CassetteLocation) -> Iterator[None]:
    try:
        with locked_folder(location.folder):
            yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CassetteError(location.path, f"cannot be written: {reason}", kind="unwritable") from error


def settle(root: Path) -> None:
    """Clean up the prompts of all folders after a recording; see `settle_prompts`.

    Raises:
        OSError: a file cannot be written; every cassette still has its prompts.
    """
    for location in {location.folder: location for location in list_locations(root)}.values():
        settle_prompts(location.folder, renames=location.kind == "scripted")


def _serialize_for_save(location: CassetteLocation, cassette: CassetteFile) -> bytes:
    content = _serialize(location, cassette)
    if cassette.kind == "scripted":
        # Scripted answers do not depend on the prompts: if nothing else changed, the older recording is
        # kept with the names of the new prompts.
        with contextlib.suppress(CassetteError, OSError, UnicodeDecodeError):
            load(location)
            before = location.path.read_text(encoding="utf-8")
            if (
                same_but_prompts(before, content)
                and (updated := with_prompt_names(before, content)) != before
            ):
                return updated.encode()
    return content.encode()


def _serialize(location: CassetteLocation, cassette: CassetteFile) -> str:
    folder = location.folder / FOLDER
    is_live = location.kind == "live"
    agent = location.scenario.partition("/")[0]

    def name_of(phase: str, text: str) -> str:
        return keep_prompt(folder, f"{agent}.{phase}", text, by_hash=is_live)

    if leads_out(folder, location.root):
        return file.dump(cassette)
    return file.dump(cassette, name_of=name_of)
