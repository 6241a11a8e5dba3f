"""Policy sections on texts: phrases, disclaimers, concerns, severity budget and size of edits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from redpen.policy.conditions import Conditions
from redpen.policy.model import MEASURES, Code, Measure, PolicyModel

MAX_PHRASE_CHARS: Final = 200
"""Maximum length of a phrase, in characters."""
MAX_PHRASES: Final = 500
"""Maximum number of phrases in a list."""

_WORD = re.compile(r"[^\W_]")
_LONE_TILDE = re.compile(r"~(?![^\W\d_])|(?<!\s)(?<!\A)~")
_SLUG_WORDS = 4


def _phrase(phrase: str) -> str:
    if not _WORD.search(phrase):
        raise ValueError("contains no word, so it would match nothing")
    if _LONE_TILDE.search(phrase):
        raise ValueError("`~` must be directly before a word: it matches any form of that word")
    return phrase


Phrase = Annotated[str, Field(min_length=1, max_length=MAX_PHRASE_CHARS), AfterValidator(_phrase)]
_Phrases = Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=MAX_PHRASES)]
_Sentence = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_phrase)]


class RestrictedPhrases(PolicyModel):
    """Phrases that a text must not contain, even if other rules allow them.

    Attributes:
        code: code of violations.
        phrases: the phrases, matched in the text as a reader sees it; ``~word`` matches any form of the word.
        unless: ``approved`` permits a phrase that an approved action of the context contains affirmatively.
        when: ``affirmed`` restricts only affirmative statements, ``always`` every mention.
        use: suggested replacement, shown with violations.
    """

    code: Code
    phrases: _Phrases
    unless: Literal["approved"] | None = None
    when: Literal["affirmed", "always"] = "affirmed"
    use: Annotated[str, Field(min_length=1, max_length=MAX_PHRASE_CHARS)] | None = None


class Disclaimer(PolicyModel):
    """A sentence that a published text must contain.

    Attributes:
        when: conditions on the incident context; a path is looked up at its top level, then under
            ``incident``.
        must_include: the required wording; case and white space are ignored.
        code: code of the violation; by default ``disclaimer.`` and the first four words.
    """

    when: Conditions = Conditions({})
    must_include: _Sentence
    code: Code = ""

    @model_validator(mode="before")
    @classmethod
    def _add_default_code(cls, given: object) -> object:
        text = given.get("must_include") if isinstance(given, Mapping) else None
        if isinstance(given, Mapping) and isinstance(text, str) and not given.get("code"):
            return {**given, "code": f"disclaimer.{_slug(text)}"}
        return given


class ConcernMeasures(PolicyModel):
    """Reactions to concerns about a revision.

    Attributes:
        default: reaction to concerns that have no setting of their own.
        new_statement: reaction to a statement that may be a claim.
        unread_language: reaction to a sentence that the guards cannot read.
    """

    default: Measure = "record"
    new_statement: Measure | None = None
    unread_language: Measure | None = None

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, given: object) -> object:
        return {"default": given} if isinstance(given, str) else given

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema, which includes the short form, a single word."""
        return {"anyOf": [{"enum": list(MEASURES), "type": "string"}, handler(core_schema)]}

    def of(self, code: str) -> Measure:
        """Return the reaction to concerns with a code."""
        named: Measure | None = getattr(self, code) if code in type(self).model_fields else None
        return named or self.default


class SeverityBudget(PolicyModel):
    """Reactions to a judgement by its severity.

    Attributes:
        low: reaction to low severity.
        medium: reaction to medium severity.
        high: reaction to high severity.
    """

    low: Measure = "record"
    medium: Measure = "record"
    high: Measure = "record"


class PatchPolicy(PolicyModel):
    """How a revision may differ from its draft.

    Attributes:
        mode: ``text`` checks only the text as a whole; ``lines`` also requires that each changed line is
            covered by a required change.
        max_changed_lines: maximum number of changed lines; None for no limit.
    """

    mode: Literal["text", "lines"] = "text"
    max_changed_lines: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _check_mode(self) -> Self:
        if self.max_changed_lines is not None and self.mode != "lines":
            raise ValueError("max_changed_lines requires `mode: lines`")
        return self


def _slug(text: str) -> str:
    words: list[Any] = re.findall(r"[a-z0-9]+", text.casefold())
    return "_".join(words[:_SLUG_WORDS])[:60] or "text"
