"""The calls of a run that have to be recorded again, and the reason."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from redpen.prompts import PromptSet
from redpen.text.json_values import parse_json
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallResponse
from redpen_evals.cassettes.mismatch import Change, Mismatch
from redpen_evals.model_calls.reading import tokens_of
from redpen_evals.project_files import SOURCES, project_files
from redpen_evals.records.model import CallState, RecordedCall, StaleCall, StaleCalls

_EXCERPT_CHARS = 400
_SYSTEM = "messages[0].content"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyChange:
    """How the reply of a scenario differs from the recorded one; `excerpt` is a word-level diff, or empty."""

    what: str
    excerpt: str = ""


def stale_calls(
    miss: Mismatch | None,
    changed_replies: Mapping[int, ReplyChange],
    recorded: Sequence[Call],
    prompts: PromptSet,
    *,
    origin: str = "",
    model: str = "",
) -> StaleCalls:
    """Return the first stale call of a replayed run, and all later ones, which its answer may change.

    Args:
        miss: how the first request without a matching recording differs.
        changed_replies: changes of scripted replies, by position from 1.
        recorded: the recorded calls.
        prompts: the current prompts.
        origin: ``file:line`` of the changed words of the first request in the project.
        model: of the recordings.
    """
    positions = [*([miss.call] if miss else []), *changed_replies]
    if not positions:
        return StaleCalls(calls=())
    first = min(positions)
    calls = []
    is_new = miss is not None and (miss.reason == "new" or miss.call > len(recorded))
    if miss and (is_new or miss.phase != recorded[miss.call - 1].phase):
        what = f"new call {miss.request}" if miss.reason == "new" else ""
        calls.append(StaleCall(position=miss.call, phase=miss.phase, why="new", what=what))
        miss = None
    for position, call in enumerate(recorded[first - 1 :], start=first):
        what, excerpt = "", ""
        if miss and position == miss.call:
            what, excerpt = miss.path or miss.reason, miss.excerpt[:_EXCERPT_CHARS]
        elif position in changed_replies:
            change = changed_replies[position]
            what, excerpt = change.what, change.excerpt[:_EXCERPT_CHARS]
        elif _has_changed_prompt(call, prompts):
            what = _SYSTEM
        prompt_tokens, completion_tokens = tokens_of(call)
        calls.append(
            StaleCall(
                position=position,
                phase=call.phase,
                why="changed" if what else "follows",
                what=what,
                excerpt=excerpt,
                origin=origin if miss and position == miss.call else "",
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
            )
        )
    return StaleCalls(calls=tuple(calls), model=model)


def recorded_calls(
    calls: Iterable[Call], *, states: Iterable[CallState], latencies_ms: Iterable[float | None]
) -> tuple[RecordedCall, ...]:
    """Return the calls of a run as a run record holds them."""
    recorded = []
    for call, state, latency_ms in zip(calls, states, latencies_ms, strict=False):
        prompt_tokens, completion_tokens = tokens_of(call)
        recorded.append(
            RecordedCall(
                phase=call.phase,
                state=state,
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
                latency_ms=latency_ms,
            )
        )
    return tuple(recorded)


def last_text(calls: Sequence[Call]) -> str | None:
    """Return the model's last draft or revision, trimmed; None if there is none."""
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
        case JsonBody(value={"messages": [{"role": "system", "content": str(recorded)}, *_]}):
            current = {prompt.text for prompt in prompts if prompt.phase == call.phase}
            return bool(current) and recorded not in current
        case _:
            return False


_GENERATED: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<![0-9A-Za-z])[0-9a-f]{16,128}(?![0-9A-Za-z])"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*")
_MAX_CHARS: Final = 500


def volatile_hint(mismatch: Mismatch) -> str:
    """Return a hint to the setting that ignores the differences; empty unless all are ids or times."""
    if not mismatch.changes or not all(map(_is_generated, mismatch.changes)):
        return ""
    places = dict.fromkeys(re.sub(r"\[\d+\]", "[*]", f"$.{change.path}") for change in mismatch.changes)
    return f"if every run has another value there: redpen_volatile = {', '.join(places)}"


