"""``redpen config``: every setting, its value, and where that comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import click

from redpen_evals.commands.usage import project_of, usage_errors
from redpen_evals.settings import SETTINGS, GivenFolders, Setting

if TYPE_CHECKING:
    from redpen_evals.project import Project

_FOLDERS: Final = ("scenarios", "cassettes", "runs", "baseline")
_ADDRESSES: Final = frozenset({"redpen_events"})
"""Settings whose values may have a password in them."""
_SECRET: Final = frozenset({"OPENAI_API_KEY"})
_ENVIRONMENT: Final = {
    "OPENAI_API_KEY": ("", "key of the model that is asked while recording"),
    "OPENAI_BASE_URL": ("https://api.openai.com/v1", "address of that model's server"),
    "OPENAI_MODEL": ("gpt-4.1-mini", "that model's name, for the built-in agents"),
    "OPENAI_TIMEOUT_SECONDS": ("60", "time of one request to it"),
}


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@usage_errors
def show_config(context: click.Context, *, as_json: bool) -> None:
    """Show every setting, its value, and where it comes from.

    A setting comes from an option of `redpen`, else from pytest's configuration, else from redpen.toml
    (there without `redpen_`: `scenarios = "cases"`), else it has its default. Nothing is created.

    Exit code: 0 shown, 2 a setting that is none or cannot be used.
    """
    from redpen.screen import json_text, shown
    from redpen_evals.tables import table_lines

    project = project_of(context)
    rows = [*(_row(setting, project, context.obj) for setting in SETTINGS), *map(_variable, _ENVIRONMENT)]
    if as_json:
        names = ("name", "value", "source", "about")
        found = {"root": str(project.root), "settings": [dict(zip(names, row, strict=True)) for row in rows]}
        click.echo(json_text(found, encoding="utf-8", indent=2))
        return
    click.echo(f"project {shown(str(project.root))}")
    texts = [(name, _text(value), source) for name, value, source, _ in rows]
    for line in table_lines(("setting", "value", "from"), texts):
        click.echo(line)


def _row(setting: Setting, project: Project, given: GivenFolders) -> tuple[str, str | list[str], str, str]:
    option = getattr(given, setting.key) if setting.key in _FOLDERS else None
    if option is not None:
        return setting.name, str(option), f"option --{setting.key}", setting.about
    source = project.origins.get(setting.name, "default")
    value = (
        project.text(setting.name, setting.default)
        if isinstance(setting.default, str)
        else project.lines(setting.name, setting.default)
    )
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


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
