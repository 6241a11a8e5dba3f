"""Words by which a text says how many are hit, and the words round them that decide whether it does."""

from __future__ import annotations

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.quantities.numbers import ORDINALS, SCALES, TENS, UNITS
from redpen.guards.facts.quantities.units import TIME

AMOUNTS = word_map("quantifier_words", "amounts")
"""Words that say how many, and what they say."""

NEARLY = word_set("quantifier_words", "nearly")
NEARLY_TOO = frozenset({("pretty", "much"), ("or", "less"), ("good", "as"), ("near", "enough")})
"""Words, the last but one and the last, that mean "nearly" together; "or less" ends "more or less"."""
ADVERBS = word_set("quantifier_words", "adverbs")
OPENING = frozenset({"", ".", "!", "?", ":", ";", "only", "relatively", "comparatively", "precious"})
"""Words and marks after which "few" stands without an article."""
SIZEABLE = word_set("quantifier_words", "sizeable")
THEM = frozenset({"them", "these", "those", "which", "whom"})
HARDLY = frozenset("hardly barely scarcely".split())
UNCOUNTED = HARDLY | {"all", "every", "each", "no", "one", "single", "whole", "entire"}
"""Words after which a thing may be counted that no table has."""
LED = word_set("quantifier_words", "led")
"""Words that say how many only after certain others."""
LARGE = word_set("quantifier_words", "large")
PARTS = frozenset({"part", "portion", "share", "proportion", "percentage"})
PEOPLE = frozenset({"everyone", "everybody", "nobody", "anyone", "anybody"})
OWNERS = frozenset({"everyone's", "everybody's", "nobody's"})
"""Words for people that stand before what is theirs."""
THINGS = frozenset({"everything"})
YOU = frozenset({"you", "them", "us", "those", "these", "whom", "which"})
SHARED = word_set("quantifier_words", "shared") | {""}
GREETINGS = frozenset("hi hello hey dear morning afternoon evening ".split())
TEAM = word_set("quantifier_words", "team")
VERBS_TOO = frozenset({"times", "work", "works", "update", "support"})
SUPERLATIVE = word_set("quantifier_words", "superlative")
HIT = word_set("quantifier_words", "hit")
LIVES = word_set("quantifier_words", "lives")
MANAGES = word_set("quantifier_words", "manages")
WELL = word_set("quantifier_words", "well")
TELL = word_set("quantifier_words", "tell")
DESCRIBED = frozenset({"affected", "impacted"})
ALONE = frozenset({"none", "all", "majority", "minority", "most", "bulk"})
VERBS = frozenset("are is were was have has".split())
BEFORE_STATE = word_set("quantifier_words", "before_state")
STEPS = frozenset("wait waits waiting stop stops reach reaches behind once".split())
"""What happens to each thing in its turn, without anything being wrong."""
COUNTING = frozenset({*UNITS, *TENS, *SCALES})
STEPPED = frozenset({*ORDINALS, "second", "other"})
NO_NOUNS = frozenset({*COUNTING, *STEPPED, *TIME, "few", "half", "possible", "necessary"})
"""Words after "every" and "all" that it does not count."""
CLAUSE = 14
ENDS = frozenset({".", ";", "!", "?", ":"})
STRONG = frozenset({"most", "least"})
NEGATIVE = frozenset({"not", "n't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't"})
DETERMINERS = word_set("quantifier_words", "determiners")
WHOLES = frozenset({"traffic", "region", "base", "volume", "platform", "fleet", "queue", "estate", "world"})
