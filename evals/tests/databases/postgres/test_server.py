"""PostgreSQL servers that are unreachable, restarted or refuse access, and shared databases."""

from __future__ import annotations

import os

import pytest

from postgres_server import PASSWORD
from redpen.databases import DatabaseError, open_database
from redpen.databases.postgresql import PostgresqlDatabase, parse_url
from redpen.errors import ConfigurationError

pytestmark = pytest.mark.postgres

ADD = "INSERT INTO redpen_notes (name) VALUES (:name)"


class Clock:
    """A clock that a test moves."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_unreachable_server_error_hides_login(postgres_server, open_notes, tmp_path):
    address = postgres_server.address("orders", folder=tmp_path)
    for use in (open_notes(address).check, open_notes(address).require):
        with pytest.raises(ConfigurationError) as raised:
            use()
        message = str(raised.value)
        assert message.startswith(f"postgresql://{tmp_path}/orders: notes: connection")
        assert [secret for secret in (PASSWORD, "redpen:") if secret in message] == []
        assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("changes", "name", "message"),
    [
        ({"password": "canary-wrong"}, "postgres", "password authentication failed"),
        ({"user": "nobody-here"}, "postgres", "password authentication failed"),
        ({}, "no_such_database", 'database "no_such_database" does not exist'),
    ],
)
def test_refused_connection_error_has_message_of_server(postgres_server, open_notes, changes, name, message):
    database = open_notes(postgres_server.address(name, **changes))
    with pytest.raises(ConfigurationError, match=message) as raised:
        database.check()
    assert "canary" not in str(raised.value)


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:canary@db:port/x", "postgresql://ann:canary@/x?cake=canary"],
)
def test_invalid_address_error_hides_password(open_notes, address):
    with pytest.raises(ConfigurationError) as raised:
        open_notes(address).check()
    assert "canary" not in str(raised.value)


def test_restarted_server_is_reconnected_after_a_pause(own_server, open_notes, clock):
    database = PostgresqlDatabase(
        parse_url(own_server.new_database()), open_notes("sqlite:///x")._tables, clock=clock
    )
    database.execute(ADD, {"name": "before"})
    own_server.stop()
    with pytest.raises(DatabaseError):
        database.execute(ADD, {"name": "meanwhile"})
    with pytest.raises(DatabaseError, match="connection"):
        database.execute(ADD, {"name": "meanwhile"})
    own_server.start()
    # A run with many events waits only once for a server that does not answer.
    with pytest.raises(DatabaseError, match="not tried again for 10 s"):
        database.execute(ADD, {"name": "meanwhile"})
    clock.now += 11
    database.execute(ADD, {"name": "after"})
    # The connection was idle while the server was restarted.
    clock.now += 11
    own_server.stop()
    own_server.start()
    database.execute(ADD, {"name": "later"}, serialised=True)
    assert [name for (name,) in database.execute("SELECT name FROM redpen_notes ORDER BY id").rows] == [
        "before",
        "after",
        "later",
    ]
    database.close()


def test_foreign_tables_are_unchanged(postgres_server, open_notes):
    address = postgres_server.new_database()
    name = address.rpartition("/")[2].partition("?")[0]
    postgres_server.run_sql(name, "CREATE TABLE events (id INTEGER)")
    open_notes(address).check()
    assert postgres_server.run_sql(name, "SELECT count(*) FROM events") == [(0,)]


def test_read_only_role_can_read_but_not_write(postgres_server, open_notes):
    address = postgres_server.new_database()
    name = address.rpartition("/")[2].partition("?")[0]
    open_notes(address).execute(ADD, {"name": "one"})
    postgres_server.run_sql(name, f"CREATE ROLE {name}_reader LOGIN PASSWORD '{PASSWORD}'")
    postgres_server.run_sql(name, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}_reader")
    reader = open_notes(postgres_server.address(name, user=f"{name}_reader"))
    reader.require()
    assert reader.execute("SELECT name FROM redpen_notes").rows == [("one",)]
    with pytest.raises(DatabaseError, match="permission denied"):
        reader.execute(ADD, {"name": "two"})


def test_database_without_our_tables_is_refused(postgres_server, open_notes):
    with pytest.raises(ConfigurationError, match="notes: the database holds none"):
        open_notes(postgres_server.new_database()).require()


def test_password_is_read_from_environment(postgres_server, open_notes, monkeypatch):
    address = postgres_server.new_database().replace(f":{PASSWORD}@", "@")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert open_notes(address).execute(ADD, {"name": "one"}).changed == 1


def test_waiting_for_a_lock_times_out(postgres_server, open_notes):
    address = f"{postgres_server.new_database()}&options=-c%20lock_timeout%3D100ms"
    holder, waiting = open_notes(address), open_database(address, open_notes(address)._tables)
    holder.check()
    with holder.transaction(), pytest.raises(DatabaseError, match="lock timeout"):
        waiting.execute(ADD, {"name": "one"}, serialised=True)
    waiting.close()


def test_closed_database_leaves_no_server_connection(postgres_server, open_notes):
    address = postgres_server.new_database()
    name = address.rpartition("/")[2].partition("?")[0]
    database = open_notes(address)
    counted = (
        f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND application_name = 'redpen'"  # noqa: S608
    )
    database.check()
    assert postgres_server.run_sql("postgres", counted) == [(1,)]
    child = os.fork()
    if not child:
        database.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert postgres_server.run_sql("postgres", counted) == [(1,)]
    database.close()
    postgres_server.run_sql("postgres", f"DROP DATABASE {name}")