def _is_generated(change: Change) -> bool:
    before, after = change.before, change.after
    if not (isinstance(before, str) and isinstance(after, str) and _PLACE.fullmatch(change.path)):
        return False
    # In a text for a model, the setting would ignore all the rest of it too.
    if max(len(before), len(after)) > _MAX_CHARS or re.search(r"\s", before + after):
        return False
    return bool(_GENERATED.search(after)) and _GENERATED.sub("", before) == _GENERATED.sub("", after)


_IGNORED_FOLDERS: Final = frozenset({"site-packages", "dist", "build", "venv", "cassettes", "htmlcov"})
_MAX_FILES: Final = 2_000
_MAX_BYTES: Final = 500_000
_WORDS: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MAX_WORDS_AROUND: Final = 9
_MIN_WORDS: Final = 3
_MAX_COMPARED: Final = 20_000


def change_origin(mismatch: Mismatch, root: Path, *, may_be_edited: bool = False) -> str:
    """Return the place in a project's files that contains the changed text of a request.

    It searches for the changed words with ever fewer words around them, since quotes, line breaks and
    placeholders may come between words in a file. If the recording may have been edited, a scenario or test
    which contains the words need not have changed.

    Returns:
        ``prompts/reply.md:3``, or ``scenarios/mail/order.yaml:4 or the cassette file``; empty if no file
        contains the words.
    """
    for change in mismatch.changes:
        if not isinstance(change.before, str) or not isinstance(change.after, str):
            continue
        passages = list(_passages(change.before[:_MAX_COMPARED], change.after[:_MAX_COMPARED]))
        if passages and (place := _find(passages, root)):
            is_certain = not may_be_edited or not _rank(Path(place.rpartition(":")[0]))
            return place if is_certain else f"{place} or the cassette file"
    return ""


_Passage: TypeAlias = tuple[list[str], int]
"""The changed words of a text, none for a deletion, with some words around them; and where they start."""


def _passages(before: str, after: str) -> Iterator[_Passage]:
    """Yield the words around the first change, the longest passage first."""
    old, new = (_WORDS.findall(text) for text in (before, after))
    blocks = difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()
    change = next(((start, end) for tag, _, _, start, end in blocks if tag != "equal"), None)
    if change is None:
        return
    start, end = change
    for around in range(_MAX_WORDS_AROUND, -1, -1):
        for left, right in ((around, around), (around, 0), (0, around)):
            first = max(start - left, 0)
            words = new[first : end + right]
            if len(words) >= _MIN_WORDS or words == new[start:end]:
                yield words, start - first


def _pattern(words: Sequence[str], change: int) -> re.Pattern[str]:
    pieces = list(map(re.escape, words))
    at = min(change, len(pieces) - 1)
    pieces[at] = f"(?P<change>{pieces[at]})"
    # The syntax of a file may come between two words: quotes, breaks, escapes.
    return re.compile(r"[\W_]{1,40}?(?:n(?=\W))?[\W_]{0,20}?".join(pieces))


def _find(passages: list[_Passage], root: Path) -> str:
    files = project_files(root, ignored=_IGNORED_FOLDERS)
    sources = (path for path in files if path.suffix.lower() in SOURCES and not path.is_symlink())
    found = itertools.islice(sources, _MAX_FILES)
    texts = [(path, text) for path in found if (text := _read(path)) is not None]
    for words, change in passages:
        if sum(map(len, words)) < _MIN_WORDS * 2:
            continue
        pattern = _pattern(words, change)
        matches = ((path, pattern.search(text), text) for path, text in texts)
        places = [(path, match.start("change"), text) for path, match, text in matches if match]
        if places:
            path, start, text = min(places, key=lambda place: (_rank(place[0]), place[0]))
            return f"{path.relative_to(root).as_posix()}:{text.count(chr(10), 0, start) + 1}"
    return ""


def _rank(path: Path) -> int:
    # Tests and scenarios may quote a prompt.
    return int(path.name.startswith("test_") or "scenarios" in path.parts or "tests" in path.parts)


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
