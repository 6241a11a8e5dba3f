"""Groups of commands, imported when used, which report Redpen's errors as short messages."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from redpen.errors import RedpenError
from redpen.screen import shown
from redpen_evals.commands.output import safe_output

EXIT_OK: Final = 0
EXIT_FAULTS: Final = 1
EXIT_USAGE: Final = 2
_LONGEST_WORD: Final = 400
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}+")


class LazyGroup(click.Group):
    """The group of all commands, by name: each is imported when it is used, and its output is safe to show.

    ``lazy`` has the ``module:attribute`` and the help line of each.
    """

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command; None if it does not exist."""
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"redpen_evals.commands.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._lazy[name][1]) for name in sorted(self._lazy)])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line."""
        with safe_output():
            return super().main(*args, **kwargs)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the options of the group itself."""
        with _reported_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run one of the commands."""
        with _reported_errors():
            return super().invoke(ctx)


class GroupWithDefault(click.Group):
    """A group with a default command, whose name may be left out."""

    def __init__(self, *args: Any, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the default command's name inserted if it is missing."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [self._default, *args]
        return super().parse_args(ctx, args)


def give_up(message: str, code: int = EXIT_USAGE) -> NoReturn:
    """End the command with a message on standard error and an exit code."""
    # File names and contents are escaped; the line breaks are part of the message.
    safe = "\n".join(map(shown, _bounded(message).split("\n")))
    click.echo(f"redpen: {safe}", err=True)
    raise SystemExit(code)


@contextmanager
def _reported_errors() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        message = error.format_message()
        if _bounded(message) == message:
            raise
        raise click.UsageError(_bounded(message), ctx=error.ctx) from None
    except RedpenError as error:
        give_up(str(error))
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        give_up(f"{error.filename}: {error.strerror}")


def _bounded(message: str) -> str:
    """Return a message with very long words cut."""
    return _LONG_WORD.sub(lambda match: f"{match[0][:_LONGEST_WORD]}…", message)
