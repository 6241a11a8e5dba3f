"""``python -m redpen_evals.training``: fit the weights of clause features anew and write them."""

from __future__ import annotations

from pathlib import Path

import click

from redpen.errors import RedpenError
from redpen_evals.commands.usage import usage_errors
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.training.clauses import examples
from redpen_evals.training.edits import library_edits, read_edits
from redpen_evals.whole_file import replace_file

_EDITS = Path("scenarios/training")
_WEIGHTS = Path("agents/redpen/guards/claims")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--edits", type=click.Path(path_type=Path), default=_EDITS, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=_WEIGHTS, show_default=True)
@usage_errors
def main(edits: Path, out: Path) -> None:
    """Fit what the features of a clause weigh, and write it for the guards.

    Learns from the labelled edits of a folder (`bases.jsonl` and `edits.jsonl`) and from the items of the
    draft library that are not held out. Run it in a checkout; it takes half a minute.
    """
    try:
        from redpen_evals.training.fitting import fit
        from redpen_evals.training.writing import weight_files
    except ImportError as error:
        raise RedpenError(f"{error.name} is not installed: pip install 'redpen[training]'") from error
    layout = Layout(scenarios=Path("scenarios"), cassettes=Path("cassettes"))
    try:
        seen = examples([*read_edits(edits), *library_edits(layout)])
        weights = fit(seen)
        for name, text in weight_files(weights).items():
            replace_file(out / name, text.encode())
    except OSError as error:
        raise RedpenError(f"{error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise RedpenError(f"{edits}: {error}") from error
    click.echo(f"{len(seen):,} edits, {len(weights.claim):,} weights, {len(weights.families):,} of families")


if __name__ == "__main__":
    main()
