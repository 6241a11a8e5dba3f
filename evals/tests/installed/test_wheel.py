"""The wheel is complete and works in a project outside of the checkout."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from fault_campaigns.small_library import SCENARIOS, write_library
from redpen_evals.scenario_library.layout import Layout

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = {"redpen": ROOT / "agents" / "redpen", "redpen_evals": ROOT / "evals" / "redpen_evals"}
TESTS = "def test_agent(scenario_run):\n    scenario_run.check()\n"
_PRINT_ORIGINS = "import redpen, redpen_evals; print(redpen.__file__, redpen_evals.__file__, sep='\\n')"


@pytest.fixture
def project(tmp_path):
    """Give a foreign project: a library and a test, without any mention of the plugin."""
    write_library(Layout(scenarios=tmp_path / "scenarios", cassettes=tmp_path / "cassettes"), goal="Tell.")
    (tmp_path / "pytest.ini").write_text("[pytest]\nredpen_baseline = accepted\n", encoding="utf-8")
    (tmp_path / "test_agents.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def test_wheel_holds_exactly_the_files_of_the_packages(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for name, folder in PACKAGES.items()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert names == expected
    for needed in ("redpen/py.typed", "redpen_evals/py.typed", "redpen/prompts/critique.md"):
        assert needed in names
    for templates in ("reports", "scaffold"):
        assert any(name.startswith(f"redpen_evals/{templates}/templates/") for name in names)


def test_imported_packages_are_the_installed_ones(installed, run):
    for origin in run(installed / "python", "-c", _PRINT_ORIGINS, cwd=installed).split():
        assert Path(origin).is_relative_to(installed.parent)


def test_check_record_compare_and_report_work_in_another_project(installed, project, run):
    pytest_ = (installed / "python", "-m", "pytest", "-p", "no:cacheprovider")
    # The command reads its folders from the pytest settings.
    redpen = (installed / "redpen",)

    run(*redpen, "scenarios", "check", cwd=project)
    listed = run(*redpen, "scenarios", cwd=project)
    assert all(scenario in listed for scenario in SCENARIOS)
    assert "3 passed" in run(*pytest_, "--record=missing", cwd=project)
    found = {
        path.relative_to(project / "cassettes").as_posix() for path in project.rglob("cassettes/**/*.json")
    }
    recorded = {name for name in found if not name.startswith("scripted/_prompts/")}
    assert recorded == {f"scripted/{scenario}.json" for scenario in SCENARIOS}

    assert "3 passed" in run(*pytest_, cwd=project)
    run(*redpen, "compare", "last-1", "last", cwd=project)
    run(*redpen, "baseline", "accept", cwd=project)
    assert (project / "accepted" / "scripted.json").is_file()

    run(*redpen, "report", "last", "-o", "report.html", "-o", "report.md", cwd=project)
    page = (project / "report.html").read_text(encoding="utf-8")
    assert all(scenario in page for scenario in SCENARIOS)
    assert "compared with the baseline" in run(*pytest_, cwd=project)
