"""Measured rates of a judge on labelled drafts, by model; stored beside its file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from redpen.errors import ConfigurationError
from redpen.yaml_files.parsing import field_names, load_model
from redpen.yaml_files.problem import FileError

SUFFIX = ".measured.json"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Bounds(_Model):
    """A rate with its 95 % Wilson interval, in percent."""

    hits: int = Field(ge=0)
    total: int = Field(ge=0)
    low: Annotated[float, Field(ge=0, le=100)]
    high: Annotated[float, Field(ge=0, le=100)]

    @model_validator(mode="after")
    def _check_interval(self) -> Self:
        if self.hits > self.total or self.low > self.high:
            raise ValueError("is not a valid rate with its interval")
        return self

    def __str__(self) -> str:
        """Return it as text, such as ``24 of 26 [76.0, 97.9] %``."""
        return f"{self.hits} of {self.total} [{self.low:.1f}, {self.high:.1f}] %"


class Measured(_Model):
    """The measured rates of one version of a judge with one model.

    Attributes:
        judge: hash of the measured judge; the rates apply to no other.
        catch: share of the drafts labelled ``block`` that it would have blocked.
        false_alarms: share of the drafts labelled ``pass`` that it would have blocked or did not
            validly answer.
        errored: drafts that it did not validly answer; they count as errors in both rates.
    """

    judge: str
    catch: Bounds
    false_alarms: Bounds
    errored: int = Field(default=0, ge=0)


class MeasuredFile(_Model):
    """The file with all measurements of a judge."""

    redpen_measured: Literal[1] = 1
    models: dict[str, Measured] = Field(default_factory=dict, description="By the name of the model.")


_SHAPE: TypeAdapter[MeasuredFile] = TypeAdapter(MeasuredFile)
_FIELDS = field_names(MeasuredFile)


def measured_path(folder: Path, stem: str) -> Path:
    """Return the path of a judge's measurements, beside the judge's file."""
    return folder / f"{stem}{SUFFIX}"


def read_measured(path: Path) -> MeasuredFile:
    """Return the measurements of a judge; empty if there is no file.

    Raises:
        ConfigurationError: the file cannot be read or is invalid.
    """
    if not path.exists():
        return MeasuredFile()
    try:
        return load_model(path, _SHAPE, fields=_FIELDS)
    except FileError as error:
        raise ConfigurationError(str(error)) from error
