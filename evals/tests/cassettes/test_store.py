"""Cassette locations and atomic saves."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import threading

import pytest

from redpen.errors import ConfigurationError
from redpen_evals import atomic_write
from redpen_evals.atomic_write import remove_leftovers
from redpen_evals.cassettes import file
from redpen_evals.cassettes.store import CassetteLocation, list_locations, load, save
from redpen_evals.errors import CassetteError

KILLED_SAVE = """
import os, signal, sys
from pathlib import Path
from redpen_evals.cassettes import file, store
target = Path(sys.argv[1])
cassette = file.read(target)
location = store.CassetteLocation(root=target.parents[2], model="scripted", scenario=cassette.scenario)
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
store.save(location, cassette)
"""


@pytest.mark.parametrize(
    ("model", "folder"),
    [
        ("scripted", "scripted"),
        ("gpt-4.1-mini", "gpt-4.1-mini"),
        ("openai/gpt-4o", "openai%2Fgpt-4o"),
        ("llama3:8b", "llama3%3A8b"),
        ("..", "%2E."),
        ("модель", "%D0%BC%D0%BE%D0%B4%D0%B5%D0%BB%D1%8C"),
    ],
)
def test_model_name_is_escaped_in_folder_name(tmp_path, model, folder):
    location = CassetteLocation(root=tmp_path, model=model, scenario="a/b")
    assert location.path == tmp_path / folder / "a" / "b.json"
    assert location.kind == ("scripted" if model == "scripted" else "live")


@pytest.mark.parametrize("scenario", ["", "../a", "a/../b", "/a", "a//b", "a/", "a b", ".a", "a\\b", "a\n"])
def test_invalid_scenario_id_or_model_is_refused(tmp_path, scenario):
    with pytest.raises(ConfigurationError):
        CassetteLocation(root=tmp_path, model="scripted", scenario=scenario)
    with pytest.raises(ConfigurationError):
        CassetteLocation(root=tmp_path, model=" ", scenario="a")


def test_record_command_names_scenario_and_model(tmp_path):
    scripted = CassetteLocation(root=tmp_path, model="scripted", scenario="a/b")
    assert scripted.record_command() == "pytest --record=all -k '[a/b]'"
    live = CassetteLocation(root=tmp_path, model="odd name", scenario="a/b")
    assert live.record_command("stale") == "pytest --record=stale --model 'odd name' -k '[a/b]'"


def test_saved_cassettes_are_loaded_and_listed(cassette_file, location):
    assert list_locations(location.root) == []
    save(location, cassette_file)
    live = CassetteLocation(root=location.root, model="open/ai", scenario="x")
    save(live, dataclasses.replace(cassette_file, kind="live", model="open/ai", scenario="x"))
    (location.root / "notes.json").write_text("{}")
    (location.root / "open%2Fai" / ".x.json.0.redpen-tmp").write_text("{}")
    assert load(location) == cassette_file
    assert list_locations(location.root) == [live, location]


@pytest.mark.parametrize(
    ("model", "changes", "kind"),
    [
        ("gpt-4.1-mini", {}, "kind"),
        ("gpt-4.1-mini", {"kind": "live", "model": "gpt-4.1"}, "model"),
        ("scripted", {"kind": "live"}, "kind"),
        ("scripted", {"scenario": "self-critique/other"}, "scenario"),
    ],
)
def test_cassette_at_wrong_location_is_refused(cassette_file, tmp_path, model, changes, kind):
    location = CassetteLocation(root=tmp_path, model=model, scenario=cassette_file.scenario)
    save(location, dataclasses.replace(cassette_file, **changes))
    with pytest.raises(CassetteError) as caught:
        load(location)
    assert caught.value.kind == kind
    assert caught.value.mend == location.record_command()


def test_failed_save_keeps_old_file_and_no_temporary(cassette_file, location, monkeypatch):
    save(location, cassette_file)
    before = location.path.read_bytes()

    def fail(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CassetteError, match="No space left") as caught:
        save(location, dataclasses.replace(cassette_file, calls=()))
    assert caught.value.kind == "unwritable"
    assert location.path.read_bytes() == before
    assert list(location.path.parent.iterdir()) == [location.path]


def test_save_fails_when_file_blocks_folder(cassette_file, location):
    location.root.parent.mkdir(exist_ok=True)
    location.root.write_text("in the way")
    with pytest.raises(CassetteError) as caught:
        save(location, cassette_file)
    assert caught.value.kind == "unwritable"


@pytest.mark.parametrize("mask", [0o022, 0o027])
def test_saved_file_mode_follows_umask(cassette_file, location, mask):
    old = os.umask(mask)
    try:
        save(location, cassette_file)
    finally:
        os.umask(old)
    assert location.path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_killed_save_keeps_old_file_and_next_save_cleans_up(cassette_file, location):
    save(location, cassette_file)
    before = location.path.read_bytes()
    sources = os.pathsep.join(path for path in sys.path if path)
    killed = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", KILLED_SAVE, str(location.path)],
        env={**os.environ, "PYTHONPATH": sources},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert location.path.read_bytes() == before
    assert len(list(location.path.parent.iterdir())) == 2
    save(location, cassette_file)
    assert list(location.path.parent.iterdir()) == [location.path]


def test_locked_temporary_file_is_not_removed(location, cassette_file):
    save(location, cassette_file)
    temporary, descriptor = atomic_write._create_temporary(location.path)
    remove_leftovers(location.path.parent)
    assert temporary.exists()
    os.close(descriptor)
    remove_leftovers(location.path.parent)
    assert not temporary.exists()


def test_concurrent_saves_into_one_folder_are_independent(cassette_file, tmp_path):
    locations = [
        CassetteLocation(root=tmp_path, model="scripted", scenario=f"s{number}") for number in range(16)
    ]
    problems = []

    def work(location):
        try:
            for _ in range(5):
                save(location, dataclasses.replace(cassette_file, scenario=location.scenario))
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            problems.append(error)

    threads = [threading.Thread(target=work, args=(location,)) for location in locations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert list_locations(tmp_path) == sorted(locations, key=lambda one: str(one.path))
    assert all(file.read(location.path).scenario == location.scenario for location in locations)
    assert len(list((tmp_path / "scripted").iterdir())) == len(locations)


def test_linked_folders_are_not_listed_loaded_or_saved_into(cassette_file, location, tmp_path):
    save(location, cassette_file)
    outside = tmp_path / "outside"
    location.path.parent.rename(outside)
    location.path.parent.symlink_to(outside, target_is_directory=True)
    (location.root / "disk").symlink_to("/", target_is_directory=True)
    before = (outside / location.path.name).read_bytes()
    assert list_locations(location.root) == []
    for use in (lambda: load(location), lambda: save(location, dataclasses.replace(cassette_file, calls=()))):
        with pytest.raises(CassetteError, match=f"is a link that leads out of {location.root}"):
            use()
    assert (outside / location.path.name).read_bytes() == before


def test_save_replaces_symlink_and_keeps_target(cassette_file, location, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text("mine")
    location.path.parent.mkdir(parents=True)
    location.path.symlink_to(outside)
    save(location, cassette_file)
    assert outside.read_text() == "mine"
    assert load(location) == cassette_file


def test_oversized_recording_is_not_saved(cassette_file, call, location):
    large = dataclasses.replace(cassette_file, calls=(call({"text": "x" * file.MAX_BYTES}),))
    with pytest.raises(CassetteError, match="nothing was saved: the recording is larger than 32,000,000"):
        save(location, large)
    assert not location.path.exists()


@pytest.mark.parametrize("names", [{"model": "x" * 300}, {"model": "м" * 50}, {"variant": "a=" + "x" * 250}])
def test_overlong_name_is_refused(tmp_path, names):
    location = CassetteLocation(root=tmp_path, scenario="a/b", **{"model": "scripted", **names})
    with pytest.raises(ConfigurationError, match="is too long for a"):
        assert location.path


@pytest.mark.parametrize("names", [{"model": "\udcff"}, {"model": "scripted", "variant": "critique=\udcff"}])
def test_non_utf8_name_is_refused(tmp_path, names):
    with pytest.raises(ConfigurationError, match=r"\\udcff' is not UTF-8"):
        assert CassetteLocation(root=tmp_path, scenario="a/b", **names).path
