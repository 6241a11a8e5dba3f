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
    def _is_a_share(self) -> Self:
        if self.hits > self.total or self.low > self.high:
            raise ValueError("is no share with its interval")
        return self

    def __str__(self) -> str:
        """Return it in words, such as ``24 of 26 [76.0, 97.9] %``."""
        return f"{self.hits} of {self.total} [{self.low:.1f}, {self.high:.1f}] %"


class Measured(_Model):
    """The rates of one wording of a judge with one model.

    Attributes:
        judge: hash of the measured judge; the rates apply to no other.
        catch: of the labelled drafts that it should block, those that it would have blocked.
        false_alarms: of the sound ones, those that it would have blocked, or gave no readable answer to.
        errored: drafts to which it gave no readable answer; they count against it in both rates.
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
    """Return the file of a judge's measurements, beside the judge's own."""
    return folder / f"{stem}{SUFFIX}"


def read_measured(path: Path) -> MeasuredFile:
    """Return the measurements of a judge; empty if there is no file.

    Raises:
        ConfigurationError: the file cannot be read or has a fault.
    """
    if not path.exists():
        return MeasuredFile()
    try:
        return load_model(path, _SHAPE, fields=_FIELDS)
    except FileError as error:
        raise ConfigurationError(str(error)) from error
