"""The text of a scenario's file, as a person would write it."""

from __future__ import annotations

from typing import Any

import yaml

from redpen.types import JsonObject

_WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and nothing by reference: a scenario may not have any."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's own signature
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text.strip("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def scenario_text(values: JsonObject, *, schema: str | None = None) -> str:
    """Return the YAML of a scenario.

    Args:
        values: what it says.
        schema: path of the JSON Schema from the file's folder, for editors.
    """
    head = f"# yaml-language-server: $schema={schema}\n" if schema else ""
    # The dumper is a safe one: it writes plain values alone.
    return head + yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
