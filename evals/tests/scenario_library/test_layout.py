"""Layout of the library: ids from paths, duplicate or invalid names, and links."""

from __future__ import annotations

import os

import pytest

from redpen.errors import ConfigurationError
from redpen.yaml_files.problem import FileError
from redpen_evals.scenario_library.drafts import check_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import check_library, load_case


def test_scenario_ids_are_sorted_paths_without_suffix(library):
    library.add("self-critique/b", {})
    library.add("reflection/deep/er/c.d", {})
    library.write("self-critique/a.yml", "")
    library.write("self-critique/notes.md", "")
    library.write("drafts/x.yaml", "")
    library.write(".hidden/x.yaml", "")
    library.write("mailer/x.yaml", "")
    (library.layout.scenarios / "self-critique" / "folder.yaml").mkdir()
    assert library.layout.scenario_ids() == (
        "mailer/x",
        "reflection/deep/er/c.d",
        "self-critique/a",
        "self-critique/b",
    )


def test_scenario_is_found_at_any_depth_with_yaml_or_yml(library):
    name = "self-critique/group/sub/one"
    assert library.case(name, library.self_critique()).id == name
    path = library.layout.scenario_path(name)
    path = path.rename(path.with_suffix(".yml"))
    assert load_case(library.layout, name).path == path


def test_duplicate_scenario_id_is_refused(library):
    first = library.write("self-critique/twin.yaml", library.self_critique())
    library.write("self-critique/twin.yml", first.read_text())
    assert library.layout.scenario_ids() == ("self-critique/twin",)
    with pytest.raises(FileError, match=r"twin.yml:1: duplicate id 'self-critique/twin': twin.yaml has"):
        load_case(library.layout, "self-critique/twin")


@pytest.mark.parametrize("folder", ["contexts", "plans"])
def test_duplicate_context_or_plan_name_is_reported(library, folder):
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
def test_invalid_scenario_id_is_refused(library, scenario_id):
    library.add("self-critique/one", library.self_critique())
    (library.root / "outside.yaml").write_text("secret: 1")
    with pytest.raises(ConfigurationError, match="no scenario ") as caught:
        library.layout.scenario_path(scenario_id)
    assert repr(scenario_id) in str(caught.value)


def test_unknown_scenario_id_error_has_suggestion(library):
    library.add("self-critique/approve", {})
    with pytest.raises(ConfigurationError) as caught:
        load_case(library.layout, "self-critique/aprove")
    assert str(caught.value) == (
        "no scenario 'self-critique/aprove' (did you mean `self-critique/approve`?); "
        "`redpen scenarios` lists them"
    )


@pytest.mark.parametrize("name", ["two words", "Grüße", "-dash", ".hidden", "a" * 101])
def test_invalid_file_name_is_reported(library, name):
    library.write(f"self-critique/{name}.yaml", library.self_critique())
    (problem,) = check_library(library.layout)
    assert problem.path == library.layout.scenarios / "self-critique" / f"{name}.yaml"
    assert problem.text.endswith("rename it")


def test_names_that_differ_only_in_case_are_reported(library):
    for name in ("One", "one", "ONE", "two"):
        library.add(f"self-critique/{name}", library.self_critique())
    library.write("contexts/Payments.yaml", library.layout.context_path("payments").read_text())
    message = "differs from {} only in case, and some systems treat them as one file"
    assert [(problem.path.name, problem.text) for problem in check_library(library.layout)] == [
        ("One.yaml", message.format("self-critique/ONE")),
        ("one.yaml", message.format("self-critique/ONE")),
        ("payments.yaml", message.format("Payments")),
    ]


def test_missing_scenarios_folder_error_names_the_option(tmp_path):
    layout = Layout(scenarios=tmp_path / "none", cassettes=tmp_path)
    with pytest.raises(
        ConfigurationError, match="none: no such folder; name it with `redpen --scenarios DIR`"
    ):
        layout.scenario_ids()


@pytest.fixture
def outside(library, tmp_path_factory):
    """Give the path of a valid scenario outside of the library."""
    path = tmp_path_factory.mktemp("outside") / "one.yaml"
    return library.write("self-critique/one.yaml", library.self_critique()).rename(path)


def test_unreadable_scenario_files_are_listed_and_reported(library, outside):
    folder = library.layout.scenarios / "self-critique"
    os.mkfifo(folder / "pipe.yaml")
    (folder / "circle.yaml").symlink_to("circle.yaml")
    (folder / "gone.yaml").symlink_to("nothing")
    (folder / "linked").symlink_to(outside.parent, target_is_directory=True)
    folder.joinpath(*"abcdefghij").mkdir(parents=True)
    assert {str(problem).split(":1: ")[1] for problem in check_library(library.layout)} == {
        "cannot be read: it is a pipe, not a plain file",
        "cannot be read: Too many levels of symbolic links",
        "cannot be read: No such file or directory",
        "cannot be read: it is a folder, not a plain file",
        (
            "names can have at most 100 ASCII letters, digits, '.', '_' and '-', and at most five folders "
            "can be nested; rename it"
        ),
    }
    assert len(library.layout.scenario_ids()) == 5


@pytest.mark.parametrize("folder", ["self-critique", "contexts", "plans"])
def test_link_out_of_the_library_is_reported(library, outside, folder):
    (library.layout.scenarios / folder).mkdir(exist_ok=True)
    (library.layout.scenarios / folder / "link.yaml").symlink_to(outside)
    (problem,) = check_library(library.layout)
    assert problem.path == library.layout.scenarios / folder / "link.yaml"
    assert (
        problem.text == f"leads out of {library.layout.scenarios} over a link; replace the link by the file"
    )


def test_link_within_the_library_is_followed(library):
    library.write("elsewhere/one.yaml", library.self_critique())
    (library.layout.scenarios / "self-critique").mkdir()
    (library.layout.scenarios / "self-critique" / "one.yaml").symlink_to("../elsewhere/one.yaml")
    assert load_case(library.layout, "self-critique/one").agent == "self-critique"


@pytest.mark.parametrize("name", [b"\xff", b"a\nb", b"\x1b[2J", "\u202egpj".encode()])
def test_undecodable_or_control_name_is_reported_escaped(library, name):
    path = library.write("self-critique/one.yaml", library.self_critique())
    path.rename(path.with_name(os.fsdecode(name + b".yaml")))
    (scenario_id,) = library.layout.scenario_ids()
    (problem,) = check_library(library.layout)
    assert scenario_id.isprintable()
    assert str(problem).isprintable()
    assert problem.text.endswith("rename it")


def test_draft_files_are_checked_for_names_and_links(library, outside):
    folder = library.layout.scenarios / "drafts"
    folder.mkdir()
    os.mkfifo(folder / "pipe.yaml")
    (folder / "link.yaml").symlink_to(outside)
    (folder / "two words.yaml").touch()
    texts = [problem.text for problem in check_drafts(library.layout)]
    assert [text.split(";")[0].split(",")[0] for text in texts] == [
        f"leads out of {library.layout.scenarios} over a link",
        "cannot be read: it is a pipe",
        "names can have at most 100 ASCII letters",
    ]
