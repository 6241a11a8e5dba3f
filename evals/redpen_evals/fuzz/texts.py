"""Any text and any JSON value: what guards and validators have to bear without a crash."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from redpen_evals.fuzz.claims import CLAIMS, sentence_of
from redpen_evals.fuzz.sentences import BENIGN

PIECES: tuple[str, ...] = (
    "27%", "45 minutes", "$1,200", "2026-03-06", "14:30", "1h30", "½", "10²", "Ⅻ", "٤٥", "四五", "1e999",
    "0.0.0.1", "inc_a_1", "P1", "SEV-1", "us", "US", "U.S.", "\U0001f1fa\U0001f1f8", "a@b.co",
    "https://a.b/c?d=e", "+1 555 123 4567", "&#x72;", "&amp;#45;", "&nbsp;", "<b>", "</b>", "<!--", "-->",
    "<wbr>", "**", "__", "`", "[a](#)", "\\", "|", "r e s o l v e d", "re-\nsolved", "res0lved", "ﬁxed",
    "ＦＩＸＥＤ", "\u202edevloser\u202c", "\u200b", "\u00ad", "\u0301", "\U000e0041", "\ufdfa", "\ud800",
    "\x00", "\r\n", "\t", "\u2028", "\u3000", "not", "no longer", "n't", "?", "until", "one", "a", "half",
    "third", "dozen", "twice", "per", "point", "and", "hundred", "million", "of", "to", "-", "–", "’",
)  # fmt: skip
"""Pieces that some rule looks at, and characters that some rule stumbles over."""

_JOINS = ("", " ", "\n", ".", ", ")
_SENTENCES = (*BENIGN, *(sentence_of(form.claims[0]) for form in CLAIMS))
_KEYS = (
    "incident", "policy_hints", "avoid_absolute_guarantees", "approved_actions", "region", "severity",
    "report_date", "eta_minutes", "affected_pct", "rate", "required_sections", "id", "amount_usd", "",
    "𝟙", "\ud800",
)  # fmt: skip


def any_texts() -> st.SearchStrategy[str]:
    """Return a strategy of texts of all sorts: characters of any script, and pieces that rules look at."""
    word = st.sampled_from(PIECES) | st.sampled_from(_SENTENCES) | st.text(max_size=8)
    built = st.builds(
        lambda words, join: join.join(words), st.lists(word, max_size=14), st.sampled_from(_JOINS)
    )
    everything = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
    return built | built | everything


def long_texts(*, chars: int) -> st.SearchStrategy[str]:
    """Return a strategy of texts of just so many characters, a few pieces over and over."""
    return st.builds(
        lambda words, join: repeated(join.join(words) + join, chars),
        st.lists(st.sampled_from(PIECES) | st.text(min_size=1, max_size=4), min_size=1, max_size=3),
        st.sampled_from(("", " ", "\n")),
    ).filter(bool)


def any_json(*, most: int = 12) -> st.SearchStrategy[Any]:
    """Return a strategy of JSON values with at most so many leaves; what its keys say may mean something."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from([0, 27, 0.034, 10**400, -1, 1e308, "45", "27%", "P1", "US", "2026-13-45"])
        | any_texts()
    )
    keys = st.sampled_from(_KEYS) | st.text(max_size=6)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=most,
    )


def any_contexts() -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of JSON objects, some nested deep."""
    keys = st.sampled_from(_KEYS) | st.text(max_size=6)
    flat = st.dictionaries(keys, any_json(), max_size=4)
    deep = st.builds(_nested, any_json(most=2), st.sampled_from([50, 900, 3_000]))
    return flat | flat | flat | deep


def _nested(value: object, depth: int) -> dict[str, Any]:
    for level in range(depth):
        value = [value] if level % 2 else {"incident": value}
    return {"incident": value}


def repeated(piece: str, chars: int) -> str:
    """Return a text of just so many characters, one piece over and over; empty of an empty piece."""
    return (piece * (chars // len(piece) + 1))[:chars] if piece else ""
