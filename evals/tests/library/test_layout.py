"""Ids follow from places, and lead nowhere else."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.library.errors import LibraryError
from redpen_evals.library.layout import Layout
from redpen_evals.library.loading import check_library, load_case


def test_ids_are_the_paths_without_suffix_in_order(library):
    library.add("self-critique/b", {})
    library.add("reflection/deep/er/c.d", {})
    library.write("self-critique/a.yml", "")
    library.write("self-critique/notes.md", "")
    library.write("elsewhere/x.yaml", "")
    (library.layout.scenarios / "self-critique" / "folder.yaml").mkdir()
    assert library.layout.scenario_ids() == ("reflection/deep/er/c.d", "self-critique/a", "self-critique/b")


def test_a_scenario_is_found_at_any_depth_and_with_either_suffix(library):
    name = "self-critique/group/sub/one"
    assert library.case(name, library.self_critique()).id == name
    path = library.layout.scenario_path(name)
    path = path.rename(path.with_suffix(".yml"))
    assert load_case(library.layout, name).path == path


def test_two_files_of_one_id_are_a_fault(library):
    first = library.write("self-critique/twin.yaml", library.self_critique())
    library.write("self-critique/twin.yml", first.read_text())
    assert library.layout.scenario_ids() == ("self-critique/twin",)
    with pytest.raises(LibraryError, match=r"twin.yml:1: duplicate id 'self-critique/twin': twin.yaml has"):
        load_case(library.layout, "self-critique/twin")


@pytest.mark.parametrize("folder", ["contexts", "plans"])
def test_two_contexts_or_plans_of_one_name_are_a_fault(library, folder):
    name = library.layout.names(folder)[0]
    library.write(f"{folder}/{name}.yml", "x: 1")
    (problem,) = check_library(library.layout)
    assert problem.path.name == f"{name}.yml"
    assert problem.text == f"duplicate id '{name}': {name}.yaml has it too"


@pytest.mark.parametrize(
    "scenario_id",
    [
        "../outside",
        "self-critique/../../outside",
        "self-critique/../self-critique/one",
        "/self-critique/one",
        "self-critique//one",
        "self-critique/./one",
        "self-critique/one/",
        "self-critique\\one",
        "self-critique/one\n",
        "self-critique/one\0",
        "self-critique",
        "contexts/payments",
        "",
    ],
)
def test_what_is_no_id_finds_no_file(library, scenario_id):
    library.add("self-critique/one", library.self_critique())
    (library.root / "outside.yaml").write_text("secret: 1")
    with pytest.raises(ConfigurationError, match="no scenario ") as caught:
        library.layout.scenario_path(scenario_id)
    assert repr(scenario_id) in str(caught.value)


def test_an_unknown_id_gets_the_nearest(library):
    library.add("self-critique/approve", {})
    with pytest.raises(ConfigurationError) as caught:
        load_case(library.layout, "self-critique/aprove")
    assert str(caught.value) == (
        "no scenario 'self-critique/aprove' (did you mean `self-critique/approve`?); "
        "`redpen scenarios` lists them"
    )


@pytest.mark.parametrize("name", ["two words", "Grüße", "-dash", ".hidden", "a" * 101])
def test_a_file_whose_name_makes_no_id_is_a_fault_of_the_library(library, name):
    library.write(f"self-critique/{name}.yaml", library.self_critique())
    (problem,) = check_library(library.layout)
    assert problem.path == library.layout.scenarios / "self-critique" / f"{name}.yaml"
    assert problem.text.endswith("rename it")


def test_without_a_folder_the_setting_is_named(tmp_path):
    layout = Layout(scenarios=tmp_path / "none", cassettes=tmp_path)
    with pytest.raises(
        ConfigurationError, match="none: no such folder; name it with `redpen --scenarios DIR`"
    ):
        layout.scenario_ids()
