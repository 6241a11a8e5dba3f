"""Import of the callable at ``module:callable``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TargetError
from redpen_evals.targets.calling import below_root, call, own_lines
from redpen_evals.targets.run import Raised


class ImportEffects:
    """Changes that imports made to the environment, such as from a file ``.env``, and to ``sys.path``.

    Changes are undone after each run, but a module is imported only in the first run.
    """

    def __init__(self) -> None:
        self._environment: dict[str, str] = {}
        self._paths: list[str] = []

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Record the effects of an import inside the block, and apply those of earlier imports."""
        for name, value in self._environment.items():
            os.environ.setdefault(name, value)
        sys.path += [path for path in self._paths if path not in sys.path]
        environment, paths = set(os.environ), set(sys.path)
        try:
            yield
        finally:
            self._environment |= {name: os.environ[name] for name in os.environ.keys() - environment}
            self._paths += [path for path in sys.path if path not in paths]


IMPORTS: Final = ImportEffects()
"""The import effects of this process."""


def read_agent_names(entries: list[str]) -> dict[str, str]:
    """Return the short names of the setting ``redpen_agents``; raises ConfigurationError for a fault."""
    names: dict[str, str] = {}
    for entry in filter(str.strip, entries):
        name, equals, spec = (part.strip() for part in entry.partition("="))
        if not (name and equals and ":" in spec):
            raise ConfigurationError(f"redpen_agents: {entry!r}: write mailer = support.mailer:write_reply")
        if names.setdefault(name, spec) != spec:
            raise ConfigurationError(f"redpen_agents: {name!r} is given twice")
    return names


def load_callable(
    agent: str, names: Mapping[str, str], *, root: Path | None = None, timeout_s: float | None = None
) -> Callable[..., Any]:
    """Import an agent.

    Args:
        agent: ``module:callable`` or a short name.

    Returns:
        The callable; a method or a callable class is bound to an instance.

    Raises:
        TargetError: there is no such module or name, the import fails, or the object is not callable.
    """
    spec = names.get(agent, agent)
    module_name, colon, path = spec.partition(":")
    if not colon:
        hint = suggestion(agent, names)
        raise TargetError(
            "agent", f"no agent {agent!r}{hint}: write module:callable, or name it in redpen_agents"
        )
    target: Any = _in_time(lambda: import_module(module_name, root), module_name, root, timeout_s)
    owner: Any = None
    walked: list[str] = []
    for part in path.split("."):
        if not hasattr(target, part):
            public = [name for name in dir(target) if not name.startswith("_")]
            place = module_name if owner is None else f"{module_name}:{'.'.join(walked)}"
            raise TargetError("agent", f"{place} has no {part!r}{suggestion(part, public)}")
        walked.append(part)
        is_class = inspect.isclass(target)
        owner, target = target, inspect.getattr_static(target, part) if is_class else getattr(target, part)
    function: Callable[..., Any] = _callable(spec, owner, target)
    return function


def _in_time(work: Callable[[], Any], name: str, root: Path | None, timeout_s: float | None) -> Any:
    if timeout_s is None or name in sys.modules:
        return work()
    result = call(work, timeout_s=timeout_s, root=root)
    if not isinstance(result, Raised):
        return result
    if isinstance(result.error, TargetError):
        raise result.error
    where = f" at {result.lines[-1]}" if result.lines else ""
    raise TargetError("agent", f"the import of {name} fails{where}: {result.names[0]}: {result.message}")


def _callable(spec: str, owner: Any, target: Any) -> Any:
    if inspect.isclass(owner):
        is_bound = isinstance(target, (staticmethod, classmethod))
        target = getattr(owner if is_bound else _instance(spec, owner), spec.rpartition(".")[2])
    elif inspect.isclass(target):
        if not any("__call__" in vars(base) for base in target.__mro__):
            raise TargetError("agent", f"{spec} is a class whose instances cannot be called: name a method")
        target = _instance(spec, target)
    if not callable(target):
        name = type(target).__name__
        article = "an" if name[0] in "aeiou" else "a"
        raise TargetError("agent", f"{spec} is not callable, but {article} {name}")
    return target


def _instance(spec: str, owner: type) -> Any:
    try:
        return owner()
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        raise TargetError(
            "agent", f"{spec}: {owner.__name__}() cannot be created without arguments: {message}"
        ) from error


def import_module(name: str, root: Path | None = None) -> Any:
    """Import a module of the project; raises TargetError if there is none, or if its import fails."""
    try:
        with IMPORTS.watched():
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise TargetError("agent", f"there is no module {name!r}{_nearest(name)}") from None
        raise _failed_import(name, error, root) from error
    except (Exception, SystemExit) as error:
        raise _failed_import(name, error, root) from error


def _failed_import(name: str, error: BaseException, root: Path | None) -> TargetError:
    lines = own_lines(error, root)
    where, message = f" at {lines[-1]}" if lines else "", str(error)
    if isinstance(error, SyntaxError):
        # A SyntaxError has its own file and line.
        spec = _spec_of(name)
        file = Path(error.filename or (spec and spec.origin) or name)
        file = below_root(file, root) or file
        where, message = f" at {file.as_posix()}:{error.lineno or 1}", error.msg
    return TargetError("agent", f"the import of {name} fails{where}: {type(error).__name__}: {message}")


def _spec_of(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def _nearest(name: str) -> str:
    parent, dot, last = name.rpartition(".")
    paths: list[str] | None = sys.path[:5]
    if dot:
        spec = _spec_of(parent)
        if spec is None:
            return _nearest(parent)
        paths = list(spec.submodule_search_locations or ())
    known = [f"{parent}{dot}{module.name}" for module in pkgutil.iter_modules(paths)]
    return suggestion(f"{parent}{dot}{last}", known)
