"""Which claims a text makes, and which of them context and original allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from redpen.guards.claims import tags as t
from redpen.guards.claims.cause import content, find_causes
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import Match, Table
from redpen.guards.claims.phrases import PHRASES, Phrase
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.reassurance import denied_harm, find_reassurance
from redpen.guards.claims.resolution import claim_of, find_resolution
from redpen.guards.claims.statements import state
from redpen.guards.report import Finding
from redpen.text.views import View

MAX_CONTEXT_STRINGS = 400
"""Most strings of a context that are read."""
MAX_CONTEXT_CHARS = 4_000
"""Longest piece of one context string that is read."""
_MAX_DEPTH = 40

_SAYS = {
    "resolution": "the incident or a part of it is over",
    "guarantee": "something is certain",
    "reassurance": "nobody needs to worry",
    "cause": "this is the cause",
    "commitment": "customers will be given something",
    "liability": "we are at fault",
}
_COMMITMENT_KINDS = (
    ("refund", "refund reimburse repay money back recredit"),
    ("credit", "credit"),
    ("compensation", "compensate recompense remunerate indemnity damages restitution amends goodwill make"),
    ("waiver", "waive waiver forgo forgive charge cost fee free complimentary bill"),
    ("discount", "discount rebate voucher coupon cashback gift"),
)
_KIND_OF = {stem(word): kind for kind, words in _COMMITMENT_KINDS for word in words.split()}
_PROMISE = frozenset(
    "will 'll shall offer offering receive get given give entitled eligible issue issuing issued provide provided "
    "qualify granted apply applied automatically promise owe owed due process processed enjoy extend".split()
)


_PHRASES = Table((phrase, phrase.pattern) for phrase in PHRASES)
_FOLLOWING = frozenset("follow see find check read track contact reach use view tell ask get".split())
"""What a reader may well be promised to be able to do."""


def _phrase_claim(sentence: Sentence, match: Match[Phrase]) -> Claim | None:
    phrase = match.row
    statement = state(sentence, match.start)
    if phrase.use in ("state", "copula"):
        if phrase.use == "copula" and not statement.group.finite:
            return None
        return claim_of(sentence, statement, match.start, match.end - 1)
    if phrase.use == "denied" and not denied_harm(sentence, match.start):
        return None
    reached = statement.reach
    if reached.conditional or sentence.question:
        return None
    if (
        match.row.pattern.endswith("able to")
        and match.end < len(sentence.words)
        and sentence.words[match.end] in _FOLLOWING
    ):
        return None
    if phrase.use == "word" and (reached.negated or _denied_before(sentence, match)):
        return None
    if (
        phrase.family == "resolution"
        and phrase.use == "word"
        and (
            reached.hedged
            or statement.group.mood in ("under_way", "possible")
            or _aimed(sentence, match.start)
        )
    ):
        return None
    if phrase.family == "resolution" and reached.hedged:
        return None
    key = _commitment_key(sentence, match) if phrase.family == "commitment" else frozenset()
    tokens = sentence.tokens
    return Claim(
        phrase.family,
        tokens[sentence.at[match.start]].start,
        tokens[sentence.at[match.end - 1]].end,
        _SAYS[phrase.family],
        key,
        phrase.family == "commitment" and _only_mentioned(sentence, match),
    )


def _only_mentioned(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether the clause speaks of a refund and the like and does not promise one."""
    words, tags = sentence.words, sentence.tags
    return _PROMISE.isdisjoint(words) and not (
        tags[match.start] & t.ANY_FORM
        and any(word in ("we", "you") or tag & t.BE for word, tag in zip(words, tags, strict=True))
    )


def _aimed(sentence: Sentence, start: int) -> bool:
    words = sentence.words
    return any(
        word in ("towards", "toward", "for", "until", "pending", "before", "to")
        for word in words[max(0, start - 3) : start]
    )


def _denied_before(sentence: Sentence, match: Match[Phrase]) -> bool:
    words, tags = sentence.words, sentence.tags
    for at in range(match.start - 1, max(-1, match.start - 7), -1):
        if words[at] in ";:–—" or tags[at] & t.BUT:
            return False
        if tags[at] & (t.NOT | t.NO) and words[at] not in ("without", "far"):
            following = words[at + 1]
            return following not in ("only", "just", "merely", "doubt", "longer")
        if words[at] == "," or tags[at] & t.AND and words[at] == "and":
            return False
        if words[at] in ("avoid", "avoiding", "whether", "if"):
            return True
    if any(words[at] in ("not", "no", "never") for at in range(match.start, match.end)):
        return True
    return _denied_after(sentence, match.end)


def _denied_after(sentence: Sentence, end: int) -> bool:
    """Whether the verb of the phrase itself denies it ("refunds are not decided")."""
    words, tags = sentence.words, sentence.tags
    for at in range(end, min(end + 4, len(words) - 1)):
        if words[at] in ",;:–—()" or tags[at] & (t.AND | t.BUT):
            return False
        if tags[at] & (t.BE | t.HAVE | t.DO | t.CAN | t.WILL) and words[at + 1] == "not":
            return True
    return False


def _commitment_key(sentence: Sentence, match: Match[Phrase]) -> frozenset[str]:
    stems = (stem(sentence.words[at]) for at in range(match.start, match.end))
    return frozenset(_KIND_OF.get(item, "") for item in stems) - {""} or frozenset(("compensation",))


