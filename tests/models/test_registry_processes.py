"""Several processes at one registry, and processes that are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter

import pytest
from sqlalchemy import make_url

from models.registry.registry import Registry
from tests.conftest import ROOT
from tests.support.databases import (  # noqa: F401
    POSTGRES,
    database_fixture,
    execute,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import promote, register

pytestmark = pytest.mark.slow

PREAMBLE = """
import sys
from models.registry.errors import StalePromotion
from models.registry.registry import Registry
from tests.support.registered import model_file, promote, register
url, who = sys.argv[1:]
"""


def started(code: str, database: str, who: str = "child") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PREAMBLE + code, database, who],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def together(code: str, database: str, processes: int) -> list[str]:
    """What each of the processes printed; they begin when all of them are loaded."""
    children = [started("sys.stdin.readline()\n" + code, database, f"child {n}") for n in range(processes)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    printed = []
    for child in children:
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        printed.append(out)
    return printed


def test_all_who_open_an_empty_database_get_a_registry(database: str) -> None:
    together("assert Registry.open(url).latest_number() == 0", database, 3)
    with Registry.open(database) as registry:
        assert registry.versions() == []


def test_versions_that_are_registered_at_once_are_numbered_without_gaps(database: str) -> None:
    Registry.open(database).close()
    code = """
registry = Registry.open(url)
for number in range(10):
    print(register(registry, "word", model_file(number / 100, by=who), who=who).ref)
"""
    printed = [ref for out in together(code, database, 2) for ref in out.split()]
    assert sorted(printed, key=lambda ref: int(ref.split("@")[1])) == [f"word@{n}" for n in range(1, 21)]
    with Registry.open(database) as registry:
        found = registry.versions()
        assert [model.version for model in found] == [model.id for model in found] == list(range(1, 21))
        assert Counter(model.who for model in found) == {f"child {n}": 10 for n in range(2)}
        for model in found:
            assert model.who.encode() in registry.artifact(model.ref)


def test_a_server_with_stricter_transactions_numbers_them_so_too(postgres: str) -> None:
    Registry.open(postgres).close()
    name = make_url(postgres).database
    execute(POSTGRES, f"ALTER DATABASE {name} SET default_transaction_isolation TO 'serializable'")
    try:
        code = "for _ in range(10):\n    register(registry)"
        together(f"registry = Registry.open(url)\n{code}", postgres, 2)
        with Registry.open(postgres) as registry:
            assert [model.version for model in registry.versions()] == list(range(1, 21))
    finally:
        execute(POSTGRES, f"ALTER DATABASE {name} RESET default_transaction_isolation")


def test_of_promotions_decided_on_the_same_release_one_is_made(database: str) -> None:
    with Registry.open(database) as registry:
        for _ in range(2):
            register(registry)
    code = """
registry = Registry.open(url)
made = 0
while (seen := registry.latest_number()) < 20:
    try:
        release = promote(registry, f"word@{1 + int(who[-1])}", expected=seen)
        assert release.number == seen + 1
        made += 1
    except StalePromotion:
        pass
print(made)
"""
    made = [int(out) for out in together(code, database, 2)]
    with Registry.open(database) as registry:
        log = registry.releases()
    assert [release.number for release in log] == list(range(1, 21))
    assert [sum(release.model == f"word@{n + 1}" for release in log) for n in range(2)] == made


def test_a_retraining_that_wants_to_be_alone_is(database: str) -> None:
    Registry.open(database).close()
    code = """
from models.registry.errors import RunInProgress
registry = Registry.open(url)
try:
    print(registry.begin_run(who=who, parameters={}, pid=1, alone=True).id)
except RunInProgress:
    pass
"""
    assert "".join(together(code, database, 3)).split() == ["1"]


def test_a_process_killed_before_it_commits_has_done_nothing(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry)
        # More than the database keeps in memory, so that half of it is in the file when the process dies.
        code = """
import time
from models.registry import versions
from tests.support.registered import DATASET
registry = Registry.open(url)
facts = {"name": "word", "dataset": DATASET, "who": "w", "note": ""}
with registry.writing() as connection:
    versions.append(connection, versions.as_entry(model_file(), bytes(24 << 20), **facts))
    print("written", flush=True)
    time.sleep(60)
"""
        child = started(code, database)
        assert child.stdout is not None
        assert child.stdout.readline() == "written\n"
        assert [model.ref for model in registry.versions()] == ["word@1"] if "postgres" in database else True
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert [model.ref for model in registry.versions()] == ["word@1"]
        assert register(registry).ref == "word@2"
        assert promote(registry, "word").number == 1


def test_processes_killed_at_any_moment_leave_whole_versions(database: str) -> None:
    code = """
registry = Registry.open(url)
while True:
    made = register(registry, "word", model_file(pad="x" * 50_000), report=bytes(100_000))
    print(promote(registry, made.ref).number, flush=True)
"""
    draw = random.Random(5)
    with Registry.open(database) as registry:
        for _ in range(2):
            child = started(code, database)
            assert child.stdout is not None
            told = 0
            for _ in range(draw.randint(1, 8)):
                told = int(child.stdout.readline())
            child.send_signal(signal.SIGKILL)
            told = max([told, *map(int, child.communicate()[0].split())])
            found, log = registry.versions(), registry.releases()
            assert [model.version for model in found] == list(range(1, len(found) + 1))
            assert [release.number for release in log] == list(range(1, len(log) + 1))
            assert len(log) >= told
            for model in found:
                registry.artifact(model.ref)
                registry.report(model.ref)


def test_readers_see_whole_releases_while_others_write(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry, "a")
        register(registry, "b")
        promote(registry, "a", location="/a")
        code = """
registry = Registry.open(url)
for number in range(20):
    name = "ab"[number % 2]
    promote(registry, name, location="/" + name)
"""
        child = started(code, database)
        looked = Registry.peek(database)
        assert looked is not None
        seen = 0
        while child.poll() is None:
            number = looked.latest_number()
            release = looked.in_force()
            assert release is not None
            assert seen <= number <= release.number
            assert release.location == "/" + release.model[0]
            seen = number
        assert child.communicate()[1] == ""
        assert looked.latest_number() == 21
        looked.close()


@pytest.mark.slow
def test_many_processes_at_once(database: str) -> None:
    Registry.open(database).close()
    code = """
registry = Registry.open(url)
for number in range(40):
    made = register(registry, "word", model_file(by=who), who=who)
    promote(registry, made.ref)
"""
    together(code, database, 8)
    with Registry.open(database) as registry:
        assert [model.version for model in registry.versions()] == list(range(1, 321))
        assert [release.number for release in registry.releases()] == list(range(1, 321))
