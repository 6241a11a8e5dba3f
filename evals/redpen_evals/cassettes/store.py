"""Where cassettes lie, and how one is saved: atomically."""

from __future__ import annotations

import contextlib
import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote, unquote

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out
from redpen_evals.atomic_write import locked_folder, replace_file
from redpen_evals.cassettes import file
from redpen_evals.cassettes.prompts import FOLDER, keep_prompt, renamed, same_but_prompts, settle_prompts
from redpen_evals.cassettes.secrets import find_secrets
from redpen_evals.errors import CassetteError, SecretFound
from redpen_evals.folders import walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from redpen_evals.cassettes.file import CassetteFile, CassetteKind
    from redpen_evals.errors import CassetteProblem

SCRIPTED_MODEL: Final = "scripted"
AGENTS_OWN_MODEL: Final = "live"
"""Stands for the models that agents of somebody's own choose by themselves."""

JUDGED_DRAFTS: Final = "judged-drafts"
"""First part of the ids under which the answers of judges about labelled drafts are recorded."""

SUFFIX: Final = ".json"
_MAX_NAME: Final = 240
_SCENARIO_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")


def model_file_name(model: str) -> str:
    """Return the name of a model as a file name can hold it: other characters are percent-escaped.

    Raises:
        ConfigurationError: it is too long, or no text: on the command line it was no UTF-8.
    """
    name = _escaped(model, safe=" ")
    if len(name) > _MAX_NAME:
        raise ConfigurationError(f"{model[:40]!r}… is too long for the name of a file")
    return f"%2E{name[1:]}" if name.startswith(".") else name


