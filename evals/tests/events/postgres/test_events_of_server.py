"""Events on a PostgreSQL server: lost connections, commands, network guard and secrets."""

from __future__ import annotations

import json
import logging

import jsonschema
import pytest

from postgres_server import PASSWORD, USER, PostgresServer
from redpen.events import event_schema, open_events
from redpen.events.address import find_store
from redpen.text.keys import SECRET_RULES
from redpen_evals.run_events import open_project_events

pytestmark = pytest.mark.postgres

SECRET_WORD = "incident"  # noqa: S105 - occurs in prompts, contexts, replies, names and codes


def test_run_continues_when_server_stops_unless_events_are_required(own_server, approve, caplog):
    log = open_events(own_server.new_database())
    assert "events_lost" not in approve(log).to_dict()
    own_server.stop()
    with caplog.at_level(logging.WARNING, logger="redpen.events"):
        lost = approve(log)
        required = approve(log, policy={"events": "required"})
    assert (lost.status, lost.to_dict()["events_lost"]) == ("ok", 7)
    assert (required.status, required.stop_reason) == ("stopped", "events_unavailable")
    assert len(caplog.records) == 1
    assert "events are lost" in caplog.text
    assert PASSWORD not in caplog.text
    log.sink.close()


def test_commands_store_show_and_prune_events_on_server(library, monkeypatch, postgres_server, redpen):
    monkeypatch.chdir(library.root)
    library.record(library.add("self-critique/one", library.self_critique()))
    address = postgres_server.new_database()
    replay = ("run", "--replay", "--scenario", "self-critique/one", "--events")
    assert redpen(*replay, address).exit_code == 0
    shown = redpen("events", address, "--to", "jsonl")
    kinds = [json.loads(line)["kind"] for line in shown.stdout.splitlines()]
    assert (kinds[0], kinds[-1], len(kinds)) == ("run_started", "published", 7)
    assert redpen("events", "prune", address, "--older-than", "0m").stdout == "removed 7 events\n"


def test_network_guard_allows_the_event_server(library, monkeypatch, closed_port):
    monkeypatch.chdir(library.root)
    library.record(library.add("self-critique/one", library.self_critique()))
    port = int(closed_port.rpartition(":")[2])
    with PostgresServer(port) as server:
        address = f"postgresql://{USER}:{PASSWORD}@localhost:{port}/postgres"
        log = open_project_events(address, texts="true", root=library.root)
        # Closed, so that the run has to open the connection itself.
        log.close()
        result = library.evaluate_as("self-critique/one", events=log)
        log.close()
        assert result.outcome == "passed"
        assert "events_lost" not in result.detail
        assert server.run_sql("postgres", "SELECT count(*) FROM redpen_events") == [(7,)]


def test_unreachable_server_error_hides_password(postgres_server, tmp_path, monkeypatch, redpen):
    monkeypatch.chdir(tmp_path)
    address = postgres_server.address("events", folder=tmp_path)
    for arguments in (("events", address), ("events", "prune", address, "--older-than", "1d")):
        result = redpen(*arguments)
        assert result.exit_code == 2
        assert "connection" in result.stderr
        assert PASSWORD not in result.output


def test_session_with_unreachable_server_is_a_usage_error(pytester, postgres_server, tmp_path):
    pytester.makepyfile("def test_nothing(): pass")
    address = postgres_server.address("events", folder=tmp_path)
    result = pytester.runpytest_inprocess("-p", "redpen_evals.plugin", f"--events={address}")
    assert result.ret == 4
    assert "connection" in result.stderr.str()
    assert PASSWORD not in result.stderr.str() + result.stdout.str()


@pytest.fixture(params=["sqlite", "postgresql"])
def address_and_step(request, postgres_server, tmp_path):
    """Return the address of a database and the step between scenarios: a server is slower."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/events.db", 1
    return postgres_server.new_database(), 10


def test_events_of_library_match_schema_and_contain_no_secret(run_library, monkeypatch, address_and_step):
    address, every = address_and_step
    monkeypatch.setenv("MAILER_API_KEY", SECRET_WORD)
    log = open_project_events(address, texts="true", root=None)
    results = run_library(log, every)
    assert len(results) > 500 / every
    assert all("events_lost" not in result.detail for result in results)
    # Only the schema of the event's kind is used: trying all alternatives takes minutes.
    schema = event_schema()
    validators = {
        kind: jsonschema.Draft202012Validator({"$ref": place, "$defs": schema["$defs"]})
        for kind, place in schema["discriminator"]["mapping"].items()
    }
    store = find_store(address)
    events = [entry.content for entry in store.read()]
    store.close()
    log.close()
    by_run = {}
    for event in events:
        written = event.model_dump_json()
        validators[event.kind].validate(json.loads(written))
        assert SECRET_WORD not in written
        assert not any(rule.pattern.search(written) for rule in SECRET_RULES)
        by_run.setdefault(event.run_id, []).append(event.seq)
    assert by_run.keys() == {result.run_id for result in results}
    assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in by_run.values())
