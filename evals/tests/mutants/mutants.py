"""Mutants: faults inserted into the code one at a time, described as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = {"redpen": Path("agents/redpen"), "redpen_evals": Path("evals/redpen_evals")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One fault.

    Attributes:
        name: what it breaks.
        package: the package that contains ``old`` exactly once, in any file.
        old: the original text of the code.
        new: the text that replaces it.
        tests: files or folders in which a test has to fail.
    """

    name: str
    package: str
    old: str
    new: str
    tests: tuple[str, ...]

    def places(self, root: Path) -> Iterator[Path]:
        """Yield the file of each occurrence of ``old`` in a checkout."""
        for path in sorted((root / PACKAGES[self.package]).rglob("*.py")):
            for _ in range(path.read_text(encoding="utf-8").count(self.old)):
                yield path

    def apply(self, root: Path) -> tuple[Path, str]:
        """Change the code of a checkout; returns the file and its text before.

        Raises:
            ValueError: ``old`` does not occur exactly once in the package.
        """
        places = list(self.places(root))
        if len(places) != 1:
            raise ValueError(f"{self.name}: `old` occurs {len(places)} times in {self.package}")
        (path,) = places
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return path, text


def read_mutants() -> tuple[Mutant, ...]:
    """Return the mutants of ``mutants.yaml``, in its order."""
    path = Path(__file__).with_name("mutants.yaml")
    values = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return tuple(Mutant(**{**value, "tests": tuple(value["tests"])}) for value in values)
