"""What the commands have in common: their folders, and how an error ends them."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Final, NoReturn, ParamSpec, TypeVar

import click

from redpen.errors import RedpenError
from redpen.screen import shown
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.settings import GivenFolders, Settings

if TYPE_CHECKING:
    from redpen_evals.project import Project

P = ParamSpec("P")
R = TypeVar("R")

EXIT_FAULTS = 1
EXIT_USAGE = 2
_LONGEST_WORD: Final = 400
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}+")
_PROJECT = "redpen_evals.project"


def usage_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turn Redpen's own errors into a message on standard error and exit code 2."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except RedpenError as error:
            give_up(str(error))
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            give_up(f"{error.filename}: {error.strerror}")

    return wrapped


class BoundedGroup(click.Group):
    """A group of commands whose usage errors repeat no more of a long input than a line of it."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the options of the group itself."""
        with _bounded_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run one of its commands."""
        with _bounded_errors():
            return super().invoke(ctx)


@contextmanager
def _bounded_errors() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        said = error.format_message()
        if bounded(said) == said:
            raise
        raise click.UsageError(bounded(said), ctx=error.ctx) from None


def bounded(message: str) -> str:
    """Return a message in which no word is longer than anybody reads."""
    return _LONG_WORD.sub(lambda found: f"{found[0][:_LONGEST_WORD]}…", message)


def pass_settings(command: Callable[Concatenate[Settings, P], R]) -> Callable[P, R]:
    """Give a command the folders of the project."""

    @click.pass_context
    @wraps(command)
    def wrapped(context: click.Context, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return command(settings_of(context), *args, **kwargs)

    return wrapped


def pass_layout(command: Callable[Concatenate[Layout, P], R]) -> Callable[P, R]:
    """Give a command the folders of the library alone."""

    @click.pass_context
    @wraps(command)
    def wrapped(context: click.Context, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return command(settings_of(context).layout, *args, **kwargs)

    return wrapped


def settings_of(context: click.Context) -> Settings:
    """Return the folders that the command line or the project names; ends the command if they cannot be."""
    folders: GivenFolders = context.obj
    try:
        return folders.settings(project_of(context))
    except RedpenError as error:
        give_up(str(error))


def project_of(context: click.Context) -> Project:
    """Return the project that the command is run in; ends the command if its settings cannot be read."""
    from redpen_evals.project import find_project

    # A command needs them for several things, and they are the same for all.
    known: Project | None = context.meta.get(_PROJECT)
    if known is not None:
        return known
    try:
        found = find_project()
    except RedpenError as error:
        give_up(str(error))
    context.meta[_PROJECT] = found
    return found


def give_up(message: str) -> NoReturn:
    """End the command with a message on standard error and exit code 2."""
    # File names and contents are their author's own; line breaks are ours.
    safe = "\n".join(map(shown, bounded(message).split("\n")))
    click.echo(f"redpen: {safe}", err=True)
    raise SystemExit(EXIT_USAGE)
