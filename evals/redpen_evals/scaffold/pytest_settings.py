"""A setting for pytest, added to whatever file of a project holds its settings."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen_evals.project import Project, find_project
from redpen_evals.scaffold.writing import FileStep, new_file, read_text

_TOML: Final = ".toml"
_PYPROJECT: Final = "pyproject.toml"


def add_setting(project: Project, name: str, value: str) -> FileStep:
    """Return the step that gives a project a setting of pytest, unless it has it.

    A file that has settings gets a line right below the head of their section. Where pytest would read the
    file otherwise in anything else then, it is kept, and the step says what to add by hand.

    Args:
        project: whose settings.
        name: of the setting.
        value: a text of one line.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    path = project.config
    if path is None:
        return new_file(project.root / "pytest.ini", f"[pytest]\n{name} = {value}\n")
    if name in project.values:
        return FileStep(path=path, what="kept")
    text = read_text(path, project.root)
    section = _section(path, text)
    is_toml = path.suffix == _TOML
    line = f"{name} = {json.dumps(value) if is_toml else value}"
    changed = _with_line(text, section, line)
    wanted = {**project.values, name: value}
    if path.is_symlink() or changed is None or not _reads_as(path, text, changed, wanted):
        return FileStep(path=path, what="kept", note=f"add to its [{section}]: {line}")
    return FileStep(path=path, what="changed", content=changed, note=line)


def _section(path: Path, text: str) -> str:
    if path.name == "setup.cfg":
        return "tool:pytest"
    if path.name != _PYPROJECT:
        return "pytest"
    table = tomllib.loads(text).get("tool", {}).get("pytest", {})
    has_native = any(key != "ini_options" for key in table)
    return "tool.pytest" if has_native else "tool.pytest.ini_options"


def _with_line(text: str, section: str, line: str) -> str | None:
    """Return a text with a line in a section, None where the section's head stands there in no plain way."""
    end = "\r\n" if "\r\n" in text else "\n"
    name = re.escape(section)
    heads = list(re.finditer(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][ \t]*(?:[#;].*)?\r?$", text, re.MULTILINE))
    match heads:
        case [head]:
            # Between the head and its line end stands the carriage return of some systems.
            at = text.find("\n", head.end())
            before, after = (text, "") if at < 0 else (text[: at + 1], text[at + 1 :])
            gap = "" if before.endswith("\n") else end
            return f"{before}{gap}{line}{end}{after}"
        case []:
            gap = "" if not text or text.endswith("\n") else end
            blank = end if text.strip() else ""
            return f"{text}{gap}{blank}[{section}]{end}{line}{end}"
        case _:
            return None


def _reads_as(path: Path, before: str, after: str, wanted: dict[str, object]) -> bool:
    with tempfile.TemporaryDirectory(prefix="redpen-") as name:
        folder = Path(name)
        (folder / path.name).write_text(after, encoding="utf-8", newline="")
        try:
            found = find_project(folder)
        except ConfigurationError:
            return False
    return found.values == wanted and (path.suffix != _TOML or _others(before) == _others(after))


def _others(text: str) -> Any:
    """Return all of a TOML document but pytest's own table."""
    document = tomllib.loads(text)
    document.pop("pytest", None)
    tool = document.pop("tool", {})
    return document, {name: table for name, table in tool.items() if name != "pytest"}
