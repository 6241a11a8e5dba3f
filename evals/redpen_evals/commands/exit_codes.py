"""``redpen exit-codes``: what the command and pytest end with."""

from __future__ import annotations

import click


@click.command("exit-codes")
def show_exit_codes() -> None:
    """Show every exit code of `redpen` and of `pytest` with its plugin."""
    from redpen_evals.exit_codes import EXIT_CODES
    from redpen_evals.tables import table_lines

    rows = [(str(code), command, plugin) for code, command, plugin in EXIT_CODES]
    for line in table_lines(("code", "redpen", "pytest"), rows):
        click.echo(line)
