"""Forms of English words by rule: what a lemma looks like in a text, and what a text's word is a form of."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_VOWELS = "aeiou"
_IRREGULAR_PAST = {
    "be": ("was", "been"), "become": ("became", "become"), "begin": ("began", "begun"),
    "blow": ("blew", "blown"), "break": ("broke", "broken"), "bring": ("brought", "brought"),
    "build": ("built", "built"), "catch": ("caught", "caught"), "come": ("came", "come"),
    "cut": ("cut", "cut"), "deal": ("dealt", "dealt"), "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "fall": ("fell", "fallen"), "feel": ("felt", "felt"), "find": ("found", "found"), "get": ("got", "got"),
    "give": ("gave", "given"), "go": ("went", "gone"), "grow": ("grew", "grown"), "have": ("had", "had"),
    "hold": ("held", "held"), "keep": ("kept", "kept"), "know": ("knew", "known"), "lay": ("laid", "laid"),
    "lead": ("led", "led"), "leave": ("left", "left"), "let": ("let", "let"), "lose": ("lost", "lost"),
    "make": ("made", "made"), "mean": ("meant", "meant"), "overcome": ("overcame", "overcome"),
    "pay": ("paid", "paid"), "put": ("put", "put"), "rebuild": ("rebuilt", "rebuilt"),
    "repay": ("repaid", "repaid"), "run": ("ran", "run"), "say": ("said", "said"), "see": ("saw", "seen"),
    "send": ("sent", "sent"), "set": ("set", "set"), "show": ("showed", "shown"), "shut": ("shut", "shut"),
    "stand": ("stood", "stood"), "steal": ("stole", "stolen"), "swear": ("swore", "sworn"),
    "swing": ("swung", "swung"), "take": ("took", "taken"), "tell": ("told", "told"),
    "undo": ("undid", "undone"), "understand": ("understood", "understood"), "write": ("wrote", "written"),
    "arise": ("arose", "arisen"), "forgive": ("forgave", "forgiven"), "withdraw": ("withdrew", "withdrawn"),
    "spring": ("sprang", "sprung"), "sleep": ("slept", "slept"), "think": ("thought", "thought"),
    "hear": ("heard", "heard"), "win": ("won", "won"), "spend": ("spent", "spent"), "bear": ("bore", "borne"),
    "do": ("did", "done"), "own": ("owned", "owned"), "rise": ("rose", "risen"), "hit": ("hit", "hit"),
    "read": ("read", "read"), "eat": ("ate", "eaten"), "freeze": ("froze", "frozen"),
    "meet": ("met", "met"), "throw": ("threw", "thrown"), "sell": ("sold", "sold"),
    "seek": ("sought", "sought"),
    "stick": ("stuck", "stuck"), "choose": ("chose", "chosen"), "shake": ("shook", "shaken"),
    "forget": ("forgot", "forgotten"), "speak": ("spoke", "spoken"), "ride": ("rode", "ridden"),
    "hide": ("hid", "hidden"), "shrink": ("shrank", "shrunk"), "sink": ("sank", "sunk"),
    "grind": ("ground", "ground"),
    "fight": ("fought", "fought"), "wear": ("wore", "worn"), "lend": ("lent", "lent"),
    "overrun": ("overran", "overrun"),
    "beat": ("beat", "beaten"), "dig": ("dug", "dug"), "tear": ("tore", "torn"), "shine": ("shone", "shone"),
    "lie": ("lay", "lain"),
    "bend": ("bent", "bent"), "sweep": ("swept", "swept"), "creep": ("crept", "crept"),
    "burst": ("burst", "burst"), "cast": ("cast", "cast"), "cling": ("clung", "clung"),
    "cost": ("cost", "cost"), "drink": ("drank", "drunk"), "feed": ("fed", "fed"),
    "fling": ("flung", "flung"), "fly": ("flew", "flown"), "light": ("lit", "lit"),
    "mislead": ("misled", "misled"), "misread": ("misread", "misread"), "mistake": ("mistook", "mistaken"),
    "misunderstand": ("misunderstood", "misunderstood"), "outgrow": ("outgrew", "outgrown"),
    "outrun": ("outran", "outrun"), "override": ("overrode", "overridden"),
    "overtake": ("overtook", "overtaken"), "overwrite": ("overwrote", "overwritten"),
    "rewrite": ("rewrote", "rewritten"), "shoot": ("shot", "shot"), "slide": ("slid", "slid"),
    "spin": ("spun", "spun"), "split": ("split", "split"), "spread": ("spread", "spread"),
    "sting": ("stung", "stung"), "swell": ("swelled", "swollen"), "teach": ("taught", "taught"),
    "undertake": ("undertook", "undertaken"), "upset": ("upset", "upset"), "wind": ("wound", "wound"),
    "withhold": ("withheld", "withheld"), "bite": ("bit", "bitten"), "sit": ("sat", "sat"),
    "ring": ("rang", "rung"), "sing": ("sang", "sung"),
    "swim": ("swam", "swum"), "buy": ("bought", "bought"), "bet": ("bet", "bet"),
    "hurt": ("hurt", "hurt"), "shed": ("shed", "shed"), "thrust": ("thrust", "thrust"),
    "bind": ("bound", "bound"),
    "unfreeze": ("unfroze", "unfrozen"), "quit": ("quit", "quit"), "strike": ("struck", "struck"),
}  # fmt: skip
_DOUBLING = frozenset(
    "commit permit admit submit omit regret compel expel propel dispel transfer refer prefer occur recur "
    "reoccur incur deter equip rebut unplug unclog control format quit upset offset reset".split()
)


_EITHER_WAY = ("ncel", "abel", "ravel", "odel", "uel", "ignal", "otal", "evel", "ival", "arrel", "annel")
"""Endings of verbs whose last letter may be doubled ("canceled", "cancelled")."""


class Forms(NamedTuple):
    """The forms of one verb."""

    base: str
    third: str
    past: tuple[str, ...]
    gerund: str


def _doubles(word: str) -> bool:
    return (
        len(word) > 2
        and (word in _DOUBLING or sum(letter in _VOWELS for letter in word) == 1)
        and word[-1] not in "aeiouwxy"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )


def third_person(word: str) -> str:
    """Return the third person (or plural) of a word."""
    if word.endswith(("s", "x", "z", "ch", "sh")) or word in ("go", "do", "undo"):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


@lru_cache(maxsize=2048)
def inflect(word: str) -> Forms:
    """Return the forms of a verb.

    Args:
        word: the infinitive in lower case, in either spelling of ``-ise``/``-ize``.

    Returns:
        Its infinitive, third person, past and participle forms, and gerund.
    """
    stem = word + word[-1] if _doubles(word) else word
    if word in _IRREGULAR_PAST:
        past: tuple[str, ...] = tuple(dict.fromkeys(_IRREGULAR_PAST[word]))
    elif word.endswith("e"):
        past = (word + "d",)
    elif word.endswith("y") and word[-2:-1] not in _VOWELS:
        past = (word[:-1] + "ied",)
    elif word.endswith(_EITHER_WAY):
        past = (word + "ed", word + "led")
    else:
        past = (stem + "ed",)
    gerund = word[:-1] + "ing" if word.endswith("e") and not word.endswith(("ee", "oe")) else stem + "ing"
    gerund = word[:-2] + "ying" if word.endswith("ie") else gerund
    return Forms(word, third_person(word), past, gerund)


def spellings(word: str) -> tuple[str, ...]:
    """Return the word in both spellings of ``-ise``/``-ize``."""
    if word.endswith("ise"):
        return word, word[:-3] + "ize"
    return (word,)


_SUFFIXES = (
    "ifications", "ification", "isations", "izations", "isation", "ization", "ations", "ation",
    "ments", "ment",
    "nesses", "ness", "ities", "ity", "ances", "ance", "ences", "ence", "ions", "ion", "ings", "ing",
    "ises", "izes", "ised", "ized", "ise", "ize", "ies", "ied", "ers", "er", "ors", "or",
    "edly", "ally", "ely",
    "ly", "ous", "ive", "ables", "able", "ible", "al", "es", "ed", "s", "e", "y",
)  # fmt: skip


def _by_ending(length: int) -> dict[str, tuple[str, ...]]:
    """Return the suffixes that a word may end in, longest first, by its last letters."""
    whole = {suffix[-length:] for suffix in _SUFFIXES if len(suffix) >= length}
    return {end: tuple(item for item in _SUFFIXES if end.endswith(item[-length:])) for end in whole}


_BY_TWO_LETTERS, _BY_LAST_LETTER = _by_ending(2), {item: (item,) for item in _SUFFIXES if len(item) == 1}
_SHORTEST_STEM = 3
_MAX_SUFFIXES = 2


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a rough stem, the same for the forms and near derivations of one word.

    Args:
        word: a word in lower case.

    Returns:
        The word without its endings; at least three letters of it stay.
    """
    if "'" in word:
        word = word.removesuffix("'s").removesuffix("'")
    return _STEM_OF.get(word) or _cut(word)


def _cut(word: str) -> str:
    for _ in range(_MAX_SUFFIXES):
        for suffix in _BY_TWO_LETTERS.get(word[-2:]) or _BY_LAST_LETTER.get(word[-1:]) or ():
            if word.endswith(suffix):
                break
        else:
            break
        if len(word) - len(suffix) < _SHORTEST_STEM or (suffix == "s" and word.endswith("ss")):
            break
        word = word[: -len(suffix)]
    if len(word) <= _SHORTEST_STEM:
        return word
    if word[-1] in "ey":
        word = word[:-1]
        if len(word) <= _SHORTEST_STEM:
            return word
    last = word[-1]
    if last == word[-2] and last not in _VOWELS:
        word = word[:-1]
        if len(word) <= _SHORTEST_STEM:
            return word
    return word[:-1] if word[-1] in "ie" else word


_SHORT_PLURALS = {"tvs": "tv", "pcs": "pc", "ids": "id"}
_STEM_OF = _SHORT_PLURALS | {
    form: _cut(lemma) for lemma, forms in _IRREGULAR_PAST.items() for form in forms if lemma != "lay"
}
