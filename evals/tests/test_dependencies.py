"""Declared dependencies match the imports, have both bounds, and the lock file meets them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DIRECT = PYPROJECT["project"]["dependencies"]
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
ALL = (*DIRECT, *(line for lines in EXTRAS.values() for line in lines))
LOCK = (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8")
HARNESS = ("hypothesis", "openai", "pytest", "vcr")
OURS = {"redpen", "redpen_evals"}
# Pydantic pins its exact version and documents that it may be imported.
BROUGHT_ALONG = {"pydantic-core"}
# HTTP clients that users' agents may bring; imported only where they are installed.
PATCHED_WHERE_THEY_ARE = {"aiohttp", "botocore", "httpx", "requests", "urllib3"}

# Imported only on use: sweeps on a cluster, databases, OpenTelemetry, the review page.
OF_EXTRAS = {"opentelemetry", "psycopg", "pyarrow", "ray", "sqlalchemy", "starlette", "uvicorn"}


def _imported(folder, *, but=()):
    """Yield the top-level names that the modules of a folder import."""
    for path in sorted(set((ROOT / folder).rglob("*.py")) - {ROOT / path for path in but}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield str(node.module).partition(".")[0]


def _locked():
    """Return the locked versions by name."""
    pins = [line.split("==") for line in LOCK.splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in pins}


def _needed(modules):
    """Return the names of the distributions that imported modules come from."""
    places = metadata.packages_distributions()
    return {
        canonicalize_name(places[name][0])
        for name in set(modules) - OURS - PATCHED_WHERE_THEY_ARE - OF_EXTRAS - sys.stdlib_module_names
    }


def _declared(lines):
    return {canonicalize_name(Requirement(line).name) for line in lines}


def test_imported_packages_are_declared_dependencies():
    imported = {*_imported("agents/redpen"), *_imported("evals/redpen_evals")}
    assert _needed(imported) - BROUGHT_ALONG == _declared(DIRECT)


@pytest.mark.parametrize("line", [*ALL, *PYPROJECT["build-system"]["requires"]])
def test_requirement_has_lower_and_upper_bound(line):
    assert sorted(clause.operator for clause in Requirement(line).specifier) == ["<", ">="]


@pytest.mark.parametrize("line", ALL)
def test_locked_version_is_within_declared_bounds(line):
    requirement = Requirement(line)
    assert requirement.specifier.contains(_locked()[canonicalize_name(requirement.name)])


def test_lock_holds_only_pinned_versions_and_no_url():
    assert LOCK.startswith("# ")
    pins = [line for line in LOCK.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in pins)
    assert "://" not in LOCK


def test_guards_and_gateway_import_nothing_of_the_harness():
    code = (
        "import sys, redpen.guards, redpen.gateway.action_policy, redpen.gateway.texts\n"
        "from redpen.guards import check_revision\n"
        "check_revision(original='Payments are slow.', revised='All is fixed.', context={})\n"
        f"print(sorted({{name.partition('.')[0] for name in sys.modules}} & {{*{HARNESS}}}))\n"
    )
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
