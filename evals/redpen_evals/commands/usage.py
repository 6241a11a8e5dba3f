"""What the commands have in common: their folders, and how an error ends them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NoReturn, ParamSpec, TypeVar

import click

from redpen.errors import RedpenError
from redpen_evals.checking.screen import shown
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

EXIT_FAULTS = 1
EXIT_USAGE = 2


def usage_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turn Redpen's own errors into a message on standard error and exit code 2."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except RedpenError as error:
            give_up(str(error))

    return wrapped


def pass_layout(command: Callable[Concatenate[Layout, P], R]) -> Callable[P, R]:
    """Give a command the folders of the library alone."""

    @click.pass_obj
    @wraps(command)
    def wrapped(settings: Settings, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return command(settings.layout, *args, **kwargs)

    return wrapped


def give_up(message: str) -> NoReturn:
    """End the command with a message on standard error and exit code 2."""
    # File names and contents are their author's own; line breaks are ours.
    safe = "\n".join(map(shown, message.split("\n")))
    click.echo(f"redpen: {safe}", err=True)
    raise SystemExit(EXIT_USAGE)
