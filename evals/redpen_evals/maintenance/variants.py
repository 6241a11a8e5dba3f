"""The variants that cassettes are of, and those that no run can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Entry
from redpen_evals.variants import Variant, read_variants


def variant_of(location: CassetteLocation, *, prompts: Path | None = None) -> Variant | None:
    """Return the variant whose runs play a cassette, or None if there is none.

    Args:
        location: the cassette's place.
        prompts: folder of the user's own prompts, which the variant may name.
    """
    try:
        return _variant(location, prompts)
    except ConfigurationError:
        return None


def unknown_variants(entries: Sequence[Entry], *, prompts: Path | None = None) -> Iterator[Fault]:
    """Yield a note for every folder whose variant no run can have.

    Args:
        entries: all cassettes.
        prompts: as for ``variant_of``.
    """
    folders = {entry.location.folder: entry.location for entry in entries if entry.location.variant}
    for folder, location in sorted(folders.items()):
        try:
            _variant(location, prompts)
        except ConfigurationError as error:
            yield Fault(
                path=folder,
                sort="unknown_variant",
                problem=f"no run has this variant: {error}",
                mend="name the folder of your prompts with --prompts, or delete this one",
            )


def _variant(location: CassetteLocation, prompts: Path | None) -> Variant:
    knobs = [knob for knob in location.variant.split(",") if knob]
    (variant,) = read_variants(model=location.model, variants=knobs, folder=prompts)
    if variant.cassette_label != location.variant:
        raise ConfigurationError(f"it is the same as {variant.cassette_label or 'the base'}")
    return variant
