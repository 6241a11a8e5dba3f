"""Policy sections on texts: phrases, disclaimers, concerns, severities and the size of an edit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from redpen.policy.conditions import Conditions
from redpen.policy.model import MEASURES, Code, Measure, PolicyModel

LONGEST_PHRASE: Final = 200
"""Longest phrase of a policy, in characters."""
MOST_PHRASES: Final = 500
"""Most phrases of one list."""

_WORD = re.compile(r"[^\W_]")
_LONE_TILDE = re.compile(r"~(?![^\W\d_])|(?<!\s)(?<!\A)~")
_SLUG_WORDS = 4


def _phrase(phrase: str) -> str:
    if not _WORD.search(phrase):
        raise ValueError("holds no word, so that it matches nothing")
    if _LONE_TILDE.search(phrase):
        raise ValueError("`~` stands before a word, of which it means any form")
    return phrase


Phrase = Annotated[str, Field(min_length=1, max_length=LONGEST_PHRASE), AfterValidator(_phrase)]
_Phrases = Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=MOST_PHRASES)]
_Sentence = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_phrase)]


class RestrictedPhrases(PolicyModel):
    """Phrases that a text must not use, even if something else allows them.

    Attributes:
        code: code of their violations.
        phrases: the phrases, matched as a reader sees the text; ``~word`` matches any form of a word.
        unless: ``approved`` permits a phrase that an approved action states affirmatively.
        when: ``affirmed`` restricts only claims of the writer, ``always`` mere mentions too.
        use: suggested replacement.
    """

    code: Code
    phrases: _Phrases
    unless: Literal["approved"] | None = None
    when: Literal["affirmed", "always"] = "affirmed"
    use: Annotated[str, Field(min_length=1, max_length=LONGEST_PHRASE)] | None = None


class Disclaimer(PolicyModel):
    """A sentence that a published text must contain.

    Attributes:
        when: conditions on the incident context; a path is looked up at its top level, then under
            ``incident``.
        must_include: the required words; case and white space are ignored.
        code: code of the violation; by default ``disclaimer.`` and the first words.
    """

    when: Conditions = Conditions({})
    must_include: _Sentence
    code: Code = ""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: object) -> object:
        text = given.get("must_include") if isinstance(given, Mapping) else None
        if isinstance(given, Mapping) and isinstance(text, str) and not given.get("code"):
            return {**given, "code": f"disclaimer.{_slug(text)}"}
        return given


class ConcernMeasures(PolicyModel):
    """Reactions to the concerns about a revision.

    Attributes:
        default: reaction to a concern without its own setting.
        new_statement: reaction to a statement that may be a claim.
        unread_language: reaction to a sentence that the guards cannot read.
    """

    default: Measure = "record"
    new_statement: Measure | None = None
    unread_language: Measure | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_word(cls, given: object) -> object:
        return {"default": given} if isinstance(given, str) else given

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema, which includes the short form: one word for all."""
        return {"anyOf": [{"enum": list(MEASURES), "type": "string"}, handler(core_schema)]}

    def of(self, code: str) -> Measure:
        """Return the measure for a concern with a code."""
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
        mode: ``text`` checks only the whole text; ``lines`` also requires that a required change covers
            each changed line.
        max_changed_lines: most changed lines.
    """

    mode: Literal["text", "lines"] = "text"
    max_changed_lines: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _counts_lines(self) -> Self:
        if self.max_changed_lines is not None and self.mode != "lines":
            raise ValueError("max_changed_lines applies to mode lines only")
        return self


def _slug(text: str) -> str:
    words: list[Any] = re.findall(r"[a-z0-9]+", text.casefold())
    return "_".join(words[:_SLUG_WORDS])[:60] or "text"
