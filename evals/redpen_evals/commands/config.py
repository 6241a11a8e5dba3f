"""``redpen config`` and ``redpen exit-codes``: list settings with their values, and exit codes."""

from __future__ import annotations

import os
from typing import Final

import click

from redpen.screen import shown
from redpen_evals.commands.options import AS_JSON
from redpen_evals.commands.output import print_json, print_lines
from redpen_evals.commands.workspace import Workspace
from redpen_evals.exit_codes import EXIT_CODES
from redpen_evals.settings import SETTINGS, Setting
from redpen_evals.tables import table_lines

_FOLDERS: Final = ("scenarios", "cassettes", "runs", "baseline")
_ADDRESSES: Final = frozenset({"redpen_events"})
"""Settings whose values may contain a password."""
_SECRET: Final = frozenset({"OPENAI_API_KEY"})
_ENVIRONMENT: Final = {
    "OPENAI_API_KEY": ("", "API key for recording"),
    "OPENAI_BASE_URL": ("https://api.openai.com/v1", "base URL of the model's server"),
    "OPENAI_MODEL": ("gpt-4.1-mini", "model of the built-in agents"),
    "OPENAI_TIMEOUT_SECONDS": ("60", "timeout of one request"),
}


@click.command("config")
@AS_JSON
@click.pass_obj
def show_config(workspace: Workspace, *, as_json: bool) -> None:
    """Show every setting, its value, and where it comes from.

    A setting comes from an option of `redpen`, else from pytest's configuration, else from redpen.toml
    (there without `redpen_`: `scenarios = "cases"`), else from its default. Nothing is created.

    Exit code: 0 shown, 2 a setting is unknown or invalid.
    """
    root = str(workspace.project.root)
    rows = [*(_row(setting, workspace) for setting in SETTINGS), *map(_variable, _ENVIRONMENT)]
    if as_json:
        names = ("name", "value", "source", "about")
        print_json({"root": root, "settings": [dict(zip(names, row, strict=True)) for row in rows]})
        return
    click.echo(f"project {shown(root)}")
    texts = [
        (name, value if isinstance(value, str) else ", ".join(value), source)
        for name, value, source, _ in rows
    ]
    print_lines(table_lines(("setting", "value", "from"), texts))


@click.command("exit-codes")
def show_exit_codes() -> None:
    """Show every exit code of `redpen` and of `pytest` with its plugin."""
    rows = [(str(code), command, plugin) for code, command, plugin in EXIT_CODES]
    print_lines(table_lines(("code", "redpen", "pytest"), rows))


def _row(setting: Setting, workspace: Workspace) -> tuple[str, str | list[str], str, str]:
    project = workspace.project
    option = getattr(workspace, setting.key) if setting.key in _FOLDERS else None
    if option is not None:
        return setting.name, str(option), f"option --{setting.key}", setting.about
    source = project.origins.get(setting.name, "default")
    value = project.text(setting.name) if isinstance(setting.default, str) else project.lines(setting.name)
    if setting.name in _ADDRESSES and isinstance(value, str):
        from redpen.databases.address import without_login

        value = without_login(value)
    return setting.name, value, source, setting.about


def _variable(name: str) -> tuple[str, str | list[str], str, str]:
    default, about = _ENVIRONMENT[name]
    value = os.environ.get(name, "").strip()
    if not value:
        return name, default, "default", about
    return name, "set" if name in _SECRET else value, "environment", about
