"""Long instructions of cassettes, kept once a folder: a change of a prompt is then a change of one file.

A text of a request that instructs the model, of 400 characters or more, stands in a file of its own,
``_prompts/NAME.json`` in the folder of the model. The body says ``{"$prompt": "NAME"}`` in its place.

- Scripted recordings name it by agent and phase of the call, so that the name outlives a change of the text:
  a new text is called ``NAME@HASH`` until the recording ends; then it takes the place of a text that nothing
  names any more, or the next of ``NAME``, ``NAME-2`` and so on (``settle_prompts``).
- Live recordings always name it by its hash: an answer belongs to the very words that it was given for.

A text is written before the cassette that names it and removed after the last one that did, under a lock of
the folder, so that whatever is killed, every name has its text.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final, cast

from redpen.plain_file import leads_out, read_plain_file
from redpen_evals.atomic_write import is_temporary, locked_folder, locks_folders, replace_file
from redpen_evals.cassettes.encoding import dump_file, encode_text, parse_file
from redpen_evals.folders import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from redpen.types import JsonObject, JsonValue
    from redpen_evals.cassettes.encoding import Body

FOLDER: Final = "_prompts"
"""Beside the cassettes of a model; no scenario's name begins with an underscore."""

MIN_CHARS: Final = 400
"""A shorter text stays in the body."""

_SUFFIX: Final = ".json"
_VERSION_KEY: Final = "redpen_prompt"
_VERSION: Final = 1
_HASH_DIGITS: Final = 12
_MAX_BYTES: Final = 8_000_000
_MAX_NAME: Final = 60
_MAX_LEVELS: Final = 12
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:@[0-9a-f]{12})?")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9._-]+")
# Inside a string its quotes would be escaped.
_REFERENCE: Final = re.compile(r'"\$prompt": "([A-Za-z0-9._-]+)(@[0-9a-f]{12})?"')
_ROLES: Final = frozenset({"system", "developer"})
_DEFAULT_NAME: Final = "prompt"
_NUMBERED: Final = re.compile(r"-[0-9]+$")
_COMPARED: Final = 20

Place = tuple[str | int, ...]


class PromptError(ValueError):
    """The text of a prompt is missing, cannot be read, or is not the one that was recorded."""


@dataclass(frozen=True, slots=True)
class _Known:
    stamp: tuple[int, int, int]
    text: str


_READ: Final[dict[str, _Known]] = {}
"""Texts by the path of their file, as long as that is the same: every cassette of a folder names them."""


def instructions(body: Body) -> Iterator[tuple[Place, str]]:
    """Yield place and text of each instruction of a request that is long enough to stand by itself.

    System and developer messages of chat completions, ``system`` of messages and Converse, ``instructions``
    and ``input`` of responses, ``systemInstruction`` of Gemini.
    """
    value = getattr(body, "value", None)
    if not isinstance(value, dict):
        return
    for place, item in _instructing(value):
        for end, text in _texts(item):
            if len(text) >= MIN_CHARS:
                yield (*place, *end), text


