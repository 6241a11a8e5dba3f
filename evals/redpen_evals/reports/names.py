"""Names that a page needs: labels for people, anchors for links."""

from __future__ import annotations

import re
from hashlib import sha256

from redpen_evals.records import BASE_VARIANT

BASE_NAME = "base"
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./=,+-]{0,300}")


def variant_name(variant: str) -> str:
    """Return how a variant is named to people; the base has a name too."""
    return BASE_NAME if variant == BASE_VARIANT else variant


def scenario_anchor(scenario: str) -> str:
    """Return the fragment that opens a scenario: its id, or a digest of one that makes no fragment."""
    return _safe(scenario)


def run_anchor(scenario: str, variant: str, sample: int) -> str:
    """Return the fragment that opens one run; what stands before its colon opens the scenario."""
    return f"{_safe(scenario)}:{_safe(variant_name(variant))}~{sample}"


def _safe(name: str) -> str:
    # Page sections have ids without a slash, so that no scenario of a library can take one.
    if _SAFE.fullmatch(name) and ("/" in name or "=" in name or name == BASE_NAME):
        return name
    return f"x-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
