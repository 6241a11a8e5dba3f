"""What modules of a project set up when they are imported, which is once: each of its runs finds it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


class ImportEffects:
    """What imports added: variables of the environment, such as those of a file ``.env``, and folders of
    ``sys.path``.

    What a run changes is put back after it, but a module is imported in the first run alone.
    """

    def __init__(self) -> None:
        self._environment: dict[str, str] = {}
        self._paths: list[str] = []

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep what the import inside adds, and add what earlier ones did."""
        for name, value in self._environment.items():
            os.environ.setdefault(name, value)
        sys.path += [path for path in self._paths if path not in sys.path]
        environment, paths = set(os.environ), set(sys.path)
        try:
            yield
        finally:
            self._environment |= {name: os.environ[name] for name in os.environ.keys() - environment}
            self._paths += [path for path in sys.path if path not in paths]


IMPORTS: Final = ImportEffects()
"""Those of this process."""
