"""The inputs of ``redpen check``: texts from files or standard input, contexts from the library."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules
from redpen.guards.language import UnreadRule
from redpen.guards.revision import MAX_TEXT_CHARS, ClaimRule
from redpen.text.suggestion import suggestion
from redpen.types import JsonObject
from redpen_evals.scenario_library.layout import Layout

STDIN = Path("-")
MAX_BYTES = 1_000_000
"""Maximum size of a text file, or of one JSON line."""


def rules_from(
    *,
    claims: ClaimRule,
    max_chars: int | None,
    min_similarity: float | None,
    unread_language: UnreadRule = "concern",
) -> RevisionRules:
    """Return the rules from command-line options; raises InvalidInputError for a number out of bounds.

    By default, and at most, a revision has ``MAX_TEXT_CHARS`` characters.
    """
    if max_chars is not None and not 1 <= max_chars <= MAX_TEXT_CHARS:
        raise InvalidInputError(
            f"--max-chars has to be from 1 to {MAX_TEXT_CHARS}, the longest text that is read"
        )
    if min_similarity is not None and not 0 <= min_similarity <= 1:
        raise InvalidInputError("--min-similarity has to be from 0 to 1")
    return RevisionRules(
        max_chars=MAX_TEXT_CHARS if max_chars is None else max_chars,
        min_similarity=min_similarity,
        claims=claims,
        unread_language=unread_language,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """The contexts of a library by name, with a cache."""

    layout: Layout
    _cache: dict[str, JsonObject] = field(default_factory=dict)

    def named(self, name: str) -> JsonObject:
        """Return a context of the library by its file in ``contexts``, without suffix.

        Raises:
            InvalidInputError: there is no such context.
            FileError: its file is invalid.
        """
        if name not in self._cache:
            # A lazy import: workers that need no library start in half the time.
            from redpen_evals.scenario_library.loading import load_any_context

            # Names may come from data: only listed ones are opened, so that none leads out of the folder.
            names = self.layout.names("contexts")
            path = self.layout.context_path(name) if name in names else None
            if path is None:
                hint = suggestion(name, names) if len(name) <= 100 else ""
                raise InvalidInputError(f"no context {name[:100]!r} in {self.layout.scenarios}{hint}")
            self._cache[name] = load_any_context(path)
        return self._cache[name]


def read_judged_text(path: Path) -> str:
    """Return a text to judge, with its line breaks and control characters unchanged; ``-`` is standard input.

    Raises:
        InvalidInputError: it cannot be read, is larger than ``MAX_BYTES``, or is not UTF-8.
    """
    where = "standard input" if path == STDIN else str(path)
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{where}: cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise InvalidInputError(f"{where}: larger than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidInputError(f"{where}:{line}: not UTF-8: save the file in that encoding") from error
