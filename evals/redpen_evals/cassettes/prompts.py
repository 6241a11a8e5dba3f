"""Long instructions of cassettes, stored once per folder, so that a prompt change changes one file.

An instruction of a request of 400 characters or more is stored in ``_prompts/NAME.json`` in the folder of the
model. The body refers to it as ``{"$prompt": "NAME"}``.

- Scripted recordings name it by agent and phase of the call, so that the name survives a change of the text:
  a new text is called ``NAME@HASH`` until the recording ends; then it replaces a text without references, or
  becomes the next of ``NAME``, ``NAME-2`` and so on (``settle_prompts``).
- Live recordings always name it by its hash, since an answer belongs to the exact prompt.

A text is written before a cassette that refers to it and removed after the last one, under a lock of the
folder, so that no interruption leaves a reference without its text.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from redpen.plain_file import leads_out, read_plain_file
from redpen.types import JsonObject, JsonValue
from redpen_evals.atomic_write import is_temporary, locked_folder, locks_folders, replace_file
from redpen_evals.cassettes.encoding import Body, dump_file, encode_text, parse_file
from redpen_evals.folders import walk

FOLDER: Final = "_prompts"
"""Next to the cassettes of a model; scenario names cannot begin with an underscore."""

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
# Inside a JSON string the quotes would be escaped.
_REFERENCE: Final = re.compile(r'"\$prompt": "([A-Za-z0-9._-]+)(@[0-9a-f]{12})?"')
_ROLES: Final = frozenset({"system", "developer"})
_DEFAULT_NAME: Final = "prompt"
_NUMBERED: Final = re.compile(r"-[0-9]+$")
_COMPARED: Final = 20

JsonPath = tuple[str | int, ...]


class PromptError(ValueError):
    """The text of a prompt is missing, unreadable, or not the one that was recorded."""


def instructions(body: Body) -> Iterator[tuple[JsonPath, str]]:
    """Yield path and text of each instruction of a request that is long enough for a file of its own.

    System and developer messages of chat completions, ``system`` of messages and Converse, ``instructions``
    and ``input`` of responses, ``systemInstruction`` of Gemini.
    """
    value = getattr(body, "value", None)
    if not isinstance(value, dict):
        return
    for path, item in _instruction_values(value):
        for rest, text in _texts(item):
            if len(text) >= MIN_CHARS:
                yield (*path, *rest), text


def prompt_tokens(body: Body) -> int:
    """Return the scripted endpoint's token count of a request's instructions in files of their own."""
    return sum(-(-len(text.encode("utf-8", "surrogatepass")) // 4) for _, text in instructions(body))


def prompts_folder(path: Path) -> Path | None:
    """Return the nearest folder of prompt texts above a cassette, or None."""
    for parent in list(path.parents)[:_MAX_LEVELS]:
        folder = parent / FOLDER
        if folder.is_dir():
            return folder
    return None


def read_prompt(folder: Path | None, name: str) -> str:
    """Return the text of a named prompt from a folder, which is None if there is none.

    Raises:
        PromptError: the text is missing, unreadable, or not the one that was recorded.
    """
    if not _NAME.fullmatch(name):
        raise PromptError(f"$prompt: {name[:_MAX_NAME]!r} is not a valid prompt name")
    if folder is None:
        raise PromptError(f"the text of prompt {name!r} is missing: there is no folder {FOLDER}")
    path = folder / f"{name}{_SUFFIX}"
    try:
        status = path.stat()
        return _parse_prompt(path, name, (status.st_mtime_ns, status.st_size, status.st_ino))
    except FileNotFoundError:
        missing = f"the text of prompt {name!r} is missing: there is no {FOLDER}/{path.name}"
        raise PromptError(missing) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{FOLDER}/{path.name} cannot be read: {error}") from error


def keep_prompt(folder: Path, purpose: str, text: str, *, by_hash: bool) -> str:
    """Write a text unless it exists, and return its name; the caller locks the model's folder.

    Args:
        folder: the folder of prompt texts; it is created.
        purpose: what the text is for, such as ``agent.phase``; the name begins with it.
        text: the instruction.
        by_hash: whether the name must hold the text's hash.
    """
    base = _NOT_IN_NAMES.sub("-", purpose).strip("-._")[:_MAX_NAME].lower() or _DEFAULT_NAME
    hashed = f"{base}@{_hash(text)[:_HASH_DIGITS]}"
    for name in [hashed] if by_hash else [*_numbered_names(folder, base), hashed]:
        with contextlib.suppress(PromptError):
            if read_prompt(folder, name) == text:
                return name
    replace_file(folder / f"{hashed}{_SUFFIX}", _serialize(text))
    return hashed


def settle_prompts(model_folder: Path, *, renames: bool) -> None:
    """Rename texts with a hash to plain names that are free, and remove texts without references.

    Plain names are only for scripted recordings (`renames`). The folder of the model need not exist.

    Raises:
        OSError: a file cannot be written; every cassette still has its texts.
    """
    folder = model_folder / FOLDER
    if not folder.is_dir() or leads_out(folder, model_folder) or not locks_folders():
        return
    with locked_folder(model_folder):
        used = _referring_cassettes(model_folder)
        if renames:
            for name, new_name in list(_renames(folder, used)):
                _rename(folder, name, new_name, used.pop(name))
                used[new_name] = []
        # A damaged cassette may refer to any text.
        all_valid = all(map(_is_json, _cassettes(model_folder)))
        for path in prompt_files(folder) if all_valid else ():
            if path.name.removesuffix(_SUFFIX) not in used:
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()


def prompt_files(folder: Path) -> list[Path]:
    """Return the prompt files of a folder, sorted, without temporary files."""
    return sorted(
        path
        for path, kind in walk(folder)
        if kind == "file" and path.parent == folder and path.suffix == _SUFFIX and not is_temporary(path)
    )


def prompt_problem(path: Path) -> str:
    """Return what is wrong with a prompt file, or an empty text."""
    try:
        read_prompt(path.parent, path.name.removesuffix(_SUFFIX))
    except PromptError as error:
        return str(error)
    return ""


def named_prompts(path: Path) -> frozenset[str]:
    """Return the names of the prompts that a cassette refers to, even if it does not load."""
    try:
        text = read_plain_file(path, max_bytes=4 * _MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset(base + digest for base, digest in _REFERENCE.findall(text))


def same_but_prompts(before: str, after: str) -> bool:
    """Return whether two cassettes are equal apart from ``recorded`` and the texts of their prompts."""
    return _comparable(before) == _comparable(after)


def with_prompt_names(before: str, after: str) -> str:
    """Return a cassette with the prompt names of another one that is equal apart from them."""
    names = iter([reference[0] for reference in _REFERENCE.finditer(after)])
    return _REFERENCE.sub(lambda _: next(names), before)


def substitute(encoded: JsonValue, body: Body, name_of: Callable[[str], str]) -> None:
    """Replace the instructions of a body, encoded by ``encode_body``, with references in place."""
    for path, text in instructions(body):
        *parents, last = path
        container = cast("dict[str | int, JsonValue]", encoded)
        for step in parents:
            container = cast("dict[str | int, JsonValue]", container[step])
        container[last] = {"$prompt": name_of(text)}


def _comparable(text: str) -> tuple[list[str], object]:
    purposes = [_NUMBERED.sub("", base) for base, _ in _REFERENCE.findall(text)]
    content = json.loads(_REFERENCE.sub('"$prompt": ""', text))
    content.pop("recorded", None)
    return purposes, content


def _instruction_values(value: JsonObject) -> Iterator[tuple[JsonPath, JsonValue]]:
    for key in ("system", "instructions"):
        if key in value:
            yield (key,), value[key]
    if isinstance(instruction := value.get("systemInstruction"), dict) and "parts" in instruction:
        yield ("systemInstruction", "parts"), instruction["parts"]
    for key in ("messages", "input"):
        items = value.get(key)
        for index, item in enumerate(items if isinstance(items, list) else []):
            if isinstance(item, dict) and item.get("role") in _ROLES and "content" in item:
                yield (key, index, "content"), item["content"]


def _texts(item: JsonValue) -> Iterator[tuple[JsonPath, str]]:
    if isinstance(item, str):
        yield (), item
    for index, part in enumerate(item if isinstance(item, list) else []):
        if isinstance(part, dict) and isinstance(text := part.get("text"), str):
            yield (index, "text"), text


def _serialize(text: str) -> bytes:
    content: JsonObject = {_VERSION_KEY: _VERSION, "sha256": _hash(text), "text": encode_text(text)}
    return dump_file(content).encode()


@functools.lru_cache(maxsize=1024)
def _parse_prompt(path: Path, name: str, _stamp: tuple[int, int, int]) -> str:
    # Cached while the file's stamp is the same: all cassettes of a folder refer to its prompts.
    where = f"{FOLDER}/{path.name}"
    try:
        value = parse_file(read_plain_file(path, max_bytes=_MAX_BYTES).decode("utf-8"))
    except (json.JSONDecodeError, ValueError) as error:
        raise PromptError(f"{where} is damaged: {error}") from error
    if not isinstance(value, dict) or value.keys() != {_VERSION_KEY, "sha256", "text"}:
        raise PromptError(f"{where} is not a prompt file")
    text, digest = value["text"], value["sha256"]
    if value[_VERSION_KEY] != _VERSION or not isinstance(text, str):
        raise PromptError(f"{where} has another format version")
    expected = name.partition("@")[2]
    if _hash(text) != digest or not str(digest).startswith(expected):
        raise PromptError(f"{where} was edited: its text is not the one that was recorded")
    return text


def _referring_cassettes(model_folder: Path) -> dict[str, list[Path]]:
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


def _numbered_names(folder: Path, base: str) -> list[str]:
    """Return the existing names ``base``, ``base-2`` and so on, in order."""
    names = {path.name.removesuffix(_SUFFIX) for path in prompt_files(folder)}
    numbered = re.compile(rf"{re.escape(base)}(?:-([0-9]{{1,6}}))?")
    return sorted(
        (name for name in names if numbered.fullmatch(name)),
        key=lambda name: int(name.removeprefix(base)[1:] or 1),
    )


def _renames(folder: Path, used: Mapping[str, list[Path]]) -> Iterator[tuple[str, str]]:
    """Yield each name to change with its new name."""
    new: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(used):
        base, _, digest = name.partition("@")
        if not prompt_problem(folder / f"{name}{_SUFFIX}"):
            new[base if digest else _NUMBERED.sub("", base)] += [name] if digest else []
    for base, names in new.items():
        taken = _numbered_names(folder, base)
        free = [name for name in taken if name not in used]
        for name in names:
            new_name = _most_similar(folder, name, free) or _next_name(taken, base)
            yield name, new_name
            if new_name in free:
                free.remove(new_name)
            else:
                taken.append(new_name)
        # Close the gaps that earlier, partial recordings left in the numbering.
        for name in reversed(taken):
            if free and name in used and taken.index(name) > taken.index(free[0]):
                yield name, free.pop(0)


def _most_similar(folder: Path, name: str, candidates: Sequence[str]) -> str | None:
    from rapidfuzz.distance import Indel

    text = read_prompt(folder, name)
    # Templates can leave many candidates; comparing a few of them is enough.
    scores = {
        other: Indel.normalized_similarity(text, _text_of(folder, other)) for other in candidates[:_COMPARED]
    }
    return max(scores, key=lambda other: scores[other], default=None)


def _next_name(taken: Sequence[str], base: str) -> str:
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _text_of(folder: Path, name: str) -> str:
    try:
        return read_prompt(folder, name)
    except PromptError:
        return ""


def _rename(folder: Path, name: str, new_name: str, cassettes: list[Path]) -> None:
    # Nothing refers to the new name yet, so its text is written before the cassettes are.
    replace_file(folder / f"{new_name}{_SUFFIX}", _serialize(read_prompt(folder, name)))
    for path in cassettes:
        text = path.read_text(encoding="utf-8")
        replace_file(path, text.replace(f'"$prompt": "{name}"', f'"$prompt": "{new_name}"').encode())


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
