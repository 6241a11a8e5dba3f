"""Contents that no file of a repository should have, by format."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from fault_campaigns.file_kinds import VALUE, FileKind, Format

_DEEP = 100_000
_MANY = 1_100_000
_KEYS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileText:
    """One hostile content.

    Attributes:
        name: in words.
        make: returns the bytes for a kind of file.
        readable: formats in which it may also be read: it is unusual, but not ambiguous.
        spoils_end: whether only its end is invalid, as in the record of a killed run.
    """

    name: str
    make: Callable[[FileKind], bytes]
    readable: frozenset[Format] = field(default=frozenset())
    spoils_end: bool = False


def hostile_texts(kind: FileKind) -> Iterator[HostileText]:
    """Yield the contents that are tried for a kind of file."""
    yield from _ALL
    yield from _BY_FORMAT[kind.format]
    if kind.name == "cassette":
        yield from _CASSETTES


_ANY: Final[frozenset[Format]] = frozenset({"yaml", "json", "toml", "prompt"})
_TABLES: Final[frozenset[Format]] = frozenset({"toml"})


def _bytes(name: str, make: Callable[[], bytes], readable: frozenset[Format] = frozenset()) -> HostileText:
    return HostileText(name=name, make=lambda _kind: make(), readable=readable)


def _changed(
    name: str, change: Callable[[bytes], bytes], readable: frozenset[Format] = frozenset()
) -> HostileText:
    return HostileText(name=name, make=lambda kind: change(kind.valid.encode()), readable=readable)


def _end(name: str, change: Callable[[bytes], bytes]) -> HostileText:
    return HostileText(name=name, make=lambda kind: change(kind.valid.encode()), spoils_end=True)


def _value(name: str, make: Callable[[], str], readable: frozenset[Format] = frozenset()) -> HostileText:
    return HostileText(
        name=name, make=lambda kind: kind.text.replace(VALUE, make()).encode(), readable=readable
    )


def _values(readable: frozenset[Format], **texts: str) -> Iterator[HostileText]:
    for name, text in texts.items():
        yield _value(name.replace("_", " "), lambda text=text: text, readable)  # type: ignore[misc]


def _recode(content: bytes, encoding: str) -> bytes:
    return content.decode().encode(encoding)


_ALL: Final = (
    _bytes("nothing", lambda: b"", _TABLES),
    _bytes("blank lines", lambda: b"\n" * _DEEP, _TABLES),
    _bytes("NUL bytes", lambda: b"\0" * _DEEP),
    _bytes("random bytes", lambda: random.Random(1).randbytes(_DEEP)),  # noqa: S311 - no secret
    _bytes("a line of five megabytes", lambda: b"a" * 5_000_000),
    _bytes("a script", lambda: b"<script>alert(1)</script>"),
    _bytes("an overlong form of a character", lambda: b"\xc0\xaf"),
    _bytes("half a character", lambda: b"\xed\xa0\x80"),
    _end("a NUL at the end", lambda content: content + b"\0"),
    _changed("Latin-1", lambda content: content + b"\n# \xfc"),
    _changed("UTF-16", lambda content: _recode(content, "utf-16")),
    _changed("UTF-16 without its mark", lambda content: _recode(content, "utf-16-le")),
    _changed("UTF-32", lambda content: _recode(content, "utf-32")),
    _changed("gzip", gzip.compress),
    _changed("a byte order mark", lambda content: b"\xef\xbb\xbf" + content, _ANY),
    _changed("line ends of Windows", lambda content: content.replace(b"\n", b"\r\n"), _ANY),
    _changed("itself twice", lambda content: content * 2, frozenset({"prompt"})),
)

_TAGS: Final = (
    "!!python/object/apply:os.system [ls]",
    "!!python/name:os.system",
    "!!python/object:os.system {}",
    "!!binary aGk=",
    "!!set {a}",
    "!mine 1",
    "!<tag:yaml.org,2002:python/none> 1",
)


def _alias_bomb() -> str:
    rows = [f"&b0 [{', '.join('x' * 9)}]"]
    rows += [f"&b{at} [{', '.join([f'*b{at - 1}'] * 9)}]" for at in range(1, 25)]
    return f"[{', '.join(rows)}]"


def _with_keys(content: bytes) -> bytes:
    keys = ", ".join(f'"key {number}": 1' for number in range(_KEYS))
    return content.rstrip()[:-1] + f", {keys}}}\n".encode()


_YAML: Final = (
    _value("an alias bomb", _alias_bomb),
    *_values(
        frozenset(),
        a_list_that_holds_itself="&a [*a]",
        a_merge_key="[&a {k: 1}, {<<: *a}]",
        a_key_that_stands_twice="{k: 1, k: 2}",
        a_key_that_is_a_list="{[a]: 1}",
        no_number=".nan",
        infinity="-.inf",
        a_number_out_of_range="1.0e+999",
        half_a_character_as_an_escape=r'"\ud800"',
        no_end_of_a_text='"',
    ),
    *(_value(f"tag {tag}", lambda tag=tag: tag) for tag in _TAGS),  # type: ignore[misc]
    _value("lists in lists", lambda: "[" * _DEEP + "]" * _DEEP),
    _value("lists in lists, a thousand", lambda: "[" * 1_000 + "]" * 1_000),
    _value("lists in lists without end", lambda: "[" * _DEEP),
    _value("mappings in mappings", lambda: "{a: " * _DEEP + "1" + "}" * _DEEP),
    _value("very many values", lambda: f"[{'1,' * 450_000}]"),
    _value("a text of 900 kB", lambda: "x" * 900_000, _ANY),
    _value("an integer of 100,000 digits", lambda: "1" * _DEEP, _ANY),
    _value("a time of 100,000 parts", lambda: "1" + ":5" * _DEEP, _ANY),
    _value("a NUL as an escape", lambda: r'"\0"', _ANY),
    _changed("unknown keys", _with_keys),
    _changed("two documents", lambda content: content + b"\n---\n" + content),
    _changed(
        "directives",
        lambda content: b"".join(b"%%TAG !a%d! b\n" % at for at in range(_KEYS)) + b"---\n" + content,
    ),
)

_JSON: Final = (
    *_values(
        frozenset(),
        a_key_that_stands_twice='{"k": 1, "k": 2}',
        no_number="NaN",
        infinity="Infinity",
        less_than_all="-Infinity",
        a_number_out_of_range="1e999",
        half_a_character=r'"\ud800"',
        half_a_character_in_a_key=r'{"\udfff": 1}',
        a_control_character='"\x01"',
        a_comment="1 /* one */",
        a_comma_too_many="[1,]",
        single_quotes="'x'",
        no_end_of_a_text='"',
    ),
    _value("an integer of 100,000 digits", lambda: "1" * _DEEP),
    _value("an integer of 5,000 digits", lambda: "1" * 5_000),
    _value("lists in lists", lambda: "[" * _DEEP + "]" * _DEEP),
    _value("lists in lists, nine hundred", lambda: "[" * 900 + "]" * 900),
    _value("lists in lists without end", lambda: "[" * _DEEP),
    _value("objects in objects", lambda: '{"a":' * _DEEP + "1" + "}" * _DEEP),
    _value("very many values", lambda: f"[{'[],' * _MANY}1]"),
    _value("a key of a megabyte", lambda: f'{{"{"k" * 1_000_000}": 1}}', _ANY),
    _value("a text of five megabytes", lambda: f'"{"x" * 5_000_000}"', _ANY),
    _changed("unknown keys", _with_keys),
    _end("a cut", lambda content: content[:-20]),
    _end("text behind it", lambda content: content + b"more"),
)

_CASSETTES: Final = (
    _value("JSON texts in one another", lambda: '{"$json":{"a":' * 40 + r'"\""' + "}}" * 40),
    _value(
        "JSON texts far to the right",
        lambda: f'{{"$json": {"[" * 60}{"1," * 500_000}1{"]" * 60}, "$style": "indent-4"}}',
    ),
    _value("a form that is not known", lambda: '{"$odd": 1}'),
    _value("bytes in the wrong place", lambda: '{"$base64": "aGk="}'),
    _value("a text for no body", lambda: '{"$text": "x"}'),
)

_TOML: Final = (
    *_values(
        frozenset(),
        no_number="nan",
        infinity="inf",
        a_number_out_of_range="1e999",
        a_number_far_out_of_range="1e99999999999999999999",
        a_date_that_is_none="2026-99-99",
        half_a_character=r'"\ud800"',
        no_end_of_a_text='"""',
        a_table_in_place_of_a_number="{ a = { a = 1 } }",
    ),
    _value("an integer of 900 digits", lambda: "1" * 900),
    _value("an integer of 5,000 digits", lambda: "1" * 5_000),
    _value("lists in lists", lambda: "[\n" * 50_000 + "]\n" * 50_000),
    _value("lists in lists on a line", lambda: "[" * 400 + "]" * 400),
    _value("tables in tables", lambda: "{a = " * 190 + "1" + "}" * 190),
    _value("a text over many lines", lambda: '"""' + "x\n" * 50_000 + '"""'),
    _changed("a key of 400 parts", lambda content: content + b"[a]\n" + b".".join([b"a"] * 400) + b" = 1\n"),
    _changed(
        "a key of 90,000 parts", lambda content: content + b"[a]\n" + b".".join([b"a"] * 90_000) + b" = 1"
    ),
    _changed(
        "headers of 400 parts",
        lambda content: content + b"".join(b"[a%d%s]\n" % (at, b".a" * 400) for at in range(60)),
    ),
    _changed("unknown keys", lambda content: b"".join(b"k%d = 1\n" % at for at in range(_KEYS)) + content),
    _changed("tables", lambda content: content + b"".join(b"[k%d]\n" % at for at in range(8_000)), _TABLES),
)

