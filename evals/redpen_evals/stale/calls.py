"""Finds the calls of a run that have to be recorded again, and the reason."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redpen.prompts import PromptSet
from redpen.text.json_values import parse_json
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallResponse
from redpen_evals.cassettes.mismatch import Change, Mismatch
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.records.model import CallState, RecordedCall, StaleCall, StaleCalls

_EXCERPT_CHARS = 400
_SYSTEM = "messages[0].content"


def stale_calls(
    miss: Mismatch | None,
    changed_replies: Mapping[int, str],
    recorded: Sequence[Call],
    prompts: PromptSet,
    *,
    origin: str = "",
    model: str = "",
) -> StaleCalls:
    """Return the stale calls of a run that was replayed.

    Args:
        miss: how the first request that no recording answers differs.
        changed_replies: of scripted recordings, what changed in the script, by position from 1.
        recorded: the recorded calls.
        prompts: what the model is asked with now.
        origin: where in the project the changed words of the first request stand.
        model: whose recordings they are.

    Returns:
        The first stale call, and all that come after it: an earlier answer may change them.
    """
    positions = [*([miss.call] if miss else []), *changed_replies]
    if not positions:
        return StaleCalls(calls=())
    first = min(positions)
    calls = []
    if miss and (miss.call > len(recorded) or miss.phase != recorded[miss.call - 1].phase):
        calls.append(StaleCall(position=miss.call, phase=miss.phase, why="new"))
        miss = None
    for position, call in enumerate(recorded[first - 1 :], start=first):
        what, excerpt = "", ""
        if miss and position == miss.call:
            what, excerpt = miss.path or miss.reason, miss.excerpt[:_EXCERPT_CHARS]
        elif position in changed_replies:
            what = changed_replies[position]
        elif _has_changed_prompt(call, prompts):
            what = _SYSTEM
        asked, answered = tokens_of(call)
        calls.append(
            StaleCall(
                position=position,
                phase=call.phase,
                why="changed" if what else "follows",
                what=what,
                excerpt=excerpt,
                origin=origin if miss and position == miss.call else "",
                prompt_tokens=asked,
                completion_tokens=answered,
            )
        )
    return StaleCalls(calls=tuple(calls), model=model)


def recorded_calls(
    calls: Iterable[Call], *, states: Iterable[CallState], latencies_ms: Sequence[float | None] = ()
) -> tuple[RecordedCall, ...]:
    """Return the fields of a run record on the calls of a run."""
    made = []
    for at, (call, state) in enumerate(zip(calls, states, strict=False)):
        asked, answered = tokens_of(call)
        made.append(
            RecordedCall(
                phase=call.phase,
                state=state,
                prompt_tokens=asked,
                completion_tokens=answered,
                latency_ms=latencies_ms[at] if at < len(latencies_ms) else None,
            )
        )
    return tuple(made)


def last_text(calls: Sequence[Call]) -> str | None:
    """Return the last draft or revision that the model gave, trimmed; None if there is none."""
    for call in reversed(calls):
        match call.response:
            case CallResponse(body=JsonBody(value={"choices": [{"message": {"content": str(content)}}, *_]})):
                try:
                    reply = parse_json(content)
                except ValueError:
                    continue
                for name in ("revised_answer", "draft"):
                    if isinstance(reply, dict) and isinstance(text := reply.get(name), str):
                        return text.strip()
    return None


def _has_changed_prompt(call: Call, prompts: PromptSet) -> bool:
    match call.request.body:
        case JsonBody(value={"messages": [{"role": "system", "content": str(asked)}, *_]}):
            now = {prompt.text for prompt in prompts if prompt.phase == call.phase}
            return bool(now) and asked not in now
        case _:
            return False


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
    if not mismatch.changes or not all(map(_is_generated, mismatch.changes)):
        return ""
    places = dict.fromkeys(re.sub(r"\[\d+\]", "[*]", f"$.{change.path}") for change in mismatch.changes)
    return f"if every run has another value there: redpen_volatile = {', '.join(places)}"


def _is_generated(change: Change) -> bool:
    before, after = change.before, change.after
    if not (isinstance(before, str) and isinstance(after, str) and _PLACE.fullmatch(change.path)):
        return False
    # In a text that a model reads, the setting would pass over all the rest of it too.
    if max(len(before), len(after)) > _MAX_CHARS or re.search(r"\s", before + after):
        return False
    return bool(_MADE_ANEW.search(after)) and _MADE_ANEW.sub("", before) == _MADE_ANEW.sub("", after)


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
