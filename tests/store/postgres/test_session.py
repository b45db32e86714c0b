"""Lost connections: reads go on, and a write is stored once, or not at all and says so."""

from __future__ import annotations

import contextlib
import logging
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

import psycopg
import pytest

from bench.postgres_server import Server
from wellkept.errors import CommitUnknown, StoreError
from wellkept.store.opening import open_store
from wellkept.store.postgres import session
from wellkept.store.postgres.session import Mark
from wellkept.testing.world import World, search


class Wire:
    """Between a store and its server: passes everything on, until it is told to break at a COMMIT."""

    def __init__(self, server: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="rc-wire-", dir="/tmp")
        self._server = f"{server}/.s.PGSQL.5432"
        self._sockets: list[socket.socket] = []
        self.breaks: str | None = None
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(f"{self.folder}/.s.PGSQL.5432")
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._sockets += [client, server]
                is_cut = threading.Event()
                for pass_on in (self._to_server, self._to_client):
                    threading.Thread(target=pass_on, args=(client, server, is_cut), daemon=True).start()

    def _to_server(self, client: socket.socket, server: socket.socket, is_cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(65_536):
                if b"COMMIT" in data and self.breaks is not None:
                    how, self.breaks = self.breaks, None
                    is_cut.set()
                    if how == "commit":
                        break
                server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)

    def _to_client(self, client: socket.socket, server: socket.socket, is_cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while (data := server.recv(65_536)) and not is_cut.is_set():
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for one in (self._listening, *self._sockets):
            one.close()
        shutil.rmtree(self.folder)


@pytest.fixture
def wire(postgres):
    wire = Wire(str(postgres.folder))
    yield wire
    wire.close()


@pytest.fixture
def store(wire, postgres, new_database):
    store = open_store(new_database().replace(str(postgres.folder), wire.folder))
    yield store
    store.close()


def test_a_commit_whose_answer_is_lost_is_a_success(store, wire):
    world = World(store)
    world.tell("Alice likes tea.")
    wire.breaks = "answer"
    world.tell("Alice likes coffee.")
    assert wire.breaks is None
    assert store.counts("t")["active"] == 2
    assert not list(store.verify("t"))


def test_a_commit_that_never_arrives_is_an_error_and_nothing_is_written(store, wire):
    world = World(store)
    world.tell("Alice likes tea.")
    wire.breaks = "commit"
    with pytest.raises(StoreError, match="nothing was written"):
        world.tell("Alice likes coffee.")
    assert store.counts("t")["active"] == 1
    world.tell("Alice likes coffee.")
    assert len(store.candidates(search("coffee tea"))) == 2
    assert not list(store.verify("t"))


def end_all(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_connections_that_were_ended_are_replaced(new_database):
    url = new_database()
    store = open_store(url)
    world = World(store)
    world.tell("Alice likes tea.")
    end_all(url)
    assert store.counts("t")["active"] == 1
    end_all(url)
    world.tell("Alice likes coffee.")
    end_all(url)
    assert len(store.candidates(search("coffee tea"))) == 2

    def tell_two() -> None:
        with store.transaction():
            world.tell("Alice likes milk.")
            end_all(url)
            world.tell("Alice likes wine.")

    with pytest.raises(StoreError, match="nothing was written"):
        tell_two()
    assert store.counts("t")["active"] == 2
    store.close()


LOSING = """
import sys
import psycopg
from wellkept.errors import StoreError
from wellkept.store.opening import open_store
from wellkept.testing.world import World

url = sys.argv[1]
store = open_store(url)
world = World(store)
try:
    with store.transaction():
        world.tell()
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                          "WHERE datname = current_database() AND pid <> pg_backend_pid()")
        world.tell()
except StoreError:
    print("lost")
store.close()
"""


def test_a_lost_connection_prints_nothing(new_database):
    done = subprocess.run([sys.executable, "-c", LOSING, new_database()], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("lost\n", "")


def test_what_the_pool_says_goes_to_our_logger_and_other_pools_speak_for_themselves(new_database, caplog):
    caplog.set_level(logging.INFO)
    url = new_database()
    store = open_store(url)

    def lose() -> None:
        with store.transaction():
            World(store).tell()
            end_all(url)
            World(store).tell("Alice likes wine.")

    with pytest.raises(StoreError):
        lose()
    store.close()
    warned = [record.name for record in caplog.records if record.levelno >= logging.WARNING]
    told = [record.getMessage() for record in caplog.records if record.name == "wellkept"]
    assert warned == []
    assert any("discarding closed connection" in one for one in told)
    assert not any(url in one for one in told)
    logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "reports", "gone")
    assert caplog.records[-1].name == "psycopg.pool"


def test_a_number_is_trusted_only_in_the_life_in_which_it_was_given():
    """A server that crashed may give the same number to somebody else."""
    server = Server().create().start()
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE notes (x INT)")
            connection.execute("BEGIN")
            mark = session.mark_of(connection, None)
            connection.execute("INSERT INTO notes VALUES (1)")
            connection.execute("COMMIT")
            connection.execute("BEGIN")
            undone = session.mark_of(connection, 5)
            connection.execute("ROLLBACK")

        def ask(about: Mark) -> bool:
            return session.was_committed(about, lambda: psycopg.connect(server.url(), autocommit=True), until=0)

        assert ask(mark)
        assert not ask(undone)
        assert not ask(Mark(number="99999999", life=mark.life))
        server.stop("immediate")
        server.start()
        with pytest.raises(CommitUnknown):
            ask(mark)
        assert not ask(undone)
    finally:
        server.remove()
