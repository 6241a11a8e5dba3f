"""``python -m redpen.training``: fits the weights of the claims detector to the labelled edits."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import click

from redpen.errors import RedpenError
from redpen.guards.claims.detector import SHIPPED
from redpen.guards.data import data_path
from redpen.training.edits import read_edits
from redpen.training.examples import examples_of, numbering
from redpen.training.fitting import Recipe, fit
from redpen.training.schemas import SCHEMAS, check_phrases, schema_of, schema_path
from redpen.training.weights import weights_of

_EDITS = Path("scenarios/training")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--edits", type=click.Path(path_type=Path), default=_EDITS, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Output file; by default the weights file of the package."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the stored weights differ.")
@click.option("--schemas", is_flag=True, help="Only write the JSON Schemas of the data files.")
def main(edits: Path, out: Path | None, *, check: bool, schemas: bool) -> None:
    """Fit the weights of the claims detector to a folder of labelled edits.

    The same edits give the same bytes on every machine. It takes a few minutes.
    """
    # Millions of features stay until the end: looking for garbage among them takes an eighth of the time.
    gc.disable()
    target = out or data_path(SHIPPED)
    recipe = Recipe()
    try:
        if schemas:
            for name in SCHEMAS:
                schema_path(name, edits).write_text(schema_of(name), encoding="utf-8")
            return
        check_phrases(data_path("phrases.yaml"))
        numbers = numbering()
        examples = examples_of(read_edits(edits), numbers, processes=os.cpu_count() or 1)
        fitted = fit(examples, numbers, recipe)
        weights = weights_of(fitted, recipe)
        if check:
            if target.read_bytes() != weights:
                raise click.ClickException(f"{target} does not come from {edits}: python -m redpen.training")
        else:
            target.write_bytes(weights)
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    except (RedpenError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(
        f"{len(examples):,} edits, {len(fitted.names):,} features, {len(weights) / 1e6:.1f} MB of weights"
    )


if __name__ == "__main__":
    sys.exit(main())
