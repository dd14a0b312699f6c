"""Many annotate at once, and the server is killed meanwhile: what was acknowledged is there, once."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from pathlib import Path

import pytest

from datasets.annotation.owning import Said
from tests.app.annotation.concurrent_annotators import ConcurrentAnnotators
from tests.app.annotation.projects import Made, make, pairs
from tests.support.databases import (
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.patience import until
from tests.support.processes import Served, wort_serve

SHARE = int(os.environ.get("WORT_TEST_CROWD", "40"))
"""One in so many of 100,000 judgements is given, which take half an hour; ``WORT_TEST_CROWD=1`` gives all."""

__all__ = ["database_fixture", "postgres_database_fixture", "postgres_fixture", "sqlite_fixture"]


@pytest.mark.slow
def test_what_is_acknowledged_survives_two_kills(tmp_path: Path, database: str) -> None:
    annotate(tmp_path, make(database, "binary", pairs(60), wanted=4), 8)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)  # of 100,000 judgements; the machine may have other things to do
def test_two_hundred_annotators_on_postgresql(tmp_path: Path, postgres: str) -> None:
    annotate(tmp_path, make(postgres, "binary", pairs(80_000 // SHARE // 10), wanted=10), 200)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)  # of 100,000 judgements; the machine may have other things to do
def test_twenty_annotators_on_sqlite(tmp_path: Path, sqlite: str) -> None:
    annotate(tmp_path, make(sqlite, "binary", pairs(20_000 // SHARE // 10), wanted=10), 20)


def annotate(folder: Path, made: Made, number: int, kills: int = 2) -> None:
    """Have annotators annotate while the server is killed now and then, and compare."""
    port = free_port()
    annotators = ConcurrentAnnotators(f"http://127.0.0.1:{port}", made.invitation, number)
    wanted = made.ask(lambda projects: projects.progress(made.number).wanted)
    annotators.start()
    begun = time.monotonic()
    for life in range(kills + 1):
        inside = folder / str(life)
        inside.mkdir()
        with wort_serve(inside, port=port, annotation=made.url) as served:
            if life < kills:
                await_answers(annotators, (life + 1) * wanted // (kills + 1))
                kill(served)
                known = dict(annotators.acknowledged)
                assert known.keys() <= {one.judgement.key for one in said(made)}
            else:
                annotators.join()
    seconds = time.monotonic() - begun
    again = dict(annotators.again)
    print(f"{len(annotators.acknowledged):,} judgements in {seconds:.0f} s; sent again: {again}")
    assert not annotators.refused
    stored = said(made)
    assert Counter(one.judgement.key for one in stored) == Counter(annotators.acknowledged.keys())
    # Each page is one annotator, and everything said on it is attributed to this one.
    pages = {annotators.acknowledged[one.judgement.key][0]: one.annotator.number for one in stored}
    assert sorted(pages.values()) == list(range(1, number + 1))
    for one in stored:
        page, item, value = annotators.acknowledged[one.judgement.key]
        assert (one.annotator.number, one.item.id, one.judgement.value) == (pages[page], item, value)
    assert max(Counter((one.annotator.number, one.item.id) for one in stored).values()) == 1
    assert len(stored) == wanted


def await_answers(annotators: ConcurrentAnnotators, number: int) -> None:
    """Wait until so many are acknowledged."""
    until(lambda: len(annotators.acknowledged) >= number or annotators.ended, seconds=3600)


def said(made: Made) -> list[Said]:
    """All that is stored, taken back or not."""
    return made.ask(lambda projects: list(projects.said(made.number, refused=True, gold=True, undone=True)))


def kill(served: Served) -> None:
    """End a server as the kernel does, in the middle of whatever it does."""
    served.process.kill()
    served.process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
