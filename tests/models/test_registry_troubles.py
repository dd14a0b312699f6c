"""Databases that are locked, away, full, read-only, or that let nobody in."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, make_url

from models.registry.database import REGISTRY
from models.registry.errors import NotARegistry, RegistryError, RegistryUnavailable
from models.registry.registry import Registry
from models.storage.address import DatabaseAddress
from tests.conftest import ROOT
from tests.support.databases import (  # noqa: F401
    POSTGRES,
    connected,
    database_fixture,
    execute,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.patience import PATIENCE
from tests.support.registered import promote, register


@pytest.fixture
def impatient(database: str) -> Iterator[Registry]:
    """A registry that waits for others for a tenth of a second."""
    Registry.open(database).close()
    with Registry(DatabaseAddress.parse(database, REGISTRY), seconds=0.1) as registry:
        yield registry


def test_a_locked_database_is_waited_for_and_told(database: str, impatient: Registry) -> None:
    register(impatient)
    with Registry.open(database) as other, other.writing():
        with pytest.raises(RegistryUnavailable, match="try again"):
            promote(impatient, "word")
        # Who only reads is not kept waiting by who has not written yet.
        assert impatient.latest_number() == 0
    assert promote(impatient, "word").number == 1


def test_a_writer_waits_for_another(database: str) -> None:
    with Registry.open(database) as registry, Registry.open(database) as other:
        register(registry)
        made: list[int] = []
        with registry.writing():
            waiting = threading.Thread(target=lambda: made.append(promote(other, "word").number))
            waiting.start()
            time.sleep(0.3)
            assert made == []
        waiting.join()
        assert made == [1]


def test_a_file_that_is_locked_for_reading_too_is_told_and_heals(sqlite: str) -> None:
    Registry.open(sqlite).close()
    with Registry(DatabaseAddress.parse(sqlite, REGISTRY), seconds=0.1) as registry:
        other = sqlite3.connect(make_url(sqlite).database or "", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RegistryUnavailable, match="locked"):
            registry.latest_number()
        other.execute("ROLLBACK")
        other.close()
        assert registry.latest_number() == 0


def test_a_file_that_is_taken_away_is_told_and_heals(sqlite: str, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        promote(registry, register(registry).ref)
        path = tmp_path / "registry.sqlite"
        path.rename(tmp_path / "elsewhere")
        with pytest.raises(RegistryUnavailable, match=str(tmp_path)):
            registry.latest_number()
        assert not path.exists()
        (tmp_path / "elsewhere").rename(path)
        assert registry.latest_number() == 1


def test_a_server_that_ends_connections_is_asked_again(postgres: str) -> None:
    with Registry.open(postgres) as registry:
        promote(registry, register(registry).ref)
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND pid <> {}"
        execute(postgres, others.format(make_url(postgres).database, "pg_backend_pid()"))
        assert registry.latest_number() == 1


def test_a_server_that_lets_nobody_in_is_told_and_heals(postgres: str) -> None:
    name = make_url(postgres).database
    with Registry.open(postgres) as registry:
        promote(registry, register(registry).ref)
        kick = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        execute(POSTGRES, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false", kick)
        try:
            with pytest.raises(RegistryUnavailable, match="not currently accepting connections"):
                registry.latest_number()
            with pytest.raises(RegistryUnavailable):
                Registry.peek(postgres)
        finally:
            execute(POSTGRES, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert registry.latest_number() == 1


def test_a_full_disk_is_told_and_changes_nothing(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        made = register(registry)

        @event.listens_for(registry._engine, "connect")
        def limit(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA max_page_count = 30")

        with pytest.raises(RegistryUnavailable, match="Make room"):
            register(registry, report=bytes(1 << 20))
        assert registry.versions() == [made]


def test_a_file_size_limit_is_told_and_changes_nothing(sqlite: str) -> None:
    Registry.open(sqlite).close()
    code = """
import resource, signal, sys
from models.registry.registry import Registry
from tests.support.registered import register
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
registry = Registry.open(sys.argv[1])
register(registry)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
register(registry, report=bytes(1 << 20))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, sqlite], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "RegistryUnavailable" in done.stderr
    with Registry.open(sqlite) as registry:
        assert [model.ref for model in registry.versions()] == ["word@1"]
        assert register(registry).ref == "word@2"


