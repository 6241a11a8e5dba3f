"""Where in the project the words stand that made a request another one."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redpen_evals.cassettes.mismatch import Mismatch

_SUFFIXES: Final = frozenset(
    ".py .md .txt .prompt .j2 .jinja .jinja2 .tmpl .yaml .yml .json .toml .ini .cfg .xml .html "
    ".js .mjs .cjs .ts .tsx .go .rb .java .rs .cs .php".split()
)
_PASSED_OVER: Final = frozenset(
    {"node_modules", "__pycache__", "site-packages", "dist", "build", "venv", "cassettes", "htmlcov"}
)
_MAX_FILES: Final = 2_000
_MAX_BYTES: Final = 500_000
_WORDS: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WIDEST: Final = 9
_NARROWEST: Final = 3
_MAX_COMPARED: Final = 20_000


def change_origin(mismatch: Mismatch, root: Path) -> str:
    """Return where in the files of a project a changed text of a request stands.

    Looked for are the changed words with those around them, ever fewer of these: in a file, quotes, line
    breaks and placeholders may stand between.

    Args:
        mismatch: how a request differs from its recording.
        root: folder of the project.

    Returns:
        ``prompts/reply.md:3``; empty where no file, or no text of it, holds the words.
    """
    for change in mismatch.changes:
        if not isinstance(change.before, str) or not isinstance(change.after, str):
            continue
        passages = list(_passages(change.before[:_MAX_COMPARED], change.after[:_MAX_COMPARED]))
        if passages and (found := _find(passages, root)):
            return found
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """Words of a changed text: some before the change, the changed ones (none where words were taken away)
    and some behind.
    """

    before: tuple[str, ...]
    changed: tuple[str, ...]
    behind: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.before, *self.changed, *self.behind)

    @property
    def pattern(self) -> re.Pattern[str]:
        words = list(map(re.escape, self.words))
        at = min(len(self.before), len(words) - 1)
        words[at] = f"(?P<change>{words[at]})"
        # Between two words may stand what a file needs to hold them: quotes, breaks, escapes.
        return re.compile(r"[\W_]{1,40}?(?:n(?=\W))?[\W_]{0,20}?".join(words))


def _passages(before: str, after: str) -> Iterator[_Passage]:
    """Yield the words around the first change, the longest passage first."""
    old, new = (_WORDS.findall(text) for text in (before, after))
    blocks = difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()
    found = next(((start, end) for tag, _, _, start, end in blocks if tag != "equal"), None)
    if found is None:
        return
    start, end = found
    changed = tuple(new[start:end])
    for around in range(_WIDEST, -1, -1):
        for left, right in ((around, around), (around, 0), (0, around)):
            passage = _Passage(
                before=tuple(new[max(start - left, 0) : start]),
                changed=changed,
                behind=tuple(new[end : end + right]),
            )
            if len(passage.words) >= _NARROWEST or passage.words == changed:
                yield passage


def _find(passages: list[_Passage], root: Path) -> str:
    texts = [(path, text) for path in _project_files(root) if (text := _read(path)) is not None]
    for passage in passages:
        if sum(map(len, passage.words)) < _NARROWEST * 2:
            continue
        pattern = passage.pattern
        matches = ((path, pattern.search(text), text) for path, text in texts)
        found = [(path, match.start("change"), text) for path, match, text in matches if match]
        if found:
            path, start, text = min(found, key=lambda one: (_rank(one[0]), one[0]))
            return f"{path.relative_to(root).as_posix()}:{text.count(chr(10), 0, start) + 1}"
    return ""


def _rank(path: Path) -> int:
    # A test may quote a prompt, and a scenario may.
    return int(path.name.startswith("test_") or "scenarios" in path.parts or "tests" in path.parts)


def _project_files(root: Path) -> Iterator[Path]:
    left = _MAX_FILES
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _PASSED_OVER
            and not (Path(folder) / name / "pyvenv.cfg").exists()
        )
        for name in sorted(names):
            path = Path(folder) / name
            if path.suffix.lower() in _SUFFIXES and not path.is_symlink():
                left -= 1
                if left < 0:
                    return
                yield path


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