_PROMPTS: Final = (
    _value("an alias bomb", _alias_bomb),
    *_values(
        frozenset(),
        a_list_that_holds_itself="&a [*a]",
        a_key_that_is_a_list="x\n? [a]\n: 1",
        a_merge_key="x\n<<: {version: x}",
        a_key_that_stands_twice="x\nversion: x",
        no_number=".nan",
        half_a_character_as_an_escape=r'"\ud800"',
        no_end_of_a_text='"',
        bytes_that_are_none='!!binary "@"',
    ),
    *_values(_ANY, an_anchor="&a x", a_date_that_is_none="2026-99-99"),
    *(_value(f"tag {tag}", lambda tag=tag: tag) for tag in _TAGS),  # type: ignore[misc]
    _value("an integer of 10,000 digits", lambda: "1" * 10_000, _ANY),
    _value("lists in lists", lambda: "[" * 90_000 + "]" * 90_000),
    _value("lists in lists without end", lambda: "[" * _DEEP),
    _value("mappings in mappings", lambda: "{a: " * 30_000),
    _value("unknown keys", lambda: "x\n" + "".join(f"key{number}: 1\n" for number in range(10_000))),
    _value("a text of 150 kB", lambda: "x" * 150_000, _ANY),
    _changed(
        "a version that is a path", lambda content: content.replace(b"version: odd", b"version: ../odd")
    ),
    _changed(
        "a phase of another prompt", lambda content: content.replace(b"phase: critique", b"phase: draft")
    ),
    _changed("directives", lambda content: content.replace(b"phase", b"%TAG !a! b\n---\nphase", 1)),
)

_BY_FORMAT: Final[Mapping[Format, tuple[HostileText, ...]]] = {
    "yaml": _YAML,
    "json": _JSON,
    "toml": _TOML,
    "prompt": _PROMPTS,
}