@dataclass(frozen=True, slots=True, kw_only=True)
class CassetteLocation:
    """The place of one cassette.

    Args:
        root: the folder of all cassettes.
        model: `scripted`, or the name of a live model.
        scenario: scenario id, parts joined by `/`.
        variant: label of the variant, such as `critique=v2`; empty for the base.
        sample: number of the independent answer, from 1.
        test: node id of the test that makes the run by itself; empty where a scenario does.

    Raises:
        ConfigurationError: the model has no name, or the id could not be a path below the root.
    """

    root: Path
    model: str
    scenario: str
    variant: str = ""
    sample: int = 1
    test: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Refuse what would lead out of the root."""
        if not self.model.strip():
            raise ConfigurationError("a model needs a name")
        if self.sample < 1:
            raise ConfigurationError("samples are numbered from 1")
        if not _SCENARIO_ID.fullmatch(self.scenario):
            raise ConfigurationError(
                f"{self.scenario!r} is no scenario id: letters, digits, '.', '_' and '-', parts joined by '/'"
            )

    @property
    def folder(self) -> Path:
        """The folder of the model; characters that a file name cannot hold are percent-escaped."""
        name = model_file_name(self.model)
        if self.variant:
            # A plus in the model's name is escaped, so this one parts it from the variant.
            name += f"+{_escaped(self.variant, safe=' =,')}"
        if len(name) > _MAX_NAME:
            raise ConfigurationError(f"{name[:40]!r}… is too long for the name of a folder")
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
        """Return the command that records this cassette and no other."""
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
        raise ConfigurationError(f"{name!a} is no name: it is not UTF-8") from None


def list_locations(root: Path) -> list[CassetteLocation]:
    """List the cassettes below a folder, sorted; temporary files and alien names are left out.

    What lies behind a link to a folder is not listed.

    Args:
        root: the folder of all cassettes; it need not exist.
    """
    found = []
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
                found.append(location)
    return found


def load(location: CassetteLocation) -> CassetteFile:
    """Read the cassette of a place and hold it against the place.

    Args:
        location: model and scenario that the file must be of.

    Returns:
        The content.

    Raises:
        CassetteError: it cannot be read, leads out of the folder, or belongs to another kind, model or
            scenario.
    """
    path = location.path
    command = location.record_command()
    if leads_out(path, location.root):
        raise CassetteError(path, _outside(location), kind="unreadable")
    try:
        cassette = file.read(path, mend=command)
    except CassetteError as error:
        if error.kind == "prompt":
            # A file that was moved here has left its prompts behind.
            _check_place(location, file.read(path, mend=command, without_prompts=True))
        raise
    _check_place(location, cassette)
    return cassette


def _check_place(location: CassetteLocation, cassette: CassetteFile) -> None:
    path, command = location.path, location.record_command()
    kind: CassetteProblem | None = None
    if cassette.kind != location.kind:
        kind, problem = "kind", f"holds {cassette.kind} traffic in the folder of {location.kind} traffic"
    elif cassette.model != location.model:
        kind, problem = "model", f"is of model {cassette.model!r}, its path says {location.model!r}"
    elif cassette.scenario != location.scenario:
        kind, problem = (
            "scenario",
            f"is of scenario {cassette.scenario!r}, its path says {location.scenario!r}",
        )
    elif (cassette.variant, cassette.sample) != (location.variant, location.sample):
        kind, problem = (
            "scenario",
            f"is of {_named(cassette.variant, cassette.sample)}, its path says "
            + _named(location.variant, location.sample),
        )
    if kind:
        raise CassetteError(path, problem, kind=kind, mend=command)


def _outside(location: CassetteLocation) -> str:
    return f"leads out of {location.root} over a link; put the file in its place"


def _named(variant: str, sample: int) -> str:
    return f"variant {variant!r}, sample {sample}"


def save(location: CassetteLocation, cassette: CassetteFile, *, live_keys: Sequence[str] = ()) -> Path:
    """Save a cassette atomically; an older file stays until the new one is complete.

    Args:
        location: where to.
        cassette: the content.
        live_keys: keys in use, which must not be in the file.

    Returns:
        The path written.

    Raises:
        SecretFound: the content holds the key or something like one; nothing was written.
        CassetteError: the disk refused it, it is too large to be read again, or a link leads out of the
            folder.
    """
    path = location.path
    content = file.dump(cassette)
    # First, since to look for secrets in texts without end takes as long.
    if len(content.encode("utf-8")) > file.MAX_BYTES:
        problem = f"nothing was saved: the recording is larger than {file.MAX_BYTES:,} bytes"
        raise CassetteError(path, problem, kind="unwritable")
    findings = find_secrets(cassette, live_keys=live_keys)
    if findings:
        raise SecretFound(path, findings)
    # The file itself is replaced, whatever it is; a folder above it would be followed.
    if leads_out(path.parent, location.root):
        raise CassetteError(path, _outside(location), kind="unwritable")
    try:
        with locked_folder(location.folder):
            replace_file(path, _with_prompts_apart(location, cassette))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CassetteError(path, f"cannot be written: {reason}", kind="unwritable") from error
    return path


def rewrite(location: CassetteLocation) -> bool:
    """Write a cassette as this release writes it, with the same content; returns whether the file changed.

    Raises:
        CassetteError: it cannot be used, or the disk refused it.
    """
    cassette = load(location)
    try:
        with locked_folder(location.folder):
            before = location.path.read_text(encoding="utf-8")
            content = _dumped(location, cassette)
            if content == before:
                return False
            replace_file(location.path, content.encode())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CassetteError(location.path, f"cannot be written: {reason}", kind="unwritable") from error
    return True


def settle(root: Path) -> None:
    """Tidy the prompts of all folders after a recording, so that an unchanged name has the new text.

    Raises:
        OSError: the disk refused it; every cassette still has its prompts.
    """
    for location in {location.folder: location for location in list_locations(root)}.values():
        settle_prompts(location.folder, renames=location.kind == "scripted")


def _with_prompts_apart(location: CassetteLocation, cassette: CassetteFile) -> bytes:
    content = _dumped(location, cassette)
    if cassette.kind == "scripted":
        # A script answers the same whatever the prompt says: where nothing else has changed, the older
        # recording stands, under the names of the new prompts.
        with contextlib.suppress(CassetteError, OSError, UnicodeDecodeError):
            load(location)
            before = location.path.read_text(encoding="utf-8")
            if same_but_prompts(before, content) and (again := renamed(before, content)) != before:
                return again.encode()
    return content.encode()


def _dumped(location: CassetteLocation, cassette: CassetteFile) -> str:
    folder = location.folder / FOLDER
    is_live = location.kind == "live"
    agent = location.scenario.partition("/")[0]

    def name_of(phase: str, text: str) -> str:
        return keep_prompt(folder, f"{agent}.{phase}", text, by_hash=is_live)

    if leads_out(folder, location.root):
        return file.dump(cassette)
    return file.dump(cassette, name_of=name_of)
