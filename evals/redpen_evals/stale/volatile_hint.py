"""Whether a request only differs in what looks made anew for every run, such as an id."""

from __future__ import annotations

import re
from typing import Final

from redpen_evals.cassettes.mismatch import Change, Mismatch

_MADE_ANEW: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<![0-9A-Za-z])[0-9a-f]{16,128}(?![0-9A-Za-z])"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*")
_MAX_CHARS: Final = 500


def volatile_hint(mismatch: Mismatch) -> str:
    """Return a line that says which setting passes over what differs; empty where it is no id or time.

    Args:
        mismatch: how a request differs from its recording.
    """
    if not mismatch.changes or not all(map(_is_made_anew, mismatch.changes)):
        return ""
    places = dict.fromkeys(re.sub(r"\[\d+\]", "[*]", f"$.{change.path}") for change in mismatch.changes)
    return f"if every run has another value there: redpen_volatile = {', '.join(places)}"


def _is_made_anew(change: Change) -> bool:
    before, after = change.before, change.after
    if not (isinstance(before, str) and isinstance(after, str) and _PLACE.fullmatch(change.path)):
        return False
    # In a text that a model reads, the setting would pass over all the rest of it too.
    if max(len(before), len(after)) > _MAX_CHARS or re.search(r"\s", before + after):
        return False
    return bool(_MADE_ANEW.search(after)) and _MADE_ANEW.sub("", before) == _MADE_ANEW.sub("", after)