def prompt_tokens(body: Body) -> int:
    """Return what the scripted endpoint counts for the instructions of a request that stand by themselves."""
    return sum(-(-len(text.encode("utf-8", "surrogatepass")) // 4) for _, text in instructions(body))


def prompts_folder(path: Path) -> Path | None:
    """Return the folder of the texts that a cassette may name: the nearest above it."""
    for parent in list(path.parents)[:_MAX_LEVELS]:
        folder = parent / FOLDER
        if folder.is_dir():
            return folder
    return None


def read_prompt(folder: Path | None, name: str) -> str:
    """Return the text of a name.

    Args:
        folder: of the texts; None where there is none.
        name: what a cassette says.

    Raises:
        PromptError: there is no such text, it cannot be read, or it is not the one that was recorded.
    """
    if not _NAME.fullmatch(name):
        raise PromptError(f"$prompt: {name[:_MAX_NAME]!r} is no name of a prompt")
    if folder is None:
        raise PromptError(f"the text of prompt {name!r} is missing: there is no folder {FOLDER}")
    path = folder / f"{name}{_SUFFIX}"
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        known = _READ.get(str(path))
        if known is None or known.stamp != stamp:
            known = _Known(stamp, _parsed(path, name))
            _READ[str(path)] = known
    except FileNotFoundError:
        missing = f"the text of prompt {name!r} is missing: there is no {FOLDER}/{path.name}"
        raise PromptError(missing) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{FOLDER}/{path.name} cannot be read: {error}") from error
    return known.text


def keep_prompt(folder: Path, purpose: str, text: str, *, by_hash: bool) -> str:
    """Write a text, unless it is there, and return its name; the folder of the model has to be locked.

    Args:
        folder: of the texts; it is made.
        purpose: what the text is for, such as ``agent.phase``; it makes the name.
        text: the instruction.
        by_hash: whether the name must be that of this very text.
    """
    base = _NOT_IN_NAMES.sub("-", purpose).strip("-._")[:_MAX_NAME].lower() or _DEFAULT_NAME
    hashed = f"{base}@{_hash(text)[:_HASH_DIGITS]}"
    for name in [hashed] if by_hash else [*_places(folder, base), hashed]:
        with contextlib.suppress(PromptError):
            if read_prompt(folder, name) == text:
                return name
    replace_file(folder / f"{hashed}{_SUFFIX}", _written(text))
    return hashed


def settle_prompts(model_folder: Path, *, renames: bool) -> None:
    """Give plain names to texts whose older namesake nothing names any more, and remove texts without use.

    Args:
        model_folder: of one model and variant; it need not exist.
        renames: whether texts may have plain names: of scripted recordings.

    Raises:
        OSError: the disk refused it; every cassette still has its texts.
    """
    folder = model_folder / FOLDER
    if not folder.is_dir() or leads_out(folder, model_folder) or not locks_folders():
        return
    with locked_folder(model_folder):
        used = _used(model_folder)
        if renames:
            for name, place in list(_settled(folder, used)):
                _rename(folder, name, place, used.pop(name))
                used[place] = []
        # What a damaged cassette names is not known.
        is_whole = all(map(_is_json, _cassettes(model_folder)))
        for path in prompt_files(folder) if is_whole else ():
            if path.name.removesuffix(_SUFFIX) not in used:
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()


def prompt_files(folder: Path) -> list[Path]:
    """Return the files of a folder of texts, sorted; the ones being written are left out."""
    return sorted(
        path
        for path, kind in walk(folder)
        if kind == "file" and path.parent == folder and path.suffix == _SUFFIX and not is_temporary(path)
    )


def prompt_problem(path: Path) -> str:
    """Return what is wrong with the file of a text, in words; empty where nothing is."""
    try:
        read_prompt(path.parent, path.name.removesuffix(_SUFFIX))
    except PromptError as error:
        return str(error)
    return ""


def named_prompts(path: Path) -> frozenset[str]:
    """Return the names of the texts that a cassette needs, whatever else is wrong with it."""
    try:
        written = read_plain_file(path, max_bytes=4 * _MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset(base + digest for base, digest in _REFERENCE.findall(written))


def same_but_prompts(before: str, after: str) -> bool:
    """Return whether two cassettes hold the same but for ``recorded`` and the texts of their prompts."""
    return _comparable(before) == _comparable(after)


def renamed(before: str, after: str) -> str:
    """Return a cassette with its prompts named as in another one that is the same but for them."""
    names = iter([reference[0] for reference in _REFERENCE.finditer(after)])
    return _REFERENCE.sub(lambda _: next(names), before)


def substitute(encoded: JsonValue, body: Body, name_of: Callable[[str], str]) -> JsonValue:
    """Put references in the place of the instructions of an encoded body, and return it.

    Args:
        encoded: what ``encode_body`` made of the body; it is changed.
        body: the body.
        name_of: returns the name of a text.
    """
    for place, text in instructions(body):
        *way, last = place
        held = cast("dict[str | int, JsonValue]", encoded)
        for step in way:
            held = cast("dict[str | int, JsonValue]", held[step])
        held[last] = {"$prompt": name_of(text)}
    return encoded


def _comparable(text: str) -> tuple[list[str], object]:
    purposes = [_NUMBERED.sub("", base) for base, _ in _REFERENCE.findall(text)]
    content = json.loads(_REFERENCE.sub('"$prompt": ""', text))
    content.pop("recorded", None)
    return purposes, content


def _instructing(value: JsonObject) -> Iterator[tuple[Place, JsonValue]]:
    for key in ("system", "instructions"):
        if key in value:
            yield (key,), value[key]
    if isinstance(given := value.get("systemInstruction"), dict) and "parts" in given:
        yield ("systemInstruction", "parts"), given["parts"]
    for key in ("messages", "input"):
        items = value.get(key)
        for at, item in enumerate(items if isinstance(items, list) else []):
            if isinstance(item, dict) and item.get("role") in _ROLES and "content" in item:
                yield (key, at, "content"), item["content"]


def _texts(item: JsonValue) -> Iterator[tuple[Place, str]]:
    if isinstance(item, str):
        yield (), item
    for at, part in enumerate(item if isinstance(item, list) else []):
        if isinstance(part, dict) and isinstance(text := part.get("text"), str):
            yield (at, "text"), text


def _written(text: str) -> bytes:
    content: JsonObject = {_VERSION_KEY: _VERSION, "sha256": _hash(text), "text": encode_text(text)}
    return dump_file(content).encode()


def _parsed(path: Path, name: str) -> str:
    where = f"{FOLDER}/{path.name}"
    try:
        value = parse_file(read_plain_file(path, max_bytes=_MAX_BYTES).decode("utf-8"))
    except (json.JSONDecodeError, ValueError) as error:
        raise PromptError(f"{where} is damaged: {error}") from error
    if not isinstance(value, dict) or value.keys() != {_VERSION_KEY, "sha256", "text"}:
        raise PromptError(f"{where} is no prompt of a cassette")
    text, digest = value["text"], value["sha256"]
    if value[_VERSION_KEY] != _VERSION or not isinstance(text, str):
        raise PromptError(f"{where} is of another version")
    wanted = name.partition("@")[2]
    if _hash(text) != digest or not str(digest).startswith(wanted):
        raise PromptError(f"{where} was changed by hand: its text is not the one that was recorded")
    return text


def _used(model_folder: Path) -> dict[str, list[Path]]:
    used: defaultdict[str, list[Path]] = defaultdict(list)
    for path in _cassettes(model_folder):
        for name in named_prompts(path):
            used[name].append(path)
    return dict(used)


def _cassettes(model_folder: Path) -> Iterator[Path]:
    for path, kind in walk(model_folder):
        if kind == "file" and path.suffix == _SUFFIX and path.parent.name != FOLDER:
            yield path


def _is_json(path: Path) -> bool:
    try:
        json.loads(read_plain_file(path, max_bytes=4 * _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return False
    return True


def _places(folder: Path, base: str) -> list[str]:
    """Return the names that texts of a base have by now, in order."""
    found = {path.name.removesuffix(_SUFFIX) for path in prompt_files(folder)}
    numbered = re.compile(rf"{re.escape(base)}(?:-([0-9]{{1,6}}))?")
    return sorted(
        (name for name in found if numbered.fullmatch(name)),
        key=lambda name: int(name.removeprefix(base)[1:] or 1),
    )


def _settled(folder: Path, used: Mapping[str, list[Path]]) -> Iterator[tuple[str, str]]:
    """Yield each name that gives way to another one, with that."""
    new: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(used):
        base, _, digest = name.partition("@")
        if not prompt_problem(folder / f"{name}{_SUFFIX}"):
            new[base if digest else _NUMBERED.sub("", base)] += [name] if digest else []
    for base, names in new.items():
        places = _places(folder, base)
        free = [place for place in places if place not in used]
        for name in names:
            place = _most_alike(folder, name, free) or _next_place(places, base)
            yield name, place
            if place in free:
                free.remove(place)
            else:
                places.append(place)
        # A part of the cassettes was recorded earlier, beside the text that now is free.
        for place in reversed(places):
            if free and place in used and places.index(place) > places.index(free[0]):
                yield place, free.pop(0)


def _most_alike(folder: Path, name: str, free: Sequence[str]) -> str | None:
    from rapidfuzz.distance import Indel

    text = read_prompt(folder, name)
    # Of many, as templates make them, each may be as good as any other.
    alike = {place: Indel.normalized_similarity(text, _text_of(folder, place)) for place in free[:_COMPARED]}
    return max(alike, key=lambda place: alike[place], default=None)


def _next_place(taken: Sequence[str], base: str) -> str:
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _text_of(folder: Path, name: str) -> str:
    try:
        return read_prompt(folder, name)
    except PromptError:
        return ""


def _rename(folder: Path, name: str, base: str, paths: list[Path]) -> None:
    # Nothing names the base, so its text may change; only then the cassettes do, one by one.
    replace_file(folder / f"{base}{_SUFFIX}", _written(read_prompt(folder, name)))
    for path in paths:
        text = path.read_text(encoding="utf-8")
        replace_file(path, text.replace(f'"$prompt": "{name}"', f'"$prompt": "{base}"').encode())


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
