"""Names that lead out of a library's folders, in every place that reads a name from a file or a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from fault_campaigns.bounded import in_bounds
from fault_campaigns.file_kinds import FILE_KINDS, layout_of, write_project
from fault_campaigns.tally import Tally
from redpen.errors import RedpenError
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.checking.inputs import Contexts
from redpen_evals.comparison.baseline import baseline_path
from redpen_evals.scenario_library.drafts import load_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_case

_LEADING_OUT: Final = (
    "../outside",
    "../../outside",
    "./../outside",
    "reflection/../../outside",
    "reflection/../../../outside",
    "reflection/..",
    "{root}/outside",
    "/{root}/outside",
    "file://{root}/outside",
    "%2e%2e/outside",
    "..%2foutside",
    "%2e%2e%2foutside",
    "..%c0%afoutside",
    "..\\outside",
    "reflection\\..\\..\\outside",
    "C:\\outside",
    "\\\\server\\outside",
    "~/outside",
    "$HOME/outside",
    "reflection/../../outside\0",
    "reflection/escalated\0",
    "../outside\n",
    "\uff0e\uff0e/outside",
    "\u2024\u2024/outside",
    "..\u2215outside",
    "..",
    ".",
    "/",
    "",
    " ",
    "-",
    "--scenarios=/",
    "\ud800",
    "\x1b[2J",
    "\u202eedistuo",
    "CON",
    "x" * 5_000,
    "x/" * 2_000 + "x",
    "../" * 500 + "outside",
)
_GOOD: Final = "escalated"


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """One place where a name becomes a path.

    Attributes:
        name: in words.
        use: uses a name: raises RedpenError to refuse it, or returns the path that it makes.
    """

    name: str
    use: Callable[[Path, str], Path | None]


def hostile_names(root: Path) -> Tally:
    """Use names that lead out of the library in every place that makes a path from a name.

    Args:
        root: an empty folder.
    """
    project = root / "project"
    write_project(project)
    kinds = {kind.name: kind for kind in FILE_KINDS}
    # The targets of the names are valid files, so that a name that is followed is read without an error.
    for folder, name in ((project, "scenario"), (root, "scenario"), (project / "scenarios", "context")):
        (folder / "outside.yaml").write_text(kinds[name].valid, encoding="utf-8")
    names = [name.replace("{root}", str(root)) for name in _LEADING_OUT]
    cases = [(way, name) for way in _WAYS_IN for name in names]
    reported = in_bounds([partial(_fault, project, way, name) for way, name in cases], note=root / "note")
    broken = [
        f"{way.name}: {ascii(name)[:60]}: {'killed' if fault is None else fault}"
        for (way, name), fault in zip(cases, reported, strict=True)
        if fault != ""
    ]
    return Tally(
        fault="names that lead out: dots, absolute, escaped, backslashes, NULs, look-alikes, very long",
        claim="refused with a message, or made a path below the folder; nothing outside is opened",
        tried=len(cases),
        broken=tuple(broken),
    )


def _fault(project: Path, way: WayIn, name: str) -> str:
    try:
        made = way.use(project, name)
    except RedpenError:
        return ""
    except Exception as error:  # noqa: BLE001 - any other error is what the campaign looks for
        return f"{type(error).__name__}: {error}"
    if made is None:
        return "was followed"
    leads_out = ".." in made.parts or not made.is_relative_to(project)
    return f"leads to {made}" if leads_out else ""


def _scenario_id(project: Path, name: str) -> None:
    load_case(layout_of(project), name)


def _in_file(place: str, field: str, load: Callable[[Layout], object]) -> Callable[[Path, str], None]:
    def use(project: Path, name: str) -> None:
        path = project / place
        before = path.read_bytes()
        value: dict[str, Any] = json.loads(before)
        try:
            path.write_text(json.dumps({**value, field: name}), encoding="utf-8")
            load(layout_of(project))
        finally:
            path.write_bytes(before)

    return use


def _context_named(project: Path, name: str) -> None:
    Contexts(layout=layout_of(project)).named(name)


def _cassette(project: Path, name: str) -> Path:
    return CassetteLocation(root=project / "cassettes", model="scripted", scenario=name).path


def _cassette_of_model(project: Path, name: str) -> Path:
    return CassetteLocation(root=project / "cassettes", model=name, scenario=f"reflection/{_GOOD}").path


def _cassette_of_variant(project: Path, name: str) -> Path:
    location = CassetteLocation(
        root=project / "cassettes", model="scripted", scenario=f"reflection/{_GOOD}", variant=name
    )
    return location.path


def _baseline(project: Path, name: str) -> Path:
    return baseline_path(project / "baseline", name)


_WAYS_IN: Final = (
    WayIn(name="a scenario's id", use=_scenario_id),
    WayIn(
        name="a scenario's context",
        use=_in_file(
            "scenarios/reflection/odd.yaml", "context", lambda layout: load_case(layout, "reflection/odd")
        ),
    ),
    WayIn(
        name="a scenario's plan",
        use=_in_file(
            "scenarios/guarded-policy/filed.yaml",
            "plan",
            lambda layout: load_case(layout, "guarded-policy/filed"),
        ),
    ),
    WayIn(
        name="the context of drafts",
        use=_in_file(
            "scenarios/drafts/odd.yaml",
            "context",
            lambda layout: load_drafts(layout, layout.scenarios / "drafts/odd.yaml"),
        ),
    ),
    WayIn(name="a context's name", use=_context_named),
    WayIn(name="the scenario of a cassette", use=_cassette),
    WayIn(name="the model of a cassette", use=_cassette_of_model),
    WayIn(name="the variant of a cassette", use=_cassette_of_variant),
    WayIn(name="the model of a baseline", use=_baseline),
)