@contextmanager
def may_only_read(folder: Path) -> Iterator[None]:
    """While the block runs, this process may read what is in ``folder`` and write nothing there."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}
    for path, mode in modes.items():
        path.chmod(mode & 0o555 | 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)  # root would not be asked for its rights
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in modes.items():
            path.chmod(mode)


def test_a_folder_that_may_not_be_written_is_told() -> None:
    folder = Path(tempfile.mkdtemp())  # those of pytest are closed to others
    folder.chmod(0o755)
    url = f"sqlite:///{folder / 'wort.sqlite'}"
    try:
        with may_only_read(folder):
            assert Registry.peek(url) is None
            for missing in (url, f"sqlite:///{folder / 'deeper' / 'wort.sqlite'}"):
                with pytest.raises(RegistryUnavailable, match=str(folder)):
                    Registry.open(missing)
        with Registry.open(url) as registry:
            promote(registry, register(registry).ref)
        folder.chmod(0)
        if os.geteuid() == 0:
            os.seteuid(65534)
        try:
            for ask in (Registry.open, Registry.peek):
                with pytest.raises(RegistryUnavailable, match="Permission denied"):
                    ask(url)
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
            folder.chmod(0o755)
        with may_only_read(folder):
            # Reading needs the right to read; only making, bringing up to date and writing need more.
            for ask in (Registry.open, Registry.peek):
                with ask(url) or pytest.fail("no registry") as registry:
                    assert registry.latest_number() == 1
                    assert registry.artifact("word")
                    with pytest.raises(RegistryUnavailable, match="may be read, but not written"):
                        promote(registry, "word")
    finally:
        shutil.rmtree(folder)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "wort.sqlite"):
        with pytest.raises(RegistryUnavailable, match=str(tmp_path)):
            Registry.open(f"sqlite:///{path}")


def test_a_damaged_file_is_told(sqlite: str, tmp_path: Path) -> None:
    path = tmp_path / "registry.sqlite"
    path.write_bytes(b"left,right,score\n" * 100)
    for ask in (Registry.open, Registry.peek):
        with pytest.raises(NotARegistry, match="not a database"):
            ask(sqlite)
    path.unlink()
    with Registry.open(sqlite) as registry:
        for _ in range(20):
            register(registry, report=bytes(10_000))
        content = bytearray(path.read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        path.write_bytes(content)
        with pytest.raises(RegistryError, match="copy of it"):
            registry.versions()


@contextmanager
def refusing_server(answer: bytes) -> Iterator[int]:
    """The port of a server that answers every start-up message of PostgreSQL's protocol with ``answer``."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.settimeout(PATIENCE)
                    while (message := client.recv(1024)) and message[4:8] == struct.pack("!I", 80877103):
                        client.sendall(b"N")  # no TLS here
                    # The password in clear, please; then: it is wrong.
                    client.sendall(struct.pack("!cII", b"R", 8, 3))
                    client.recv(1024)
                    client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def test_a_wrong_password_is_told_and_not_printed() -> None:
    fields = b'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "ann"\0\0'
    with refusing_server(b"E" + struct.pack("!I", len(fields) + 4) + fields) as port:
        for url in (
            f"postgresql://ann:s3cret%20word@127.0.0.1:{port}/wort",
            f"postgresql://ann@127.0.0.1:{port}/wort?password=s3cret%20word",
        ):
            for ask in (Registry.open, Registry.peek):
                with pytest.raises(
                    RegistryUnavailable, match=r"password authentication failed .*PGPASSWORD"
                ) as raised:
                    ask(url)
                told = "".join(traceback.format_exception(raised.value)) + repr(raised.value)
                assert "s3cret" not in told
                assert "ann" in told


def test_where_nobody_answers_the_password_is_not_printed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    password = "s3" + "cret"  # the traceback quotes this file
    for ask in (Registry.open, Registry.peek):
        with pytest.raises(RegistryUnavailable, match="See that the server runs") as raised:
            ask(f"postgresql://ann:{password}@127.0.0.1:{port}/wort")
        assert password not in "".join(traceback.format_exception(raised.value))


def test_a_role_or_database_that_is_missing_is_told(postgres: str) -> None:
    url = make_url(postgres)
    for missing in (url.set(database="wort_absent"), url.set(username="wort_absent")):
        with pytest.raises(RegistryUnavailable, match=r"wort_absent.*Create the role or the database"):
            Registry.open(missing.render_as_string(hide_password=False))


def test_a_role_that_may_not_write_is_told(postgres: str) -> None:
    role = f"wort_reader_{os.getpid()}"
    with Registry.open(postgres) as registry:
        promote(registry, register(registry).ref)
    execute(postgres, f"CREATE ROLE {role} LOGIN", f"GRANT USAGE ON SCHEMA public TO {role}")
    try:
        url = make_url(postgres).set(username=role).render_as_string(hide_password=False)
        with pytest.raises(RegistryUnavailable, match="permission denied"):
            Registry.peek(url)
        execute(postgres, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
        with Registry.open(url) as registry:
            assert registry.latest_number() == 1
            with pytest.raises(RegistryUnavailable, match="Grant this user"):
                promote(registry, "word")
    finally:
        execute(postgres, f"DROP OWNED BY {role}", f"DROP ROLE {role}")
