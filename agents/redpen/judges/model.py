"""Models of the front matter of a judge's file."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

MAX_QUESTIONS = 12
MAX_SAMPLES = 9

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
_Version = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
_Percent = Annotated[float, Field(ge=0, le=100)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Question(_Model):
    """One closed question about a text."""

    id: _Name = Field(description="Name of the question; the family of its findings.")
    ask: Annotated[str, Field(min_length=10, max_length=1_000)] = Field(
        description="The question; `yes` is what is to be found."
    )
    on_yes: Literal["block", "concern"] = Field(description="What a yes is, where the judge may block.")
    family: _Name | None = Field(
        default=None, description="Family of the labelled drafts that a yes is right about."
    )


class Gate(_Model):
    """Rates that a judge has to reach on labelled drafts before it may block, in percent."""

    catch: _Percent = Field(
        description="The lower bound of the 95 % interval of its catch rate is at least this."
    )
    false_alarms: _Percent = Field(
        description="The upper bound of the 95 % interval of its false-alarm rate is at most this."
    )


class JudgeFile(_Model):
    """The front matter of a judge's file."""

    name: _Name = Field(description="As the file is named.")
    version: _Version = Field(description="Of its wording, such as `v1`.")
    notes: str = Field(default="", description="What a reader should know.")
    questions: list[Question] = Field(min_length=1, max_length=MAX_QUESTIONS, description="What is asked.")
    samples: int = Field(
        default=1,
        ge=1,
        le=MAX_SAMPLES,
        description="How often each text is asked about; unlike answers are a concern.",
    )
    gate: Gate | None = Field(default=None, description="Needed where a question says `on_yes: block`.")

    @model_validator(mode="after")
    def _check_questions(self) -> Self:
        ids = [question.id for question in self.questions]
        if twice := sorted({name for name in ids if ids.count(name) > 1}):
            raise ValueError(f"two questions have the id {twice[0]!r}")
        if self.gate is None and any(question.on_yes == "block" for question in self.questions):
            raise ValueError("`on_yes: block` needs a `gate: {catch: …, false_alarms: …}` that earns it")
        return self
