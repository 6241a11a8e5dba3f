"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for line in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
    name, version = re.match(r"([\w.-]+)>=([\w.]+)", line).groups()
    sys.stdout.write(f"{name}=={version}\n")
