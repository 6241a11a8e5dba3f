"""The checks do not import the code that they judge."""

from __future__ import annotations

import ast
from pathlib import Path

import redpen_evals.checks

# The reader of phrases also finds what the checks found by themselves, a plain part of a text.
PERMITTED = ("redpen.text.phrases.mentions",)
FORBIDDEN = ("redpen.gateway", "redpen.guards", "redpen.agents", "redpen.text", "redpen.chat")


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_checks_import_no_agent_guard_or_gateway():
    folder = Path(redpen_evals.checks.__file__).parent
    found = [
        f"{path.name}: {name}"
        for path in sorted(folder.glob("*.py"))
        for name in _imports(path)
        if name.startswith(FORBIDDEN) and name not in PERMITTED
    ]
    assert found == []
