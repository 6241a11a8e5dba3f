"""Texts that nobody writes but to make a guard slow, each as long as a guard reads."""

from __future__ import annotations

from redpen.guards.revision import MAX_TEXT_CHARS

_PATTERNS = {
    "digits": "9",
    "digits apart": "7 ",
    "percentages": "5% of ",
    "clock colons": "1:",
    "halves": "½",
    "dates": "March 5, 2026, ",
    "amounts of money": "$5M and ",
    "half hours": "and half an hour ",
    "spaces": " " * 400 + "x",
    "line breaks": "\n a",
    "brackets": "(",
    "links": "[a](b)",
    "combining marks": "a\u0301\u0316",
    "marks alone": "\u0301\u0316",
    "entities": "&#114;",
    "escaped ampersands": "&amp;",
    "less-than signs": "<",
    "emphasis": "**_~",
    "emoji flags": "\U0001f1fa\U0001f1f8",
    "tag characters": "a\U000e0041",
    "direction overrides": "\u202edevloser\u202c ",
    "hyphens": "-",
    "hyphened words": "re-",
    "letters apart": "a b c d ",
    "words spelt apart": "r e s o l v e d   ",
    "words cut in two": "resol ved ",
    "digits for letters": "r3s0lv3d ",
    "low lines": "_a",
    "full stops": "a.",
    "abbreviations": "U.S. ",
    "at signs": "a@",
    "hosts": "a.b.com/",
    "identifiers": "a_1-",
    "a long word": "a",
    "unknown words": "zq ",
    "look-alikes": "r\u0435sol\u0475ed ",
    "full-width letters": "\uff52\uff45\uff53\uff4f\uff4c\uff56\uff45\uff44 ",
    "names": "Stripe Acme ",
    "claims": "it is fully resolved and ",
    "denied claims": "no longer failing again ",
    "causes": "because of a failing server ",
    "quantifiers": "most of all customers ",
    "negations": "not ",
}


def hostile_texts() -> dict[str, str]:
    """Return the hostile texts by what they are made of."""
    texts = {
        name: (pattern * (MAX_TEXT_CHARS // len(pattern) + 1))[:MAX_TEXT_CHARS]
        for name, pattern in _PATTERNS.items()
    }
    depth = MAX_TEXT_CHARS // 8
    texts["nested markup"] = "<b>" * depth + "resolved" + "</b>" * (depth - 2)
    return texts
