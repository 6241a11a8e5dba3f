"""Loads the guards again without one row of one table, and hands back the sound ones afterwards.

A mutant is made in memory: the module that defines the table is compiled in two, and the row is taken out
between the halves; then every module that hangs on it is loaded anew, so that what is built from the table at
import is built without the row.
"""

from __future__ import annotations
import __future__

import ast
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import redpen
from redpen_evals.mutation.tables import Row, assigned_names, without

_ANNOTATIONS = __future__.annotations.compiler_flag
_AGENTS = Path(redpen.__file__).resolve().parent.parent
_FRESH = ("redpen.guards", "redpen.text")
_UNTOUCHED = "redpen.guards.known_words"
"""Gathers the words of most tables: a mutant is read with the words of the sound ones."""


@contextmanager
def loader() -> Iterator[Loader]:
    """Load guards for mutation; afterwards the modules are those that were loaded before."""
    before = {name: module for name, module in sys.modules.items() if name.startswith(_FRESH)}
    shared = _shared_loader()
    sys.meta_path.insert(0, shared)
    try:
        yield shared
    finally:
        sys.meta_path.remove(shared)
        _forget()
        _put_back(before)


@lru_cache(maxsize=1)
def _shared_loader() -> Loader:
    # What it has compiled and loaded without any mutant serves every table of a process.
    return Loader()


def _put_back(modules: Mapping[str, ModuleType]) -> None:
    sys.modules.update(modules)
    for name, module in modules.items():
        package, _, attribute = name.rpartition(".")
        setattr(sys.modules[package], attribute, module)


class Loader:
    """Loads the guards, and again without one row: what does not hang on its table is loaded once."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[CodeType, str, bool]] = {}
        self._halves: dict[tuple[str, str], tuple[CodeType, CodeType]] = {}
        self._sound: dict[str, ModuleType] = {}
        self._mutant: Row | None = None

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Answer the import system for the modules of the guards."""
        del path, target
        if not name.startswith(_FRESH):
            return None
        _, source, package = self._code(name)
        if not source:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=source, is_package=package)  # type: ignore[arg-type]
        if spec is not None and package:
            spec.submodule_search_locations = [str(Path(source).parent)]
        return spec

    def create_module(self, spec: object) -> None:
        """Leave the making of a module to the import system."""
        del spec

    def exec_module(self, module: ModuleType) -> None:
        """Run a module, without the row of the mutant if it is the one that defines it."""
        code, source, _ = self._code(module.__name__)
        module.__file__ = source
        mutant = self._mutant
        if mutant is None or mutant.module != module.__name__:
            exec(code, module.__dict__)  # noqa: S102 - the checkout's own modules
            return
        key = mutant.module, mutant.table
        if key not in self._halves:
            self._halves[key] = _halves(Path(source), mutant.table)
        before, after = self._halves[key]
        exec(before, module.__dict__)  # noqa: S102
        setattr(module, mutant.table, without(getattr(module, mutant.table), mutant))
        exec(after, module.__dict__)  # noqa: S102

    def _code(self, name: str) -> tuple[CodeType, str, bool]:
        if name not in self._codes:
            stem = _AGENTS.joinpath(*name.split("."))
            package = stem.is_dir()
            source = stem / "__init__.py" if package else stem.with_suffix(".py")
            if not source.is_file():
                return compile("", name, "exec"), "", False
            # The package of the guards itself would load all of them: each is asked for by name instead.
            text = "" if name == "redpen.guards" else source.read_text(encoding="utf-8")
            self._codes[name] = compile(text, str(source), "exec"), str(source), package
        return self._codes[name]

    def load(self, mutant: Row | None, names: Sequence[str]) -> list[ModuleType]:
        """Return the named modules as the mutant has them; those of no mutant are kept for the next call."""
        _forget()
        self._mutant = mutant
        if mutant is None:
            _put_back(self._sound)
        else:
            touched = self._hanging_on(mutant.module)
            for name, module in self._sound.items():
                # A package would hand out the sound module for "from package import module".
                package, _, attribute = name.rpartition(".")
                vars(self._sound.get(package, module)).pop(attribute, None)
                if name not in touched:
                    sys.modules[name] = module
                    setattr(self._sound.get(package, module), attribute, module)
        modules = [importlib.import_module(name) for name in names]
        if mutant is None:
            self._sound = {name: module for name, module in sys.modules.items() if name.startswith(_FRESH)}
        return modules

    def _hanging_on(self, name: str) -> set[str]:
        """Return a module and all that import it, directly or not."""
        found = {name}
        while True:
            more = {
                other
                for other, module in self._sound.items()
                if other not in found
                and other != _UNTOUCHED
                and not found.isdisjoint(_imports(Path(str(module.__file__))))
            }
            if not more:
                return found
            found |= more


@lru_cache(maxsize=256)
def _imports(source: Path) -> frozenset[str]:
    """Return the modules that a module names in its imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and source.name != "__init__.py":
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return frozenset(found)


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith(_FRESH)]:
        del sys.modules[name]


def _halves(source: Path, table: str) -> tuple[CodeType, CodeType]:
    """Compile a module in two: up to where a table is assigned, and the rest."""
    body = ast.parse(source.read_text(encoding="utf-8")).body
    for at, node in enumerate(body):
        if table in assigned_names(node):
            # What a module postpones of its annotations holds for both halves.
            parts = (ast.Module(part, []) for part in (body[: at + 1], body[at + 1 :]))
            first, second = (compile(part, str(source), "exec", flags=_ANNOTATIONS) for part in parts)
            return first, second
    raise LookupError(f"{source}: no table {table}")
