"""The same run in other environments, whose record and reports must differ only in declared fields."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault_campaigns.small_project import run_pytest, write_project
from fault_campaigns.tally import Tally
from redpen_evals.cassettes.prompts import FOLDER
from redpen_evals.records import Record, read_record
from redpen_evals.records.places import RunFolder

DECLARED: Mapping[str, frozenset[str]] = {
    "start": frozenset({"id", "started", "versions", "resumed"}),
    "end": frozenset({"duration_s"}),
}
"""Fields that may differ between two equal runs, by type of the line."""

REPORTS = ("report.html", "report.md", "report.json")

_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """An environment that must not change the results of a run.

    Attributes:
        name: in words.
        environ: variables of the environment.
        backwards: whether the files are created in the opposite order, in a folder of another name.
        elsewhere: whether pytest is started in another folder.
        workers: of pytest-xdist; 0 for none.
    """

    name: str
    environ: Mapping[str, str] = field(default_factory=dict)
    backwards: bool = False
    elsewhere: bool = False
    workers: int = 0


PLAIN = Surroundings(name="plain", environ={"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"})

_ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

OTHERS = (
    Surroundings(name="another hash seed", environ={**PLAIN.environ, "PYTHONHASHSEED": "20260306"}),
    Surroundings(name="a day ahead", environ={**PLAIN.environ, "TZ": "Pacific/Kiritimati"}),
    Surroundings(name="a locale of ASCII alone", environ={**PLAIN.environ, **_ASCII}),
    Surroundings(name="files made in another order", environ=PLAIN.environ, backwards=True),
    Surroundings(name="another working directory", environ=PLAIN.environ, elsewhere=True),
    Surroundings(name="two workers", environ=PLAIN.environ, workers=2),
    Surroundings(
        name="all of it",
        environ={"PYTHONHASHSEED": "7", "TZ": "America/St_Johns", **_ASCII},
        backwards=True,
        elsewhere=True,
        workers=2,
    ),
)


def determinism(
    root: Path,
    *,
    project: Path | None = None,
    arguments: Sequence[str] = (),
    surroundings: Sequence[Surroundings] = OTHERS,
) -> Tally:
    """Run a project in a plain environment and in others, and compare records and reports.

    Args:
        root: an empty folder.
        project: a checkout or another project to copy; by default the small one, with a scenario that is
            stale and one that is broken.
        arguments: of pytest.
        surroundings: the other environments.
    """
    source = project or _small_project(root / "source")
    plain = run_in(PLAIN, source, root / "plain", arguments)
    broken = []
    for number, one in enumerate(surroundings, start=1):
        found = run_in(one, source, root / f"copy{number}", arguments)
        broken += [f"{one.name}: {what}" for what in differences(plain, found)[:1]]
    return Tally(
        fault="other hash seed, time zone, locale, order of files, working directory, number of workers",
        claim="record and reports differ only in declared fields",
        tried=len(surroundings),
        broken=tuple(broken),
    )


def run_in(
    surroundings: Surroundings, source: Path, copy: Path, arguments: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """Copy a project, run it, and return its record and reports without the fields that may differ.

    Args:
        surroundings: of the run.
        source: the project.
        copy: a folder that does not exist yet.
        arguments: of pytest.

    Returns:
        Lines by name: ``record`` (all workers' results in the order of their keys) and the reports.
    """
    copy_project(source, copy, backwards=surroundings.backwards)
    elsewhere = copy.with_name(f"{copy.name}-elsewhere")
    elsewhere.mkdir()
    place = ["--rootdir", str(copy), "-c", str(_configuration(copy))] if surroundings.elsewhere else []
    tests = [str(copy / item) if (copy / item).exists() else item for item in arguments or (".",)]
    code = tuple(path for path in (copy / "agents", copy / "evals") if path.is_dir())
    output = run_pytest(
        copy,
        *(*place, *tests, f"-n{surroundings.workers}", "-p", "no:cacheprovider"),
        *(f"--report={copy / name}" for name in REPORTS),
        environ=surroundings.environ,
        cwd=elsewhere if surroundings.elsewhere else None,
        sources=code or None,
    )
    files = RunFolder(path=copy / ".redpen" / "runs").files()
    if not files:
        return {"record": tuple(output.splitlines())}
    record = read_record(files[-1])
    return {"record": tuple(_lines(files[-1])), **{name: _report(copy / name, record) for name in REPORTS}}


def differences(plain: Mapping[str, Sequence[str]], found: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the first difference in the record and in each report."""
    reported = []
    for name, lines in plain.items():
        others = found.get(name, ())
        for number in range(max(len(lines), len(others))):
            pair = [side[number] if number < len(side) else "nothing" for side in (lines, others)]
            if pair[0] != pair[1]:
                reported.append(f"{name}:{number + 1}: {' | '.join(map(_excerpt, pair, reversed(pair)))}")
                break
    return reported


def copy_project(source: Path, copy: Path, *, backwards: bool = False) -> None:
    """Copy a project without the files of its runs.

    Args:
        source: the project.
        copy: a folder that does not exist yet.
        backwards: whether the last file is created first, because some file systems list files in that order.
    """
    if not backwards:
        shutil.copytree(source, copy, ignore=_LEFT_OUT)
        return
    copy.mkdir()
    names = {path.name for path in source.iterdir()}
    for name in sorted(names - _LEFT_OUT(str(source), list(names)), reverse=True):
        if (source / name).is_dir():
            copy_project(source / name, copy / name, backwards=True)
        else:
            shutil.copy2(source / name, copy / name)


def _small_project(project: Path) -> Path:
    layout = write_project(project)
    first, second, _ = sorted(path for path in layout.cassettes.rglob("*.json") if path.parent.name != FOLDER)
    first.unlink()
    second.write_text("{", encoding="utf-8")
    return project


def _configuration(project: Path) -> Path:
    return next(path for name in ("pyproject.toml", "pytest.ini") if (path := project / name).is_file())


def _lines(path: Path) -> Iterator[str]:
    values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for value in values:
        for name in DECLARED.get(value["type"], ()):
            value.pop(name, None)
    results = [value for value in values if value["type"] == "result"]
    # The results of workers arrive in any order.
    results.sort(key=lambda value: (value["scenario"], value["variant"], value["sample"]))
    others = [value for value in values if value["type"] != "result"]
    yield from (json.dumps(value, ensure_ascii=False) for value in (*others, *results))


def _report(path: Path, record: Record) -> tuple[str, ...]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        document: dict[str, Any] = json.loads(text)
        for name in frozenset().union(*DECLARED.values()):
            document["run"].pop(name, None)
        return tuple(json.dumps(document, indent=1, ensure_ascii=False).splitlines())
    lasted = f", {record.end.duration_s:.1f} s" if record.end else ""
    for message in (record.start.id, record.start.started, lasted):
        if message:
            text = text.replace(message, "…")
    return tuple(text.splitlines())


def _excerpt(line: str, other: str) -> str:
    at = next((at for at, pair in enumerate(zip(line, other, strict=False)) if pair[0] != pair[1]), 0)
    return line[max(0, at - 60) : at + 100]