def find_claims(text: str) -> tuple[Claim, ...]:
    """Find every restricted claim that a text makes.

    Args:
        text: any text, as a reader sees it.

    Returns:
        The claims in the order of the text; of several of one family that overlap the first stays.
    """
    found: list[Claim] = []
    for sentence in read_sentences(text):
        found.extend(_claims_of(sentence))
    return _distinct(found)


def _claims_of(sentence: Sentence) -> Iterator[Claim]:
    for match in _PHRASES.find(sentence.words, sentence.tags):
        claim = _phrase_claim(sentence, match)
        if claim is not None:
            yield claim
    yield from find_resolution(sentence)
    yield from find_reassurance(sentence)
    yield from find_causes(sentence)


def _distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda item: (item.start, -item.end)):
        if not any(
            item.family == claim.family and claim.start < item.end and item.start < claim.end
            for item in kept[-6:]
        ):
            kept.append(claim)
    return tuple(kept)


def context_strings(context: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the prose of a context: the approved actions, and every other string."""
    actions: list[str] = []
    others: list[str] = []
    stack: list[tuple[Any, str, bool, int]] = [(context, "", False, 0)]
    while stack and len(actions) + len(others) < MAX_CONTEXT_STRINGS:
        value, key, approved, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(value, Mapping):
            stack.extend(
                (item, str(name), approved or name == "approved_actions", depth + 1)
                for name, item in value.items()
            )
        elif isinstance(value, list | tuple):
            stack.extend((item, key, approved, depth + 1) for item in value)
        elif isinstance(value, str):
            (actions if approved else others).append(value[:MAX_CONTEXT_CHARS])
            if not approved:
                others.append(key.replace("_", " ") + ": " + value[:MAX_CONTEXT_CHARS])
        elif value is False or value == 0:
            others.append("no " + key.replace("_", " "))
        elif value is True:
            others.append(key.replace("_", " "))
    return actions, others


def find_restricted_claims(
    *, revised: View, original: View, context: Mapping[str, Any], inherit: bool
) -> tuple[Finding, ...]:
    """Find the claims of a revised text that nothing allows.

    Args:
        revised: the text to judge.
        original: the text it revises.
        context: the incident context, any JSON object.
        inherit: whether a claim may stand that context or original already makes in the same polarity;
            otherwise only an approved action allows one.

    Returns:
        Violations ``restricted_claims`` in the order of the text.
    """
    claims = find_claims(revised.text)
    if not claims:
        return ()
    actions, others = context_strings(context)
    allowed = _Allowed(actions, others, original.text, inherit)
    return tuple(_finding(revised, claim) for claim in claims if not allowed.allows(claim))


class _Allowed:
    """What context and original allow to claim."""

    def __init__(self, actions: list[str], others: list[str], original: str, inherit: bool) -> None:
        acted = find_claims("\n\n".join(f"{item.rstrip('.')}." for item in actions))
        self._families = {claim.family for claim in acted}
        self._promised: set[str] = set()
        for claim in acted:
            if claim.family == "commitment":
                self._promised |= claim.key
        self._families -= {"commitment", "cause"}
        texts = [*actions, *others, original]
        self._words = _given_words(texts)
        self._causes: set[str] = set()
        self._remedies: set[str] = set()
        for claim in (claim for text in texts for claim in find_claims(text)):
            if claim.family == "cause":
                self._causes |= claim.key
            elif claim.family == "resolution":
                self._remedies |= claim.key
        self._mentioned = {_KIND_OF[word] for word in self._words if word in _KIND_OF}
        if inherit:
            for text in (*others, original):
                for claim in find_claims(text):
                    if claim.family == "commitment":
                        self._promised |= claim.key
                    elif claim.family != "cause":
                        self._families.add(claim.family)

    def allows(self, claim: Claim) -> bool:
        if claim.family == "cause":
            return claim.key <= self._words and (not claim.head or claim.head in self._causes)
        if claim.family == "commitment":
            return claim.key <= self._promised or (claim.mention and claim.key <= self._mentioned)
        if claim.key and claim.key <= self._remedies:
            return True
        return claim.family in self._families


def _given_words(texts: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for text in texts:
        for sentence in read_sentences(text):
            if "not" in sentence.words or "no" in sentence.words:
                denied = _denied_cause(sentence)
                found |= content(sentence, 0, len(sentence.words)) - denied
            else:
                found |= content(sentence, 0, len(sentence.words))
    return frozenset(found)


def _denied_cause(sentence: Sentence) -> frozenset[str]:
    """Return the words of a cause that a sentence denies ("not caused by the database")."""
    words = [word for word in sentence.words if word not in ("not", "no", "never")]
    tags = [
        tag
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
        if word not in ("not", "no", "never")
    ]
    at = [
        place
        for word, place in zip(sentence.words, sentence.at, strict=True)
        if word not in ("not", "no", "never")
    ]
    bare = Sentence(words, tags, at, False, sentence.tokens)
    return frozenset().union(*(claim.key for claim in find_causes(bare)))


def _finding(view: View, claim: Claim) -> Finding:
    span = view.span(claim.start, claim.end)
    text = view.given[span[0] : span[1]]
    return Finding(
        code="restricted_claims",
        family=claim.family,
        span=span,
        text=text,
        reading=f"'{view.text[claim.start : claim.end]}' = {claim.says}",
        reason=f"no approved action says this {claim.family}, and nothing else allows it",
    )
