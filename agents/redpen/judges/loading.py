"""Loads judges from files: ``<name>.md``, or ``<name>.<version>.md`` for another version."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import TypeAdapter

from redpen.errors import ConfigurationError
from redpen.judges.judge import Judge
from redpen.judges.measured import Measured, measured_path, read_measured
from redpen.judges.model import JudgeFile
from redpen.plain_file import leads_out
from redpen.text.suggestion import suggestion
from redpen.yaml_files.front_matter import read_front_matter
from redpen.yaml_files.parsing import field_names
from redpen.yaml_files.problem import FileError, problem_in

SHIPPED = Path(__file__).parent
"""Folder of the built-in judges."""

_SUFFIX = ".md"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:\.[A-Za-z0-9][A-Za-z0-9_-]{0,39})?")
_SHAPE: TypeAdapter[JudgeFile] = TypeAdapter(JudgeFile)
_FIELDS = field_names(JudgeFile)


def load_judge(name: str, *, folder: Path | None = None, model: str = "") -> Judge:
    """Return a judge with its measured rates for a model.

    Args:
        name: name of its file without suffix, such as ``promises`` or ``promises.v2``.
        folder: folder of the project's judges and measurements, which take precedence over the built-in ones;
            None for the built-in ones only.
        model: the model that it asks; a judge may block only with a model that it was measured with.

    Raises:
        ConfigurationError: there is no such judge, or its file or its measurements are invalid.
    """
    folders = _folders(folder)
    if not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"{name[:80]!r} is not a valid name of a judge, such as promises or promises.v2"
        )
    for place in folders:
        path = place / f"{name}{_SUFFIX}"
        if path.exists():
            return read_judge(path, model=model, measured=_measured(folders, name, model))
    known = judge_names(folder)
    raise ConfigurationError(
        f"no judge {name!r}{suggestion(name, known)}; there is {', '.join(known)} in "
        + " and ".join(map(str, folders))
    )


def judge_names(folder: Path | None = None) -> tuple[str, ...]:
    """Return the sorted names of the judges in a folder, which need not exist, and of the built-in ones."""
    return tuple(sorted({path.stem for place in _folders(folder) for path in place.glob(f"*{_SUFFIX}")}))


def read_judge(path: Path, *, model: str = "", measured: Measured | None = None) -> Judge:
    """Read one file.

    Args:
        path: the file.
        model: the model that the judge asks.
        measured: its rates with that model.

    Raises:
        ConfigurationError: the file is invalid; every fault is listed as ``file:line: field: problem``.
    """
    try:
        file, text = _read(path)
    except FileError as error:
        raise ConfigurationError(str(error)) from error
    return Judge(
        name=file.name,
        version=file.version,
        questions=tuple(file.questions),
        samples=file.samples,
        gate=file.gate,
        text=text,
        path=path,
        model=model,
        measured=measured,
    )


def _folders(folder: Path | None) -> list[Path]:
    if folder is None or folder.resolve() == SHIPPED.resolve():
        return [SHIPPED]
    return [folder, SHIPPED]


def _read(path: Path) -> tuple[JudgeFile, str]:
    # Installers may install package files as links into a store.
    if path.parent != SHIPPED and leads_out(path, path.parent):
        raise problem_in(path, f"is a link that leads out of {path.parent}; replace it with the file")
    file, source, text = read_front_matter(
        path,
        _SHAPE,
        fields=_FIELDS,
        expected="a judge starts with its front matter: name, version, questions …",
    )
    stem = path.name.split(".", maxsplit=1)[0]
    if file.name != stem:
        message = f"{file.name!r} is not the name of the file, {stem!r}"
        raise problem_in(path, message, line=source.line_of(("name",)), field="name")
    return file, text


def _measured(folders: list[Path], name: str, model: str) -> Measured | None:
    for place in folders:
        found = read_measured(measured_path(place, name)).models.get(model)
        if found is not None:
            return found
    return None
