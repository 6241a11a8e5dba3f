"""What the command judges: texts from files or standard input, contexts from the library."""

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
"""Bytes of a text file, or of one line of many, that are read."""


def rules_from(
    *,
    claims: ClaimRule,
    max_chars: int | None,
    min_similarity: float | None,
    unread_language: UnreadRule = "concern",
) -> RevisionRules:
    """Return the rules that options ask for.

    Args:
        claims: which claims are allowed.
        max_chars: longest revision in characters; by default, and at most, ``MAX_TEXT_CHARS``.
        min_similarity: least similarity to the original, 0 to 1; by default none is asked.
        unread_language: what a sentence is that is not mostly English.

    Raises:
        InvalidInputError: a number out of bounds.
    """
    if max_chars is not None and not 1 <= max_chars <= MAX_TEXT_CHARS:
        raise InvalidInputError(
            f"--max-chars has to be from 1 to {MAX_TEXT_CHARS}, which is all that is read"
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
    """The contexts of a library by name, each read once.

    Attributes:
        layout: where the library is.
    """

    layout: Layout
    _read: dict[str, JsonObject] = field(default_factory=dict)

    def named(self, name: str) -> JsonObject:
        """Return a context of the library.

        Args:
            name: its file in ``contexts``, without suffix.

        Raises:
            InvalidInputError: there is none of that name.
            FileError: its file has faults.
        """
        if name not in self._read:
            # Most rows bring their context, and a worker that needs no library starts in half the time.
            from redpen_evals.scenario_library.loading import load_any_context

            # Names come from data too: one that is not listed opens no file, wherever it leads.
            names = self.layout.names("contexts")
            path = self.layout.context_path(name) if name in names else None
            if path is None:
                hint = suggestion(name, names) if len(name) <= 100 else ""
                raise InvalidInputError(f"no context {name[:100]!r} in {self.layout.scenarios}{hint}")
            self._read[name] = load_any_context(path)
        return self._read[name]


def read_judged_text(path: Path) -> str:
    """Return a text to judge, its line breaks and control characters as they are.

    Args:
        path: a UTF-8 file of at most ``MAX_BYTES`` bytes, or ``-`` for standard input.

    Raises:
        InvalidInputError: it cannot be read, is larger, or is not UTF-8.
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
